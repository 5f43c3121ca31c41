"""Inputs of posts: fields, parts, reviews and history."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    TypeAdapter,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError, core_schema

from blog_engine.enums import (
    LISTED_STATES,
    AnswerExtent,
    AuthorType,
    Change,
    NamedVersion,
    PostStatus,
    ProposalState,
    Provenance,
    ReviewState,
)
from blog_engine.errors import ApprovalIncomplete, ImageNotPermitted
from blog_engine.inputs.base import Input, RefusedAs
from blog_engine.inputs.edits import BodyEdits, ExpectedState, WithDryRun
from blog_engine.inputs.formats import (
    Day,
    HttpUrl,
    HttpUrlOrNull,
    LanguageTag,
    LanguageTagOrEmpty,
    PublishAt,
    RedirectTarget,
)
from blog_engine.inputs.reports import Paged
from blog_engine.inputs.types import (
    BodyFormatName,
    BodyTextOrEmpty,
    Clearable,
    EnumValue,
    Flag,
    LinkText,
    Name,
    NonBlankText,
    Obvious,
    Omittable,
    OtherPost,
    PageNumber,
    PositiveInteger,
    PostKey,
    PostSlug,
    ProposalId,
    SequenceNumber,
    Several,
    ShortText,
    ShortTextOrEmpty,
    ShortTextOrNull,
    StrippedName,
    StrippedNameOrNull,
    Text,
    TextOrEmpty,
    TextOrNull,
)


@dataclass(frozen=True, slots=True)
class AuthorKey:
    """An author sent as text: an id, a slug or a name, which can be that of a new person."""

    text: str


class AuthorFields(Input):
    """An author sent as an object: the stored author of that name, or a new one."""

    name: StrippedName = Field(description="Name of the author.")
    type: Annotated[AuthorType, EnumValue()] = Field(AuthorType.PERSON, description="person or organization.")
    url: HttpUrl = Field(None, description="URL of the author.")


_NAME = TypeAdapter(StrippedName, config={"strict": True, "hide_input_in_errors": True})


class _AuthorForms:
    """Accepts both forms without a union, whose branch names would appear in the paths of faults."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        fields = handler(AuthorFields)
        return core_schema.no_info_wrap_validator_function(
            _read_author,
            fields,
            json_schema_input_schema=core_schema.union_schema([handler(Name), fields]),
            serialization=core_schema.plain_serializer_function_ser_schema(_as_sent),
        )


_AUTHOR_FORM: Final = "the id, slug or name of one author as text, or an object with a name; others are coauthors"


def _read_author(value: object, read_fields: ValidatorFunctionWrapHandler) -> AuthorKey | AuthorFields:
    if isinstance(value, AuthorKey):
        value = value.text
    if isinstance(value, str):
        return AuthorKey(_NAME.validate_python(value))
    if not isinstance(value, dict | AuthorFields):
        raise PydanticCustomError("expected", _AUTHOR_FORM)
    fields: AuthorFields = read_fields(value)
    return fields


def _as_sent(author: AuthorKey | AuthorFields | None) -> object:
    if isinstance(author, AuthorFields):
        return author.model_dump(mode="json", exclude_unset=True)
    return author.text if author else None


Author = Annotated[AuthorKey | AuthorFields, _AuthorForms()]


MOST_COAUTHORS: Final = 20


def _refuse_many(authors: tuple[AuthorKey | AuthorFields, ...]) -> tuple[AuthorKey | AuthorFields, ...]:
    if len(authors) > MOST_COAUTHORS:
        raise PydanticCustomError("expected", "a list of at most {most} authors", {"most": MOST_COAUTHORS})
    return authors


_NAMES_OF_AUTHORS: Final = {"type": "array", "items": {"type": "string"}, "maxItems": MOST_COAUTHORS}

Coauthors = Annotated[Several[Author], AfterValidator(_refuse_many), WithJsonSchema(_NAMES_OF_AUTHORS)]
"""The authors of a post after the first; schemas have the short form alone, since ``tools/list`` has a budget."""


class ImageReference(Input):
    """An image of the blog (``image_id``), of the host (``signed_id``), or to be fetched (``url``)."""

    image_id: Omittable[PositiveInteger] = Field(None, description="Id of an uploaded image.")
    signed_id: Omittable[NonBlankText] = Field(None, description="Signed reference to a file of the host.")
    url: Omittable[LinkText] = Field(None, description="URL to fetch the image from, or of a stored image.")

    @model_validator(mode="before")
    @classmethod
    def _an_object(cls, sent: object) -> object:
        if not isinstance(sent, Mapping | cls):
            raise PydanticCustomError("expected", _IMAGE_FORM)
        return sent

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise PydanticCustomError("expected", _IMAGE_FORM)
        return self


