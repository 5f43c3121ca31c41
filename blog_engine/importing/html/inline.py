"""Write runs of text as Markdown."""

import re
from collections.abc import Sequence
from typing import Final, assert_never

from blog_engine.content.scripts import is_punctuation
from blog_engine.importing.html.blocks import Box, Break, InlinePicture, Span, Style, Text

_ESCAPED: Final = re.compile(
    r"[\\`*\[\]<~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|:(?=//)|(?<=www)\.|@|=(?==)",
    re.IGNORECASE,
)
_LINE_START: Final = re.compile(r"(?:#{1,6}|[-+])(?=\s|$)|>|[-=](?=[-=\s]*$)|:(?=[-\s])")
_NUMBER: Final = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_PLAIN_URL: Final = re.compile(r"[^\s()<>\\\x00-\x20]+")
_REFERENCE: Final = re.compile(r"&(?=#?\w+;)")
_AUTOLINK: Final = re.compile(r"https?://[A-Za-z0-9./?=#:,;+-]+")
_DELIMITERS: Final = {"del": "~~", "strong": "**", "em": "*"}
_LEVELS: Final = ("link", "del", "strong", "em", "kbd", "mark")
_FORMULA: Final = re.compile(r"(?:[^$\\`\n]|\\.)+")
_OPERATOR: Final = re.compile(r"[\\^_={+<>]")
_AFTER_FORMULA: Final = re.compile(r"[\s,;:!?)-]|\.(?!\w)")
_TICKS: Final = re.compile("`+")


