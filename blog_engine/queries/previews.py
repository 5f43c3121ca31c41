"""Signed links to content that is not public yet (records.md section 8, reader.md 10)."""

from dataclasses import dataclass
from datetime import datetime

from django.core import signing

from blog_engine.conf import get_settings
from blog_engine.enums import PostStatus
from blog_engine.models import Post

PREVIEWABLE = (PostStatus.DRAFT, PostStatus.SCHEDULED)


@dataclass(frozen=True, slots=True)
class PreviewToken:
    """A token and the time at which it stops."""

    token: str
    expires_at: datetime


def preview_token(post: Post, *, now: datetime) -> PreviewToken | None:
    """A token for the post's present content, or ``None`` when the post is not previewable. Writes nothing."""
    if post.status not in PREVIEWABLE:
        return None
    expires_at = (now + get_settings().preview_expires_in).replace(microsecond=0)
    bound = [post.pk, post.current_revision_identifier, int(expires_at.timestamp())]
    return PreviewToken(token=_signer().sign_object(bound), expires_at=expires_at)


def previewed_post_id(token: str, *, now: datetime) -> tuple[int, str] | None:
    """The post id and revision identifier a token is bound to, or ``None`` when it is forged or has expired."""
    try:
        post_id, identifier, expires = _signer().unsign_object(token)
    except signing.BadSignature:
        return None
    return (post_id, identifier) if now.timestamp() < expires else None


def _signer() -> signing.Signer:
    """The lifetime is part of the salt, so that a changed setting ends all links."""
    lifetime = int(get_settings().preview_expires_in.total_seconds())
    return signing.Signer(salt=f"blog_engine.preview.{lifetime}")
