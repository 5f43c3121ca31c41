"""The former addresses of an adopted article (records.md 12, old_slugs); all under the lock over the redirects."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q, QuerySet
from django.utils.timezone import localdate

from blog_engine.addresses import stored_post_path
from blog_engine.errors import SlugReserved
from blog_engine.inputs.adoption_parts import OldSlug
from blog_engine.models import Baseline, Post, Redirect
from blog_engine.queries.redirects import path_key
from blog_engine.services._assign import reserved_slugs
from blog_engine.services._redirects import lead
from blog_engine.services._transaction import lock_redirects
from blog_engine.vocabulary import RedirectSource

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class FormerAddress:
    """A stored path that led to the article, and the day from which it does not."""

    path: str
    moved_on: date


def former_addresses(
    old_slugs: tuple[OldSlug, ...], *, post: Post, baseline: Baseline | None, now: datetime
) -> list[FormerAddress]:
    """The addresses that shall lead to the post; an unknown day is the one of the first adoption that named it.

    Takes the lock. Raises ``SlugReserved`` for an address that the blog, another post or another redirect uses.
    """
    lock_redirects()
    keys = [path_key(stored_post_path(one.slug)) for one in old_slugs]
    rows = list(Redirect.objects.filter(old_key__in=keys))
    taken = _taken({one.slug for one in old_slugs}, rows, post=post, is_repeat=baseline is not None)
    if taken:
        raise SlugReserved(hint=_to_leave_out(sorted(taken)))
    known = {row.old_path: row.occurred_on for row in rows}
    day = localdate(baseline.adopted_at if baseline else now)
    paths = [(stored_post_path(one.slug), one.moved_on) for one in old_slugs]
    return [FormerAddress(path, moved_on or known.get(path, day)) for path, moved_on in paths]


def are_stored(addresses: list[FormerAddress], *, post: Post) -> bool:
    """Whether the redirects of the earlier adoption are exactly these."""
    stored = {(row.old_path, row.occurred_on) for row in _of_adoption(post)}
    return stored == {(one.path, one.moved_on) for one in addresses}


def rewrite(addresses: list[FormerAddress], *, post: Post, now: datetime) -> None:
    """Put these redirects in the place of those of an earlier adoption."""
    _of_adoption(post).delete()
    Redirect.objects.filter(post=post, old_key__in=[path_key(one.path) for one in addresses]).delete()
    target = stored_post_path(post.slug)
    for one in addresses:
        lead(one.path, target, source=RedirectSource.ADOPTION, occurred_on=one.moved_on, post=post, now=now)


def claim_moves(post: Post, *, now: datetime) -> None:
    """Count the addresses that the article was moved from as this adoption's doing: ``was_moved_here`` skips them."""
    post.redirects.filter(source=RedirectSource.SLUG_CHANGE.value).update(created_at=now)


def was_moved_here(post: Post, baseline: Baseline) -> bool:
    """Whether a redirect of the post is there that no adoption made."""
    # The very time of the adoption, not one before it: who waited for the lock came earlier, and clocks differ.
    claimed = Q(source=RedirectSource.SLUG_CHANGE.value, created_at=baseline.adopted_at)
    return post.redirects.exclude(source=RedirectSource.ADOPTION.value).exclude(claimed).exists()


def _taken(slugs: set[str], rows: list[Redirect], *, post: Post, is_repeat: bool) -> set[str]:
    # A repeat finds the redirects of the earlier adoption, and of an earlier repeat that moved the article.
    own = {RedirectSource.ADOPTION, RedirectSource.SLUG_CHANGE} if is_repeat else {RedirectSource.ADOPTION}
    foreign = {row.old_key for row in rows if post.pk is None or row.post_id != post.pk or row.source not in own}
    return (
        {slug for slug in slugs if path_key(stored_post_path(slug)) in foreign}
        | (slugs & reserved_slugs())
        | set(Post.objects.exclude(pk=post.pk).filter(slug__in=slugs).values_list("slug", flat=True))
    )


def _to_leave_out(taken: list[str]) -> str:
    more = f" and {len(taken) - _MOST_NAMED} more" if len(taken) > _MOST_NAMED else ""
    names = ", ".join(taken[:_MOST_NAMED]) + more
    return f"Leave {names} out of old_slugs: the blog, another post or another redirect has that address."


def _of_adoption(post: Post) -> QuerySet[Redirect]:
    return Redirect.objects.filter(post=post, source=RedirectSource.ADOPTION.value)
