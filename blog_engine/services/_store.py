"""Writing an edited post and its parts into their tables."""

from django.db import IntegrityError

from blog_engine.models import Faq, Post, PostTag
from blog_engine.queries.rendering import footnote_prefix
from blog_engine.services._edit import Edit, columns_of
from blog_engine.services._search_index import SEARCHED_COLUMNS
from blog_engine.services._taken import taken_external_id, taken_feed_id, taken_position, taken_slug
from blog_engine.services._transaction import savepoint
from blog_engine.services.write_log import note_post
from blog_engine.vocabulary import PostStatus


def insert_post(edit: Edit) -> None:
    """Give a new post its row, as a draft; ``store_post`` completes it. Raises ``IdentityConflict``."""
    post = edit.post
    _write(edit)
    note_post(post.pk)
    post.body_html = post.body_html.replace(edit.bodies.footnote_prefix, footnote_prefix(post.pk))


def store_post(edit: Edit, *, status: PostStatus) -> None:
    """Write the post's row, FAQ and tags. Raises ``IdentityConflict``, or ``ValidationFailed`` for its position."""
    post = edit.post
    post.status = status.value
    post.updated_at = edit.now
    _write(edit)
    _store_faq(edit)
    if edit.tags is not None:
        _store_tags(post, edit.tags)


def _write(edit: Edit) -> None:
    """Insert the row, or update the columns that changed: the search index follows every column it is told of."""
    post = edit.post
    changed = [name for name, value in columns_of(post).items() if edit.stored.get(name, ...) != value]
    try:
        with savepoint():
            post.store(update_fields=changed if edit.stored else None)
    except IntegrityError as collision:
        raise _refusal_for(edit, collision) from collision
    edit.words_changed |= not edit.stored or not SEARCHED_COLUMNS.isdisjoint(changed)
    edit.stored = columns_of(post)


def _refusal_for(edit: Edit, collision: IntegrityError) -> Exception:
    """Which unique value another writer took since it was checked; the error itself when none did."""
    post = edit.post
    others = Post.objects.exclude(pk=post.pk)
    if post.external_id and others.filter(external_id=post.external_id).exists():
        return taken_external_id()
    if others.filter(slug=post.slug).exists():
        return taken_slug(post.slug, from_title=not edit.data.slug)
    if post.feed_id and others.filter(feed_id=post.feed_id).exists():
        return taken_feed_id()
    if post.series_id and others.filter(series=post.series_id, series_position=post.series_position).exists():
        return taken_position()
    return collision


def _store_faq(edit: Edit) -> None:
    """Rows are reused in the order of their positions, and surplus ones deleted (records.md 4)."""
    rows = list(Faq.objects.filter(post=edit.post))
    for position, pair in enumerate(edit.post.faq, start=1):
        if position <= len(rows):
            row = rows[position - 1]
            if (row.position, row.question, row.answer) == (position, pair.question, pair.answer):
                continue
        else:
            row = Faq(post=edit.post, created_at=edit.now)
        row.position, row.question, row.answer, row.updated_at = position, pair.question, pair.answer, edit.now
        row.store()
    for row in rows[len(edit.post.faq) :]:
        row.discard()


def _store_tags(post: Post, tags: list[int]) -> None:
    stored = list(PostTag.objects.filter(post=post).values_list("tag_id", flat=True))
    if stored != tags:
        PostTag.objects.filter(post=post).delete()
        PostTag.objects.bulk_create(PostTag(post=post, tag_id=tag) for tag in tags)
