"""Publication time and status of a Markdown file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final

from blog_engine.importing.markdown.fields import FrontMatter
from blog_engine.importing.source import Losses, LossKind, SourceStatus

_PUBLISHED: Final = ("date", "pubdate", "pubdatetime", "published_at", "published_date", "datepublished", "created_at")
_AVAILABLE: Final = ("publishdate", "pubdate", "published")
_EXPIRES: Final = ("expirydate", "expires", "unpublishdate")
_MODIFIED: Final = (
    *("lastmod", "updated", "updateddate", "modified", "last_modified_at", "modified_at", "moddatetime", "updated_at"),
    *("last_modified", "datemodified"),
)
_YEAR: Final = re.compile("(?<![0-9])[0-9]{4}(?![0-9])")
_DRAFTS: Final = ("draft", "drafts", "isdraft", "is_draft", "unpublished")
_PUBLIC: Final = ("published", "publish", "ispublished", "is_published")
_PRIVATE: Final = ("private", "password", "protected", "unlisted", "hidden", "eleventyexcludefromcollections")


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a post, aware, each with words on where it is from."""

    shown: datetime | None = None
    """The date that readers see."""
    shown_evidence: str = ""
    available: datetime | None = None
    """When it became or becomes public, if that is another time."""
    expires: datetime | None = None
    unknown: tuple[str, ...] = ()
    """Names of fields that are no dates, and may keep the post from readers."""
    modified: datetime | None = None
    modified_evidence: str = ""


def read_times(fields: FrontMatter, losses: Losses, now: datetime, more: Mapping[str, Sequence[str]]) -> Times:
    """Return the times in the front matter; ``more`` has further names of fields by those of Hugo.

    What is no time is named.
    """
    unknown: list[str] = []
    named = set[str]()

    def moment(kind: str, names: Sequence[str]) -> tuple[datetime, str] | None:
        # ``published: true`` says nothing about a time.
        wanted = [name for name in (*more.get(kind, ()), *names) if name != "published" or fields.flag(name) is None]
        try:
            return fields.moment(*wanted)
        except ValueError as fault:
            name, value = fields.raw(*wanted) or (kind, "")
            if name not in named:
                losses.add(LossKind.DATE, f"The field {fault}.")
            named.add(name)
            may_come = any(int(year) >= now.year for year in _YEAR.findall(str(value)[:100]))
            if kind != "lastmod" and (may_come or name not in _PUBLISHED):
                unknown.append(name)
            return None

    shown = moment("date", _PUBLISHED)
    available = moment("publishdate", _AVAILABLE)
    expires = moment("expirydate", _EXPIRES)
    ends = fields.raw(*_EXPIRES)
    if expires and ends and isinstance(ends[1], int) and ends[1] < 100_000_000:
        # Hugo takes every number for seconds since 1970, and no day as 20240102.
        unknown.append(ends[0])
    modified = moment("lastmod", _MODIFIED)
    first = shown or available
    return Times(
        shown=first[0] if first else None,
        shown_evidence=first[1] if first else "",
        available=available[0] if available else None,
        expires=expires[0] if expires else None,
        unknown=tuple(dict.fromkeys(unknown)),
        modified=modified[0] if modified else None,
        modified_evidence=modified[1] if modified else "",
    )


def read_status(
    fields: FrontMatter,
    times: Times,
    path: PurePosixPath,
    now: datetime,
    losses: Losses,
    *,
    opens: datetime | None,
    doubts: Sequence[str],
) -> SourceStatus:
    """Return what becomes of a post that became or becomes public at ``opens``.

    What readers did not see, or saw in another way than posts, is named, and a draft; ``doubts`` are further reasons.
    """
    spelled = (fields.text("status") or "").lower()
    is_draft = any(fields.is_set(name) for name in _DRAFTS) or any(fields.flag(name) is False for name in _PUBLIC)
    if is_draft or "_drafts" in path.parts or spelled in {"draft", "drafts", "unpublished"}:
        return SourceStatus.DRAFT
    reasons = [*_reasons(fields, times, now), *doubts]
    for reason in reasons:
        losses.add(LossKind.WITHHELD, f"{reason}: now a draft.")
    if reasons:
        return SourceStatus.DRAFT
    if opens and opens > now:
        return SourceStatus.SCHEDULED
    if times.shown is None:
        losses.add(LossKind.DATE, "It has no date.")
    return SourceStatus.PUBLISHED


def _reasons(fields: FrontMatter, times: Times, now: datetime) -> Iterator[str]:
    """Yield why readers did not see a post that is no draft, or saw it only if they knew its URL."""
    spelled = (fields.text("status") or "").lower()
    if spelled in {"hidden", "skip", "private"}:
        yield f"Its status was {spelled}"
    visibility = (fields.text("visibility") or "public").lower()
    if visibility not in {"public", "published", "visible", "all"}:
        yield f"Its visibility was {visibility[:40]}"
    for name in _PRIVATE:
        if fields.is_set(name):
            yield f"Its field {name} kept it from readers"
    if fields.is_in_no_list("build"):
        yield "It was in no list (build.list)"
    if times.expires and times.expires <= now:
        yield "It has expired"
    for name in times.unknown:
        yield f"Its field {name} is no date, so that it is not known when readers see it"
