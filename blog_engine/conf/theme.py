"""The theme's own colours, as its stylesheet gives them (reader.md 19)."""

import re
from pathlib import Path
from typing import Final, Literal, TypeAlias

from django.contrib.staticfiles import finders

Mode: TypeAlias = Literal["light", "dark"]

THEME: Final = "blog_engine/theme.css"

_OURS: Final = Path(__file__).parents[1] / "static" / THEME
_PROPERTY: Final = re.compile(r"--blog-([a-z0-9-]+):\s*light-dark\((#[0-9a-fA-F]{6}),\s*(#[0-9a-fA-F]{6})\)")


def colors_in(stylesheet: str) -> dict[Mode, dict[str, str]]:
    """The colours that a stylesheet sets for both modes, by name with underscores."""
    found = _PROPERTY.findall(stylesheet)
    return {
        "light": {name.replace("-", "_"): light for name, light, _ in found},
        "dark": {name.replace("-", "_"): dark for name, _, dark in found},
    }


def theme_colors(mode: Mode) -> dict[str, str]:
    """All colours of one mode that readers get without ``theme_colors``; a host's file in place of ours counts."""
    found = finders.find(THEME)
    own = colors_in(_OURS.read_text("utf-8"))[mode]
    return own | (colors_in(Path(found).read_text("utf-8"))[mode] if found else {})
