"""Inputs of the operations on categories and series (records.md 10)."""

from typing import Annotated

from pydantic import Field

from blog_engine.inputs.base import Input
from blog_engine.inputs.slugs import RecordSlug
from blog_engine.inputs.types import LARGEST_INTEGER, CategoryId, Omittable, SeriesId, StrippedName, TextOrEmpty

Position = Annotated[int, Field(ge=-LARGEST_INTEGER - 1, le=LARGEST_INTEGER)]


class CategoryFields(Input):
    """The fields of a category. ``None`` in a field that was not sent means nothing: ask ``model_fields_set``."""

    name: Omittable[StrippedName] = Field(None, description="Name; no other category has it.")
    slug: RecordSlug = Field(None, description="Address part; made from the name of a new category when blank.")
    description: Omittable[TextOrEmpty] = Field(None, description="What the category is about, for its page.")
    position: Omittable[Position] = Field(None, description="Place among the categories, 0 unless told.")


class CreateCategory(CategoryFields):
    """A new category."""

    name: StrippedName = Field(description="Name; no other category has it.")


class UpdateCategory(CategoryFields):
    """A change of a stored category; what is left out stays."""

    id: CategoryId = Field(description="Id of the category.")


class SeriesFields(Input):
    """The fields of a series, to be read as those of a category."""

    name: Omittable[StrippedName] = Field(None, description="Name.")
    slug: RecordSlug = Field(None, description="Address part; made from the name of a new series when blank.")
    description: Omittable[TextOrEmpty] = Field(None, description="What the series is about, for its page.")


class CreateSeries(SeriesFields):
    """A new series."""

    name: StrippedName = Field(description="Name.")


class UpdateSeries(SeriesFields):
    """A change of a stored series; what is left out stays."""

    id: SeriesId = Field(description="Id of the series.")
