"""Who signed an article and when, as readers see it (records.md 16: E1, E3, E5)."""

from blog_engine.enums import EntryType
from blog_engine.queries.dates import iso_date
from blog_engine.queries.history import dates_of
from blog_engine.queries.posts import ReportedPost
from blog_engine.report.surface.checks._open_page import of_open_page
from blog_engine.report.surface.dates import day_of, read_date
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import DECLARED, Observation, failed, judged_by, not_verified, passed
from blog_engine.report.surface.quoting import cut, quote
from blog_engine.report.surface.structured_article import structured_articles
from blog_engine.report.surface.targets import target_of
from blog_engine.report.surface.visible_author import author_link, visible_author
from blog_engine.report.surface.visible_dates import visible_dates


@of_open_page
def check_author(article: Article, inspection: Inspection) -> Observation:
    """The author is named in a visible byline and in the structured data."""
    faults = []
    if not visible_author(article, urls=inspection.site.urls):
        faults.append("No author is visible in a byline.")
    if not any(one.author_names for one in structured_articles(article.page.html)):
        faults.append("The structured data names no author of the article.")
    return judged_by(faults, well="The author stands in a visible byline and in the structured data.")


@of_open_page
def check_author_link(article: Article, inspection: Inspection) -> Observation:
    """The author's name leads to a page that opens."""
    link = author_link(article, urls=inspection.site.urls)
    if link is None:
        return failed("The author's name is no link that readers can see.")
    url = target_of(article.page, link.attrs["href"])
    if url is None:
        return failed(f"The author's link {quote(link.attrs['href'])} leads to no web page.")
    page = inspection.site.open(url)
    if not page.is_open:
        return page.unavailable(f"The author's page {cut(url)}")
    return passed("The author's link opens.", details={"url": cut(url)})


@of_open_page
def check_published_date(article: Article, inspection: Inspection) -> Observation:
    """The day that the page calls the published date is that of the recorded first one."""
    recorded = dates_of(article.record.publications, article.record.baseline).published_at
    if recorded is None:
        return not_verified("The history does not know when the article was first published.")
    shown = visible_dates(article.page.html, catalogue=inspection.site.settings.catalogue).published
    details = {"recorded": iso_date(recorded), "shown": cut(shown) if shown else None}
    marks = [DECLARED] if _is_only_declared(article.record) else []
    if shown is None and recorded > inspection.site.now:
        return not_verified("The recorded first date lies in the future: no page shows it yet.", marks=marks)
    if shown is None:
        return failed("The page shows no date that it calls the published one.", marks=marks, details=details)
    written = read_date(shown)
    if written is None:
        return failed(f"The published date {quote(shown)} cannot be read.", marks=marks, details=details)
    if day_of(written) != day_of(recorded):
        reason = f"The page shows {day_of(written)} as the published date, recorded is {day_of(recorded)}."
        return failed(reason, marks=marks, details=details)
    return passed("The published date is the recorded first one.", marks=marks, details=details)


def _is_only_declared(record: ReportedPost) -> bool:
    if any(entry.entry_type == EntryType.FIRST for entry in record.publications):
        return False
    return record.baseline is not None and record.baseline.first_published_at is None
