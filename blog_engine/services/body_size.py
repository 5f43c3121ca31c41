"""How large a body may be (decisions.md 3.11)."""

from blog_engine.conf import get_settings
from blog_engine.errors import ValidationFailed


def check_body_size(body: str) -> None:
    """Raise ``ValidationFailed(["body"])`` when a body has more than ``max_body_bytes`` bytes of UTF-8."""
    limit = get_settings().max_body_bytes
    if len(body.encode()) > limit:
        raise ValidationFailed(
            ["body"], hint=f"A body has at most {limit} bytes of UTF-8: shorten it, or make several posts of it."
        )
