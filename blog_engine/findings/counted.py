"""The numbers of the findings of listed posts, from what is kept with them and one query for what other rows say."""

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Case, CharField, OuterRef, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Concat

from blog_engine.conf import get_settings
from blog_engine.enums import PostStatus, Provenance
from blog_engine.findings.base import BY_AI_UNMARKED
from blog_engine.findings.checks import FINDINGS, findings_of_posts, host_has_other_checks
from blog_engine.findings.kept import KeptFindings, stamp_basis, stamp_of
from blog_engine.images.social import has_social_picture
from blog_engine.models import HouseStyle, Image, Post
from blog_engine.queries.checked import SIGNS_OF_MARKUP, other_rows, posts_to_check
from blog_engine.queries.compiled import among, among_texts
from blog_engine.queries.existing import RowsByKey, existing_keys
from blog_engine.queries.links import PathsLookedUp
from blog_engine.queries.post_lists import ListedPost
from blog_engine.queries.posts import with_review

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
        return {
            post_id: {code: numbers[code] for code in FINDINGS if numbers.get(code)}
            for post_id, numbers in found.items()
        }

    def _kept(self) -> dict[int, KeptFindings]:
        """Return what is kept, valid or not."""
        read = ((row.id, KeptFindings.read(row.own_findings)) for row in self.rows)
        return {post_id: kept for post_id, kept in read if kept is not None}

    def _count(self, kept: Mapping[int, KeptFindings]) -> dict[int, Mapping[str, int]]:
        """Return the numbers of the posts of which what is kept is valid."""
        looked_up = PathsLookedUp.of(dict.fromkeys(path for one in kept.values() for path in one.paths), now=self.now)
        found = existing_keys(self._asked(kept) | looked_up.rows())
        facts = _Facts(
            found,
            served=looked_up.served(found),
            by_image=dict(key.split() for kind in (_NOTED_BY_ID, _NOTED_BY_DIGEST) for key in found.get(kind, ())),
            has_responsible_party=self.has_responsible_party,
        )
        basis = stamp_basis(next(iter(found[_STYLE]), None))
        valid = ((row, kept[row.id]) for row in self.rows if row.id in kept)
        return {
            row.id: {} if row.status == PostStatus.ARCHIVED else facts.numbers_of(row, one)
            for row, one in valid
            if one.stamp == stamp_of(row, basis) and not _may_have_marked_tag(row)
        }

    def _asked(self, kept: Mapping[int, KeptFindings]) -> dict[RowsByKey, Collection[Any]]:
        ids = [*kept]
        asked: dict[RowsByKey, Collection[Any]] = dict.fromkeys((_SAME_TITLE, _SAME_DESCRIPTION, _DECLARED), ids)
        others = {
            _APPROVED: [row.id for row in self.rows if _is_edited_since(row)],
            _NOTED_BY_ID: {pk for row in self.rows for pk in (row.cover_image_id, row.social_image_id) if pk},
            _NOTED_BY_DIGEST: {digest for one in kept.values() for digest in one.images},
        }
        return asked | {_STYLE: ()} | {kind: keys for kind, keys in others.items() if keys}


@dataclass(frozen=True)
class _Facts:
    """What other rows say of the posts of a page."""

    found: Mapping[RowsByKey, Collection[str]]
    served: Collection[Any]
    """The paths that lead somewhere."""
    by_image: Mapping[str, str]
    """What is to be said of images, by id and by digest."""
    has_responsible_party: bool

    def numbers_of(self, row: ListedPost, kept: KeptFindings) -> Mapping[str, int]:
        """Return how many findings of each code a post has, 0 for some that it does not have."""
        key = str(row.id)
        images = map(str, (row.cover_image_id, row.social_image_id, *kept.images))
        said = "".join(self.by_image.get(image, "") for image in images)
        return {
            **kept.numbers,
            "title_duplicate": key in self.found[_SAME_TITLE],
            "description_duplicate": key in self.found[_SAME_DESCRIPTION],
            **_of_category(row),
            "approval_absent": self._lacks_approval(row),
            "connections_not_declared": key not in self.found[_DECLARED],
            "responsible_party_absent": not self.has_responsible_party,
            "social_image_absent": _lacks_picture(row),
            "image_location_data": _LOCATED in said,
            "image_ai_unmarked": _UNMARKED in said,
            "link_same_site_broken": sum(path not in self.served for path in kept.paths),
        }

    def _lacks_approval(self, row: ListedPost) -> bool:
        """Return what ``approval_absent`` finds."""
        if row.provenance == Provenance.HUMAN_WRITTEN:
            return False
        if row.status == PostStatus.SCHEDULED or not _is_edited_since(row):
            return row.status != PostStatus.DRAFT and not row.is_reviewed
        return str(row.id) not in self.found[_APPROVED]


def _is_edited_since(row: ListedPost) -> bool:
    """Return whether readers see another revision than the present one, which has approvals of its own."""
    return row.status == PostStatus.PUBLISHED and row.public_revision_identifier != row.current_revision_identifier


def _of_category(row: ListedPost) -> dict[str, int]:
    if get_settings().primary_list_type != "categories":
        return {}
    if row.category is None:
        return {"category_absent": 1}
    return {} if row.category.description.strip() else {"category_description_absent": 1}


def _lacks_picture(row: ListedPost) -> bool:
    has_image = row.cover_image_id or row.social_image_id or get_settings().default_social_image_url
    return not has_image and not has_social_picture(row.title)


def _may_have_marked_tag(row: ListedPost) -> bool:
    """Return whether the name of a tag can have markup: databases compare letters in different ways."""
    return any(sign in name.lower() for name in row.tags for sign in SIGNS_OF_MARKUP)


def _posts_that(condition: str) -> RowsByKey:
    def rows(name: str) -> QuerySet[Post]:
        flags = other_rows(OuterRef("pk"), OuterRef("title"), OuterRef("description_key"))
        return Post.objects.filter(among("pk", name), flags[condition])

    return RowsByKey.of(rows, "pk")


_LOCATED: Final = "l"
_UNMARKED: Final = "u"
_IS_NOTED: Final = Q(has_location=True) | BY_AI_UNMARKED


def _said_of(key: str) -> Combinable:
    """Return the expression for a key and what is to be said of the image."""
    located = Case(When(has_location=True, then=Value(_LOCATED)), default=Value(""))
    unmarked = Case(When(BY_AI_UNMARKED, then=Value(_UNMARKED)), default=Value(""))
    return Concat(Cast(key, CharField()), Value(" "), located, unmarked, output_field=CharField())


_SAME_TITLE: Final = _posts_that("has_same_title")
_SAME_DESCRIPTION: Final = _posts_that("has_same_description")
_DECLARED: Final = _posts_that("is_declared")
_APPROVED: Final = RowsByKey.of(
    lambda name: with_review(Post.objects.filter(among("pk", name))).filter(is_approved=True), "pk"
)
_STYLE: Final = RowsByKey.of(lambda name: HouseStyle.objects.filter(pk=1), "version")
_NOTED_BY_ID: Final = RowsByKey.of(lambda name: Image.objects.filter(_IS_NOTED, among("pk", name)), _said_of("pk"))
_NOTED_BY_DIGEST: Final = RowsByKey.of(
    lambda name: Image.objects.filter(_IS_NOTED, among_texts("sha256", name)), _said_of("sha256")
)
