"""The fields of a post's write, made of an entry of the source."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from blog_engine.content.urls import split_http_url
from blog_engine.errors import Refusal
from blog_engine.importing.source import Loss, LossKind, SourcePost, SourceStatus, SourceTerm
from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.types import LONGEST_LIST, SHORT_TEXT

I = TypeVar("I", bound=Input)  # noqa: E741  # the usual letter for what goes in

_NEEDED: Final = frozenset(
    {"title", "body", "body_format", "slug", "source_system", "source_id", "external_id", "id", "publish_at"}
)


@dataclass(frozen=True, slots=True)
class WriteFields:
    """The fields of a write by their names, and what was lost on the way."""

    values: dict[str, Any]
    losses: tuple[Loss, ...]


def content_fields(post: SourcePost, *, author: SourceTerm | None) -> WriteFields:
    """Return the content of a post except body and images; ``author`` is what the source has about the author."""
    losses: list[Loss] = []
    values: dict[str, Any] = {
        "title": post.title,
        "featured": post.is_featured,
        "tags": _tags(post.tags, losses),
    }
    optional = {
        "description": post.description,
        **post.texts,
        "category": post.category,
        "series": post.series,
        "series_position": post.series_position if post.series else None,
        "canonical_url": post.canonical_url,
        "language": post.language,
        "feed_id": post.feed_id,
        "cover_alt": post.cover.alt if post.cover else None,
        "author": _author(post.author, author),
    }
    values |= {name: value for name, value in optional.items() if value not in (None, "")}
    alt = values.get("cover_alt", "")
    if len(alt) > SHORT_TEXT:
        values["cover_alt"] = alt[: SHORT_TEXT - 1] + "…"
        losses.append(Loss(LossKind.FIELD, f"The alternative text of the cover was cut after {SHORT_TEXT} characters."))
    return WriteFields(values, tuple(losses))


def dated_fields(post: SourcePost, *, system: str, now: datetime) -> WriteFields:
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
    return WriteFields(values, tuple(losses))


def moment_of_schedule(post: SourcePost, *, now: datetime) -> datetime | None:
    """Return when a scheduled post is to be published, ``None`` if that has passed or it is a draft."""
    if post.status is not SourceStatus.SCHEDULED or post.published_at is None or post.published_at <= now:
        return None
    return post.published_at if _is_in_range(post.published_at) else None


def read_fields(model: type[I], values: Mapping[str, Any]) -> tuple[I, list[Loss]]:
    """Return the input, without those optional fields that are not accepted, which are losses.

    Raises the ``Refusal`` of a field that a post needs.
    """
    losses: list[Loss] = []
    left = dict(values)
    while True:
        try:
            return parse(model, left), losses
        except Refusal as refusal:
            dropped = optional_names(refusal, left)
            if not dropped:
                raise
            losses += [field_loss(name, refusal) for name in dropped]
            left = {name: value for name, value in left.items() if name not in dropped}


def optional_names(refusal: Refusal, sent: Iterable[str]) -> list[str]:
    """Return the fields that a refusal names if a post can do without all of them, else none."""
    names = list(dict.fromkeys(detail.partition(".")[0] for detail in refusal.details))
    return names if all(name in sent and name not in _NEEDED for name in names) else []


def field_loss(name: str, refusal: Refusal) -> Loss:
    """Return the loss of a field that a post does without."""
    kind = LossKind.IMAGE if name.endswith("_image") else LossKind.FIELD
    return Loss(kind, f"{name} was left out: {refusal.hint or refusal.message}")


def _tags(names: Iterable[str], losses: list[Loss]) -> list[str]:
    tags = [name.strip() for name in dict.fromkeys(names) if name.strip()]
    kept = [name for name in tags if len(name) <= SHORT_TEXT][:LONGEST_LIST]
    if len(kept) < len(tags):
        limits = f"a post has at most {LONGEST_LIST}, of {SHORT_TEXT} characters"
        losses.append(Loss(LossKind.FIELD, f"{len(tags) - len(kept)} tags were left out: {limits}."))
    return kept


def _author(name: str | None, term: SourceTerm | None) -> dict[str, str] | None:
    if not name or not name.strip():
        return None
    url = term.url if term and term.url and split_http_url(term.url) else None
    return {"name": name.strip()} | ({"url": url} if url else {})


def _is_in_range(moment: datetime) -> bool:
    try:
        moment.astimezone(UTC)
    except OverflowError:
        return False
    return True
