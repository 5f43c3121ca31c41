"""The input of the house style."""

from collections.abc import Sequence
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from blog_engine.content.terms import AvoidedTerm, written_term
from blog_engine.inputs.base import Input
from blog_engine.inputs.types import LARGEST_INTEGER, CategoryId, Several, ShortText, StrippedName, Text

MOST_TERMS: Final = 200
MOST_SECTIONS: Final = 30
LONGEST_TERM: Final = 60
MOST_WORDS_OF_TERM: Final = 8

_Number = Annotated[int, Field(ge=1, le=LARGEST_INTEGER)]


def is_findable(term: str) -> bool:
    """Return whether a term is short enough to be looked for in long texts."""
    return len(term) <= LONGEST_TERM and len(term.split()) <= MOST_WORDS_OF_TERM


def _findable(term: str) -> str:
    if not is_findable(term):
        raise PydanticCustomError(
            "expected",
            "text of at most {words} words and {characters} characters",
            {"words": MOST_WORDS_OF_TERM, "characters": LONGEST_TERM},
        )
    return term


_StrippedText = Annotated[ShortText, AfterValidator(str.strip)]


class TermRule(Input):
    """A term that posts should not have."""

    avoid: Annotated[StrippedName, AfterValidator(_findable)] = Field(description="The term.")
    use: Annotated[_StrippedText, AfterValidator(_findable)] = Field("", description="What to write instead.")
    reason: _StrippedText = Field("", description="The reason.")


class SectionRule(Input):
    """A heading that posts should have."""

    heading: StrippedName = Field(description="The text of the heading, of any level.")
    category: CategoryId | None = Field(None, description="Only posts of this category; null for all.")


def contradiction_in(terms: Sequence[AvoidedTerm]) -> int | None:
    """Return the position of the first term that an earlier rule avoids, or that a rule wants, if there is one."""
    wanted = {written_term(term.use) for term in terms} - {""}
    avoided: set[str] = set()
    for position, term in enumerate(terms):
        written = written_term(term.avoid)
        if written in wanted or written in avoided:
            return position
        avoided.add(written)
    return None


def _without_contradiction(terms: tuple[TermRule, ...]) -> tuple[TermRule, ...]:
    if len(terms) > MOST_TERMS:
        raise PydanticCustomError("expected", "a list of at most {most} terms", {"most": MOST_TERMS})
    position = contradiction_in([AvoidedTerm(term.avoid, term.use) for term in terms])
    if position is not None:
        raise PydanticCustomError(
            "expected",
            "a list in which each term is avoided once and wanted by no rule: see {term}",
            {"term": terms[position].avoid},
        )
    return terms


def _not_too_many(sections: tuple[SectionRule, ...]) -> tuple[SectionRule, ...]:
    if len(sections) > MOST_SECTIONS:
        raise PydanticCustomError("expected", "a list of at most {most} headings", {"most": MOST_SECTIONS})
    return sections


class SaveHouseStyle(Input):
    """The whole house style; what is left out is no rule."""

    tone: Text = Field("", description="How posts are written, in Markdown.")
    terms: Annotated[Several[TermRule], AfterValidator(_without_contradiction)] = Field(
        (), description="Terms to avoid."
    )
    sections: Annotated[Several[SectionRule], AfterValidator(_not_too_many)] = Field(
        (), description="Headings that posts need."
    )
    least_words: _Number | None = Field(None, description="The fewest words of a body.")
    most_words: _Number | None = Field(None, description="The most words of a body.")
    least_sources: _Number | None = Field(None, description="The fewest pages elsewhere that a body links to.")
    least_description: _Number | None = Field(None, description="The fewest characters of a description.")
    most_description: _Number | None = Field(None, description="The most characters of a description.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        pairs = ((self.least_words, self.most_words), (self.least_description, self.most_description))
        if any(least and most and least > most for least, most in pairs):
            raise PydanticCustomError("expected", "limits of which the most is at least the fewest")
        return self

    @property
    def is_empty(self) -> bool:
        """Whether it has no rule."""
        numbers = (self.least_words, self.most_words, self.least_sources, self.least_description, self.most_description)
        return not (self.tone.strip() or self.terms or self.sections or any(numbers))
