"""Which page of a list."""

from pydantic import Field

from blog_engine.inputs.base import Input
from blog_engine.inputs.types import PageNumber, PageSize


class Paged(Input):
    """One page of a list; a page past the end is empty (records.md 7)."""

    page: PageNumber = Field(1, description="Page, from 1.")
    per_page: PageSize = Field(25, description="Entries a page, at most 100.")
