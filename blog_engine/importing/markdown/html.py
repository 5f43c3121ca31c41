"""Markdown as this engine reads it: without raw HTML, and with line breaks only where there is a break."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final

from markdown_it.token import Token

from blog_engine.content.dialect import INLINE_HTML
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.markdown.text import image_markdown, tokens_of
from blog_engine.importing.source import Losses, LossKind

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][\w-]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")
_ATTRIBUTE: Final = re.compile(r"""([\w-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_MARKS: Final = {
    **dict.fromkeys(("b", "strong"), "**"),
    **dict.fromkeys(("i", "em"), "*"),
    **dict.fromkeys(("s", "del", "strike"), "~~"),
}
_CODE: Final = frozenset({"code", "samp", "tt"})
_BOX: Final = re.compile(
    r"<details\b[^>]*>|</details\s*>|<summary\b[^>]*>(.*?)</summary\s*>", re.IGNORECASE | re.DOTALL
)
_HEADING_ATTRIBUTES: Final = re.compile(r"[ \t]*\{:?[ \t]*[#.][^{}]*\}[ \t]*$")
_ALERT: Final = re.compile(r"\[![A-Za-z]+\]\s*")
_HARD_BREAK: Final = re.compile(r"(?: {2,}|(?<!\\)(?:\\\\)*\\)$")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The Markdown that the other program reads."""

    has_raw_html: bool
    """Whether readers saw raw HTML."""
    has_hard_breaks: bool
    """Whether each end of a line was a line break."""
    has_attributes: bool
    """Whether ``{#id .class}`` after a heading are its attributes."""


def to_our_dialect(text: str, dialect: Dialect, *, losses: Losses) -> str:
    """Return Markdown that shows here what readers of the other blog saw, as far as Markdown can.

    Raw HTML, which this engine leaves out, becomes Markdown. Paragraphs get one line, because here the end of a line
    can be a line break. Anchors of headings are left out.
    """
    lines = text.split("\n")
    changed: list[str] = []
    at = 0
    # Footnotes come last.
    for start, end, shown in sorted(_changes(text, lines, dialect, losses)):
        if start < at:
            continue
        changed += [*lines[at:start], *shown]
        at = end
    return "\n".join([*changed, *lines[at:]])


def _changes(text: str, lines: list[str], dialect: Dialect, losses: Losses) -> Iterator[tuple[int, int, list[str]]]:
    """Yield lines, from the first up to the one before the second, with what replaces them."""
    before: Token | None = None
    for token in tokens_of(text):
        kind, opened = token.type, before
        before = token
        if token.map is None:
            continue
        start, end = token.map
        if kind == "html_block" and dialect.has_raw_html:
            yield start, end, _html_block(token.content, lines[start], losses, line=start + 1)
        elif kind == "inline" and opened is not None and opened.type == "dt_open":
            term = lines[start : start + 1]
            yield start, start + 1, [_without_inline_html(term[0], token, dialect, losses, line_break=" ")]
        elif kind == "inline" and opened is not None and opened.type == "heading_open":
            yield start, end, _heading(token, lines[start:end], dialect, losses)
        elif kind == "inline" and opened is not None and opened.type in {"td_open", "th_open"}:
            continue
        elif kind == "inline" and opened is not None and opened.type == "paragraph_open":
            yield start, end, _paragraph(token, lines[start:end], dialect, losses)


def _html_block(html: str, first: str, losses: Losses, *, line: int) -> list[str]:
    """Return the Markdown for a block of HTML, with the marks of the quotation or list that it is in."""
    tags = [found[0].lower() for found in _BOX.finditer(html) if not found[0].lower().startswith("<summary")]
    is_whole = sum(1 if tag.startswith("<details") else -1 for tag in tags) == 0
    body = _converted(html, losses, line=line) if is_whole else _open_box(html, losses, line=line)
    opening = html.split("\n", 1)[0].strip()
    prefix = first[: first.find(opening)] if opening and opening in first else ""
    others = re.sub(r"[^>\s]", " ", prefix)
    written = body.strip("\n").split("\n")
    return [prefix + written[0], *(f"{others}{one}".rstrip() for one in written[1:])]


def _converted(html: str, losses: Losses, *, line: int) -> str:
    found = Losses()
    body = convert(html, losses=found, rich_text_allowed=False).body
    for loss in found.found:
        losses.add(loss.kind, loss.message, line + (loss.line or 1) - 1)
    return body


def _open_box(html: str, losses: Losses, *, line: int) -> str:
    """Return a block with the start or the end of a box, around Markdown in other blocks."""
    shown: list[str] = []
    at = 0
    for tag in _BOX.finditer(html):
        shown.append(_converted(html[at : tag.start()], losses, line=line + html.count("\n", 0, at)).strip("\n"))
        at = tag.end()
        name = tag[0][:3].lower()
        if name == "<de":
            shown.append("<details open>" if re.search(r"\sopen\b", tag[0], re.IGNORECASE) else "<details>")
        elif name == "</d":
            shown.append("</details>")
        else:
            words = _converted(f"<p>{tag[1]}</p>", losses, line=line + html.count("\n", 0, tag.start()))
            shown.append(f"<summary>{' '.join(words.split())}</summary>")
    shown.append(_converted(html[at:], losses, line=line + html.count("\n", 0, at)).strip("\n"))
    return "\n".join(part for part in shown if part)


def _heading(token: Token, lines: list[str], dialect: Dialect, losses: Losses) -> list[str]:
    found = _HEADING_ATTRIBUTES.search(lines[0]) if dialect.has_attributes else None
    if found:
        losses.add(LossKind.HTML, f"The attributes {found[0].strip()} of a heading are left out.", _line(token))
        lines = [lines[0][: found.start()], *lines[1:]]
    joined = lines if dialect.has_hard_breaks else _joined(lines, token.content.split("\n"))
    return _without_inline_html("\n".join(joined), token, dialect, losses, line_break=" ").split("\n")


def _paragraph(token: Token, lines: list[str], dialect: Dialect, losses: Losses) -> list[str]:
    joined = lines if dialect.has_hard_breaks else _joined(lines, token.content.split("\n"))
    return _without_inline_html("\n".join(joined), token, dialect, losses, line_break="\\\n").split("\n")


def _joined(lines: list[str], contents: list[str]) -> list[str]:
    """Return the lines of a paragraph, those after a soft break at the end of the line before.

    ``contents`` are the lines without the marks of quotations and lists before them.
    """
    if len(lines) != len(contents):
        return lines
    # In a span of code, spaces beside the break are a part of it.
    has_code = any("`" in line for line in contents)
    shown = [lines[0]]
    for number in range(1, len(lines)):
        if _HARD_BREAK.search(lines[number - 1]) or _ALERT.fullmatch(contents[number - 1]):
            shown.append(lines[number])
        else:
            more = contents[number] if has_code else contents[number].lstrip()
            shown[-1] = f"{shown[-1] if has_code else shown[-1].rstrip()} {more}"
    return shown


def _without_inline_html(source: str, token: Token, dialect: Dialect, losses: Losses, *, line_break: str) -> str:
    """Replace the tags in a paragraph by Markdown, or leave them out."""
    children = token.children or []
    if not dialect.has_raw_html or all(child.type != "html_inline" for child in children):
        return source
    parts: list[str] = []
    opened: list[str] = []
    dropped: dict[str, None] = {}
    at = 0
    for child in children:
        if child.type in {"code_inline", "math_inline"}:
            at = _copy(source, child.content, parts, at, child.content)
        elif child.type == "html_inline":
            at = _copy(source, child.content, parts, at, _shown_tag(child.content, opened, dropped, line_break))
    for name in dropped:
        losses.add(LossKind.HTML, f"The element {name[:60]} is left out, the text in it remains.", _line(token))
    return "".join([*parts, source[at:], *reversed(opened)])


def _copy(source: str, content: str, parts: list[str], at: int, replacement: str) -> int:
    """Append the source up to some content, and its replacement; return where the source goes on."""
    place = source.find(content, at)
    if place < 0:
        # Lines were joined.
        content = " ".join(content.split("\n"))
        place = source.find(content, at)
    if place < 0:
        return at
    parts.append(source[at:place] + replacement)
    return place + len(content)


def _shown_tag(content: str, opened: list[str], dropped: dict[str, None], line_break: str) -> str:
    found = _TAG.fullmatch(content)
    if found is None:
        # A comment.
        return ""
    is_closing, name, rest = bool(found[1]), found[2].lower(), found[3]
    values = {key.lower(): unescape(value.strip("\"'")) for key, value in _ATTRIBUTE.findall(rest)}
    if name == "br":
        return f"`{line_break}`" if "`" in opened else line_break
    if name == "img" and values.get("src"):
        return image_markdown(values.get("alt", ""), values["src"], values.get("title", ""))
    if name == "a":
        return _link_part(values.get("href", ""), opened, dropped, is_closing=is_closing)
    mark = "`" if name in _CODE else _MARKS.get(name)
    if mark is None and f"<{name}>" in INLINE_HTML:
        return _kept_tag(name, opened, is_closing=is_closing)
    if mark is None:
        dropped[name] = None
        return ""
    if is_closing and mark in opened:
        opened.remove(mark)
        return mark
    if not is_closing:
        opened.append(mark)
        return mark
    return ""


def _kept_tag(name: str, opened: list[str], *, is_closing: bool) -> str:
    end = f"</{name}>"
    if not is_closing:
        opened.append(end)
        return f"<{name}>"
    if end not in opened:
        return ""
    opened.remove(end)
    return end


def _link_part(url: str, opened: list[str], dropped: dict[str, None], *, is_closing: bool) -> str:
    if is_closing:
        ending = next((one for one in reversed(opened) if one.startswith("](")), "")
        if ending:
            opened.remove(ending)
        return ending
    if not url:
        dropped["a"] = None
        return ""
    opened.append(f"](<{url}>)" if re.search(r"[\s()]", url) else f"]({url})")
    return "["


def _line(token: Token) -> int:
    return (token.map or [0])[0] + 1
