"""The stylesheet of the colours that the host chose (setting ``theme_colors``)."""

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.views.generic import View
from pydantic import TypeAdapter, ValidationError

from blog_engine.conf import get_settings
from blog_engine.conf.groups import Mode, Palette, host_colors, theme_colors
from blog_engine.conf.load import kept_until_settings_change
from blog_engine.conf.types import Color

_COLOR: Final[TypeAdapter[str]] = TypeAdapter(Color)
_MODES: Final[tuple[Mode, Mode]] = ("light", "dark")
_CAUTION: Final = {"caution": "accent_2", "caution_soft": "accent_2_soft"}
"""The properties of cautions, and the colours they keep when the host changes the accent."""
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
    """The stylesheet of the host's colours, immutable because its URL has a digest."""

    def get(self, request: HttpRequest, *, sheet: ThemeSheet, **kwargs: Any) -> HttpResponse:
        return HttpResponse(sheet.text, content_type="text/css; charset=utf-8", headers=_HEADERS)


@kept_until_settings_change
def host_theme() -> ThemeSheet | None:
    """Return the stylesheet of the host's colours, or ``None`` if the host chose none.

    Raises ``ImproperlyConfigured`` for a value that is not a colour.
    """
    colors = get_settings().theme_colors
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
    for caution, name in _CAUTION.items():
        if any(shown[mode][name] != kept[mode][name] for mode in _MODES):
            lines.append(_declaration(caution, light=kept["light"][name], dark=kept["dark"][name]))
    return ThemeSheet("\n".join([":root {", *lines, "}", ""])) if lines else None


def _declaration(name: str, *, light: str, dark: str) -> str:
    return f"  --blog-{name.replace('_', '-')}: light-dark({light}, {dark});"


def _validated(colors: dict[str, str]) -> dict[str, str]:
    return {name: _validated_color(value) for name, value in colors.items()}


def _validated_color(value: str) -> str:
    try:
        return _COLOR.validate_python(value)
    except ValidationError as fault:
        raise ImproperlyConfigured(f"theme_colors: {value!r} is not a colour.") from fault
