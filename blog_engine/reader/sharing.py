"""Links from an article to other sites: those that share it, and the profiles of its author."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from blog_engine.content.urls import is_safe_link
from blog_engine.enums import ShareTarget


class ShareLink(NamedTuple):
    """One way to share an article; ``url`` is that of the article itself for the target ``link``."""

    target: ShareTarget
    url: str


@dataclass(frozen=True, slots=True)
class Share:
    """The URL of an article and the links that share it."""

    url: str
    links: tuple[ShareLink, ...]


class ProfileLink(NamedTuple):
    """A profile of an author; ``name`` is its URL without scheme, ``www.`` and slash at the end."""

    name: str
    url: str


def share_of(title: str, *, url: str, targets: Iterable[ShareTarget]) -> Share | None:
    """Return the links that share an article, in the order of the targets; ``None`` without targets."""
    links = tuple(ShareLink(target, _share_url(target, title, url)) for target in targets)
    return Share(url, links) if links else None


def _share_url(target: ShareTarget, title: str, url: str) -> str:
    # Not ``urlencode``: mail programs and fragments read "+" as a plus sign.
    name, place = quote(title, safe=""), quote(url, safe="")
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
