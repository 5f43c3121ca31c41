"""Inputs of uploads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from blog_engine.content.source_types import CREDIT_LENGTH, SOURCE_TYPES, source_type_of
from blog_engine.errors import ImageNotPermitted
from blog_engine.inputs.base import Input, RefusedAs
from blog_engine.inputs.reports import Paged
from blog_engine.inputs.types import (
    Flag,
    ImageId,
    LinkText,
    NonBlankText,
    Obvious,
    Omittable,
    PositiveInteger,
    ShortText,
    Text,
    Usable,
    blank_is_null,
    null_is_empty,
)


@dataclass(frozen=True, slots=True)
class ImageBytes:
    """An uploaded file with its claimed name and media type, however it was sent."""

    data: bytes = field(repr=False)
    filename: str
    content_type: str | None = None


def _one_file(value: object) -> ImageBytes:
    if not isinstance(value, ImageBytes):
        raise PydanticCustomError("expected", "one named file in a form (multipart/form-data)")
    return value


def _usual_spelling(value: object) -> object:
    """Return the term that a text names, as its URI or alone; blank is null. An unusable text names none."""
    return (source_type_of(value) or value) if isinstance(value, str) and value.strip() else blank_is_null(value)


def _known_term(term: str | None) -> str | None:
    if term is not None and term not in SOURCE_TYPES:
        raise PydanticCustomError("expected", "null, {words}", {"words": ", ".join(SOURCE_TYPES)})
    return term


_Credit = Annotated[str, Field(max_length=CREDIT_LENGTH), Usable, AfterValidator(str.strip)]
_CreditOrEmpty = Annotated[_Credit, BeforeValidator(null_is_empty, json_schema_input_type=_Credit)]
_SourceType = Annotated[
    ShortText | None,
    AfterValidator(_known_term),
    BeforeValidator(_usual_spelling, json_schema_input_type=ShortText | None),
]


class OriginFields(Input):
    """The origin of an image, as the caller says; what is not sent, the file says."""

    credit: Omittable[_CreditOrEmpty] = Field(None, description="Credit line.")
    digital_source_type: _SourceType = Field(
        None, description="IPTC digital source type, such as trainedAlgorithmicMedia; empty: none."
    )

    @property
    def sent_origin(self) -> dict[str, str | None]:
        """The fields of the origin that were sent."""
        return {name: getattr(self, name) for name in OriginFields.model_fields if name in self.model_fields_set}

    @property
    def _others_sent(self) -> set[str]:
        return self.model_fields_set - OriginFields.model_fields.keys()


_File = Annotated[ImageBytes, PlainValidator(_one_file), WithJsonSchema({"type": "string", "format": "binary"})]


class UploadImage(OriginFields):
    """An image to store: a file, or a URL to fetch it from."""

    file: Annotated[Omittable[_File], RefusedAs(ImageNotPermitted)] = Field(None, description="The image file.")
    url: Annotated[Omittable[LinkText], RefusedAs(ImageNotPermitted)] = Field(
        None, description="URL to fetch the image from, or of a stored image."
    )

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if len(self._others_sent) != 1:
            raise PydanticCustomError("image_not_permitted", "either one image file or a url")
        return self


_Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class UpdateImage(OriginFields):
    """A change of what is said of where a stored image comes from; what is left out stays."""

    id: ImageId = Field(description="image_id of a stored image, to set credit and digital_source_type.")


class UploadTicketFor(OriginFields):
    """The file that an upload ticket is for."""

    filename: Annotated[NonBlankText, RefusedAs(ImageNotPermitted)] = Field(description="File name.")
    content_type: Annotated[NonBlankText, RefusedAs(ImageNotPermitted)] = Field(
        description="Media type such as image/png."
    )
    byte_size: Annotated[PositiveInteger, RefusedAs(ImageNotPermitted)] = Field(
        description="Exact size of the file in bytes."
    )
    sha256: Annotated[Omittable[_Sha256], RefusedAs(ImageNotPermitted)] = Field(
        None, description="SHA-256 of the file in lower-case hexadecimal digits; the upload must have it."
    )


class FillUploadTicket(Input):
    """A file for an upload ticket, and the secret of its URL."""

    id: Text = Field(description="Number of the ticket.")
    secret: Text = Field(description="The secret of the upload URL.", repr=False)
    file: _File = Field(description="The image file.")


class ListImages(Paged):
    """Filters of the list of stored images."""

    q: Omittable[ShortText] = Field(None, description="Part of the file name.")
    unused: Flag = Field(False, description="true: only images without a use.")


class ListImagesInstead(ListImages):
    """As ``ListImages``, for a tool that lists posts unless it is asked for images."""

    images: Flag = Field(description="true: list stored images with their uses.")


_ANNOUNCED = {"filename", "content_type", "byte_size"}
_ENCODED = {"filename", "content_type", "base64"}
_WAYS = _ANNOUNCED | _ENCODED | {"url", "sha256"}


def _says_nothing(value: object) -> bool:
    return (isinstance(value, str) and not value.strip()) or (type(value) is int and value == 0)


class UploadImageAsText(OriginFields):
    """As ``UploadImage`` for clients that can only send text: a URL to fetch it from, or the file in Base64.

    The fields of ``UploadTicketFor`` ask for a URL to send the file to.
    """

    url: Annotated[Omittable[LinkText], RefusedAs(ImageNotPermitted)] = Field(
        None, description="URL to fetch, or of a stored image; no file with it."
    )
    base64: Annotated[Omittable[str], RefusedAs(ImageNotPermitted)] = Field(
        None, description="The whole file (RFC 4648, padded)."
    )
    filename: Annotated[Omittable[NonBlankText], RefusedAs(ImageNotPermitted)] = Field(
        None, description=Obvious("File name, unless url is sent.")
    )
    content_type: Annotated[Omittable[NonBlankText], RefusedAs(ImageNotPermitted)] = Field(
        None, description=Obvious("Media type such as image/png, unless url is sent.")
    )
    byte_size: Annotated[Omittable[PositiveInteger], RefusedAs(ImageNotPermitted)] = Field(
        None, description="Exact size, instead of base64: returns an upload_url."
    )
    sha256: Annotated[Omittable[_Sha256], RefusedAs(ImageNotPermitted)] = Field(
        None, description=Obvious("SHA-256 of the file, with byte_size.")
    )

    @model_validator(mode="before")
    @classmethod
    def _of_what_says_something(cls, sent: object) -> object:
        """Leave out what clients that send every field fill with nothing."""
        if not isinstance(sent, Mapping):
            return sent
        return {name: value for name, value in sent.items() if name not in _WAYS or not _says_nothing(value)}

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        if self._others_sent - {"sha256"} == _ANNOUNCED or self._others_sent in ({"url"}, _ENCODED):
            return self
        raise PydanticCustomError(
            "image_not_permitted",
            "url alone, or filename, content_type and byte_size for an upload URL, or base64 with filename and "
            "content_type",
        )
