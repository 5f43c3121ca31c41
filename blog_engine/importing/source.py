"""The content of another blog, in one form for all systems."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol

from blog_engine.content.source_types import SOURCE_TYPES, source_type_of
from blog_engine.enums import SourceTypeFrom
from blog_engine.importing.heading_ids import FormerIds


class SourceStatus(StrEnum):
    """The status that an entry gets here."""

    PUBLISHED = "published"
    SCHEDULED = "scheduled"
    DRAFT = "draft"


class LossKind(StrEnum):
    """The kind of a loss or change; the summary of the report counts each kind."""

    WITHHELD = "withheld"
    """Not public there in the way that posts are public here (private, for members, …): now a draft."""
    NOT_IMPORTED = "not_imported"
    """A page, a custom post type, an item in the trash, …"""
    SKIPPED = "skipped"
    """A post that cannot be stored as it is, such as one with an over-long title."""
    KEPT = "kept"
    """A post that changed here since it was imported, and was left alone."""
    CATEGORY = "category"
    """A further category: now a tag."""
    AUTHOR = "author"
    """A further author."""
    SLUG = "slug"
    """A slug that is not possible here: the post has another one, and a redirect."""
    REDIRECT = "redirect"
    """A former URL that could not be made a redirect."""
    URL = "url"
    """A former URL that had to be guessed, or that the built site does not have."""
    DATE = "date"
    IMAGE = "image"
    """An image that was not found, could not be fetched, or is none."""
    GALLERY = "gallery"
    FILE = "file"
    """A link to, or player of, a file that stays at the old blog: audio, video, PDF."""
    EMBED = "embed"
    SHORTCODE = "shortcode"
    BLOCK = "block"
    """A block or card that is not known."""
    HTML = "html"
    """HTML that readers will not see."""
    LINK = "link"
    """A link to something of the old blog that was not imported, or to a place that is not there."""
    COMMENTS = "comments"
    FIELD = "field"
    """A value of the post that has no place here, such as a custom field."""
    DUPLICATE = "duplicate"
    """An entry that the source has several times with different contents."""
    CHARACTER = "character"
    """Characters that no text may contain."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that did not come along as it was, in words for the owner of the blog."""

    kind: LossKind
    message: str
    line: int | None = None
    """The line of the source's body, counted from 1; ``None`` if it is not about a place in the body."""


@dataclass(frozen=True, slots=True)
class SourceOrigin:
    """The origin of an image as the source has it; ``None`` where it says nothing."""

    credit: str | None = None
    source_type: str | None = None
    """A term of IPTC that can be sent; empty if a person took off what the file says."""

    def over(self, other: "SourceOrigin") -> "SourceOrigin":
        """Return what this one says, and where it says nothing, the other."""
        credit = other.credit if self.credit is None else self.credit
        return SourceOrigin(credit, other.source_type if self.source_type is None else self.source_type)


def source_origin(*, credit: str | None, source_type: str | None, said_by: str | None) -> SourceOrigin:
    """Return what the fields of an image say, as exports of this engine have them; another term says nothing."""
    term = source_type_of(source_type or "")
    if said_by == SourceTypeFrom.SENT and not source_type:
        return SourceOrigin(credit, "")
    return SourceOrigin(credit, term if term in SOURCE_TYPES else None)


@dataclass(frozen=True, slots=True)
class ImageUse:
    """An image that an entry uses outside its body: the ``source_id`` of a ``SourceImage``, or a URL."""

    url: str | None = None
    source_id: str | None = None
    alt: str = ""
    origin: SourceOrigin = SourceOrigin()


