"""Inputs that append to the history of a post (records.md 8)."""

from typing import Annotated

from pydantic import Field

from blog_engine.errors import ApprovalIncomplete
from blog_engine.inputs.base import Input, RefusedAs
from blog_engine.inputs.parts import Connection
from blog_engine.inputs.times import Day
from blog_engine.inputs.types import Name, Omittable, PostKey, Several, ShortText


class ApproveRevision(Input):
    """A person's review of one revision. A missing identifier is for the service to refuse as ``revision_mismatch``."""

    id: PostKey = Field(description="Id or slug of the post.")
    revision_identifier: ShortText | None = Field(
        None, description="The revision_identifier that was reviewed; always send it."
    )
    name: Annotated[Name, RefusedAs(ApprovalIncomplete)] = Field(description="Name of the reviewer.")
    facts_checked: Annotated[bool, RefusedAs(ApprovalIncomplete)] = Field(
        description="Whether the reviewer checked the facts."
    )


class DeclareConnections(Input):
    """A complete declaration of the publisher's connections."""

    id: PostKey = Field(description="Id or slug of the post.")
    connections: Several[Connection] = Field(description="All connections; empty declares none.")
    third_party_paid: bool = Field(description="Whether a third party paid for the content.")
    declared_by: Name = Field(description="Who declares it.")
    declared_on: Omittable[Day] = Field(None, description="Date of the declaration; today when left out.")
