"""Readers are told of corrections (records.md 16: E7)."""

from collections.abc import Iterator

from blog_engine.content.text import with_allowed_characters
from blog_engine.enums import EntryType
from blog_engine.models import Publication
from blog_engine.queries.dates import iso_date
from blog_engine.report.surface.dates import is_same, read_date
from blog_engine.report.surface.html import Element, HtmlPage
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import Observation, failed, not_applicable, passed
from blog_engine.report.surface.own_elements import elements_of_content, elements_of_page
from blog_engine.report.surface.quoting import cut
from blog_engine.report.surface.visible_dates import visible_times


def check_corrections(article: Article, inspection: Inspection) -> Observation:
    """Each past correction has a notice with its date and its note that readers see."""
    entries = [entry for entry in article.record.publications if entry.entry_type == EntryType.CORRECTION]
    past = [entry for entry in entries if entry.occurred_at <= inspection.site.now]
    if not past:
        return not_applicable("The article was never corrected.")
    if not article.page.is_open:
        return article.page.unavailable("The article page")
    notices = list(_dated_texts(article.page.html))
    missing = [entry for entry in past if not any(_tells(date, text, entry) for date, text in notices)]
    if missing:
        return failed(
            f"{len(missing)} of {len(past)} corrections have no visible notice with their date and note.",
            details={
                "missing": [{"occurred_at": iso_date(one.occurred_at), "note": cut(one.note or "")} for one in missing]
            },
        )
    return passed(f"Each correction has a visible notice; there {'is' if len(past) == 1 else 'are'} {len(past)}.")


def _dated_texts(page: HtmlPage) -> Iterator[tuple[str, str]]:
    """Each visible date of the article, as it is written, with the visible text of the largest part it alone dates."""
    times = {
        id(one): one for elements in (elements_of_content, elements_of_page) for one in visible_times(elements(page))
    }
    for time in times.values():
        part = time
        while part.parent and not _is_more_than_a_notice(part.parent, time):
            part = part.parent
        yield time.attrs["datetime"], part.visible_text()


def _is_more_than_a_notice(element: Element, time: Element) -> bool:
    is_whole = element.name in {"article", "main", "body", ""} or "data-blog-content" in element.attrs
    return is_whole or any(one is not time and "datetime" in one.attrs for one in element.all("time"))


def _tells(date: str, text: str, entry: Publication) -> bool:
    written = read_date(date)
    note = " ".join(with_allowed_characters(entry.note or "").split())
    return written is not None and is_same(written, entry.occurred_at) and note in text
