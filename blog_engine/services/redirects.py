"""Redirects that an editor adds and deletes."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.timezone import localdate

from blog_engine.actor import Actor, Scope
from blog_engine.enums import RedirectSource
from blog_engine.errors import NotFound, Refusal, SlugReserved, ValidationFailed
from blog_engine.inputs.records import RedirectRef, SaveRedirect
from blog_engine.models import Post, Redirect
from blog_engine.queries.redirects import is_post_path, redirect_at
from blog_engine.services._redirects import create_redirect, end_of_target
from blog_engine.services._transaction import lock_post, lock_redirects, write_transaction


def add_redirect(data: SaveRedirect, *, actor: Actor, now: datetime) -> Redirect:
    """Store a redirect of the source ``manual``; redirects to its path then go to its target.

    An equal one changes nothing, and ``is_new`` of the returned row is false. Raises ``ScopeRequired``, ``NotFound``
    for the post, ``SlugReserved`` for the path of a stored post in whatever spelling or format,
    ``ValidationFailed(["old_path"])`` for a path that has another redirect, or ``ValidationFailed(["new_path"])`` for a
    target that redirects back.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        # In the order of every other writer: one that holds a post may be waiting for the redirects.
        post = _locked_owner(data.post_id)
        lock_redirects()
        return _add(data, post=post, now=now)


def add_redirects(many: Sequence[SaveRedirect], *, actor: Actor, now: datetime) -> list[Redirect]:
    """Store redirects in their order, all or none, each as ``add_redirect`` does.

    Raises what that raises, with the fields named as those of ``redirects`` and the position in the hint.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        posts = {post_id: _locked_owner(post_id) for post_id in sorted({one.post_id for one in many if one.post_id})}
        lock_redirects()
        return [_add_of_many(position, one, posts, now=now) for position, one in enumerate(many)]


def _add_of_many(position: int, data: SaveRedirect, posts: Mapping[int, Post | None], *, now: datetime) -> Redirect:
    try:
        return _add(data, post=posts[data.post_id] if data.post_id else None, now=now)
    except Refusal as refusal:
        names = [f"redirects.{name}" for name in refusal.details]
        raise type(refusal)(names, hint=f"redirects[{position}]: {refusal.hint}") from refusal


def _add(data: SaveRedirect, *, post: Post | None, now: datetime) -> Redirect:
    if is_post_path(data.old_path):
        raise SlugReserved(hint="A stored post has that path: remove the post and send redirect_to with that.")
    stored = redirect_at(data.old_path)
    target = None
    if data.new_path is not None:
        target = end_of_target(data.new_path, start=data.old_path, field="new_path")
    if stored is not None:
        is_equal = (stored.new_path, stored.post_id) == (target, data.post_id)
        if is_equal and data.occurred_on in (None, stored.occurred_on):
            return _marked(stored, is_new=False)
        raise ValidationFailed(
            ["old_path"], hint="There is another redirect from this path already: list the redirects to find it."
        )
    day = data.occurred_on or localdate(now)
    row = create_redirect(data.old_path, target, source=RedirectSource.MANUAL, occurred_on=day, post=post, now=now)
    return _marked(row, is_new=True)


def _marked(row: Redirect, *, is_new: bool) -> Redirect:
    row.is_new = is_new
    return row


def _locked_owner(post_id: int | None) -> Post | None:
    if post_id is None:
        return None
    post = lock_post(post_id)
    if post is None:
        raise NotFound(hint="No post has that post_id: list the posts to find its id.")
    return post


def delete_redirect(data: RedirectRef, *, actor: Actor) -> None:
    """Delete a redirect of any source: its path is then unknown (404) and free for a new post.

    Raises ``ScopeRequired`` or ``NotFound``.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        lock_redirects()
        deleted, _ = Redirect.objects.filter(pk=data.id).delete()
        if not deleted:
            raise NotFound(hint="No redirect has that id: list the redirects to find it.")
