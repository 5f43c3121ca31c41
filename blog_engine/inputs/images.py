"""Inputs of uploads."""

from dataclasses import dataclass, field
from typing import Annotated, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from blog_engine.errors import ImageNotPermitted
from blog_engine.inputs.base import Input, RefusedAs
from blog_engine.inputs.types import LinkText, NonBlankText, Omittable


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


class UploadImageAsText(Input):
    """As ``UploadImage`` for clients that can only send text: the file in Base64, or a URL to fetch it from."""

    url: Annotated[Omittable[LinkText], RefusedAs(ImageNotPermitted)] = Field(
        None, description="URL to fetch the image from, or of a stored image; send nothing else with it."
    )
    base64: Annotated[Omittable[str], RefusedAs(ImageNotPermitted)] = Field(
        None, description="The whole file in Base64 (RFC 4648, padded)."
    )
    filename: Annotated[Omittable[NonBlankText], RefusedAs(ImageNotPermitted)] = Field(
        None, description="File name, with base64."
    )
    content_type: Annotated[Omittable[NonBlankText], RefusedAs(ImageNotPermitted)] = Field(
        None, description="Media type such as image/png, with base64."
    )

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if self.model_fields_set not in ({"url"}, {"base64", "filename", "content_type"}):
            raise PydanticCustomError(
                "image_not_permitted", "either url alone or base64, filename and content_type together"
            )
        return self
