"""Files of Markdown or HTML with front matter: YAML, TOML, JSON, or the header lines of Pelican."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from frontmatter.default_handlers import BaseHandler, SafeLoader, YAMLHandler

LARGEST_FILE: Final = 4 * 1024 * 1024
_LARGEST_FRONT_MATTER: Final = 256 * 1024
_DEEPEST: Final = 20
_LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_HEADER: Final = re.compile(r"([A-Za-z][\w-]*):[ \t]*(.*)")
_MORE: Final = re.compile(r"(?: {4,}|\t)(.*)")

Metadata = Mapping[str, Any]


class FileRefused(Exception):
    """A file cannot be read; the message says why, and in which line if that is known."""


@dataclass(frozen=True, slots=True)
class Document:
    """The two parts of a file."""

    metadata: Metadata
    """Names in lower case."""
    body: str
    has_front_matter: bool


def read_document(path: Path, *, has_header_lines: bool) -> Document:
    """Return front matter and body of a file; ``has_header_lines`` reads the header lines of Pelican as well.

    Raises ``FileRefused``.
    """
    text = read_text(path, most=LARGEST_FILE)
    for handler in _HANDLERS:
        if handler.detect(text):
            return _split(text, handler)
    if has_header_lines or text[:6].lower() == "title:":
        metadata, body = _header_lines(text)
        if metadata:
            return Document(metadata, body, has_front_matter=True)
    return Document({}, text, has_front_matter=False)


def read_text(path: Path, *, most: int) -> str:
    """Return the text of a file of at most ``most`` bytes, lines ended by ``\\n``; raises ``FileRefused``."""
    try:
        if path.stat().st_size > most:
            raise FileRefused(f"the file has more than {most} bytes")
        # Path.read_text would make line ends of other signs as well.
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as fault:
        raise FileRefused(fault.strerror or str(fault)) from fault
    except UnicodeDecodeError as fault:
        raise FileRefused(f"the file is not encoded in UTF-8 (byte {fault.start})") from fault
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_data(text: str, *, suffix: str) -> Any:
    """Return what YAML, TOML or JSON spells, by the suffix of the file; raises ``FileRefused``."""
    load = {".toml": tomllib.loads, ".json": json.loads}.get(suffix, _safe_yaml)
    return _loaded(text, load)


class _BoundedYaml(YAMLHandler):
    def load(self, fm: str, **kwargs: object) -> Any:
        return _safe_yaml(fm)


class _Toml(BaseHandler):
    # The handler of frontmatter needs a package that reads an old version of TOML.
    FM_BOUNDARY = re.compile(r"^\+{3,}\s*$", re.MULTILINE)
    START_DELIMITER = END_DELIMITER = "+++"

    def load(self, fm: str) -> dict[str, Any]:
        return tomllib.loads(fm)


class _Json(BaseHandler):
    # The handler of frontmatter expects each brace on a line of its own. Tags of templates begin with a brace as well.
    FM_BOUNDARY = re.compile(r"\{\s*[\"}]")
    START_DELIMITER = END_DELIMITER = ""

    def detect(self, text: str) -> bool:
        return self.FM_BOUNDARY.match(text) is not None

    def split(self, text: str) -> tuple[str, str]:
        try:
            _, end = json.JSONDecoder().raw_decode(text)
        except ValueError as fault:
            raise FileRefused(f"the front matter is no JSON: {fault}") from fault
        return text[:end], text[end:]

    def load(self, fm: str) -> Any:
        return json.loads(fm)


_HANDLERS: Final = (_BoundedYaml(), _Toml(), _Json())


def _split(text: str, handler: BaseHandler) -> Document:
    try:
        front, body = handler.split(text)
    except RecursionError:
        raise FileRefused("the front matter is nested too deeply") from None
    except ValueError:
        # A line of hyphens alone is a rule of Markdown.
        if text.lstrip("-+").startswith("\n\n"):
            return Document({}, text, has_front_matter=False)
        raise FileRefused("the front matter does not end") from None
    if len(front) > _LARGEST_FRONT_MATTER:
        raise FileRefused(f"the front matter has more than {_LARGEST_FRONT_MATTER} characters")
    found = _loaded(front, handler.load)
    if found is None:
        found = {}
    if not isinstance(found, dict):
        raise FileRefused("the front matter holds no names with values")
    return Document(_lower(found), body.removeprefix("\n"), has_front_matter=True)


def _lower(found: dict[Any, Any]) -> Metadata:
    return {str(name).lower(): value for name, value in found.items()}


def _loaded(text: str, load: Callable[[str], Any]) -> Any:
    try:
        found = load(text)
        _refuse_depth(found)
        return _with_whole_characters(found) if "\\" in text else found
    except RecursionError:
        raise FileRefused("values are nested too deeply") from None
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise FileRefused(f"the YAML cannot be read{line}: {getattr(fault, 'problem', None) or fault}") from fault
    except ValueError as fault:
        raise FileRefused(f"the values cannot be read: {fault}") from fault


def _with_whole_characters(value: Any) -> Any:
    """Return a value whose texts have no halves of surrogate pairs, which escapes of JSON and YAML can spell."""
    if isinstance(value, dict):
        return {_with_whole_characters(key): _with_whole_characters(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_whole_characters(one) for one in value]
    return _LONE_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", value) if isinstance(value, str) else value


def _refuse_depth(found: Any) -> None:
    # To show or to compare a value is to walk into it.
    level = [found]
    for _ in range(_DEEPEST):
        inner = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        level = [value for values in inner for value in values]
        if not level:
            return
    raise FileRefused("values are nested too deeply")


def _safe_yaml(text: str) -> Any:
    """Return what YAML spells, without aliases, which can make a short text endless, and of a limited depth."""
    depth = 0
    for event in yaml.parse(text, Loader=SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise FileRefused("the YAML uses an alias (*name), which is not read")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth >= _DEEPEST:
            raise FileRefused("the YAML is nested too deeply")
    return yaml.load(text, Loader=SafeLoader)  # noqa: S506 - this loader makes plain values only


def _header_lines(text: str) -> tuple[Metadata, str]:
    """Return the ``Name: value`` lines at the beginning, as Python-Markdown reads them, and the text after them."""
    values: dict[str, str] = {}
    name = ""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        header, more = _HEADER.fullmatch(line), _MORE.fullmatch(line)
        if header:
            name = header[1].lower()
            values[name] = header[2].strip()
        elif more and name:
            values[name] = f"{values[name]}\n{more[1].strip()}"
        elif not line.strip() or not name:
            return values, "\n".join(lines[number + 1 if not line.strip() else number :])
        else:
            return values, "\n".join(lines[number:])
    return values, ""
