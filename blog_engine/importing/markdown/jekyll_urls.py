"""URLs of Jekyll: how it writes names in paths, and the tokens of its permalinks.

The rules are those of "Permalinks" in Jekyll's documentation, and of Jekyll 4.3.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

STYLES: Final = {
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title:output_ext",
    "weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext",
    "none": "/:categories/:title:output_ext",
}
"""The names of patterns of URLs."""
_TOKEN: Final = re.compile(":([a-z_]+)")
_NOT_PRETTY: Final = re.compile(r"[^\w.~!$&'()+,;=@]+")
_NOT_PLAIN: Final = re.compile(r"[\W_]+")


def pretty_slug(text: str) -> str:
    """Return a text as the token ``:title`` has it: with capital letters and the signs that URLs can have."""
    return re.sub("^-|-$", "", _NOT_PRETTY.sub("-", text))


def plain_slug(text: str) -> str:
    """Return a text as ``:slug`` and ``:slugified_categories`` have it: letters and digits."""
    return re.sub("^-|-$", "", _NOT_PLAIN.sub("-", text)).lower()


def collection_pattern(style: str) -> str:
    """Return the pattern of collections without their own: it ends as that of posts does."""
    pattern = STYLES.get(style, style)
    ending = next((one for one in ("/", ":output_ext") if pattern.endswith(one)), "")
    return f"/:collection/:path{ending}"


def filled(pattern: str, values: Mapping[str, str], date: datetime | None) -> str | None:
    """Return a pattern with its values; ``None`` if one of them is not known."""
    known = {**_date_values(date), **values}

    def value_of(token: re.Match[str]) -> str:
        name = token[1]
        # An underscore behind a name can be a sign of the URL.
        return known[name] if name in known else f"{known[name.removesuffix('_')]}_"

    try:
        found = _TOKEN.sub(value_of, pattern)
    except KeyError:
        return None
    return f"/{found}".replace("..", "/").replace("./", "")


def _date_values(date: datetime | None) -> dict[str, str]:
    if date is None:
        return {}
    week = date.isocalendar()
    return {
        "year": f"{date.year:04}",
        "month": f"{date.month:02}",
        "day": f"{date.day:02}",
        "hour": f"{date.hour:02}",
        "minute": f"{date.minute:02}",
        "second": f"{date.second:02}",
        "i_day": str(date.day),
        "i_month": str(date.month),
        "short_month": f"{date:%b}",
        "long_month": f"{date:%B}",
        "short_year": f"{date:%y}",
        "y_day": f"{date.timetuple().tm_yday:03}",
        "w_year": f"{week.year:04}",
        "week": f"{week.week:02}",
        "w_day": str(week.weekday),
        "short_day": f"{date:%a}",
        "long_day": f"{date:%A}",
    }
