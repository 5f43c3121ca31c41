"""URLs of the other blog: which ones are its own, and when two of them are the same page."""

import posixpath
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urljoin, urlsplit

_INDEX = ("/index.html", "/index.htm", "/index.php")


def split_or_none(url: str) -> SplitResult | None:
    """Return the parts of a URL, ``None`` if it is none."""
    try:
        parts = urlsplit(url.strip())
        # Reading the port is what checks it.
        return parts if parts.port is None or parts.port else None
    except ValueError:
        return None


def is_web(url: str) -> bool:
    """Return whether the text is an http or https URL, or one without scheme (``//host/path``)."""
    return url.lower().startswith(("http://", "https://", "//"))


@dataclass(frozen=True, slots=True)
class OldBlog:
    """The URLs of the other blog; ``url`` is ``None`` if the source does not know its own."""

    url: str | None
    host: str = field(init=False)
    path: str = field(init=False)
    """The path of its home page, without a slash at the end."""

    def __post_init__(self) -> None:
        parts = split_or_none(self.url or "")
        object.__setattr__(self, "host", _host(parts) if parts else "")
        object.__setattr__(self, "path", unquote(parts.path).rstrip("/") if parts else "")

    def absolute(self, url: str, base: str) -> str:
        """Return a URL in a body as an absolute one, or as a path of the blog or of its source."""
        url = url.strip()
        if is_web(base):
            return urljoin(base, url)
        if split_or_none(url) is None or urlsplit(url).scheme or url.startswith("/"):
            return urljoin(self.url, url) if self.url and url.startswith("/") else url
        page, *rest = url.partition("?") if "?" in url else url.partition("#")
        return posixpath.normpath(posixpath.join(base, page)) + "".join(rest)

    def is_own(self, url: str) -> bool:
        """Return whether a URL is of the old host, or a path."""
        parts = split_or_none(url)
        if parts is None or parts.scheme not in ("", "http", "https"):
            return False
        return not parts.netloc or bool(self.host and _host(parts) == self.host)

    def page_key(self, url: str) -> str | None:
        """Return what two URLs of one page have in common; ``None`` for a URL of another site.

        The scheme, ``www.``, a last slash, the encoding and the order of parameters make no difference.
        """
        parts = split_or_none(url)
        if parts is None or not self.is_own(url):
            return None
        path = unquote(parts.path)
        for index in _INDEX:
            path = path.removesuffix(index)
        query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
        return (path.rstrip("/") or "/") + (f"?{query}" if query else "")

    def redirect_path(self, url: str) -> str | None:
        """Return the path of a former URL as redirects store it; ``None`` for another site and for the home page."""
        parts = split_or_none(url)
        if parts is None or not self.is_own(url) or not (parts.path.strip("/") or parts.query):
            return None
        path = quote(unquote(parts.path), safe="/!$&'()*+,;=:@~") or "/"
        return ("/" + path.lstrip("/")) + (f"?{parts.query}" if parts.query else "")


def _host(parts: SplitResult) -> str:
    port = "" if parts.port in (None, 80, 443) else f":{parts.port}"
    return (parts.hostname or "").removeprefix("www.") + port
