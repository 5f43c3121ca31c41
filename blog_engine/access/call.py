"""From a request and its actor to a ``Call`` (design.md 1.2)."""

from datetime import datetime

from django.http import HttpRequest

from blog_engine.actor import Actor, Call
from blog_engine.conf import get_settings


def call_for(request: HttpRequest, *, actor: Actor, now: datetime) -> Call:
    """What the operations know of a request.

    Raises Django's ``DisallowedHost`` when the addresses in the answer would be made of a forged ``Host``.
    """
    return Call(actor=actor, now=now, base_url=base_url(request))


def base_url(request: HttpRequest) -> str:
    """The origin of absolute addresses: ``public_base_url``, else the request's own scheme and host."""
    return get_settings().public_base_url or f"{request.scheme}://{request.get_host()}"
