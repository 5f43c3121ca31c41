"""Inputs of categories, tags, series, authors, redirects and policy pages."""

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from blog_engine.enums import AuthorType, PolicyKind, PolicyStatus, SitePage
from blog_engine.inputs.base import FaultsDotted, Input
from blog_engine.inputs.formats import Day, HttpLink, HttpUrl, RedirectTarget, has_dot_segments
from blog_engine.inputs.posts import SentImage
from blog_engine.inputs.reports import Paged
from blog_engine.inputs.types import (
    LARGEST_INTEGER,
    AuthorId,
    BodyText,
    CategoryId,
    Clearable,
    EnumValue,
    LinkText,
    Name,
    Obvious,
    Omittable,
    PageSlug,
    PositiveInteger,
    RecordSlug,
    RedirectId,
    SeriesId,
    Several,
    ShortTextOrEmpty,
    ShortTextOrNull,
    StrippedName,
    TagId,
    TextOrEmpty,
)

_OF_A_NEW_ONE = Obvious("Name of a new one; a stored one is edited by its id.")

Position = Annotated[int, Field(ge=-LARGEST_INTEGER - 1, le=LARGEST_INTEGER)]


class CategoryFields(Input):
    """The fields of a category. ``None`` also stands for a field that was not sent: see ``model_fields_set``."""

    name: Omittable[StrippedName] = Field(None, description="Name; no other category has it.")
    slug: RecordSlug = Field(None, description="Made from the name when blank.")
    description: Omittable[TextOrEmpty] = Field(None, description="What the category is about, for its page.")
    position: Omittable[Position] = Field(None, description="Place among the categories; default: 0.")


class CreateCategory(CategoryFields):
    """A new category."""

    name: StrippedName = Field(description=_OF_A_NEW_ONE)


class UpdateCategory(CategoryFields):
    """A change of a stored category; what is left out stays."""

    id: CategoryId = Field(description="Id of the category.")


class SeriesFields(Input):
    """The fields of a series. ``None`` also stands for a field that was not sent: see ``model_fields_set``."""

    name: Omittable[StrippedName] = Field(None, description="Name.")
    slug: RecordSlug = Field(None, description="Made from the name when blank.")
    description: Omittable[TextOrEmpty] = Field(None, description="What the series is about, for its page.")


class CreateSeries(SeriesFields):
    """A new series."""

    name: StrippedName = Field(description=_OF_A_NEW_ONE)


class UpdateSeries(SeriesFields):
    """A change of a stored series; what is left out stays."""

    id: SeriesId = Field(description="Id of the series.")


class OrderSeries(Input):
    """The complete reading order of a series."""

    id: SeriesId = Field(description="Id of the series.")
    posts: Several[PositiveInteger] = Field(description="Ids of all its posts, the first one first.")


class RenameTag(Input):
    """A change of a stored tag; what is left out stays."""

    id: TagId = Field(description="Id of the tag.")
    name: Omittable[StrippedName] = Field(None, description="Name; no other tag has it, in whatever case.")
    slug: RecordSlug = Field(None, description="Last part of its URL; the stored one stays when blank.")


class MergeTags(Input):
    """A tag that another one replaces."""

    id: TagId = Field(description="Id of the tag to replace, which is deleted.")
    target: TagId = Field(description="Id of the tag that its posts get.")


_HANDLE = re.compile(
    r"@?([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9_])?)@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63})"
)


def _handle(text: str) -> str:
    """Return a handle with its first ``@`` and its host in small letters; empty for blank text."""
    name, mark, host = text.strip().rpartition("@")
    found = _HANDLE.fullmatch(f"{name}{mark}{host.lower()}")
    if text.strip() and found is None:
        raise PydanticCustomError("expected", "a handle such as @name@example.social")
    return f"@{found[1]}@{found[2]}" if found else ""


FediverseHandle = Annotated[ShortTextOrEmpty, AfterValidator(_handle)]


class AuthorRecordFields(Input):
    """The fields of an author. ``None`` also stands for a field that was not sent: see ``model_fields_set``."""

    name: Omittable[StrippedName] = Field(None, description="Name; bylines of stored posts keep the old one.")
    slug: RecordSlug = Field(None, description="Made from the name when blank.")
    type: Omittable[Annotated[AuthorType, EnumValue()]] = Field(None, description="person (default) or organization.")
    bio: Omittable[TextOrEmpty] = Field(None, description=Obvious("About the author, for the author's page."))
    url: HttpUrl = Field(None, description="URL of the author.")
    profile_urls: Omittable[Several[HttpLink]] = Field(None, description="Profiles elsewhere; replaces the list.")
    fediverse: Omittable[FediverseHandle] = Field(None, description=Obvious("Handle, such as @name@example.social."))
    avatar: SentImage = Field(None, description="Picture: image_id or url; null clears.")
    host_reference: ShortTextOrNull = Field(None, description="What the site itself calls this author.")