class Inline:
    """Writes one run of spans; delimiters see the characters beside them."""

    def __init__(self, spans: Sequence[Span], *, in_table: bool = False) -> None:
        self._in_table = in_table
        # One alone starts no formula.
        texts = [span for span in spans if isinstance(span, Text)]
        self._has_dollars = sum(span.text.count("$") + 2 * ("math" in span.style.marks) for span in texts) > 1
        self._tokens: list[tuple[str, str]] = []
        self._write(list(spans), frozenset(_LEVELS))

    def text(self) -> str:
        out = self._resolve()
        lines = out.split("\n")
        return "\n".join(_whole_line(_safe_start(line)) for line in lines)

    def _write(self, spans: Sequence[Span], levels: frozenset[str]) -> None:
        """Write spans; the link or mark that most of the following ones share is the outermost."""
        position = 0
        while position < len(spans):
            level, value, end = self._outermost(spans, position, levels)
            run = spans[position:end]
            if value is None:
                self._one(run[0])
            elif level == "link":
                self._link(run, value, levels - {level})
            elif level == "kbd":
                self._tokens.append(("raw", "<kbd>"))
                self._write(run, levels - {level})
                self._tokens.append(("raw", "</kbd>"))
            else:
                self._tokens.append(("open", level))
                self._write(run, levels - {level})
                self._tokens.append(("close", level))
            position = end

    def _outermost(
        self, spans: Sequence[Span], position: int, levels: frozenset[str]
    ) -> tuple[str, tuple[str, str] | None, int]:
        best: tuple[str, tuple[str, str] | None, int] = ("", None, position + 1)
        for level in _LEVELS:
            value = _value(spans[position], level) if level in levels else None
            if value is None:
                continue
            end = position + 1
            while end < len(spans) and _value(spans[end], level) == value:
                end += 1
            if best[1] is None or end > best[2]:
                best = (level, value, end)
        return best

    def _link(self, run: Sequence[Span], value: tuple[str, str], rest: frozenset[str]) -> None:
        href, title = value
        only = run[0] if len(run) == 1 else None
        if (
            isinstance(only, Text)
            and only.text == href
            and only.style == Style(href=href)
            and _AUTOLINK.fullmatch(href)
        ):
            self._tokens.append(("raw", f"<{href}>"))
            return
        self._tokens.append(("raw", "["))
        self._write(run, rest)
        shown = _title(title) if title else ""
        end = f"]({_destination(href)}{shown})"
        self._tokens.append(("raw", end.replace("|", "\\|") if self._in_table else end))

    def _one(self, span: Span) -> None:
        match span:
            case Text():
                if "math" in span.style.marks and _FORMULA.fullmatch(span.text):
                    self._tokens.append(("formula", span.text))
                elif span.style.is_code:
                    self._tokens.append(("raw", self._code(span.text)))
                else:
                    self._tokens.append(("text", span.text))
            case Break():
                self._tokens.append(("raw", "\\\n"))
            case InlinePicture():
                picture = linked(written_image(span.src, span.alt), span.href)
                self._tokens.append(("raw", picture.replace("|", "\\|") if self._in_table else picture))
            case Box():
                self._tokens.append(("raw", "[x]" if span.is_checked else "[ ]"))
            case _:
                assert_never(span)

    def _formula(self, tex: str, after: Sequence[tuple[str, str]]) -> str:
        # Words, or certain characters after it, would make it text; not so with backticks.
        is_clear = all(kind == "text" and _AFTER_FORMULA.match(text) for kind, text in after) and "</" not in tex
        is_plain = is_clear and (" " not in tex or _OPERATOR.search(tex))
        written = f"${tex}$" if is_plain else f"$`{tex}`$"
        return written.replace("|", "\\|") if self._in_table else written

    def _code(self, text: str) -> str:
        runs = {len(found) for found in _TICKS.findall(text)}
        ticks = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
        padded = f" {text} " if text[0] == "`" or text[-1] == "`" else text
        written = f"{ticks}{padded}{ticks}"
        return written.replace("|", "\\|") if self._in_table else written

    def _resolve(self) -> str:
        """Return the tokens as text, with delimiters that CommonMark reads as such (6.2, rules 1 to 8)."""
        out: list[str] = []
        pending = False
        """Whether a letter that follows has to be a character reference."""
        used: list[str] = []
        for position, (kind, value) in enumerate(self._tokens):
            if kind == "text":
                out.append(self._text(value, position, after_delimiter=pending))
                pending = False
                continue
            if kind == "raw":
                out.append(value)
                pending = False
                continue
            previous = out[-1][-1] if out and out[-1] else ""
            following = self._first_after(position)
            if kind == "formula":
                if _is_letter(previous):
                    out[-1] = f"{out[-1][:-1]}&#{ord(previous)};"
                out.append(self._formula(value, self._tokens[position + 1 :][:1]))
                pending = True
            elif kind == "open" and value == "mark":
                used.append("==" if self._is_markable(position, previous, following) else "</mark>")
                out.append("==" if used[-1] == "==" else "<mark>")
            elif kind == "close" and value == "mark":
                out.append(used.pop())
                pending = False
            elif kind == "open":
                delimiter = self._delimiter(value, position)
                used.append(delimiter)
                if _is_letter(previous) and (delimiter == "_" or not _is_letter(following)):
                    out[-1] = f"{out[-1][:-1]}&#{ord(previous)};"
                out.append(delimiter)
            else:
                delimiter = used.pop()
                out.append(delimiter)
                pending = delimiter == "_" or not _is_letter(previous)
        return "".join(out)

    def _text(self, text: str, position: int, *, after_delimiter: bool) -> str:
        """Return escaped text; white space beside a delimiter would keep it from being one."""
        escaped = _escape(text, in_table=self._in_table)
        escaped = escaped.replace("$", "\\$") if self._has_dollars else escaped
        before = self._tokens[position - 1][0] if position else ""
        after = self._tokens[position + 1][0] if position + 1 < len(self._tokens) else ""
        if (after_delimiter and _is_letter(escaped[:1])) or (before == "open" and escaped[:1].isspace()):
            escaped = f"&#{ord(escaped[0])};{escaped[1:]}"
        if escaped.endswith("!") and after == "raw" and self._tokens[position + 1][1].startswith("["):
            # With the bracket of a link it would be an image.
            escaped = f"{escaped[:-1]}\\!"
        if after == "close" and escaped[-1:].isspace():
            escaped = f"{escaped[:-1]}&#{ord(escaped[-1])};"
        return escaped

    def _first_after(self, position: int) -> str:
        kind, value = self._tokens[position + 1] if position + 1 < len(self._tokens) else ("", "")
        if kind == "text":
            # White space becomes a reference.
            first = _escape(value, in_table=self._in_table)[:1]
            return "&" if first.isspace() else first
        return "*" if kind else ""

    def _is_markable(self, position: int, previous: str, following: str) -> bool:
        """Return whether ``==`` at this place and at the end of the mark are read as delimiters."""
        end = self._end_of(position)
        before = self._tokens[end - 1]
        last = before[1][-1:] if before[0] == "text" else ""
        after = self._tokens[end + 1] if end + 1 < len(self._tokens) else ("text", "")
        outside = after[1][:1] if after[0] == "text" else "="
        is_alone = position == 0 or self._tokens[position - 1][0] == "text"
        is_free = all(not one or one.isspace() or one in ".,;:!?()" for one in (previous, outside))
        return is_alone and is_free and _is_letter(following) and _is_letter(last)

    def _end_of(self, position: int) -> int:
        depth, end = 0, position
        for end in range(position, len(self._tokens)):
            depth += {"open": 1, "close": -1}.get(self._tokens[end][0], 0)
            if depth == 0:
                break
        return end

    def _delimiter(self, level: str, position: int) -> str:
        if level != "em":
            return _DELIMITERS[level]
        end = self._end_of(position)
        beside = [
            self._tokens[at][0] for at in (position - 1, position + 1, end - 1, end + 1) if 0 <= at < len(self._tokens)
        ]
        return "_" if "open" in beside or "close" in beside else "*"


