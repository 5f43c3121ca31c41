"""Small parts of the text of WordPress posts: tags, places that stay as they are, paragraphs without tags."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

_TAG: Final = re.compile(r"""</?([A-Za-z][^\s/>]*+)(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_MARK: Final = re.compile(r"<(?:!--|/?[A-Za-z])")
_PROTECTED: Final = re.compile(r"<(pre|code|script|style|textarea)(?=[\s>])[^<>]*>|<!--", re.IGNORECASE)
_BLANK_LINES: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")

_AS_WRITTEN: Final = frozenset({"pre", "script", "style", "textarea", "svg", "select"})
_BLOCKS: Final = frozenset(
    {"table", "thead", "tfoot", "caption", "colgroup", "col", "tbody", "tr", "td", "th", "div", "dl", "dd", "dt"}
    | {"ul", "ol", "li", "pre", "form", "blockquote", "address", "style", "script", "p", "hr", "fieldset", "legend"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "aside", "header", "footer", "nav", "figure", "iframe"}
    | {"figcaption", "details", "summary", "main", "audio", "video", "!--"}
)


NEXT_PAGE: Final = "<!--nextpage-->"


class SourcePiece(NamedTuple):
    """A tag or comment, or the text between two of them (``name`` is empty)."""

    text: str
    name: str = ""


def pieces_of(source: str) -> Iterator[SourcePiece]:
    """Yield the tags, comments and texts of a source; together they are the source."""
    position = 0
    while found := _MARK.search(source, position):
        start = found.start()
        if found[0] == "<!--":
            end = source.find("-->", start)
            end = len(source) if end < 0 else end + 3
            name = "!--"
        else:
            tag = _TAG.match(source, start)
            if not tag:
                break
            end, name = tag.end(), tag[1].lower()
        if start > position:
            yield SourcePiece(source[position:start])
        yield SourcePiece(source[start:end], name)
        position = end
    if position < len(source):
        yield SourcePiece(source[position:])


def protected_spans(source: str) -> list[tuple[int, int]]:
    """Return where a source has code, scripts and comments, in which nothing is replaced."""
    spans: list[tuple[int, int]] = []
    lower = source.lower()
    endless: set[str] = set()
    position = 0
    while found := _PROTECTED.search(source, position):
        end_mark = f"</{found[1].lower()}" if found[1] else "-->"
        end = -1 if end_mark in endless else lower.find(end_mark, found.end())
        if end < 0:
            endless.add(end_mark)
            position = found.end()
            continue
        spans.append((found.start(), end))
        position = end
    return spans


def with_paragraphs(source: str) -> str:
    """Return a text of the classic editor with the paragraphs and line breaks that WordPress shows.

    An empty line begins a paragraph and a single one is a break, but not beside blocks and not in ``pre``. No line is
    added or removed.
    """
    out: list[str] = []
    pieces = list(pieces_of(_without_comments(source)))
    kept_as_written = 0
    for position, piece in enumerate(pieces):
        if piece.name:
            if piece.name in _AS_WRITTEN:
                kept_as_written = max(0, kept_as_written + (-1 if piece.text.startswith("</") else 1))
            out.append(piece.text)
        elif kept_as_written:
            out.append(piece.text)
        else:
            before = pieces[position - 1].name if position else "!--"
            after = pieces[position + 1].name if position + 1 < len(pieces) else "!--"
            out.append(_paragraphs(piece.text, before=before, after=after))
    return "".join(out)


def _without_comments(source: str) -> str:
    """Return a source without comments; a page break is the start of a paragraph."""
    return "".join(
        ("<p>" if piece.text == NEXT_PAGE else "") + "\n" * piece.text.count("\n")
        if piece.name == "!--"
        else piece.text
        for piece in pieces_of(source)
    )


def _paragraphs(text: str, *, before: str, after: str) -> str:
    start, end = 0, len(text)
    if before in _BLOCKS:
        start = len(text) - len(text.lstrip())
    elif before == "br":
        start = len(text) - len(text.lstrip(" \t")) + text.lstrip(" \t").startswith("\n")
    if after in _BLOCKS or after == "br":
        end = max(start, len(text.rstrip()))
    inner = text[start:end]
    if "\n" not in inner:
        return text
    parts: list[str] = []
    position = 0
    for found in _BLANK_LINES.finditer(inner):
        parts += [inner[position : found.start()].replace("\n", "<br>\n"), found[0], "<p>"]
        position = found.end()
    parts.append(inner[position:].replace("\n", "<br>\n"))
    return text[:start] + "".join(parts) + text[end:]


class SourceLines:
    """The lines of a source, counted from 1."""

    def __init__(self, source: str) -> None:
        self._starts = [found.end() for found in re.finditer("\n", source)]

    def at(self, position: int) -> int:
        """Return the line of a position."""
        return bisect_right(self._starts, position) + 1


def padded(text: str, replaced: str) -> str:
    """Return a text on one line, followed by as many line ends as the text that it replaces has."""
    return " ".join(text.split("\n")) + "\n" * replaced.count("\n")
