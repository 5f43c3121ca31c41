"""What the names and slugs of categories, series and authors have in common (records.md 10)."""

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from blog_engine.content.slugs import MAX_SLUG_LENGTH, is_slug
from blog_engine.inputs.types import Name, blank_is_null


def _without_margins(name: str) -> str:
    # As posts name them: a record called " Garden " would never be found by a post in "Garden".
    kept = name.strip()
    if not kept:
        raise PydanticCustomError("expected", "text that is not blank")
    return kept


def _slug_shaped(slug: str | None) -> str | None:
    if slug is not None and not is_slug(slug):
        raise PydanticCustomError("expected", "lower-case letters and digits joined by single - or _")
    return slug


RecordName = Annotated[Name, AfterValidator(_without_margins)]
"""A name that is not blank, without white space around it."""

_SlugText = Annotated[str, Field(max_length=MAX_SLUG_LENGTH)]
RecordSlug = Annotated[
    _SlugText | None,
    BeforeValidator(blank_is_null, json_schema_input_type=_SlugText | None),
    AfterValidator(_slug_shaped),
]
"""A slug that a client chose: blank is null; another shape is a fault of the field (decisions.md 3.1)."""
