"""The objects inside a post write: author, image, FAQ entry, approval, connections (records.md 4)."""

from dataclasses import dataclass
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    Field,
    GetCoreSchemaHandler,
    TypeAdapter,
    ValidatorFunctionWrapHandler,
    model_validator,
)
from pydantic_core import PydanticCustomError, core_schema

from blog_engine.inputs.base import Input
from blog_engine.inputs.links import HttpUrl
from blog_engine.inputs.times import Day
from blog_engine.inputs.types import (
    LinkText,
    Name,
    NonBlankText,
    Omittable,
    PositiveInteger,
    Several,
    ShortText,
    StrippedName,
    Words,
)
from blog_engine.vocabulary import AuthorType


@dataclass(frozen=True, slots=True)
class AuthorKey:
    """An author given as text: id, slug or name, or else the name of a new person."""

    text: str


class AuthorFields(Input):
    """An author given as object: a stored one of that name, or else a new one."""

    name: StrippedName = Field(description="Name of the author.")
    type: Annotated[AuthorType, Words()] = Field(AuthorType.PERSON, description="person or organization.")
    url: HttpUrl = Field(None, description="Web address of the author.")


_NAME = TypeAdapter(StrippedName, config={"strict": True, "hide_input_in_errors": True})


class _AuthorForms:
    """Tells the two forms apart without a union, whose branch names would get into the paths of faults."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        fields = handler(AuthorFields)
        return core_schema.no_info_wrap_validator_function(
            _read_author,
            fields,
            json_schema_input_schema=core_schema.union_schema([handler(Name), fields]),
            serialization=core_schema.plain_serializer_function_ser_schema(_as_sent),
        )


def _read_author(value: object, read_fields: ValidatorFunctionWrapHandler) -> AuthorKey | AuthorFields:
    if isinstance(value, AuthorKey):
        value = value.text
    if isinstance(value, str):
        return AuthorKey(_NAME.validate_python(value))
    if not isinstance(value, dict | AuthorFields):
        raise PydanticCustomError("expected", "text, or an object with a name")
    fields: AuthorFields = read_fields(value)
    return fields


def _as_sent(author: AuthorKey | AuthorFields | None) -> object:
    if isinstance(author, AuthorFields):
        return author.model_dump(mode="json", exclude_unset=True)
    return author.text if author else None


Author = Annotated[AuthorKey | AuthorFields, _AuthorForms()]


class ImageReference(Input):
    """An image that the blog has (``image_id``), that the host has (``signed_id``) or that is fetched (``url``)."""

    image_id: Omittable[PositiveInteger] = Field(None, description="Id of an uploaded image.")
    signed_id: Omittable[NonBlankText] = Field(None, description="Signed reference to a file of the host.")
    url: Omittable[LinkText] = Field(None, description="URL to fetch the image from, or of a stored image.")

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise PydanticCustomError("expected", "an object with exactly one of image_id, signed_id and url")
        return self


SentImage = Annotated[ImageReference | None, Field(json_schema_extra={"minProperties": 1, "maxProperties": 1})]
"""One image, or null for none."""


class FaqItem(Input):
    """A question and its answer, stored as sent."""

    question: NonBlankText = Field(description="The question.")
    answer: NonBlankText = Field(description="The answer, as plain text.")


LONGEST_FAQ = 262_144
"""Of all questions and answers together: each is read as Markdown whenever findings are asked for."""


def _refuse_long_faq(faq: tuple[FaqItem, ...]) -> tuple[FaqItem, ...]:
    if sum(len(item.question) + len(item.answer) for item in faq) > LONGEST_FAQ:
        raise PydanticCustomError("expected", "a list of at most {most} characters in all", {"most": LONGEST_FAQ})
    return faq


FaqItems = Annotated[Several[FaqItem], AfterValidator(_refuse_long_faq)]
"""The FAQ of a post."""


class InlineApproval(Input):
    """That a named person reviewed the content of this very write."""

    name: Name = Field(description="Name of the reviewer.")
    facts_checked: bool = Field(description="Whether the reviewer checked the facts.")
    revision_identifier: ShortText | None = Field(None, description="Identifier of the reviewed revision, if known.")


class Connection(Input):
    """One relation of the publisher to a party."""

    party: Name = Field(description="Who.")
    relation: NonBlankText = Field(description="How the publisher is connected to the party.")


class ConnectionsInput(Input):
    """A complete declaration of connections; an empty list declares that there are none."""

    connections: Several[Connection] = Field(description="All connections; empty declares none.")
    third_party_paid: bool = Field(description="Whether a third party paid for the content.")
    declared_by: Name = Field(description="Who declares it.")
    declared_on: Omittable[Day] = Field(None, description="Date of the declaration; today when left out.")
