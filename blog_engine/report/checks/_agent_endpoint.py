"""Whether agents reach their endpoint, tried over its own code (decisions.md 9.16)."""

from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import unquote

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.urls import resolve, reverse

from blog_engine.addresses import script_name
from blog_engine.conf import authenticate_hook, get_settings
from blog_engine.report.base import Rehearsal

_UNAUTHENTICATED = 401


class Found(NamedTuple):
    """What is wrong with the endpoint, what could not be looked at, and what its clients see."""

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seen: str = ""


def look_at_agent_endpoint() -> Found:
    """Ask the view that Django finds at the address of the endpoint for a rehearsal."""
    path = reverse("blog_engine:mcp")
    try:
        is_enabled, hook = get_settings().mcp.enabled, authenticate_hook()
    except ImproperlyConfigured:
        return Found(warnings=("What agents see is not known: the settings have faults. See Configuration.",))
    if not is_enabled:
        return Found(seen=f"The agent endpoint {path} is switched off (mcp.enabled): clients see 404.")
    view = resolve(unquote(path.removeprefix(script_name()))).func
    rehearse: Callable[[], Rehearsal] | None = getattr(view, "rehearse", None)
    if rehearse is None:
        return Found((f"Agents that ask {path} reach another view of the host. Move that one to another address.",))
    rehearsal = rehearse()
    faults = (f"An agent that asks {path} fails: {fault}." for fault in rehearsal.faults)
    # A hook of the host decides for itself, and is not called for nothing.
    return Found((*faults, *(() if hook else _open_door(view, path))), seen=f"Agents at {path} see {rehearsal.seen}.")


def _open_door(view: Callable[[HttpRequest], object], path: str) -> tuple[str, ...]:
    """A fault, when nobody asks for a token."""
    request = HttpRequest()
    request.method, request.path = "POST", path
    status = getattr(view(request), "status_code", None)
    return () if status == _UNAUTHENTICATED else (f"Without a token an agent that asks {path} sees {status}.",)
