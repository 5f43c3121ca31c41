"""Whether the head of a page is that of a revision (records.md 16, E19 F)."""

from collections.abc import Iterator

from blog_engine.content.plain_text import first_words, plain_text
from blog_engine.content.revision import ImageEntry, RevisionContent
from blog_engine.content.text import composed, with_allowed_characters
from blog_engine.enums import BodyFormat, ReportResult
from blog_engine.report.surface.checks._excerpts import quoted
from blog_engine.report.surface.checks._image_bytes import digest_of, judge_image, open_file, stands_for
from blog_engine.report.surface.checks._stored_media import AddressBook
from blog_engine.report.surface.checks._verdict import Verdict, verdict
from blog_engine.report.surface.html import HtmlPage
from blog_engine.report.surface.site import Site


def judge_head(
    html: HtmlPage, content: RevisionContent, *, body_format: BodyFormat, book: AddressBook, site: Site
) -> Verdict:
    """Title and description, for search engines and for shared links, and the bytes of the social image."""
    image = _judge_social_image(html, content, book=book, site=site)
    words = _other_words(html, content, suffix=site.settings.title_suffix, body_format=body_format)
    seen_of_image = image.reasons if image.result is ReportResult.FAIL else ()
    return verdict(faults=[*words, *seen_of_image], doubts=image.reasons)


def _other_words(html: HtmlPage, content: RevisionContent, *, suffix: str, body_format: BodyFormat) -> Iterator[str]:
    title = (content.search_title or "").strip() or content.title or ""
    description = (
        (content.search_description or "").strip()
        or (content.description or "").strip()
        or first_words(plain_text(content.body or "", body_format=body_format))
    )
    # A host's layout may leave the suffix out: it is no part of the revision.
    titles = {_in_head(title), _in_head(title + suffix)}
    yield from _unlike("title", [html.title], titles)
    yield from _unlike("shared title", html.properties("og:title"), titles)
    descriptions = html.metas("description") or [""]
    yield from _unlike("description", descriptions, {_in_head(description)})
    yield from _unlike("shared description", html.properties("og:description"), {_in_head(description)})


def _unlike(what: str, seen: list[str], expected: set[str]) -> Iterator[str]:
    for text in seen:
        if _in_head(text) not in expected:
            yield f"The {what} in the head is {quoted(_in_head(text))}, not {quoted(min(expected, key=len))}."


def _in_head(text: str) -> str:
    """The text as a page can have it in its head, where all white space counts the same."""
    return " ".join(composed(with_allowed_characters(text)).split())


def _judge_social_image(html: HtmlPage, content: RevisionContent, *, book: AddressBook, site: Site) -> Verdict:
    """Without a recorded image there is nothing to compare: what shared links show then is the site's own."""
    entry = _social_image(content)
    if entry is None:
        return verdict()
    seen = [address for address in html.properties("og:image") if address]
    if not seen:
        return verdict(faults=["The head names no image for shared links, but the revision has one."])
    if all(book.shown_by(address) == stands_for(entry, book) for address in seen):
        return judge_image(entry, own=book, site=site)
    pages = [open_file(book.url_of(address), site=site) for address in seen]
    return verdict(
        faults=[
            f"The image for shared links, {page.url}, is not that of the revision."
            for page in pages
            if page.is_open and digest_of(page) != entry.sha256
        ],
        doubts=[f"{page.url} could not be fetched." for page in pages if not page.is_open],
    )


def _social_image(content: RevisionContent) -> ImageEntry | None:
    by_role = {entry.role: entry for entry in content.images}
    return by_role.get("social") or by_role.get("cover")
