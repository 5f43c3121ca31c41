"""Additions to CommonMark besides those of GitHub: marked text, definition lists, boxes, keys and formulas."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from blog_engine.content.html import PLAIN_INLINE
from blog_engine.content.scripts import HANGUL, SPACELESS

BREAKS: Final = frozenset({"<br>", "<br/>", "<br />"})
INLINE_HTML: Final = BREAKS.union(*({f"<{name}>", f"</{name}>"} for name in PLAIN_INLINE))
"""The raw HTML that is kept within a line."""

_MARK: Final = ord("=")
_INTERRUPTS: Final[RuleOptionsType] = {"alt": ["paragraph", "reference", "blockquote"]}
_OPENS_BOX: Final = re.compile(
    r"""<details(\s+open(?:\s*=\s*(?:""|''|open|"open"|'open'))?)?\s*>[ \t]*""", re.IGNORECASE
)
_OPENS_SUMMARY: Final = re.compile(r"<summary\s*>", re.IGNORECASE)
_CLOSES_SUMMARY: Final = re.compile(r"(?<!\\)</summary\s*>[ \t]*", re.IGNORECASE)
_CLOSES_BOX: Final = re.compile(r"(?<!\\)</details\s*>[ \t]*\Z", re.IGNORECASE)

_MOST_SUMMARY_LINES: Final = 20

_NO_WORD: Final = re.compile(rf"\W|[{SPACELESS}{HANGUL}]")
"""No part of a word, or a letter of a script that is written without spaces."""

MAX_TEX: Final = 2_000
"""The most characters of one formula; a longer one is text."""
MATH_FENCE: Final = "math"
"""The language of a code block that is a formula, as on GitHub."""
OPEN_TEX: Final = "open_tex"
"""The key in ``env`` of the blocks that begin with ``$$`` and do not end: their TeX by line."""
_INTERRUPTED_BY_MATH: Final[RuleOptionsType] = {"alt": ["paragraph", "reference", "blockquote", "list"]}
_IN_LINE: Final = re.compile(
    r"\$(?:`(?P<ticked>[^`\n]++)`\$(?![0-9$])"
    # A tag would be read before a formula, and a variable of a program follows the sign.
    rf"|(?![\s$])(?P<tex>(?:(?!</)[^$\\\n`]|\\[^\n]){{1,{MAX_TEX}}}+)(?<!\s)\$(?![A-Za-z0-9$_{{(]|\.[^\W\d_])"
    rf"|\$(?P<double>(?:(?!</)[^$\\`\n]|\\[^\n]){{1,{MAX_TEX}}}+)\$\$(?![A-Za-z0-9$_{{(]|\.[^\W\d_]))",
)
_JOINED: Final = re.compile(r"[A-Za-z0-9$]")
"""A character before ``$`` with which it is no start of a formula, as in ``US$``."""
_OPERATOR: Final = re.compile(r"[\\^_={+<>]")
_PROSE: Final = re.compile(r"[0-9]|.*?[^\W\d_]{3}", re.DOTALL)
_PROSE_BETWEEN_PAIRS: Final = re.compile(r"\s*(?:[0-9]|.*?[^\W\d_]{2})", re.DOTALL)
_NOTHING: Final = re.compile(r"[\W_]*")


def dialect_plugin(parser: MarkdownIt) -> None:
    """Add the rules of this module to the parser."""
    parser.inline.ruler.before("escape", "blog_math", _read_in_line)
    parser.block.ruler.before("fence", "blog_math", _read_math_block, _INTERRUPTED_BY_MATH)
    parser.inline.ruler.before("strikethrough", "blog_mark", _read_mark)
    parser.inline.ruler2.before("fragments_join", "blog_mark", _pair_marks)
    deflist_plugin(parser)
    *_, read_list, _paragraph = parser.block.ruler.getRules("")
    parser.block.ruler.at("deflist", _only_colons(read_list), _INTERRUPTS)
    parser.block.ruler.before("html_block", "blog_box", _read_box, _INTERRUPTS)
    parser.core.ruler.after("block", "blog_box", _pair_boxes)


def _only_colons(read_list: RuleFuncBlockType) -> RuleFuncBlockType:
    """Return the rule for definition lists without its second marker: ``~ 5 km`` in a line of its own is text."""

    def read(state: StateBlock, startLine: int, endLine: int, silent: bool) -> bool:  # noqa: N803
        line = startLine if silent else startLine + 1
        if not silent and line < endLine and state.isEmpty(line):
            line += 1
        if line >= endLine or not state.src.startswith(":", state.bMarks[line] + state.tShift[line]):
            return False
        return read_list(state, startLine, endLine, silent)

    return read


def _read_mark(state: StateInline, silent: bool) -> bool:
    """Read ``==``; a longer or shorter run is text, and so is one within a word, as in ``a==b``."""
    if silent or state.src[state.pos] != "=":
        return False
    scanned = state.scanDelims(state.pos, True)
    around = (
        state.src[max(state.pos - 1, 0) : state.pos],
        state.src[state.pos + scanned.length : state.pos + scanned.length + 1],
    )
    is_within_word = all(side and not _NO_WORD.match(side) for side in around)
    token = state.push("text", "", 0)
    token.content = "=" * scanned.length
    if scanned.length == 2 and not is_within_word:
        state.delimiters.append(
            Delimiter(
                marker=_MARK,
                length=0,
                token=len(state.tokens) - 1,
                end=-1,
                open=scanned.can_open,
                close=scanned.can_close,
            )
        )
    state.pos += scanned.length
    return True


def _pair_marks(state: StateInline) -> None:
    inner = (meta["delimiters"] for meta in state.tokens_meta if meta and "delimiters" in meta)
    for delimiters in (state.delimiters, *inner):
        _mark_pairs(state.tokens, delimiters)


def _mark_pairs(tokens: list[Token], delimiters: Iterable[Delimiter]) -> None:
    known = list(delimiters)
    for start in known:
        if start.marker == _MARK and start.end != -1:
            for token, kind, nesting in (
                (tokens[start.token], "mark_open", 1),
                (tokens[known[start.end].token], "mark_close", -1),
            ):
                token.type, token.tag, token.markup, token.content = kind, "mark", "==", ""
                token.nesting = nesting  # type: ignore[assignment]  # the literal type is lost in the loop


@dataclass(frozen=True, slots=True)
class _Box:
    """The parts of a line with a tag of ``details``, in this order; the summary can take further lines."""

    opening: re.Match[str] | None
    summary: str | None
    tags: str
    """The source of both."""
    text: str
    closing: re.Match[str] | None
    last: int
    """The last line."""


def _read_box(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a line with a tag of ``details``: its start, the summary, a text or its end, as far as they are there."""
    if not state.src.startswith("<", state.bMarks[start] + state.tShift[start]) or state.is_code_block(start):
        return False
    box = _box_in(state, start, end)
    if box is None:
        return False
    if silent:
        return True
    state.line = box.last + 1
    lines = [start, box.last + 1]
    if box.opening:
        token = _push(state, "details_open", "details", box.tags, lines)
        token.attrs = {"open": ""} if box.opening[1] else {}
    if box.summary is not None:
        _push(state, "summary_open", "summary", box.tags, lines)
        _push_inline(state, box.summary, lines)
        _push(state, "summary_close", "summary", box.tags, lines)
    if box.text:
        state.push("paragraph_open", "p", 1).map = [*lines]
        _push_inline(state, box.text, lines)
        state.push("paragraph_close", "p", -1)
    if box.closing:
        _push(state, "details_close", "details", box.closing[0], [box.last, box.last + 1])
    return True


