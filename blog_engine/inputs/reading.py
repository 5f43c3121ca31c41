"""Inputs of reading one post, or its history."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from blog_engine.enums import NamedVersion
from blog_engine.inputs.base import Input
from blog_engine.inputs.types import Flag, Name, Obvious, Omittable, PostKey, ProposalId, Several, ShortText

_VERSION: Final = re.compile(f"(?:{'|'.join(NamedVersion)}|[0-9a-f]{{8,64}})")
_ACCEPTED: Final = "the identifier of a revision, its first 8 or more digits, public or draft"


def _version(name: str) -> str:
    if not _VERSION.fullmatch(name):
        raise PydanticCustomError("expected", _ACCEPTED)
    return name


def _pair(text: object) -> object:
    names = text.split("..") if isinstance(text, str) else []
    if len(names) != 2 or not all(map(_VERSION.fullmatch, names)):
        raise PydanticCustomError("expected", f"two versions such as public..draft, each {_ACCEPTED}")
    return tuple(names)


VersionName = Annotated[str, AfterValidator(_version)]
"""An identifier of a revision, its first digits, ``public`` or ``draft``."""
VersionPair = Annotated[tuple[str, str], BeforeValidator(_pair, json_schema_input_type=str)]
"""Two versions as ``<from>..<to>``."""


def _names_in_words(value: object) -> object:
    return [name.strip() for name in value.split(",")] if isinstance(value, str) else value


_Names = Annotated[Several[ShortText], BeforeValidator(_names_in_words, json_schema_input_type=list[str])]
"""A list of names, or text with commas between them, as in a query."""


class ReadPost(Input):
    """One post, and the parts of it to return; without them all of it."""

    id: PostKey = Field(description="Id or slug.")
    fields: Omittable[_Names] = Field(
        None, description="Keys of the post to return, such as title, body, faq; id, version, revision_identifier too."
    )
    section: Omittable[Name] = Field(
        None, description="Id or text of a heading: return the Markdown of its section only."
    )
    outline: Flag = Field(False, description="Return the headings with ids and lengths of their sections, no body.")


class WithBody(Input):
    """The extent of the answer to a write."""

    with_body: Flag = Field(True, description=Obvious("Whether post in the answer has its body."))


class ReadRecords(Input):
    """One post, and the version or the comparison to return instead of its records."""

    id: PostKey = Field(description="Id or slug.")
    revision: Omittable[VersionName] = Field(
        None, description="Return only this version, with its content: identifier, public or draft."
    )
    compare: Omittable[VersionPair] = Field(
        None, description="Return only the difference of two such versions, as public..draft."
    )
    proposal: Omittable[ProposalId] = Field(None, description="Return only this proposal, in full.")
