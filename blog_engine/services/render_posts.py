"""Bringing stored renderings up to date after an upgrade or a change of settings."""

from blog_engine.models import Post
from blog_engine.queries.rendering import rendering_key
from blog_engine.services._bodies import Bodies
from blog_engine.services._derive import take_rendering
from blog_engine.services._edit import columns_of
from blog_engine.services._transaction import locked_post, write_transaction


def render_posts() -> int:
    """Render again the posts whose rendering is out of date, each in its own transaction; gives their number.

    Content, history and dates stay as they are. Until it runs, readers get a fresh rendering that is not stored.
    """
    stale = Post.objects.exclude(rendered_with=rendering_key()).order_by("pk").values_list("pk", flat=True)
    return sum(_render(post_id) for post_id in list(stale))


def _render(post_id: int) -> bool:
    """Render one post, unless it was deleted in between."""
    bodies = Bodies()

    def write() -> bool:
        with write_transaction():
            post = locked_post(post_id)
            if post is None:
                return False
            stored = columns_of(post)
            take_rendering(post, bodies.of(post.body, post.body_format), bodies=bodies)
            post.store(update_fields=[name for name, value in columns_of(post).items() if stored[name] != value])
            return True

    return bodies.around(write)
