"""HTML with Markdown in it, which becomes HTML as a whole before it becomes Markdown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from blog_engine.importing.markdown.anchors import Anchors
from blog_engine.importing.markdown.dialects import Dialect, MarkdownInHtml
from blog_engine.importing.markdown.elements import is_start, tags_in
from blog_engine.importing.markdown.inline_html import tag_attributes
from blog_engine.importing.markdown.text import Blocks, code_ranges, new_parser
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts

_GROUPS: Final = frozenset(
    {"div", "section", "article", "aside", "main", "header", "footer", "nav", "center", "p", "details", "hgroup"}
)
"""Elements that only group blocks, and the box."""
_WITH_WORDS: Final = frozenset({"p", "li", "td", "th", "dd", "dt", "figcaption", "blockquote", "summary"})
_MEANINGFUL: Final = frozenset(
    {"table", "thead", "tbody", "tfoot", "tr", "td", "th", "pre", "figure", "figcaption", "ul", "ol", "li", "dl", "dt"}
    | {"dd", "blockquote"}
)
"""Elements of which blocks between their tags are a part that readers see."""
_SUMMARY: Final = re.compile(r"\s*<summary\b[^>]*>(.*?)</summary\s*>", re.IGNORECASE | re.DOTALL)
_NOTE: Final = re.compile("\ue002([^\ue003\n]*)\ue003")
_HEADING: Final = re.compile("h[1-6]")
_RAW: Final = re.compile(r"(<(code|kbd|samp|var)(?:\s[^<>]*)?>)[^\n]{0,2000}?</\2>", re.IGNORECASE)
_SIGN: Final = re.compile(r"[*_`\\\[~]")
_KEPT: Final = re.compile("\ue004([0-9]+)\ue005")
_DEEPEST: Final = 8
_SCRIPT: Final = re.compile(r"<!--|(?<!\\)<(script|style)(?:\s[^<>]{0,2000})?>", re.IGNORECASE)
_ENDS: Final = {
    "": re.compile("-->"),
    **{name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("script", "style")},
}
_EMPTY_LINE: Final = re.compile(r"\n[ \t]*\n")
_ITEM: Final = re.compile(r"\s*(?:[*+-]|[0-9]{1,9}[.)])?\s*")


@dataclass(frozen=True, slots=True)
class MarkdownGroup:
    """Markdown in an element that only groups it, or in a box."""

    markdown: str
    start: int
    """Where it begins in the HTML."""
    summary: str | None
    """The HTML of the summary of a box; ``None`` for other elements."""
    is_open: bool = False


def without_scripts(text: str, losses: Losses) -> str:
    """Return a text without scripts and styles that the blocks of Markdown tear apart, with as many lines.

    Those are the ones with empty lines, and those within a paragraph. Browsers look for the end tag alone, so readers
    saw nothing of them.
    """
    if not _SCRIPT.search(text):
        return text
    code, lines = code_ranges(text), LineStarts(text)
    endless: set[str] = set()
    parts: list[str] = []
    at = place = 0
    while found := _SCRIPT.search(text, place):
        start, place, name = found.start(), found.end(), (found[1] or "").lower()
        if code.end_at(start) or name in endless:
            continue
        end = _ENDS[name].search(text, place)
        if end is None:
            endless.add(name)
            continue
        place = end.end()
        before = text[text.rfind("\n", 0, start) + 1 : start]
        is_apart, is_within = _EMPTY_LINE.search(text, start, place), not _ITEM.fullmatch(before)
        if not name or ">" in before.lstrip()[:1] or not (is_apart or is_within):
            continue
        losses.add(LossKind.HTML, f"<{name}> was left out with its content", lines.number_at(start))
        count = text.count("\n", start, place)
        # A comment keeps the lines of a paragraph together.
        parts += [text[at:start], "\n" * count if is_apart else "<!--" + "\n." * count + "-->"]
        at = place
    return "".join([*parts, text[at:]])


def region_end(tokens: Sequence[Token], number: int) -> int | None:
    """Return the number of the block of HTML that ends what the one with this number begins; ``None`` without one.

    In CommonMark an empty line ends a block of HTML, but not the element: what is between is a part of it.
    """
    level = tokens[number].level
    stack: list[str] = []
    for place in range(number, len(tokens)):
        token = tokens[place]
        if token.level < level:
            break
        if token.type != "html_block" or token.level != level:
            continue
        for tag in tags_in(token.content):
            name = tag[2].lower()
            if name in _MEANINGFUL and is_start(tag):
                stack.append(name)
            elif tag[1] and name in stack:
                while stack.pop() != name:
                    pass
        if not stack:
            return place
    return None


class MixedHtml:
    """Renders the Markdown in HTML, with the reference links of the text that it is in."""

    def __init__(self, dialect: Dialect, env: dict[str, Any]) -> None:
        """Take the dialect, and what the parser has found in the text."""
        self._dialect = dialect
        self._env = env
        self._depth = 0

    def rendered(self, tokens: Sequence[Token]) -> str:
        """Return the HTML of blocks."""
        for token in tokens:
            if token.type == "html_block":
                token.content = self.with_markdown(token.content)
        parser = _renderer(self._dialect.blocks)
        return str(parser.renderer.render(tokens, parser.options, self._env))

    def rendered_inline(self, token: Token) -> str:
        """Return the HTML of the words of a block; Markdown in raw elements stays as it is."""
        parser = _renderer(self._dialect.blocks)
        raw: list[str] = []

        def keep(found: re.Match[str]) -> str:
            if found[2].lower() not in self._dialect.raw_elements:
                return found[0]
            raw.append(found[0])
            return f"\ue004{len(raw) - 1}\ue005"

        content = _RAW.sub(keep, token.content) if self._dialect.raw_elements else token.content
        html = str(parser.renderInline(content, self._env))
        return _KEPT.sub(lambda found: raw[int(found[1])], html) if raw else html

    def has_raw_markup(self, words: str) -> bool:
        """Return whether signs of Markdown are in a raw element."""
        return bool(self._dialect.raw_elements) and any(_SIGN.search(found[0]) for found in _RAW.finditer(words))

    def group(self, html: str) -> MarkdownGroup | None:
        """Return the Markdown in a block of HTML that is one element which only groups it; ``None`` for other HTML."""
        tags = tags_in(html)
        first = next(tags, None)
        if first is None or html[: first.start()].strip() or first[2].lower() not in _GROUPS or not self._asks(first):
            return None
        name, depth, last = first[2].lower(), 1, first
        for tag in tags:
            last = tag
            if tag[2].lower() == name:
                depth += -1 if tag[1] else is_start(tag)
            if not depth:
                break
        if html[last.end() :].strip() and not depth:
            return None
        start, end = first.end(), len(html) if depth else last.start()
        summary = _SUMMARY.match(html, start, end) if name == "details" else None
        if name != "details":
            return MarkdownGroup(html[start:end], start, None)
        start = summary.end() if summary else start
        words = _SUMMARY.match(self.with_markdown(summary[0])) if summary else None
        return MarkdownGroup(
            html[start:end], start, words[1] if words else "", is_open="open" in first[3].lower().split()
        )

    def with_markdown(self, html: str) -> str:
        """Return HTML in which the Markdown in its elements is HTML as well."""
        if self._dialect.markdown_in_html is MarkdownInHtml.NEVER or self._depth >= _DEEPEST:
            return html
        parts: list[str] = []
        at = 0
        waiting: tuple[str, int] | None = None
        depth = 0
        for tag in tags_in(html):
            name = tag[2].lower()
            if waiting is None:
                if is_start(tag) and self._asks(tag) and (name in _WITH_WORDS or "markdown" in tag[3].lower()):
                    waiting, depth = (name, tag.end()), 1
            elif name == waiting[0]:
                depth += -1 if tag[1] else is_start(tag)
                if not depth:
                    parts += [html[at : waiting[1]], self._inner(html[waiting[1] : tag.start()])]
                    at, waiting = tag.start(), None
        return "".join([*parts, html[at:]])

    def with_anchors(self, html: str, anchors: Anchors) -> str:
        """Return HTML with the ids of its headings, and those of its anchors, as marks in the text."""
        parts: list[str] = []
        at = 0
        for tag in tags_in(html):
            name, values = tag[2].lower(), tag_attributes(tag[3])
            anchor = values.get("id") or (values.get("name", "") if name == "a" else "")
            if anchor and not tag[1] and (_HEADING.fullmatch(name) or (name in {"a", "span"} and "href" not in values)):
                parts += [html[at : tag.end()], anchors.mark(anchor)]
                at = tag.end()
        return "".join([*parts, html[at:]])

    def with_notes(self, text: str) -> str:
        """Return Markdown that was made of rendered HTML, with its footnotes."""
        return _NOTE.sub(r"[^\1]", text)

    def _asks(self, tag: re.Match[str]) -> bool:
        match self._dialect.markdown_in_html:
            case MarkdownInHtml.ALWAYS:
                return True
            case MarkdownInHtml.NEVER:
                return False
        value = tag_attributes(tag[3]).get("markdown")
        return value not in {None, "0"} or re.search(r"\smarkdown(?=\s|$)", tag[3]) is not None

    def _inner(self, text: str) -> str:
        parser = _renderer(self._dialect.blocks)
        notes = {"refs": {**self._env.get("footnotes", {}).get("refs", {})}}
        env = {"references": self._env.get("references", {}), "footnotes": notes}
        if "\n" not in text.strip():
            return str(parser.renderInline(text.strip(), env))
        self._depth += 1
        found = self.rendered(parser.parse(text, env))
        self._depth -= 1
        return found


@lru_cache(maxsize=8)
def _renderer(blocks: Blocks) -> MarkdownIt:
    """Return a parser whose HTML has footnote marks and formulas as ``convert`` passes them on."""
    parser = new_parser(blocks)
    parser.add_render_rule("footnote_ref", _footnote)
    parser.add_render_rule("math_inline", _formula)
    parser.add_render_rule("math_block", _formula)
    return parser


def _footnote(_renderer: object, tokens: Sequence[Token], number: int, _options: object, _env: object) -> str:
    return f"\ue002{tokens[number].meta.get('label', '')}\ue003"


def _formula(_renderer: object, tokens: Sequence[Token], number: int, _options: object, _env: object) -> str:
    display = ' display="block"' if tokens[number].type == "math_block" else ""
    tex = escapeHtml(tokens[number].content)
    return f'<math{display}><annotation encoding="application/x-tex">{tex}</annotation></math>'
