"""Slugs that a client chose: of one shape everywhere, refused in two ways (decisions.md 3.1)."""

from functools import partial
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

from blog_engine.content.text import is_slug
from blog_engine.inputs.types import SlugText, blank_is_null


def _shaped(slug: str | None, *, refusal: str) -> str | None:
    if slug is not None and not is_slug(slug):
        raise PydanticCustomError(
            refusal, "lower-case letters and digits joined by single - or _, such as my-first-post"
        )
    return slug


def _shaped_or_empty(slug: str) -> str | None:
    return _shaped(slug, refusal="expected") if slug.strip() else ""


_BlankIsNull = BeforeValidator(blank_is_null, json_schema_input_type=SlugText | None)
_PostShaped = AfterValidator(partial(_shaped, refusal="slug_not_supported"))

PostSlug = Annotated[SlugText | None, _BlankIsNull, _PostShaped]
"""The slug of a post: blank is null, another shape ``slug_not_supported``."""
RequiredSlug = Annotated[SlugText, _PostShaped]
"""As ``PostSlug`` where there must be one: a blank one has another shape."""

RecordSlug = Annotated[SlugText | None, _BlankIsNull, AfterValidator(partial(_shaped, refusal="expected"))]
"""The slug of another record: blank is null, another shape a fault of the field."""
PageSlug = Annotated[SlugText, AfterValidator(_shaped_or_empty)]
"""As ``RecordSlug`` where null is refused: blank is empty."""