_IMAGE_FORM: Final = (
    "an object with exactly one of image_id, signed_id and url, where image_id is that of an uploaded file and url a "
    "public URL"
)


SentImage = Annotated[ImageReference | None, Field(json_schema_extra={"minProperties": 1, "maxProperties": 1})]
"""One image, or null for none."""


class FaqItem(Input):
    """A question and its answer, stored as sent."""

    question: NonBlankText = Field(description="The question.")
    answer: NonBlankText = Field(description="The answer, as plain text.")


LONGEST_FAQ = 262_144
"""Characters of all questions and answers together: findings parse each as Markdown."""


def _refuse_long_faq(faq: tuple[FaqItem, ...]) -> tuple[FaqItem, ...]:
    if sum(len(item.question) + len(item.answer) for item in faq) > LONGEST_FAQ:
        raise PydanticCustomError("expected", "a list of at most {most} characters in all", {"most": LONGEST_FAQ})
    return faq


FaqItems = Annotated[Several[FaqItem], AfterValidator(_refuse_long_faq)]
"""The FAQ of a post."""


REVIEWER: Final = "Name of the reviewer. Needed, except from a person where only people approve."


class InlineApproval(Input):
    """A named person's review of exactly the content of this write."""

    name: Omittable[Name] = Field(None, description=REVIEWER)
    facts_checked: bool = Field(description="Whether the reviewer checked the facts.")
    revision_identifier: Clearable[ShortText] = Field(
        None, description="Identifier of the reviewed revision, if known."
    )


_PAID: Final = "Whether a third party paid for the content; name it in connections: a single one is shown as payer."


class Connection(Input):
    """A connection of the publisher to a party."""

    party: Name = Field(description="Who.")
    relation: NonBlankText = Field(description="How the publisher is connected to the party.")


class ConnectionsInput(Input):
    """A complete declaration of connections; an empty list declares that there are none."""

    connections: Several[Connection] = Field(description="All connections; empty declares none.")
    third_party_paid: bool = Field(description=_PAID)
    declared_by: Name = Field(description="Who declares it.")
    declared_on: Omittable[Day] = Field(None, description="Date of the declaration; today when left out.")


_Image = Annotated[SentImage, RefusedAs(ImageNotPermitted)]
_Approval = Annotated[Omittable[InlineApproval], RefusedAs(ApprovalIncomplete)]


class ContentFields(Input):
    """The content of an article. ``None`` also stands for a field that was not sent: see ``model_fields_set``."""

    title: Omittable[Name] = Field(None, description=Obvious("Headline."))
    description: Omittable[TextOrEmpty] = Field(None, description=Obvious("Summary for lists and feeds."))
    search_title: Omittable[ShortTextOrEmpty] = Field(
        None, description=Obvious("Title for search engines, if different.")
    )
    search_description: Omittable[TextOrEmpty] = Field(None, description=Obvious("Description for search engines."))
    body: Omittable[BodyTextOrEmpty] = Field(None, description=Obvious("The text, in the body format."))
    body_format: Omittable[BodyFormatName] = Field(None, description=Obvious("Format of the body; default: markdown."))
    author: Omittable[Author] = Field(None, description="Id, slug or name.")
    coauthors: Omittable[Coauthors] = Field(None, description=Obvious("Further authors, by id, slug or name."))
    cover_image: _Image = Field(None, description="image_id or url; null clears.")
    cover_alt: Omittable[ShortTextOrEmpty] = Field(
        None, description=Obvious("What the cover shows, for readers without it.")
    )
    social_image: _Image = Field(None, description="As cover_image, or null.")
    faq: Omittable[FaqItems] = Field(None, description=Obvious("Replaces the stored list."))
    category: StrippedNameOrNull = Field(None, description="Slug or name; created when new; empty clears.")
    tags: Omittable[Several[StrippedName]] = Field(None, description=Obvious("Replaces the stored list."))
    series: StrippedNameOrNull = Field(None, description="As category.")
    series_position: SequenceNumber | None = Field(None, description="null: none.")
    featured: Omittable[bool] = Field(None, description=Obvious("Whether the index shows it first."))
    canonical_url: HttpUrlOrNull = Field(None, description=Obvious("Original URL, if published elsewhere first."))
    noindex: Omittable[bool] = Field(None, description=Obvious("Whether search engines leave it out."))
    expires_at: PublishAt = Field(None, description="null: never.")
    language: Omittable[LanguageTagOrEmpty] = Field(None, description="BCP 47 tag; empty: the blog's.")
    translation_of: OtherPost = Field(None, description="Id of the original; null: none.")
    slug: PostSlug = Field(None, description=Obvious("Made from the title when blank."))
    external_id: ShortTextOrNull = Field(None, description=Obvious("Your own id of the post."))


