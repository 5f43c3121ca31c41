"""Small edits of a text: passages that are replaced, and text that is added (posts.edits)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from itertools import islice
from typing import Final

from blog_engine.content.options import MarkdownPlugin
from blog_engine.content.sections import BodySection, sections_named, sections_of
from blog_engine.enums import BodyFormat

_LONGEST_SHOWN: Final = 400
_MOST_WORDS: Final = 60
"""Of a passage that is not found, with which the nearest one is looked for."""
_LONGEST_SEARCHED: Final = 1_000_000
"""Characters in which it is looked for."""
_MOST_COMPARED: Final = 2000
"""Different words with which a misspelt one is compared."""
_LONGEST_WORD: Final = 40
_MOST_HEADINGS: Final = 20
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\w+|[^\w\s]")
"""A word, or a single character of a script without spaces."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A passage and what replaces it; ``occurrence`` counts from 1, ``None`` if the passage must be there once."""

    old: str
    new: str
    occurrence: int | None = None


@dataclass(frozen=True, slots=True)
class Addition:
    """Text that comes after the end, or directly after the heading with this id or text."""

    text: str
    heading: str | None = None


TextEdit = Replacement | Addition


class EditDoesNotApply(Exception):
    """An edit does not fit the text; the message says why, and shows the nearest passage."""


def edited(
    text: str, edits: Sequence[TextEdit], *, body_format: BodyFormat, plugins: tuple[MarkdownPlugin, ...] = ()
) -> str:
    """Return the text after all edits, each of which is applied to what the one before it left.

    Headings are those of the page, which the ``plugins`` of the host may change. Raises ``EditDoesNotApply``, which
    names the edit by its number if there are several.
    """
    for number, edit in enumerate(edits, start=1):
        try:
            if isinstance(edit, Replacement):
                text = _replaced(text, edit)
            elif edit.heading is None:
                text = _joined(text, edit.text, "")
            else:
                text = _added_after_heading(text, edit.heading, edit.text, body_format, plugins)
        except EditDoesNotApply as fault:
            if len(edits) == 1:
                raise
            raise EditDoesNotApply(f"Edit {number} of {len(edits)}: {fault}") from fault
    return text


def _replaced(text: str, edit: Replacement) -> str:
    old, new = (_with_line_ends_of(text, part) for part in (edit.old, edit.new))
    number = text.count(old)
    if not number:
        raise EditDoesNotApply(f"old is not in the body. {_nearest_passage(text, old)}")
    if edit.occurrence is None and number > 1:
        where = f"old is in the body {number} times: {_places(text, old)}."
        raise EditDoesNotApply(f"{where} Send a longer passage, or occurrence from 1 to {number}.")
    if edit.occurrence is not None and edit.occurrence > number:
        raise EditDoesNotApply(f"occurrence is too large: old is in the body {number} time{'s' * (number > 1)}.")
    start = _start_of(text, old, edit.occurrence or 1)
    return f"{text[:start]}{new}{text[start + len(old) :]}"


def _start_of(text: str, old: str, occurrence: int) -> int:
    start = text.find(old)
    for _ in range(occurrence - 1):
        start = text.find(old, start + len(old))
    return start


def _with_line_ends_of(text: str, part: str) -> str:
    """Return a part with the line ends of the text, which a model does not see."""
    if "\r\n" in text and "\r" not in part:
        return part.replace("\n", "\r\n")
    return part


def _joined(before: str, added: str, after: str) -> str:
    """Return the texts with a blank line between them, so that the added one is a paragraph of its own."""
    end = "\r\n" if "\r\n" in before + after else "\n"
    added = _with_line_ends_of(before + after, added)
    head = f"{before.rstrip()}{end}{end}" if before.strip() else ""
    if not after.strip():
        return f"{head}{added}" if added.endswith("\n") else f"{head}{added}{end}"
    return f"{head}{added.rstrip()}{end}{end}{after.lstrip(chr(13) + chr(10))}"


def _places(text: str, old: str) -> str:
    """Return the first three lines in which a passage begins, by their numbers."""
    lines: list[int] = []
    start = text.find(old)
    while start >= 0 and len(lines) < 3:
        lines.append(text.count("\n", 0, start) + 1)
        start = text.find(old, start + len(old))
    return f"in line {', '.join(map(str, lines))}" + (" and further down" if start >= 0 else "")


def _nearest_passage(text: str, old: str) -> str:
    """Return a sentence with the passage of the text that shares most words in a row with ``old``."""
    wanted = [match.group() for match in islice(_WORD.finditer(old), _MOST_WORDS)]
    places = [(match.start(), match.end()) for match in _WORD.finditer(text, 0, _LONGEST_SEARCHED)]
    words = [text[start:end] for start, end in places]
    match = SequenceMatcher(None, words, wanted, autojunk=False).find_longest_match()
    place, wanted_place = match.a, match.b
    if not any(word[0].isalnum() for word in words[match.a : match.a + match.size]):
        longest = max(wanted, key=len, default="")
        known = islice(dict.fromkeys(words), _MOST_COMPARED)
        close = get_close_matches(
            longest, [word for word in known if max(len(word), len(longest)) <= _LONGEST_WORD], n=1
        )
        if not close:
            return "Nothing in the body is like it: read the body again."
        place, wanted_place = words.index(close[0]), wanted.index(longest)
    first = max(0, place - wanted_place)
    last = min(len(words), first + len(wanted)) - 1
    passage = text[places[first][0] : places[last][1]][:_LONGEST_SHOWN]
    return f"The nearest passage is: {passage}"


def _added_after_heading(
    text: str, heading: str, added: str, body_format: BodyFormat, plugins: tuple[MarkdownPlugin, ...]
) -> str:
    sections = sections_of(text, body_format=body_format, footnote_prefix="", plugins=plugins)
    found = sections_named(sections, heading)
    if not found:
        raise EditDoesNotApply(f"The body has no such heading. {_known(sections)}")
    if len(found) > 1:
        ids = ", ".join(one.id for one in found)
        raise EditDoesNotApply(f"Several headings have that text: send the id of one of them, {ids}.")
    start = found[0].content_start
    if start is None:
        raise EditDoesNotApply("The headings of this body have no place in its source: edit it by old and new.")
    return _joined(text[:start], added, text[start:])


def _known(sections: Sequence[BodySection]) -> str:
    if not sections:
        return "It has no headings: edit it by old and new, or by append."
    more = "" if len(sections) <= _MOST_HEADINGS else ", …"
    return f"Its headings are {', '.join(one.text for one in sections[:_MOST_HEADINGS])}{more}."
