"""Terms in texts: words and phrases as they are, whatever the white space between their words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Final, NamedTuple
from unicodedata import category

from blog_engine.content.text import compose

_WITHOUT_SPACES: Final = (
    "\u0e00-\u0eff"  # Thai and Lao
    "\u1000-\u109f"  # Burmese
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Korean, which puts particles after words without a space
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese characters
)
"""Characters between which a word can begin and end anywhere."""
_PIECE: Final = re.compile(rf"[^\W{_WITHOUT_SPACES}]+|\n|\S")
"""A word, a character that stands alone, or the end of a line."""
_IN_WORDS: Final = re.compile(rf"[^\W{_WITHOUT_SPACES}]")

_SPELLINGS: Final = str.maketrans(
    {"\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", "\u0130": "I"}
    # Characters without width, which hide in words.
    | dict.fromkeys("\u00ad\u200b\u2060\ufeff")
)
"""Other characters for the same words. Capital I with a dot has a small form of two characters."""

_UNREAD: Final = frozenset({"pre", "code", "math", "svg", "button"})
_ADDED: Final = re.compile(
    r' class="(?:blog-alert-title|blog-heading-anchor|blog-code-lang|(?:blog-)?footnote-(?:ref|back))\b'
)
"""The classes of elements whose words rendering adds."""
_IN_LINES: Final = frozenset({"a", "abbr", "del", "em", "ins", "kbd", "mark", "span", "strong", "sub", "sup", "wbr"})
_TAG: Final = re.compile(r"""<(/?)([a-z][a-z0-9]*)((?:[^>"']++|"[^"]*+"|'[^']*+')*+)>""")
_AROUND: Final = 24
"""Characters on each side of a term that a passage shows."""


@dataclass(frozen=True, slots=True)
class AvoidedTerm:
    """A term that a text should not have."""

    avoid: str
    use: str = ""
    """What to write instead; empty if nothing is named."""


class Hits(NamedTuple):
    """The occurrences of a term in a text."""

    number: int
    passage: str
    """The text around the first one, on one line."""


def prose_in_html(html: str) -> str:
    """Return what readers read of a rendered body, a line for each block, without code, formulas and added words."""
    parts, start, unread, depth = list[str](), 0, "", 0
    for tag in _TAG.finditer(html):
        is_end, name = bool(tag[1]), tag[2]
        if unread:
            if name == unread:
                depth += -1 if is_end else 1
                if not depth:
                    unread, start = "", tag.end()
            continue
        parts.append(html[start : tag.start()].replace("\n", " "))
        start = tag.end()
        if not is_end and (name in _UNREAD or _ADDED.search(tag[3])):
            parts.append(" ")
            unread, depth = name, 1
        elif name in ("br", "img"):
            parts.append(" ")
        elif name not in _IN_LINES:
            parts.append("\n")
    if not unread:
        parts.append(html[start:].replace("\n", " "))
    return unescape("".join(parts))


@dataclass(slots=True)
class _Node:
    """The terms that begin with the same pieces."""

    next: "dict[str, _Node]" = field(default_factory=dict)
    ends: list[tuple[str | None, int | None]] = field(default_factory=list)
    """The terms that end here: how they must be written, if that counts, and their position; none is no fault."""


class TermFinder:
    """Finds terms in texts, in one pass over each.

    A term in small letters is found in any case, one with a capital letter only as it is written. The words to use
    instead are no occurrence of a term in them.
    """

    def __init__(self, terms: Sequence[AvoidedTerm]) -> None:
        self._root = _Node()
        for position, term in enumerate(terms):
            self._add(term.avoid, position)
        for term in terms:
            self._add(term.use, None, is_exact=_is_same_but_for_case(term))

    def _add(self, words: str, position: int | None, *, is_exact: bool = False) -> None:
        written, node = written_term(words), self._root
        for piece in _PIECE.findall(written.lower()):
            node = node.next.setdefault(piece, _Node())
        if written:
            is_exact = is_exact or written != written.lower()
            node.ends.append((written if is_exact else None, position))

    def hits(self, text: str) -> dict[int, Hits]:
        """Return the occurrences of each term that the text has, by its position; none overlap.

        The time grows with the length of the text, not with the number of terms.
        """
        found: dict[int, Hits] = {}
        read = (text if text.isascii() else compose(text)).translate(_SPELLINGS)
        for term, start, end in self._places(read):
            known = found.get(term)
            found[term] = Hits(known.number + 1, known.passage) if known else Hits(1, _passage(read, start, end))
        return found

    def _places(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield the terms in their order, and where each begins and ends."""
        low, known = text.lower(), self._root.next
        pieces = _PIECE.findall(low)
        if known.keys().isdisjoint(pieces):
            return
        spans, after = [piece.span() for piece in _PIECE.finditer(low)], 0
        for first, piece in enumerate(pieces):
            if piece not in known or first < after:
                continue
            # The longest one first.
            for last, node in reversed([*self._walk(pieces, first)]):
                start, end = spans[first][0], spans[last][1]
                is_found, term = _end_for(node, text[start:end])
                if not is_found or _is_cut(text, start, end):
                    continue
                after = last + 1
                if term is not None:
                    yield term, start, end
                break

    def _walk(self, pieces: Sequence[str], first: int) -> Iterator[tuple[int, _Node]]:
        """Yield the terms that begin with a piece: the position of their last piece, and their node."""
        node: _Node | None = self._root
        for last in range(first, len(pieces)):
            node = node.next.get(pieces[last]) if node else None
            if node is None:
                return
            if node.ends:
                yield last, node


def _is_same_but_for_case(term: AvoidedTerm) -> bool:
    return written_term(term.use).lower() == written_term(term.avoid).lower()


def written_term(words: str) -> str:
    """Return a term in the form in which it is looked for."""
    return " ".join(compose(words).translate(_SPELLINGS).split())


def _end_for(node: _Node, found: str) -> tuple[bool, int | None]:
    """Return whether one of the terms that end at a node is written so, and its position."""
    words = " ".join(found.split())
    ends = [end for end in node.ends if end[0] == words] or [end for end in node.ends if end[0] is None]
    return bool(ends), ends[0][1] if ends else None


def _is_cut(text: str, start: int, end: int) -> bool:
    """Return whether a sign before or after a word belongs to a letter of it, so that it is part of another word."""
    if end < len(text) and category(text[end])[0] == "M" and _IN_WORDS.match(text[end - 1]):
        return True
    return start > 0 and category(text[start - 1])[0] == "M" and _IN_WORDS.match(text[start]) is not None


def _passage(text: str, start: int, end: int) -> str:
    """Return a term with the words around it."""
    before = text[max(0, start - _AROUND) : start].rpartition("\n")[2]
    after = text[end : end + _AROUND].partition("\n")[0]
    if len(before) == _AROUND:
        before = "…" + before.partition(" ")[2]
    if len(after) == _AROUND:
        after = after.rpartition(" ")[0] + "…"
    return " ".join(f"{before}{text[start:end]}{after}".split())
