"""What the posts of a blog hold, as plain values; needs Django to be set up."""

import json
from typing import Any

from django.apps import apps

from blog_engine.models import Post

_TEXTS = (
    *("title", "description", "search_title", "search_description", "body", "body_format", "author_name", "status"),
    *("cover_alt", "canonical_url", "featured", "external_id", "provenance"),
)


def state_of_blog() -> dict[str, Any]:
    """Return the content and the history of every post, by slug."""
    rows = Post.objects.select_related("category", "series", "cover_image", "social_image").order_by("pk")
    return {post.slug: _state_of(post) for post in rows}


def _state_of(post: Post) -> dict[str, Any]:
    images = {"cover": post.cover_image, "social": post.social_image}
    return {
        **{name: getattr(post, name) for name in _TEXTS},
        "category": post.category.name if post.category else None,
        "series": post.series.name if post.series else None,
        "tags": sorted(post.tags.values_list("name", flat=True)),
        **{name: image.sha256 if image else None for name, image in images.items()},
        "faq": [[faq.question, faq.answer] for faq in post.faqs.all()],
        "publish_at": post.publish_at.isoformat() if post.publish_at else None,
        "published_at": post.published_at.isoformat() if post.published_at else None,
        "identifier": post.current_revision_identifier,
        "public": post.public_revision.identifier if post.public_revision else None,
        "publications": [
            [entry.entry_type, entry.description, entry.note, entry.revision.identifier]
            for entry in post.publications.select_related("revision")
        ],
        "approvals": [
            [approval.reviewer_name, approval.facts_checked, approval.revision.identifier]
            for approval in post.approvals.select_related("revision")
        ],
        "declarations": post.declarations.count(),
    }


def proposals_of_blog() -> list[dict[str, Any]]:
    """Return the post of each proposal, all its texts, and the bodies among them; none where the engine has none."""
    models = {model.__name__: model for model in apps.get_app_config("blog_engine").get_models()}
    if "Proposal" not in models:
        return []
    return [_state_of_proposal(row) for row in models["Proposal"]._default_manager.select_related("post")]


def _state_of_proposal(row: Any) -> dict[str, Any]:
    # How a version stores proposals is its own affair: as JSON of fields, or as revisions with their payload.
    values = [getattr(row, field.name) for field in row._meta.concrete_fields if field.name != "post"]
    values = [json.loads(value.payload) if hasattr(value, "payload") else value for value in values]
    bodies = [value["body"] for value in values if isinstance(value, dict) and value.get("body")]
    return {"post": row.post.slug, "texts": "\n".join(map(str, values)), "bodies": bodies}
