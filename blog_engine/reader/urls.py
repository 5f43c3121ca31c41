"""URLs of the reader's pages."""

from django.urls import URLPattern, path, re_path, register_converter
from django.urls.converters import StringConverter

from blog_engine.blog_urls import hiding_slugs
from blog_engine.conf import route_segments
from blog_engine.content.figures import VARIANT_NAME
from blog_engine.content.text import SLUG_PATTERN
from blog_engine.enums import FeedFormat, ListKind
from blog_engine.reader.archive import ArchivePeriodView, ArchiveView
from blog_engine.reader.blog import ThemeSheet, ThemeView, host_theme
from blog_engine.reader.directory import DirectoryView
from blog_engine.reader.documents import CheckpointView, IndexNowKeyView, SpeculationView
from blog_engine.reader.feeds import FeedView
from blog_engine.reader.history import HistoryJsonView, HistoryView
from blog_engine.reader.history_versions import EvidenceView, HistoryChangesView, HistoryVersionView
from blog_engine.reader.lists import IndexView, ListView
from blog_engine.reader.llms import LlmsFullView, LlmsView
from blog_engine.reader.media import MediaView, SocialPictureView
from blog_engine.reader.policy import PolicyView
from blog_engine.reader.post import PostMarkdownView, PostView, PreviewView
from blog_engine.reader.search import SearchJsonView, SearchView
from blog_engine.reader.sitemap import SitemapView
from blog_engine.reader.subscribe import SubscribeView
from blog_engine.reader.view import FallbackView, login_exempt_page, reader_page


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

    def to_python(self, value: str) -> ThemeSheet:
        sheet = host_theme()
        if sheet is None or sheet.digest != value:
            raise ValueError(value)
        return sheet

    def to_url(self, value: ThemeSheet) -> str:
        return value.digest


register_converter(Slug, "any_slug")
register_converter(BlogSlug, "blog_slug")
register_converter(RevisionIdentifier, "revision")
register_converter(HostTheme, "host_theme")

_IMAGE = "^media/(?P<sha256>[0-9a-f]{64})/"
_PICTURE = rf"^media/social/(?P<slug>{Slug.regex})/(?P<digest>[0-9a-f]{{32}})\.png\Z"


def _list_pages(kind: ListKind) -> list[URLPattern]:
    route = f"{route_segments().of(kind)}/<any_slug:slug>"
    return [
        path(route, reader_page(ListView), {"kind": kind}, name=kind.value),
        path(f"{route}.html", reader_page(ListView), {"kind": kind}),
    ]


def _directory(kind: ListKind) -> URLPattern:
    return path(route_segments().of(kind), reader_page(DirectoryView), {"kind": kind}, f"{kind}_directory")


def _feeds(kind: ListKind) -> list[URLPattern]:
    route = f"{route_segments().of(kind)}/<any_slug:slug>/feed"
    return [
        path(f"{route}.xml", reader_page(FeedView), {"format": FeedFormat.ATOM, "kind": kind}, f"{kind}_feed_atom"),
        path(f"{route}.json", reader_page(FeedView), {"format": FeedFormat.JSON, "kind": kind}, f"{kind}_feed_json"),
    ]


urlpatterns = [
    path("", reader_page(IndexView), name="index"),
    # Before the articles, for which these slugs are not reserved.
    path("archive", reader_page(ArchiveView), name="archive"),
    path("subscribe", reader_page(SubscribeView), name="subscribe"),
    # Here, because patterns are tried in order. No other pattern has the path of a slug that is not reserved.
    path("<blog_slug:slug>", reader_page(PostView), name="post"),
    path("<blog_slug:slug>.html", reader_page(PostView)),
    path("<blog_slug:slug>.md", reader_page(PostMarkdownView), name="post_markdown"),
    path("<blog_slug:slug>/history", reader_page(HistoryView), name="history"),
    path("<blog_slug:slug>/history.json", reader_page(HistoryJsonView), name="history_json"),
    path("<blog_slug:slug>/history/evidence.json", reader_page(EvidenceView), name="evidence"),
    path("<blog_slug:slug>/history/<revision:identifier>", reader_page(HistoryVersionView), name="version"),
    path("<blog_slug:slug>/history/<revision:old>/<revision:new>", reader_page(HistoryChangesView), name="changes"),
    path("search", reader_page(SearchView), name="search"),
    path("search.html", reader_page(SearchView)),
    path("search.json", reader_page(SearchJsonView), name="search_json"),
    path("feed.xml", reader_page(FeedView), {"format": FeedFormat.ATOM}, name="feed_atom"),
    path("feed.json", reader_page(FeedView), {"format": FeedFormat.JSON}, name="feed_json"),
    path("preview/<str:token>", login_exempt_page(PreviewView), name="preview"),
    path("preview/<str:token>/", login_exempt_page(PreviewView)),
    re_path(rf"{_IMAGE}{VARIANT_NAME}\Z", reader_page(MediaView), name="variant"),
    re_path(rf"{_IMAGE}(?P<filename>[^/]+)\Z", reader_page(MediaView), name="media"),
    re_path(_PICTURE, reader_page(SocialPictureView), name="social"),
    path("sitemap.xml", reader_page(SitemapView), name="sitemap"),
    re_path(r"^sitemap-(?P<number>[1-9][0-9]{0,4})\.xml\Z", reader_page(SitemapView), name="sitemap_part"),
    path("speculation-rules.json", reader_page(SpeculationView), name="speculation_rules"),
    path("llms.txt", reader_page(LlmsView), name="llms"),
    path("llms-full.txt", reader_page(LlmsFullView), name="llms_full"),
    path("checkpoints/latest", reader_page(CheckpointView), name="checkpoint_latest"),
    re_path(r"^checkpoints/(?P<number>[1-9][0-9]{0,9})\Z", reader_page(CheckpointView), name="checkpoint"),
    re_path(r"^(?P<key>[A-Za-z0-9-]{8,128})\.txt\Z", reader_page(IndexNowKeyView), name="indexnow_key"),
    path("theme-<host_theme:sheet>.css", login_exempt_page(ThemeView), name="theme"),
    path("policies/<any_slug:slug>", reader_page(PolicyView), name="policy"),
    re_path(r"^archive/(?P<year>[1-9][0-9]{3})\Z", reader_page(ArchivePeriodView), name="archive_year"),
    re_path(
        r"^archive/(?P<year>[1-9][0-9]{3})/(?P<month>0[1-9]|1[0-2])\Z",
        reader_page(ArchivePeriodView),
        name="archive_month",
    ),
    *map(_directory, ListKind),
    *(feed for kind in ListKind for feed in _feeds(kind)),
    *(page for kind in ListKind for page in _list_pages(kind)),
    # [\s\S] also matches line ends. A path that no pattern matches would get the 404 page of the host.
    re_path(r"^[\s\S]+", reader_page(FallbackView)),
]
