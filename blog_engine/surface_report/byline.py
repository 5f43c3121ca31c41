"""E1, E3, E5, E6 and E7: who wrote an article, and when it was published, changed and corrected."""

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
    judged_by,
    not_applicable,
    not_verified,
    passed,
    quote,
)
from blog_engine.surface_report.page_facts import (
    author_link,
    dated_corrections,
    day_of,
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
