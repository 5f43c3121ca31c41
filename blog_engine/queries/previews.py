"""Signed links to posts that are not public yet."""

from dataclasses import dataclass
from datetime import datetime

from django.core import signing

from blog_engine.conf import get_settings
from blog_engine.enums import PostStatus
from blog_engine.models import Post

PREVIEWABLE = (PostStatus.DRAFT, PostStatus.SCHEDULED)


@dataclass(frozen=True, slots=True)
class PreviewToken:
    """A signed token and when it expires."""

    token: str
    expires_at: datetime


def preview_token(post: Post, *, now: datetime) -> PreviewToken | None:
    """Return a token for the content of a draft or scheduled post, else ``None``."""
    if post.status not in PREVIEWABLE:
        return None
    expires_at = (now + get_settings().preview_expires_in).replace(microsecond=0)
    bound = [post.pk, post.current_revision_identifier, int(expires_at.timestamp())]
    return PreviewToken(token=_signer().sign_object(bound), expires_at=expires_at)


def previewed_post_id(token: str, *, now: datetime) -> tuple[int, str] | None:
    """Return post id and revision identifier of a token; ``None`` if it is not valid."""
    try:
        post_id, identifier, expires = _signer().unsign_object(token)
    except signing.BadSignature:
        return None
    return (post_id, identifier) if now.timestamp() < expires else None


def _signer() -> signing.Signer:
    # The lifetime is part of the salt, so that changing the setting ends all links.
    lifetime = int(get_settings().preview_expires_in.total_seconds())
    return signing.Signer(salt=f"blog_engine.preview.{lifetime}")
