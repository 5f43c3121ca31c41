"""Publication time and status of a Markdown file."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final

from blog_engine.importing.markdown.fields import FrontMatter
from blog_engine.importing.source import Losses, LossKind, SourceStatus

_PUBLISHED: Final = ("date", "pubdate", "pubdatetime", "published_at", "published_date", "datepublished", "created_at")
_MODIFIED: Final = (
    *("lastmod", "updated", "updateddate", "modified", "last_modified_at", "modified_at", "moddatetime", "updated_at"),
    *("last_modified", "datemodified"),
)
_PRIVATE: Final = ("private", "password", "protected", "unlisted", "hidden")


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a post, aware, each with words on where it is from."""

    shown: datetime | None = None
    """The date that readers see."""
    shown_evidence: str = ""
    available: datetime | None = None
    """When it became or becomes public, if that is another time."""
    expires: datetime | None = None
    modified: datetime | None = None
    modified_evidence: str = ""


def read_times(fields: FrontMatter, losses: Losses) -> Times:
    """Return the times in the front matter; what is no time is named."""
    shown = _moment(fields, _PUBLISHED, losses)
    available = _moment(fields, ("publishdate",), losses)
    expires = _moment(fields, ("expirydate", "expires", "unpublishdate"), losses)
    modified = _moment(fields, _MODIFIED, losses)
    first = shown or available
    return Times(
        shown=first[0] if first else None,
        shown_evidence=first[1] if first else "",
        available=available[0] if available else None,
        expires=expires[0] if expires else None,
        modified=modified[0] if modified else None,
        modified_evidence=modified[1] if modified else "",
    )


def _moment(fields: FrontMatter, names: tuple[str, ...], losses: Losses) -> tuple[datetime, str] | None:
    try:
        return fields.moment(*names)
    except ValueError as fault:
        losses.add(LossKind.DATE, f"The field {fault}.")
        return None


def read_status(fields: FrontMatter, times: Times, path: PurePosixPath, now: datetime, losses: Losses) -> SourceStatus:
    """Return what becomes of the post; what was public in another way than posts are is named, and a draft."""
    spelled = (fields.text("status") or "").lower()
    is_draft = fields.flag("draft") is True or fields.flag("published") is False or "_drafts" in path.parts
    if is_draft or spelled in {"draft", "drafts", "unpublished"}:
        return SourceStatus.DRAFT
    if spelled in {"hidden", "skip", "private"}:
        losses.add(LossKind.WITHHELD, f"Its status was {spelled}: now a draft.")
        return SourceStatus.DRAFT
    for name in _PRIVATE:
        value = fields.text(name)
        if value and value.lower() not in {"false", "no", "0"}:
            losses.add(LossKind.WITHHELD, f"Its field {name} kept it from readers: now a draft.")
            return SourceStatus.DRAFT
    if times.expires and times.expires <= now:
        losses.add(LossKind.WITHHELD, "It has expired: now a draft.")
        return SourceStatus.DRAFT
    first = times.available or times.shown
    if first and first > now:
        return SourceStatus.SCHEDULED
    if times.shown is None:
        losses.add(LossKind.DATE, "It has no date.")
    return SourceStatus.PUBLISHED
