"""E19: the page of an article is its recorded and approved revision (surface-report.e19)."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from blog_engine.content.faq import FaqPair
from blog_engine.content.plain_text import first_words, texts_of_body
from blog_engine.content.text import compose, with_allowed_characters
from blog_engine.enums import BodyFormat, Provenance, ReportResult
from blog_engine.fetching import REDIRECTS
from blog_engine.models import Revision
from blog_engine.queries.posts import ReportedPost
from blog_engine.rules.approvals import has_checked_facts
from blog_engine.rules.content_fields import REVISION_TEXTS
from blog_engine.rules.revision import ImageEntry, RevisionContent, content_of, revision_identifier, revision_payload
from blog_engine.surface_report._reading import (
    BaseURL,
    EmbeddedMedia,
    Reading,
    ReadLink,
    TextRun,
    for_the_eye,
    is_stored,
    plain,
    read,
    words_of,
)
from blog_engine.surface_report.article_template import ADDED, expected_page
from blog_engine.surface_report.html import HtmlPage, PageElement
from blog_engine.surface_report.observation import (
    Observation,
    failed,
    judged_by,
    not_applicable,
    not_verified,
    passed,
    quote,
)
from blog_engine.surface_report.site import FetchedPage, InspectedArticle, Inspection, Site

_ON_PAGE: Final = "BCDEFG"

_MOST_SENTENCES: Final = 3
_MOST_QUOTED: Final = 60
_BEFORE: Final = 20
_TO_STORAGE: Final = 1
"""Redirects from a stored image: the one to the storage."""
_ELSEWHERE: Final = 3
"""Redirects of another site, as many as the import of an image follows."""


def judge_content(article: InspectedArticle, inspection: Inspection) -> Observation:
    """Compare the page with its public revision in seven parts; ``details`` has the result of each.

    A the records themselves, B visible text, C links, D images and their texts, E their bytes, F the head, G the FAQ.
    """
    post = article.record.post
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return not_applicable("The article was written by people and needs no proof of what was approved.")
    if post.public_revision is None:
        return not_verified("The article has no public revision to compare its page with.")
    content = _stored_content(post.public_revision)
    parts = {"A": _judge_records(article.record, post.public_revision)}
    if content is None:
        doubt = "The stored revision does not match its identifier, so that nothing can be compared."
        parts |= dict.fromkeys(_ON_PAGE, not_verified(doubt))
    elif not article.page.is_open:
        parts |= dict.fromkeys(_ON_PAGE, article.page.unavailable("The article page"))
    else:
        parts |= sorted(_judge_page(article, content, site=inspection.site).items())
    return judged_by(
        reasons_of(parts.values(), ReportResult.FAIL),
        reasons_of(parts.values(), ReportResult.NOT_VERIFIED),
        well="The page is the recorded revision.",
        details={name: part.result.value for name, part in parts.items()},
    )


def _judge_records(record: ReportedPost, revision: Revision) -> Observation:
    """A: payload, identifier and stored post agree, and the revision was published and approved."""
    faults = []
    if _stored_content(revision) is None:
        faults.append("The stored text of the public revision does not match its identifier.")
    if revision_identifier(revision_payload(content_of(record.post, faq=record.faq))) != revision.identifier:
        faults.append("The post in the database is not the content of its public revision.")
    if all(entry.revision_id != revision.pk for entry in record.publications):
        faults.append("No publication of the public revision is recorded.")
    is_reviewed = any(
        one.revision_identifier == revision.identifier and has_checked_facts(one) for one in record.approvals
    )
    missing = [] if is_reviewed else ["No check of the facts of the public revision is recorded."]
    # An article of unknown origin need not have a review.
    is_doubt = record.post.provenance == Provenance.UNKNOWN
    return judge_part([*faults, *([] if is_doubt else missing)], missing if is_doubt else [])


def _stored_content(revision: Revision) -> RevisionContent | None:
    """Return what the revision recorded; ``None`` unless its payload matches the identifier and is well-formed."""
    if revision_identifier(revision.payload) != revision.identifier:
        return None
    try:
        raw = json.loads(revision.payload)
        content = RevisionContent(
            {name: raw.get(name) for name in (*REVISION_TEXTS, "body")},
            faq=tuple(FaqPair(question=one["question"], answer=one["answer"]) for one in raw["faq"]),
            images=tuple(ImageEntry(**one) for one in raw["images"]),
        )
        return content if revision_payload(content) == revision.payload else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _judge_page(article: InspectedArticle, content: RevisionContent, *, site: Site) -> dict[str, Observation]:
    html, post = article.page.html, article.record.post
    own = BaseURL(site.urls, site.urls.post_url(post.slug))
    base = BaseURL(site.urls, BaseURL(site.urls, article.page.url).resolve(html.base))
    expected = expected_page(content, post, own=own)
    images = [entry for entry in content.images if entry.role != "social"]
    parts = {
        "F": judge_head(html, content, body_format=BodyFormat(post.body_format), base=base, site=site),
        "G": judge_faq(expected, html, content.faq, base=base, own=own),
    }
    # Of two regions, readers could see one and the report the other.
    regions = list(html.with_attr("data-blog-content"))
    if len(regions) != 1 or regions[0].is_hidden():
        missing = failed("The page has not exactly one visible element with data-blog-content.")
        return parts | dict.fromkeys("BCD", missing) | {"E": judge_bytes(images, [], own=own, site=site)}
    recorded, served = written_part(next(expected.with_attr("data-blog-content"))), written_part(regions[0])
    wanted, seen = read(for_the_eye(recorded), own), read(for_the_eye(served), base)
    text = judge_text(wanted.words, seen.words)
    if text.result is ReportResult.PASS and words_of(served) != words_of(recorded):
        text = failed("Some words of the article are kept from assistive technology.")
    return parts | {
        "B": text,
        "C": judge_order("link", *(_without_cover(one.links, images, base=own) for one in (wanted, seen))),
        "D": judge_order("image", wanted.media, seen.media),
        "E": judge_bytes(images, seen.media, own=own, site=site),
    }


def _without_cover(links: Sequence[ReadLink], images: Sequence[ImageEntry], *, base: BaseURL) -> tuple[ReadLink, ...]:
    """Return links without those from the cover to its own file, which the page adds and hosts may leave out."""
    covers = {base.source_of_entry(entry) for entry in images if entry.role == "cover"}
    return tuple(link for link in links if link.text or base.source_of(link.url) not in covers)


def judge_part(faults: Iterable[str], doubts: Iterable[str] = ()) -> Observation:
    """Return the result of a part, with a short reason unless it passes."""
    return judged_by(faults, doubts, well="", most=_MOST_SENTENCES)


def written_part(region: PageElement) -> PageElement:
    """Return a copy of what the author wrote in a region, without the FAQ and what the page adds.

    Inside the body no marker counts: whatever someone put into it is to be seen.
    """
    return region.copy_without(_is_added)


def judge_text(expected: Sequence[TextRun], seen: Sequence[TextRun]) -> Observation:
    """B: the same words, in code blocks to the character."""
    for wanted, found in zip_longest(expected, seen, fillvalue=TextRun("")):
        if wanted != found:
            pairs = enumerate(zip(f"{wanted.text}\0", f"{found.text}\1", strict=False))
            start = max(0, next(position for position, (one, other) in pairs if one != other) - _BEFORE)
            shown, recorded = (_quoted(one.text, start) for one in (found, wanted))
            return failed(f"The page says {shown} where the revision says {recorded}.")
    return passed("")


def judge_order(
    what: str, expected: Sequence[ReadLink | EmbeddedMedia], seen: Sequence[ReadLink | EmbeddedMedia]
) -> Observation:
    """C and D: the same links from the same words, the same images with the same texts, and no other ones."""
    for number, (wanted, found) in enumerate(zip_longest(expected, seen), start=1):
        if wanted != found:
            return failed(f"The {what} {number} on the page is {_named(found)}, that of the revision {_named(wanted)}.")
    return passed("")


def judge_bytes(
    recorded: Sequence[ImageEntry], shown: Iterable[EmbeddedMedia], *, own: BaseURL, site: Site
) -> Observation:
    """E: each recorded image is served with its bytes, and the page shows no other one.

    Of variants the digest in the URL is compared, and the original behind it is fetched and hashed.
    """
    strange = {source for one in shown for source in one.sources} - {own.source_of_entry(one) for one in recorded}
    faults = [f"The page shows {source}, which the revision does not record." for source in sorted(strange)]
    return _judge_all(faults, [_judge_image(entry, own=own, site=site) for entry in recorded])


def judge_head(
    html: HtmlPage, content: RevisionContent, *, body_format: BodyFormat, base: BaseURL, site: Site
) -> Observation:
    """F: title and description, for search engines and shared links, and the bytes of the social image."""
    texts = _other_head(html, content, suffix=site.settings.title_suffix, body_format=body_format)
    return _judge_all(list(texts), [_judge_social_image(html, content, base=base, site=site)])


def judge_faq(
    expected: HtmlPage, html: HtmlPage, faq: Sequence[FaqPair], *, base: BaseURL, own: BaseURL
) -> Observation:
    """G: the entries, open or closed, and those of the structured data, if the page has any there."""
    wanted = [read(one, own) for one in expected.outermost("data-blog-faq-entry")]
    faults = [fault for root in (html, for_the_eye(html)) for fault in _other_entries(root, wanted, base=base)]
    return judge_part([*faults, *_other_structured_faq(html, faq)])


def reasons_of(parts: Iterable[Observation], result: ReportResult) -> list[str]:
    """Return the reasons of the parts with a result."""
    return [one.reason for one in parts if one.result is result]


def _judge_all(faults: Sequence[str], parts: Sequence[Observation]) -> Observation:
    failures, doubts = (reasons_of(parts, result) for result in (ReportResult.FAIL, ReportResult.NOT_VERIFIED))
    return judge_part([*faults, *failures], doubts)


def _is_added(element: PageElement) -> bool:
    is_in_body = any("data-blog-body" in one.attrs for one in element.around())
    return "data-blog-faq" in element.attrs or not (is_in_body or ADDED.isdisjoint(element.attrs))


def _named(one: ReadLink | EmbeddedMedia | None) -> str:
    match one:
        case ReadLink(url, text):
            return f"{_quoted(url)} from {_quoted(text)}"
        case EmbeddedMedia(name, sources, text):
            return f"{name} {_quoted(' '.join(sorted(sources)))} for {_quoted(text)}"
    return "missing"


def _quoted(text: str, start: int = 0) -> str:
    rest = text[start:]
    return quote(f"…{rest}" if start else rest, longest=_MOST_QUOTED) if rest else "nothing"


def _judge_image(entry: ImageEntry, *, own: BaseURL, site: Site) -> Observation:
    if not entry.sha256:
        return not_verified(f"The bytes of {entry.url} were never recorded.")
    page = _open_file(own.of_entry(entry), site=site, redirects=_TO_STORAGE if is_stored(entry) else _ELSEWHERE)
    if page.status is None or page.status in REDIRECTS:
        return not_verified(f"{entry.url} could not be fetched.")
    if not page.is_open:
        return failed(f"{entry.url} answered {page.status}.")
    if _digest_of(page) != entry.sha256:
        return failed(f"{entry.url} is served with other bytes than the recorded ones.")
    return passed("")


def _open_file(url: str, *, site: Site, redirects: int) -> FetchedPage:
    page = site.open(url)
    while redirects and (target := page.redirect_target):
        page = site.open(target)
        redirects -= 1
    return page


def _digest_of(page: FetchedPage) -> str:
    return hashlib.sha256(page.body).hexdigest()


def _judge_social_image(html: HtmlPage, content: RevisionContent, *, base: BaseURL, site: Site) -> Observation:
    """Without a recorded image there is nothing to compare: the image of shared links is then the site's own."""
    by_role = {entry.role: entry for entry in content.images}
    entry = by_role.get("social") or by_role.get("cover")
    if entry is None:
        return passed("")
    seen = [url for url in html.properties("og:image") if url]
    if not seen:
        return failed("The head names no image for shared links, but the revision has one.")
    if all(base.source_of(url) == base.source_of_entry(entry) for url in seen):
        return _judge_image(entry, own=base, site=site)
    pages = [_open_file(base.resolve(url), site=site, redirects=_ELSEWHERE) for url in seen]
    other = [page.url for page in pages if page.is_open and _digest_of(page) != entry.sha256]
    return judge_part(
        [f"The image for shared links, {url}, is not that of the revision." for url in other],
        [f"{page.url} could not be fetched." for page in pages if not page.is_open],
    )


