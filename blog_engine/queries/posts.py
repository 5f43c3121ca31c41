"""Posts as the services and the API read them."""

from typing import Final

from django.db.models import Prefetch, QuerySet

from blog_engine.conf import get_settings
from blog_engine.errors import NotFound
from blog_engine.models import Post, PostTag
from blog_engine.queries.label import with_review
from blog_engine.queries.rows import row_of

NO_SUCH_POST: Final = "No post has that id or slug: list the posts to find it."
"""The next step of who names one. The nearest slug is not looked for: that would read all of them."""

_LONGEST_ID = 18
"""More digits can be no row's id, and some databases refuse to compare with them."""
_NOT_ON_CARDS = (
    "body",
    "body_html",
    "body_facts",
    "outline",
    "body_image_manifest",
    "indexed_title",
    "indexed_description",
    "indexed_faq",
    "indexed_body",
    "public_revision__payload",
)


def post_id_of(key: str) -> int:
    """The id of the post with this numeric id or, failing that, this slug; raises ``NotFound`` (records.md 1.6)."""
    if key.isascii() and key.isdigit() and len(key) <= _LONGEST_ID:
        by_id = Post.objects.filter(pk=int(key)).values_list("pk", flat=True).first()
        if by_id is not None:
            return by_id
    by_slug = Post.objects.filter(slug=key).values_list("pk", flat=True).first()
    if by_slug is None:
        raise NotFound(hint=NO_SUCH_POST)
    return by_slug


def cards(posts: QuerySet[Post]) -> QuerySet[Post]:
    """The posts with what a card shows: two queries for any number of them."""
    return with_review(_with_relations(posts)).defer(*_NOT_ON_CARDS)


def read_post(post_id: int) -> Post:
    """One post with everything the full answer shows: three queries; raises ``NotFound``."""
    whole = with_review(_with_relations(Post.objects.all())).select_related("cover_image", "social_image")
    return row_of(whole.prefetch_related("faqs").defer("public_revision__payload"), post_id)


def tag_names(post: Post) -> list[str]:
    """The names of the tags in the order in which they were sent; for posts read by this module."""
    return [tagging.tag.name for tagging in post.taggings.all()]


def _with_relations(posts: QuerySet[Post]) -> QuerySet[Post]:
    taggings = Prefetch("taggings", PostTag.objects.select_related("tag").order_by("id"))
    return posts.select_related("author", "category", "series").prefetch_related(taggings)


def hidden_posts() -> list[str]:
    """Return the slugs of stored posts that ``route_segments`` has taken since they were written. One query."""
    taken = Post.objects.filter(slug__in=get_settings().route_segments.values())
    return list(taken.order_by("slug").values_list("slug", flat=True))
