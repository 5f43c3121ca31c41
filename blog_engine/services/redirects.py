"""Redirects: of moved and withdrawn posts and list pages, and those that an editor adds and deletes."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from django.db.models import QuerySet
from django.utils.timezone import localdate

from blog_engine.actor import Actor, Scope
from blog_engine.blog_urls import origin_parts, stored_list_paths, stored_path, stored_post_path
from blog_engine.conf import get_settings
from blog_engine.content.text import is_slug
from blog_engine.enums import ListKind, RedirectSource
from blog_engine.errors import NotFound, Refusal, SlugReserved, ValidationFailed
from blog_engine.inputs.records import RedirectRef, SaveRedirect
from blog_engine.models import Post, Redirect
from blog_engine.queries.redirects import is_post_path, path_key, redirect_at, without_format
from blog_engine.services._transaction import lock_post, lock_redirects, write_transaction


class MadeRedirect(NamedTuple):
    """A redirect that a write made or moved; the path is gone while ``new_path`` is ``None``."""

    old_path: str
    new_path: str | None


def end_of_target(sent: str, *, start: str, field: str) -> str | None:
    """Return the end of the chain of redirects behind a sent target; ``None`` when it ends in a removal.

    A slug means the path of a post, and a URL of this site its path. ``start`` is the stored path that is to redirect
    to the target. Call it under the lock over the redirects. Raises ``ValidationFailed`` naming ``field`` when the
    chain returns to ``start`` or to itself, whatever the query, fragment and format (``.md``, ``.html``).
    """
    # A path with a query only returns to exactly itself: the page without the query is another one.
    seen = set() if "?" in start else {_page_of(start)}
    current: str | None = stored_post_path(sent) if is_slug(sent) else _on_own_site(sent)
    while current is not None:
        page = _page_of(current)
        if page in seen or path_key(current) == path_key(start):
            raise ValidationFailed([field], hint="The target redirects back to this path: send another one.")
        seen.add(page)
        row = redirect_at(without_query(current), page)
        if row is None:
            return current
        current = row.new_path
    return None


def without_query(target: str) -> str:
    """Return a target without its query and fragment."""
    return target.split("#", 1)[0].split("?", 1)[0]


def _page_of(target: str) -> str:
    return without_format(without_query(target))


def _on_own_site(target: str) -> str:
    """Return a URL of this site as a stored path, and any other URL as it was sent."""
    base = get_settings().public_base_url
    if base is None or origin_parts(target) != origin_parts(base):
        return target
    parts = urlsplit(target)
    path = parts._replace(scheme="", netloc="", path=parts.path or "/").geturl()
    # Two slashes at the start would name another host.
    return target if path.startswith("//") else stored_path(path) or target


_FOLLOW_THE_POST = [
    source.value
    for source in (
        RedirectSource.SLUG_CHANGE,
        RedirectSource.ADOPTION,
        RedirectSource.UNPUBLISH,
        RedirectSource.REMOVAL,
    )
]


def move_path(post: Post, *, old_slug: str, now: datetime) -> MadeRedirect:
    """Redirect the old path of a public post, and all paths that redirected there, to the new one."""
    lock_redirects()
    old, new = stored_post_path(old_slug), stored_post_path(post.slug)
    return _redirect_own(post, old, new, source=RedirectSource.SLUG_CHANGE, now=now)


def withdraw_path(post: Post, *, target: str | None, source: RedirectSource, now: datetime) -> MadeRedirect:
    """Redirect the path of a post that is no longer public to ``target``, or record that it is gone without one.

    Raises ``SlugReserved`` when a redirect of another record has the path.
    """
    lock_redirects()
    return _redirect_own(post, stored_post_path(post.slug), target, source=source, now=now)


def return_to_path(post: Post, *, now: datetime) -> None:
    """Delete the redirect from the path of a post that is public again, and redirect its former paths there."""
    lock_redirects()
    path = stored_post_path(post.slug)
    Redirect.objects.filter(post=post, old_key=path_key(path)).delete()
    _retarget(Redirect.objects.filter(post=post, source__in=_FOLLOW_THE_POST), path, now=now)


def move_list_page(kind: ListKind, old_slug: str, new_slug: str | None, *, now: datetime) -> list[MadeRedirect]:
    """Redirect a list page and its feeds to those at ``new_slug``, or record that they are gone when it is ``None``.

    Redirects that led to the old page follow. Call it under the lock over the redirects.
    """
    olds = stored_list_paths(kind, old_slug)
    news: Sequence[str | None] = stored_list_paths(kind, new_slug) if new_slug else [None] * len(olds)
    if new_slug:
        # The page is served there again: a row that an earlier name left would lead in a circle.
        left = Redirect.objects.filter(old_key__in=[path_key(new) for new in news if new], post=None)
        left.exclude(source=RedirectSource.MANUAL.value).delete()
    source = RedirectSource.SLUG_CHANGE if new_slug else RedirectSource.REMOVAL
    for old, new in zip(olds, news, strict=True):
        at_old = Redirect.objects.filter(old_key=path_key(old))
        if at_old.exists():
            _retarget(Redirect.objects.filter(new_key=path_key(old)) | at_old, new, now=now)
        else:
            create_redirect(old, new, source=source, occurred_on=localdate(now), post=None, now=now)
    return list(map(MadeRedirect, olds, news))


def create_redirect(
    old: str, target: str | None, *, source: RedirectSource, occurred_on: date, post: Post | None, now: datetime
) -> Redirect:
    """Redirect ``old``, and every path that redirected there, to ``target``, or record that it is gone.

    Call it under the lock over the redirects.
    """
    _retarget(Redirect.objects.filter(new_key=path_key(old)), target, now=now)
    return Redirect.objects.create(
        old_path=old,
        old_key=path_key(old),
        new_path=target,
        new_key=_target_key(target),
        source=source.value,
        occurred_on=occurred_on,
        post=post,
        created_at=now,
    )


def _redirect_own(post: Post, old: str, target: str | None, *, source: RedirectSource, now: datetime) -> MadeRedirect:
    row = Redirect.objects.filter(old_key=path_key(old)).first()
    if row is None:
        create_redirect(old, target, source=source, occurred_on=localdate(now), post=post, now=now)
    elif row.post_id == post.pk:
        _retarget(Redirect.objects.filter(new_key=path_key(old)) | Redirect.objects.filter(pk=row.pk), target, now=now)
    else:
        raise SlugReserved(
            hint="Another record has a redirect from the path of this post: list the redirects to find it."
        )
    return MadeRedirect(old, target)


def _retarget(rows: QuerySet[Redirect], target: str | None, *, now: datetime) -> None:
    rows.update(new_path=target, new_key=_target_key(target), updated_at=now)


def _target_key(target: str | None) -> str | None:
    return path_key(without_query(target)) if target is not None else None


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
