"""The blog as the layout of every page shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from blog_engine.blog_urls import BlogURLs, script_name
from blog_engine.conf import get_settings
from blog_engine.conf.brand import Brand
from blog_engine.conf.groups import Mode
from blog_engine.content.urls import is_safe_link
from blog_engine.enums import FeedFormat, PolicyKind
from blog_engine.queries.policies import policy_urls
from blog_engine.queries.remembered import remembered
from blog_engine.reader.links import Logo, SiteLink, SocialLink, logo_of, safe_url, site_links, social_links
from blog_engine.reader.theme import host_theme

SURFACE: Final[dict[Mode, str]] = {"light": "#fcfcfc", "dark": "#121212"}
"""The page's default colour in each mode, as in ``theme.css``, for the browser's own bars."""

_POLICY_NAMES: dict[PolicyKind, str | Promise] = {
    PolicyKind.RESPONSIBLE_PARTY: _("Responsible party"),
    PolicyKind.CORRECTIONS: _("Corrections policy"),
    PolicyKind.EDITORIAL: _("Editorial policy"),
    PolicyKind.AI_USE: _("AI use policy"),
}


class PolicyLink(NamedTuple):
    """A policy page, hosted by the blog or elsewhere."""

    name: str | Promise
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
        surfaces={mode: settings.colors.for_mode(mode).get("surface", color) for mode, color in SURFACE.items()},
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
