"""The settings that are dictionaries themselves, all frozen (reader.md 20)."""

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from blog_engine.conf.types import (
    Count,
    Days,
    KindOfAuthor,
    Link,
    ListLength,
    Segment,
    Text,
    WebAddress,
)
from blog_engine.vocabulary import AuthorType, ListKind, PolicyKind


class Group(BaseModel):
    """A dictionary of settings: strict types, no other keys, no change after it was read."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class DefaultAuthor(Group):
    """The author of a new post that names none."""

    name: Text = Field(description="The name.")
    type: KindOfAuthor = Field(default=AuthorType.PERSON, description="A person or an organization.")
    url: WebAddress = Field(default=None, description="The author's own page.")
    logo_url: WebAddress = Field(default=None, description="The logo of an organization.")


class Publisher(Group):
    """Who publishes the blog."""

    name: Text = Field(description="The name, shown in the footer, in feeds and in structured data.")
    url: WebAddress = Field(default=None, description="The publisher's own page.")
    logo_url: WebAddress = Field(default=None, description="The publisher's logo, for structured data.")


class RouteSegments(Group):
    """The first path part of each kind of list page; each is a reserved slug."""

    category: Segment = Field(default="category", description="Category pages.")
    tag: Segment = Field(default="tag", description="Tag pages.")
    author: Segment = Field(default="author", description="Author pages.")
    series: Segment = Field(default="series", description="Series pages.")

    def of(self, kind: ListKind) -> str:
        """The segment of one kind of list."""
        segment: str = getattr(self, kind)
        return segment

    def values(self) -> frozenset[str]:
        """All four segments."""
        return frozenset({self.category, self.tag, self.author, self.series})

    @model_validator(mode="after")
    def _refuse_one_segment_for_two_lists(self) -> Self:
        if len(self.values()) < len(type(self).model_fields):
            raise ValueError("a segment stands twice")
        return self


class CallToAction(Group):
    """The invitation under an article."""

    title: str = Field(default="", description="The heading; blank for none.")
    text: str = Field(default="", description="The sentence under the heading; blank for none.")
    label: Text = Field(description="The text of the link.")
    url: Text = Field(description="Where the link leads. The invitation is not shown when it is not safe to link.")


class PolicyUrls(Group):
    """Pages of the host that take the place of the engine's policy pages."""

    responsible_party: Link = Field(default=None, description="Who answers for the content.")
    corrections: Link = Field(default=None, description="How mistakes are corrected.")
    editorial: Link = Field(default=None, description="How content is made and checked.")
    ai_use: Link = Field(default=None, description="How AI is used.")

    def of(self, kind: PolicyKind) -> str | None:
        """The configured address of one kind, ``None`` when it is missing or blank."""
        address: str | None = getattr(self, kind.value)
        return address if address and address.strip() else None


class PopularPosts(Group):
    """The list of the most viewed posts beside the index, lists and search."""

    enabled: bool = Field(default=False, description="Show the list.")
    days: Days = Field(default=30, description="The days that count, today included.")
    limit: ListLength = Field(default=5, description="The length of the list.")


class Mcp(Group):
    """The endpoint for agents."""

    enabled: bool = Field(default=True, description="Serve it.")
    max_page_size: Count = Field(default=50, description="The largest page that a list tool answers.")
