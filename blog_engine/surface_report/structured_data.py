"""T15 and T16: the structured data of an article's page."""

import re
from collections.abc import Iterator
from datetime import datetime

from blog_engine.surface_report.observation import Observation, failed, folded, judged_by, not_verified, quote
from blog_engine.surface_report.page_facts import (
    PageDate,
    StructuredArticle,
    VisibleDates,
    day_of,
    is_after,
    is_same,
    read_date,
    structured_articles,
    visible_author,
    visible_dates,
)
from blog_engine.surface_report.site import InspectedArticle, Inspection


def judge_structured_article(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T15: one article, with a headline, its authors, both dates, and an image if the post has one."""
    found = structured_articles(article.page.html)
    if len(found) != 1:
        return failed(f"The structured data holds {len(found)} articles and should hold exactly one.")
    return judged_by(_missing(found[0], article), well="The structured data of the article is complete.")


def judge_structured_facts(article: InspectedArticle, inspection: Inspection) -> Observation:
    """T16: authors and dates are those that readers see, and no date is in the future."""
    found = structured_articles(article.page.html)
    if len(found) != 1:
        return not_verified(f"The structured data holds {len(found)} articles, so that there is nothing to compare.")
    dates = visible_dates(article.page.html)
    faults = [
        *_other_authors(found[0], visible_author(article.page.html)),
        *_other_dates(found[0], dates),
        *_future_dates(found[0], dates, now=inspection.site.now),
    ]
    return judged_by(faults, well="The structured data has the author and the dates that readers see.")


def _missing(found: StructuredArticle, article: InspectedArticle) -> Iterator[str]:
    if not found.headline:
        yield "The structured data has no headline."
    if not found.authors:
        yield "The structured data has no author."
    if any(not author.name for author in found.authors):
        yield "An author in the structured data has no name."
    if any(not author.type for author in found.authors):
        yield "An author in the structured data has no @type."
    post = article.record.post
    for name, written, recorded in (
        ("datePublished", found.published, post.published_at),
        ("dateModified", found.modified, post.modified_at),
    ):
        if written is None:
            why = ": the import did not know that date" if recorded is None and article.record.baseline else ""
            yield f"The structured data has no {name}{why}."
        elif read_date(written) is None:
            yield f"The {name} {quote(written)} of the structured data is not a date."
    if (post.cover_image_id or post.social_image_id) and not found.has_image:
        yield "The structured data has no image, though the article has one."


def _other_authors(found: StructuredArticle, visible: str) -> Iterator[str]:
    if not found.author_names and visible:
        yield f"The page names the author {quote(visible)}, the structured data none."
    for name in found.author_names:
        # A byline may say more than the name, such as "by".
        if not re.search(rf"(?<!\w){re.escape(folded(name))}(?!\w)", folded(visible)):
            shown = quote(visible) if visible else "none"
            yield f"The structured data names the author {quote(name)}, the page {shown}."


def _other_dates(found: StructuredArticle, visible: VisibleDates) -> Iterator[str]:
    structured, shown = read_date(found.published), read_date(visible.published)
    if (structured is None) != (shown is None) or (structured and shown and not is_same(structured, shown)):
        yield f"The structured data says published {_written(structured)}, the page {_written(shown)}."
    modified, updated = read_date(found.modified), read_date(visible.updated)
    if updated is None:
        # A page may leave out a date of change that is not later than the published one.
        if modified and not (structured and day_of(modified) <= day_of(structured)):
            yield f"The structured data says modified {_written(modified)}, which the page does not show."
    elif modified is None or not is_same(modified, updated):
        yield f"The structured data says modified {_written(modified)}, the page {_written(updated)}."


def _future_dates(found: StructuredArticle, visible: VisibleDates, *, now: datetime) -> Iterator[str]:
    for text in dict.fromkeys((found.published, found.modified, visible.published, visible.updated)):
        if (written := read_date(text)) and is_after(written, now):
            yield f"The date {_written(written)} is in the future."


def _written(date: PageDate | None) -> str:
    if date is None:
        return "nothing"
    return date.isoformat(timespec="seconds") if isinstance(date, datetime) else date.isoformat()
