"""What an address on a page stands for: the bytes of a stored image, by the digest in it, or just itself."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urljoin

from blog_engine.blog_urls import BlogURLs
from blog_engine.content.revision import ImageEntry
from blog_engine.content.text import composed
from blog_engine.report.surface.html import HtmlPage

_BEYOND_ASCII: Final = re.compile(r"(?:%[89a-fA-F][0-9a-fA-F])+")
_NAME_IN_MEDIA: Final = re.compile(r"([0-9a-f]{64})/(?!(?:\.|%2[eE]){1,2}(?:[?#]|$))[^/\\?#]+(?:[?#].*)?")


@dataclass(frozen=True, slots=True)
class AddressBook:
    """Reads the addresses of one page as browsers do: relative to ``base``."""

    urls: BlogURLs
    base: str

    @classmethod
    def of_page(cls, url: str, html: HtmlPage, *, urls: BlogURLs) -> "AddressBook":
        """For a page that may have moved its relative addresses by a ``base`` element."""
        return cls(urls, _joined(url, html.base))

    def url_of(self, address: str) -> str:
        """The absolute URL; an address that nobody can read stays as it is."""
        return _joined(self.base, address)

    def spelled(self, address: str) -> str:
        """The absolute URL in the one spelling in which URLs are compared, whatever Unicode form it is written in."""
        return composed(_BEYOND_ASCII.sub(_decoded, self.url_of(address)))

    def shown_by(self, address: str) -> str:
        """``sha256:<digest>`` for a stored image and for its variants, which have its digest in theirs; else the URL.

        The engine makes a variant from the original and names it by the original's digest: so the digest in the
        address is what the page promises, and the original is what can be hashed.
        """
        url = self.spelled(address)
        prefix = self.spelled(self.urls.absolute(f"{self.urls.prefix}/media/"))
        stored = _NAME_IN_MEDIA.fullmatch(url.removeprefix(prefix)) if url.startswith(prefix) else None
        return f"sha256:{stored[1]}" if stored else url

    def of_entry(self, entry: ImageEntry) -> str:
        """Where the image of a revision is served as it was recorded."""
        if is_stored(entry):
            # The payload has this path whatever the mount (decisions.md 9.9).
            return self.urls.absolute(f"{self.urls.prefix}{entry.url.removeprefix('/blog')}")
        return self.url_of(f"https:{entry.url}" if entry.url.startswith("//") else entry.url)


def is_stored(entry: ImageEntry) -> bool:
    """Whether an entry of a revision is an image of ours."""
    return bool(entry.sha256) and entry.url.startswith(f"/blog/media/{entry.sha256}/")


def _decoded(found: re.Match[str]) -> str:
    try:
        return unquote(found[0], errors="strict")
    except UnicodeDecodeError:
        return found[0]


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address.strip())
    except ValueError:
        return address.strip()