def _box_in(state: StateBlock, start: int, end: int) -> _Box | None:
    line = _line(state, start)
    opening = _OPENS_BOX.match(line)
    rest = line[opening.end() :] if opening else line
    summary, last = None, start
    if begun := _OPENS_SUMMARY.match(rest):
        while not (ended := _CLOSES_SUMMARY.search(rest)):
            last += 1
            if (
                last >= min(end, start + _MOST_SUMMARY_LINES)
                or state.isEmpty(last)
                or state.sCount[last] < state.blkIndent
            ):
                return None
            rest = f"{rest}\n{_line(state, last)}"
        summary, rest = rest[begun.end() : ended.start()].strip(), rest[ended.end() :]
    closing = _CLOSES_BOX.search(rest)
    text = rest[: closing.start()].strip() if closing else rest.strip()
    if text and not opening:
        # Text after a summary or before an end alone is raw HTML with text, which the next rule reads.
        return None
    if not (opening or closing or summary is not None):
        return None
    tags = "\n".join(_line(state, number) for number in range(start, last + 1))
    return _Box(opening, summary, tags[: len(tags) - len(rest)].strip(), text, closing, last)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _push(state: StateBlock, kind: str, tag: str, source: str, lines: list[int]) -> Token:
    # Without a nesting of their own: whether they are a pair is known at the end of the block around them.
    token = state.push(kind, tag, 0)
    token.block, token.content, token.map = True, source, [*lines]
    return token


