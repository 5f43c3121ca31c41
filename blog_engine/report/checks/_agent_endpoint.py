"""Whether agents reach their endpoint, tried over its own code (decisions.md 9.16)."""

from collections.abc import Callable

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

from blog_engine.addresses import script_name
from blog_engine.conf import authenticate_hook, get_settings
from blog_engine.report.base import Rehearsal

_UNAUTHENTICATED = 401


def agent_endpoint() -> tuple[list[str], str]:
    """What is wrong with the agent endpoint, and what its clients see."""
    path = reverse("blog_engine:mcp")
    try:
        is_enabled, hook = get_settings().mcp.enabled, authenticate_hook()
    except ImproperlyConfigured:
        return [], "Agents are not considered while the settings have faults. See Configuration."
    if not is_enabled:
        return [], f"The agent endpoint {path} is switched off (mcp.enabled): clients see 404."
    try:
        view = resolve(path.removeprefix(script_name())).func
    except Resolver404:
        return [f"The agent endpoint {path} is not routed."], ""
    rehearse: Callable[[], Rehearsal] | None = getattr(view, "rehearse", None)
    if rehearse is None:
        return [f"Agents that ask {path} reach another view of the host. Move that one to another address."], ""
    rehearsal = rehearse()
    faults = [f"An agent that asks {path} fails: {fault}." for fault in rehearsal.faults]
    # A hook of the host decides for itself, and is not called for nothing.
    return [*faults, *([] if hook else _open_door(view, path))], f"Agents that ask {path} see {rehearsal.seen}."


def _open_door(view: Callable[[HttpRequest], object], path: str) -> list[str]:
    """A fault, when nobody asks for a token."""
    request = HttpRequest()
    request.method, request.path = "POST", path
    status = getattr(view(request), "status_code", None)
    return [] if status == _UNAUTHENTICATED else [f"Without a token an agent that asks {path} sees {status}."]
