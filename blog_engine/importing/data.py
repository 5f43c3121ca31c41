"""YAML, TOML and JSON of a source, read within bounds that are checked before the parser is called."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import yaml
from frontmatter.default_handlers import SafeLoader

LARGEST_DATA: Final = 256 * 1024
"""Characters of front matter, a data file or a configuration, and of what aliases expand to."""
_DEEPEST: Final = 20
_MOST_DOTS: Final = 20
"""Dots of a key in TOML: the parser keeps each part of a key with all parts before it."""
_MOST_VALUES: Final = 20_000
_LONGEST_NUMBER: Final = 100
_LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_TOML_TEXTS: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\\?\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+["\\]?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+",
    re.DOTALL,
)
"""Texts and comments; one that does not end goes as far as it can, so that no part is read twice."""
_BETWEEN_KEYS: Final = re.compile(r'[^\w.\-" \t]+')
_JSON_TOKENS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{},:]', re.DOTALL)
_DAY: Final = re.compile(r"[0-9]{4}-(?:0?[1-9]|1[0-2])-(?:29|3[01])(?![0-9])")
_NUMBERS: Final = frozenset({"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})


class _PlainLoader(SafeLoader):  # type: ignore[misc, valid-type]
    """A loader of plain values; a day past the end of its month, such as 31 June, is a text."""

    def construct_yaml_timestamp(self, node: yaml.ScalarNode, values: Any = None) -> Any:
        try:
            return super().construct_yaml_timestamp(node)
        except ValueError:
            if not _DAY.match(node.value):
                raise
            return self.construct_yaml_str(node)


_PlainLoader.add_constructor("tag:yaml.org,2002:timestamp", _PlainLoader.construct_yaml_timestamp)


class FileRefused(Exception):
    """A file cannot be read; the message says why, and in which line if that is known."""


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


def read_data_file(path: Path, *, most: int = LARGEST_DATA) -> Any:
    """Return what a file of YAML, TOML or JSON spells, by its suffix; raises ``FileRefused``.

    ``most`` is the number of characters that it may have; the number of values may grow with it.
    """
    text = read_text(path, most=4 * most)
    return {".toml": read_toml_text, ".json": read_json_text}.get(path.suffix.lower(), read_yaml_text)(text, most=most)


def read_yaml_text(text: str, *, most: int = LARGEST_DATA) -> Any:
    """Return what YAML spells, plain values only, with its aliases expanded; raises ``FileRefused``."""
    return _loaded(text, _load_yaml, most)


def read_toml_text(text: str, *, most: int = LARGEST_DATA) -> Any:
    """Return what TOML spells; raises ``FileRefused``."""
    return _loaded(text, _load_toml, most)


def read_json_text(text: str, *, most: int = LARGEST_DATA) -> Any:
    """Return what JSON spells; raises ``FileRefused``."""
    return _loaded(text, _load_json, most)


def end_of_json(text: str) -> int:
    """Return where the object or list ends with which a text begins; raises ``FileRefused`` if that is nowhere near."""
    depth = 0
    for count, found in enumerate(_JSON_TOKENS.finditer(text, 0, LARGEST_DATA + 1)):
        _refuse_count(count, LARGEST_DATA)
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > _DEEPEST:
            raise FileRefused("values are nested too deeply")
        if depth <= 0:
            return found.end()
    if len(text) > LARGEST_DATA:
        raise FileRefused(f"it has more than {LARGEST_DATA} characters")
    raise FileRefused("it is no JSON: it does not end")


def _loaded(text: str, load: Callable[[str, int], Any], most: int) -> Any:
    if len(text) > most:
        raise FileRefused(f"it has more than {most} characters")
    try:
        found = load(text, most)
        _refuse_large_values(found)
        return _with_whole_characters(found) if "\\" in text else found
    except RecursionError:
        raise FileRefused("values are nested too deeply") from None
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise FileRefused(f"the YAML cannot be read{line}: {getattr(fault, 'problem', None) or fault}") from fault
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as fault:
        # A value that its tag or form promises and that there is not, such as ``!!timestamp soon``.
        raise FileRefused(f"the values cannot be read: {fault}") from fault


def _refuse_count(signs: int, most: int) -> None:
    """Refuse too many values by the signs before them: at most two for each."""
    values = most * _MOST_VALUES // LARGEST_DATA
    if signs > 2 * values:
        raise FileRefused(f"it has more than {values} values")


def _load_toml(text: str, most: int) -> Any:
    plain = _TOML_TEXTS.sub(lambda found: "" if found[0].startswith("#") else '""', text)
    if any(part.count(".") > _MOST_DOTS for part in _BETWEEN_KEYS.split(plain)):
        raise FileRefused(f"a key has more than {_MOST_DOTS} dots")
    _refuse_signs(plain, "=,.[{", most)
    return tomllib.loads(text)


def _load_json(text: str, most: int) -> Any:
    _refuse_signs(_JSON_TOKENS.sub(lambda found: "" if found[0].startswith('"') else found[0], text), ",:[{", most)
    try:
        return json.loads(text)
    except ValueError as fault:
        raise FileRefused(f"it is no JSON: {fault}") from fault


def _refuse_signs(plain: str, before_values: str, most: int) -> None:
    """Refuse too many values, and too deep ones, in a text without strings and comments."""
    _refuse_count(sum(map(plain.count, before_values)), most)
    depth = 0
    for sign in re.findall(r"[\[\]{}]", plain):
        depth = depth + 1 if sign in "[{" else max(depth - 1, 0)
        if depth > _DEEPEST:
            raise FileRefused("values are nested too deeply")


def _load_yaml(text: str, most: int) -> Any:
    _refuse_large_yaml(text, most)
    return yaml.load(text, Loader=_PlainLoader)  # noqa: S506 - this loader makes plain values only


def _refuse_large_yaml(text: str, most: int) -> None:
    """Refuse YAML by its events, before values are made: by depth, number and size with all aliases expanded."""
    sizes: dict[str, int] = {}
    begun: list[tuple[str | None, int]] = []
    size = 0
    for count, event in enumerate(yaml.parse(text, Loader=SafeLoader)):
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise FileRefused(f"the alias *{event.anchor} means itself, or nothing")
            size += sizes[event.anchor]
        elif isinstance(event, yaml.CollectionStartEvent):
            begun.append((event.anchor, size))
            if event.anchor:
                # Inside of it, its name means nothing yet.
                sizes.pop(event.anchor, None)
            size += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = begun.pop()
            if anchor:
                sizes[anchor] = size - before
        elif isinstance(event, yaml.ScalarEvent):
            _refuse_large_number(event)
            size += len(event.value) + 1
            if event.anchor:
                sizes[event.anchor] = len(event.value) + 1
        if len(begun) >= _DEEPEST:
            raise FileRefused("the YAML is nested too deeply")
        _refuse_count(count, most)
        if size > 2 * most:
            raise FileRefused("its aliases expand to too much")


def _refuse_large_number(event: yaml.ScalarEvent) -> None:
    # ``1:1:1`` is a number to the base of 60, which takes long to make.
    if len(event.value) > _LONGEST_NUMBER:
        resolvers = SafeLoader.yaml_implicit_resolvers.get(event.value[0], ()) if event.implicit[0] else ()
        if event.tag in _NUMBERS or any(tag in _NUMBERS and form.match(event.value) for tag, form in resolvers):
            raise FileRefused(f"a number has more than {_LONGEST_NUMBER} digits")


def _refuse_large_values(found: Any) -> None:
    """Refuse values that are nested too deeply, and numbers that are too long to be written."""
    level = [found]
    for _ in range(_DEEPEST):
        if any(isinstance(one, int) and one.bit_length() > 4 * _LONGEST_NUMBER for one in level):
            raise FileRefused(f"a number has more than {_LONGEST_NUMBER} digits")
        inner = [
            [*one, *one.values()] if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)
        ]
        level = [value for values in inner for value in values]
        if not level:
            return
    raise FileRefused("values are nested too deeply")


def _with_whole_characters(value: Any) -> Any:
    """Return a value whose texts have no halves of surrogate pairs, which escapes of JSON and YAML can spell."""
    if isinstance(value, dict):
        return {_with_whole_characters(key): _with_whole_characters(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_whole_characters(one) for one in value]
    return _LONE_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", value) if isinstance(value, str) else value
