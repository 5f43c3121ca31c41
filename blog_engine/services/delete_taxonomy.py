"""Deleting categories and series: their posts and their pages go to another one, or their pages are gone."""

from datetime import datetime
from typing import TypeVar

from django.db.models import F, Max, QuerySet

from blog_engine.actor import Actor, Scope
from blog_engine.errors import ValidationFailed
from blog_engine.models import Category, Post, Series
from blog_engine.services._records import LIST_KINDS, locked
from blog_engine.services._redirects import move_list_page
from blog_engine.services._transaction import lock_redirects, write_transaction

G = TypeVar("G", Category, Series)


def delete_category(category_id: int, *, target_id: int | None, actor: Actor, now: datetime) -> None:
    """Delete a category. Its posts are filed under ``target_id``, and its page redirects there.

    Without a target, the posts have no category, and the page is gone (410). Raises ``ScopeRequired``, ``NotFound``
    for either category, and ``ValidationFailed(["target"])`` when both are the same.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        category, target = _locked_pair(Category, category_id, target_id)
        # Past the guard of posts, as Django itself clears references: a category is not content.
        QuerySet.update(Post.objects.filter(category=category), category=target, updated_at=now)
        _delete(category, target, now=now)


def delete_series(series_id: int, *, target_id: int | None, actor: Actor, now: datetime) -> None:
    """Delete a series; its posts follow those of ``target_id``, in their order, or belong to none.

    Raises what ``delete_category`` raises.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        series, target = _locked_pair(Series, series_id, target_id)
        posts = Post.objects.filter(series=series)
        if target is not None:
            _append(posts, target, now=now)
        else:
            QuerySet.update(posts, series=None, series_position=None, updated_at=now)
        _delete(series, target, now=now)


def _locked_pair(model: type[G], record_id: int, target_id: int | None) -> tuple[G, G | None]:
    if record_id == target_id:
        raise ValidationFailed(["target"], hint="It is deleted itself: choose another one.")
    # In one order, so that two deletions into each other do not wait for each other.
    ids = [record_id] if target_id is None else sorted([record_id, target_id])
    rows = {row_id: locked(model, row_id) for row_id in ids}
    return rows[record_id], None if target_id is None else rows[target_id]


def _append(posts: QuerySet[Post], target: Series, *, now: datetime) -> None:
    last = Post.objects.filter(series=target).aggregate(last=Max("series_position"))["last"] or 0
    in_order = posts.select_for_update(of=("self",), no_key=True).order_by(
        F("series_position").asc(nulls_last=True), "id"
    )
    for position, post in enumerate(in_order, start=last + 1):
        post.series, post.series_position, post.updated_at = target, position, now
        post.store(update_fields=["series", "series_position", "updated_at"])


def _delete(record: G, target: G | None, *, now: datetime) -> None:
    # Before the row goes: that waits for writers of posts, who may be waiting for the redirects.
    lock_redirects()
    move_list_page(LIST_KINDS[type(record)], record.slug, target.slug if target else None, now=now)
    record.delete()
