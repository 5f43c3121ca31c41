"""The lines of a paragraph, joined where a line ends without a line break."""

import re
from typing import Final

_ALERT: Final = re.compile(r"\[![A-Za-z]+\]\s*")
_HARD_BREAK: Final = re.compile(r"(?: {2,}|(?<!\\)(?:\\\\)*\\)$")
_BOX: Final = re.compile(r"\[[ xX]\]")
"""The box of a task, which is none at the end of a line."""
_ITEM: Final = re.compile(r"(?:[*+-]|[0-9][.)])[ \t]+$")
_RULE: Final = re.compile(r"()(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})")
_DEFINITION: Final = re.compile(r"(\[(?:[^\[\]\\]|\\.)+\]):")
_INTERRUPTING: Final = re.compile(r"()[*+:~-][ \t]|(0{0,8}1)[.)][ \t]")
"""The start of a list or a definition below another line of a paragraph."""
_BELOW_HEADER: Final = re.compile(r"()[|:-][|:\- \t]*")
_MARKS: Final = re.compile(r"[ \t>]*")
_BAR: Final = re.compile(r"(?<!\\)\|")
_LITERAL: Final = re.compile(r"[`<$]|://")
"""What can begin a place where a reference to a character is shown as it is."""


def joined(lines: list[str], contents: list[str], *, after: str = "") -> list[str]:
    """Return the lines of a paragraph, those after a soft break at the end of the line before.

    ``contents`` are the lines without the marks of quotations and lists before them, ``after`` is the line below the
    paragraph. A sign that would make another block of a joined line is escaped.
    """
    if len(lines) != len(contents):
        return lines
    # In a span of code, spaces beside the break are a part of it.
    has_code = any("`" in line for line in contents)
    shown, first = [lines[0]], [0]
    for number in range(1, len(lines)):
        if _HARD_BREAK.search(lines[number - 1]) or (number == 1 and _is_alert(lines[0], contents[0])):
            shown.append(lines[number])
            first.append(number)
        else:
            more = contents[number] if has_code else contents[number].lstrip()
            shown[-1] = f"{shown[-1] if has_code else shown[-1].rstrip()} {more}"
    if len(shown) == len(lines):
        return lines
    places = [max(0, lines[number].find(contents[number].strip())) for number in first]
    words = [
        _in_paragraph(line[at:], is_first=number == 0)
        for number, (line, at) in enumerate(zip(shown, places, strict=True))
    ]
    if 1 not in first and _BOX.fullmatch(contents[0].strip()) and _ITEM.search(lines[0][: places[0]]):
        words[0] = f"\\{words[0]}"
    if first[-1] < len(lines) - 1 and _are_header(words[-1], _MARKS.sub("", after, count=1)):
        if _LITERAL.search(words[-1]):
            return lines
        words[-1] = _BAR.sub("&#124;", words[-1])
    return [line[:at] + text for line, at, text in zip(shown, places, words, strict=True)]


def _is_alert(line: str, content: str) -> bool:
    """Return whether the first line of a paragraph names the alert of a quotation."""
    return _ALERT.fullmatch(content) is not None and ">" in line[: line.find(content)]


def _are_header(line: str, below: str) -> bool:
    """Return whether two lines are the header of a table and the row of signs below it."""
    if len(below.strip()) < 2 or not _BAR.search(line) or not _BELOW_HEADER.fullmatch(below.rstrip()):
        return False
    header, signs = (len(_BAR.split(row.strip().removeprefix("|").removesuffix("|"))) for row in (line, below))
    return header == signs


def _in_paragraph(line: str, *, is_first: bool) -> str:
    """Return a line with a backslash before the sign that would begin another block than a paragraph."""
    content = line.rstrip()
    found = _RULE.fullmatch(content)
    if is_first:
        found = found or _DEFINITION.match(content)
    else:
        found = found or _INTERRUPTING.match(content)
        found = found or (_BELOW_HEADER.fullmatch(content) if "-" in content else None)
    if not found:
        return line
    at = found.end(found.lastindex or 0)
    return f"{line[:at]}\\{line[at:]}"
