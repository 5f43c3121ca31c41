"""E1, E3, E5 to E7, T15 and T16: author and dates of an article, for readers and in its structured data."""

import re
from collections.abc import Iterator, Set
from datetime import datetime

from blog_engine.content.text import with_allowed_characters
from blog_engine.enums import EntryType
from blog_engine.models import Publication
from blog_engine.queries.posts import ReportedPost
from blog_engine.rules.dates import dates_of, iso_date
from blog_engine.surface_report.documents import sitemap_urls
from blog_engine.surface_report.observation import (
    DECLARED,
    Observation,
    cut,
    failed,
    folded,
    judged_by,
    not_applicable,
    not_verified,
    passed,
    quote,
)
from blog_engine.surface_report.page_facts import (
    PageDate,
    StructuredArticle,
    VisibleDates,
    author_link,
    dated_corrections,
    day_of,
    is_after,
    is_same,
    read_date,
    structured_articles,
    visible_author,
    visible_dates,
)
from blog_engine.surface_report.site import InspectedArticle, Inspection


def judge_author(article: InspectedArticle, inspection: Inspection) -> Observation:
    """E1: the author is named in a visible byline and in the structured data."""
    faults = []
    if not visible_author(article.page.html):
        faults.append("No author is visible in a byline.")
    if not any(one.author_names for one in structured_articles(article.page.html)):
        faults.append("The structured data names no author of the article.")
    return judged_by(faults, well="The author is named in a visible byline and in the structured data.")


def judge_author_link(article: InspectedArticle, inspection: Inspection) -> Observation:
    """E3: the author's name links to a page that opens."""
    link = author_link(article.page.html)
    if link is None:
        return failed("The author's name is no link that readers can see.")
    url = article.page.target_of(link.attrs["href"])
    if url is None:
        return failed(f"The author's link {quote(link.attrs['href'])} leads to no web page.")
    page = inspection.site.open(url)
    if not page.is_open:
        return page.unavailable(f"The author's page {cut(url)}")
    return passed("The author's link opens.", details={"url": cut(url)})


def judge_published_date(article: InspectedArticle, inspection: Inspection) -> Observation:
    """E5: the day that the page labels as published is that of the recorded first date."""
    recorded = dates_of(article.record.publications, article.record.baseline).published_at
    if recorded is None:
        return not_verified("The history does not know when the article was first published.")
    shown = visible_dates(article.page.html).published
    written = read_date(shown)
    details = {"recorded": iso_date(recorded), "shown": cut(shown) if shown else None}
    marks = (DECLARED,) if _is_only_declared(article.record) else ()
    if shown is None and recorded > inspection.site.now:
        return not_verified("The recorded first date is in the future: no page shows it yet.", marks)
    if shown is None:
        return failed("The page shows no date that it labels as published.", marks, details)
    if written is None:
        return failed(f"The published date {quote(shown)} cannot be read.", marks, details)
    if day_of(written) != day_of(recorded):
        reason = f"The page shows {day_of(written)} as the published date, recorded is {day_of(recorded)}."
        return failed(reason, marks, details)
    return passed("The published date is the recorded first date.", marks, details)


def judge_modified_date(article: InspectedArticle, inspection: Inspection) -> Observation:
    """E6: the recorded date of change is that of the structured data, the sitemap and the page (surface-report.e6)."""
    site, record = inspection.site, article.record
    expected = _date_of_change(record, now=site.now)
    if expected is None:
        return not_verified("The history knows of no past date of change.")
    if not article.page.is_open:
        return not_verified("The article page is not open, so that its dates are not known.")
    listed = sitemap_urls(site)
    found = {
        "structured data": next((one.modified for one in structured_articles(article.page.html)), None),
        "page": visible_dates(article.page.html).updated,
        "sitemap": None if isinstance(listed, Observation) else listed.get(site.urls.post_url(record.post.slug)),
    }
    published = dates_of(record.publications, record.baseline).published_at
    # Pages show a date of change only if it is later than the published one.
    required = {"structured data"} if published and expected <= published else {"structured data", "page"}
    details = {"expected": iso_date(expected)} | {
        place.replace(" ", "_"): cut(text) if text else None for place, text in found.items()
    }
    if faults := [fault for place, text in found.items() for fault in _other_change(place, text, expected, required)]:
        return failed(" ".join(faults), details=details)
    if isinstance(listed, Observation):
        is_there = site.open(site.urls.sitemap_path()).is_open
        return listed if is_there else not_verified(f"Page and history agree, but nothing else: {listed.reason}")
    return passed("The date of change is the recorded one in all places.", details=details)


def judge_corrections(article: InspectedArticle, inspection: Inspection) -> Observation:
    """E7: each past correction has a visible notice with its date and note."""
    entries = [entry for entry in article.record.publications if entry.entry_type == EntryType.CORRECTION]
    past = [entry for entry in entries if entry.occurred_at <= inspection.site.now]
    if not past:
        return not_applicable("The article was never corrected.")
    if not article.page.is_open:
        return article.page.unavailable("The article page")
    notices = list(dated_corrections(article.page.html))
    missing = [entry for entry in past if not any(_announces(date, text, entry) for date, text in notices)]
    if missing:
        reason = f"{len(missing)} of {len(past)} corrections have no visible notice with their date and note."
        notes = [{"occurred_at": iso_date(one.occurred_at), "note": cut(one.note or "")} for one in missing]
        return failed(reason, details={"missing": notes})
    return passed(f"Each correction has a visible notice; there {'is' if len(past) == 1 else 'are'} {len(past)}.")


def _is_only_declared(record: ReportedPost) -> bool:
    has_first = any(entry.entry_type == EntryType.FIRST for entry in record.publications)
    return not has_first and record.baseline is not None and record.baseline.first_published_at is None


def _date_of_change(record: ReportedPost, *, now: datetime) -> datetime | None:
    changes = (EntryType.SUBSTANTIVE, EntryType.CORRECTION)
    dates = [entry.occurred_at for entry in record.publications if entry.entry_type in changes]
    if past := [date for date in dates if date <= now]:
        return past[-1]
    firsts = (entry.occurred_at for entry in record.publications if entry.entry_type == EntryType.FIRST)
    moment = record.baseline.last_modified_at if record.baseline else next(firsts, None)
    return moment if moment and moment <= now else None


def _other_change(place: str, text: str | None, expected: datetime, required: Set[str]) -> Iterator[str]:
    written = read_date(text)
    if text is None:
        if place in required:
            yield f"The {place} has no date of change; recorded is {iso_date(expected)}."
    elif written is None:
        yield f"The date of change {quote(text)} of the {place} is not a date."
    elif not is_same(written, expected):
        yield f"The {place} says that the article changed on {cut(text)}; recorded is {iso_date(expected)}."


def _announces(date: str, text: str, entry: Publication) -> bool:
    written = read_date(date)
    note = " ".join(with_allowed_characters(entry.note or "").split())
    return written is not None and is_same(written, entry.occurred_at) and note in text


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
