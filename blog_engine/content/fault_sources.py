"""Faults of a body as a whole, which its source shows: a fence around it, metadata before it, thoughts of a model."""

# letters and marks as people write them

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final, NamedTuple

from blog_engine.content.fault_signs import FaultCode, in_any_case

_LINES: Final = re.compile(r"\r\n|\r|\n")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([\w+-]{0,20})[ \t]*")
_MARKDOWN: Final = frozenset({"markdown", "md", "mdx", "mdown"})
_TEXTS: Final = frozenset({"", "text", "txt", "plaintext", "html"})
_ARTICLE_LINE: Final = re.compile(r"#{2,6} [^\W\d_]|<(?:p|h[1-6])>|[^\W\d_][^`{};=]{60,}[.!?:]\Z")
_MOST_LINES: Final = 60
_KEYS: Final = (
    r"title|date|slug|tags?|description|authors?|layout|draft|categor(?:y|ies)|published|permalink|excerpt|summary"
    r"|keywords|image|lang(?:uage)?|status|updated|cover(?:_image)?"
)
_SEARCH_KEYS: Final = (
    r"(?:m[eé]ta|seo|focus|url)[ _-](?:title|titel|titre|título|description|beschreibung|descripción|keyword|slug)"
)
_FRONT_KEY: Final = rf"(?:{_KEYS}|{_SEARCH_KEYS})"
_FRONT_LINE: Final = {
    "---": (in_any_case(rf"{_FRONT_KEY}:(?:\s.*)?"), re.compile(r"[\w .-]{1,40}:(?:\s.*)?|\s.*|-\s.*|#.*|")),
    "+++": (in_any_case(rf"{_FRONT_KEY} ?=.*"), re.compile(r"[\w .-]{1,40}=.*|\s.*|\[.*|\].*|#.*|")),
}
_FRONT_JSON: Final = in_any_case(
    r"(?:[\[{]\s{0,20}){1,2}(?:\"(?:post|article|blog_?post|result|response|output|data)\"\s?:\s{0,20}\{\s{0,20})?"
    r"\"(?:title|slug|body|content|description|tags|markdown|html|headline)\"\s?:"
)
_LABEL: Final = in_any_case(
    rf"(?:\*\*|__)?(?:{_FRONT_KEY}|titel|titre|título|schlagwörter|mots-clés|etiquetas)(?:\*\*|__)?"
    "[ \u00a0\u202f]?:(?:\\*\\*|__)? \\S.*"
)
_LABEL_OF_A_PAGE: Final = in_any_case(rf"\W{{0,2}}(?:slug|permalink|excerpt|{_SEARCH_KEYS})")
_SEARCH_LABEL: Final = in_any_case(rf"\W{{0,2}}{_SEARCH_KEYS}")
_YAML_LINE: Final = re.compile(rf"(?:{_KEYS}):(?:\s.*)?")
"""A label in lower case, as no person begins a line with."""
_THOUGHTS: Final = re.compile(
    r"^ {0,3}</?(?:think|thinking|reasoning|scratchpad|antthinking)>", re.IGNORECASE | re.MULTILINE
)


class SourceFault(NamedTuple):
    """A fault, and the line that shows it."""

    code: FaultCode
    shown: str


def faults_of_source(source: str) -> Iterator[SourceFault]:
    """Yield what can be wrong with a body as a whole."""
    text = source.strip("\ufeff \t\r\n")
    lines = _LINES.split(text)
    if _is_fenced(lines):
        yield SourceFault(FaultCode.FENCED, lines[0].strip())
    if shown := _front_matter(text, lines[:_MOST_LINES]):
        yield SourceFault(FaultCode.FRONT_MATTER, shown)
    if _THOUGHTS.search(text) and (shown := next(filter(_THOUGHTS.match, _lines_outside_code(lines)), "")):
        # Readers see the thoughts, though not the tags around them.
        yield SourceFault(FaultCode.CHAT, shown.strip())


def _lines_outside_code(lines: Iterable[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        if not fence:
            fence = found[1] if found else ""
            if not found:
                yield line
        elif found and found[1].startswith(fence) and _FENCE.fullmatch(line) and not found[2]:
            fence = ""


def _is_fenced(lines: list[str]) -> bool:
    """Return whether an article is one block of code, also where blocks in it end that one too early."""
    first = _FENCE.fullmatch(lines[0])
    language = first[2].lower() if first else "none"
    if language not in _MARKDOWN | _TEXTS:
        return False
    fence, number, has_text = "", 0, False
    for line in lines:
        found = _FENCE.fullmatch(line)
        if not fence:
            fence, number = (found[1], number + 1) if found else ("", number)
            has_text |= found is None and bool(line.strip())
        elif found and not found[2] and found[1].startswith(fence):
            fence = ""
    if language in _MARKDOWN:
        ends_with_fence = number > 1 and fence != "" and _FENCE.fullmatch(lines[-1]) is not None
        return ends_with_fence or (number == 1 and not has_text)
    return number == 1 and not has_text and any(_ARTICLE_LINE.match(line) for line in lines)


def _front_matter(text: str, lines: list[str]) -> str:
    """Return the first line of metadata at the start of a body; empty for none."""
    if _FRONT_JSON.match(text):
        return lines[0]
    mark = lines[0].rstrip()
    if mark in _FRONT_LINE and mark in lines[1:]:
        key, line = _FRONT_LINE[mark]
        own = lines[1 : lines.index(mark, 1)]
        named = [one for one in own if key.fullmatch(one)]
        return named[0] if named and all(map(line.fullmatch, own)) else ""
    if shown := _yaml(lines[1:] if mark == "---" else lines):
        return shown
    # The title can stand before them, as a heading.
    own = [line for line in lines if line.strip() and line.strip() != "---"]
    first = 1 if own and own[0].startswith("# ") else 0
    labels = list(takewhile(_LABEL.fullmatch, own[first:]))
    if len(labels) > 1 and any(map(_LABEL_OF_A_PAGE.match, labels)):
        return labels[0]
    alone = _SEARCH_LABEL.match(labels[0]) if labels else None
    return labels[0] if alone and _is_named_once(alone[0], text) else ""


def _yaml(lines: list[str]) -> str:
    """Return the first of the lines of YAML that end with a blank one; empty for none."""
    own = list(takewhile(str.strip, lines))
    keys = [line for line in own if _YAML_LINE.fullmatch(line)]
    is_whole = len(own) < len(lines) and own[:1] == keys[:1] and all(map(_FRONT_LINE["---"][1].fullmatch, own))
    return keys[0] if is_whole and len(keys) > 1 else ""


def _is_named_once(key: str, text: str) -> bool:
    """Return whether the text is not about such metadata."""
    return text.lower().count(key.strip("*_ ").lower()) == 1
