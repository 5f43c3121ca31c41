"""Inputs of the redirect operations (records.md 10)."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from blog_engine.inputs.base import FaultsDotted, Input
from blog_engine.inputs.links import RedirectTarget, has_dot_segments
from blog_engine.inputs.paging import Paged
from blog_engine.inputs.times import Day
from blog_engine.inputs.types import LinkText, Omittable, PositiveInteger, RedirectId, Several

_NOT_IN_PATHS = re.compile(r"[\s#]")
MOST_REDIRECTS = 100
"""Of one call: they are stored under one lock."""


def _rooted_path(path: str) -> str:
    if not path.startswith("/") or path.startswith("//") or _NOT_IN_PATHS.search(path):
        raise PydanticCustomError("expected", "a path that starts with one /, without white space and fragment")
    if has_dot_segments(path.partition("?")[0]):
        raise PydanticCustomError("expected", "a path without . and .. segments")
    return path


RootedPath = Annotated[
    LinkText, AfterValidator(_rooted_path), Field(json_schema_extra={"pattern": r"^/([^/#\s][^#\s]*)?$"})
]
"""A path of this site, with or without a query, kept as sent; without ``SCRIPT_NAME`` (decisions.md 9.9)."""


class SaveRedirect(Input):
    """Record that an address moved or was removed."""

    old_path: RootedPath = Field(description="The path that moved, from the root of the site; of no stored post.")
    new_path: RedirectTarget | None = Field(
        None, description="Where it leads: slug of a post, path or URL; null or left out: it is gone (410)."
    )
    post_id: PositiveInteger | None = Field(None, description="Id of the post that it belongs to, if any.")
    occurred_on: Omittable[Day] = Field(None, description="Date of the move; today when left out.")


def _refuse_too_many(redirects: tuple[SaveRedirect, ...]) -> tuple[SaveRedirect, ...]:
    if not 1 <= len(redirects) <= MOST_REDIRECTS:
        raise PydanticCustomError("expected", "a list of 1 to {most} redirects", {"most": MOST_REDIRECTS})
    return redirects


_Redirects = Annotated[Several[SaveRedirect], AfterValidator(_refuse_too_many)]


class SaveRedirects(Input):
    """Record one redirect by its own fields, or many by ``redirects``; the operation refuses both and neither."""

    old_path: Omittable[RootedPath] = Field(None, description=SaveRedirect.model_fields["old_path"].description)
    new_path: RedirectTarget | None = Field(None, description=SaveRedirect.model_fields["new_path"].description)
    post_id: PositiveInteger | None = Field(None, description=SaveRedirect.model_fields["post_id"].description)
    occurred_on: Omittable[Day] = Field(None, description=SaveRedirect.model_fields["occurred_on"].description)
    redirects: Annotated[_Redirects | None, FaultsDotted()] = Field(
        None, description="Many redirects at once, and no other field; all are stored, or none."
    )


class ListRedirects(Paged):
    """Which redirects."""

    old_path: Omittable[LinkText] = Field(None, description="Only the redirect from this path.")


class RedirectRef(Input):
    """One redirect."""

    id: RedirectId = Field(description="Id of the redirect.")
