"""Snippets: lines of other files that the extension of Python-Markdown by this name puts into a text.

The rules are those of "Snippets" in the documentation of PyMdown Extensions.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from blog_engine.importing.data import FileRefused, read_text
from blog_engine.importing.folders import file_within
from blog_engine.importing.source import Losses, LossKind

_LINE: Final = re.compile(r"([ \t]*)-{1,}8<-{1,}[ \t]+(?:\"([^\"\n]+)\"|'([^'\n]+)')[ \t]*")
_BLOCK: Final = re.compile(r"([ \t]*)-{1,}8<-{1,}[ \t]*")
_ESCAPED: Final = re.compile(r"([ \t]*);(-{1,}8<-{1,})")
_SECTION: Final = re.compile(r"-{1,}8<-{1,}[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([\w-]+)[ \t]*\]")
_PART: Final = re.compile(r"(.+?)(?::(\d*):?(\d*)|:([A-Za-z][\w-]*))?")
_LARGEST: Final = 256 * 1024
_MOST: Final = 1_000
"""Snippets of one body."""
_DEEPEST: Final = 5

Line = tuple[int, str]


def with_snippets(text: str, folders: Sequence[Path], losses: Losses) -> list[Line]:
    """Return the lines of a text with their numbers, and those of the files that it names in their places.

    A file that is not in these folders is named, and left out.
    """
    numbered = list(enumerate(text.split("\n"), start=1))
    return list(_Snippets(folders, losses).within(numbered, 0)) if "8<" in text else numbered


class _Snippets:
    def __init__(self, folders: Sequence[Path], losses: Losses) -> None:
        self._folders = folders
        self._losses = losses
        self._count = 0

    def within(self, lines: Sequence[Line], depth: int) -> Iterator[Line]:
        """Yield lines with those of snippets in them."""
        at = 0
        while at < len(lines):
            number, line = lines[at]
            at += 1
            if found := _LINE.fullmatch(line):
                yield from self._snippet(found[2] or found[3], found[1], number, depth)
            elif found := _BLOCK.fullmatch(line):
                end = next((place for place in range(at, len(lines)) if _BLOCK.fullmatch(lines[place][1])), len(lines))
                for inner, name in lines[at:end]:
                    if name.strip():
                        yield from self._snippet(name.strip().strip("\"'"), found[1], inner, depth)
                at = end + 1
            else:
                yield number, _ESCAPED.sub(r"\1\2", line)

    def _snippet(self, name: str, indent: str, number: int, depth: int) -> Iterator[Line]:
        self._count += 1
        if name.startswith(";"):
            return
        found = self._lines_of(name) if depth < _DEEPEST and self._count <= _MOST else None
        if found is None:
            words = f"The snippet {name[:300]} is left out: the source has no such file."
            self._losses.add(LossKind.SHORTCODE, words, number)
            return
        for _, line in self.within([(number, one) for one in found], depth + 1):
            yield number, f"{indent}{line}" if line else ""

    def _lines_of(self, name: str) -> list[str] | None:
        part = _PART.fullmatch(name)
        if part is None:
            return None
        file = next(filter(None, (file_within(one, part[1]) for one in self._folders)), None)
        try:
            lines = read_text(file, most=_LARGEST).rstrip("\n").split("\n") if file else None
        except FileRefused:
            return None
        if lines is None:
            return None
        if part[4]:
            lines = _section(lines, part[4])
        elif part[2] or part[3]:
            lines = lines[max(int(part[2] or 1), 1) - 1 : int(part[3]) if part[3] else None]
        return [line for line in lines if not _SECTION.search(line)]


def _section(lines: list[str], name: str) -> list[str]:
    """Return the lines between the marks of a section."""
    marks = {
        found[1]: place for place, line in enumerate(lines) for found in _SECTION.finditer(line) if found[2] == name
    }
    return lines[marks["start"] + 1 : marks.get("end")] if "start" in marks else []
