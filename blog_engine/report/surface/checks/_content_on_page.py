"""Whether words, links and images of a page are those of a revision (records.md 16, E19 B to D)."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from blog_engine.report.surface.checks._excerpts import first_difference, quoted, quoted_around
from blog_engine.report.surface.checks._reading import Link, Run, Shown, for_the_eye, links_of, shown_in, words_of
from blog_engine.report.surface.checks._stored_media import AddressBook
from blog_engine.report.surface.checks._verdict import Verdict, verdict
from blog_engine.report.surface.html import Element


def judge_text(expected: Element, seen: Element) -> Verdict:
    """The same words, in code blocks to the character, for those who look and for those who listen."""
    words = words_of(expected)
    different = list(_differences(words, words_of(for_the_eye(seen))))
    if not different and words_of(seen) != words:
        different.append("Some words of the article are kept from assistive technology.")
    return verdict(faults=different)


def judge_links(expected: Element, seen: Element, *, book: AddressBook, own: AddressBook) -> Verdict:
    """The same links, from the same words. ``own`` reads the addresses of the revision, ``book`` those of the page."""
    return verdict(faults=_unlike("link", links_of(expected, own), links_of(for_the_eye(seen), book)))


def judge_images(expected: Element, seen: Element, *, book: AddressBook, own: AddressBook) -> Verdict:
    """The same images in the same order, with the same alternative texts, and nothing else embedded."""
    return verdict(faults=_unlike("image", shown_in(expected, own), shown_in(for_the_eye(seen), book)))


def _differences(expected: Sequence[Run], seen: Sequence[Run]) -> Iterator[str]:
    for wanted, found in zip_longest(expected, seen, fillvalue=Run("")):
        if wanted != found:
            position = first_difference(wanted.text, found.text)
            shown, there = quoted_around(found.text, position), quoted_around(wanted.text, position)
            yield f"The page says {shown} where the revision says {there}."
            return


def _unlike(what: str, expected: Sequence[Link | Shown], seen: Sequence[Link | Shown]) -> Iterator[str]:
    for number, (wanted, found) in enumerate(zip_longest(expected, seen), start=1):
        if wanted != found:
            yield f"The {what} {number} on the page is {_named(found)}, that of the revision {_named(wanted)}."
            return


def _named(one: Link | Shown | None) -> str:
    match one:
        case Link(url, text):
            return f"{quoted(url)} from {quoted(text)}"
        case Shown(name, stands_for, text):
            return f"{name} {quoted(' '.join(sorted(stands_for)))} for {quoted(text)}"
        case _:
            return "missing"
