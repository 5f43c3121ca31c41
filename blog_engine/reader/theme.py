"""The stylesheet of the colours and fonts that the host chose (settings ``brand`` and ``theme_colors``)."""

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.views.generic import View
from pydantic import TypeAdapter, ValidationError

from blog_engine.conf import get_settings
from blog_engine.conf.brand import Font, FontFile
from blog_engine.conf.groups import Mode, Palette, host_colors, theme_colors
from blog_engine.conf.load import kept_until_settings_change
from blog_engine.conf.types import Color

_COLOR: Final[TypeAdapter[str]] = TypeAdapter(Color)
_MODES: Final[tuple[Mode, Mode]] = ("light", "dark")
_GENERIC: Final = frozenset({"system-ui", "ui-sans-serif", "ui-serif", "ui-monospace", "ui-rounded"})
"""Families that are keywords of CSS, and mean nothing in quotes."""
_FALLBACKS: Final = {
    "sans-serif": "system-ui, sans-serif",
    "serif": 'Charter, "Bitstream Charter", Cambria, Georgia, serif',
    "monospace": 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
}
"""The fonts shown while one loads. ``--blog-x-height`` gives them the same height, so that lines hardly move."""
_HEADERS: Final = {"Cache-Control": "max-age=31536000, public, immutable", "X-Content-Type-Options": "nosniff"}


@dataclass(frozen=True, slots=True)
class ThemeSheet:
    """A stylesheet, named by its digest in URLs."""

    text: str

    @property
    def digest(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


class ThemeView(View):
    """The stylesheet of the host's look, immutable because its URL has a digest."""

    def get(self, request: HttpRequest, *, sheet: ThemeSheet, **kwargs: Any) -> HttpResponse:
        return HttpResponse(sheet.text, content_type="text/css; charset=utf-8", headers=_HEADERS)


def host_theme() -> ThemeSheet | None:
    """Return the stylesheet of the host's colours and fonts, or ``None`` if the host chose none.

    Raises ``ImproperlyConfigured`` for a value that is not a colour.
    """
    fonts = get_settings().brand.fonts.by_role()
    lines = [*_colors(), *(_family(role, font) for role, font in fonts.items())]
    if not lines:
        return None
    # Not kept like the colours: the URLs of files have the prefix of the server.
    faces = {_face(font.family, file): None for font in fonts.values() for file in font.files}
    return ThemeSheet("\n".join([*faces, ":root {", *lines, "}", ""]))


def _face(family: str, file: FontFile) -> str:
    return (
        f'@font-face {{ font-family: "{family}"; src: url("{static(file.path)}") format("woff2"); '
        f"font-weight: {file.weight}; font-style: {file.style}; font-display: swap; }}"
    )


def _family(role: str, font: Font) -> str:
    name = font.family if font.family in _GENERIC else f'"{font.family}"'
    return f"  --blog-font-{role}: {name}, {_FALLBACKS[font.fallback]};"


@kept_until_settings_change
def _colors() -> list[str]:
    """Return the declarations of the colours."""
    colors = get_settings().colors
    written = {mode: _validated(colors.for_mode(mode)) for mode in _MODES}
    # A property has one value for both modes, so the colour of the unchanged mode is repeated.
    kept = {mode: theme_colors(mode) | written[mode] for mode in _MODES}
    changed = {mode: host_colors(colors, mode) for mode in _MODES}
    shown = {mode: kept[mode] | changed[mode] for mode in _MODES}
    lines = [
        _declaration(name, light=shown["light"][name], dark=shown["dark"][name])
        for name in Palette.model_fields
        if name in changed["light"] or name in changed["dark"]
    ]
    return lines


def _declaration(name: str, *, light: str, dark: str) -> str:
    return f"  --blog-{name.replace('_', '-')}: light-dark({light}, {dark});"


def _validated(colors: dict[str, str]) -> dict[str, str]:
    return {name: _validated_color(value) for name, value in colors.items()}


def _validated_color(value: str) -> str:
    try:
        return _COLOR.validate_python(value)
    except ValidationError as fault:
        raise ImproperlyConfigured(f"theme_colors: {value!r} is not a colour.") from fault
