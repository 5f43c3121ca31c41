"""The headings of a text that is being edited, without parsing the whole of it after each edit.

A Markdown text is divided where a block begins that nothing before it can reach, and each part is parsed by itself. An
edit changes the parts around it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

from markdown_it.rules_core import StateCore
from markdown_it.rules_core.text_join import text_join
from markdown_it.token import Token

from blog_engine.content._markdown import MAX_MARKUP, FootnoteLabels, compile_markdown, fresh_env, page_parser
from blog_engine.content._markdown_rules import BUDGET
from blog_engine.content.headings import HeadingIds, id_base, read_headings
from blog_engine.content.options import MarkdownPlugin, TooMuchMarkup
from blog_engine.content.sanitize import normalize, sanitize_compiled
from blog_engine.content.sections import folded_name, sections_named, sections_of, sections_of_compiled
from blog_engine.enums import BodyFormat

MOST_READ_AGAIN: Final = 100_000
"""Pieces of markup that are read again after edits: they take half a second."""
_WHOLE_PAGE: Final = 5
"""How many times as long as a block alone a piece of a whole page takes."""
_MARKUP_OF_PAGES: Final = 10_000
"""Pieces of markup that only pages have, such as footnote marks, and that a new text may have besides."""
_HEADING: Final = 20
"""The pieces of blocks that take as long as the text of a heading with markup."""
_CHARACTERS: Final = 100
"""The characters that take as long as a piece of markup."""
_LINES: Final = 8
"""The lines that take as long as a piece of markup."""
_LINE_OF_PARAGRAPH: Final = 2
"""The pieces of markup that take as long as a line of a paragraph."""

_NOTE_PREFIX: Final = "fn-0-"
"""As for a post without footnotes in its headings: the ids of its notes begin with its own id."""
_FEWEST: Final = 500
"""Characters of a part, if the text has a place to divide it."""
_LONG: Final = 4
"""How many times as long a part becomes before a long block is a part of its own."""
_BOUNDARY: Final = re.compile(r"(?:(?<=\n)|(?<=\r)(?!\n))[ \t]*(?:\r\n?|\n)(?=[^\s:])")
"""A blank line before a line that no list, footnote or term before it can contain."""
_ENDS_BLANK: Final = re.compile(r"(?:(?<=\n)|(?<=\r)(?!\n))[ \t]*(?:\r\n?|\n)\Z")
_LINE_END: Final = re.compile(r"\r\n?|\n")
_NOTES: Final = {"footnote_reference_open": True, "footnote_reference_close": False}
_AFTER: Final = "\n\na"
"""A paragraph after each part, which is a block of its own unless something in the part is open."""
_NUMBERS: Final = re.compile(r"(?:-[0-9]+)+\Z")
_TEXTUAL: Final = {
    **dict.fromkeys(["text", "text_special", "code_inline", "link_open", "link_close", "em_open", "em_close"], ""),
    **dict.fromkeys(["strong_open", "strong_close", "s_open", "s_close", "mark_open", "mark_close"], ""),
    **dict.fromkeys(["softbreak", "hardbreak"], " "),
}
"""The tokens whose content is their text on the page, or that are a space there."""
_PLAIN: Final = re.compile(r"[^\\`*_\[\]<>&!~=$\n]*")
"""Text of a heading without markup."""


class ReadTooOften(Exception):
    """The edits change so much markup that its headings cannot be found again after each of them."""


class PlacedHeading(NamedTuple):
    """A heading with its id and text on the page, and where the line after it starts in the source."""

    id: str
    text: str
    content_start: int | None
    """``None`` in an HTML body, whose source is not mapped."""


class _Heading(NamedTuple):
    content: str
    """Its source."""
    content_start: int
    """Where the line after it starts, in characters of the part."""


class _ShownHeading(NamedTuple):
    text: str
    folded: str
    base: str
    """Its id, if no other heading has that."""
    family: str
    content_start: int


@dataclass(slots=True)
class _ParsedPart:
    """A part of a Markdown text, which ends where a block ends."""

    text: str
    headings: tuple[_Heading, ...]
    references: Mapping[str, dict[str, Any]]
    footnotes: tuple[str, ...]
    """The labels of the footnotes that it defines."""
    is_closed: bool
    """Whether what follows is not read as a part of it."""
    notes_have_headings: bool
    """Whether there are headings in footnotes, which the page has at its end, if at all."""
    shown: Sequence[_ShownHeading] | None = None
    """The headings on the page, once they are known with the present definitions."""


class PlacedHeadings:
    """The headings of a text, which follow its edits.

    Raises ``TooMuchMarkup`` for a text that has more than a new one, and ``ReadTooOften``.
    """

    def __init__(self, text: str, *, body_format: BodyFormat, plugins: tuple[MarkdownPlugin, ...]) -> None:
        self._left = 2 * MAX_MARKUP
        self._plugins = plugins
        self._format = body_format
        self._is_changed = False
        self._definitions: tuple[dict[str, dict[str, Any]], dict[str, int]] = {}, {}
        # What a plugin does with a part need not be what it does with the whole text.
        self._is_divided = body_format is BodyFormat.MARKDOWN and not plugins
        self._text = "" if self._is_divided else text
        self._parts = self._divided(text, []) if self._is_divided else []

    def change(self, start: int, end: int, new: str) -> None:
        """Put ``new`` in place of the characters from ``start`` to ``end``."""
        if not self._is_changed:
            self._is_changed, self._left = True, MOST_READ_AGAIN
        if not self._is_divided:
            self._text = f"{self._text[:start]}{new}{self._text[end:]}"
            return
        starts = [0, *accumulate(len(part.text) for part in self._parts)]
        # The part before it too, if the change touches what begins a part.
        first, after = max(0, bisect_left(starts, start) - 1), bisect_left(starts, end)
        around = "".join(part.text for part in self._parts[first:after])
        changed = f"{around[: start - starts[first]]}{new}{around[end - starts[first] :]}"
        if after < len(self._parts) and (after == 0 or not _ENDS_BLANK.search(changed)):
            changed += self._parts[after].text
            after += 1
        self._parts[first:] = self._divided(changed, self._parts[after:])

    def named(self, name: str) -> list[PlacedHeading]:
        """Return the heading with this id, or else all with this text, as ``sections_named`` does."""
        if not self._can_be_divided():
            return sections_named(self._of_page(), name)
        ids, family, folded = HeadingIds(), _family(name), folded_name(name)
        found, start = list[PlacedHeading](), 0
        for part in self._parts:
            for heading in self._shown(part):
                # Only headings of one family can take each other's ids.
                if heading.family == family and ids.take(heading.base) == name:
                    return [PlacedHeading(name, heading.text, start + heading.content_start)]
                if heading.folded == folded:
                    found.append(PlacedHeading("", heading.text, start + heading.content_start))
            start += len(part.text)
        return found if len(found) < 2 else sections_named(self.all(), name)

    def all(self) -> list[PlacedHeading]:
        """Return the headings in the order of the page."""
        if not self._can_be_divided():
            return self._of_page()
        ids, found, start = HeadingIds(), list[PlacedHeading](), 0
        for part in self._parts:
            for heading in self._shown(part):
                found.append(PlacedHeading(ids.take(heading.base), heading.text, start + heading.content_start))
            start += len(part.text)
        return found

    def _can_be_divided(self) -> bool:
        """Return whether the page has the headings of the parts, in their order; then their definitions are known."""
        if not self._is_divided or any(part.notes_have_headings for part in self._parts):
            return False
        self._note_definitions()
        return True

    def _of_page(self) -> list[PlacedHeading]:
        """Return the headings of the whole page."""
        if self._format is not BodyFormat.MARKDOWN:
            sections = sections_of(self._text, body_format=self._format, footnote_prefix=_NOTE_PREFIX)
        else:
            text = "".join(part.text for part in self._parts) if self._is_divided else self._text
            with self._reading():
                compiled = compile_markdown(
                    text,
                    hard_breaks=False,
                    footnote_prefix=_NOTE_PREFIX,
                    plugins=self._plugins,
                    most_markup=self._left // _WHOLE_PAGE if self._is_changed else MAX_MARKUP + _MARKUP_OF_PAGES,
                    places_headings=True,
                )
            self._left -= _WHOLE_PAGE * (compiled.markup + len(text) // _CHARACTERS)
            sections = sections_of_compiled(compiled, text, footnote_prefix=_NOTE_PREFIX)
        return [PlacedHeading(one.id, one.text, one.content_start) for one in sections]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Raise ``ReadTooOften`` for markup past the limit in a text that was read before."""
        try:
            yield
        except TooMuchMarkup as excess:
            if self._is_changed:
                raise ReadTooOften from excess
            raise

    def _divided(self, text: str, following: list[_ParsedPart]) -> list[_ParsedPart]:
        """Return the parts of a text, which ends where a part did, and those that follow it."""
        parts = list[_ParsedPart]()
        start, least, taken = 0, 0, 0
        while start < len(text):
            end = _end_of_part(text, start, least)
            part = self._part(text[start:end])
            if part.is_closed or (end == len(text) and taken == len(following)):
                parts.append(part)
                start, least = end, 0
                continue
            # Twice as much each time, so that an open block is not read again with each part that it contains.
            least = 2 * (end - start)
            while taken < len(following) and len(text) - start <= least:
                text += following[taken].text
                taken += 1
        return [*parts, *following[taken:]]

    def _part(self, text: str) -> _ParsedPart:
        """Return a part that begins where a block does."""
        parser, env = page_parser(False), fresh_env(text, most_markup=self._left)
        source = _LINE_END.sub("\n", text).replace("\0", "\ufffd")
        tokens, lines = list[Token](), source.count("\n")
        with self._reading():
            parser.block.parse(source + _AFTER, parser, env, tokens)
        self._spend(self._left - env[BUDGET].markup)
        if self._is_changed:
            joined = sum(token.content.count("\n") for token in tokens if token.type == "inline")
            self._spend(len(text) // _CHARACTERS + lines // _LINES + _LINE_OF_PARAGRAPH * joined)
        # A fence or a raw block that is open contains what is after it.
        opening = tokens[-3] if len(tokens) > 2 else tokens[-1]
        is_closed = opening.type == "paragraph_open" and opening.level == 0 and opening.map == [lines + 2, lines + 3]
        headings, is_noted, notes_have_headings = list[_Heading](), False, False
        starts = [0, *(found.end() for found in _LINE_END.finditer(text)), len(text)]
        for token, inline in pairwise(tokens):
            if token.type in _NOTES:
                is_noted = _NOTES[token.type]
            elif token.type == "heading_open" and token.map:
                headings.append(_Heading(inline.content, starts[min(token.map[1], len(starts) - 1)]))
                notes_have_headings |= is_noted
        return _ParsedPart(
            text,
            tuple(headings),
            {label: {"href": one["href"], "title": one["title"]} for label, one in env["references"].items()},
            tuple(env.get("footnotes", {}).get("refs", ())),
            is_closed,
            notes_have_headings,
        )

    def _spend(self, markup: int) -> None:
        self._left -= markup
        if self._left < 0 and self._is_changed:
            raise ReadTooOften

    def _note_definitions(self) -> None:
        """Take over the link references and footnotes of all parts, with which the text of a heading can change."""
        references, footnotes = dict[str, dict[str, Any]](), dict[str, int]()
        for part in self._parts:
            for label, reference in part.references.items():
                references.setdefault(label, reference)
            footnotes |= dict.fromkeys(part.footnotes, -1)
        if (references, footnotes) != self._definitions:
            self._definitions = references, footnotes
            for part in self._parts:
                if any("[" in heading.content for heading in part.headings):
                    part.shown = None

    def _shown(self, part: _ParsedPart) -> Sequence[_ShownHeading]:
        """Return the headings of a part as the page has them, which has none for those without text."""
        if part.shown is None:
            texts = ((self._text_of(content), content_start) for content, content_start in part.headings)
            part.shown = [_shown_heading(text, content_start) for text, content_start in texts if text]
        return part.shown

    def _text_of(self, content: str) -> str:
        """Return the text of a heading on the page by its source."""
        if _PLAIN.fullmatch(content):
            return " ".join(content.split())
        self._spend(_HEADING + len(content) // 4)
        references, footnotes = self._definitions
        parser, env = page_parser(False), fresh_env(content) | {"footnote_prefix": _NOTE_PREFIX}
        env |= {"references": references, "footnotes": {"refs": FootnoteLabels(footnotes), "list": {}}}
        inline, children = Token("inline", "", 0, content=content), list[Token]()
        parser.inline.parse(content, parser, env, children)
        if all(token.type in _TEXTUAL for token in children):
            text = " ".join("".join(_TEXTUAL[token.type] or token.content for token in children).split())
            if text.isprintable():
                return text
        inline.children = children
        text_join(StateCore("", parser, env, [inline]))
        html = parser.renderer.render([inline], parser.options, env)
        tree = sanitize_compiled(f"<h1>{html}</h1>", footnote_prefix=_NOTE_PREFIX)
        normalize(tree)
        return next((heading.text for heading in read_headings(tree)), "")


def _family(heading_id: str) -> str:
    """Return what an id has in common with all that can get it a number, or a further one."""
    return _NUMBERS.sub("", heading_id)


def _shown_heading(text: str, content_start: int) -> _ShownHeading:
    base = id_base(text)
    return _ShownHeading(text, text.casefold(), base, _family(base), content_start)


def _end_of_part(text: str, start: int, least: int) -> int:
    """Return where a part ends that has ``least`` characters, or 0 for one of a usual length."""
    found = _BOUNDARY.search(text, start + (least or _FEWEST))
    end = found.end() if found else len(text)
    if least or end - start < _LONG * _FEWEST:
        return end
    # A long block is a part of its own.
    before = [one.end() for one in _BOUNDARY.finditer(text, start + 1, start + _FEWEST)]
    return before[-1] if before else end