def _value(span: Span, level: str) -> tuple[str, str] | None:
    """Return what a span has of a level: target and title of its link, or the name of the mark; ``None`` if nothing."""
    if not isinstance(span, Text):
        return None
    if level == "link":
        return (span.style.href, span.style.title) if span.style.href is not None else None
    return (level, "") if level in span.style.marks else None


def _escape(text: str, *, in_table: bool = False) -> str:
    escaped = _ESCAPED.sub(r"\\\g<0>", text)
    return escaped.replace("|", "\\|") if in_table else escaped


def _safe_start(line: str) -> str:
    """Return a line of text that begins no heading, list, quote or table."""
    found = _NUMBER.match(line)
    if found:
        return f"{found[1]}\\{line[len(found[1]) :]}"
    return f"\\{line}" if _LINE_START.match(line) else line


def _whole_line(line: str) -> str:
    """Return a line whose first and last character are not stripped: white space there is written as a reference."""
    if line[:1].isspace():
        line = f"&#{ord(line[0])};{line[1:]}"
    if line[-1:].isspace():
        line = f"{line[:-1]}&#{ord(line[-1])};"
    return line


def _is_letter(character: str) -> bool:
    """Return whether a character is neither white space nor punctuation."""
    return bool(character) and not character.isspace() and not is_punctuation(character)


def written_image(src: str, alt: str, title: str = "") -> str:
    quoted = _title(title) if title else ""
    shown = _escape(alt).replace("$", "\\$")
    return f"![{shown}]({_destination(src)}{quoted})"


def linked(text: str, href: str | None) -> str:
    return f"[{text}]({_destination(href)})" if href else text


def _destination(url: str) -> str:
    if _PLAIN_URL.fullmatch(url):
        return _REFERENCE.sub(r"\\&", url)
    inner = _REFERENCE.sub(r"\\&", url.replace("\\", "\\\\"))
    return f"<{inner.replace('<', '%3C').replace('>', '%3E')}>"


def _title(title: str) -> str:
    escaped = re.sub(r'[\\"&*_\[\]`<]', r"\\\g<0>", title)
    return f' "{escaped}"'
