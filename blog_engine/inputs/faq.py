"""Input of the FAQ extraction (records.md 13)."""

from typing import ClassVar

from pydantic import Field

from blog_engine.inputs.base import Input
from blog_engine.inputs.types import BodyText, Several, Text


class ExtractFaq(Input):
    """A Markdown body, and the level 2 headings in it that are questions by themselves."""

    named_together: ClassVar[bool] = True

    body: BodyText = Field(description="The Markdown text to look through.")
    standalone_questions: Several[Text] = Field(
        (), description="Level 2 headings, exactly as written, that are questions outside an FAQ section."
    )
