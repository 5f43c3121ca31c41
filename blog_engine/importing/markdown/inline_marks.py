"""Signs within a line that extensions of Python-Markdown read: ``H~2~O``, ``x^2^``, ``++ctrl+c++``, ``#!js code``."""

import re
from typing import Final

from blog_engine.importing.markdown.text import change_outside_code

_PAIRS: Final = {
    "tilde": re.compile(r"(?<![~\\])~(?P<sub>(?![~\s])[^~\s]{1,200})~(?!~)"),
    "caret": re.compile(
        r"(?<![\^\\\[])(?:\^\^(?![\^\s])(?P<ins>[^\^\n]{1,500}?)(?<!\s)\^\^|\^(?![\^\s])(?P<sup>[^\^\s\[\]]{1,200})\^)(?!\^)"
    ),
}
_KEYS: Final = re.compile(r"(?<![+\\])\+\+([a-z0-9][\w-]*(?:\+[\w-]+){0,9})\+\+(?!\+)", re.IGNORECASE)
_CODE: Final = re.compile(r"(?<!`)(`+)(?:#!|:{3})[\w+#.-]+[ \t]+(?=[^`\n]*`)")


def with_inline_marks(text: str, extensions: frozenset[str]) -> str:
    """Return a text with HTML for the signs of these extensions outside of code, and code without its language."""
    for name, pattern in _PAIRS.items():
        if name in extensions:
            text = change_outside_code(text, pattern, _element, formulas=True)
    if "keys" in extensions:
        text = change_outside_code(text, _KEYS, _keys, formulas=True)
    return _CODE.sub(r"\1", text) if "inlinehilite" in extensions else text


def _element(found: re.Match[str]) -> str:
    return f"<{found.lastgroup}>{found[str(found.lastgroup)]}</{found.lastgroup}>"


def _keys(found: re.Match[str]) -> str:
    names = (name.replace("-", " ").title() for name in found[1].split("+"))
    return "+".join(f"<kbd>{name}</kbd>" for name in names)
