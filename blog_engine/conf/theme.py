"""The colours of the theme, and what a host makes of them."""

import re
from pathlib import Path
from typing import Final, Literal, TypeAlias

from django.contrib.staticfiles import finders

from blog_engine.conf.brand import brand_colors
from blog_engine.conf.colors import flattened
from blog_engine.conf.palette import ThemeColors

Mode: TypeAlias = Literal["light", "dark"]

THEME: Final = "blog_engine/theme.css"

CANVAS: Final[dict[Mode, str]] = {"light": "#ffffff", "dark": "#000000"}
"""What browsers paint behind a page."""

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


def host_colors(colors: ThemeColors, mode: Mode) -> dict[str, str]:
    """Return the colours of one mode that differ from the theme's, by name with underscores.

    They are those that the host chose and those that follow from its accent. An accent chosen for both modes is made
    readable in each; one chosen for this mode stays as it is.
    """
    chosen = colors.for_mode(mode)
    if "accent" not in chosen:
        return chosen
    known = theme_colors(mode) | chosen
    surface = flattened(known["surface"], CANVAS[mode])
    opaque = {name: flattened(color, surface) for name, color in known.items()}
    is_exact = bool((colors.light if mode == "light" else colors.dark).accent)
    derived = brand_colors(chosen.pop("accent"), opaque, is_exact=is_exact)
    return derived | chosen
