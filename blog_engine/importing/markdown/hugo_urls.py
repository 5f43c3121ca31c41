"""URLs of Hugo: how it writes titles and names in paths, and its patterns of permalinks.

The rules are those of "URL management" and "Configure permalinks" in Hugo's documentation, and of Hugo 0.168.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final
from urllib.parse import unquote_plus

_TOKEN: Final = re.compile(r":([A-Za-z0-9_]+)(\[[^\]]*\])?")
_SLICE: Final = re.compile(r"\[(first|last|[0-9]+)?(?:(:)(last|[0-9]+)?)?\]")
_ALLOWED: Final = frozenset("./\\_#+~-@")
_LAYOUTS: Final[dict[str, Callable[[datetime], str]]] = {
    "2006": lambda date: f"{date.year:04}",
    "January": lambda date: f"{date:%B}",
    "Jan": lambda date: f"{date:%b}",
    "Monday": lambda date: f"{date:%A}",
    "Mon": lambda date: f"{date:%a}",
    "002": lambda date: f"{date.timetuple().tm_yday:03}",
    "01": lambda date: f"{date.month:02}",
    "02": lambda date: f"{date.day:02}",
    "03": lambda date: f"{date:%I}",
    "04": lambda date: f"{date.minute:02}",
    "05": lambda date: f"{date.second:02}",
    "06": lambda date: f"{date:%y}",
    "15": lambda date: f"{date.hour:02}",
    "1": lambda date: str(date.month),
    "2": lambda date: str(date.day),
}
"""The parts of the layouts in which Go writes times."""
_LAYOUT: Final = re.compile("|".join(sorted(_LAYOUTS, key=len, reverse=True)))


def urlized(text: str) -> str:
    """Return the name of a file, a folder or a term as Hugo writes it in paths: each space is a hyphen."""
    return _allowed(re.sub(r"\s", "-", text.strip()))


def slugified(text: str) -> str:
    """Return a slug or a title as Hugo writes it in paths: spaces beside a hyphen are none."""
    spaced = re.sub(r"\s+", " ", _allowed(text, more=" \t\n").strip())
    return re.sub(r" ?- ?", "-", spaced).replace(" ", "-")


def permalink(pattern: str, date: datetime | None, values: Mapping[str, str], sections: Sequence[str]) -> str | None:
    """Return a pattern such as ``/:year/:slug/`` with its values; ``None`` if a token has no value or is not known.

    ``sections`` are those of the page, the outermost first.
    """
    known = {**_date_values(date), **values, "sections": "/".join(sections)}
    found: list[str] = []
    at = 0
    for token in _TOKEN.finditer(pattern):
        value = _sliced(token[2], sections) if token[2] and token[1] == "sections" else known.get(token[1])
        if value is None and not token[2] and date:
            value = _in_layout(token[1], date)
        if value is None:
            return None
        found += [pattern[at : token.start()], _in_pattern(value)]
        at = token.end()
    return "".join([*found, pattern[at:]])


def lowered(text: str) -> str:
    """Return a text in lower case, sign by sign as Go does it."""
    return "".join(sign.lower()[0] for sign in text)


def without_accents(text: str) -> str:
    """Return a path without accents, as ``removePathAccents`` makes it."""
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(sign for sign in parts if unicodedata.category(sign) != "Mn"))


def _in_pattern(value: str) -> str:
    """Return a value as patterns write it: as a part of a URL that is decoded once more."""
    return slugified(unquote_plus(value)).rstrip("#/")


def _allowed(text: str, *, more: str = "") -> str:
    """Return the signs that paths can have: letters, digits, marks and some others."""
    return "".join(
        sign
        for place, sign in enumerate(text)
        if sign.isalnum()
        or sign in _ALLOWED
        or sign in more
        or unicodedata.category(sign).startswith("M")
        or (sign == "%" and re.match("%[0-9A-Fa-f]{2}", text[place : place + 3]))
    )


def _date_values(date: datetime | None) -> dict[str, str]:
    if date is None:
        return {}
    return {
        "year": f"{date.year:04}",
        "month": f"{date.month:02}",
        "monthname": f"{date:%B}",
        "day": f"{date.day:02}",
        "weekday": f"{date:%w}",
        "weekdayname": f"{date:%A}",
        "yearday": str(date.timetuple().tm_yday),
    }


def _in_layout(layout: str, date: datetime) -> str | None:
    """Return a date in a layout of Go; ``None`` if there is nothing of a date in it."""
    return _LAYOUT.sub(lambda part: _LAYOUTS[part[0]](date), layout) if _LAYOUT.search(layout) else None


def _sliced(written: str, sections: Sequence[str]) -> str | None:
    """Return some of the sections, such as ``[1:]`` or ``[last]``; ``None`` if that is not understood."""
    found = _SLICE.fullmatch(written)
    if not found:
        return None
    last = len(sections) - 1
    start, end = ({"first": 0, "last": last, None: None}.get(one, one) for one in (found[1], found[3]))
    if not found[2]:
        return None if start is None else "".join(sections[int(start) : int(start) + 1])
    return "/".join(sections[int(start or 0) : None if end is None else int(end)])
