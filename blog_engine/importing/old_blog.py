"""URLs of the other blog: its own ones, those of one page, and the new targets of links to them."""

import posixpath
import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urljoin, urlsplit

from blog_engine.blog_urls import BlogURLs
from blog_engine.importing.heading_ids import ids_of_markdown, is_of_heading
from blog_engine.importing.html.conversion import ids_of_html
from blog_engine.importing.source import SourcePost
from blog_engine.importing.spool import Spool

_INDEX = ("/index.html", "/index.htm", "/index.php")
_FRAGMENT_SAFE: Final = "!$&'*+,;=:@/?-._~%"
_IMAGE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|avif)$", re.IGNORECASE)


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


def joined_url(base: str, url: str) -> str:
    """Return the absolute form of a URL on a page; one that is none stays as it is."""
    try:
        return urljoin(base, url)
    except ValueError:
        return url


class OldBlog:
    """The URLs of the other blog."""

    def __init__(self, url: str | None) -> None:
        """Take the URL of its home page; ``None`` if the source does not know it."""
        parts = split_or_none(url or "")
        self.url = url
        self.host = _host(parts) if parts else ""
        self.path = unquote(parts.path).rstrip("/") if parts else ""
        """The path of its home page, without a slash at the end."""

    def absolute(self, url: str, base: str) -> str:
        """Return a URL in a body as an absolute one, or as a path of the blog or of its source."""
        url = url.strip()
        if is_web(base):
            return joined_url(base, url)
        if split_or_none(url) is None or urlsplit(url).scheme or url.startswith("/"):
            return joined_url(self.url, url) if self.url and url.startswith("/") else url
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


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """The target of a link."""

    url: str
    is_left_behind: bool = False
    """Whether it leads to something of the old blog that was not imported."""
    has_no_place: bool = False
    """Whether it leads to a post that has no heading with the id in the link."""


class _Fragments:
    """The ids of the headings of posts; those of a post are worked out for the first link to one of them."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._posts = spool.notes("post of path")
        self._ids = spool.notes("ids of headings")

    def add_post(self, path: str, post_id: int) -> None:
        """Note the post of the import that has a path here."""
        self._posts[path] = post_id

    def here(self, path: str, fragment: str) -> str | None:
        """Return the id here of the heading that a link to a page means, quoted; ``None`` if the post has none.

        What is no heading, and the places of pages that are no posts of the import, stay as they are.
        """
        name = unquote(fragment)
        post_id = self._posts.get(path) if is_of_heading(name) else None
        if post_id is None:
            return _quoted(fragment)
        ids = self._ids.get(path)
        if ids is None:
            ids = self._ids[path] = _ids_of(self._spool.post(post_id))
        found = ids.get(name)
        return None if found is None else quote(found)


class Links:
    """The new URLs of imported posts by everything that the old blog called them."""

    def __init__(self, spool: Spool, old: OldBlog) -> None:
        self._old = old
        self._pages = spool.notes("page")
        self._former = spool.notes("former page")
        self._names = spool.notes("name")
        self._fragments = _Fragments(spool)

    def add_post(self, path: str, post_id: int) -> None:
        """Note the post of the import that has a path here."""
        self._fragments.add_post(path, post_id)

    def add_page(self, url: str, path: str) -> None:
        """Note where links to a page of the old blog lead; the first one of a URL counts."""
        self._pages.setdefault(self._old.page_key(url) or url, path)

    def add_former(self, url: str, path: str) -> None:
        """Note where links to a former URL lead, unless a page has it now; the first one of a URL counts."""
        self._former.setdefault(self._old.page_key(url) or url, path)

    def add_name(self, name: str, path: str) -> None:
        """Note what bodies call a post otherwise, such as the path of its file; the first one of a name counts."""
        self._names.setdefault(name, path)

    def target(self, url: str, post: SourcePost) -> LinkTarget | None:
        """Return where a link in the body of a post is to lead; ``None`` if it stays as it is."""
        url = url.strip()
        parts = split_or_none(url)
        if not url or url.startswith("#") or parts is None or parts.scheme.lower() not in ("", "http", "https"):
            return None
        # A relative link begins from the file of the body, or from the page that was made of it.
        forms = [url, self._old.absolute(url, post.base)]
        if not is_web(url) and post.url:
            is_file = not is_web(post.url) and not post.url.endswith("/")
            forms.append(self._old.absolute(url, posixpath.dirname(post.url) if is_file else post.url))
        for form in dict.fromkeys(forms):
            if (path := self._path_of(form)) is not None:
                return self._placed(path, parts.fragment)
        return self._left_behind(url, forms[-1])

    def _placed(self, path: str, fragment: str) -> LinkTarget:
        """Return the target for a path here and the fragment of a link, which stays if no heading has that id."""
        if not fragment:
            return LinkTarget(path)
        here = self._fragments.here(path, fragment)
        return LinkTarget(f"{path}#{here or _quoted(fragment)}", has_no_place=here is None)

    def page_of(self, url: str) -> str | None:
        """Return the new path of a page or file of the old blog; ``None`` if it was not imported."""
        return self._path_of(url.strip())

    def is_image(self, url: str) -> bool:
        """Return whether a link leads to the file of an image."""
        parts = split_or_none(url)
        return parts is not None and _IMAGE.search(parts.path) is not None

    def _path_of(self, url: str) -> str | None:
        plain = url.partition("#")[0]
        for name in (plain, unquote(plain), unquote(plain).strip("/")):
            if (path := self._names.get(name)) is not None:
                return str(path)
        key = self._old.page_key(plain)
        if key is None:
            found = self._page(plain)
            return None if found is None else str(found)
        page = key.partition("?")[0]
        # Most parameters, such as that of a campaign, lead to the same page; those of the home page do not.
        for known in (key, page) if page != (self._old.path or "/") else (key,):
            if (path := self._page(known)) is not None:
                return str(path)
        return BlogURLs.on("").index_path() if key == (self._old.path or "/") and self._old.host else None

    def _page(self, key: str) -> Any:
        return self._pages.get(key, None) or self._former.get(key)

    def _left_behind(self, url: str, absolute: str) -> LinkTarget | None:
        if not self._old.is_own(absolute):
            return None
        key = self._old.page_key(absolute) or ""
        if self._old.path and not f"{key.partition('?')[0]}/".startswith(f"{self._old.path}/"):
            # Another part of the same site.
            return None
        return LinkTarget(absolute if is_web(absolute) else url, is_left_behind=True)


def _quoted(fragment: str) -> str:
    """Return a fragment that a source may have written with any characters."""
    return quote(fragment, safe=_FRAGMENT_SAFE)


def _ids_of(post: SourcePost) -> dict[str, str]:
    if post.body_format == "html":
        return ids_of_html(post.body)
    return ids_of_markdown(post.body, post.former_ids)
