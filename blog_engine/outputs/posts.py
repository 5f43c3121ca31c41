"""Posts as the API and the tools answer them (service.md section 2, records.md 7)."""

from typing import Any

from blog_engine.models import Image, Post
from blog_engine.outputs.base import Output
from blog_engine.outputs.context import AnswerContext
from blog_engine.outputs.embedded import EmbeddedAuthor, EmbeddedCategory, EmbeddedSeries, FaqObject, ImageObject
from blog_engine.outputs.types import Instant, seconds_or_none, to_seconds
from blog_engine.queries.label import label_of
from blog_engine.queries.paging import Listed
from blog_engine.queries.posts import tag_names
from blog_engine.queries.previews import preview_token
from blog_engine.vocabulary import BodyFormat, Label, PostStatus, Provenance


class PostCard(Output):
    """A post in a list; built from posts read by ``queries.posts.cards``."""

    id: int
    slug: str
    url: str
    status: PostStatus
    title: str
    description: str
    author: EmbeddedAuthor
    category: EmbeddedCategory | None
    tags: list[str]
    published_at: Instant | None
    modified_at: Instant | None
    revision_identifier: str
    label: Label

    @classmethod
    def of(cls, post: Post, context: AnswerContext) -> "PostCard":
        return cls(**_card_values(post, context))


class FullPost(PostCard):
    """A post with all its fields; built from a post read by ``queries.posts.read_post``."""

    search_title: str
    search_description: str
    body_format: BodyFormat
    body: str
    series: EmbeddedSeries | None
    featured: bool
    canonical_url: str | None
    cover_image: ImageObject | None
    cover_alt: str
    social_image: ImageObject | None
    faq: list[FaqObject]
    provenance: Provenance
    provenance_evidence: str | None
    external_id: str | None
    publish_at: Instant | None
    public_revision_identifier: str | None
    approved: bool
    preview_url: str | None
    reading_time_minutes: int
    word_count: int
    created_at: Instant
    updated_at: Instant

    @classmethod
    def of(cls, post: Post, context: AnswerContext) -> "FullPost":
        return cls(
            **_card_values(post, context),
            search_title=post.search_title,
            search_description=post.search_description,
            body_format=BodyFormat(post.body_format),
            body=post.body,
            series=EmbeddedSeries.of(post),
            featured=post.featured,
            canonical_url=post.canonical_url,
            cover_image=_image(post.cover_image, context),
            cover_alt=post.cover_alt,
            social_image=_image(post.social_image, context),
            faq=[FaqObject(question=row.question, answer=row.answer) for row in post.faqs.all()],
            provenance=Provenance(post.provenance),
            provenance_evidence=post.provenance_evidence,
            external_id=post.external_id,
            publish_at=seconds_or_none(post.publish_at),
            public_revision_identifier=post.public_revision.identifier if post.public_revision else None,
            approved=post.is_approved,
            preview_url=_preview_url(post, context),
            reading_time_minutes=post.reading_time_minutes,
            word_count=post.word_count,
            created_at=to_seconds(post.created_at),
            updated_at=to_seconds(post.updated_at),
        )


class PostList(Output):
    """One page of post cards."""

    posts: list[PostCard]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[Post], context: AnswerContext) -> "PostList":
        return cls(posts=[PostCard.of(post, context) for post in listed.rows], **listed.place)


class Preview(Output):
    """A signed link to content that is not public yet."""

    preview_url: str
    revision_identifier: str
    expires_at: Instant


def _card_values(post: Post, context: AnswerContext) -> dict[str, Any]:
    return {
        "id": post.pk,
        "slug": post.slug,
        "url": context.addresses.post_url(post.slug),
        "status": PostStatus(post.status),
        "title": post.title,
        "description": post.description,
        "author": EmbeddedAuthor.of(post.author),
        "category": EmbeddedCategory.of(post.category),
        "tags": tag_names(post),
        "published_at": seconds_or_none(post.published_at),
        "modified_at": seconds_or_none(post.modified_at),
        "revision_identifier": post.current_revision_identifier,
        "label": label_of(post, has_responsible_party=context.has_responsible_party),
    }


def _image(image: Image | None, context: AnswerContext) -> ImageObject | None:
    return ImageObject.of(image, context.addresses) if image else None


def _preview_url(post: Post, context: AnswerContext) -> str | None:
    preview = preview_token(post, now=context.now)
    return context.addresses.preview_url(preview.token) if preview else None
