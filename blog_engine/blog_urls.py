"""The mount path, and the URLs of everything that the engine links to."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypedDict
from urllib.parse import quote

from django.urls import NoReverseMatch, URLResolver, get_resolver, get_script_prefix, get_urlconf, reverse
from django.utils.http import RFC3986_SUBDELIMS
from django.utils.translation import get_language

from blog_engine.conf import get_settings
from blog_engine.conf.types import RESERVED_SEGMENTS, YIELDING_SEGMENTS
from blog_engine.content.urls import origin_parts as origin_parts
from blog_engine.enums import FeedFormat, ListKind


def mount() -> str:
    """Return the mount path without ``SCRIPT_NAME`` and trailing slash; may be empty."""
    return _mount(get_resolver(get_urlconf()), get_script_prefix(), get_language())


@lru_cache(maxsize=16)
def _mount(resolver: URLResolver, prefix: str, language: str | None) -> str:
    """Return what ``mount`` does; its result depends on nothing but these."""
    return _without_script_name(reverse("blog_engine:index"))


def reserved_slugs() -> frozenset[str]:
    """Return the slugs that no post can have: the blog itself uses their paths (``posts.slug.reserved``)."""
    return RESERVED_SEGMENTS | get_settings().route_segments.values()


def hiding_slugs() -> frozenset[str]:
    """Return the slugs whose posts readers cannot reach (``pages.article.reserved-slugs``)."""
    return reserved_slugs() - YIELDING_SEGMENTS


def stored_post_path(slug: str) -> str:
    """Return the path of a post as redirects store it."""
    return f"{mount()}/{slug}"


def stored_list_paths(kind: ListKind, slug: str) -> list[str]:
    """Return the paths of a list page and its feeds as redirects store them."""
    page = f"{mount()}/{get_settings().route_segments.of(kind)}/{slug}"
    return [page, *(f"{page}/feed.{format}" for format in FeedFormat)]


def stored_media_path(sha256: str, filename: str) -> str:
    """Return the path of an image for the revision payload, the same at every mount."""
    return f"/blog/media/{sha256}/{quote(filename, safe='')}"


def public_path(stored_path: str) -> str:
    """Return a stored path with ``SCRIPT_NAME``, and a URL of another site unchanged."""
    if not stored_path.startswith("/"):
        return stored_path
    return script_name() + stored_path


def stored_path(path: str) -> str | None:
    """Return a requested path as redirects store it; ``None`` outside the application."""
    prefix = script_name()
    return path.removeprefix(prefix) if path.startswith(f"{prefix}/") else None


def encoded_path(path_info: str) -> str:
    """Percent-encode a path that Django has decoded."""
    return quote(path_info, safe="/")


def page_path(path: str, number: int) -> str:
    """Return the path of a page of the list at ``path``, which can have a query."""
    return path if number == 1 else f"{path}{'&' if '?' in path else '?'}page={number}"


def script_name() -> str:
    """Return the ``SCRIPT_NAME``, percent-encoded and without trailing slash."""
    prefix = get_script_prefix()
    # With the safe characters of ``reverse``, whose results start with this prefix.
    return "" if prefix == "/" else quote(prefix, safe=f"{RFC3986_SUBDELIMS}/~:@").rstrip("/")


class BlogLocation(TypedDict):
    """Origin and paths by which a URL is recognised as one of this blog."""

    site_origin: str | None
    mount: str
    script_name: str


def blog_location() -> BlogLocation:
    """Return origin and paths of this blog. Call it once per body, because it is slow."""
    return BlogLocation(site_origin=get_settings().public_base_url, mount=mount(), script_name=script_name())


def _without_script_name(path: str) -> str:
    return path[len(script_name()) :].rstrip("/")


def desk_url(page: str, *args: object, base_url: str = "") -> str:
    """Return the URL of a page of the desk about posts, such as ``review`` of a post; empty if the desk has no URLs.

    Without ``base_url`` it is on ``public_base_url``, and without that one a path.
    """
    try:
        path = reverse(f"admin:blog_engine_post_{page}", args=args)
    except NoReverseMatch:
        return ""
    return (base_url or get_settings().public_base_url or "") + path


@dataclass(frozen=True, slots=True)
class BlogURLs:
    """The URLs of an answer: paths with ``SCRIPT_NAME``, absolute URLs on ``origin``."""

    origin: str
    """Scheme, host and port, without trailing slash."""
    prefix: str
    """``SCRIPT_NAME`` and the mount path."""

    @classmethod
    def on(cls, origin: str) -> "BlogURLs":
        """Return the URLs on an origin (scheme, host and port, without trailing slash)."""
        return cls(origin=origin, prefix=script_name() + mount())

    def absolute(self, path: str) -> str:
        """Return the URL of a path, and a URL of another site unchanged."""
        return self.origin + path if path.startswith("/") else path

    def index_path(self) -> str:
        return f"{self.prefix}/"

    def post_path(self, slug: str) -> str:
        return f"{self.prefix}/{slug}"

    def post_url(self, slug: str) -> str:
        return f"{self.origin}{self.prefix}/{slug}"

    def markdown_path(self, slug: str) -> str:
        return f"{self.prefix}/{slug}.md"

    def history_path(self, slug: str) -> str:
        """Return the path of the page about how an article was made."""
        return f"{self.prefix}/{slug}/history"

    def history_json_path(self, slug: str) -> str:
        return f"{self.prefix}/{slug}/history.json"

    def evidence_path(self, slug: str) -> str:
        """Return the path of the evidence of the public records of an article."""
        return f"{self.prefix}/{slug}/history/evidence.json"

    def version_path(self, slug: str, identifier: str) -> str:
        """Return the path of the text of a version that was public."""
        return f"{self.prefix}/{slug}/history/{identifier}"

    def changes_path(self, slug: str, old: str, new: str) -> str:
        """Return the path of the differences between two versions that were public one after the other."""
        return f"{self.prefix}/{slug}/history/{old}/{new}"

    def checkpoint_path(self, number: int | None = None) -> str:
        """Return the path of a checkpoint; default: the newest one."""
        return f"{self.prefix}/checkpoints/{number or 'latest'}"

    def list_path(self, kind: ListKind, slug: str) -> str:
        """Return the path of the first page of a category, tag, author or series."""
        return f"{self.prefix}/{get_settings().route_segments.of(kind)}/{slug}"

    def directory_path(self, kind: ListKind) -> str:
        """Return the path of the page with all categories, tags, authors or series."""
        return f"{self.prefix}/{get_settings().route_segments.of(kind)}"

    def archive_path(self, year: int | None = None, month: int | None = None) -> str:
        """Return the path of the archive, or that of a year or month of it."""
        return f"{self.prefix}/archive{f'/{year:04}' if year else ''}{f'/{month:02}' if month else ''}"

    def subscribe_path(self) -> str:
        """Return the path of the page about the feeds."""
        return f"{self.prefix}/subscribe"

    def speculation_path(self) -> str:
        """Return the path of the rules by which browsers load pages beforehand."""
        return f"{self.prefix}/speculation-rules.json"

    def feed_path(self, format: FeedFormat, *, of: str = "") -> str:
        """Return the path of the feed of the list at the path ``of``; default: the blog."""
        return f"{of or self.prefix}/feed.{format}"

    def search_path(self) -> str:
        return f"{self.prefix}/search"

    def search_json_path(self) -> str:
        return f"{self.prefix}/search.json"

    def sitemap_path(self, number: int | None = None) -> str:
        """Return the path of the sitemap, or that of a part of it (sitemap.parts)."""
        return f"{self.prefix}/sitemap{f'-{number}' if number else ''}.xml"

    def llms_path(self) -> str:
        """Return the path of the links for readers' agents."""
        return f"{self.prefix}/llms.txt"

    def llms_full_path(self) -> str:
        """Return the path of the texts for readers' agents."""
        return f"{self.prefix}/llms-full.txt"

    def indexnow_path(self, key: str) -> str:
        """Return the path of the file by which IndexNow knows that a key belongs to this blog."""
        return f"{self.prefix}/{key}.txt"

    def theme_path(self, digest: str) -> str:
        """Return the path of the style sheet with the colours of ``theme_colors``."""
        return f"{self.prefix}/theme-{digest}.css"

    def media_path(self, sha256: str, filename: str) -> str:
        return f"{self.prefix}/media/{sha256}/{quote(filename, safe='')}"

    def variant_path(self, sha256: str, *, width: int, format: str) -> str:
        return f"{self.prefix}/media/{sha256}/w{width}.{format}"

    def social_picture_path(self, slug: str, digest: str) -> str:
        """Return the path of the picture that is drawn for a post."""
        return f"{self.prefix}/media/social/{slug}/{digest}.png"

    def policy_path(self, slug: str) -> str:
        return f"{self.prefix}/policies/{slug}"

    def api_url(self) -> str:
        return f"{self.origin}{self.prefix}/api/v1"

    def upload_url(self, ticket_id: int, secret: str) -> str:
        """Return the URL that takes the file of an upload ticket."""
        return f"{self.api_url()}/images/tickets/{ticket_id}?secret={quote(secret, safe='')}"

    def mcp_url(self) -> str:
        """Return the URL of the agent endpoint, without a trailing slash."""
        return f"{self.origin}{self.prefix}/mcp"

    def oauth_url(self, endpoint: str) -> str:
        """Return the URL of an endpoint of the authorization server, such as ``token``."""
        return f"{self.mcp_url()}/oauth/{endpoint}"

    def preview_url(self, token: str) -> str:
        return f"{self.origin}{self.prefix}/preview/{quote(token, safe='')}"
