"""Signs that programs show for others: curly quotation marks, dashes, ellipses, and symbols such as ½ and →.

The rules are those of Goldmark's "Typographer extension", kramdown's "Typographic Symbols", Python-Markdown's
"SmartyPants", PyMdown's "SmartSymbols", of markdown-it's ``typographer``, and of remark-smartypants as Astro has it.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

QUOTES: Final = "quotes"
DASHES: Final = "dashes"
LONG_DASHES: Final = "long dashes"
ELLIPSES: Final = "ellipses"
SYMBOLS: Final = "symbols"
MORE_SYMBOLS: Final = "more symbols"

USUAL: Final = frozenset({QUOTES, DASHES, ELLIPSES})

_KEPT: Final = (
    r"`+[^`]*`+|\]\(\s*(?:<[^<>\n]*>|(?:[^()\\\s]|\\.|\([^()\s]*\))*+)"
    r"(?:\s++(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\([^()]*\)))?\s*\)|<[^<>]*>"
    r"|\]\[[^][]*\]|\[\^[^][]*\]|(?:https?://|www\.)\S+|\\.|\$\$?[^$\n]+\$|&#?\w+;|\ue000[0-9]+\ue001"
)
"""What is no text in the content of a paragraph."""
_PATTERNS: Final = {
    QUOTES: r"[\"']",
    DASHES: r"-{2,}",
    LONG_DASHES: r"-{2,}",
    ELLIPSES: r"\.{3,}",
    SYMBOLS: r"\((?:[cC]|[rR]|tm|TM)\)|\+-",
    MORE_SYMBOLS: (
        r"\((?:c|r|tm)\)|\+/-|<-->|-->|<--|=/=|(?<![\w/.])c/o(?!\w)"
        r"|(?<![\w/.])(?:1/[2-68]|2/[35]|3/[458]|4/5|5/[68]|7/8)(?![\w/])"
    ),
}
_SYMBOLS: Final = {
    **{"(c)": "©", "(r)": "®", "(tm)": "™", "+-": "±", "+/-": "±", "c/o": "℅", "=/=": "≠"},
    **{"<-->": "↔", "-->": "→", "<--": "←"},
    **{"1/2": "½", "1/3": "⅓", "1/4": "¼", "1/5": "⅕", "1/6": "⅙", "1/8": "⅛", "2/3": "⅔", "2/5": "⅖", "3/4": "¾"},
    **{"3/5": "⅗", "3/8": "⅜", "4/5": "⅘", "5/6": "⅚", "5/8": "⅝", "7/8": "⅞"},
}
_MARKS: Final = "*_~="
"""Signs of Markdown, which are not seen."""
_BEFORE_OPENING: Final = "([{-/=\u2013\u2014\u201c\u2018\u00ab"
_DECADE: Final = re.compile(r"[0-9]{2}s?(?![0-9A-Za-z])")
_ESCAPED_SIGNS: Final = re.compile(r"[\"'.(+=/1-7c<-]")


def with_typography(text: str, signs: frozenset[str]) -> str:
    """Return the content of a block with the signs that readers saw for those of the source."""
    if not signs or not _ESCAPED_SIGNS.search(text):
        return text
    pattern = _pattern(signs)
    shown: list[str] = []
    at = 0
    opened = 0
    for found in pattern.finditer(text):
        shown.append(text[at : found.start()])
        at = found.end()
        if found["kept"] is not None:
            shown.append(found[0])
        elif found.lastgroup == _OF_QUOTES:
            before, after = _seen_before(shown), _seen_after(text, at)
            sign, opened = _quote(found[0], before, after, text[at : at + 4], opened)
            shown.append(sign)
        else:
            shown.append(_SIGNS[str(found.lastgroup)](found[0]))
    return "".join([*shown, text[at:]])


@lru_cache(maxsize=16)
def _pattern(signs: frozenset[str]) -> re.Pattern[str]:
    groups = (f"(?P<n{number}>{_PATTERNS[name]})" for number, name in enumerate(_ORDER) if name in signs)
    # Arrows of symbols begin as tags do.
    parts = [*groups, f"(?P<kept>{_KEPT})"] if MORE_SYMBOLS in signs else [f"(?P<kept>{_KEPT})", *groups]
    return re.compile("|".join(parts))


def _quote(sign: str, before: str, after: str, follows: str, opened: int) -> tuple[str, int]:
    """Return what is shown for a quotation mark, and how many of the double ones are open after it."""
    opens = (not before or before.isspace() or before in _BEFORE_OPENING) and bool(after) and not after.isspace()
    if sign == "'":
        return ("\u2018" if opens and not _DECADE.match(follows) else "\u2019"), opened
    if opens:
        return "\u201c", opened + 1
    # Without a beginning it is the sign of inches.
    return ("\u201d", opened - 1) if opened else (sign, opened)


def _seen_before(shown: list[str]) -> str:
    for part in reversed(shown):
        if seen := part.rstrip(_MARKS):
            return seen[-1]
    return ""


def _seen_after(text: str, at: int) -> str:
    while at < len(text) and text[at] in _MARKS:
        at += 1
    return text[at : at + 1]


def _dash(run: str) -> str:
    return {2: "\u2013", 3: "\u2014"}.get(len(run), run)


def _long_dash(run: str) -> str:
    return "\u2014" if len(run) == 2 else run


def _symbol(text: str) -> str:
    return _SYMBOLS.get(text.lower(), text)


# Arrows come before dashes.
_ORDER: Final = (SYMBOLS, MORE_SYMBOLS, QUOTES, DASHES, LONG_DASHES, ELLIPSES)
_OF_QUOTES: Final = f"n{_ORDER.index(QUOTES)}"
_SIGNS: Final[dict[str, Callable[[str], str]]] = {
    f"n{_ORDER.index(name)}": change
    for name, change in (
        (SYMBOLS, _symbol),
        (MORE_SYMBOLS, _symbol),
        (DASHES, _dash),
        (LONG_DASHES, _long_dash),
        (ELLIPSES, lambda run: f"\u2026{run[3:]}"),
    )
}
