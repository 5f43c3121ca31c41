"""Values, times and status of front matter, in the many forms that people and programs write them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from email.utils import parsedate_to_datetime
from pathlib import PurePosixPath
from typing import Any, Final
from zoneinfo import ZoneInfo

from blog_engine.content.languages import normalized_language
from blog_engine.importing.markdown.front_matter import Metadata, lower_names
from blog_engine.importing.markdown.ruby_times import ruby_day, ruby_time
from blog_engine.importing.source import ImageUse, Losses, LossKind, SourceOrigin, SourceStatus, source_origin

_FORMATS: Final = (
    *("%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %H:%M %z", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d"),
    *("%B %d, %Y", "%b %d, %Y", "%B %d %Y", "%b %d %Y", "%d %B %Y", "%d %b %Y", "%d.%m.%Y"),
)
_NAMED_ZONE: Final = re.compile(r"([0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[ T][0-9:.]{3,20}) *(?:UTC|GMT)([+-][0-9:]{4,5})?")
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})(?![0-9])")
_MONTH_FIRST: Final = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})(?![0-9])")
_FIRST_SECOND: Final = 100_000_000
"""From here on, a number is seconds since 1970 and no day written as 20240102."""
_DIGITS_OF_DAY: Final = 8
_LONGEST: Final = 100
"""Characters of a date."""
_IN_NAME: Final = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[-_]|$)")
_ON: Final = frozenset({"true", "t", "yes", "y", "on", "1"})
_OFF: Final = frozenset({"false", "f", "no", "n", "off", "0"})
_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
_MOST: Final = 1_000
"""Values of a list that are read."""
_PUBLISHED: Final = (
    *("date", "pubdate", "pubdatetime", "published_at", "published_date", "datepublished", "created_at", "pub_date"),
    *("publishedat", "publisheddate", "publishedon", "published_on", "date_published", "publicationdate", "postdate"),
    *("post_date", "posted", "createdat", "created", "datecreated", "createddate", "datetime", "added"),
)
_AVAILABLE: Final = ("publishdate", "pubdate", "published", "publish_date")
DATES: Final = (*_PUBLISHED, *_AVAILABLE)
"""Names of the time of publication in programs and themes."""
_EXPIRES: Final = ("expirydate", "expires", "unpublishdate", "expires_at")
_MODIFIED: Final = (
    *("lastmod", "updated", "updateddate", "modified", "last_modified_at", "modified_at", "moddatetime", "updated_at"),
    *("last_modified", "datemodified"),
)
_IMAGE_FILE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg)$", re.IGNORECASE)
_YEAR: Final = re.compile("(?<![0-9])[0-9]{4}(?![0-9])")
_DRAFTS: Final = ("draft", "drafts", "isdraft", "is_draft", "unpublished")
_PUBLIC: Final = ("published", "publish", "ispublished", "is_published")
_PRIVATE: Final = ("private", "password", "protected", "unlisted", "hidden", "eleventyexcludefromcollections")


class FrontMatter:
    """The front matter of one file; it notes which names were asked for."""

    def __init__(
        self, metadata: Metadata, *, zone: ZoneInfo, has_ruby_times: bool = False, has_month_first: bool = False
    ) -> None:
        """Take the front matter, and the time zone of times without offset.

        ``has_ruby_times`` reads times as Jekyll does: a time that is one for YAML is in UTC, and texts as Ruby reads
        them. With ``has_month_first``, 1/2/2024 is the second of January.
        """
        self._metadata = metadata
        self._zone = zone
        self._has_ruby_times = has_ruby_times
        self._has_month_first = has_month_first
        self._asked: set[str] = set()

    def raw(self, *names: str) -> tuple[str, Any] | None:
        """Return the first of the names that has a value, with the value; others that have one stay."""
        for name in names:
            value = self._metadata.get(name)
            if value not in _EMPTY:
                self._asked.add(name)
                return name, value
        return None

    def text(self, *names: str) -> str | None:
        """Return the first value as text; a list or a map is none."""
        found = self.raw(*names)
        return _text(found[1]) if found else None

    def texts(self, *names: str, separators: str = ",") -> tuple[str, ...]:
        """Return the values of all names as texts, each once; a text is split at any of the separators."""
        values = [found[1] for name in names if (found := self.raw(name))]
        return tuple(dict.fromkeys(text for value in values for text in _texts(value, separators)))

    def flag(self, *names: str) -> bool | None:
        """Return the first value as yes or no; ``None`` if it is neither."""
        found = self.raw(*names)
        spelled = str(found[1]).strip().lower() if found else ""
        return True if spelled in _ON else False if spelled in _OFF else None

    def is_empty(self, name: str) -> bool:
        """Return whether a name is written without a value."""
        return name in self._metadata and self._metadata[name] is None

    def is_set(self, name: str) -> bool:
        """Return whether a value is given that does not mean no."""
        return self.raw(name) is not None and self.flag(name) is not False

    def url(self, *names: str) -> str | None:
        """Return the first value as a URL or the pattern of one; yes and no are none, and of a map it is ``build``."""
        for _, value in filter(None, map(self.raw, names)):
            chosen = value.get("build") if isinstance(value, dict) else value
            if isinstance(chosen, str) and chosen.strip():
                return chosen.strip()
        return None

    def has_no_page(self, name: str) -> bool:
        """Return whether a permalink says that no page is made, as for Eleventy."""
        value = self._metadata.get(name)
        return (value.get("build", False) if isinstance(value, dict) else value) is False

    def is_in_no_list(self, name: str) -> bool:
        """Return whether Hugo's options of a page keep it out of all lists."""
        value = self._metadata.get(name)
        return isinstance(value, dict) and lower_names(value).get("list") in {"never", False}

    def number(self, *names: str) -> int | None:
        """Return the first value as a whole number that is not negative."""
        spelled = self.text(*names)
        return int(spelled) if spelled and re.fullmatch("[0-9]{1,9}", spelled) else None

    def moment(self, *names: str) -> tuple[datetime, str] | None:
        """Return the first value as an aware time, with words on where it is from.

        Raises ``ValueError`` with the name and the value if it is no time.
        """
        found = self.raw(*names)
        if not found:
            return None
        name, value = found
        if self._has_month_first and isinstance(value, str):
            value = _MONTH_FIRST.sub(r"\3-\1-\2", value, count=1)
        read = _moment(value)
        if read is None and self._has_ruby_times and isinstance(value, str) and len(value) <= _LONGEST:
            read = ruby_time(value, self._zone, now=datetime.now(UTC))
        if read is None:
            raise ValueError(f"{name} is no date: {str(value)[:40]!r}")
        if read.tzinfo is None and self._has_ruby_times and isinstance(value, datetime):
            return read.replace(tzinfo=UTC), f"{name}, without offset, in UTC"
        if read.tzinfo is None:
            return read.replace(tzinfo=self._zone), f"{name}, without offset, in {self._zone.key}"
        return read, name

    def image(self, *names: str, losses: Losses) -> ImageUse | None:
        """Return the first value as an image: its URL, or a map or list that has one; an unknown type is a loss."""
        for name in names:
            found = self._metadata.get(name)
            if found in _EMPTY or (isinstance(found, str) and _is_prose(found)):
                continue
            self._asked.add(name)
            if image := _image(found, losses):
                return image
        return None

    def prose(self, name: str) -> str | None:
        """Return a value as text if it is no URL or path of an image."""
        value = self._metadata.get(name)
        return self.text(name) if isinstance(value, str) and _is_prose(value) else None

    def language(self, *names: str, losses: Losses) -> str | None:
        """Return the first value that is a language tag, in its usual case; each that is none is a loss."""
        tags = list[str]()
        for name, value in filter(None, map(self.raw, names)):
            # YAML takes an unquoted ``no``, the tag of Norwegian, for a boolean.
            tag = normalized_language(value.strip()) if isinstance(value, str) else None
            if tag:
                tags.append(tag)
            else:
                losses.add(LossKind.FIELD, f"{name} is no language tag: {str(value)[:40]!r}")
        return next(iter(tags), None)

    def leave(self, names: Iterable[str]) -> None:
        """Note names whose values have no meaning here."""
        self._asked.update(names)

    def others(self) -> list[str]:
        """Return the names with values that were not asked for."""
        return sorted(
            name
            for name, value in self._metadata.items()
            if name not in self._asked and value not in (None, "", [], {})
        )


