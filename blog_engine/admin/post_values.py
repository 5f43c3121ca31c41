"""Form values of a stored post."""

from typing import Any, Final

from blog_engine.conf import get_settings
from blog_engine.content.text import slug_from_title
from blog_engine.enums import PostStatus
from blog_engine.models import ConnectionDeclaration, Post
from blog_engine.queries.posts import tag_names
from blog_engine.rules.content_fields import BY_CONTROL, CONTENT_FIELDS, FieldKind

COLUMNS: Final = tuple(
    one for one in CONTENT_FIELDS if one.in_form and one.kind is not FieldKind.ROWS and not one.column
)
"""The fields of the form that show a column of the post."""


def shown_values(post: Post | None, declared: ConnectionDeclaration | None = None) -> dict[str, Any]:
    """Return what the form shows of a post read by ``queries.posts.read_post`` and its last declaration."""
    if post is None:
        provenance = get_settings().default_provenance.value
        return dict.fromkeys(BY_CONTROL) | {"provenance": provenance, "made_by_ai": ""}
    columns = {one.name: getattr(post, one.stored_in) for one in COLUMNS}
    return {name: "" if value is None else value for name, value in columns.items()} | {
        "faq": tuple((row.question, row.answer) for row in post.faqs.all()),
        "cover_image": post.cover_image_id,
        "social_image": post.social_image_id,
        "category": post.category.name if post.category else "",
        "tags": tuple(tag_names(post)),
        "series": post.series.name if post.series else "",
        "author": post.author_name,
        "made_by_ai": {None: "", True: "true", False: "false"}[post.unrecorded_made_by_ai],
        "connections": tuple((entry["party"], entry["relation"]) for entry in declared.connections) if declared else (),
        "third_party_paid": declared.third_party_paid if declared else False,
        "declared_by": declared.declared_by if declared else "",
        "translation_of": next((other.slug for other in post.translations), ""),
    }


def version_of(post: Post | None) -> int:
    """Return the version of a post, or 0 of one that is not stored yet."""
    return 0 if post is None else post.version


def slug_for_title(post: Post, title: str) -> str | None:
    """Return the slug that a draft gets with another title, if its own was made from the title and never public."""
    is_own = post.slug != slug_from_title(post.title)
    if is_own or post.status != PostStatus.DRAFT or post.public_revision_id is not None:
        return None
    wanted = slug_from_title(title)
    if wanted == post.slug or Post.objects.filter(slug=wanted).exists():
        return None
    return wanted
