"""What the structured data of an article's page says (records.md 16: T15, T16)."""

import re
from collections.abc import Iterator
from datetime import datetime

from blog_engine.report.surface.checks._open_page import of_open_page
from blog_engine.report.surface.dates import Written, day_of, is_after, is_same, read_date
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import Observation, failed, judged_by, not_verified
from blog_engine.report.surface.quoting import folded, quote
from blog_engine.report.surface.structured_article import StructuredArticle, structured_articles
from blog_engine.report.surface.visible_author import visible_author
from blog_engine.report.surface.visible_dates import VisibleDates, visible_dates


@of_open_page
def check_structured_article(article: Article, inspection: Inspection) -> Observation:
    """One article, with a headline, its authors, both dates, and an image if the post has one."""
    found = structured_articles(article.page.html)
    if len(found) != 1:
        return failed(f"The structured data holds {len(found)} articles and should hold exactly one.")
    return judged_by(list(_missing(found[0], article)), well="The structured data of the article is complete.")


@of_open_page
def check_structured_facts(article: Article, inspection: Inspection) -> Observation:
    """Authors and dates are those that readers see, and no date lies in the future."""
    found = structured_articles(article.page.html)
    if len(found) != 1:
        return not_verified(f"The structured data holds {len(found)} articles, so that there is nothing to compare.")
    author = visible_author(article, urls=inspection.site.urls)
    dates = visible_dates(article.page.html, catalogue=inspection.site.settings.catalogue)
    faults = [
        *_other_authors(found[0], author),
        *_other_dates(found[0], dates),
        *_future_dates(found[0], dates, now=inspection.site.now),
    ]
    return judged_by(faults, well="The structured data names the author and the dates that readers see.")


def _missing(found: StructuredArticle, article: Article) -> Iterator[str]:
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
        if written is None and recorded is None and article.record.baseline:
            yield f"The structured data has no {name}: the import did not tell that date."
        elif written is None:
            yield f"The structured data has no {name}."
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
    structured, shown = _read(found.published), _read(visible.published)
    if (structured is None) != (shown is None) or (structured and shown and not is_same(structured, shown)):
        yield f"The structured data says published {_say(structured)}, the page {_say(shown)}."
    modified, updated = _read(found.modified), _read(visible.updated)
    if updated is None:
        # A page may leave out a date of change that tells no more than the published one.
        if modified and not (structured and day_of(modified) <= day_of(structured)):
            yield f"The structured data says modified {_say(modified)}, which the page does not show."
    elif modified is None or not is_same(modified, updated):
        yield f"The structured data says modified {_say(modified)}, the page {_say(updated)}."


def _future_dates(found: StructuredArticle, visible: VisibleDates, *, now: datetime) -> Iterator[str]:
    texts = dict.fromkeys((found.published, found.modified, visible.published, visible.updated))
    for text in texts:
        written = _read(text)
        if written and is_after(written, now):
            yield f"The date {_say(written)} lies in the future."


def _read(text: str | None) -> Written | None:
    return None if text is None else read_date(text)


def _say(written: Written | None) -> str:
    if written is None:
        return "nothing"
    return written.isoformat(timespec="seconds") if isinstance(written, datetime) else written.isoformat()
