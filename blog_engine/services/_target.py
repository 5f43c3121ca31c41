"""Which post a write is for: held under its lock, or looked at before there is one."""

from collections.abc import Callable

from blog_engine.errors import IdentityConflict, NotFound
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Post
from blog_engine.queries.posts import NO_SUCH_POST, post_id_of
from blog_engine.queries.rows import row_of
from blog_engine.services._transaction import locked_post


def find_post(key: str) -> Post:
    """The post with this id or slug as it is now, not locked; raises ``NotFound``."""
    return row_of(Post.objects.all(), post_id_of(key))


def lock_post(key: str) -> Post:
    """The post with this id or slug, locked; raises ``NotFound``."""
    post = locked_post(post_id_of(key))
    if post is None:
        raise NotFound(hint=NO_SUCH_POST)
    return post


def find_upsert_target(data: SavePost) -> Post | None:
    """What ``lock_upsert_target`` would lock now."""
    return find_selected(upsert_id(data))


def lock_upsert_target(data: SavePost) -> Post | None:
    """The post that ``external_id`` or ``slug`` selects, locked, or ``None`` for a new one (records.md 4).

    Raises ``IdentityConflict`` when they select two different posts.
    """
    return lock_selected(lambda: upsert_id(data))


def find_selected(post_id: int | None) -> Post | None:
    """The post with an id that was just selected, not locked; it may be gone again."""
    return None if post_id is None else Post.objects.filter(pk=post_id).first()


def lock_selected(select: Callable[[], int | None]) -> Post | None:
    """The post whose id ``select`` gives, locked, or ``None`` when it gives none."""
    while (found := select()) is not None:
        post = locked_post(found)
        # Another writer may have moved or deleted it before the lock was ours: then it is not the one meant.
        if post is not None and select() == found:
            return post
    return None


def upsert_id(data: SavePost) -> int | None:
    """The id of the post that ``external_id`` or ``slug`` selects now; raises ``IdentityConflict``."""
    by_external_id = _id_where(external_id=data.external_id)
    by_slug = _id_where(slug=data.slug)
    if by_external_id and by_slug and by_external_id != by_slug:
        raise IdentityConflict(
            ["slug", "external_id"], hint="They belong to two different posts: send only the one of the post you mean."
        )
    return by_external_id or by_slug


def _id_where(**identity: str | None) -> int | None:
    if not all(identity.values()):
        return None
    return Post.objects.filter(**identity).values_list("pk", flat=True).first()
