"""Deleting a record while other writers may be giving it to further posts.

The locks come in the order of other writers: the posts of the record, the redirects, the numbers of posts in lists, and
last the record itself, for which foreign keys wait when such a writer commits.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from django.db.models import QuerySet

from blog_engine.enums import ListKind, PostStatus
from blog_engine.models import Author, Category, Post, Series, Tag
from blog_engine.queries.records import row_of
from blog_engine.services._transaction import lock_redirects
from blog_engine.services.counts import lock_counts

R = TypeVar("R")


class JoinedMeanwhile(Exception):
    """Another post got the record since its posts were locked."""


def until_settled(delete: Callable[[], R]) -> R:
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
