"""Terms in texts: words and phrases as they are, whatever the white space between their words."""

import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from itertools import chain, islice
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
_OTHER_PLANES: Final = "\U00010000-\U0010ffff"
_SPACES: Final = re.compile(r"[^\S\n]{2,}|[^\S\n ]")
"""White space within a line, unless it is one space."""
_NEEDLESS_SPACE: Final = re.compile(rf"(?<=[{_WITHOUT_SPACES}]) (?=[{_WITHOUT_SPACES}])")
"""A space between two characters that need none, which does not count."""

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


class _End(NamedTuple):
    """The longest term that begins at a piece."""

    length: int
    """In pieces."""
    term: int | None
    """The position of the term; ``None`` if it is no fault."""


@dataclass(slots=True, eq=False)
class _Node:
    """The pieces that have been read, as far as a term can end with them."""

    next: "dict[str, _Node]" = field(default_factory=dict)
    """The nodes with a piece more before them."""
    shorter: "_Node | None" = None
    """The node of the most of them, without the last ones, that a term can end with; ``None`` if there is none."""
    end: _End | None = None
    """The longest term that these pieces begin with."""


class _Automaton:
    """Terms as an automaton of Aho and Corasick that reads backwards, so that the first piece tells the longest."""

    def __init__(self, terms: Iterable[tuple[str, int | None]]) -> None:
        self._root = _Node()
        for words, position in terms:
            pieces, node = _pieces().findall(_readable(words)), self._root
            for piece in reversed(pieces):
                node = node.next.setdefault(piece, _Node())
            node.end = _End(len(pieces), position)
        self._link()

    def _link(self) -> None:
        waiting = deque(self._root.next.values())
        while waiting:
            node = waiting.popleft()
            node.end = node.end or (node.shorter.end if node.shorter else None)
            for piece, longer in node.next.items():
                shorter = node.shorter
                while shorter and piece not in shorter.next:
                    shorter = shorter.shorter
                longer.shorter = (shorter or self._root).next.get(piece)
                waiting.append(longer)

    def ends(self, text: str) -> Iterator[tuple[int, _End]]:
        """Yield the pieces at which a term begins, from the last to the first, each with the longest of its terms.

        Each piece takes one step on average, whatever the terms and the text are.
        """
        node = root = self._root
        pieces = _pieces().findall(text) if root.next else []
        if root.next.keys().isdisjoint(pieces):
            return
        for start in range(len(pieces) - 1, -1, -1):
            piece = pieces[start]
            while (longer := node.next.get(piece)) is None and node is not root:
                node = node.shorter or root
            node = longer or root
            if node.end:
                yield start, node.end


class TermFinder:
    """Finds terms in texts, in one pass over each.

    A term in small letters is found in any case, one with a capital letter only as it is written. The words to use
    instead are no occurrence of a term in them.
    """

    def __init__(self, terms: Sequence[AvoidedTerm]) -> None:
        avoided = [(written_term(term.avoid), position, False) for position, term in enumerate(terms)]
        # Of two that are looked for alike, the one to use counts.
        wanted = [(written_term(term.use), None, _is_same_but_for_case(term)) for term in terms]
        of_any_case, exact = list[tuple[str, int | None]](), list[tuple[str, int | None]]()
        for words, position, is_exact in [*avoided, *wanted]:
            if words:
                chosen = exact if is_exact or words != words.lower() else of_any_case
                chosen.append((words, position))
        self._of_any_case, self._exact = _Automaton(of_any_case), _Automaton(exact)

    def hits(self, text: str) -> dict[int, Hits]:
        """Return the occurrences of each term that the text has, by its position; none overlap.

        The time grows with the length of the text, not with the number of terms.
        """
        read = _readable(text)
        numbers, firsts = Counter[int](), dict[int, tuple[int, int]]()
        for start, end in self._places(read):
            if end.term is not None:
                numbers[end.term] += 1
                firsts.setdefault(end.term, (start, start + end.length - 1))
        spans = _spans_of({piece for first in firsts.values() for piece in first}, read)
        return {
            term: Hits(numbers[term], _passage(read, spans[first][0], spans[last][1]))
            for term, (first, last) in firsts.items()
        }

    def _places(self, text: str) -> Iterator[tuple[int, _End]]:
        """Yield the pieces at which terms begin, the longest of several; none overlap."""
        found = dict(self._of_any_case.ends(text.lower()))
        for start, end in self._exact.ends(text):
            if start not in found or found[start].length <= end.length:
                found[start] = end
        after = 0
        for start in sorted(found):
            if start >= after:
                yield start, found[start]
                after = start + found[start].length


def _readable(text: str) -> str:
    """Return a text with the spellings and spaces of the terms."""
    if text.isascii():
        return _SPACES.sub(" ", text)
    read = _SPACES.sub(" ", compose(text).translate(_SPELLINGS))
    # Pieces leave a tab out.
    return _NEEDLESS_SPACE.sub("\t", read)


@cache
def _pieces() -> re.Pattern[str]:
    """Return the pattern of a word with its marks, a character that stands alone, a space and the end of a line.

    It is made once, because Python has no class of marks.
    """
    alone = re.compile(f"[{_WITHOUT_SPACES}]")
    # There are marks in the first two planes and among the variation selectors.
    signs = map(chr, chain(range(0x1F000), range(0xE0100, 0xE01F0)))
    marks = "".join(sign for sign in signs if category(sign)[0] == "M" and not alone.match(sign))
    # Python looks a character up in the class of the first plane, and through the others one by one.
    first, others = (re.sub(f"[{_OTHER_PLANES}]", "", marks), re.sub(f"[^{_OTHER_PLANES}]", "", marks))
    mark, letter = rf"(?:[{first}]|(?=[{_OTHER_PLANES}])[{others}])", rf"[^\W{_WITHOUT_SPACES}]"
    return re.compile(rf"{letter}++(?:{mark}{letter}*+)*+|[ \n]|\S")


def _spans_of(wanted: Collection[int], text: str) -> dict[int, tuple[int, int]]:
    """Return where the pieces with these numbers begin and end."""
    last = max(wanted, default=-1)
    pieces = enumerate(islice(_pieces().finditer(text), last + 1))
    return {number: piece.span() for number, piece in pieces if number in wanted}


def _is_same_but_for_case(term: AvoidedTerm) -> bool:
    return written_term(term.use).lower() == written_term(term.avoid).lower()


def written_term(words: str) -> str:
    """Return a term in the form in which it is looked for."""
    return " ".join(compose(words).translate(_SPELLINGS).split())


def _passage(text: str, start: int, end: int) -> str:
    """Return a term with the words around it."""
    before = text[max(0, start - _AROUND) : start].rpartition("\n")[2]
    after = text[end : end + _AROUND].partition("\n")[0]
    if len(before) == _AROUND:
        before = "…" + before.partition(" ")[2]
    if len(after) == _AROUND:
        after = after.rpartition(" ")[0] + "…"
    return " ".join(f"{before}{text[start:end]}{after}".split())
