"""The context of the pages of a disclosure report."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import get_language, get_language_bidi

from blog_engine import __version__
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.enums import ActorKind, Provenance
from blog_engine.exporting.disclosure_words import (
    MOST_REVIEWS,
    afterwards_in_words,
    declared_origin,
    images_in_words,
    moment_with_zone,
    notice_in_words,
    recorded_origin,
    release_in_words,
    review_in_words,
    summary_of,
)
from blog_engine.queries.disclosure import DisclosurePremises
from blog_engine.rules.chain import chained_moment
from blog_engine.rules.dates import day_in_words
from blog_engine.rules.disclosure import JudgedVersion, Period, PostDisclosure

MOST_VERSIONS: Final = 20
"""The versions of a post that a page shows, the last ones."""


@dataclass(slots=True)
class DisclosureTotals:
    """The numbers of a report, which grow while it is written."""

    posts: int = 0
    of_posts: int = 0
    """All posts of the period."""
    versions: int = 0
    reviewed: int = 0
    """The versions whose facts were checked by a review that clears the label."""
    by_person: int = 0
    """Those of them whose review was recorded by a person who was signed in."""
    with_ai_images: int = 0
    """The posts with an image that AI made."""
    due: int = 0
    """The posts for which a notice was due at any time."""
    uncovered: int = 0
    """The posts with a record that the checkpoint does not cover."""
    origins: Counter[str] = field(default_factory=Counter)

    def add(self, found: PostDisclosure) -> None:
        """Count a post."""
        self.posts += 1
        self.versions += len(found.versions)
        reviews = [version.review for version in found.versions if version.review is not None]
        self.reviewed += len(reviews)
        self.by_person += sum(review.actor_kind == ActorKind.PERSON for review in reviews)
        self.with_ai_images += bool(found.ai_images)
        self.due += any(version.is_due for version in found.versions)
        self.uncovered += not found.is_covered
        self.origins[found.post.provenance] += 1

    @property
    def by_origin(self) -> list[tuple[str, int]]:
        """The posts of each declared origin, all of them named."""
        return [(one.value, self.origins[one.value]) for one in Provenance]


def page_name(number: int) -> str:
    """Return the name of the file with a page."""
    return "report.html" if number == 1 else f"report-{number}.html"


def page_context(
    *,
    number: int,
    posts: list[dict[str, Any]],
    last: int,
    has_next: bool,
    totals: DisclosureTotals,
    premises: DisclosurePremises,
    period: Period,
    urls: BlogURLs,
    now: datetime,
) -> dict[str, Any]:
    """Return what the template of a page needs, besides the sections of its posts."""
    settings, checkpoint = get_settings(), premises.checkpoint
    return {
        "language": (get_language() or "en").replace("_", "-"),
        "direction": "rtl" if get_language_bidi() else "ltr",
        "site_name": settings.site_name,
        "blog_url": urls.absolute(urls.index_path()),
        "first_day": day_in_words(period.first),
        "last_day": day_in_words(period.last),
        "zone": timezone.get_default_timezone_name(),
        "made_at": moment_with_zone(now),
        "is_over": period.end <= now,
        "engine": __version__,
        "number": number,
        "previous": page_name(number - 1) if number > 1 else "",
        "next": page_name(number + 1) if has_next else "",
        "pages": [(one, page_name(one)) for one in range(1, last + 1)] if number == 1 and last > 1 else [],
        "posts": posts,
        "totals": totals,
        "origins": [(declared_origin(origin), count) for origin, count in totals.by_origin],
        "party_url": urls.absolute(premises.party_url) if premises.party_url else "",
        "is_always": settings.ai_label == "always",
        "checkpoint": checkpoint,
        "checkpoint_at": chained_moment(checkpoint.created_at) if checkpoint else "",
        "checkpoint_url": urls.absolute(f"{urls.prefix}/checkpoints/{checkpoint.number}") if checkpoint else "",
        "most_versions": MOST_VERSIONS,
        "most_reviews": MOST_REVIEWS,
    }


def post_context(found: PostDisclosure, *, urls: BlogURLs) -> dict[str, Any]:
    """Return what the template of a post needs."""
    post, shown = found.post, found.versions[-MOST_VERSIONS:]
    return {
        "post": post,
        "url": urls.post_url(post.slug),
        "summary": summary_of(found),
        "origin": declared_origin(post.provenance),
        "baseline": found.baseline,
        "versions": [_version_context(version, post.title) for version in shown],
        "left_out": len(found.versions) - len(shown),
        "earlier": found.earlier,
        "later": found.later,
        "is_covered": found.is_covered,
        "evidence": f"evidence/{post.pk}.json",
    }


def _version_context(version: JudgedVersion, title: str) -> dict[str, Any]:
    return {
        "number": version.number,
        "title": version.facts.title if version.facts.title != title.strip() else "",
        "identifier": version.release.revision.identifier,
        "since": moment_with_zone(version.since),
        "until": moment_with_zone(version.until) if version.until else "",
        "is_public": version.ending is None,
        "release": release_in_words(version),
        "note": version.release.note,
        "origin": recorded_origin(version.facts),
        "images": images_in_words(version.ai_images),
        "reviews": [review_in_words(review) for review in version.reviews[-MOST_REVIEWS:]],
        "more_reviews": max(0, len(version.reviews) - MOST_REVIEWS),
        "notices": [(notice_in_words(span, version), span.is_due) for span in version.spans],
        "afterwards": afterwards_in_words(version),
        "is_covered": version.is_covered,
    }