def name_of(value: Any) -> str | None:
    """Return a text, or the name in a map such as that of an author."""
    if isinstance(value, dict):
        lower = {str(key).lower(): inner for key, inner in value.items()}
        return next((text for key in ("name", "title", "display_name") if (text := _text(lower.get(key)))), None)
    return _text(value)


def moment_in_name(name: str, zone: ZoneInfo) -> datetime | None:
    """Return the day with which the name of a file begins; a day past the end of its month is one of the next."""
    found = _IN_NAME.match(name)
    return ruby_day(int(found[1]), int(found[2]), int(found[3]), zone) if found else None


def in_zone(moment: datetime, zone: tzinfo) -> datetime | None:
    """Return the time in a time zone, ``None`` if it is outside of the years 1 to 9999 there."""
    try:
        return moment.astimezone(zone)
    except (OverflowError, ValueError):
        return None


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float | date):
        return str(value).strip() or None
    return None


def _texts(value: Any, separators: str) -> Iterator[str]:
    if isinstance(value, str):
        # As Pelican and Jekyll write them, also in brackets.
        inner = value.strip().removeprefix("[").removesuffix("]")
        yield from (part for one in re.split(f"[{re.escape(separators)}\n]", inner) if (part := one.strip(" \t\"'")))
    elif isinstance(value, Sequence):
        yield from (text for one in value[:_MOST] if (text := name_of(one)))
    elif text := name_of(value):
        yield text