class PostFields(ContentFields, ExpectedState, WithDryRun):
    """The fields of a post write: the content, and what the history records of it."""

    edits: Omittable[BodyEdits] = Field(
        None,
        description="Instead of body, in order: {old, new} (old is there once, or occurrence), {append}, "
        "{after_heading, new}.",
    )

    provenance: Omittable[Annotated[Provenance, EnumValue()]] = Field(
        None, description=Obvious("Who wrote the content.")
    )
    provenance_evidence: TextOrNull = Field(None, description=Obvious("How the provenance is known."))
    made_by_ai: Clearable[bool] = Field(
        None, description=Obvious("Whether AI made this content; kept until a revision records it.")
    )
    approval: _Approval = Field(None, description="A person's real review of exactly this content.")
    change: Omittable[Annotated[Change, EnumValue()]] = Field(None, description="Kind of change to a public post.")
    change_description: TextOrNull = Field(None, description=Obvious("What changed, for the history."))
    note: TextOrNull = Field(None, description="What was wrong; readers see it.")
    connections: Omittable[ConnectionsInput] = Field(None, description=Obvious("Declaration of business connections."))
    publish_at: PublishAt = Field(None, description="ISO 8601, in the future; null cancels.")


class SavePost(PostFields):
    """Create a post, or write to the one that ``external_id`` or ``slug`` names."""

    publish: bool = Field(False, description="Whether to publish it as well.")


_IDENTIFIER: Final = "[0-9a-f]{8,64}"


def _identifier(text: str) -> str:
    if not re.fullmatch(_IDENTIFIER, text):
        raise PydanticCustomError("expected", "the identifier of a revision or version, or its first 8 or more digits")
    return text


StoredVersion = Annotated[
    str, AfterValidator(_identifier), WithJsonSchema({"type": "string", "pattern": f"^{_IDENTIFIER}$"})
]
"""An identifier of a revision or of a version of a draft, or its first digits."""


class UpdatePost(PostFields):
    """Edit a post and keep its state."""

    id: PostKey = Field(description=Obvious("Id or slug."))
    restore: Omittable[StoredVersion] = Field(
        None, description="Identifier of an earlier version to take back, instead of content."
    )
    propose: bool = Field(False, description="Only propose the edit, for a person to apply.")


class CorrectPost(UpdatePost):
    """Correct a post; the service refuses it without a note (``correction_note_required``)."""

    change: Annotated[Change, EnumValue(Change.CORRECTION)] = Field(
        Change.CORRECTION, description="correction, whether sent or not."
    )


class PublishPost(PostFields):
    """Release a post, with a last edit if fields are sent."""

    id: PostKey = Field(description="Id or slug.")


class PostRef(Input):
    """One post."""

    id: PostKey = Field(description=Obvious("Id or slug."))


class UnpublishPost(PostRef, ExpectedState, WithDryRun):
    """A post to withdraw."""


class EvidenceOf(Input):
    """One post, and the checkpoint that proves its history."""

    id: PostKey = Field(description=Obvious("Id or slug."))
    checkpoint: Omittable[PageNumber] = Field(
        None, description="Number of the checkpoint; default: the newest one that covers the post."
    )


class RemovePost(PostRef, ExpectedState, WithDryRun):
    """Delete or archive a post, and redirect its URL."""

    redirect_to: Clearable[RedirectTarget] = Field(
        None, description="Target of its URL from then on: slug, path or URL; without one it answers 410."
    )


def _names_in_words(value: object) -> object:
    # A tuple comes from a query that has the key several times.
    text = ",".join(map(str, value)) if isinstance(value, tuple) else value
    return [name.strip() for name in text.split(",")] if isinstance(text, str) else value


_Names = Annotated[Several[ShortText], BeforeValidator(_names_in_words, json_schema_input_type=list[str])]
"""A list of names, or text with commas between them, as in a query."""


def _searchable(words: str) -> str:
    if not _SHORTEST_SEARCH <= len(words.strip()) <= _LONGEST_SEARCH:
        raise PydanticCustomError(
            "expected",
            "{least} to {most} characters; blog_list_posts or GET /posts without q lists posts without a search",
            {"least": _SHORTEST_SEARCH, "most": _LONGEST_SEARCH},
        )
    return words


_SHORTEST_SEARCH: Final = 2
_LONGEST_SEARCH: Final = 100
_Search = Annotated[Text, AfterValidator(_searchable)]


