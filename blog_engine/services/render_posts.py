"""Bringing stored renderings up to date after an upgrade or a change of settings."""

from blog_engine.models import Post
from blog_engine.queries.rendering import footnote_prefix, render_body, rendering_key
from blog_engine.services._derive import take_rendering
from blog_engine.services._transaction import locked_post, write_transaction


def render_posts() -> int:
    """Render again the posts whose rendering is out of date, each in its own transaction; gives their number.

    Content, history and dates stay as they are. Until it runs, readers get a fresh rendering that is not stored.
    """
    stale = Post.objects.exclude(rendered_with=rendering_key()).order_by("pk").values_list("pk", flat=True)
    return sum(_render(post_id) for post_id in list(stale))


def _render(post_id: int) -> bool:
    """Render one post, unless it was deleted in between."""
    with write_transaction():
        post = locked_post(post_id)
        if post is None:
            return False
        rendered = render_body(post.body, post.body_format, footnote_prefix=footnote_prefix(post.pk))
        take_rendering(post, rendered)
        post.store(update_fields=["body_html", "outline", "body_facts", "rendered_with"])
        return True
