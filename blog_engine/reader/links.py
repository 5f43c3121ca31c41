"""Links of the host, of an author and of an article to other sites, and the logo."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

from blog_engine.blog_urls import public_path
from blog_engine.conf.brand import Brand, BrandLink
from blog_engine.content.urls import is_safe_link
from blog_engine.enums import ShareTarget

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
    labels = host.split(".")
    # Profiles are also at hosts such as ``de.linkedin.com``.
    for domain in (".".join(labels[start:]) for start in range(len(labels))):
        if domain in _PLATFORMS:
            name, icon = _PLATFORMS[domain]
            return name, url, icon
    return ("Mastodon", url, "mastodon") if _FEDIVERSE.match(parts.path) else (host, url, "link")


class ShareLink(NamedTuple):
    """One way to share an article; ``url`` is that of the article itself for the target ``link``."""

    target: ShareTarget
    url: str


class Share(NamedTuple):
    """The URL of an article and the links that share it."""

    url: str
    links: tuple[ShareLink, ...]


class ProfileLink(NamedTuple):
    """A profile of an author; ``name`` is its URL without scheme, ``www.`` and slash at the end."""

    name: str
    url: str


def share_of(title: str, *, url: str, targets: Iterable[ShareTarget]) -> Share | None:
    """Return the links that share an article, in the order of the targets; ``None`` without targets."""
    # Not ``urlencode``: mail programs and fragments read "+" as a plus sign.
    name, place = quote(title, safe=""), quote(url, safe="")
    links = tuple(ShareLink(target, _share_url(target, url, name=name, place=place)) for target in targets)
    return Share(url, links) if links else None


def _share_url(target: ShareTarget, url: str, *, name: str, place: str) -> str:
    match target:
        case ShareTarget.LINK:
            return url
        case ShareTarget.EMAIL:
            return f"mailto:?subject={name}&body={place}"
        case ShareTarget.MASTODON:
            # The share page of Mastodon asks for the reader's server; servers do not see the fragment of a URL.
            return f"https://share.joinmastodon.org/#text={name}%20{place}"
        case ShareTarget.BLUESKY:
            return f"https://bsky.app/intent/compose?text={name}%20{place}"
        case ShareTarget.LINKEDIN:
            return f"https://www.linkedin.com/sharing/share-offsite/?url={place}"
        case ShareTarget.X:
            return f"https://x.com/intent/post?text={name}&url={place}"


def profile_links(urls: Iterable[str]) -> Iterator[ProfileLink]:
    """Yield the profiles that are safe to link, with their short names."""
    for url in filter(is_safe_link, urls):
        parts = urlsplit(url)
        yield ProfileLink(f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}" or url, url)
