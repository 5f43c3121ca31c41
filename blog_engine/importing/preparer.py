"""Preparation of a post: its body, images and fields. Nothing is stored, but images are fetched."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from blog_engine.conf import get_settings
from blog_engine.content.urls import split_http_url
from blog_engine.errors import Refusal, ValidationFailed
from blog_engine.importing.bodies import Bodies
from blog_engine.importing.images import FoundImage, Images
from blog_engine.importing.missing_images import MissingImage
from blog_engine.importing.plan import TRANSLATED, Identity, identity_of
from blog_engine.importing.source import ImageUse, Loss, LossKind, Source, SourcePost, SourceStatus, SourceTerm
from blog_engine.importing.spool import Spool, SpooledPost
from blog_engine.inputs.posts import MOST_COAUTHORS
from blog_engine.inputs.types import LONGEST_LIST, SHORT_TEXT

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
        authors = [(name, self._spool.term("author", name)) for name in (post.author, *post.coauthors) if name]
        values, left_out = _content_fields(post, authors=authors)
        losses = [*post.losses, *left_out]
        if post.expires_at is not None and post.expires_at <= self._now:
            # The source says that the post itself has expired, which decides its status.
            del values["expires_at"]
        pictures: tuple[FoundImage, ...] = ()
        external: tuple[str, ...] = ()
        refusal: Refusal | None = None
        limit = get_settings().max_body_bytes * _MOST_MARKUP
        if len(post.body.encode()) > limit:
            refusal = ValidationFailed(["body"], hint=f"The body has more than {limit} bytes in the source.")
        else:
            body = self._bodies.convert(post)
            values |= {"body": body.text, "body_format": body.body_format.value}
            pictures, external = tuple(body.pictures.values()), tuple(body.external)
            losses += body.losses.found
        if term := self._spool.term("category", post.category) if post.category else None:
            values |= {"category_description": term.description} if term.description.strip() else {}
        first = self._spool.notes(TRANSLATED).get(post.translation_key or "")
        if first not in (None, planned.slug):
            values["translation_of"] = first
        dates, undated = _dated_fields(post, system=self._source.system, now=self._now)
        is_public = post.status is SourceStatus.PUBLISHED
        publish_at = _moment_of_schedule(post, now=self._now)
        if post.status is SourceStatus.SCHEDULED and publish_at is None and planned.stored is None:
            losses.append(Loss(LossKind.DATE, "The post was scheduled for a time that has passed: it is a draft."))
        return PreparedPost(
            planned=replace(planned, post=replace(post, body="", losses=())),
            identity=identity_of(post, self._source),
            fields=values,
            dates=dates if is_public else {},
            publish_at=publish_at,
            cover=self._used("cover", post.cover, post, losses),
            social=self._used("social image", post.social_image, post, losses),
            pictures=pictures,
            external=external,
            losses=(*losses, *(undated if is_public else ())),
            refusal=refusal,
        )

    def _used(self, name: str, use: ImageUse | None, post: SourcePost, losses: list[Loss]) -> FoundImage | None:
        found = self._images.used(use, post.base) if use else None
        if isinstance(found, MissingImage):
            losses.append(Loss(LossKind.IMAGE, f"The {name} is missing: {found.reason}"))
            return None
        return found


def _content_fields(
    post: SourcePost, *, authors: Sequence[tuple[str, SourceTerm | None]]
) -> tuple[dict[str, Any], list[Loss]]:
    """Return the content of a post except body and images; ``authors`` are those that the source names."""
    losses: list[Loss] = []
    named = [_author(name, term, losses) for name, term in authors if name.strip()]
    if len(named) > MOST_COAUTHORS + 1:
        losses.append(Loss(LossKind.AUTHOR, f"{len(named) - MOST_COAUTHORS - 1} further authors were left out."))
        named = named[: MOST_COAUTHORS + 1]
    values: dict[str, Any] = {
        "title": post.title,
        "featured": post.is_featured,
        "noindex": post.is_unlisted,
        "tags": _tags(post.tags, losses),
    }
    optional = {
        "description": post.description,
        **post.texts,
        "category": _one_line(post.category or ""),
        "series": _one_line(post.series or ""),
        "series_position": post.series_position if post.series else None,
        "canonical_url": post.canonical_url,
        "language": post.language,
        "feed_id": post.feed_id,
        "cover_alt": post.cover.alt if post.cover else None,
        "expires_at": post.expires_at,
        "author": named[0] if named else None,
        "coauthors": named[1:] or None,
    }
    values |= {name: value for name, value in optional.items() if value not in (None, "")}
    alt = values.get("cover_alt", "")
    if len(alt) > SHORT_TEXT:
        values["cover_alt"] = alt[: SHORT_TEXT - 1] + "…"
        losses.append(Loss(LossKind.FIELD, f"The alternative text of the cover was cut after {SHORT_TEXT} characters."))
    return values, losses


def _dated_fields(post: SourcePost, *, system: str, now: datetime) -> tuple[dict[str, Any], list[Loss]]:
    """Return the dates of a public post with their evidence; a date in the future is none."""
    values: dict[str, Any] = {}
    losses: list[Loss] = []
    dates = {
        "first_published": (post.published_at, post.published_evidence),
        "last_modified": (post.modified_at, post.modified_evidence),
    }
    for name, (moment, evidence) in dates.items():
        if moment is None or not _is_in_range(moment):
            continue
        if moment > now:
            losses.append(Loss(LossKind.DATE, f"The date {moment.isoformat()} is in the future, so it is left out."))
            continue
        values |= {f"{name}_at": moment, f"{name}_evidence": evidence or f"{system}: {post.where}"}
    published = values.get("first_published_at")
    if published is None or values.get("last_modified_at", published) < published:
        # An article that was edited before it was published has not changed since.
        values = {name: value for name, value in values.items() if not name.startswith("last_modified")}
    return values, losses


def _moment_of_schedule(post: SourcePost, *, now: datetime) -> datetime | None:
    """Return when a scheduled post is to be published, ``None`` if that has passed or it is a draft."""
    if post.status is not SourceStatus.SCHEDULED or post.published_at is None or post.published_at <= now:
        return None
    return post.published_at if _is_in_range(post.published_at) else None


def _tags(names: Iterable[str], losses: list[Loss]) -> list[str]:
    tags = list(filter(None, dict.fromkeys(map(_one_line, names))))
    kept = [name for name in tags if len(name) <= SHORT_TEXT][:LONGEST_LIST]
    if len(kept) < len(tags):
        limits = f"a post has at most {LONGEST_LIST}, of {SHORT_TEXT} characters"
        losses.append(Loss(LossKind.FIELD, f"{len(tags) - len(kept)} tags were left out: {limits}."))
    return kept


def _author(name: str, term: SourceTerm | None, losses: list[Loss]) -> dict[str, str]:
    """Return an author; a name that is too long is cut, since without it the post had another author's byline."""
    name = _one_line(name)
    if len(name) > SHORT_TEXT:
        losses.append(Loss(LossKind.AUTHOR, f"The author's name was cut after {SHORT_TEXT} characters: {name[:60]}…"))
        name = name[: SHORT_TEXT - 1] + "…"
    url = term.url if term and term.url and split_http_url(term.url) else None
    return {"name": name} | ({"url": url} if url else {})


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _is_in_range(moment: datetime) -> bool:
    try:
        moment.astimezone(UTC)
    except OverflowError:
        return False
    return True
