"""Inputs of the operations on authors (records.md 10)."""

from typing import Annotated

from pydantic import Field

from blog_engine.inputs.base import Input
from blog_engine.inputs.links import HttpLink, HttpUrl
from blog_engine.inputs.parts import SentImage
from blog_engine.inputs.slugs import RecordSlug
from blog_engine.inputs.types import AuthorId, Omittable, Several, ShortTextOrNull, StrippedName, TextOrEmpty, Words
from blog_engine.vocabulary import AuthorType


class AuthorRecordFields(Input):
    """The fields of an author. ``None`` in a field that was not sent means nothing: ask ``model_fields_set``."""

    name: Omittable[StrippedName] = Field(None, description="Name; bylines of stored posts keep the old one.")
    slug: RecordSlug = Field(None, description="Address part; made from the name of a new author when blank.")
    type: Omittable[Annotated[AuthorType, Words()]] = Field(None, description="person (unless told) or organization.")
    bio: Omittable[TextOrEmpty] = Field(None, description="About the author, for the author's page.")
    url: HttpUrl = Field(None, description="Web address of the author.")
    profile_urls: Omittable[Several[HttpLink]] = Field(None, description="Profiles elsewhere; replaces the list.")
    avatar: SentImage = Field(None, description="Picture: one of image_id, signed_id, url; null clears.")
    host_reference: ShortTextOrNull = Field(None, description="What the site itself calls this author.")


class CreateAuthor(AuthorRecordFields):
    """A new author."""

    name: StrippedName = Field(description="Name.")


class UpdateAuthor(AuthorRecordFields):
    """A change of a stored author; what is left out stays."""

    id: AuthorId = Field(description="Id of the author.")
