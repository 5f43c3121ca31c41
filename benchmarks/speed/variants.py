"""The settings under which a page is measured."""

import re
from pathlib import Path
from typing import Any, Final

PAGE_CACHE: Final = "SPEED_PAGE_CACHE"
"""The variable with the name of a variant."""

CACHED: Final = "cached"
STALE: Final = "cached for 1 s"
UNCACHED: Final = "uncached"
COLD: Final = "cold"
WRITTEN: Final = "after a write"
_VALUES: Final[dict[str, dict[str, Any]]] = {
    CACHED: {},
    STALE: {"max_stale": 1},
    UNCACHED: {"enabled": False},
    COLD: {"enabled": False},
    WRITTEN: {"enabled": False},
}


def has_page_cache(checkout: Path) -> bool:
    """Return whether the version of a checkout has the setting ``page_cache``."""
    # By its text: the module can be imported only after the settings.
    text = (checkout / "blog_engine" / "conf" / "model.py").read_text("utf-8")
    return re.search(r"^    page_cache:", text, re.MULTILINE) is not None


def page_cache_setting(variant: str) -> dict[str, Any]:
    """Return the part of ``BLOG_ENGINE`` for a variant; empty for the defaults."""
    value = _VALUES.get(variant)
    return {"page_cache": value} if value else {}