@dataclass(frozen=True, slots=True)
class SourcePost:
    """A post of the other blog. URLs are absolute if the URL of the blog is known, else paths that begin with ``/``."""

    source_id: str
    """Unique in the source; the same in each export of the same blog."""
    title: str
    body: str
    body_format: Literal["markdown", "html"]
    status: SourceStatus
    where: str
    """Where the owner finds it: the file and, if useful, the line."""
    slug: str | None = None
    """As it was there, decoded (not percent-encoded); the run makes it one that is possible here."""
    url: str | None = None
    """Its public URL there."""
    url_guess: str = ""
    """Why the URL may have been another one; empty if the source says what it was."""
    former_urls: tuple[str, ...] = ()
    """Every other URL that led to it, with a query if it has one."""
    link_names: tuple[str, ...] = ()
    """What else the bodies of other entries call it in links, such as the path of its file; no redirect is made."""
    published_at: datetime | None = None
    """When it was first published, or is going to be; aware."""
    modified_at: datetime | None = None
    published_evidence: str | None = None
    """Where the source says so, for instance ``WordPress export blog.xml: wp:post_date_gmt``."""
    modified_evidence: str | None = None
    author: str | None = None
    """The name that readers see."""
    coauthors: tuple[str, ...] = ()
    """The names of the further authors, in their order."""
    category: str | None = None
    tags: tuple[str, ...] = ()
    series: str | None = None
    series_position: int | None = None
    description: str | None = None
    """The excerpt, as plain text."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Those of ``METADATA_TEXTS`` that the source has, by their names."""
    language: str | None = None
    """The language tag of the content, if the source names one."""
    translation_key: str | None = None
    """What its versions in other languages share, within the source."""
    is_featured: bool = False
    is_unlisted: bool = False
    """Whether search engines are asked to leave it out."""
    expires_at: datetime | None = None
    """When it is to be withdrawn."""
    canonical_url: str | None = None
    cover: ImageUse | None = None
    social_image: ImageUse | None = None
    feed_id: str | None = None
    """Its id in the feeds there, if that is known: a URI, or the 24 hexadecimal digits of Ghost."""
    base: str = ""
    """What relative links and image paths of the body begin from: a URL, or the folder of the file in the source."""
    former_ids: FormerIds = field(default_factory=FormerIds)
    """The ids that the headings of a body in Markdown had; HTML has them itself."""
    losses: tuple[Loss, ...] = ()
    """What the source itself could not bring along; the run adds what the conversion of the body loses."""


def texts_of(**texts: str | None) -> dict[str, str]:
    """Return those texts that there are."""
    return {name: text for name, text in texts.items() if text}


@dataclass(frozen=True, slots=True)
class Omitted:
    """Something that is not imported at all: a page, a custom post type, an item in the trash."""

    source_id: str
    title: str
    what: str
    """In words, such as ``page`` or ``post in the trash``."""
    where: str
    url: str | None = None
    unreadable: str | None = None
    """Why it cannot be read, if it may be a post; ``None`` for everything else."""


@dataclass(frozen=True, slots=True)
class SourceImage:
    """An image of the other blog's library."""

    source_id: str
    urls: tuple[str, ...]
    """Each URL of it, the original first, then the sizes from the largest to the smallest."""
    alt: str = ""
    origin: SourceOrigin = SourceOrigin()
    sha256: str = ""
    """The digest of its bytes, if the source has it."""


@dataclass(frozen=True, slots=True)
class SourceTerm:
    """A category, a tag, a series or an author of the other blog."""

    kind: Literal["category", "tag", "series", "author"]
    name: str
    slug: str | None = None
    description: str = ""
    url: str | None = None
    """For an author: their own website. For the others: the URL of their list there."""


@dataclass(frozen=True, slots=True)
class SourceRedirect:
    """A former URL of the other blog that only led to another page of it; that of a post is in the post."""

    url: str
    target: str
    """What the bodies of entries call that page in links."""
    where: str
    """Where the owner finds it."""


Item = SourcePost | Omitted | SourceImage | SourceTerm | SourceRedirect


class SourceRefused(Exception):
    """The source cannot be read, is truncated or is hostile; the message names the file, and the line if known."""


class Source(Protocol):
    """A blog of another system. The run reads it once, from beginning to end, before anything is stored."""

    system: str
    """``wordpress``, ``ghost``, ``substack``, ``medium`` or ``markdown``."""
    blog: str
    """What tells this blog from others of the same system: its host, else the name of its file or folder."""
    url: str | None
    """The URL of the blog, without a slash at the end."""

    @property
    def sought(self) -> str:
        """Return where posts were looked for, and what to send if there is none, in sentences."""
        ...

    def items(self) -> Iterator[Item]:
        """Yield everything, in any order, without keeping it in memory.

        Raises ``SourceRefused``, perhaps after many items: then nothing of them is stored.
        """
        ...

    def image_file(self, url: str) -> Path | None:
        """Return the file with the bytes of an image, if the source or its folder of images has it."""
        ...


@dataclass(slots=True)
class Losses:
    """Collects losses while a body is converted."""

    found: list[Loss] = field(default_factory=list)

    def add(self, kind: LossKind, message: str, line: int | None = None) -> None:
        """Note a loss."""
        self.found.append(Loss(kind, message, line))
