"""URLs of the reader's pages."""

from typing import TYPE_CHECKING

from django.urls import register_converter
from django.urls.converters import StringConverter
from django.utils.module_loading import import_string

from blog_engine.blog_urls import hiding_slugs
from blog_engine.conf import route_segments
from blog_engine.content.figures import VARIANT_NAME
from blog_engine.content.text import SLUG_PATTERN
from blog_engine.deferred import DeferredPattern, DeferredView, path, re_path
from blog_engine.enums import FeedFormat, ListKind

if TYPE_CHECKING:
    from blog_engine.reader.blog import ThemeSheet


class Slug(StringConverter):
    """A well-formed slug."""

    regex = SLUG_PATTERN.removeprefix("^").removesuffix("$")


class BlogSlug(Slug):
    """A slug that an article can have (``pages.article.reserved-slugs``)."""

    def to_python(self, value: str) -> str:
        if value in hiding_slugs():
            raise ValueError(value)
        return value


class RevisionIdentifier(StringConverter):
    """The identifier of a revision."""

    regex = "[0-9a-f]{64}"


class HostTheme:
    """The digest of the current stylesheet; that of an earlier one is not found."""

    regex = "[0-9a-f]{16}"

    def to_python(self, value: str) -> "ThemeSheet":
        from blog_engine.reader.blog import host_theme

        sheet = host_theme()
        if sheet is None or sheet.digest != value:
            raise ValueError(value)
        return sheet

    def to_url(self, value: "ThemeSheet") -> str:
        return value.digest


register_converter(Slug, "any_slug")
register_converter(BlogSlug, "blog_slug")
register_converter(RevisionIdentifier, "revision")
register_converter(HostTheme, "host_theme")

_VIEW = "blog_engine.reader.view"
_IMAGE = "^media/(?P<sha256>[0-9a-f]{64})/"
_PICTURE = rf"^media/social/(?P<slug>{Slug.regex})/(?P<digest>[0-9a-f]{{32}})\.png\Z"


def page(view: str) -> DeferredView:
    """Return a page, combined with ``parent_controller``; ``view`` is its module and class."""
    return DeferredView(f"blog_engine.reader.{view}", lambda found: import_string(f"{_VIEW}.reader_page")(found))


def exempt_page(view: str) -> DeferredView:
    """Return a page that needs no login."""
    return DeferredView(f"blog_engine.reader.{view}", lambda found: import_string(f"{_VIEW}.login_exempt_page")(found))


def _list_pages(kind: ListKind) -> list[DeferredPattern]:
    route = f"{route_segments().of(kind)}/<any_slug:slug>"
    return [
        path(route, page("lists.ListView"), {"kind": kind}, name=kind.value),
        path(f"{route}.html", page("lists.ListView"), {"kind": kind}),
    ]


def _directory(kind: ListKind) -> DeferredPattern:
    return path(route_segments().of(kind), page("directory.DirectoryView"), {"kind": kind}, f"{kind}_directory")


def _feeds(kind: ListKind) -> list[DeferredPattern]:
    route = f"{route_segments().of(kind)}/<any_slug:slug>/feed"
    return [
        path(f"{route}.xml", page("feeds.FeedView"), {"format": FeedFormat.ATOM, "kind": kind}, f"{kind}_feed_atom"),
        path(f"{route}.json", page("feeds.FeedView"), {"format": FeedFormat.JSON, "kind": kind}, f"{kind}_feed_json"),
    ]


urlpatterns = [
    path("", page("lists.IndexView"), name="index"),
    # Before the articles, for which these slugs are not reserved.
    path("archive", page("archive.ArchiveView"), name="archive"),
    path("subscribe", page("subscribe.SubscribeView"), name="subscribe"),
    # Here, because patterns are tried in order. No other pattern has the path of a slug that is not reserved.
    path("<blog_slug:slug>", page("post.PostView"), name="post"),
    path("<blog_slug:slug>.html", page("post.PostView")),
    path("<blog_slug:slug>.md", page("post.PostMarkdownView"), name="post_markdown"),
    path("<blog_slug:slug>/history", page("history.HistoryView"), name="history"),
    path("<blog_slug:slug>/history.json", page("history.HistoryJsonView"), name="history_json"),
    path("<blog_slug:slug>/history/evidence.json", page("history_versions.EvidenceView"), name="evidence"),
    path("<blog_slug:slug>/history/<revision:identifier>", page("history_versions.HistoryVersionView"), name="version"),
    path(
        "<blog_slug:slug>/history/<revision:old>/<revision:new>",
        page("history_versions.HistoryChangesView"),
        name="changes",
    ),
    path("search", page("search.SearchView"), name="search"),
    path("search.html", page("search.SearchView")),
    path("search.json", page("search.SearchJsonView"), name="search_json"),
    path("feed.xml", page("feeds.FeedView"), {"format": FeedFormat.ATOM}, name="feed_atom"),
    path("feed.json", page("feeds.FeedView"), {"format": FeedFormat.JSON}, name="feed_json"),
    path("preview/<str:token>", exempt_page("post.PreviewView"), name="preview"),
    path("preview/<str:token>/", exempt_page("post.PreviewView")),
    re_path(rf"{_IMAGE}{VARIANT_NAME}\Z", page("media.MediaView"), name="variant"),
    re_path(rf"{_IMAGE}(?P<filename>[^/]+)\Z", page("media.MediaView"), name="media"),
    re_path(_PICTURE, page("media.SocialPictureView"), name="social"),
    path("sitemap.xml", page("sitemap.SitemapView"), name="sitemap"),
    re_path(r"^sitemap-(?P<number>[1-9][0-9]{0,4})\.xml\Z", page("sitemap.SitemapView"), name="sitemap_part"),
    path("speculation-rules.json", page("documents.SpeculationView"), name="speculation_rules"),
    path("llms.txt", page("llms.LlmsView"), name="llms"),
    path("llms-full.txt", page("llms.LlmsFullView"), name="llms_full"),
    path("checkpoints/latest", page("documents.CheckpointView"), name="checkpoint_latest"),
    re_path(r"^checkpoints/(?P<number>[1-9][0-9]{0,9})\Z", page("documents.CheckpointView"), name="checkpoint"),
    re_path(r"^(?P<key>[A-Za-z0-9-]{8,128})\.txt\Z", page("documents.IndexNowKeyView"), name="indexnow_key"),
    path("theme-<host_theme:sheet>.css", exempt_page("blog.ThemeView"), name="theme"),
    path("policies/<any_slug:slug>", page("policy.PolicyView"), name="policy"),
    re_path(r"^archive/(?P<year>[1-9][0-9]{3})\Z", page("archive.ArchivePeriodView"), name="archive_year"),
    re_path(
        r"^archive/(?P<year>[1-9][0-9]{3})/(?P<month>0[1-9]|1[0-2])\Z",
        page("archive.ArchivePeriodView"),
        name="archive_month",
    ),
    *map(_directory, ListKind),
    *(feed for kind in ListKind for feed in _feeds(kind)),
    *(page for kind in ListKind for page in _list_pages(kind)),
    # [\s\S] also matches line ends. A path that no pattern matches would get the 404 page of the host.
    re_path(r"^[\s\S]+", page("view.FallbackView")),
]
