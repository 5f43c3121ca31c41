"""Signed links to posts and proposals that are not public yet."""

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
    expires_at = _expiry(now)
    bound = [post.pk, post.current_revision_identifier, int(expires_at.timestamp())]
    return PreviewToken(token=_signer().sign_object(bound), expires_at=expires_at)


def proposal_preview_token(proposal_id: int, *, now: datetime) -> PreviewToken:
    """Return a token for what an undecided proposal makes of its post."""
    expires_at = _expiry(now)
    token = _proposal_signer().sign_object([proposal_id, int(expires_at.timestamp())])
    return PreviewToken(token=token, expires_at=expires_at)


@dataclass(frozen=True, slots=True)
class PreviewedProposal:
    """The proposal that a token is for."""

    id: int
    is_expired: bool


def previewed_proposal(token: str, *, now: datetime) -> PreviewedProposal | None:
    """Return the proposal of a token; ``None`` for any other text."""
    try:
        proposal_id, expires = _proposal_signer().unsign_object(token)
    except signing.BadSignature:
        return None
    return PreviewedProposal(proposal_id, is_expired=now.timestamp() >= expires)


def previewed_post_id(token: str, *, now: datetime) -> tuple[int, str] | None:
    """Return post id and revision identifier of a token; ``None`` if it is not valid."""
    try:
        post_id, identifier, expires = _signer().unsign_object(token)
    except signing.BadSignature:
        return None
    return (post_id, identifier) if now.timestamp() < expires else None


def _expiry(now: datetime) -> datetime:
    return (now + get_settings().preview_expires_in).replace(microsecond=0)


def _signer() -> signing.Signer:
    return signing.Signer(salt=f"blog_engine.preview.{_lifetime()}")


def _proposal_signer() -> signing.Signer:
    return signing.Signer(salt=f"blog_engine.proposal_preview.{_lifetime()}")


def _lifetime() -> int:
    """Return the lifetime of a link, which is part of the salts: changing the setting ends all links."""
    return int(get_settings().preview_expires_in.total_seconds())
