"""Redirect rows and how they follow each other, all under one lock (records.md 5.3)."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db.models import QuerySet
from django.utils.timezone import localdate

from blog_engine.addresses import stored_list_paths, stored_post_path
from blog_engine.errors import SlugReserved
from blog_engine.models import Post, Redirect
from blog_engine.queries.redirects import path_key
from blog_engine.services._redirect_target import without_query
from blog_engine.services._transaction import lock_redirects
from blog_engine.vocabulary import ListKind, RedirectSource

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
    _lead_own(post, old, new, source=RedirectSource.SLUG_CHANGE, now=now)


def withdraw_address(post: Post, *, target: str | None, source: RedirectSource, now: datetime) -> None:
    """A post left its address: it leads to ``target`` now, or is gone when that is ``None``.

    Raises ``SlugReserved`` when another record decides about the address.
    """
    lock_redirects()
    _lead_own(post, stored_post_path(post.slug), target, source=source, now=now)


def return_to_address(post: Post, *, now: datetime) -> None:
    """A post is public at its slug again: its own row there goes, its former addresses lead here."""
    lock_redirects()
    path = stored_post_path(post.slug)
    Redirect.objects.filter(post=post, old_key=path_key(path)).delete()
    _retarget(Redirect.objects.filter(post=post, source__in=_FOLLOW_THE_POST), path, now=now)


def move_list_page(kind: ListKind, old_slug: str, new_slug: str | None, *, now: datetime) -> None:
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
            lead(old, new, source=source, occurred_on=localdate(now), post=None, now=now)


def lead(
    old: str, target: str | None, *, source: RedirectSource, occurred_on: date, post: Post | None, now: datetime
) -> Redirect:
    """A new row: ``old``, and every row that led there, leads to ``target`` or is gone. Call it under the lock."""
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


def _lead_own(post: Post, old: str, target: str | None, *, source: RedirectSource, now: datetime) -> None:
    row = Redirect.objects.filter(old_key=path_key(old)).first()
    if row is None:
        lead(old, target, source=source, occurred_on=localdate(now), post=post, now=now)
    elif row.post_id == post.pk:
        _retarget(Redirect.objects.filter(new_key=path_key(old)) | Redirect.objects.filter(pk=row.pk), target, now=now)
    else:
        raise SlugReserved(
            hint="A redirect from the post's address is there already and not its own: list the redirects to find it."
        )


def _retarget(rows: QuerySet[Redirect], target: str | None, *, now: datetime) -> None:
    rows.update(new_path=target, new_key=_target_key(target), updated_at=now)


def _target_key(target: str | None) -> str | None:
    return path_key(without_query(target)) if target is not None else None
