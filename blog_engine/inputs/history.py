"""Inputs about versions that were public (``docs/contract/public-history.md``)."""

from typing import Annotated, Final

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from blog_engine.inputs.base import Input
from blog_engine.inputs.types import NonBlankText, Obvious, PostKey, Text

LONGEST_REASON: Final = 255


def _refuse_long_reason(text: str) -> str:
    if len(text) > LONGEST_REASON:
        raise PydanticCustomError("expected", "text of at most {most} characters", {"most": LONGEST_REASON})
    return text


class PublicVersionRef(Input):
    """A version of a post that was public."""

    id: PostKey = Field(description=Obvious("Id or slug."))
    identifier: Text = Field(description="The identifier of the revision.")


class WithholdVersion(PublicVersionRef):
    """Take the text of a version from the public history."""

    reason: Annotated[NonBlankText, AfterValidator(_refuse_long_reason)] = Field(
        description="What readers are told in place of the text."
    )
