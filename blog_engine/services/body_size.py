"""How large a body may be, and how much markup it may have."""

from blog_engine.conf import get_settings
from blog_engine.content.excess import TooMuchMarkup
from blog_engine.content.plain_text import check_markup
from blog_engine.errors import ValidationFailed
from blog_engine.vocabulary import BodyFormat


def check_body_size(body: str) -> None:
    """Raise ``ValidationFailed(["body"])`` when a body has more than ``max_body_bytes`` bytes of UTF-8."""
    limit = get_settings().max_body_bytes
    if len(body.encode()) > limit:
        raise ValidationFailed(
            ["body"], hint=f"A body has at most {limit} bytes of UTF-8: shorten it, or make several posts of it."
        )


def check_body_markup(body: str, body_format: str) -> None:
    """Raise ``ValidationFailed(["body"])`` when a body that was sent would take too long to render."""
    try:
        check_markup(body, body_format=BodyFormat(body_format))
    except TooMuchMarkup as excess:
        raise ValidationFailed(["body"], hint=f"{excess} Shorten the body, or make several posts of it.") from excess
