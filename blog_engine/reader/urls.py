"""The reader's addresses, in the order in which they are tried (reader.md 1.1, decisions.md 9.3)."""

from django.urls import URLPattern, path, re_path

from blog_engine.conf import route_segments
from blog_engine.content.figures import VARIANT_NAME
from blog_engine.reader.converters import register_slugs
from blog_engine.reader.elsewhere import ElsewhereView
from blog_engine.reader.entry import open_page, reader_page
from blog_engine.reader.feeds import FeedView
from blog_engine.reader.index import IndexView
from blog_engine.reader.lists import ListView
from blog_engine.reader.media import MediaView
from blog_engine.reader.policy import PolicyView
from blog_engine.reader.post import PostMarkdownView, PostView
from blog_engine.reader.preview import PreviewView
from blog_engine.reader.search import SearchView
from blog_engine.reader.search_json import SearchJsonView
from blog_engine.reader.sitemap import SitemapView
from blog_engine.reader.theme import ThemeView
from blog_engine.vocabulary import FeedFormat, ListKind

register_slugs()

_IMAGE = "^media/(?P<sha256>[0-9a-f]{64})/"


def _list_pages(kind: ListKind) -> list[URLPattern]:
    address = f"{route_segments().of(kind)}/<any_slug:slug>"
    return [
        path(address, reader_page(ListView), {"kind": kind}, name=kind.value),
        path(f"{address}.html", reader_page(ListView), {"kind": kind}),
    ]


def _feeds(kind: ListKind) -> list[URLPattern]:
    address = f"{route_segments().of(kind)}/<any_slug:slug>/feed"
    return [
        path(f"{address}.xml", reader_page(FeedView), {"format": FeedFormat.ATOM, "kind": kind}, f"{kind}_feed_atom"),
        path(f"{address}.json", reader_page(FeedView), {"format": FeedFormat.JSON, "kind": kind}, f"{kind}_feed_json"),
    ]


urlpatterns = [
    path("", reader_page(IndexView), name="index"),
    path("search", reader_page(SearchView), name="search"),
    path("search.html", reader_page(SearchView)),
    path("search.json", reader_page(SearchJsonView), name="search_json"),
    path("feed.xml", reader_page(FeedView), {"format": FeedFormat.ATOM}, name="feed_atom"),
    path("feed.json", reader_page(FeedView), {"format": FeedFormat.JSON}, name="feed_json"),
    path("preview/<str:token>", open_page(PreviewView), name="preview"),
    path("preview/<str:token>/", open_page(PreviewView)),
    re_path(rf"{_IMAGE}{VARIANT_NAME}\Z", reader_page(MediaView), name="variant"),
    re_path(rf"{_IMAGE}(?P<filename>[^/]+)\Z", reader_page(MediaView), name="media"),
    path("sitemap.xml", reader_page(SitemapView), name="sitemap"),
    re_path(r"^sitemap-(?P<number>[1-9][0-9]{0,4})\.xml\Z", reader_page(SitemapView), name="sitemap_part"),
    path("theme-<host_theme:sheet>.css", open_page(ThemeView), name="theme"),
    path("policies/<any_slug:slug>", reader_page(PolicyView), name="policy"),
    *(feed for kind in ListKind for feed in _feeds(kind)),
    *(page for kind in ListKind for page in _list_pages(kind)),
    path("<blog_slug:slug>", reader_page(PostView), name="post"),
    path("<blog_slug:slug>.html", reader_page(PostView)),
    path("<blog_slug:slug>.md", reader_page(PostMarkdownView), name="post_markdown"),
    # Any character, line ends too: what falls through would be the host's 404 page.
    re_path(r"^[\s\S]+", reader_page(ElsewhereView)),
]
