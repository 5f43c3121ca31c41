"""Recording by hand that an address moved or was removed."""

from datetime import datetime

from django.utils.timezone import localdate

from blog_engine.actor import Actor, Scope
from blog_engine.errors import NotFound, SlugReserved, ValidationFailed
from blog_engine.inputs.redirects import SaveRedirect
from blog_engine.models import Post, Redirect
from blog_engine.queries.redirects import is_address_of_post, redirect_at
from blog_engine.services._redirect_target import end_of_target
from blog_engine.services._redirects import lead
from blog_engine.services._transaction import lock_redirects, locked_post, write_transaction
from blog_engine.vocabulary import RedirectSource


def add_redirect(data: SaveRedirect, *, actor: Actor, now: datetime) -> Redirect:
    """A new row of the source ``manual``; rows that led to its path lead to its target now (records.md 10).

    Raises ``ScopeRequired``, ``NotFound`` for the post, ``SlugReserved`` for the address of a stored post in
    whatever spelling or format, ``ValidationFailed(["old_path"])`` for a path that has a row already, or
    ``ValidationFailed(["new_path"])`` for a target that leads back.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        # In the order of every other writer: who holds a post may be waiting for the redirects.
        post = _locked_owner(data.post_id)
        lock_redirects()
        _refuse_taken(data.old_path)
        return lead(
            data.old_path,
            end_of_target(data.new_path, start=data.old_path, field="new_path") if data.new_path is not None else None,
            source=RedirectSource.MANUAL,
            occurred_on=data.occurred_on or localdate(now),
            post=post,
            now=now,
        )


def _locked_owner(post_id: int | None) -> Post | None:
    if post_id is None:
        return None
    post = locked_post(post_id)
    if post is None:
        raise NotFound(hint="No post has that post_id: list the posts to find its id.")
    return post


def _refuse_taken(path: str) -> None:
    if is_address_of_post(path):
        raise SlugReserved(hint="A stored post has that address: remove the post and send redirect_to with that.")
    if redirect_at(path) is not None:
        raise ValidationFailed(
            ["old_path"], hint="There is a redirect from this path already: list the redirects to find it."
        )