def _other_head(html: HtmlPage, content: RevisionContent, *, suffix: str, body_format: BodyFormat) -> Iterator[str]:
    title = content.text("search_title").strip() or content.text("title")
    description = (
        content.text("search_description").strip()
        or content.text("description").strip()
        or first_words(texts_of_body(content.text("body"), body_format=body_format))
    )
    # A host's layout may leave the suffix out: it is no part of the revision.
    titles, descriptions = [title, title + suffix], [description]
    for what, seen, expected in (
        ("title", [html.title], titles),
        ("shared title", html.properties("og:title"), titles),
        ("description", html.metas("description") or [""], descriptions),
        ("shared description", html.properties("og:description"), descriptions),
    ):
        wanted = [_in_head(text) for text in expected]
        for text in map(_in_head, seen):
            if text not in wanted:
                yield f"The {what} in the head is {_quoted(text)}, not {_quoted(wanted[0])}."


def _in_head(text: str) -> str:
    """Return the text as a head can hold it, where all white space counts the same."""
    return " ".join(compose(with_allowed_characters(text)).split())


def _other_entries(root: PageElement, expected: Sequence[Reading], *, base: BaseURL) -> Iterator[str]:
    sections = [one for one in root.outermost("data-blog-faq") if not one.is_hidden()]
    entries = [one for section in sections for one in section.outermost("data-blog-faq-entry")]
    if len(entries) > len(expected):
        yield f"The page has {len(entries)} questions in its FAQ, the revision {len(expected)}."
    for number, (wanted, seen) in enumerate(zip_longest(expected, entries[: len(expected)]), start=1):
        if seen is None:
            yield f"Question {number} of the FAQ is not on the page."
        elif read(seen, base) != wanted:
            yield f"Question {number} of the FAQ, or its answer, is another one than the revision's."
    for section in sections:
        rest = section.copy_without(lambda one: "data-blog-faq-entry" in one.attrs)
        title = next(rest.all("h1", "h2", "h3", "h4", "h5", "h6"), None)
        if text := rest.copy_without({title}.__contains__).visible_text():
            yield f"The FAQ says {_quoted(text)} beside its questions and answers."


def _other_structured_faq(html: HtmlPage, faq: Sequence[FaqPair]) -> Iterator[str]:
    recorded = [(_comparable(pair.question), _comparable(pair.answer)) for pair in faq]
    for entity in html.structured_data():
        kind = entity.get("@type")
        if kind == "FAQPage" or (isinstance(kind, list) and "FAQPage" in kind):
            questions = entity.get("mainEntity")
            seen = [_pair_in(one) for one in (questions if isinstance(questions, list) else [questions])]
            if seen != recorded:
                yield "The questions and answers in the structured data are not those of the revision."


def _pair_in(question: Any) -> tuple[str, str]:
    if not isinstance(question, dict):
        return "", ""
    answer = question.get("acceptedAnswer")
    text = answer.get("text") if isinstance(answer, dict) else ""
    return _comparable(question.get("name")), _comparable(text)


def _comparable(text: Any) -> str:
    return plain(with_allowed_characters(text)) if isinstance(text, str) else ""
