"""Renaming, merging and deleting tags."""

from datetime import datetime

from django.db import IntegrityError
from django.db.models import F, QuerySet

from blog_engine.actor import Actor, Scope
from blog_engine.content.text import fold
from blog_engine.enums import ListKind, PostStatus
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.records import MergeTags, RenameTag
from blog_engine.models import Post, PostTag, Tag
from blog_engine.queries.records import row_of
from blog_engine.services._members import close_record, lock_members, until_settled
from blog_engine.services._redirects import move_list_page
from blog_engine.services._transaction import savepoint, write_transaction
from blog_engine.services.counts import List, change_counts
from blog_engine.services.records import redirecting_page


def rename_tag(data: RenameTag, *, actor: Actor, now: datetime) -> Tag:
    """Change the name or the slug of a tag; its posts show the new name, and a new slug redirects its page.

    Raises ``ScopeRequired``, ``NotFound``, or ``ValidationFailed`` naming ``name`` or ``slug`` when another tag has it.
    """
    actor.require(Scope.WRITE)
    with write_transaction():
        tag = _lock(data.id)
        if data.name is not None:
            tag.name, tag.key = data.name, fold(data.name)
        if data.slug:
            tag.slug = data.slug
        _refuse_taken(tag)
        with redirecting_page(tag, now=now):
            _store(tag)
        return tag


def merge_tags(data: MergeTags, *, actor: Actor, now: datetime) -> Tag:
    """Give the posts of a tag the target instead, delete the tag, and return the target.

    A post that has both keeps the target alone; the order of its tags stays. The page of the tag and its feeds redirect
    to those of the target. Raises ``ScopeRequired``, ``NotFound`` for either tag, and ``ValidationFailed(["target"])``
    when both are the same.
    """
    actor.require(Scope.PUBLISH)
    if data.id == data.target:
        raise ValidationFailed(["target"], hint="It is deleted itself: choose another one.")
    return until_settled(lambda: _merge(data, now=now))


def delete_tag(tag_id: int, *, actor: Actor, now: datetime) -> None:
    """Delete a tag that no post has; its page and its feeds are gone (410).

    Raises ``ScopeRequired``, ``NotFound``, or ``ValidationFailed`` naming no field while a post has the tag.
    """
    actor.require(Scope.PUBLISH)
    until_settled(lambda: _delete(tag_id, now=now))


def _delete(tag_id: int, *, now: datetime) -> None:
    with write_transaction():
        tag = _lock(tag_id)
        posts = Post.objects.filter(taggings__tag=tag)
        members = lock_members(posts)
        if members:
            raise ValidationFailed(hint="Posts have this tag: merge it into another one instead.")
        close_record(tag, kind=ListKind.TAG, target_id=None, posts=posts, members=members)
        move_list_page(ListKind.TAG, tag.slug, None, now=now)
        tag.delete()


def _merge(data: MergeTags, *, now: datetime) -> Tag:
    with write_transaction():
        # In a fixed order, so that two merges into each other do not deadlock.
        rows = {tag_id: _lock(tag_id) for tag_id in sorted([data.id, data.target])}
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
        move_list_page(ListKind.TAG, tag.slug, target.slug, now=now)
        tag.delete()
        gained = [pk for pk, status in members.items() if status == PostStatus.PUBLISHED and pk not in kept]
        change_counts({List(ListKind.TAG, target.pk): len(gained)})
        return target


def _lock(tag_id: int) -> Tag:
    """Return the tag as it is now, locked until the transaction ends; raises ``NotFound``."""
    return row_of(Tag.objects.select_for_update(of=("self",), no_key=True), tag_id)


def _store(tag: Tag) -> None:
    try:
        with savepoint():
            tag.save()
    except IntegrityError:
        # Another writer took the name or the slug meanwhile: now it can be seen.
        _refuse_taken(tag)
        raise


def _refuse_taken(tag: Tag) -> None:
    others = Tag.objects.exclude(pk=tag.pk)
    values = {"name": {"key": tag.key}, "slug": {"slug": tag.slug}}
    taken = [name for name, value in values.items() if others.filter(**value).exists()]
    if taken:
        raise ValidationFailed(taken, hint="Another tag has it already: send another one, or merge the two tags.")
