"""When an article last changed, as it is told in all places (records.md 16: E6)."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from blog_engine.enums import EntryType
from blog_engine.queries.dates import iso_date
from blog_engine.queries.history import dates_of
from blog_engine.queries.posts import ReportedPost
from blog_engine.report.surface.dates import is_same, read_date
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import Observation, failed, not_verified, passed
from blog_engine.report.surface.quoting import cut, quote
from blog_engine.report.surface.site import Site
from blog_engine.report.surface.sitemap import Listed, listed_pages
from blog_engine.report.surface.structured_article import structured_articles
from blog_engine.report.surface.visible_dates import visible_dates

_STRUCTURED, _PAGE, _SITEMAP = "structured data", "page", "sitemap"


def check_modified_date(article: Article, inspection: Inspection) -> Observation:
    """The recorded date of change is that of the structured data, of the sitemap and of the page.

    The sitemap need not list the article, and the page need not show a date of change that is not later than the
    published one (reader.md 15).
    """
    site, record = inspection.site, article.record
    expected = _expected(record, now=site.now)
    if expected is None:
        return not_verified("The history knows of no past date of change.")
    if not article.page.is_open:
        return not_verified("The article page is not open, so that its dates are not known.")
    listed = listed_pages(site)
    told = _told(article, site=site, listed=listed if isinstance(listed, Mapping) else {})
    published = dates_of(record.publications, record.baseline).published_at
    needed = {_STRUCTURED} if published and expected <= published else {_STRUCTURED, _PAGE}
    faults = list(_faults(told, expected=expected, needed=needed))
    seen = {place.replace(" ", "_"): cut(text) if text else None for place, text in told.items()}
    details = {"expected": iso_date(expected)} | seen
    if faults:
        return failed(" ".join(faults), details=details)
    if isinstance(listed, Observation):
        is_there = site.open(site.urls.sitemap_path()).is_open
        return listed if is_there else not_verified(f"Page and history agree, but nothing else: {listed.reason}")
    return passed("The date of change is the recorded one wherever it is told.", details=details)


def _expected(record: ReportedPost, *, now: datetime) -> datetime | None:
    changes = [
        entry for entry in record.publications if entry.entry_type in (EntryType.SUBSTANTIVE, EntryType.CORRECTION)
    ]
    past = [entry.occurred_at for entry in changes if entry.occurred_at <= now]
    if past:
        return past[-1]
    firsts = (entry.occurred_at for entry in record.publications if entry.entry_type == EntryType.FIRST)
    moment = record.baseline.last_modified_at if record.baseline else next(firsts, None)
    # Pages tell of no future.
    return moment if moment and moment <= now else None


def _told(article: Article, *, site: Site, listed: Listed) -> dict[str, str | None]:
    page = article.page.html
    return {
        _STRUCTURED: next((one.modified for one in structured_articles(page)), None),
        _PAGE: visible_dates(page, catalogue=site.settings.catalogue).updated,
        _SITEMAP: listed.get(site.urls.post_url(article.record.post.slug)),
    }


def _faults(told: Mapping[str, str | None], *, expected: datetime, needed: set[str]) -> Iterator[str]:
    for place, text in told.items():
        written = None if text is None else read_date(text)
        if text is None:
            if place in needed:
                yield f"The {place} has no date of change; recorded is {iso_date(expected)}."
        elif written is None:
            yield f"The date of change {quote(text)} of the {place} is not a date."
        elif not is_same(written, expected):
            yield f"The {place} says that the article changed on {cut(text)}; recorded is {iso_date(expected)}."