def _push_inline(state: StateBlock, text: str, lines: list[int]) -> None:
    inline = state.push("inline", "", 0)
    inline.content, inline.children, inline.map = text, [], [*lines]


def _pair_boxes(state: StateCore) -> None:
    """Pair the tags of ``details`` within each block; a tag without its other half is raw HTML."""
    if not any(token.type.startswith(("details_", "summary_")) for token in state.tokens):
        return
    pairs = _pairs(state.tokens)
    depth = 0
    for index, token in enumerate(state.tokens):
        if token.type == "details_open" and index in pairs:
            token.nesting = 1
            # To the line of the end tag, which a section within the box must not contain.
            token.map = [*(token.map or [])[:1], *(state.tokens[pairs[index]].map or [])[:1]]
            token.level += depth
            depth += 1
            continue
        if token.type == "details_close" and index in pairs:
            token.nesting = -1
            depth -= 1
        elif token.type in ("details_open", "details_close"):
            token.type = "html_block"
        token.level += depth
    _drop_lone_summaries(state)


def _pairs(tokens: Sequence[Token]) -> dict[int, int]:
    """Return the positions of starts and ends of boxes that belong together, each by the other."""
    pairs: dict[int, int] = {}
    open_boxes: list[list[int]] = [[]]
    for index, token in enumerate(tokens):
        if token.type == "details_open":
            open_boxes[-1].append(index)
        elif token.type == "details_close" and open_boxes[-1]:
            start = open_boxes[-1].pop()
            pairs |= {start: index, index: start}
        elif token.nesting == 1:
            open_boxes.append([])
        elif token.nesting == -1:
            open_boxes.pop()
    return pairs


def _drop_lone_summaries(state: StateCore) -> None:
    """Make a summary raw HTML unless it is the first thing in a box."""
    kept: list[Token] = []
    waiting = iter(state.tokens)
    for token in waiting:
        if token.type == "summary_open" and not (kept and kept[-1].type == "details_open" and kept[-1].nesting == 1):
            if not (kept and kept[-1].type == "html_block" and kept[-1].map == token.map):
                token.type = "html_block"
                kept.append(token)
            next(waiting)
            next(waiting)
            continue
        if token.type == "summary_open":
            token.nesting = 1
        elif token.type == "summary_close":
            token.nesting = -1
        kept.append(token)
    state.tokens = kept


def _read_in_line(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$" or (state.pos and _JOINED.match(state.src, state.pos - 1)):
        return False
    found = _IN_LINE.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    tex = found["ticked"] or found["tex"] or found["double"].strip()
    if len(tex) > MAX_TEX or _is_prose(found):
        return False
    if not silent:
        token = state.push("math_inline", "code", 0)
        token.content, token.markup, token.info = tex, "$", found[0]
    state.pos = found.end()
    return True


def _is_prose(found: re.Match[str]) -> bool:
    """Return whether the text between dollar signs is rather part of a sentence, as in ``$5, or 10$``."""
    if found["ticked"]:
        return False
    tex, prose = (found["tex"], _PROSE) if found["tex"] else (found["double"], _PROSE_BETWEEN_PAIRS)
    if found["double"] and _NOTHING.fullmatch(tex):
        return True
    return any(map(str.isspace, tex)) and not _OPERATOR.search(tex) and prose.match(tex) is not None


def _read_math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read lines from ``$$`` to the next ``$$`` that ends a line; a blank line or other text after it makes it text."""
    if not state.src.startswith("$$", state.bMarks[start] + state.tShift[start]) or state.is_code_block(start):
        return False
    line, tex = start, _line(state, start).rstrip()[2:]
    while "$$" not in tex:
        line += 1
        if line >= end or state.isEmpty(line) or state.sCount[line] < state.blkIndent or len(tex) > MAX_TEX:
            _note_open(state, start, tex)
            return False
        tex = f"{tex}\n{_line(state, line).rstrip()}"
    tex, _, after = tex.partition("$$")
    tex = tex.strip()
    if not tex or after.strip() or len(tex) > MAX_TEX:
        return False
    if not silent:
        token = state.push("math_block", "div", 0)
        token.block, token.content, token.markup, token.map = True, tex, "$$", [start, line + 1]
    state.line = line + 1
    return True


def _note_open(state: StateBlock, start: int, tex: str) -> None:
    """Note a block that does not end, if its sign is alone in its line or followed by an operator."""
    if tex.strip() and (tex.startswith("\n") or _OPERATOR.search(tex)):
        state.env.setdefault(OPEN_TEX, {})[start] = tex.strip()[:MAX_TEX]
