"""The ids that programs gave to headings, and the ids that the same headings have here."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Final

from anyascii import anyascii

from blog_engine.content.headings import dress_headings, heading_text, remove_empty_headings
from blog_engine.content.html import HEADINGS, Element, walk
from blog_engine.content.options import RenderLabels, RenderOptions
from blog_engine.content.rendering import sanitized
from blog_engine.enums import BodyFormat

_OPTIONS: Final = RenderOptions(
    hard_breaks=True, site_origin=None, mount="", script_name="", footnote_prefix="fn-0-", images={}
)
_LABELS: Final = RenderLabels()
_OF_SOURCE: Final = str.maketrans(
    {"\u2013": "--", "\u2014": "---", "\u2026": "...", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
)
_NO_HEADING: Final = re.compile(r"fn(?:ref)?[:-]|top$|:~:")
"""The beginnings of names that are no headings: footnotes, the top of the page, and words that are looked for."""
_NUMBERED: Final = re.compile(r"(.*)_([0-9]+)", re.DOTALL)


class IdRule(StrEnum):
    """The rule by which a program makes ids of headings that have none of their own."""

    UNKNOWN = "unknown"
    GOLDMARK = "goldmark"
    """Hugo's ``autoHeadingIDType`` is ``github``."""
    GOLDMARK_ASCII = "goldmark-ascii"
    BLACKFRIDAY = "blackfriday"
    KRAMDOWN = "kramdown"
    KRAMDOWN_GITHUB = "kramdown-github"
    """Jekyll, as long as its configuration names no other input."""
    PYTHON = "python"
    """The extension ``toc`` of Python-Markdown."""
    PYTHON_UNICODE = "python-unicode"
    """Its function ``slugify_unicode``."""
    PYMDOWN = "pymdown"
    """The same extension with the slugs of PyMdown Extensions in lower case."""
    GITHUB = "github"
    """The package ``github-slugger``, which Astro has."""
    ZOLA = "zola"
    DOCUTILS = "docutils"


@dataclass(frozen=True, slots=True)
class FormerIds:
    """The ids that the headings of a body had, as far as the source says."""

    rule: IdRule = IdRule.UNKNOWN
    given: tuple[tuple[str, int], ...] = ()
    """The ids that the body itself gives, each with the place of its heading among those of the page."""
    prefix: str = ""
    """What all ids begin with that the program makes."""
    separator: str = "-"
    """What these have in place of spaces; only Python-Markdown has another one."""


def is_of_heading(name: str) -> bool:
    """Return whether a fragment can be the id of a heading."""
    return bool(name) and _NO_HEADING.match(name) is None


def headings_of(text: str) -> list[Element]:
    """Return the headings of a body in Markdown that have an id on the page, in their order."""
    return _headings(_tree(text))


def ids_of_markdown(text: str, former: FormerIds) -> dict[str, str]:
    """Return the ids of the headings of a body by all names that they had or may have had, and by their own.

    The names that the body gives come first, then those that its program makes, then ours, then those of others.
    """
    tree = _tree(text)
    words = [heading_text(heading) for heading in _headings(tree)]
    shown = dress_headings(tree, labels=_LABELS)
    given = dict(former.given)
    ids = {name: shown[place].id for name, place in given.items()}
    for name, place in _made_by(former, words, given):
        ids.setdefault(name, shown[place].id)
    for heading in shown:
        ids.setdefault(heading.id, heading.id)
        if heading.former_id:
            ids.setdefault(heading.former_id, heading.former_id)
    for name, place in _made_by_any(words):
        ids.setdefault(name, shown[place].id)
    return ids


def _tree(text: str) -> Element:
    tree = sanitized(text, body_format=BodyFormat.MARKDOWN, options=_OPTIONS)
    remove_empty_headings(tree)
    return tree


def _headings(tree: Element) -> list[Element]:
    return [element for element in walk(tree) if element.name in HEADINGS]


