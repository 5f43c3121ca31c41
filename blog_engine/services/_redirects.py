"""Redirect rows of slug moves, withdrawals and returns, all under one lock (records.md 5.3)."""

from datetime import datetime

from django.db.models import QuerySet
from django.utils.timezone import localdate

from blog_engine.addresses import mount, stored_post_path
from blog_engine.errors import SlugReserved, ValidationFailed
from blog_engine.models import Post, Redirect
from blog_engine.queries.redirects import path_key
from blog_engine.services._transaction import lock_redirects
from blog_engine.vocabulary import RedirectSource

_FOLLOW_THE_POST = [
    source.value
    for source in (
        RedirectSource.SLUG_CHANGE,
        RedirectSource.ADOPTION,
        RedirectSource.UNPUBLISH,
        RedirectSource.REMOVAL,
    )
]


def move_address(post: Post, *, old_slug: str, now: datetime) -> None:
    """A public post has a new slug: its old address and all that led there lead to the new one."""
    lock_redirects()
    old, new = stored_post_path(old_slug), stored_post_path(post.slug)
    _retarget(Redirect.objects.filter(new_key=path_key(old)), new, now=now)
    _lead(post, old, new, source=RedirectSource.SLUG_CHANGE, now=now)


def withdraw_address(post: Post, *, target: str | None, source: RedirectSource, now: datetime) -> None:
    """A post left its address: it leads to ``target`` now, or is gone when that is ``None``.

    Raises ``SlugReserved`` when another record decides about the address.
    """
    lock_redirects()
    path = stored_post_path(post.slug)
    _retarget(Redirect.objects.filter(new_key=path_key(path)), target, now=now)
    _lead(post, path, target, source=source, now=now)


def return_to_address(post: Post, *, now: datetime) -> None:
    """A post is public at its slug again: its own row there goes, its former addresses lead here."""
    lock_redirects()
    path = stored_post_path(post.slug)
    Redirect.objects.filter(post=post, old_key=path_key(path)).delete()
    _retarget(Redirect.objects.filter(post=post, source__in=_FOLLOW_THE_POST), path, now=now)


def end_of_chain(target: str, *, start: str) -> str | None:
    """Where a target finally leads through the stored rows; ``None`` when the chain ends in a removal.

    Call it under the lock. Raises ``ValidationFailed(["redirect_to"])`` when the chain comes back to
    ``start`` or to itself; a query, a fragment and the format of a page (``.md``, ``.html``) make no difference.
    """
    seen = {_address_key(start)}
    current: str | None = target
    while current is not None:
        key = _address_key(current)
        if key in seen:
            raise ValidationFailed(["redirect_to"], hint="The target leads back to this address.")
        seen.add(key)
        row = Redirect.objects.filter(old_key__in={key, path_key(_bare(current))}).first()
        if row is None:
            return current
        current = row.new_path
    return None


def _address_key(path: str) -> str:
    bare = _bare(path)
    in_the_blog = bare.startswith(f"{mount()}/")
    return path_key(bare.removesuffix(".md").removesuffix(".html") if in_the_blog else bare)


def _bare(path: str) -> str:
    return path.split("#", 1)[0].split("?", 1)[0]


def _lead(post: Post, old: str, new: str | None, *, source: RedirectSource, now: datetime) -> None:
    row = Redirect.objects.filter(old_key=path_key(old)).first()
    if row is None:
        Redirect.objects.create(
            old_path=old,
            old_key=path_key(old),
            new_path=new,
            new_key=_target_key(new),
            source=source.value,
            occurred_on=localdate(now),
            post=post,
        )
    elif row.post_id == post.pk:
        _retarget(Redirect.objects.filter(pk=row.pk), new, now=now)
    else:
        raise SlugReserved(hint="A redirect of another record uses the post's address.")


def _retarget(rows: QuerySet[Redirect], target: str | None, *, now: datetime) -> None:
    rows.update(new_path=target, new_key=_target_key(target), updated_at=now)


def _target_key(target: str | None) -> str | None:
    return path_key(_bare(target)) if target is not None else None
