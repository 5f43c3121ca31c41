"""Boxes, tabs and directives: ``!!! note`` of Python-Markdown, ``:::note`` of remark and markdown-it."""

import re
from collections.abc import Sequence
from typing import Final

from blog_engine.importing.markdown.dialects import Dialect
from blog_engine.importing.source import Losses, LossKind

_MAY_HAVE_BOX: Final = re.compile(r"(?m)^[ \t>*+-]*(?:!!!|\?\?\?|===|:{2,}|/{3,}|`{3,}[ \t]*\{)|:[A-Za-z][\w-]*[\[{]")
_FENCE: Final = re.compile(r"[ \t>]*(?:[*+-][ \t]+|[0-9]+[.)][ \t]+)*(`{3,}(?!.*`)|~{3,})")
_ITEM: Final = re.compile(r"( *)(?:[*+-]|[0-9]{1,9}[.)])[ \t]")
_INDENTED: Final = re.compile(
    r"(?P<indent> *(?:(?:[:*+-]|[0-9]+\.)[ ]+)?)"
    r"(?:(?P<kind>!!!|\?\?\?\+?)[ \t]*(?P<names>[\w-]+(?:[ \t]+[\w-]+)*)?(?:[ \t]+[\"'](?P<title>.*)[\"'])?"
    r"|===[!+]*[ \t]+[\"'](?P<tab>.*)[\"'])[ \t]*$"
)
_CONTAINER: Final = re.compile(
    r"(?P<indent> *)(?P<mark>:{3,}|/{3,})[ \t]*(?:\{?(?P<name>[A-Za-z][\w-]*)\}?)(?:\[(?P<label>.*)\])?[ \t]*"
    r"(?P<attributes>\{[^{}]*\})?[ \t]*(?:\|[ \t]*)?(?P<title>.*?)[ \t]*$"
)
_CLOSING: Final = re.compile(r" *(:{3,}|/{3,})[ \t]*$")
_LEAF: Final = re.compile(r" {0,3}::(?P<name>[A-Za-z][\w-]*)(?:\[(?P<label>.*)\])?[ \t]*(?:\{[^{}]*\})?[ \t]*$")
_IN_LINE: Final = re.compile(
    r"(?P<code>`+[^`]*`+)|(?<![:\w\\]):(?P<name>[A-Za-z][\w-]*)(?:\[(?P<label>[^][]*)\](?:\{[^{}]*\})?|\{[^{}]*\})"
)
_MYST: Final = re.compile(r"(?P<indent> *)`{3,}[ \t]*\{(?P<name>[\w-]+)\}(?P<title>[^`]*)")
_OPTION: Final = re.compile(r"[ \t]*:[\w-]+:")
_TITLE: Final = re.compile(r"""(?:title|label|summary)=("[^"]*"|'[^']*'|[^\s"'{}]+)""")
_ALERTS: Final = frozenset({"note", "tip", "important", "warning", "caution"})
"""The kinds of boxes whose name is shown here in the same words."""
_KINDS: Final = _ALERTS | {
    *("abstract", "attention", "bug", "danger", "error", "example", "failure", "hint", "info", "question", "quote"),
    *("success", "summary", "todo", "seealso", "admonition"),
}
_FOLDED: Final = frozenset({"details", "collapse", "spoiler"})
_PLAIN: Final = frozenset({"caption", "figure-caption", "table-caption", "html", "tab", "define"})
"""Kinds of which readers see the content, and the title, alone."""
_INDENT: Final = 4
_DEEPEST: Final = 20

Line = tuple[int, str]
"""The number of the line in the source, from 1, and the text."""


def without_boxes(lines: list[Line], dialect: Dialect, losses: Losses) -> list[Line]:
    """Return the lines of a text, with quotations for the boxes of the dialect.

    A title is what the program shows: without one it is the kind. Other directives are named; their text stays.
    """
    is_read = dialect.has_admonitions or dialect.has_containers
    if not is_read or not _MAY_HAVE_BOX.search("\n".join(line for _, line in lines)):
        return lines
    return _Boxes(dialect, losses).changed(lines, depth=0)


