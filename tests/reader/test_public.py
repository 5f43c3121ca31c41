"""What a host's own code may call (decisions.md 1)."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings
from django.urls import path
from django.utils.safestring import SafeString

from blog_engine.models import PolicyPage
from blog_engine.public import SitemapEntry, policy_url, render_markdown, sitemap_entries
from example_site.urls import urlpatterns
from tests.factories import NOW, save
from tests.reader.changes import blog_settings
from tests.requirements import requirement


@requirement("reader:policy-urls")
@override_settings(BLOG_ENGINE=blog_settings(policy_urls={"corrections": "https://example.org/c", "editorial": " "}))
@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("corrections", "https://example.org/c"),
        ("responsible_party", "/blog/policies/us"),
        ("ai_use", None),
        ("editorial", None),
        ("imprint", None),
        ("", None),
    ],
)
def test_a_policy_is_configured_or_published(db: None, kind: str, url: str | None) -> None:
    PolicyPage.objects.create(kind="responsible_party", slug="us", title="Us", body="We.", status="published")
    PolicyPage.objects.create(kind="ai_use", slug="ai", title="AI", body="Yes.", status="draft")

    assert policy_url(kind) == url


@requirement("host:render-markdown")
def test_markdown_becomes_safe_html(db: None) -> None:
    shown = render_markdown("# Hello\n\n*there* <script>alert(1)</script>")

    assert isinstance(shown, SafeString)
    assert '<h2 id="hello">' in shown
    assert "<em>there</em>" in shown
    assert "<script" not in shown


@requirement("reader:sitemap-helper")
@pytest.mark.parametrize(
    ("base_url", "origin"),
    [
        (None, "https://example.com"),
        ("https://example.com", "https://example.com"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("HTTPS://Other.example", "https://other.example"),
    ],
)
@override_settings(BLOG_ENGINE=blog_settings(serve_sitemap=False))
def test_a_host_gets_the_entries_of_the_sitemap(db: None, base_url: str | None, origin: str) -> None:
    save(title="Soil", category="Garden", publish=True)

    assert sitemap_entries(base_url) == [
        {"loc": f"{origin}/blog/"},
        {"loc": f"{origin}/blog/soil", "lastmod": NOW},
        {"loc": f"{origin}/blog/category/garden"},
    ]


@requirement("reader:sitemap-helper")
@pytest.mark.parametrize(
    "base_url",
    [
        *("https://me@example.com", "https://example.com/blog", "https://example.com//", "https://example.com?a=b"),
        *("https://example.com#top", "//example.com", "example.com", "mailto:me@example.com", "ftp://example.com"),
        *("https://", "https://example.com:99999", "https://exa mple.com", "https://example.com\n", "", " "),
        *(b"https://example.com", 443, True, ["https://example.com"]),
    ],
)
def test_what_is_no_origin_is_refused(db: None, base_url: Any) -> None:
    with pytest.raises(ImproperlyConfigured):
        sitemap_entries(base_url)


@requirement("reader:sitemap-helper")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url=None))
def test_without_any_origin_there_are_no_entries(db: None) -> None:
    with pytest.raises(ImproperlyConfigured):
        sitemap_entries()


class BlogSitemap(Sitemap):
    """As ``docs/sitemap.md`` shows it."""

    def items(self) -> list[SitemapEntry]:
        return sitemap_entries("https://example.com")

    def location(self, item: SitemapEntry) -> str:
        return item["loc"].removeprefix("https://example.com")

    def lastmod(self, item: SitemapEntry) -> Any:
        return item.get("lastmod")


class HostUrls:
    urlpatterns = (path("sitemap.xml", sitemap, {"sitemaps": {"blog": BlogSitemap}}), *urlpatterns)


@requirement("reader:sitemap-helper")
def test_the_entries_stand_in_a_sitemap_of_django(client: Client, db: None) -> None:
    save(title="Soil", publish=True)

    with override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, "django.contrib.sitemaps"], ROOT_URLCONF=HostUrls):
        response = client.get("/sitemap.xml", headers={"host": "example.com"}, secure=True)

    assert response.status_code == 200
    assert response.content.decode().count("<loc>") == 2
    assert "<loc>https://example.com/blog/soil</loc><lastmod>2026-11-21</lastmod>" in response.content.decode()
