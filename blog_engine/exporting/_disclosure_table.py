"""The table of a disclosure report: a line for each version, with the codes of the API (dossier.table)."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.utils import timezone

from blog_engine.blog_urls import BlogURLs
from blog_engine.rules.dates import with_whole_minutes
from blog_engine.rules.disclosure import JudgedVersion, NoticeSpan, PostDisclosure

COLUMNS: Final = (
    *("post_id", "title_now", "url", "status_now", "version", "revision", "public_from", "public_until", "ended_by"),
    *(
        "release",
        "released_by",
        "released_by_kind",
        "released_by_id",
        "note",
        "ai_declared",
        "ai_declared_evidence",
        "ai_recorded",
        "ai_images",
    ),
    *(
        "writer",
        "writer_kind",
        "writer_id",
        "reviewer",
        "review_kind",
        "reviewed_at",
        "facts_checked",
        "review_recorded_by",
    ),
    *(
        "review_recorded_by_kind",
        "review_recorded_by_id",
        "reviews",
        "notice",
        "notice_from",
        "notice_until",
        "notice_grounds",
    ),
    *("no_notice_grounds", "changed_afterwards", "covered", "evidence_file"),
)

_FORMULA: Final = frozenset("=+-@\uff1d\uff0b\uff0d\uff20|%")
"""Characters that begin a formula in spreadsheets, also as wide as CJK writes them."""


def table_rows(found: PostDisclosure, *, urls: BlogURLs) -> Iterator[list[str]]:
    """Yield the cells of the line of each version; times have the offset of the site's time zone."""
    for version in found.versions:
        yield [safe_cell(value) for value in _cells(found, version, urls=urls)]


def safe_cell(value: object) -> str:
    """Return a cell that no spreadsheet takes for a formula: an apostrophe comes before what could be one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        local = timezone.localtime(value, timezone.get_default_timezone())
        return with_whole_minutes(local).isoformat(timespec="milliseconds")
    text = str(value)
    start = text.lstrip()
    is_risky = not isinstance(value, int) and (text[:1] in "\t\r\n" or start[:1] in _FORMULA) and bool(text)
    return f"'{text}" if is_risky else text


def _cells(found: PostDisclosure, version: JudgedVersion, *, urls: BlogURLs) -> list[object]:
    post, release, facts = found.post, version.release, version.facts
    review = version.review or (version.reviews[-1] if version.reviews else None)
    due = [span for span in version.spans if span.is_due]
    free = [span for span in version.spans if not span.is_due]
    return [
        *(post.pk, post.title, urls.post_url(post.slug), post.status),
        *(version.number, release.revision.identifier, version.since, version.until, version.ending),
        *(release.entry_type, release.released_by, release.actor_kind, release.actor_id, release.note),
        *(post.provenance, post.provenance_evidence, facts.made_by_ai),
        "; ".join(f"{image.filename}: {image.source_type}" for image in version.ai_images),
        *facts.actor,
        *(
            (
                *(review.reviewer_name, review.kind, review.approved_at, review.facts_checked),
                *(review.recorded_by, review.actor_kind, review.actor_id),
            )
            if review
            else (None,) * 7
        ),
        len(version.reviews),
        *_notice_cells(due),
        " ".join(ground for span in free for ground in span.grounds),
        " ".join(version.changed_fields),
        version.is_covered,
        f"evidence/{post.pk}.json",
    ]


def _notice_cells(due: list[NoticeSpan]) -> list[object]:
    if not due:
        return [None, None, None, None]
    grounds = dict.fromkeys(ground for span in due for ground in span.grounds)
    return [due[0].label, due[0].since, due[-1].until, " ".join(grounds)]
