"""The findings of several posts, in as many queries as for one."""

import logging
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from blog_engine.findings.base import Finding, Subject, WriteContext, located_images
from blog_engine.findings.checks import run_checks
from blog_engine.models import Post
from blog_engine.queries.keys import Keyed, existing_keys
from blog_engine.queries.links import BlogPath, PathsLookedUp

logger = logging.getLogger("blog_engine")


def findings_of_posts(posts: Sequence[Post], *, has_responsible_party: bool, now: datetime) -> dict[int, list[Finding]]:
    """Return the findings of each post by its id, the same as ``findings_of`` returns of one.

    At most one query for all posts, besides those of the host's own checks. The posts are read by
    ``queries.checked.posts_to_check``.
    """
    together = _Together(now)
    together.subjects += [Subject(post, WriteContext(), has_responsible_party, now, together) for post in posts]
    return {subject.post.pk: run_checks(subject) for subject in together.subjects}


def known_findings_of_posts(
    posts: Sequence[Post], *, has_responsible_party: bool, now: datetime
) -> Mapping[int, list[Finding]]:
    """Return the findings of each post as ``findings_of_posts`` does, or of no post if a check fails."""
    try:
        return findings_of_posts(posts, has_responsible_party=has_responsible_party, now=now)
    except Exception:
        # A check that fails, such as one of the host's, must not hide the posts.
        logger.exception("The findings of a list of posts could not be worked out.")
        return {}


@dataclass(eq=False)
class _Together:
    """Facts about several posts from other rows, read when a check first asks."""

    now: datetime
    subjects: list[Subject] = field(default_factory=list)

    def served(self) -> Set[BlogPath]:
        return self._keys[0]

    def located(self) -> Set[str]:
        return self._keys[1]

    @cached_property
    def _keys(self) -> tuple[Set[BlogPath], Set[str]]:
        paths = (path for subject in self.subjects for path in subject.blog_links.values())
        looked_up = PathsLookedUp.of(dict.fromkeys(paths), now=self.now)
        rows: dict[Any, Keyed] = {**looked_up.rows()}
        digests = {image["sha256"] for subject in self.subjects for image in subject.body_images if image["sha256"]}
        if digests:
            rows[located_images] = Keyed(located_images(digests), "sha256")
        found = existing_keys(rows)
        return looked_up.served(found), frozenset(found.get(located_images, ()))
