"""The mount and every address the engine hands out, asked once per answer (decisions.md 1, 9.9)."""

from dataclasses import dataclass
from urllib.parse import quote

from django.urls import get_script_prefix, reverse
from django.utils.http import RFC3986_SUBDELIMS

from blog_engine.conf import get_settings
from blog_engine.content.urls import origin_parts as origin_parts
from blog_engine.enums import FeedFormat, ListKind


def mount() -> str:
    """The path under which the host mounted the engine, without ``SCRIPT_NAME`` and trailing slash; may be ``""``."""
    return _without_script_name(reverse("blog_engine:index"))


def stored_post_path(slug: str) -> str:
    """The path of a post in the form in which redirects are stored."""
    return f"{mount()}/{slug}"


def stored_list_paths(kind: ListKind, slug: str) -> list[str]:
    """The paths of a list page and of its feeds in the form in which redirects are stored."""
    page = f"{mount()}/{get_settings().route_segments.of(kind)}/{slug}"
    return [page, *(f"{page}/feed.{format}" for format in FeedFormat)]


def stored_media_path(sha256: str, filename: str) -> str:
    """The path of an image as the revision payload writes it, whatever the mount (decisions.md 9.9)."""
    return f"/blog/media/{sha256}/{quote(filename, safe='')}"


def public_path(stored_path: str) -> str:
    """A stored path as browsers must ask for it; other sites' addresses are returned unchanged."""
    if not stored_path.startswith("/"):
        return stored_path
    return script_name() + stored_path


def stored_path(path: str) -> str | None:
    """A path that a browser asked for in the form in which redirects are stored; ``None`` outside the application."""
    prefix = script_name()
    return path.removeprefix(prefix) if path.startswith(f"{prefix}/") else None


def encoded_path(path_info: str) -> str:
    """A path as Django decoded it, percent-encoded again, so that whoever decodes it gets it back unchanged."""
    return quote(path_info, safe="/")


def page_path(path: str, number: int) -> str:
    """The address of one page of the list at ``path``, which may end in a query (reader.md 1.4)."""
    return path if number == 1 else f"{path}{'&' if '?' in path else '?'}page={number}"


def script_name() -> str:
    """The prefix the server strips before Django sees a path, as browsers ask for it, without trailing slash."""
    # ``reverse`` leaves these characters as they are: so the one can be cut off the other.
    return quote(get_script_prefix(), safe=f"{RFC3986_SUBDELIMS}/~:@").rstrip("/")


def _without_script_name(path: str) -> str:
    return path[len(script_name()) :].rstrip("/")


@dataclass(frozen=True, slots=True)
class BlogURLs:
    """The addresses of one answer: paths as browsers ask for them, and absolute URLs on ``origin``."""

    origin: str
    prefix: str

    @classmethod
    def on(cls, origin: str) -> "BlogURLs":
        """The addresses on this origin (scheme, host and port, no trailing slash)."""
        return cls(origin=origin, prefix=script_name() + mount())

    def absolute(self, path: str) -> str:
        """The URL of a path; an address of another site is returned unchanged."""
        return self.origin + path if path.startswith("/") else path

    def index_path(self) -> str:
        return f"{self.prefix}/"

    def post_path(self, slug: str) -> str:
        return f"{self.prefix}/{slug}"

    def post_url(self, slug: str) -> str:
        return f"{self.origin}{self.prefix}/{slug}"

    def markdown_path(self, slug: str) -> str:
        return f"{self.prefix}/{slug}.md"

    def list_path(self, kind: ListKind, slug: str) -> str:
        """The first page of a category, tag, author or series."""
        return f"{self.prefix}/{get_settings().route_segments.of(kind)}/{slug}"

    def feed_path(self, format: FeedFormat, *, of: str = "") -> str:
        """The feed of the list page at the path ``of``; of the whole blog without one."""
        return f"{of or self.prefix}/feed.{format}"

    def search_path(self) -> str:
        return f"{self.prefix}/search"

    def search_json_path(self) -> str:
        return f"{self.prefix}/search.json"

    def sitemap_path(self, number: int | None = None) -> str:
        """The sitemap, or one page of it where it is an index of several."""
        return f"{self.prefix}/sitemap{f'-{number}' if number else ''}.xml"

    def theme_path(self, digest: str) -> str:
        """The stylesheet of the host's own colours (decisions.md 7.6)."""
        return f"{self.prefix}/theme-{digest}.css"

    def media_path(self, sha256: str, filename: str) -> str:
        return f"{self.prefix}/media/{sha256}/{quote(filename, safe='')}"

    def variant_path(self, sha256: str, *, width: int, format: str) -> str:
        return f"{self.prefix}/media/{sha256}/w{width}.{format}"

    def policy_path(self, slug: str) -> str:
        return f"{self.prefix}/policies/{slug}"

    def api_url(self) -> str:
        return f"{self.origin}{self.prefix}/api/v1"

    def preview_url(self, token: str) -> str:
        return f"{self.origin}{self.prefix}/preview/{quote(token, safe='')}"
