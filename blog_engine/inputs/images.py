"""Inputs of uploads."""

from dataclasses import dataclass, field
from typing import Annotated, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from blog_engine.errors import ImageNotPermitted
from blog_engine.inputs.base import Input, RefusedAs
from blog_engine.inputs.reports import Paged
from blog_engine.inputs.types import Flag, LinkText, NonBlankText, Obvious, Omittable, PositiveInteger, ShortText, Text


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


_File = Annotated[ImageBytes, PlainValidator(_one_file), WithJsonSchema({"type": "string", "format": "binary"})]


class UploadImage(Input):
    """An image to store: a file, or a URL to fetch it from."""

    file: Annotated[Omittable[_File], RefusedAs(ImageNotPermitted)] = Field(None, description="The image file.")
    url: Annotated[Omittable[LinkText], RefusedAs(ImageNotPermitted)] = Field(
        None, description="URL to fetch the image from, or of a stored image."
    )

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise PydanticCustomError("image_not_permitted", "either one image file or a url")
        return self


_Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class UploadTicketFor(Input):
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


class UploadImageAsText(Input):
    """As ``UploadImage`` for clients that can only send text: a URL to fetch it from, or the file in Base64.

    The fields of ``UploadTicketFor`` ask for a URL to send the file to.
    """

    url: Annotated[Omittable[LinkText], RefusedAs(ImageNotPermitted)] = Field(
        None, description="URL to fetch, or of a stored image; nothing else with it."
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

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        if self.model_fields_set - {"sha256"} == _ANNOUNCED or self.model_fields_set in ({"url"}, _ENCODED):
            return self
        raise PydanticCustomError(
            "image_not_permitted",
            "url alone, or filename, content_type and byte_size for an upload URL, or base64 with filename and "
            "content_type",
        )
