"""The logo and the links of the host (setting ``brand``), as pages show them."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from blog_engine.blog_urls import public_path
from blog_engine.conf.brand import Brand, BrandLink
from blog_engine.content.urls import is_safe_link

_PLATFORMS: Final = {
    "bsky.app": ("Bluesky", "bluesky"),
    "github.com": ("GitHub", "github"),
    "instagram.com": ("Instagram", "instagram"),
    "linkedin.com": ("LinkedIn", "linkedin"),
    "medium.com": ("Medium", "link"),
    "threads.com": ("Threads", "link"),
    "threads.net": ("Threads", "link"),
    "tiktok.com": ("TikTok", "link"),
    "twitter.com": ("X", "x"),
    "x.com": ("X", "x"),
    "youtu.be": ("YouTube", "youtube"),
    "youtube.com": ("YouTube", "youtube"),
}
"""Name and icon by host."""
_FEED: Final = re.compile(r"\.(xml|rss|atom)$|/(feed|rss)/?$", re.IGNORECASE)
_FEDIVERSE: Final = re.compile(r"^/@[^/]+/?$")


class Logo(NamedTuple):
    """The logo of the host in the header."""

    url: str
    dark_url: str
    """The logo in dark mode; empty if it is the same."""
    has_name: bool
    """Whether the logo shows the name of the site, which is then not written out."""


class SiteLink(NamedTuple):
    """A link of the host in the header or footer."""

    label: str
    url: str


class SocialLink(NamedTuple):
    """A profile of the publisher on another site."""

    name: str
    """The name of the platform, or the host of the URL."""
    url: str
    icon: str
    """`bluesky`, `github`, `instagram`, `linkedin`, `mastodon`, `rss`, `x`, `youtube`, or `link` for others."""


def safe_url(url: str | None) -> str:
    """Return a configured URL as pages link it; empty if it is not safe to link."""
    return public_path(url) if url and is_safe_link(url) else ""


def logo_of(brand: Brand, *, mode: str) -> Logo | None:
    """Return the logo, or ``None`` without one; ``mode`` is the only mode of the pages, or empty for both."""
    light, dark = safe_url(brand.logo_url), safe_url(brand.logo_dark_url)
    if mode:
        url = dark or light if mode == "dark" else light or dark
        return Logo(url, "", brand.logo_has_name) if url else None
    if not light or not dark or light == dark:
        return Logo(light or dark, "", brand.logo_has_name) if light or dark else None
    return Logo(light, dark, brand.logo_has_name)


def site_links(links: Iterable[BrandLink]) -> tuple[SiteLink, ...]:
    """Return the links that are safe."""
    return tuple(SiteLink(link.label, safe_url(link.url)) for link in links if is_safe_link(link.url))


def social_links(urls: Iterable[str]) -> tuple[SocialLink, ...]:
    """Return the profiles whose URLs are safe, each with the name and icon of its platform."""
    return tuple(SocialLink(*_platform(url)) for url in urls if is_safe_link(url))


def _platform(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    if _FEED.search(parts.path):
        return "RSS", url, "rss"
    for domain in _and_parents(host):
        if domain in _PLATFORMS:
            name, icon = _PLATFORMS[domain]
            return name, url, icon
    return ("Mastodon", url, "mastodon") if _FEDIVERSE.match(parts.path) else (host, url, "link")


def _and_parents(host: str) -> Iterator[str]:
    """Yield a host and the domains above it: profiles are also at hosts such as ``de.linkedin.com``."""
    while host:
        yield host
        host = host.partition(".")[2]
