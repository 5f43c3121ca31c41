"""The table of content fields: where each field of a post is stored, and where it does not occur.

The form of the desk, comparisons, proposals, revisions, imports and exports are made from it.
``tests/contract/test_content_fields.py`` changes each field and names the places where the change is missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from blog_engine.models import Post


class FieldKind(Enum):
    """The way in which a post stores a field."""

    TEXT = "text"
    """A column with a text for readers, stored as sent."""
    VALUE = "value"
    """Another column that is stored as sent."""
    DECIDED = "decided"
    """A column whose value the services decide by what is sent."""
    ROWS = "rows"
    """Other rows, which the post names or which belong to it."""


class FieldPlace(Enum):
    """A place in which a field occurs, unless the table says why it does not."""

    ANSWERS = "the answers about a post"
    FORM = "the form of the desk"
    AUTOSAVE = "the drafts that save themselves"
    PROPOSALS = "the proposals"
    DRY_RUNS = "the difference of a dry run"
    PAGE = "the article page"
    EXPORT = "the exported Markdown"
    IMPORT = "the imports"


class InRevision(Enum):
    """The part of a field in the content of a revision, which reviewers approve and histories compare."""

    NO = "no"
    ALWAYS = "always"
    UNLESS_EMPTY = "unless empty"
    """So that posts without it keep their identifiers, which are older than the field."""


@dataclass(frozen=True, slots=True)
class ContentField:
    """A field of a post."""

    name: str
    """As inputs, proposals, the form and answers call it."""
    kind: FieldKind = FieldKind.TEXT
    revision: InRevision = InRevision.NO
    is_searched: bool = False
    absent: Mapping[FieldPlace, str] = field(default_factory=dict)
    """Why it does not occur in a place."""
    column: str = ""
    """Of the post, if it has another name than the field."""
    controls: tuple[str, ...] = ()
    """Its fields in the form of the desk, if these are several."""
    payload_key: str = ""
    """Its key in the payload of a revision, if that is not its name."""
    markup: str = "text of the content"
    """Where the surface report looks for it on a page; empty where it is not compared."""

    @property
    def stored_in(self) -> str:
        """The column of the post that has its value."""
        return self.column or self.name

    @property
    def recorded_as(self) -> str:
        """The key of the payload of a revision that has its value."""
        return self.payload_key or self.name

    @property
    def in_form(self) -> tuple[str, ...]:
        """The names of its fields in the form of the desk."""
        return () if FieldPlace.FORM in self.absent else self.controls or (self.name,)

    @property
    def is_stored_as_sent(self) -> bool:
        return self.kind in (FieldKind.TEXT, FieldKind.VALUE)

    @property
    def is_revised(self) -> bool:
        """Whether it is part of the content of a revision."""
        return self.revision is not InRevision.NO

    @property
    def empty(self) -> Any:
        """The value of a post that was sent without it: the default of the column, or null."""
        column: Any = Post._meta.get_field(self.stored_in)
        return column.get_default() if column.has_default() else None


_TAKES_RECORDS: Final = {FieldPlace.AUTOSAVE: "It makes records, which wait until the writer saves."}
_IS_UNIQUE: Final = {FieldPlace.AUTOSAVE: "Only one post can have the value, which waits until the writer saves."}
_BY_SYSTEM: Final = "The other system does not have it, or has it in the body."
_IMAGES: Final = "cover and images of the body in the content; og:image for the social image"

CONTENT_FIELDS: Final = (
    ContentField("title", revision=InRevision.ALWAYS, is_searched=True, markup="h1 in the content"),
    ContentField("description", revision=InRevision.ALWAYS, is_searched=True, markup="lede of the content"),
    ContentField(
        "search_title",
        revision=InRevision.ALWAYS,
        markup="title in the head, without the site's suffix; the title where it is blank",
    ),
    ContentField(
        "search_description",
        revision=InRevision.ALWAYS,
        markup="meta description; the description where it is blank, then the first 60 words",
    ),
    ContentField("body", revision=InRevision.ALWAYS, is_searched=True, markup="[data-blog-body]"),
    ContentField(
        "body_format",
        FieldKind.DECIDED,
        absent={
            FieldPlace.FORM: "The desk keeps the format of a post.",
            FieldPlace.PROPOSALS: "A proposal is for the body as it is written now.",
        },
    ),
    ContentField(
        "author",
        FieldKind.ROWS,
        revision=InRevision.ALWAYS,
        column="author_name",
        absent={FieldPlace.PROPOSALS: "Another byline is an edit of its own."} | _TAKES_RECORDS,
        markup="[data-blog-author], and author of the structured data",
    ),
    ContentField(
        "coauthors",
        FieldKind.ROWS,
        revision=InRevision.UNLESS_EMPTY,
        column="coauthor_names",
        absent=_TAKES_RECORDS,
        markup="",
    ),
    ContentField("cover_image", FieldKind.ROWS, revision=InRevision.ALWAYS, payload_key="images", markup=_IMAGES),
    ContentField("cover_alt", revision=InRevision.ALWAYS, payload_key="images", markup=_IMAGES),
    ContentField("social_image", FieldKind.ROWS, revision=InRevision.ALWAYS, payload_key="images", markup=_IMAGES),
    ContentField(
        "faq",
        FieldKind.ROWS,
        revision=InRevision.ALWAYS,
        is_searched=True,
        absent={FieldPlace.IMPORT: _BY_SYSTEM},
        markup="[data-blog-faq-entry]",
    ),
    ContentField("category", FieldKind.ROWS, absent=_TAKES_RECORDS),
    ContentField("series", FieldKind.ROWS, absent=_TAKES_RECORDS),
    ContentField("tags", FieldKind.ROWS, absent=_TAKES_RECORDS),
    ContentField("series_position", FieldKind.VALUE, absent=_IS_UNIQUE),
    ContentField("featured", FieldKind.VALUE, absent={FieldPlace.PAGE: "Only the index shows it."}),
    ContentField("canonical_url", FieldKind.VALUE),
    ContentField(
        "noindex", FieldKind.VALUE, absent={FieldPlace.PAGE: "A preview is hidden from search engines anyway."}
    ),
    ContentField(
        "expires_at",
        FieldKind.DECIDED,
        absent={
            FieldPlace.AUTOSAVE: "A time that is half written could end the post.",
            FieldPlace.PROPOSALS: "It ends the publication, as a withdrawal does.",
            FieldPlace.PAGE: "Readers see no end.",
        },
    ),
    ContentField("language", FieldKind.VALUE, revision=InRevision.UNLESS_EMPTY, absent=_IS_UNIQUE, markup=""),
    ContentField(
        "translation_of",
        FieldKind.ROWS,
        column="translation_group",
        absent={
            FieldPlace.PROPOSALS: "It changes other posts as well.",
            FieldPlace.PAGE: "A page lists versions that are public.",
        }
        | _IS_UNIQUE,
    ),
    ContentField("slug", FieldKind.DECIDED, absent=_IS_UNIQUE),
    ContentField(
        "external_id",
        FieldKind.DECIDED,
        absent={
            FieldPlace.FORM: "It belongs to the client that writes the post.",
            FieldPlace.PROPOSALS: "It belongs to the client that writes the post.",
            FieldPlace.PAGE: "It belongs to the client that writes the post.",
            FieldPlace.IMPORT: "An import finds its posts by it.",
        },
    ),
    ContentField("provenance", FieldKind.DECIDED, absent={FieldPlace.IMPORT: _BY_SYSTEM}),
    ContentField(
        "provenance_evidence",
        FieldKind.DECIDED,
        absent={
            FieldPlace.PAGE: "Readers see what follows from the provenance.",
            FieldPlace.EXPORT: "The table data/post.jsonl of the export has it.",
            FieldPlace.IMPORT: _BY_SYSTEM,
        },
    ),
    ContentField(
        "made_by_ai",
        FieldKind.DECIDED,
        column="unrecorded_made_by_ai",
        absent={
            FieldPlace.ANSWERS: "The revision that records it has it.",
            FieldPlace.FORM: "The answer to how it was written says it.",
            FieldPlace.AUTOSAVE: "It has no control of its own.",
            FieldPlace.DRY_RUNS: "It is no part of the post.",
            FieldPlace.PAGE: "Readers see what follows from the provenance.",
            FieldPlace.EXPORT: "The revision that records it has it.",
            FieldPlace.IMPORT: _BY_SYSTEM,
        },
    ),
    ContentField(
        "connections",
        FieldKind.ROWS,
        absent={
            FieldPlace.ANSWERS: "The records of a post have its declarations.",
            FieldPlace.PROPOSALS: "A declaration is a statement about the post as it is.",
            FieldPlace.DRY_RUNS: "It is no part of the post.",
            FieldPlace.IMPORT: _BY_SYSTEM,
        }
        | _TAKES_RECORDS,
        controls=("connections", "third_party_paid", "declared_by"),
    ),
)
"""Every field of a post write that is content, in the order in which proposals and revisions list them."""

BY_CONTROL: Final[Mapping[str, ContentField]] = {name: one for one in CONTENT_FIELDS for name in one.in_form}
"""The fields by their names in the form of the desk."""

REVISION_COLUMNS: Final = (
    *(one.stored_in for one in CONTENT_FIELDS if one.is_revised and one.name != "faq"),
    "body_image_manifest",
)
"""The columns of a post that its revision identifier depends on; the FAQ has rows of its own."""
REVISION_TEXTS: Final = tuple(
    one.name for one in CONTENT_FIELDS if one.is_revised and one.recorded_as not in {"body", "faq", "images"}
)
"""The texts of a revision beside the body, in the order in which they are listed."""
OPTIONAL_TEXTS: Final = tuple(one.name for one in CONTENT_FIELDS if one.revision is InRevision.UNLESS_EMPTY)
"""Those that a payload leaves out while they are empty."""
METADATA_TEXTS: Final = tuple(
    one.name
    for one in CONTENT_FIELDS
    if one.kind is FieldKind.TEXT and one.name not in {"title", "description", "body", "cover_alt"}
)
"""The texts for readers that formats of other systems have among the metadata of a post, under various names."""
