"""Texts in the formats of an export's files: front matter, TOML, and Markdown that Hugo reads as it is written."""

import json
import re
from typing import Any, Final

_UNPRINTED: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SHORTCODE: Final = re.compile(r"\{\{(?=[<%])")
_BRACES: Final = "{{< braces >}}"


def quoted(value: object) -> str:
    """Return a value as JSON that is also a value of YAML, and if it is a text or a number, of TOML."""
    return _printed(json.dumps(value, ensure_ascii=False))


def json_line(value: dict[str, Any]) -> str:
    """Return an object as one line of JSON, whatever a reader takes for the end of a line."""
    return _printed(json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))) + "\n"


def _printed(text: str) -> str:
    """Return JSON in which the characters that end lines, or that YAML does not allow, are escaped."""
    return _UNPRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def front_matter(fields: dict[str, Any]) -> str:
    """Return YAML front matter of the fields that have a value."""
    kept = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    return "".join(["---\n", *(f"{name}: {quoted(value)}\n" for name, value in kept.items()), "---\n"])


def without_shortcodes(body: str) -> str:
    """Return a body in which Hugo sees no shortcodes: it shows what looks like one as the text that it is."""
    # ``{{</* … */>}}`` would do for a whole shortcode only, and an open ``{{<`` would fail the build.
    return _SHORTCODE.sub(_BRACES, body)
