"""Bearer tokens as proof of who calls (records.md section 2)."""

from datetime import datetime

from blog_engine.models import ApiToken
from blog_engine.queries.tokens import is_active, token_with


def authenticated_token(secret: str, *, now: datetime) -> ApiToken | None:
    """The active token of this secret, with ``last_used_at`` set to ``now``; ``None`` when there is none.

    The update repeats the condition, so that a token revoked in between does not authenticate.
    """
    token = token_with(secret)
    if token is None:
        return None
    marked = ApiToken.objects.filter(is_active(now), pk=token.pk).update(last_used_at=now)
    return token if marked else None
