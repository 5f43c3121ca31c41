"""Users of the host, and the authors that belong to them."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db.models import Q, QuerySet

from blog_engine.actor import USER_PREFIX
from blog_engine.content.text import fold
from blog_engine.models import Author, Coauthor, Post
from blog_engine.queries.desk_lists import MOST_LISTED, NEWEST
from blog_engine.queries.reviewers import name_of_user

MOST_USERS: Final = 50
"""The names that a form suggests."""


def author_of_user(user_pk: Any) -> Author | None:
    """Return the author that belongs to a user, with its name alone; one query."""
    return Author.objects.filter(user=user_pk).only("name").order_by().first()


def user_named(name: str) -> Any:
    """Return the user with this user name, or ``None``; one query."""
    model: Any = get_user_model()
    return model._default_manager.filter(**{model.USERNAME_FIELD: name}).order_by().first()


def user_name_of(user_pk: Any) -> str:
    """Return the user name of a user, or nothing of one that does not exist; one query."""
    model: Any = get_user_model()
    user = model._default_manager.filter(pk=user_pk).order_by().first()
    return "" if user is None else str(user.get_username())


def user_names() -> list[str]:
    """Return the first user names of those who can open the desk; one query."""
    model: Any = get_user_model()
    own = {column.name for column in model._meta.concrete_fields}
    staff = {name: True for name in ("is_staff", "is_active") if name in own}
    names = model._default_manager.filter(**staff).order_by(model.USERNAME_FIELD)
    return [str(name) for name in names.values_list(model.USERNAME_FIELD, flat=True)[:MOST_USERS]]


def names_of_users(names: Collection[str], *, most: int | None = None) -> list[str]:
    """Return those of the names that a user has as full name or user name, as ``fold`` compares them.

    Python compares them, because no database folds width and white space; one query reads the users in chunks, or
    those ``most`` of them who can open the desk first.
    """
    if not names:
        return []
    wanted = {fold(name) for name in names}
    found = {key for user in _named_users(most) for key in map(fold, _names_of(user)) if key in wanted}
    return [name for name in names if fold(name) in found]


def _named_users(most: int | None) -> Iterator[Any]:
    model: Any = get_user_model()
    own = {column.name for column in model._meta.concrete_fields}
    users = model._default_manager.order_by(*(["-is_staff"] if "is_staff" in own else []), "pk")
    if getattr(model, "get_full_name", None) is AbstractUser.get_full_name:
        users = users.only(model.USERNAME_FIELD, "first_name", "last_name")
    if most is not None:
        return iter(users[:most])
    found: Iterator[Any] = users.iterator(chunk_size=_CHUNK)
    return found


def _names_of(user: Any) -> tuple[str, str]:
    return name_of_user(user), str(user.get_username())


_CHUNK: Final = 2_000


def names_of_free_authors() -> list[str]:
    """Return the first names of authors who belong to no user; one query."""
    names = Author.objects.filter(user=None).order_by("name").values_list("name", flat=True)
    return list(names[:MOST_USERS])


def coauthored_by(authors: Iterable[int] | QuerySet[Any]) -> Q:
    """Return the condition that one of these authors is a further author of a post."""
    return Q(pk__in=Coauthor.objects.filter(author__in=authors).order_by().values("post"))


def by_person(user_pk: Any) -> tuple[Q, ...]:
    """Return the conditions that a post is a user's own: the user's author signs it, or the user made it.

    An index has each of them, but none has several.
    """
    author = Author.objects.filter(user=user_pk).order_by().values("pk")
    return Q(author=author[:1]), coauthored_by(author), Q(created_by=f"{USER_PREFIX}{user_pk}")


def own_posts(posts: QuerySet[Post], user_pk: Any) -> QuerySet[Post]:
    """Return those of the posts that are a user's own: of either kind, the newest ``MOST_LISTED``."""
    return posts.filter(pk__in=_any_of(by_person(user_pk)))


def posts_concerning(user_pk: Any) -> QuerySet[Post]:
    """Return a user's own posts, and those for which the user is asked for a review."""
    return Post.objects.filter(pk__in=_any_of([*by_person(user_pk), Q(review_asked=str(user_pk))]))


def _any_of(conditions: Iterable[Q]) -> QuerySet[Any]:
    """Return the ids of the newest posts with one of the conditions, each of which an index has."""
    # SQLite takes a limit in a subquery, but not in a part of a union.
    newest = [Post.objects.filter(one).order_by(*NEWEST).values("pk")[: MOST_LISTED + 1] for one in conditions]
    first, *others = (Post.objects.filter(pk__in=rows).order_by().values("pk") for rows in newest)
    return first.union(*others)
