"""Inputs of the post operations (records.md 4, 5.3 and 7)."""

from typing import Annotated

from pydantic import Field

from blog_engine.errors import ApprovalIncomplete, ImageNotPermitted
from blog_engine.inputs.base import Input, RefusedAs
from blog_engine.inputs.links import HttpUrl, RedirectTarget
from blog_engine.inputs.paging import Paged
from blog_engine.inputs.parts import Author, ConnectionsInput, FaqItems, InlineApproval, SentImage
from blog_engine.inputs.slugs import PostSlug
from blog_engine.inputs.times import PublishAt
from blog_engine.inputs.types import (
    BodyFormatName,
    BodyTextOrEmpty,
    Name,
    Omittable,
    PostKey,
    SequenceNumber,
    Several,
    ShortTextOrEmpty,
    ShortTextOrNull,
    StrippedName,
    StrippedNameOrNull,
    Text,
    TextOrEmpty,
    TextOrNull,
    Words,
)
from blog_engine.vocabulary import Change, PostStatus, Provenance

_Image = Annotated[SentImage, RefusedAs(ImageNotPermitted)]
_Approval = Annotated[Omittable[InlineApproval], RefusedAs(ApprovalIncomplete)]


class ContentFields(Input):
    """What an article says and shows. ``None`` of a field that was not sent means nothing: ask ``model_fields_set``."""

    title: Omittable[Name] = Field(None, description="Headline.")
    description: Omittable[TextOrEmpty] = Field(None, description="Summary for lists and feeds.")
    search_title: Omittable[ShortTextOrEmpty] = Field(None, description="Title for search engines, if different.")
    search_description: Omittable[TextOrEmpty] = Field(None, description="Description for search engines.")
    body: Omittable[BodyTextOrEmpty] = Field(None, description="The text, in the body format.")
    body_format: Omittable[BodyFormatName] = Field(None, description="Format of the body; markdown unless told.")
    author: Omittable[Author] = Field(None, description="Id, slug or name; an object for a new one.")
    cover_image: _Image = Field(None, description="One of image_id, signed_id, url; null clears.")
    cover_alt: Omittable[ShortTextOrEmpty] = Field(None, description="What the cover shows, for readers without it.")
    social_image: _Image = Field(None, description="As cover_image.")
    faq: Omittable[FaqItems] = Field(None, description="Replaces the stored list.")
    category: StrippedNameOrNull = Field(None, description="Slug or name; created when new; null clears.")
    tags: Omittable[Several[StrippedName]] = Field(None, description="Replaces the stored list.")
    series: StrippedNameOrNull = Field(None, description="As category.")
    series_position: SequenceNumber | None = Field(None, description="Place in the series, from 1.")
    featured: Omittable[bool] = Field(None, description="Whether the index shows it first.")
    canonical_url: HttpUrl = Field(None, description="Original address, if published elsewhere first.")
    slug: PostSlug = Field(None, description="a-z, 0-9, hyphens; made from the title when blank.")
    external_id: ShortTextOrNull = Field(None, description="Your own id of the post.")


class PostFields(ContentFields):
    """The 28 fields of a post write: the content, and what the history records of it."""

    provenance: Omittable[Annotated[Provenance, Words()]] = Field(None, description="Who wrote the content.")
    provenance_evidence: Text | None = Field(None, description="How the provenance is known.")
    made_by_ai: bool | None = Field(None, description="Whether AI made this content; kept until a revision records it.")
    approval: _Approval = Field(None, description="A person's real review of exactly this content.")
    change: Omittable[Annotated[Change, Words()]] = Field(None, description="Kind of change to a public post.")
    change_description: TextOrNull = Field(None, description="What changed, for the history.")
    note: TextOrNull = Field(None, description="What was wrong; readers see it.")
    connections: Omittable[ConnectionsInput] = Field(None, description="Declaration of business connections.")
    publish_at: PublishAt = Field(None, description="ISO 8601; past is now; null cancels.")


class SavePost(PostFields):
    """Create a post, or write to the one that ``external_id`` or ``slug`` names."""

    publish: bool = Field(False, description="Whether to publish it, too.")


class UpdatePost(PostFields):
    """Edit a post and keep its state."""

    id: PostKey = Field(description="Id or slug of the post.")


class CorrectPost(UpdatePost):
    """Correct a post; without a note it is for the service to refuse as ``correction_note_required``."""

    change: Annotated[Change, Words(Change.CORRECTION)] = Field(
        Change.CORRECTION, description="correction, whether sent or not."
    )


class PublishPost(PostFields):
    """Release a post, with a last edit if fields are sent."""

    id: PostKey = Field(description="Id or slug of the post.")


class PostRef(Input):
    """One post."""

    id: PostKey = Field(description="Id or slug of the post.")


class RemovePost(Input):
    """Delete or archive a post; where its address leads then."""

    id: PostKey = Field(description="Id or slug of the post.")
    redirect_to: RedirectTarget | None = Field(
        None, description="Where its address leads: slug, path or URL; without it the address answers 410."
    )


class ListPosts(Paged):
    """Which posts to list; filters combine with AND."""

    status: Omittable[Annotated[PostStatus, Words()]] = Field(None, description="Only posts in this state.")
    category: Omittable[Name] = Field(None, description="Id, slug or name.")
    tag: Omittable[Name] = Field(None, description="Id, slug or name.")
    author: Omittable[Name] = Field(None, description="Id, slug or name.")
    series: Omittable[Name] = Field(None, description="Id, slug or name.")
    q: Omittable[Text] = Field(None, description="Words to search for, 2 to 100 characters.")


class SearchPosts(ListPosts):
    """Which of the posts with certain words to list."""

    q: Text = Field(description="Words to search for, 2 to 100 characters.")
