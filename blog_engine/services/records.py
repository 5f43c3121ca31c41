"""Writes of categories, series, authors and tags, and the order of series.

Other writers may be giving a record to further posts while it is deleted. The locks come in their order: the posts of
the record, the redirects, the numbers of posts in lists, and last the record itself, for which foreign keys wait when
such a writer commits.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

from django.db import IntegrityError
from django.db.models import Case, F, Max, Model, QuerySet, Value, When

from blog_engine.actor import Actor, Scope
from blog_engine.content.text import fold
from blog_engine.enums import ListKind, PostStatus
from blog_engine.errors import ValidationFailed
from blog_engine.images.files import ImageFiles
from blog_engine.inputs.records import (
    CreateAuthor,
    CreateCategory,
    CreateSeries,
    MergeTags,
    OrderSeries,
    RenameTag,
    UpdateAuthor,
    UpdateCategory,
    UpdateSeries,
)
from blog_engine.models import Author, Category, Post, PostTag, Series, Tag
from blog_engine.queries.records import row_of, same_named
from blog_engine.rules.slugs import slug_for_record
from blog_engine.services._taxonomy import free_slug
from blog_engine.services._transaction import lock_redirects, savepoint, write_transaction
from blog_engine.services.counts import List, change_counts, lock_counts
from blog_engine.services.images import Gathered, gather, stored_image
from blog_engine.services.redirects import move_list_page
from blog_engine.services.writing_images import writing_images

T = TypeVar("T")


class JoinedMeanwhile(Exception):
    """Another post got the record since its posts were locked."""


def until_settled(delete: Callable[[], T]) -> T:
    """Run a transaction again while posts join the record that it deletes: each has to be locked first."""
    while True:
        try:
            return delete()
        except JoinedMeanwhile:
            continue


def lock_members(posts: QuerySet[Post]) -> dict[int, str]:
    """Lock posts that are going to be moved, and return their statuses by id."""
    held = posts.select_for_update(of=("self",), no_key=True).order_by("pk")
    return dict(held.values_list("pk", "status"))


def number_public(members: Mapping[int, str]) -> int:
    """Return how many of the locked posts are public."""
    return sum(status == PostStatus.PUBLISHED for status in members.values())


def close_record(
    record: Author | Category | Series | Tag,
    *,
    kind: ListKind,
    target_id: int | None,
    posts: QuerySet[Post],
    members: Mapping[int, str],
) -> None:
    """Lock the record against writers that give it to posts, once those that are about to commit have done so.

    Raises ``JoinedMeanwhile`` when ``posts`` now has others than the locked ones.
    """
    lock_redirects()
    lock_counts(kind, [record.pk] if target_id is None else [record.pk, target_id])
    row_of(type(record)._default_manager.select_for_update(of=("self",)), record.pk)
    if not members.keys() >= set(posts.values_list("pk", flat=True)):
        raise JoinedMeanwhile


R = TypeVar("R", Category, Series, Author, Tag)
G = TypeVar("G", Category, Series, Tag)
Sent: TypeAlias = (
    CreateCategory | UpdateCategory | CreateSeries | UpdateSeries | CreateAuthor | UpdateAuthor | RenameTag
)

_NO_COLUMNS = {"id", "slug", "avatar"}
"""Fields that are not assigned as they were sent."""

_OTHER_POSTS: Final = "The series has other posts by now, or another order: read it again, and send all of its posts."
_LIST_KINDS: Final[Mapping[type[Model], ListKind]] = MappingProxyType(
    {Category: ListKind.CATEGORY, Tag: ListKind.TAG, Author: ListKind.AUTHOR, Series: ListKind.SERIES}
)
"""The kind of list page that each record has."""


def create_category(data: CreateCategory, *, actor: Actor, now: datetime) -> Category:
    """Create a category. Raises ``ValidationFailed`` when its name or slug is taken."""
    return _create(Category(created_at=now), data, actor=actor)


def update_category(data: UpdateCategory, *, actor: Actor, now: datetime) -> Category:
    """Change what was sent of a category. Raises ``NotFound``, or ``ValidationFailed`` as creating does."""
    return _update(Category, data, actor=actor, now=now)


def create_series(data: CreateSeries, *, actor: Actor, now: datetime) -> Series:
    """Create a series. Raises ``ValidationFailed`` when its slug is taken."""
    return _create(Series(created_at=now), data, actor=actor)


def update_series(data: UpdateSeries, *, actor: Actor, now: datetime) -> Series:
    """Change what was sent of a series. Raises ``NotFound``, or ``ValidationFailed`` as creating does."""
    return _update(Series, data, actor=actor, now=now)


def create_author(data: CreateAuthor, *, actor: Actor, now: datetime) -> Author:
    """Create an author.

    Raises ``ValidationFailed`` when the slug is taken, ``NotFound`` for an avatar that the blog does not have and
    ``ImageNotPermitted`` for one that it cannot use.
    """
    actor.require(Scope.WRITE)
    # Checked here as well: a write that is refused must not make the blog fetch a picture.
    _assign(Author(), data)
    gathered = gather(data.avatar) if data.avatar else None
    with writing_images() as files:
        author = Author(created_at=now)
        _assign(author, data)
        # The author before the image, as in writes of posts, so that two writers do not deadlock.
        return _with_avatar(_store(author, data), data, gathered, files=files, actor=actor, now=now)


def update_author(data: UpdateAuthor, *, actor: Actor, now: datetime) -> Author:
    """Change what was sent of an author; bylines and revision identifiers of posts stay as they are.

    Raises ``NotFound`` also for the author, and otherwise what ``create_author`` raises.
    """
    actor.require(Scope.WRITE)
    _assign(row_of(Author.objects.all(), data.id), data)
    gathered = gather(data.avatar) if data.avatar else None
    with writing_images() as files:
        author = _lock(Author, data.id)
        _assign(author, data)
        with redirecting_page(author, now=now):
            _store(author, data)
        return _with_avatar(author, data, gathered, files=files, actor=actor, now=now)


def delete_category(category_id: int, *, target_id: int | None, actor: Actor, now: datetime) -> None:
    """Delete a category. Its posts are filed under ``target_id``, and its page redirects there.

    Without a target, the posts have no category, and the page is gone (410). Raises ``ScopeRequired``, ``NotFound``
    for either category, and ``ValidationFailed(["target"])`` when both are the same.
    """
    actor.require(Scope.PUBLISH)
    until_settled(lambda: _delete(Category, category_id, target_id=target_id, now=now))


def delete_series(series_id: int, *, target_id: int | None, actor: Actor, now: datetime) -> None:
    """Delete a series; its posts follow those of ``target_id``, in their order, or belong to none.

    Raises what ``delete_category`` raises.
    """
    actor.require(Scope.PUBLISH)
    until_settled(lambda: _delete(Series, series_id, target_id=target_id, now=now))


def order_series(data: OrderSeries, *, actor: Actor, now: datetime) -> Series:
    """Give the posts of a series the positions 1, 2, 3 … in the order in which they were sent.

    Raises ``ScopeRequired``, ``NotFound``, or ``ValidationFailed(["posts"])`` unless these are exactly the posts that
    the series has, each once; then every post keeps its position.
    """
    actor.require(Scope.WRITE)
    with write_transaction():
        series = row_of(Series.objects.select_for_update(of=("self",), no_key=True), data.id)
        posts = Post.objects.filter(series=series)
        held = posts.select_for_update(of=("self",), no_key=True).order_by("pk")
        positions = dict(held.values_list("pk", "series_position"))
        if sorted(data.posts) != sorted(positions):
            raise ValidationFailed(["posts"], hint=_OTHER_POSTS)
        moved = {pk: place for place, pk in enumerate(data.posts, start=1) if positions[pk] != place}
        try:
            with savepoint():
                _store_positions(moved, now=now)
        except IntegrityError as fault:
            # Another writer has given one of these positions to a post that was in no series, or in another one.
            raise ValidationFailed(["posts"], hint=_OTHER_POSTS) from fault
        return series


@contextmanager
def redirecting_page(record: Author | Category | Series | Tag, *, now: datetime) -> Iterator[None]:
    """Store a category, tag, author or series in the block; a new slug redirects its page and feeds.

    Use it inside the write's transaction. ``record.redirected`` has the redirects then.
    """
    kind, rows = _LIST_KINDS[type(record)], type(record)._default_manager
    held = rows.select_for_update(of=("self",), no_key=True).filter(pk=record.pk).values_list("slug", flat=True)
    old_slug, new_slug = held.first(), str(getattr(record, "slug", ""))
    if old_slug is None or old_slug == new_slug:
        yield
        return
    # Before the row is written: a new slug locks it against writers of posts, which may hold the redirects.
    lock_redirects()
    yield
    record.redirected = move_list_page(kind, old_slug, new_slug, now=now)


def _create(record: G, data: CreateCategory | CreateSeries, *, actor: Actor) -> G:
    """Store a new record. Raises ``ScopeRequired``, or ``ValidationFailed`` when its name or slug is taken."""
    actor.require(Scope.WRITE)
    with write_transaction():
        _assign(record, data)
        return _store(record, data)


def _update(model: type[G], data: UpdateCategory | UpdateSeries, *, actor: Actor, now: datetime) -> G:
    """Change what was sent of a record. Raises ``NotFound``, or what creating one raises."""
    actor.require(Scope.WRITE)
    with write_transaction():
        record = _lock(model, data.id)
        _assign(record, data)
        with redirecting_page(record, now=now):
            return _store(record, data)


def _lock(model: type[R], record_id: int) -> R:
    """Return the record as it is now, locked until the transaction ends; raises ``NotFound``."""
    return row_of(model._default_manager.select_for_update(of=("self",), no_key=True), record_id)


def _assign(record: R, data: Sent) -> None:
    """Set the slug, and of the other columns what was sent.

    A new record without a slug gets one from its name, a stored one keeps its slug.
    Raises ``ValidationFailed`` when the name or the slug belongs to another record.
    """
    for name, value in data.model_dump(mode="json", exclude=_NO_COLUMNS, exclude_unset=True).items():
        setattr(record, name, value)
    if data.slug:
        record.slug = data.slug
    elif record._state.adding:
        record.slug = _derived_slug(record)
    _refuse_taken(record, data)


def _store(record: R, data: Sent) -> R:
    """Write the record; raises ``ValidationFailed`` when another writer took its name or slug meanwhile."""
    try:
        with savepoint():
            record.save()
    except IntegrityError:
        free = record.slug if data.slug or record.pk else _derived_slug(record)
        if free == record.slug:
            _refuse_taken(record, data)
            raise
        record.slug = free
        return _store(record, data)
    return record


def _derived_slug(record: R) -> str:
    """Return the slug that a new record gets from its name, numbered when a record of another name has it."""
    kind = str(record._meta.model_name)
    numbered = free_slug(type(record), record.name, kind=kind)
    # After the slug: a record of this name that takes it in between is seen here, or refused when this one is stored.
    return numbered if same_named(type(record), record.name) is None else slug_for_record(record.name, kind=kind)


def _refuse_taken(record: R, data: Sent) -> None:
    others = type(record)._default_manager.exclude(pk=record.pk)
    taken = ["name"] if _is_name_taken(record) else []
    same_slug = others.filter(slug=record.slug).values_list("pk", flat=True).first()
    if same_slug is not None:
        taken.append("slug")
    if not taken:
        return
    kind = record._meta.model_name
    if taken == ["slug"] and not data.slug:
        hint = f"The {kind} with id {same_slug} has the slug made from it: send that id to change it, or a slug."
        raise ValidationFailed(["name"], hint=hint)
    other = same_slug or _same_name(record)
    that_one = "merge the two tags" if isinstance(record, Tag) else "send that id to change it"
    raise ValidationFailed(taken, hint=f"The {kind} with id {other} has it: {that_one}, or send another one.")


def _same_name(record: R) -> int | None:
    """Return the id of another tag or category of the same name."""
    if isinstance(record, Tag):
        return Tag.objects.filter(key=record.key).exclude(pk=record.pk).values_list("pk", flat=True).first()
    other = same_named(type(record), record.name)
    return None if other is None or other.pk == record.pk else other.pk


def _is_name_taken(record: R) -> bool:
    """Return whether another category or tag has the same name; two series can share one, and so can two authors."""
    rows = type(record)._default_manager
    if isinstance(record, Tag):
        return _same_name(record) is not None
    if not isinstance(record, Category):
        return False
    key = fold(record.name)
    stored = rows.filter(pk=record.pk).first() if record.pk else None
    if stored is not None and fold(stored.name) == key:
        # Two that were stored before 0.2 can be the same but for case: each can still be edited.
        return rows.filter(name=record.name).exclude(pk=record.pk).exists()
    other = same_named(Category, record.name)
    return other is not None and other.pk != record.pk


def _with_avatar(
    author: Author,
    data: CreateAuthor | UpdateAuthor,
    gathered: Gathered | None,
    *,
    files: ImageFiles,
    actor: Actor,
    now: datetime,
) -> Author:
    if "avatar" not in data.model_fields_set:
        return author
    author.avatar = None if gathered is None else stored_image(gathered, files=files, actor_name=actor.name, now=now)
    return _store(author, data)


def _lock_pair(model: type[G], record_id: int, target_id: int | None) -> tuple[G, G | None]:
    if record_id == target_id:
        raise ValidationFailed(["target"], hint="It is deleted itself: choose another one.")
    # In a fixed order, so that two deletions into each other do not deadlock.
    ids = [record_id] if target_id is None else sorted([record_id, target_id])
    rows = {row_id: _lock(model, row_id) for row_id in ids}
    return rows[record_id], None if target_id is None else rows[target_id]


def _delete(model: type[G], record_id: int, *, target_id: int | None, now: datetime) -> None:
    kind = _LIST_KINDS[model]
    with write_transaction():
        record, target = _lock_pair(model, record_id, target_id)
        posts = Post.objects.filter(**{kind.value: record})
        members = lock_members(posts)
        close_record(record, kind=kind, target_id=target_id, posts=posts, members=members)
        if isinstance(target, Series):
            _append(posts, target, now=now)
        else:
            position = {"series_position": None} if kind is ListKind.SERIES else {}
            # Past the guard of posts, as Django itself clears references: a category is not content.
            changed = {kind.value: target, **position, "updated_at": now, "version": F("version") + 1}
            QuerySet.update(posts, **changed)
        _delete_record(record, target, now=now)
        if target is not None:
            change_counts({List(kind, target.pk): number_public(members)})


def _append(posts: QuerySet[Post], target: Series, *, now: datetime) -> None:
    last = Post.objects.filter(series=target).aggregate(last=Max("series_position"))["last"] or 0
    in_order = posts.select_for_update(of=("self",), no_key=True).order_by(
        F("series_position").asc(nulls_last=True), "id"
    )
    for position, post in enumerate(in_order, start=last + 1):
        post.series, post.series_position, post.updated_at = target, position, now
        post.version += 1
        post.store(update_fields=["series", "series_position", "updated_at", "version"])


def _delete_record(record: G, target: G | None, *, now: datetime) -> None:
    move_list_page(_LIST_KINDS[type(record)], record.slug, target.slug if target else None, now=now)
    record.delete()


def _store_positions(positions: Mapping[int, int], *, now: datetime) -> None:
    posts = Post.objects.filter(pk__in=positions)
    # Past the guard of posts: the position is not content. First none, because no two posts of a series have one
    # position at any time.
    QuerySet.update(posts, series_position=None)
    places = Case(*(When(pk=pk, then=Value(place)) for pk, place in positions.items()))
    QuerySet.update(posts, series_position=places, updated_at=now, version=F("version") + 1)


def rename_tag(data: RenameTag, *, actor: Actor, now: datetime) -> Tag:
    """Change the name or the slug of a tag; its posts show the new name, and a new slug redirects its page.

    Raises ``ScopeRequired``, ``NotFound``, or ``ValidationFailed`` naming ``name`` or ``slug`` when another tag has it.
    """
    actor.require(Scope.WRITE)
    with write_transaction():
        tag = _lock(Tag, data.id)
        if data.name is not None:
            tag.name, tag.key = data.name, fold(data.name)
        if data.slug:
            tag.slug = data.slug
        _refuse_taken(tag, data)
        with redirecting_page(tag, now=now):
            return _store(tag, data)


def merge_tags(data: MergeTags, *, actor: Actor, now: datetime) -> Tag:
    """Give the posts of a tag the target instead, delete the tag, and return the target.

    A post that has both keeps the target alone; the order of its tags stays. The page of the tag and its feeds redirect
    to those of the target. Raises ``ScopeRequired``, ``NotFound`` for either tag, and ``ValidationFailed(["target"])``
    when both are the same.
    """
    actor.require(Scope.PUBLISH)
    if data.id == data.target:
        raise ValidationFailed(["target"], hint="It is deleted itself: choose another one.")
    return until_settled(lambda: _merge_tags(data, now=now))


def delete_tag(tag_id: int, *, actor: Actor, now: datetime) -> None:
    """Delete a tag that no post has; its page and its feeds are gone (410).

    Raises ``ScopeRequired``, ``NotFound``, or ``ValidationFailed`` naming no field while a post has the tag.
    """
    actor.require(Scope.PUBLISH)
    until_settled(lambda: _delete_tag(tag_id, now=now))


def _delete_tag(tag_id: int, *, now: datetime) -> None:
    with write_transaction():
        tag = _lock(Tag, tag_id)
        posts = Post.objects.filter(taggings__tag=tag)
        members = lock_members(posts)
        if members:
            raise ValidationFailed(hint="Posts have this tag: merge it into another one instead.")
        close_record(tag, kind=ListKind.TAG, target_id=None, posts=posts, members=members)
        _delete_record(tag, None, now=now)


def _merge_tags(data: MergeTags, *, now: datetime) -> Tag:
    with write_transaction():
        # In a fixed order, so that two merges into each other do not deadlock.
        rows = {tag_id: _lock(Tag, tag_id) for tag_id in sorted([data.id, data.target])}
        tag, target = rows[data.id], rows[data.target]
        posts = Post.objects.filter(taggings__tag=tag)
        members = lock_members(posts)
        close_record(tag, kind=ListKind.TAG, target_id=target.pk, posts=posts, members=members)
        # Past the guard of posts: a tag is not content.
        QuerySet.update(posts, updated_at=now, version=F("version") + 1)
        twice = PostTag.objects.filter(tag=tag, post__taggings__tag=target)
        kept = set(twice.values_list("post", flat=True))
        twice.delete()
        PostTag.objects.filter(tag=tag).update(tag=target)
        _delete_record(tag, target, now=now)
        gained = [pk for pk, status in members.items() if status == PostStatus.PUBLISHED and pk not in kept]
        change_counts({List(ListKind.TAG, target.pk): len(gained)})
        return target
