"""Whether questions and answers on a page are those of a revision (records.md 16, E19 G)."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import zip_longest
from typing import Any, Final

from blog_engine.content.faq import FaqPair, answer_html
from blog_engine.content.text import with_allowed_characters
from blog_engine.report.surface.checks._copies import copy_without, has_attr, outermost
from blog_engine.report.surface.checks._excerpts import quoted
from blog_engine.report.surface.checks._expected_content import element_of
from blog_engine.report.surface.checks._reading import (
    Link,
    Run,
    Shown,
    for_the_eye,
    links_of,
    plain,
    shown_in,
    words_of,
)
from blog_engine.report.surface.checks._stored_media import AddressBook
from blog_engine.report.surface.checks._verdict import Verdict, verdict
from blog_engine.report.surface.html import Element, HtmlPage

_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")

_IS_ENTRY: Final = has_attr("data-blog-faq-entry")

_Entry = tuple[tuple[Run, ...], tuple[Link, ...], tuple[Shown, ...]]


def judge_faq(html: HtmlPage, faq: Sequence[FaqPair], *, book: AddressBook, own: AddressBook) -> Verdict:
    """The entries, open or closed, and those of the structured data, where the page has any there."""
    entries = [
        fault for root in (html.root, for_the_eye(html.root)) for fault in _other_entries(root, faq, book=book, own=own)
    ]
    return verdict(faults=[*entries, *_other_structured(html, faq)])


def _other_entries(root: Element, faq: Sequence[FaqPair], *, book: AddressBook, own: AddressBook) -> Iterator[str]:
    sections = [one for one in outermost(root, has_attr("data-blog-faq")) if not one.is_hidden()]
    entries = [one for section in sections for one in outermost(section, _IS_ENTRY)]
    expected = [element_of(f"<h3>{escape(pair.question)}</h3><div>{answer_html(pair.answer)}</div>") for pair in faq]
    for number, (seen, recorded) in enumerate(zip_longest(entries, expected), start=1):
        if seen is None:
            yield f"Question {number} of the FAQ is not on the page."
        elif recorded is None:
            yield f"The page has {len(entries)} questions in its FAQ, the revision {len(expected)}."
            return
        elif _entry(seen, book) != _entry(recorded, own):
            yield f"Question {number} of the FAQ, or its answer, is another one than the revision's."
    for section in sections:
        if rest := _beside_entries(section):
            yield f"The FAQ says {quoted(rest)} beside its questions and answers."


def _entry(element: Element, book: AddressBook) -> _Entry:
    return words_of(element), links_of(element, book), shown_in(element, book)


def _beside_entries(section: Element) -> str:
    """The text of a section without its entries and the heading that the page gives it."""
    rest = copy_without(section, _IS_ENTRY)
    title = next(rest.all(*_HEADINGS), None)
    return copy_without(rest, lambda one: one is title).visible_text()


def _other_structured(html: HtmlPage, faq: Sequence[FaqPair]) -> Iterator[str]:
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