def _moment(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    if isinstance(value, int) and _FIRST_SECOND <= value < 100 * _FIRST_SECOND:
        return datetime.fromtimestamp(value, UTC)
    if isinstance(value, int) and len(str(value)) == _DIGITS_OF_DAY:
        value = f"{str(value)[:4]}-{str(value)[4:6]}-{str(value)[6:]}"
    if not isinstance(value, str):
        return None
    spelled = value.strip()
    if len(spelled) > _LONGEST:
        return None
    spelled = _YEAR_FIRST.sub(r"\1-\2-\3", spelled, count=1)
    if named := _NAMED_ZONE.fullmatch(spelled):
        spelled = f"{named[1]} {named[2] or '+0000'}"
    with suppress(ValueError):
        return datetime.fromisoformat(spelled)
    for form in _FORMATS:
        with suppress(ValueError):
            return datetime.strptime(spelled, form)  # noqa: DTZ007  the caller adds the time zone if it has none
    try:
        return parsedate_to_datetime(spelled)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _image(value: Any, losses: Losses) -> ImageUse | None:
    if isinstance(value, list):
        return next((image for one in value[:_MOST] if (image := _image(one, losses))), None)
    if isinstance(value, dict):
        lower = {str(key).lower(): inner for key, inner in value.items()}
        keys = ("image", "src", "url", "path", "relative", "teaser", "overlay_image", "feature", "filename")
        url = next((text for key in keys if isinstance(lower.get(key), str) and (text := lower[key].strip())), None)
        alt = next((text for key in ("alt", "image_alt", "alttext") if (text := _text(lower.get(key)))), "")
        caption = _text(lower.get("caption"))
        if url and caption:
            losses.add(LossKind.FIELD, f"The caption of the cover has no place here: {caption}")
        return ImageUse(url=url, alt=alt, origin=_origin(lower, losses)) if url else None
    return ImageUse(url=value.strip()) if isinstance(value, str) and value.strip() else None


def _is_prose(text: str) -> bool:
    """Return whether a text is no URL or path of an image: it has several words, and no ending of an image."""
    return len(text.split()) > 1 and not _IMAGE_FILE.search(text.strip())


def _origin(values: Mapping[str, Any], losses: Losses) -> SourceOrigin:
    """Return what the map of an image says of where it comes from."""
    credit, term, said_by = (_text(values.get(key)) for key in ("credit", "digital_source_type", "source_type_from"))
    origin = source_origin(credit=credit, source_type=term, said_by=said_by)
    if term and origin.source_type is None:
        losses.add(LossKind.FIELD, f"digital_source_type is no term of IPTC that an image can have: {term[:40]!r}")
    return origin


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
