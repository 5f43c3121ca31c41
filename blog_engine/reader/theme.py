"""The colours that a host chose, as a stylesheet of their own (reader.md 19; decisions.md 3.25, 7.6)."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.views.generic import View
from pydantic import TypeAdapter, ValidationError

from blog_engine.conf import get_settings
from blog_engine.conf.load import kept_until_settings_change
from blog_engine.conf.palette import Palette
from blog_engine.conf.theme import theme_colors
from blog_engine.conf.types import Color

_COLOR: Final[TypeAdapter[str]] = TypeAdapter(Color)
_HEADERS: Final = {"Cache-Control": "max-age=31536000, public, immutable", "X-Content-Type-Options": "nosniff"}


@dataclass(frozen=True, slots=True)
class ThemeSheet:
    """A stylesheet; another text has another ``digest``."""

    text: str

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits of the content's digest."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


class ThemeView(View):
    """The stylesheet of the chosen colours, which browsers keep: other colours have another address."""

    def get(self, request: HttpRequest, *, sheet: ThemeSheet, **kwargs: Any) -> HttpResponse:
        return HttpResponse(sheet.text, content_type="text/css; charset=utf-8", headers=_HEADERS)


@kept_until_settings_change
def host_theme() -> ThemeSheet | None:
    """The colours that the host chose, ``None`` where it chose none.

    Raises ``ImproperlyConfigured`` for what is not a colour.
    """
    chosen = get_settings().theme_colors
    light, dark = chosen.for_mode("light"), chosen.for_mode("dark")
    changed = [name for name in Palette.model_fields if name in light or name in dark]
    if not changed:
        return None
    # A property has one value for both modes, so the mode that the host left alone is repeated.
    return ThemeSheet(_stylesheet(changed, light=theme_colors("light") | light, dark=theme_colors("dark") | dark))


def _stylesheet(names: list[str], *, light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    lines = [
        f"  --blog-{name.replace('_', '-')}: light-dark({_color(light[name])}, {_color(dark[name])});" for name in names
    ]
    return "\n".join([":root {", *lines, "}", ""])


def _color(value: str) -> str:
    try:
        return _COLOR.validate_python(value)
    except ValidationError as fault:
        raise ImproperlyConfigured(f"theme_colors: {value!r} is not a colour.") from fault
