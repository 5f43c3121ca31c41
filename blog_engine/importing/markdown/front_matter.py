"""Files of Markdown or HTML with front matter: YAML, TOML, JSON, JavaScript, or lines of Pelican and Nikola."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from blog_engine.importing.data import (
    LARGEST_DATA,
    FileRefused,
    end_of_json,
    read_json_text,
    read_text,
    read_toml_text,
    read_yaml_text,
)
from blog_engine.importing.markdown.scripts import read_script
from blog_engine.importing.source import Loss

LARGEST_FILE: Final = 4 * 1024 * 1024
_FENCE: Final = re.compile(r"(-{3,}|\+{3,})[ \t]*(json|toml|yaml|yml|js|javascript)?[ \t]*\n")
"""The line before front matter; Eleventy reads the name of a language behind the hyphens."""
_ENDS: Final = {
    "-": re.compile(r"^(?:-{3,}|\.\.\.)\s*$", re.MULTILINE),
    "+": re.compile(r"^\+{3,}\s*$", re.MULTILINE),
}
_JSON: Final = re.compile(r"\{\s*[\"}]")
"""Tags of templates begin with a brace as well."""
_HEADER: Final = re.compile(r"([A-Za-z][\w-]*):[ \t]*(.*)")
_MORE: Final = re.compile(r"(?: {4,}|\t)(.*)")
_NIKOLA: Final = re.compile(r"\s*(?:<!--[ \t]*\n\s*)?((?:\.\. [A-Za-z_][\w-]*:(?!:)[^\n]*\n+)+)(?:[ \t]*-->[ \t]*\n?)?")
_NIKOLA_LINE: Final = re.compile(r"\.\. ([A-Za-z_][\w-]*):(?!:)[ \t]*([^\n]*)")

Metadata = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Document:
    """The two parts of a file."""

    metadata: Metadata
    """Names in lower case."""
    body: str
    has_front_matter: bool
    unknown: frozenset[str] = frozenset()
    """Names in lower case whose values a program would have to work out."""
    losses: tuple[Loss, ...] = ()
    """What was lost when the body was made HTML."""


def read_document(path: Path, *, has_header_lines: bool = False) -> Document:
    """Return front matter and body of a file.

    ``has_header_lines`` reads the header lines of Pelican whatever their names. Raises ``FileRefused``.
    """
    text = read_text(path, most=LARGEST_FILE)
    beginning = text.lstrip()
    fence = _FENCE.match(beginning)
    # A title of reStructuredText can have such a line above it.
    if fence and not (path.suffix.lower() == ".rst" and (has_header_lines or len(fence[1]) > 3)):
        try:
            return _fenced(beginning, fence, line=text[: -len(beginning)].count("\n") + 1)
        except FileRefused:
            found = _fenced_lines(beginning, fence) if has_header_lines else None
            if found is None:
                raise
            return found
    if _JSON.match(beginning):
        end = _named(end_of_json, beginning)
        return _document(_named(read_json_text, beginning[:end]), beginning[end:])
    if nikola := _NIKOLA.match(beginning, 0, LARGEST_DATA):
        if _NIKOLA_LINE.match(beginning, nikola.end()):
            raise FileRefused(f"the front matter has more than {LARGEST_DATA} characters")
        values = {name.lower(): value.strip() for name, value in _NIKOLA_LINE.findall(nikola[1])}
        return Document(values, beginning[nikola.end() :], has_front_matter=True)
    metadata, body = _header_lines(text)
    if metadata and (has_header_lines or "title" in metadata):
        return Document(metadata, body, has_front_matter=True)
    return Document({}, text, has_front_matter=False)


def lower_names(found: Mapping[Any, Any]) -> dict[str, Any]:
    """Return values by their names in lower case; one that is written so comes before others."""
    names = sorted(found, key=lambda name: str(name) == str(name).lower())
    return {str(name).lower(): found[name] for name in names}


def _fenced(text: str, fence: re.Match[str], *, line: int) -> Document:
    sign, language = text[0], fence[2]
    if sign == "+" and language:
        return Document({}, text, has_front_matter=False)
    end = _ENDS[sign].search(text, fence.end())
    if end is None:
        # A line of hyphens alone is a rule of Markdown.
        if text[fence.end() :].startswith("\n"):
            return Document({}, text, has_front_matter=False)
        raise FileRefused("the front matter does not end")
    # Errors name the line of the file.
    front, body = "\n" * line + text[fence.end() : end.start()], text[end.end() :]
    if language in {"js", "javascript"}:
        found = read_script(front)
        return Document(found.values, body.removeprefix("\n"), has_front_matter=True, unknown=found.unknown)
    read = {"toml": read_toml_text, "json": read_json_text}.get(
        language or "", read_toml_text if sign == "+" else read_yaml_text
    )
    return _document(_named(read, front), body)


def _fenced_lines(text: str, fence: re.Match[str]) -> Document | None:
    """Return front matter of ``Name: value`` lines between hyphens, which are no YAML for Python-Markdown."""
    end = _ENDS["-"].search(text, fence.end()) if text[0] == "-" else None
    if end is None or end.start() - fence.end() > LARGEST_DATA:
        return None
    metadata, rest = _header_lines(text[fence.end() : end.start()])
    body = text[end.end() :].removeprefix("\n")
    return Document(metadata, body, has_front_matter=True) if metadata and not rest.strip() else None


def _document(found: Any, body: str) -> Document:
    if found is None:
        found = {}
    if not isinstance(found, dict):
        raise FileRefused("the front matter holds no names with values")
    return Document(lower_names(found), body.removeprefix("\n"), has_front_matter=True)


def _named(read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except FileRefused as fault:
        if not str(fault).startswith("it "):
            raise
        raise FileRefused(f"the front matter {str(fault).removeprefix('it ')}") from fault


def _header_lines(text: str) -> tuple[Metadata, str]:
    """Return the ``Name: value`` lines at the beginning, as Python-Markdown reads them, and the text after them."""
    values: dict[str, list[str]] = {}
    name = ""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        line, after = (text[at:], len(text)) if end < 0 else (text[at:end], end + 1)
        header, more = _HEADER.fullmatch(line), _MORE.fullmatch(line)
        if header:
            name = header[1].lower()
            values[name] = [header[2].strip()]
        elif more and name:
            values[name].append(more[1].strip())
        else:
            at = at if line.strip() else after
            break
        at = after
        if at > LARGEST_DATA:
            raise FileRefused(f"the front matter has more than {LARGEST_DATA} characters")
    return {name: "\n".join(lines) for name, lines in values.items()}, text[at:]
