"""Preparation of a post: its body, images and fields. Nothing is stored, but images are fetched."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from blog_engine.conf import get_settings
from blog_engine.errors import Refusal, ValidationFailed
from blog_engine.importing.bodies import Bodies
from blog_engine.importing.fields import content_fields, dated_fields, moment_of_schedule
from blog_engine.importing.images import FoundImage, Images, MissingImage
from blog_engine.importing.plan import TRANSLATED, Identity, identity_of
from blog_engine.importing.source import ImageUse, Loss, LossKind, Source, SourcePost, SourceStatus
from blog_engine.importing.spool import Spool, SpooledPost

_MOST_MARKUP: Final = 8
"""Bytes of a body in the source for each byte that a body can have here: HTML is longer than Markdown."""


@dataclass(frozen=True, slots=True)
class PreparedPost:
    """The write of a post, ready to be made."""

    planned: SpooledPost
    """Without its body."""
    identity: Identity
    fields: Mapping[str, Any]
    """The content without images."""
    dates: Mapping[str, Any]
    """The dates of a public post, with their evidence."""
    publish_at: datetime | None
    """When a scheduled post is to be published."""
    cover: FoundImage | None
    social: FoundImage | None
    pictures: tuple[FoundImage, ...]
    """The images of the body."""
    external: tuple[str, ...]
    """The URLs of images that the body shows from other sites."""
    losses: tuple[Loss, ...]
    refusal: Refusal | None = None
    """Why the post cannot be stored, if that is known already."""

    @property
    def is_public(self) -> bool:
        return self.planned.post.status is SourceStatus.PUBLISHED


class Preparer:
    """Prepares the posts of a source."""

    def __init__(self, spool: Spool, source: Source, bodies: Bodies, images: Images, *, now: datetime) -> None:
        self._spool = spool
        self._source = source
        self._bodies = bodies
        self._images = images
        self._now = now

    def prepare(self, planned: SpooledPost) -> PreparedPost:
        """Return what is written for a post."""
        post = planned.post
        author = self._spool.term("author", post.author) if post.author else None
        fields = content_fields(post, author=author)
        losses = [*post.losses, *fields.losses]
        values = dict(fields.values)
        pictures: tuple[FoundImage, ...] = ()
        external: tuple[str, ...] = ()
        refusal: Refusal | None = None
        limit = get_settings().max_body_bytes * _MOST_MARKUP
        if len(post.body.encode()) > limit:
            refusal = ValidationFailed(["body"], hint=f"The body has more than {limit} bytes in the source.")
        else:
            body = self._bodies.convert(post)
            values |= {"body": body.text, "body_format": body.body_format.value}
            pictures, external = body.pictures, body.external
            losses += body.losses.found
        if term := self._spool.term("category", post.category) if post.category else None:
            values |= {"category_description": term.description} if term.description.strip() else {}
        first = self._spool.notes(TRANSLATED).get(post.translation_key or "")
        if first not in (None, planned.slug):
            values["translation_of"] = first
        dates = dated_fields(post, system=self._source.system, now=self._now)
        is_public = post.status is SourceStatus.PUBLISHED
        publish_at = moment_of_schedule(post, now=self._now)
        if post.status is SourceStatus.SCHEDULED and publish_at is None and planned.stored is None:
            losses.append(Loss(LossKind.DATE, "The post was scheduled for a time that has passed: it is a draft."))
        return PreparedPost(
            planned=replace(planned, post=replace(post, body="", losses=())),
            identity=identity_of(post, self._source),
            fields=values,
            dates=dates.values if is_public else {},
            publish_at=publish_at,
            cover=self._used("cover", post.cover, post, losses),
            social=self._used("social image", post.social_image, post, losses),
            pictures=pictures,
            external=external,
            losses=(*losses, *(dates.losses if is_public else ())),
            refusal=refusal,
        )

    def _used(self, name: str, use: ImageUse | None, post: SourcePost, losses: list[Loss]) -> FoundImage | None:
        found = self._images.used(use, post.base) if use else None
        if isinstance(found, MissingImage):
            losses.append(Loss(LossKind.IMAGE, f"The {name} is missing: {found.reason}"))
            return None
        return found