def _made_by(former: FormerIds, headings: Sequence[str], given: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the ids that a program made of the words of headings without one, each with the place of its heading."""
    if former.rule is IdRule.UNKNOWN:
        return
    places = [place for place in range(len(headings)) if place not in given.values()]
    bases = [_base(former.rule, headings[place], former.separator) for place in places]
    match former.rule:
        case IdRule.PYTHON | IdRule.PYTHON_UNICODE | IdRule.PYMDOWN:
            names = _numbered_behind(bases, given)
        case IdRule.KRAMDOWN | IdRule.KRAMDOWN_GITHUB:
            names = _counted(bases)
        case _:
            names = _first_free(bases, given)
    yield from ((f"{former.prefix}{name}", place) for name, place in zip(names, places, strict=True))


def _base(rule: IdRule, words: str, separator: str = "-") -> str:
    """Return the id that a program makes of words that occur once; of ``KRAMDOWN_GITHUB`` it can be empty."""
    # Quotation marks, dashes and ellipses were other signs in the source, of which most programs make ids.
    source = words.translate(_OF_SOURCE)
    match rule:
        case IdRule.GOLDMARK:
            return _lower(source.strip(), "_- ", marks="") or "heading"
        case IdRule.GOLDMARK_ASCII:
            return _lower(_without_accents(source.strip()), "_- ", marks="") or "heading"
        case IdRule.BLACKFRIDAY:
            return re.sub(r"[\W_]+", "-", source.lower()).strip("-") or "heading"
        case IdRule.KRAMDOWN:
            return re.sub(r"^[^a-z]+|[^a-z0-9 -]", "", source.lower()).replace(" ", "-") or "section"
        case IdRule.PYTHON | IdRule.PYTHON_UNICODE:
            plain = _without_accents(source) if rule is IdRule.PYTHON else unicodedata.normalize("NFKC", source)
            plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
            return re.sub(rf"[{re.escape(separator)}\s]+", lambda _: separator, plain)
        case IdRule.PYMDOWN:
            plain = unicodedata.normalize("NFC", source).strip().lower()
            return re.sub(r"[^\w\- ]", "", plain).replace(" ", separator)
        case IdRule.ZOLA | IdRule.DOCUTILS:
            plain = anyascii(source) if rule is IdRule.ZOLA else _without_accents(source)
            plain = re.sub("[^a-z0-9]+", "-", plain.lower())
            return plain.strip("-") if rule is IdRule.ZOLA else re.sub("^[-0-9]+|-+$", "", plain)
        case _:
            return _lower(words, "- ", marks="M")


def _lower(words: str, signs: str, *, marks: str) -> str:
    """Return the letters, digits and some signs of words in lower case, with hyphens for spaces."""
    kinds = ("L", "Nd", "Pc", *marks)
    kept = (one for one in words.lower() if one in signs or unicodedata.category(one).startswith(kinds))
    return "".join(kept).replace(" ", "-")


def _without_accents(words: str) -> str:
    return unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()


def _first_free(bases: Iterable[str], given: Collection[str]) -> Iterator[str]:
    """Yield ids of which a repeated one has the first number that makes it unique."""
    taken = {*given}
    last: dict[str, int] = {}
    for base in bases:
        name = base
        for number in count(last.get(base, 1)):
            if name not in taken:
                break
            name = f"{base}-{number}"
            last[base] = number
        taken.add(name)
        yield name


def _counted(bases: Iterable[str]) -> Iterator[str]:
    """Yield ids of which the second has the number 1, also if another heading has that id."""
    counts: dict[str, int] = {}
    for base in bases:
        number = counts[base] = counts.get(base, -1) + 1
        yield f"{base}-{number}" if number else base


def _numbered_behind(bases: Iterable[str], given: Collection[str]) -> Iterator[str]:
    """Yield ids of which a repeated one, or one of no characters, has the next number after an underscore."""
    taken = {*given}
    last: dict[str, int] = {}
    for base in bases:
        name = base
        found = _NUMBERED.fullmatch(base)
        stem, number = (found[1], int(found[2])) if found and base in taken else (base, 0)
        number = max(number, last.get(stem, 0)) if name in taken or not name else number
        while name in taken or not name:
            number += 1
            name = f"{stem}_{number}"
            last[stem] = number
        taken.add(name)
        yield name


def _made_by_any(headings: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the ids that programs make of headings, each with the place of its heading.

    Those of GitHub, which Goldmark, kramdown for GitHub and Astro have, of markdown-it-anchor, of kramdown itself, and
    of Python-Markdown; of equal ones the second has a number.
    """
    counts: dict[str, int] = {}
    for place, shown in enumerate(headings):
        # They are made of the words of the source.
        words = shown.translate(_OF_SOURCE)
        bases = {
            re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-"),
            re.sub(r"\s+", "-", words.lower().strip()),
            re.sub(r"^[^a-z]+", "", re.sub(r"[^a-z0-9 -]", "", words.lower())).replace(" ", "-"),
            re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", _without_accents(words).lower()).strip()),
            _base(IdRule.ZOLA, shown),
        }
        for base in sorted(filter(None, bases)):
            number = counts.get(base, 0)
            counts[base] = number + 1
            yield from (((base, place),) if not number else ((f"{base}-{number}", place), (f"{base}_{number}", place)))