class _Boxes:
    def __init__(self, dialect: Dialect, losses: Losses) -> None:
        self._dialect = dialect
        self._losses = losses
        self._marks = "/" * dialect.has_admonitions + ":" * dialect.has_containers

    def changed(self, lines: Sequence[Line], *, depth: int) -> list[Line]:
        """Return lines with quotations for boxes."""
        found: list[Line] = []
        # Empty lines after the beginning of a box are no part of its text.
        at = next((place for place, (_, line) in enumerate(lines) if line.strip()), len(lines)) if depth else 0
        item_indent: int | None = None
        while at < len(lines):
            number, line = lines[at]
            fence = _FENCE.match(line)
            if fence:
                end = _end_of_fence(lines, at, fence)
                if kept := self._fenced(lines[at:end], depth):
                    found += kept
                    at = end
                    continue
                found += lines[at:end]
                at = end
                continue
            item = _ITEM.match(line)
            if item:
                item_indent = len(item[1])
            elif line.strip() and not line.startswith(" "):
                item_indent = None
            is_code = len(line) - len(line.lstrip(" ")) >= _INDENT and item_indent is None
            box = None if is_code or depth > _DEEPEST else self._box(lines, at, depth)
            if box is None:
                found.append((number, self._without_directives(line, number, is_code=is_code)))
                at += 1
                continue
            shown, at = box
            if found and found[-1][1].strip():
                found.append((number, ""))
            found += shown
            if at < len(lines) and lines[at][1].strip():
                found.append((number, ""))
        return found

    def _box(self, lines: Sequence[Line], at: int, depth: int) -> tuple[list[Line], int] | None:
        """Return what shows a box that begins in a line, and the place after it; ``None`` for other lines."""
        number, line = lines[at]
        found = _INDENTED.fullmatch(line) if self._dialect.has_admonitions else None
        if found and any(found[name] is not None for name in ("tab", "names", "title")):
            # What is in an item of a list is indented by four, whatever the width of its mark.
            inner, end = _indented(lines, at + 1, -(-len(found["indent"]) // _INDENT) * _INDENT + _INDENT)
            return _indented_box(found, number, self.changed(inner, depth=depth + 1)), end
        found = _CONTAINER.fullmatch(line)
        if found is None or found["mark"][0] not in self._marks:
            return self._leaf(line, number, at)
        inner, end = _contained(lines, at + 1, found["mark"])
        return self._container(found, number, self.changed(inner, depth=depth + 1)), end

    def _fenced(self, lines: Sequence[Line], depth: int) -> list[Line] | None:
        """Return the box that a fence of MyST such as ``{note}`` is; ``None`` for code."""
        (number, first), *inner = lines
        found = _MYST.fullmatch(first)
        kind = found["name"].lower() if found else ""
        if found is None or kind not in _KINDS or depth > _DEEPEST:
            return None
        if inner and _FENCE.match(inner[-1][1]):
            del inner[-1]
        while inner and _OPTION.match(inner[0][1]):
            option = inner.pop(0)[1].partition(":class:")[2].strip()
            kind = option if option in _KINDS else kind
        title = found["title"].strip() or None
        content = self.changed(inner, depth=depth + 1)
        return _quoted(number, found["indent"], kind, title, title or kind.capitalize(), content)

    def _container(self, found: re.Match[str], number: int, content: list[Line]) -> list[Line]:
        kind, indent = found["name"].lower(), found["indent"]
        given = _TITLE.search(found["attributes"] or "")
        title = found["label"] or found["title"] or (given[1].strip("\"'") if given else None)
        if kind in _FOLDED:
            return _folded(number, indent, title or "Details", content, is_open=False)
        if kind in _KINDS:
            return _quoted(number, indent, kind, title, title or kind.capitalize(), content)
        if kind not in _PLAIN:
            self._name(found[0], number)
        return _titled(number, indent, title, content) if title else content

    def _leaf(self, line: str, number: int, at: int) -> tuple[list[Line], int] | None:
        found = _LEAF.fullmatch(line) if self._dialect.has_directives else None
        if found is None:
            return None
        self._name(line, number)
        return [(number, found["label"] or "")], at + 1

    def _without_directives(self, line: str, number: int, *, is_code: bool) -> str:
        if is_code or not self._dialect.has_directives:
            return line

        def change(found: re.Match[str]) -> str:
            if found["code"]:
                return found[0]
            self._name(found[0], number)
            return found["label"] or ""

        return _IN_LINE.sub(change, line)

    def _name(self, source: str, number: int) -> None:
        words = f"A directive is left out; text in it remains: {source.strip()}"
        self._losses.add(LossKind.SHORTCODE, words, number)


def _indented_box(found: re.Match[str], number: int, content: list[Line]) -> list[Line]:
    if found["tab"] is not None:
        return _titled(number, found["indent"], found["tab"], content)
    kind = (found["names"] or "").split(" ")[0].lower()
    title = kind.capitalize() if found["title"] is None else found["title"]
    if found["kind"] == "!!!":
        return _quoted(number, found["indent"], kind, found["title"], title, content)
    return _folded(number, found["indent"], title, content, is_open=found["kind"].endswith("+"))


def _end_of_fence(lines: Sequence[Line], at: int, fence: re.Match[str]) -> int:
    """Return the place after a block of code; its last line can be indented by three more than its first one."""
    mark, most = fence[1], fence.start(1) + 3
    closing = re.compile(rf"[ \t>]{{0,{most}}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
    for end in range(at + 1, len(lines)):
        if closing.fullmatch(lines[end][1]):
            return end + 1
    return len(lines)


def _indented(lines: Sequence[Line], at: int, indent: int) -> tuple[list[Line], int]:
    """Return the lines from a place on that are indented, without the indentation, and the place after them."""
    inner: list[Line] = []
    last = 0
    for number, line in lines[at:]:
        # A tab is four spaces wide, as in Python-Markdown; others in the line stay.
        text = line.lstrip(" \t")
        spaced = line[: len(line) - len(text)].expandtabs(_INDENT) + text
        if text and not spaced.startswith(" " * indent):
            break
        inner.append((number, line[indent:] if line.startswith(" " * indent) else spaced[indent:]))
        last = len(inner) if text else last
    return inner[:last], at + last


def _contained(lines: Sequence[Line], at: int, mark: str) -> tuple[list[Line], int]:
    """Return the lines up to the end of a container, and the place after it; without an end it is all lines."""
    depth = 1
    end = at
    while end < len(lines):
        line = lines[end][1]
        if fence := _FENCE.match(line):
            end = _end_of_fence(lines, end, fence)
            continue
        closing = _CLOSING.fullmatch(line)
        if closing and closing[1].startswith(mark):
            depth -= 1
        elif (inner := _CONTAINER.fullmatch(line)) and inner["mark"] == mark:
            depth += 1
        if not depth:
            return list(lines[at:end]), end + 1
        end += 1
    return list(lines[at:]), len(lines)


def _titled(number: int, indent: str, title: str, content: Sequence[Line]) -> list[Line]:
    return _moved([(number, f"**{title.strip()}**"), (number, ""), *content], indent)


def _quoted(number: int, indent: str, kind: str, given: str | None, title: str, content: Sequence[Line]) -> list[Line]:
    """Return a quotation with a title, or an alert if the title is the name of its kind."""
    first: list[str] = [f"**{title.strip()}**", ""] if title.strip() else []
    if kind in _ALERTS and (given is None or given.strip().lower() == kind):
        first = [f"[!{kind.upper()}]"]
    shown = [(number, line) for line in first] + list(content)
    return _moved([(line_number, f"> {line}" if line.strip() else ">") for line_number, line in shown], indent)


def _folded(number: int, indent: str, title: str, content: Sequence[Line], *, is_open: bool) -> list[Line]:
    # Where HTML goes on to its end tag, Markdown in it is asked for.
    summary = f'<summary markdown="1">{title.strip() or "Details"}</summary>'
    start = [f'<details{" open" if is_open else ""} markdown="1">', summary, ""]
    last = content[-1][0] if content else number
    return _moved([*((number, line) for line in start), *content, (last, ""), (last, "</details>")], indent)


def _moved(content: Sequence[Line], indent: str) -> list[Line]:
    """Return lines behind an indentation, the first one behind the mark of the list that is a part of it."""
    others = " " * len(indent)
    moved = [(number, f"{others}{line}" if line.strip() else "") for number, line in content]
    if indent.strip() and moved:
        moved[0] = (moved[0][0], f"{indent}{moved[0][1].strip()}")
    return moved
