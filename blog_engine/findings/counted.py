"""The numbers of the findings of listed posts, from what is kept with them and one query for what other rows say."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from blog_engine.conf import get_settings
from blog_engine.enums import PostStatus, Provenance
from blog_engine.findings.base import NotedImages, noted_rows
from blog_engine.findings.checks import FINDINGS, findings_of_posts, host_has_other_checks
from blog_engine.findings.kept import KeptFindings, StampBasis, stamp_of
from blog_engine.images.social import has_social_picture
from blog_engine.queries.checked import SIGNS_OF_MARKUP, posts_to_check
from blog_engine.queries.existing import existing_keys
from blog_engine.queries.links import BlogPath, PathsLookedUp
from blog_engine.queries.post_lists import ListedPost

logger = logging.getLogger("blog_engine")


def counted_findings(
    rows: Sequence[ListedPost], *, has_responsible_party: bool, now: datetime
) -> Mapping[int, Mapping[str, int]]:
    """Return how many findings ``findings_of`` returns of each post, by its id and their codes in the order of these.

    One query, and up to three more where nothing valid is kept, besides those of the host's own checks. Of no post if a
    check fails.
    """
    try:
        return _Page(rows, has_responsible_party, now).counted() if rows else {}
    except Exception:
        # A check that fails, such as one of the host's, must not hide the posts.
        logger.exception("The findings of a list of posts could not be worked out.")
        return {}


@dataclass(frozen=True)
class _Page:
    rows: Sequence[ListedPost]
    has_responsible_party: bool
    now: datetime

    def counted(self) -> dict[int, dict[str, int]]:
        kept = {} if host_has_other_checks() else self._kept()
        found = self._count(kept) if kept else {}
        others = [row.id for row in self.rows if row.id not in found]
        worked_out = findings_of_posts(
            posts_to_check(others), has_responsible_party=self.has_responsible_party, now=self.now
        )
        found |= {post_id: Counter(one.code for one in several) for post_id, several in worked_out.items()}
        order = {code: place for place, code in enumerate(FINDINGS)}
        return {
            post_id: {code: numbers[code] for code in sorted(filter(numbers.get, numbers), key=order.__getitem__)}
            for post_id, numbers in found.items()
        }

    def _kept(self) -> dict[int, KeptFindings]:
        """Return what is kept, valid or not."""
        read = ((row.id, KeptFindings.read(row.own_findings)) for row in self.rows)
        return {post_id: kept for post_id, kept in read if kept is not None}

    def _count(self, kept: Mapping[int, KeptFindings]) -> dict[int, Mapping[str, int]]:
        """Return the numbers of the posts of which what is kept says all."""
        # All rows are of one query, which read one house style.
        basis = StampBasis.of(self.rows[0].known.style_version)
        found_kept = ((row, kept[row.id]) for row in self.rows if row.id in kept and _says_all(row))
        valid = [(row, one) for row, one in found_kept if one.stamp == stamp_of(row, basis)]
        looked_up = PathsLookedUp.of(dict.fromkeys(path for _, one in valid for path in one.paths), now=self.now)
        images = {digest for _, one in valid for digest in one.images}
        found = existing_keys({**looked_up.rows(), **noted_rows(images)})
        served, said = looked_up.served(found), NotedImages.of(found)
        return {
            row.id: {} if row.status == PostStatus.ARCHIVED else self._numbers_of(row, one, served, said)
            for row, one in valid
        }

    def _numbers_of(
        self, row: ListedPost, kept: KeptFindings, served: Set[BlogPath], said: NotedImages
    ) -> Mapping[str, int]:
        """Return how many findings of each code a post has, 0 for some that it does not have."""
        known = row.known
        return {
            **kept.numbers,
            **_of_category(row),
            "title_duplicate": known.has_same_title,
            "description_duplicate": known.has_same_description,
            "approval_absent": _lacks_approval(row),
            "connections_not_declared": not known.is_declared,
            "responsible_party_absent": not self.has_responsible_party,
            "social_image_absent": _lacks_picture(row),
            "image_location_data": any(digest in said.located for digest in kept.images),
            "image_ai_unmarked": any(digest in said.unmarked for digest in kept.images),
            "link_same_site_broken": sum(path not in served for path in kept.paths),
        }


def _says_all(row: ListedPost) -> bool:
    """Return whether what is kept can say all, because nothing of what is rare has to be looked up."""
    # Readers may see another revision than the present one, which has approvals of its own.
    is_edited = row.status == PostStatus.PUBLISHED and row.public_revision_identifier != row.current_revision_identifier
    # Databases compare letters in different ways.
    tags = "\n".join(row.tags).lower()
    has_marked_tag = any(sign in tags for sign in SIGNS_OF_MARKUP)
    return not (is_edited or has_marked_tag or row.known.has_noted_image)


def _lacks_approval(row: ListedPost) -> bool:
    """Return what ``approval_absent`` finds of a post whose present revision is the public one, if there is one."""
    may_lack = row.provenance != Provenance.HUMAN_WRITTEN and row.status != PostStatus.DRAFT
    return may_lack and not row.is_reviewed


def _of_category(row: ListedPost) -> dict[str, int]:
    if get_settings().primary_list_type != "categories":
        return {}
    if row.category is None:
        return {"category_absent": 1}
    return {} if row.category.description.strip() else {"category_description_absent": 1}


def _lacks_picture(row: ListedPost) -> bool:
    has_image = row.cover_image_id or row.social_image_id or get_settings().default_social_image_url
    return not has_image and not has_social_picture(row.title)
