"""Someone can use the API."""

from django.core.exceptions import ImproperlyConfigured

from blog_engine.conf import authenticate_hook
from blog_engine.queries.tokens import count_active_tokens
from blog_engine.report.base import CannotRun, Verdict, Visit, require_tables, sound_settings, verdict

_NOBODY = (
    "No active token and no authenticate hook: nobody can use the API or the agent endpoint. "
    "Make a token with create_blog_token."
)


def check_authentication(visit: Visit) -> Verdict:
    """The host has a hook, or there is a token that is neither revoked nor expired."""
    sound_settings()
    if _has_hook():
        return verdict(well="The host's authenticate hook decides who may call.")
    require_tables()
    number = count_active_tokens(now=visit.now)
    return verdict(warnings=[] if number else [_NOBODY], well=f"Active tokens: {number}.")


def _has_hook() -> bool:
    try:
        return authenticate_hook() is not None
    except ImproperlyConfigured as fault:
        raise CannotRun("the authenticate hook has a fault. See Configuration.") from fault
