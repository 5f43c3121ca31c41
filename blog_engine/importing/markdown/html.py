"""Markdown as this engine reads it: without raw HTML, and with line breaks only where there is a break."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from markdown_it.token import Token

from blog_engine.importing.heading_ids import FormerIds
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.markdown.anchors import Anchors
from blog_engine.importing.markdown.code_blocks import code_fence, fence_information
from blog_engine.importing.markdown.dialects import Dialect
from blog_engine.importing.markdown.inline_html import InlineHtml, has_media, is_code_with_markup
from blog_engine.importing.markdown.joined_lines import joined
from blog_engine.importing.markdown.mixed_html import MixedHtml, region_end, without_scripts
from blog_engine.importing.markdown.text import tokens_of
from blog_engine.importing.markdown.typography import with_typography
from blog_engine.importing.source import Losses, LossKind

_BOX: Final = re.compile(
    r"<details\b[^>]*>|</details\s*>|<summary\b[^>]*>(.*?)</summary\s*>", re.IGNORECASE | re.DOTALL
)
_HEADING_ATTRIBUTES: Final = re.compile(r"[ \t]*\{:?[ \t]*([#.][^{}]*)\}[ \t]*#*[ \t]*$")
_ID: Final = re.compile(r"(?<!\S)#([^\s#=]+?)(?=[\s.]*(?:\s|$))|(?<!\S)id=[\"']?([^\s\"']+)")
_MARKS: Final = re.compile(r"[ \t>]*")
_ITEM: Final = re.compile(r"[ \t>]*(?:[*+-]|[0-9]{1,9}[.)])[ \t]")
_LAST_BREAKS: Final = re.compile(r"(?:[ \t]*\\\n\s*)+\Z")
_SIGN_OR_URL: Final = re.compile(
    r"(?P<kept>`+[^`]*`+|<[^<>]*>|\]\([^()\s]*\)|https?://\S+|\\.|\$[^$\n]*\$)|(?P<sign>~+|=+)"
)
_NO_MARKUP: Final = re.compile(r"<(?=\?(?![a-zA-Z=]|[^<>]*\?>)|/(?![a-zA-Z])|!(?![a-zA-Z\[-]))")
"""Signs from which the reader of HTML would leave out all up to the next ``>``, as in ``00:00<?, ?it/s``."""

_DEEPEST: Final = 12
"""The deepest nesting of Markdown in HTML."""

Change = tuple[int, int, list[str]]
"""Lines, from the first up to the one before the second, with what replaces them."""


def to_our_dialect(text: str, dialect: Dialect, *, losses: Losses) -> tuple[str, FormerIds]:
    """Return Markdown that shows here what readers of the other blog saw, as far as Markdown can; and its former ids.

    Raw HTML, which this engine leaves out, becomes Markdown. Paragraphs get one line, because here the end of a line
    can be a line break. Signs that are markup only here are escaped. Links to places of the page lead to the headings.
    """
    anchors = Anchors(dialect.ids)
    if dialect.has_raw_html:
        text = without_scripts(text, losses)
    return anchors.resolved(_Text(text, dialect, anchors, losses).changed(), losses, source=text)


class _Text:
    """A text in another dialect."""

    def __init__(self, text: str, dialect: Dialect, anchors: Anchors, losses: Losses, *, depth: int = 0) -> None:
        self._lines = text.split("\n")
        self._dialect = dialect
        self._anchors = anchors
        self._losses = losses
        self._env: dict[str, Any] = {}
        self._tokens = tokens_of(text, dialect.blocks, self._env)
        self._mixed = MixedHtml(dialect, self._env)
        self._has_regions = True
        self._depth = depth

    def changed(self) -> str:
        """Return the text in our dialect."""
        parts: list[str] = []
        at = 0
        # Footnotes come last.
        for start, end, shown in sorted(self._changes()):
            if start < at:
                continue
            parts += [*self._lines[at:start], *shown]
            at = end
        return "\n".join([*parts, *self._lines[at:]])

    def _changes(self) -> Iterator[Change]:
        before: Token | None = None
        rows: dict[int, list[tuple[str, str]]] = {}
        skipped = -1
        for number, token in enumerate(self._tokens):
            opened, before = before, token
            if token.map is None or number <= skipped:
                continue
            start, end = token.map
            if token.type == "html_block" and self._dialect.has_raw_html:
                last = region_end(self._tokens, number) if self._has_regions else number
                # One that does not end makes all others a search to the end of the text.
                self._has_regions = self._has_regions and last is not None
                skipped = last or number
                change = self._region(number, skipped) if skipped > number else (start, end, self._html_block(token))
                yield self._apart(change)
            elif token.type in {"fence", "code_block"}:
                yield from self._code(token)
            elif token.type == "inline" and opened is not None:
                yield from self._inline(token, opened, rows)
        yield from ((line, line + 1, [_with_cells(self._lines[line], cells)]) for line, cells in rows.items())

    def _inline(self, token: Token, opened: Token, rows: dict[int, list[tuple[str, str]]]) -> Iterator[Change]:
        """Yield the change of a paragraph, heading, term or cell."""
        start, end = token.map or (0, 0)
        match opened.type:
            case "dt_open":
                yield start, start + 1, self._paragraph(token, self._lines[start : start + 1], line_break=" ")
            case "heading_open":
                yield start, end, self._heading(token, self._lines[start:end])
            case "paragraph_open":
                yield start, end, self._paragraph(token, self._lines[start:end], line_break="\\\n")
            case "td_open" | "th_open":
                source = token.content
                content = self._content(token, line_break="<br>")
                if content != source:
                    rows.setdefault(start, []).append((source, content))

    def _region(self, first: int, last: int) -> Change:
        """Return the Markdown for an element of HTML with blocks of Markdown in it."""
        tokens = self._tokens[first : last + 1]
        start, end = (tokens[0].map or [0, 0])[0], (tokens[-1].map or [0, 0])[1]
        html = self._mixed.rendered(tokens)
        return start, end, self._prefixed(self._converted(html, line=start + 1), tokens[0].content, start)

    def _apart(self, change: Change) -> Change:
        """Return a change with empty lines around it where it had other blocks directly beside it."""
        start, end, shown = change
        marks = _MARKS.match(shown[0])
        empty = (marks[0] if marks else "").rstrip()
        above = self._lines[start - 1].strip(" \t>") if start else ""
        below = self._lines[end].strip(" \t>") if end < len(self._lines) else ""
        is_item = _ITEM.match(self._lines[start]) is not None
        is_end = shown[0].lstrip(" \t>").startswith("</")
        before = [empty] if above and not is_item and not is_end and shown[0].strip(" \t>") else []
        return start, end, [*before, *shown, *([empty] if below and shown[-1].strip(" \t>") else [])]

    def _html_block(self, token: Token) -> list[str]:
        """Return the Markdown for a block of HTML, with the marks of the quotation or list that it is in."""
        start = (token.map or [0])[0]
        html, rest = token.content, str(token.meta.get("rest", ""))
        group = self._mixed.group(html) if self._depth < _DEEPEST else None
        if group:
            body = self._nested(group.markdown, line=start + 1 + html.count("\n", 0, group.start))
            if group.summary is not None:
                summary = " ".join(self._converted(f"<p>{group.summary}</p>", line=start + 1).split())
                inner = body.strip("\n")
                opening = "<details open>" if group.is_open else "<details>"
                body = f"{opening}\n<summary>{summary or 'Details'}</summary>\n\n{inner}\n\n</details>"
        else:
            body = self._html(self._mixed.with_markdown(html), line=start + 1)
        if rest:
            words = self._nested(rest, line=(token.map or [0, 1])[1]) if self._depth < _DEEPEST else rest
            body = f"{body.rstrip(chr(10))}\n\n{words}"
        return self._prefixed(body, html, start)

    def _html(self, html: str, *, line: int) -> str:
        tags = [found[0].lower() for found in _BOX.finditer(html) if not found[0].lower().startswith("<summary")]
        is_whole = sum(1 if tag.startswith("<details") else -1 for tag in tags) == 0
        return self._converted(html, line=line) if is_whole else self._open_box(html, line=line)

    def _nested(self, text: str, *, line: int) -> str:
        """Return Markdown that is in an element of HTML; its reference links are those of the whole text."""
        found = Losses()
        inner = _Text(text, self._dialect, self._anchors, found, depth=self._depth + 1)
        shown = inner.changed()
        for loss in found.found:
            self._losses.add(loss.kind, loss.message, line + (loss.line or 1) - 1)
        return shown

    def _prefixed(self, body: str, html: str, start: int) -> list[str]:
        first = self._lines[start]
        opening = html.split("\n", 1)[0].strip()
        prefix = first[: first.find(opening)] if opening and opening in first else ""
        written = body.strip("\n").split("\n")
        return [prefix + written[0], *(f"{_continued(prefix)}{one}".rstrip() for one in written[1:])]

    def _converted(self, html: str, *, line: int) -> str:
        found = Losses()
        html = _NO_MARKUP.sub("&lt;", html)
        body = convert(self._mixed.with_anchors(html, self._anchors), losses=found, rich_text_allowed=False).body
        for loss in found.found:
            self._losses.add(loss.kind, loss.message, line + (loss.line or 1) - 1)
        return self._mixed.with_notes(body)

    def _open_box(self, html: str, *, line: int) -> str:
        """Return a block with the start or the end of a box, around Markdown in other blocks."""
        shown: list[str] = []
        at = 0
        for tag in _BOX.finditer(html):
            shown.append(self._converted(html[at : tag.start()], line=line + html.count("\n", 0, at)).strip("\n"))
            at = tag.end()
            name = tag[0][:3].lower()
            if name == "<de":
                shown.append("<details open>" if re.search(r"\sopen\b", tag[0], re.IGNORECASE) else "<details>")
            elif name == "</d":
                shown.append("</details>")
            else:
                words = self._converted(f"<p>{tag[1]}</p>", line=line + html.count("\n", 0, tag.start()))
                shown.append(f"<summary>{' '.join(words.split())}</summary>")
        shown.append(self._converted(html[at:], line=line + html.count("\n", 0, at)).strip("\n"))
        return "\n".join(part for part in shown if part)

    def _code(self, token: Token) -> Iterator[Change]:
        start, end = token.map or (0, 0)
        if token.type == "code_block":
            written = code_fence(token.content) if self._dialect.has_code_marks else None
            if written:
                first = self._lines[start]
                prefix = first[: len(first) - len(first.lstrip(" \t>"))]
                prefix = prefix[:-4] if prefix.endswith("    ") else prefix
                yield start, end, [f"{_continued(prefix)}{line}".rstrip() for line in written]
            return
        information = fence_information(token.info)
        if not token.info and self._dialect.has_code_marks and (written := code_fence(token.content)):
            prefix = self._lines[start].partition(token.markup)[0]
            yield start, end, [prefix + written[0], *(f"{_continued(prefix)}{line}".rstrip() for line in written[1:])]
        elif information != token.info:
            line = self._lines[start]
            place = line.find(token.markup) + len(token.markup)
            yield start, start + 1, [line[:place] + information]

    def _heading(self, token: Token, lines: list[str]) -> list[str]:
        found = _HEADING_ATTRIBUTES.search(lines[0]) if self._dialect.has_attributes else None
        if not found:
            return self._paragraph(token, lines, line_break=" ")
        given = _ID.search(found[1])
        left = _ID.sub("", found[1]).strip() if given else found[1]
        if left:
            self._losses.add(
                LossKind.HTML, f"The attributes {found[0].strip()} of a heading are left out.", _line(token)
            )
        token.content = token.content[: token.content.rfind("{")].rstrip()
        first, *others = self._paragraph(token, [lines[0][: found.start()], *lines[1:]], line_break=" ")
        return [first + (self._anchors.mark(given[1] or given[2]) if given else ""), *others]

    def _paragraph(self, token: Token, lines: list[str], *, line_break: str) -> list[str]:
        source = token.content
        has_film = self._dialect.has_raw_html and has_media(token)
        if has_film:
            token.content = with_typography(source, self._dialect.typography)
        has_markup = is_code_with_markup(source) or self._mixed.has_raw_markup(source)
        if has_film or (self._dialect.has_raw_html and has_markup):
            html = f"<p>{self._mixed.rendered_inline(token)}</p>"
            words = self._converted(html, line=_line(token))
            words = words if line_break == "\\\n" else " ".join(words.split())
            return self._prefixed(words, source.split("\n", 1)[0], (token.map or [0])[0])
        content = self._content(token, line_break=line_break)
        if content.startswith((": ", "~ ")):
            content = f"\\{content}"
        # A line break at the end of a paragraph is none, and its sign would be shown.
        if content != source:
            content = _LAST_BREAKS.sub("", content).replace("\\\n\n", "\\\n")
        if content == source:
            return (
                lines if self._dialect.has_hard_breaks else joined(lines, source.split("\n"), after=self._below(token))
            )
        # The marks of quotations and lists are before it.
        first = source.split("\n", 1)[0].strip()
        place = lines[0].rfind(first)
        prefix = lines[0][:place] if place >= 0 else ""
        shown = content.strip().split("\n") if content.strip() else [""]
        written = [prefix + shown[0], *(_continued(prefix) + line for line in shown[1:])]
        return written if self._dialect.has_hard_breaks else joined(written, shown, after=self._below(token))

    def _below(self, token: Token) -> str:
        """Return the line below a block."""
        end = (token.map or (0, 0))[1]
        return self._lines[end] if end < len(self._lines) else ""

    def _content(self, token: Token, *, line_break: str) -> str:
        """Return the words of a block, with Markdown for tags, and without markup that is none in their dialect."""
        foreign = self._foreign_signs(token.content)
        if foreign:
            token.content = _SIGN_OR_URL.sub(lambda found: _escaped(found, foreign), token.content)
        token.content = with_typography(token.content, self._dialect.typography)
        if not self._dialect.has_raw_html or all(child.type != "html_inline" for child in token.children or []):
            return token.content
        inline = InlineHtml(line_break, self._anchors)
        shown = inline.replaced(token)
        for name in inline.dropped:
            words = f"The element {name[:60]} is left out, the text in it remains."
            self._losses.add(LossKind.HTML, words, _line(token))
        return shown

    def _foreign_signs(self, content: str) -> frozenset[str]:
        """Return the signs that are markup here, though not in their dialect; there must be two of a kind."""
        counts = Counter(found["sign"] for found in _SIGN_OR_URL.finditer(content))
        foreign = {"~", "~~"} - self._dialect.strikes | (set() if self._dialect.has_marks else {"=="})
        return frozenset(sign for sign in foreign if counts[sign] > 1)


def _escaped(found: re.Match[str], foreign: frozenset[str]) -> str:
    return "".join(f"\\{one}" for one in found[0]) if found["sign"] in foreign else found[0]


def _continued(prefix: str) -> str:
    """Return what further lines begin with, after a first one with these marks of quotations and lists."""
    return re.sub(r"[^>\s]", " ", prefix)


def _with_cells(line: str, cells: Sequence[tuple[str, str]]) -> str:
    """Return a row of a table with other contents of cells, which are in the order of the row."""
    parts: list[str] = []
    at = 0
    for old, new in cells:
        # A bar in a cell is escaped in the source, and not in its content.
        written = old.replace("|", "\\|")
        place = line.find(written, at)
        if place >= 0:
            parts += [line[at:place], re.sub(r"(?<!\\)\|", r"\\|", new.replace("\n", " "))]
            at = place + len(written)
    return "".join([*parts, line[at:]])


def _line(token: Token) -> int:
    return (token.map or [0])[0] + 1