class ListPosts(Paged):
    """Filters of the list of posts; they combine with AND."""

    fields: Omittable[_Names] = Field(
        None, description="Keys of the cards, such as title or finding_codes; id and version too."
    )

    status: Omittable[Annotated[PostStatus, EnumValue()]] = Field(
        None, description=Obvious("Only posts in this state.")
    )
    category: Omittable[Name] = Field(None, description="Id, slug or name.")
    tag: Omittable[Name] = Field(None, description="Id, slug or name.")
    author: Omittable[Name] = Field(None, description="Id, slug or name.")
    series: Omittable[Name] = Field(None, description="Id, slug or name.")
    language: Omittable[LanguageTag] = Field(None, description="BCP 47 tag.")
    proposals: Omittable[Annotated[ProposalState, EnumValue(*LISTED_STATES)]] = Field(
        None, description="With a proposal in this state."
    )
    review: Omittable[Annotated[ReviewState, EnumValue()]] = Field(
        None, description="Waiting for a review, or sent back."
    )
    approval_missing: Omittable[Flag] = Field(None, description="Only posts that lack an approval, or none of them.")
    finding: Omittable[Name] = Field(None, description="Only posts with a finding of this code.")
    q: Omittable[_Search] = Field(None, description="Words to search for, 2 to 100 characters.")


class SearchPosts(ListPosts):
    """Words to search for, and filters."""

    q: _Search = Field(description="Words to search for, 2 to 100 characters.")


class ApproveRevision(PostRef, ExpectedState):
    """A person's review of one revision; the service refuses a missing identifier (``revision_mismatch``)."""

    revision_identifier: Clearable[ShortText] = Field(
        None, description="The revision_identifier that was reviewed; always send it."
    )
    name: Annotated[Omittable[Name], RefusedAs(ApprovalIncomplete)] = Field(None, description=REVIEWER)
    facts_checked: Annotated[bool, RefusedAs(ApprovalIncomplete)] = Field(
        description=Obvious("Whether the reviewer checked the facts.")
    )


class DeclareConnections(PostRef, ExpectedState):
    """A complete declaration of the publisher's connections."""

    connections: Several[Connection] = Field(description=Obvious("All connections; empty declares none."))
    third_party_paid: bool = Field(description=_PAID)
    declared_by: Name = Field(description=Obvious("Who declares it."))
    declared_on: Omittable[Day] = Field(None, description="Date of the declaration; today when left out.")


_VERSION: Final = re.compile(f"(?:{'|'.join(NamedVersion)}|{_IDENTIFIER})")
_ACCEPTED: Final = "the identifier of a revision or version, its first 8 or more digits, public or draft"


def _version(name: str) -> str:
    if not _VERSION.fullmatch(name):
        raise PydanticCustomError("expected", _ACCEPTED)
    return name


def _pair(text: object) -> object:
    names = text.split("..") if isinstance(text, str) else []
    if len(names) != 2 or not all(map(_VERSION.fullmatch, names)):
        raise PydanticCustomError("expected", f"two versions such as public..draft, each {_ACCEPTED}")
    return tuple(names)


VersionName = Annotated[str, AfterValidator(_version)]
"""An identifier of a revision or of a version of a draft, its first digits, ``public`` or ``draft``."""
VersionPair = Annotated[tuple[str, str], BeforeValidator(_pair, json_schema_input_type=str)]
"""Two versions as ``<from>..<to>``."""


class ReadPost(Input):
    """One post, and the parts of it to return; without them all of it."""

    id: PostKey = Field(description=Obvious("Id or slug."))
    fields: Omittable[_Names] = Field(
        None, description="Keys of the post to return, such as title, body, faq; id, version, revision_identifier too."
    )
    section: Omittable[Name] = Field(
        None, description="Id or text of a heading: return the Markdown of its section only."
    )
    outline: Flag = Field(False, description="Return the headings with ids and lengths of their sections, no body.")


class WithAnswer(Input):
    """The extent of the answer to a write."""

    answer: Annotated[AnswerExtent, EnumValue()] = Field(AnswerExtent.FULL, description="Send short.")
    with_body: Flag = Field(True, description=Obvious("Whether post in a full answer has its body."))


class ReadRecords(Input):
    """One post, and the version or the comparison to return instead of its records."""

    id: PostKey = Field(description=Obvious("Id or slug."))
    revision: Omittable[VersionName] = Field(
        None, description="Return only this version, with its content: identifier, public or draft."
    )
    compare: Omittable[VersionPair] = Field(
        None, description="Return only the difference of two such versions, as public..draft."
    )
    proposal: Omittable[ProposalId] = Field(None, description="Return only this proposal, in full.")
