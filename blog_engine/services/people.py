"""The author that a user of the host is: at most one, and an author belongs to at most one user."""

from collections.abc import Callable
from datetime import datetime

from django.db import IntegrityError

from blog_engine.actor import USER_PREFIX, Actor, Scope
from blog_engine.errors import ScopeRequired, ValidationFailed
from blog_engine.inputs.records import CreateAuthor
from blog_engine.models import Author
from blog_engine.services._transaction import savepoint, write_transaction
from blog_engine.services.records import create_author


def store_author_of_user(store: Callable[[], Author], *, user_pk: object) -> Author:
    """Store an author with ``store``, and let it belong to a user, or to none, in one transaction.

    Raises ``ValidationFailed(["user"])`` when another author belongs to the user, and what ``store`` raises.
    """
    with write_transaction():
        author = store()
        _link(author, user_pk)
        return author


def take_byline(data: CreateAuthor, *, actor: Actor, now: datetime) -> Author:
    """Let the author of this name, or else a new one, belong to the actor, who is a user of the host.

    Raises ``ScopeRequired`` for an actor who is no user or lacks ``write``, ``ValidationFailed(["name"])`` when the
    author belongs to another user, ``ValidationFailed(["user"])`` when the actor has an author, and what
    ``create_author`` raises.
    """
    actor.require(Scope.WRITE)
    if actor.user is None:
        raise ScopeRequired(hint="Only a signed-in user of the site has a byline.")
    user_pk = actor.user.removeprefix(USER_PREFIX)
    with write_transaction():
        named = Author.objects.filter(name=data.name).select_for_update(of=("self",), no_key=True).order_by("pk")
        found = list(named)
        free = next((author for author in found if author.user_id is None), None)
        if found and free is None:
            raise ValidationFailed(["name"], hint="Another user writes under that name.")
        author = free or create_author(data, actor=actor, now=now)
        _link(author, user_pk)
        return author


def _link(author: Author, user_pk: object) -> None:
    """Store the user of an author; raises ``ValidationFailed(["user"])`` when another author has the user."""
    try:
        with savepoint():
            Author.objects.filter(pk=author.pk).update(user=user_pk)
    except IntegrityError as taken:
        raise ValidationFailed(["user"], hint="Another author belongs to this user.") from taken
