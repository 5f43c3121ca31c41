"""The codes of the findings of posts, stored for the lists that are filtered by them (posts.list.finding)."""

import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db import DatabaseError
from django.db.models import QuerySet

from blog_engine.enums import PolicyKind
from blog_engine.findings import OF_LINKS, findings_to_keep, lasting_codes, run_checks, subjects_together
from blog_engine.models import FindingCode, Post
from blog_engine.queries.checked import noted_codes, posts_to_check
from blog_engine.queries.compiled import among
from blog_engine.queries.policies import find_policy_url
from blog_engine.services._transaction import write_transaction

logger = logging.getLogger("blog_engine")

_BATCH: Final = 100


def note_codes(post: Post, codes: Collection[str], *, known: Collection[str]) -> None:
    """Store the codes of the findings of a post after its write; ``known`` are those that are stored.

    Nothing if both are the same, and if the post was written meanwhile: that write stores its own. It is no part of the
    write, so that a fault of the database is only logged.
    """
    if set(codes) == set(known):
        return
    try:
        with write_transaction():
            if _locked({post.pk: post.version}):
                _replace({post.pk: codes}, known={post.pk: known})
    except DatabaseError:
        logger.exception("The findings of the post %s could not be noted.", post.pk)


def keep_own_findings(post: Post, kept: str) -> None:
    """Keep the findings of a post after its write, unless it was written meanwhile; a fault is only logged."""
    try:
        QuerySet.update(Post.objects.filter(pk=post.pk, version=post.version), own_findings=kept)
    except DatabaseError:
        logger.exception("The findings of the post %s could not be kept.", post.pk)


def check_posts(*, now: datetime) -> int:
    """Store again which findings each post has, and return how many posts had others.

    For the findings that follow from other rows, the settings and the time, and after an upgrade.
    """
    ids = list(Post.objects.order_by("pk").values_list("pk", flat=True))
    FindingCode.objects.exclude(post__in=Post.objects.order_by().values("pk")).delete()
    return _check_all(ids, now=now)


def check_links(*, now: datetime) -> int:
    """Store again which findings those posts have that had links without a page; return how many have others now.

    For many posts that were written one after the other, and link posts that came later.
    """
    linking = FindingCode.objects.filter(code__in=OF_LINKS).order_by("post").values_list("post", flat=True)
    return _check_all(list(linking.distinct()), now=now)


def posts_with_outdated_findings(*, newest: int | None, now: datetime) -> list[int]:
    """Return the ids of the posts of which lists work out the findings, or count what does not follow from them.

    ``newest`` limits the check to that many posts with the highest ids.
    """
    ids = list(Post.objects.order_by("-pk").values_list("pk", flat=True)[:newest])
    found = []
    for start in range(0, len(ids), _BATCH):
        posts = posts_to_check(ids[start : start + _BATCH])
        subjects = subjects_together(posts, has_responsible_party=True, now=now)
        found += [one.post.pk for one in subjects if one.post.own_findings != findings_to_keep(one)]
    return sorted(found)


def _check_all(ids: Sequence[int], *, now: datetime) -> int:
    return sum(_check(ids[start : start + _BATCH], now=now) for start in range(0, len(ids), _BATCH))


def _check(ids: Sequence[int], *, now: datetime) -> int:
    posts = posts_to_check(ids)
    has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    try:
        subjects = subjects_together(posts, has_responsible_party=has_responsible_party, now=now)
        codes = {one.post.pk: lasting_codes(run_checks(one)) for one in subjects}
        kept = {one.post.pk: findings_to_keep(one) for one in subjects}
    except Exception:
        # A check of the host that fails must not stop the command.
        logger.exception("The findings of %s posts could not be worked out.", len(posts))
        return 0
    with write_transaction():
        held = _locked({post.pk: post.version for post in posts})
        known = noted_codes(held)
        others = {post_id: codes[post_id] for post_id in held if codes[post_id] != known[post_id]}
        _replace(others, known=known)
        outdated = [post for post in posts if post.pk in held and post.own_findings != kept[post.pk]]
        for post in outdated:
            QuerySet.update(Post.objects.filter(pk=post.pk), own_findings=kept[post.pk])
    return len({*others, *(post.pk for post in outdated)})


def _locked(versions: dict[int, int]) -> list[int]:
    """Lock those of the posts that still have this version, and return their ids."""
    posts = Post.objects.filter(among("pk", list(versions))).order_by("pk").select_for_update(no_key=True)
    return [pk for pk, version in posts.values_list("pk", "version") if version == versions[pk]]


def _replace(codes: Mapping[int, Collection[str]], *, known: Mapping[int, Collection[str]]) -> None:
    for post_id, wanted in codes.items():
        if gone := set(known[post_id]).difference(wanted):
            FindingCode.objects.filter(post=post_id, code__in=gone).delete()
    new = [(post_id, code) for post_id, wanted in codes.items() for code in sorted(set(wanted) - set(known[post_id]))]
    FindingCode.objects.bulk_create([FindingCode(post=pk, code=code) for pk, code in new], ignore_conflicts=True)
