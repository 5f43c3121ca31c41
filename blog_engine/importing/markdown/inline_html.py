"""The tags within paragraphs, headings and terms as Markdown."""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Final

from markdown_it.token import Token

from blog_engine.content.dialect import INLINE_HTML
from blog_engine.importing.markdown.anchors import Anchors
from blog_engine.importing.markdown.text import image_markdown

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][\w-]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*+)>", re.DOTALL)
_ATTRIBUTE: Final = re.compile(r"""([\w-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_MARKS: Final = {
    **dict.fromkeys(("b", "strong"), "**"),
    **dict.fromkeys(("i", "em", "cite", "dfn"), "*"),
    **dict.fromkeys(("s", "del", "strike"), "~~"),
}
_CODE: Final = frozenset({"code", "samp", "tt"})
_CODE_TAG: Final = re.compile(r"<(?:code|samp|tt)(?=[\s>])", re.IGNORECASE)
_PLAIN_CODE: Final = re.compile(r"<(code|samp|tt)(?:\s[^<>]*)?>[^<>`*_\[\]\\&~=$!]*</\1\s*>", re.IGNORECASE)
_MEDIA: Final = re.compile(r"<(?:iframe|video|audio|object|embed)\b", re.IGNORECASE)
_MOST_OPEN: Final = 100
_WITHOUT_MEANING: Final = frozenset({"wbr", "bdi", "data", "label", "nobr", "time"})


@dataclass(slots=True)
class InlineHtml:
    """Replaces the tags in the content of one block."""

    line_break: str
    """What a line break becomes."""
    anchors: Anchors
    dropped: dict[str, None] = field(default_factory=dict)
    """The names of elements that were left out."""
    _parts: list[str] = field(default_factory=list)
    _opened: list[tuple[str, int]] = field(default_factory=list)
    """The ends of what is open, and the places of their beginnings in the parts."""

    def replaced(self, token: Token) -> str:
        """Return the content of a block without tags; what stays open ends with the block."""
        content = token.content
        at = 0
        for child in token.children or []:
            start, end = _place_of(child, content, at)
            if start < 0:
                continue
            self._parts.append(content[at:start])
            if child.type == "html_inline":
                self._add(child.content)
            else:
                self._parts.append(content[start:end])
            at = end
        self._parts.append(content[at:])
        while self._opened:
            self._end(len(self._opened) - 1)
        return "".join(self._parts)

    def _add(self, content: str) -> None:
        found = _TAG.fullmatch(content)
        if found is None:
            # A comment.
            return
        is_closing, name = bool(found[1]), found[2].lower()
        values = tag_attributes(found[3])
        anchor = values.get("id") or (values.get("name", "") if name == "a" else "")
        if anchor:
            self._parts.append(self.anchors.mark(anchor))
        mark = "`" if name in _CODE else _MARKS.get(name)
        if name == "br":
            self._parts.append(self.line_break)
        elif name == "img" and values.get("src"):
            self._parts.append(
                image_markdown(_on_one_line(values, "alt"), values["src"], _on_one_line(values, "title"))
            )
        elif not is_closing and len(self._opened) >= _MOST_OPEN:
            self.dropped[name] = None
        elif name == "a" and not (anchor and "href" not in values):
            self._link(values.get("href", ""), is_closing=is_closing)
        elif name == "q":
            self._pair("\u201c", "\u201d", is_closing=is_closing)
        elif mark is not None:
            self._pair(mark, mark, is_closing=is_closing)
        elif f"<{name}>" in INLINE_HTML:
            self._pair(f"<{name}>", f"</{name}>", is_closing=is_closing)
        elif name not in _WITHOUT_MEANING and name != "a":
            self.dropped[name] = None

    def _link(self, url: str, *, is_closing: bool) -> None:
        if is_closing:
            self._end_last("](")
        elif url:
            self._open("[", f"](<{url}>)" if re.search(r"[\s()]", url) else f"]({url})")
        else:
            self.dropped["a"] = None

    def _pair(self, start: str, end: str, *, is_closing: bool) -> None:
        if is_closing:
            self._end_last(end)
        else:
            self._open(start, end)

    def _open(self, start: str, end: str) -> None:
        self._opened.append((end, len(self._parts)))
        self._parts.append(start)

    def _end_last(self, beginning: str) -> None:
        for number in range(len(self._opened) - 1, -1, -1):
            if self._opened[number][0].startswith(beginning):
                self._end(number)
                return

    def _end(self, number: int) -> None:
        """Write an end; without text it is left out with its beginning.

        White space inside goes outside, because signs beside white space are none.
        """
        end, start = self._opened.pop(number)
        inner = "".join(self._parts[start + 1 :])
        text = inner.strip()
        if not text and not end.startswith("](") and end != "\u201d":
            self._parts[start:] = [inner]
            return
        before, after = (inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]) if text else ("", "")
        if self._opened and self._opened[-1][1] > start:
            # Another one began within; its place has to stay.
            self._parts.append(end)
            return
        self._parts[start:] = [before, self._parts[start], text, end, after]


def is_code_with_markup(content: str) -> bool:
    """Return whether an element of code in these words has anything in it that a code span would show otherwise."""
    return len(_CODE_TAG.findall(content)) > len(_PLAIN_CODE.findall(content))


def has_media(token: Token) -> bool:
    """Return whether films, sounds or pages of other sites are in a block."""
    return any(one.type == "html_inline" and _MEDIA.match(one.content) for one in token.children or [])


def tag_attributes(source: str) -> dict[str, str]:
    """Return the attributes of a tag by names in lower case; of several with one name the last counts."""
    return {key.lower(): unescape(value.strip("\"'")) for key, value in _ATTRIBUTE.findall(source)}


def _on_one_line(values: dict[str, str], name: str) -> str:
    return " ".join(values.get(name, "").split())


def _place_of(child: Token, content: str, at: int) -> tuple[int, int]:
    """Return start and end of the source of a token that is kept or replaced; -1 for others."""
    if child.type == "code_inline":
        run = re.compile(rf"(?<![`\\]){child.markup}(?!`)")
        start = run.search(content, at)
        end = re.compile(rf"(?<!`){child.markup}(?!`)").search(content, start.end()) if start else None
        return (start.start(), end.end()) if start and end else (-1, -1)
    source = {"html_inline": child.content, "math_inline": child.info}.get(child.type)
    start_of_source = content.find(source, at) if source else -1
    return start_of_source, start_of_source + len(source or "")
