r"""Formulas between ``\(…\)`` and ``\[…\]``, as many sites of MathJax have them, between dollar signs."""

import re
from typing import Final

from blog_engine.importing.markdown.text import change_outside_code

_PIECE: Final = (
    r"[^`$\\\n]++|\n(?![ \t>]*\n)"
    # ``\\[2pt]`` is the end of a line with a space below; any other opening bracket begins another formula.
    r"|(?!\\\\\[(?!-?[0-9.]{1,9}[a-z]{2}\]))\\(?:[^][()`$\n]|(?=\n))"
)
"""What a formula consists of; its alternatives begin with different characters, so that it is read in linear time."""
_FORMULA: Final = re.compile(
    # Formulas between dollar signs stay, whatever is in them.
    r"\$\$(?:[^$\\]|\\.)+\$\$|(?<![\\$A-Za-z0-9])\$(?![\s$])(?:[^$\\\n`]|\\.)+\$(?![A-Za-z0-9$])"
    rf"|(?P<before>[A-Za-z0-9])?(?<!\\)(?P<round>\\{{1,2}})\((?P<inline>(?:{_PIECE}){{1,200}}?)"
    r"(?P=round)\)(?P<after>[A-Za-z0-9])?"
    rf"|(?<!\\)(?P<square>\\{{1,2}})\[(?P<display>(?:{_PIECE}){{1,200}}?)(?P=square)\](?![(:\[])"
)
_OPERATOR: Final = re.compile(r"[\\^_={}+<>]")
_CLEAR: Final = re.compile(r"[\s,;:!?)-]|\.(?!\w)|\Z")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_WORD: Final = re.compile(r"[^\W\d_]{3}")


def with_dollars(text: str) -> str:
    r"""Return Markdown whose formulas are between dollar signs.

    With one backslash, Markdown reads ``\(see below\)`` and ``\[sic\]`` as brackets: only what looks like TeX is a
    formula.
    """

    def change(found: re.Match[str]) -> str:
        if found["inline"] and _is_tex(found["inline"], is_marked=found["round"] == "\\\\", is_block=False):
            return _in_line(found)
        if found["display"] and _is_tex(found["display"], is_marked=found["square"] == "\\\\", is_block=True):
            return _block(found, _unescaped(found["display"], found["square"]))
        return found[0]

    return change_outside_code(text, _FORMULA, change)


def _is_tex(text: str, *, is_marked: bool, is_block: bool) -> bool:
    if is_marked or _OPERATOR.search(text):
        return bool(text.strip())
    return not is_block and bool(text.strip()) and not _WORD.search(text)


def _in_line(found: re.Match[str]) -> str:
    """Return a formula in a line, in backticks where it would else be text.

    A character beside it with which it would be none is a character reference.
    """
    tex = " ".join(_unescaped(found["inline"], found["round"]).split())
    is_clear = not found["after"] and _CLEAR.match(found.string, found.end()) and "</" not in tex
    formula = f"${tex}$" if is_clear and (" " not in tex or _OPERATOR.search(tex)) else f"$`{tex}`$"
    before, after = (f"&#{ord(one)};" if one else "" for one in (found["before"], found["after"]))
    beside = " " if found.string.startswith("\\", found.end()) else ""
    return f"{before}{formula}{after}{beside}"


def _unescaped(tex: str, mark: str) -> str:
    """Return the TeX that Markdown left of a formula: with two backslashes around it, all of it was read as text."""
    return _ESCAPE.sub(r"\1", tex) if len(mark) == 2 else tex


def _block(found: re.Match[str], tex: str) -> str:
    """Return a formula as a block of its own, with the marks of the quotation that it is in."""
    text, start = found.string, found.start()
    line_start = text.rfind("\n", 0, start) + 1
    before = text[line_start:start]
    marks = re.match(r"[ \t>]*", before)
    prefix = marks[0] if marks else ""
    lines = [line.strip(" \t>") for line in tex.strip().split("\n")]
    block = f"\n{prefix}".join(["$$", *(line for line in lines if line), "$$"])
    lead = f"\n{prefix}" if before.strip(" \t>") else ""
    rest = text[found.end() : text.find("\n", found.end()) if "\n" in text[found.end() :] else len(text)]
    tail = f"\n{prefix}" if rest.strip() else ""
    return f"{lead}{block}{tail}"
