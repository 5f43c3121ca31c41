"""Formulas in Markdown: ``$…$`` in a line and ``$$…$$`` as a block, by rules that leave amounts of money alone."""

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

MAX_TEX: Final = 2_000
"""The most characters of one formula; a longer one is text."""

MATH_FENCE: Final = "math"
"""The language of a code block that is a formula, as on GitHub."""

OPEN_TEX: Final = "open_tex"
"""The key in ``env`` of the blocks that begin with ``$$`` and do not end: their TeX by line."""

_INTERRUPTS: Final[RuleOptionsType] = {"alt": ["paragraph", "reference", "blockquote", "list"]}
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


def math_plugin(parser: MarkdownIt) -> None:
    """Add rules for formulas to the parser."""
    parser.inline.ruler.before("escape", "blog_math", _read_in_line)
    parser.block.ruler.before("fence", "blog_math", _read_block, _INTERRUPTS)


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


def _read_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read lines from ``$$`` to the next ``$$`` that ends a line; a blank line or other text after it makes it text."""
    if not state.src.startswith("$$", state.bMarks[start] + state.tShift[start]) or state.is_code_block(start):
        return False
    line, tex = start, _line(state, start)[2:]
    while "$$" not in tex:
        line += 1
        if line >= end or state.isEmpty(line) or state.sCount[line] < state.blkIndent or len(tex) > MAX_TEX:
            _note_open(state, start, tex)
            return False
        tex = f"{tex}\n{_line(state, line)}"
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


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()
