"""The numbers of public posts in lists, changed with each write.

Change them last in a transaction: writers of other posts wait for these rows.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from django.db import connections, router
from django.db.models import Count

from blog_engine.enums import ListKind, PostStatus
from blog_engine.models import Coauthor, ListCount, Post, PostTag, when_public
from blog_engine.queries.listings import SUBJECTS
from blog_engine.services._transaction import write_transaction

_BATCH: Final = 500


class List(NamedTuple):
    """A list that a post can be in."""

    kind: ListKind
    subject_id: int
    column: str = "posts"
    """The column that counts it: further authors have their own."""


def lists_of(post: Post) -> Counter[List]:
    """Return the lists that a post is in, except those of its tags; none if the post is not public."""
    if post.status != PostStatus.PUBLISHED:
        return Counter()
    subjects = {
        ListKind.CATEGORY: post.category_id,
        ListKind.SERIES: post.series_id,
        ListKind.AUTHOR: post.author_id,
    }
    lists = Counter(List(kind, subject_id) for kind, subject_id in subjects.items() if subject_id is not None)
    return lists + Counter(List(ListKind.AUTHOR, subject_id, "coauthored") for subject_id in post.coauthor_ids)


def lists_in(kind: ListKind, subject_ids: Iterable[int]) -> Counter[List]:
    """Return the lists of these records."""
    return Counter(List(kind, subject_id) for subject_id in subject_ids)


def tags_given(post: Post) -> list[int]:
    """Return the ids of the stored tags of a post; one query."""
    return list(PostTag.objects.filter(post=post).values_list("tag_id", flat=True))


def count_lists(*, before: Counter[List], after: Counter[List]) -> None:
    """Count a post that was in some lists and is now in others; one query for each kind of list that differs."""
    changed = after.copy()
    changed.subtract(before)
    change_counts(changed)


def change_counts(changed: Mapping[List, int]) -> None:
    """Add these numbers to those of the lists."""
    of_kind: defaultdict[ListKind, dict[int, dict[str, int]]] = defaultdict(dict)
    for (kind, subject_id, column), number in changed.items():
        if number:
            of_kind[kind].setdefault(subject_id, {})[column] = number
    # In one order, so that two writers do not deadlock.
    for kind in ListKind:
        if kind in of_kind:
            _add(kind, dict(sorted(of_kind[kind].items())))


def lock_counts(kind: ListKind, subject_ids: Iterable[int]) -> None:
    """Lock the numbers of these lists, in the order in which they are changed."""
    column = f"{kind}_id"
    rows = ListCount.objects.select_for_update(of=("self",)).filter(**{f"{column}__in": list(subject_ids)})
    list(rows.order_by(column).values_list("pk"))


def _add(kind: ListKind, numbers: Mapping[int, Mapping[str, int]]) -> None:
    # Django's ``bulk_create(update_conflicts=True)`` can only overwrite.
    table, column = ListCount._meta.db_table, f"{kind}_id"
    rows = ", ".join(["(%s, %s, %s)"] * len(numbers))
    with connections[router.db_for_write(ListCount)].cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({column}, posts, coauthored) VALUES {rows} "  # noqa: S608 - our own names
            f"ON CONFLICT ({column}) DO UPDATE SET posts = {table}.posts + excluded.posts, "
            f"coauthored = {table}.coauthored + excluded.coauthored",
            [
                value
                for subject_id, of_list in numbers.items()
                for value in (subject_id, of_list.get("posts", 0), of_list.get("coauthored", 0))
            ],
        )


def recount_lists() -> None:
    """Count the public posts of every list again, for rows that something else than a service has written."""
    with write_transaction():
        connection = connections[router.db_for_write(ListCount)]
        if connection.vendor == "postgresql":
            # Writers that have changed a post wait, or are waited for, so that none of their changes is lost.
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {ListCount._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")
        ListCount.objects.all().delete()
        for kind, model in SUBJECTS.items():
            public = model._default_manager.filter(when_public("posts__"))
            counted = public.annotate(total=Count("posts")).order_by("pk").values_list("pk", "total")
            change_counts({List(kind, pk): total for pk, total in counted})
        further = Coauthor.objects.filter(when_public("post__")).order_by("author").values("author")
        coauthored = further.annotate(total=Count("pk")).values_list("author", "total")
        change_counts({List(ListKind.AUTHOR, pk, "coauthored"): total for pk, total in coauthored})
