"""Inputs of the redirect operations (records.md 10)."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from blog_engine.inputs.base import Input
from blog_engine.inputs.links import RedirectTarget, has_dot_segments
from blog_engine.inputs.times import Day
from blog_engine.inputs.types import LinkText, Omittable, PositiveInteger, RedirectId

_NOT_IN_PATHS = re.compile(r"[\s?#]")


def _rooted_path(path: str) -> str:
    if not path.startswith("/") or path.startswith("//") or _NOT_IN_PATHS.search(path):
        raise PydanticCustomError("expected", "a path that starts with one /, without white space, query and fragment")
    if has_dot_segments(path):
        raise PydanticCustomError("expected", "a path without . and .. segments")
    return path


RootedPath = Annotated[
    LinkText, AfterValidator(_rooted_path), Field(json_schema_extra={"pattern": r"^/([^/?#\s][^?#\s]*)?$"})
]
"""A path of this site, kept as sent; without ``SCRIPT_NAME`` (decisions.md 9.9)."""


class SaveRedirect(Input):
    """Record that an address moved or was removed."""

    old_path: RootedPath = Field(description="The path that moved, from the root of the site; of no stored post.")
    new_path: RedirectTarget | None = Field(
        None, description="Where it leads: slug of a post, path or URL; null or left out: it is gone (410)."
    )
    post_id: PositiveInteger | None = Field(None, description="Id of the post that it belongs to, if any.")
    occurred_on: Omittable[Day] = Field(None, description="Date of the move; today when left out.")


class RedirectRef(Input):
    """One redirect."""

    id: RedirectId = Field(description="Id of the redirect.")
