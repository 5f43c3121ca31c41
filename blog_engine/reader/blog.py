"""The blog as the layout of every page shows it, and the stylesheet of the colours and fonts of the host."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.generic import View
from pydantic import TypeAdapter, ValidationError

from blog_engine.blog_urls import BlogURLs, script_name
from blog_engine.conf import get_settings
from blog_engine.conf.brand import Brand, Font, FontFile
from blog_engine.conf.groups import Mode, Palette, host_colors, sheet_of, theme_colors
from blog_engine.conf.load import kept_until_settings_change
from blog_engine.conf.types import Color
from blog_engine.content.urls import is_safe_link
from blog_engine.enums import FeedFormat, PolicyKind
from blog_engine.queries.policies import policy_urls
from blog_engine.queries.remembered import remembered
from blog_engine.reader.links import Logo, SiteLink, SocialLink, logo_of, safe_url, site_links, social_links

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

    shows_posts = False
    """It needs no database."""

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
    look = get_settings().look
    kept = {mode: theme_colors(mode, look=look) | written[mode] for mode in _MODES}
    changed = {mode: host_colors(colors, mode, look=look) for mode in _MODES}
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


SURFACE: Final[dict[Mode, str]] = {"light": "#fcfcfc", "dark": "#121212"}
"""The page's default colour in each mode, as in ``theme.css``, for the browser's own bars."""

_POLICY_NAMES: dict[PolicyKind, str | Promise] = {
    PolicyKind.RESPONSIBLE_PARTY: _("Responsible party"),
    PolicyKind.CORRECTIONS: _("Corrections policy"),
    PolicyKind.EDITORIAL: _("Editorial policy"),
    PolicyKind.AI_USE: _("AI use policy"),
}


@dataclass(frozen=True, slots=True)
class PolicyLink:
    """A policy page, hosted by the blog or elsewhere."""

    name: str | Promise = field(compare=False)
    url: str


class BrowserColor(NamedTuple):
    """The colour of the browser's bars in one mode."""

    mode: str
    color: str


@dataclass(frozen=True, slots=True)
class Blog:
    """The blog's names, URLs and display settings, for the layout."""

    site_name: str
    title: str
    tagline: str
    """The setting ``blog_tagline``; empty if there is none."""
    publisher: str
    language: str
    direction: str
    """The writing direction of the language: ``ltr`` or ``rtl``."""
    index_path: str
    atom_path: str
    archive_path: str
    """The path of the archive."""
    subscribe_path: str
    """The path of the page about the feeds."""
    search_path: str
    search_json_path: str
    theme_path: str
    """The stylesheet of the host's own colours and fonts; empty if there are none."""
    look_path: str
    """The stylesheet of the setting ``look`` below ``STATIC_URL``; empty for that of the engine."""
    licence: str
    """The URL of the licence; empty if there is none."""
    icon_url: str
    """The setting ``brand.icon_url`` or ``favicon_url``; empty if there is none."""
    touch_icon_url: str
    """The setting ``touch_icon_url``; empty if there is none."""
    surfaces: dict[str, str]
    """The page's colour by mode."""
    year: str
    """The current year."""
    brand: Brand
    """The setting ``brand``."""
    logo: Logo | None
    """The logo in the header; ``None`` without one."""
    navigation: tuple[SiteLink, ...]
    """The links of the host in the header."""
    footer_links: tuple[SiteLink, ...]
    """The links of the host in the footer."""
    social_links: tuple[SocialLink, ...]
    """The profiles of the publisher."""
    card_art: str
    color_scheme: str
    policies: dict[PolicyKind, PolicyLink]
    """The policies that readers can open, in order."""
    has_responsible_party: bool
    """Whether there is a responsible party, even if its URL is not safe to link."""

    @property
    def fixed_scheme(self) -> str:
        """``light`` or ``dark`` if the host fixed the mode for all readers, else empty."""
        return "" if self.color_scheme == "system" else self.color_scheme

    @property
    def browser_colors(self) -> list[BrowserColor]:
        """The page's colour in the light and in the dark mode."""
        return [BrowserColor(mode, self.surfaces[self.fixed_scheme or mode]) for mode in self.surfaces]

    @property
    def responsible_party(self) -> PolicyLink | None:
        """The page that names who is responsible for the content."""
        return self.policies.get(PolicyKind.RESPONSIBLE_PARTY)

    @property
    def ai_use(self) -> PolicyLink | None:
        """The page about the use of AI."""
        return self.policies.get(PolicyKind.AI_USE)


def describe_blog(urls: BlogURLs, *, now: datetime) -> Blog:
    """Return the blog in the active language; at most one query. It is remembered until the content changes."""
    year = timezone.localtime(now).year
    return remembered(
        ("blog", urls.prefix, script_name(), get_language(), year), lambda: _describe(urls, policy_urls(), year=year)
    )


def describe_blog_offline(urls: BlogURLs, *, now: datetime) -> Blog:
    """Return the blog in the active language without policies, without a query."""
    return _describe(urls, {}, year=timezone.localtime(now).year)


def _describe(urls: BlogURLs, policies: Mapping[PolicyKind, str], *, year: int) -> Blog:
    settings, sheet = get_settings(), host_theme()
    brand = settings.brand
    known = SURFACE
    if settings.look != "default":
        known = {mode: theme_colors(mode, look=settings.look)["surface"] for mode in _MODES}
    return Blog(
        site_name=settings.site_name,
        title=settings.blog_title,
        tagline=settings.blog_tagline or "",
        publisher=settings.publisher.name,
        language=settings.language,
        direction=settings.direction,
        index_path=urls.index_path(),
        atom_path=urls.feed_path(FeedFormat.ATOM),
        archive_path=urls.archive_path(),
        subscribe_path=urls.subscribe_path(),
        search_path=urls.search_path(),
        search_json_path=urls.search_json_path(),
        icon_url=safe_url(brand.icon_url or settings.favicon_url),
        touch_icon_url=safe_url(settings.touch_icon_url),
        theme_path=urls.theme_path(sheet.digest) if sheet else "",
        surfaces={mode: settings.colors.for_mode(mode).get("surface", color) for mode, color in known.items()},
        look_path=sheet_of(settings.look),
        licence=settings.rights.licence or "",
        year=str(year),  # a number would be shown as 2,026 by some hosts
        brand=brand,
        logo=logo_of(brand, mode="" if settings.color_scheme == "system" else settings.color_scheme),
        navigation=site_links(brand.navigation),
        footer_links=site_links(brand.footer_links),
        social_links=social_links(brand.social_links),
        card_art=settings.card_art,
        color_scheme=settings.color_scheme,
        policies={
            kind: PolicyLink(_POLICY_NAMES[kind], policies[kind])
            for kind in PolicyKind
            if kind in policies and is_safe_link(policies[kind])
        },
        has_responsible_party=PolicyKind.RESPONSIBLE_PARTY in policies,
    )