class CreateAuthor(AuthorRecordFields):
    """A new author."""

    name: StrippedName = Field(description=_OF_A_NEW_ONE)


class UpdateAuthor(AuthorRecordFields):
    """A change of a stored author; what is left out stays."""

    id: AuthorId = Field(description="Id of the author.")


_NOT_IN_PATHS = re.compile(r"[\s#]")
MOST_REDIRECTS = 100
"""In one call, which stores them under one lock."""


def _rooted_path(path: str) -> str:
    if not path.startswith("/") or path.startswith("//") or _NOT_IN_PATHS.search(path):
        raise PydanticCustomError("expected", "a path that starts with one /, without white space and fragment")
    if has_dot_segments(path.partition("?")[0]):
        raise PydanticCustomError("expected", "a path without . and .. segments")
    return path


RootedPath = Annotated[
    LinkText, AfterValidator(_rooted_path), Field(json_schema_extra={"pattern": r"^/([^/#\s][^#\s]*)?$"})
]
"""A path of this site, with or without a query, kept as sent; without ``SCRIPT_NAME``."""


def _refuse_slug(value: object) -> object:
    if isinstance(value, str):
        raise PydanticCustomError("expected", "the id that the post has, as a number, or left out")
    return value


_NumberOfPost = Annotated[PositiveInteger, BeforeValidator(_refuse_slug, json_schema_input_type=PositiveInteger)]


class SaveRedirect(Input):
    """Record that a path moved or was removed."""

    old_path: RootedPath = Field(description="The path that moved, from the root of the site; of no stored post.")
    new_path: RedirectTarget | None = Field(
        None, description="Where it leads: slug of a post, path or URL; null or left out: it is gone (410)."
    )
    post_id: Clearable[_NumberOfPost] = Field(None, description="Id of the post that it belongs to, if any.")
    occurred_on: Omittable[Day] = Field(None, description="Date of the move; today when left out.")


def _refuse_too_many(redirects: tuple[SaveRedirect, ...]) -> tuple[SaveRedirect, ...]:
    if not 1 <= len(redirects) <= MOST_REDIRECTS:
        raise PydanticCustomError("expected", "a list of 1 to {most} redirects", {"most": MOST_REDIRECTS})
    return redirects


_Redirects = Annotated[Several[SaveRedirect], AfterValidator(_refuse_too_many)]


class SaveRedirects(Input):
    """Record one redirect by its fields, or several by ``redirects``; the operation refuses both and neither."""

    old_path: Omittable[RootedPath] = Field(None, description=SaveRedirect.model_fields["old_path"].description)
    new_path: RedirectTarget | None = Field(None, description=SaveRedirect.model_fields["new_path"].description)
    post_id: Clearable[_NumberOfPost] = Field(None, description=SaveRedirect.model_fields["post_id"].description)
    occurred_on: Omittable[Day] = Field(None, description=SaveRedirect.model_fields["occurred_on"].description)
    redirects: Annotated[Clearable[_Redirects], FaultsDotted()] = Field(
        None, description="Many redirects at once, and no other field; all are stored, or none."
    )


class ListRedirects(Paged):
    """Filters of the list of redirects."""

    old_path: Omittable[LinkText] = Field(None, description="Only the redirect from this path.")


class RedirectRef(Input):
    """One redirect."""

    id: RedirectId = Field(description="Id of the redirect.")


_KINDS = ", ".join(PolicyKind)


def _stored_kind(value: object) -> object:
    if isinstance(value, str) and value not in set(SitePage):
        raise PydanticCustomError("not_found", f"one of {', '.join(SitePage)}", {"words": [*SitePage]})
    return value


_Kind = Annotated[PolicyKind, EnumValue()]
_ReadKind = Annotated[SitePage, EnumValue()]


class PageRef(Input):
    """One policy page, or the house style; any other kind is ``not_found``."""

    kind: Annotated[_ReadKind, BeforeValidator(_stored_kind, json_schema_input_type=_ReadKind)] = Field(
        description=Obvious(f"Which policy: {_KINDS}; or house_style.")
    )


class SavePage(Input):
    """Create or edit a policy page; any other kind is ``validation_failed``."""

    kind: _Kind = Field(description=Obvious(f"Which policy: {_KINDS}."))
    title: Omittable[Name] = Field(None, description=Obvious("Headline; a new page needs it."))
    body: Omittable[BodyText] = Field(None, description=Obvious("The policy in your own words, in Markdown."))
    status: Omittable[Annotated[PolicyStatus, EnumValue()]] = Field(
        None, description=Obvious("published shows it to readers.")
    )
    slug: Omittable[PageSlug] = Field(None, description="Last part of its URL; default: that of the kind.")
    approved_by: ShortTextOrNull = Field(None, description="Who approved the text, if a person really did.")
    approved_on: Day | None = Field(
        None, description="Date of the approval; today when only approved_by is sent; null for none."
    )
