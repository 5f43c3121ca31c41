"""The Python API for the templates and views of hosts."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap
from django.core.exceptions import ImproperlyConfigured
from django.template import Context, Template
from django.test import Client, override_settings
from django.urls import path
from django.utils.safestring import SafeString

from blog_engine.enums import Label
from blog_engine.models import PolicyPage, Post
from blog_engine.public import LatestPost, SitemapEntry, latest_posts, policy_url, render_markdown, sitemap_entries
from example_site.urls import urlpatterns
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, save, unpublish
from tests.support.hosts import Place, blog_settings
from tests.support.pages import parse
from tests.support.tables import new_image, undone


@requirement("pages.policy-urls")
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


@requirement("host.latest-posts")
def test_latest_posts_takes_one_query(db: None, django_assert_num_queries: Any) -> None:
    cover = new_image(width=1600, height=900)
    cover.save()
    save(title="Older", publish=True, now=NOW)
    save(
        title="Newer",
        description=" What grows. ",
        category="Garden",
        cover_image={"image_id": cover.pk},
        cover_alt="The quay",
        publish=True,
        now=LATER,
    )
    save(title="Draft")

    with django_assert_num_queries(1):
        newest, older = latest_posts()

    variants = f"/blog/media/{cover.sha256}"
    assert (newest.cover and newest.cover.path) == f"{variants}/w1200.jpg"
    assert replace(newest, cover=None) == LatestPost(
        title="Newer",
        language="en",
        path="/blog/newer",
        url="https://example.com/blog/newer",
        description="What grows.",
        author="Ada Example",
        category="Garden",
        published=LATER,
        updated=None,
        reading_time_minutes=1,
        label=Label.AI_UNKNOWN,
        is_paid=False,
        cover=None,
    )
    assert (older.title, older.category, older.cover) == ("Older", None, None)


@requirement("pages.cards.marks", "host.latest-posts")
@pytest.mark.parametrize(("party", "word"), [("/about", ""), (None, " AI"), ("published", "")])
def test_the_list_of_links_has_the_marks_of_posts(
    db: None, party: str | None, word: str, django_assert_num_queries: Any
) -> None:
    if party == "published":
        PolicyPage.objects.create(kind="responsible_party", slug="us", title="Us", body="We.", status="published")
    approve(save(title="Checked", provenance="ai_assisted", publish=True).post)
    paid = {"connections": [], "third_party_paid": True, "declared_by": "Ines"}
    save(title="Soil", provenance="ai_assisted", connections=paid, publish=True, now=LATER)

    urls = {"responsible_party": party} if party == "/about" else {}
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls=urls)), django_assert_num_queries(1):
        shown = parse(Template("{% load blog_engine %}{% latest_posts %}").render(Context()))

    assert [entry.text for entry in shown.all("li")] == [
        "Soil November 21, 2026 AI Paid",
        f"Checked November 21, 2026{word}",
    ]
    assert shown.all("small")[0].attrs["aria-label"] == "AI helped to make this article."


@requirement("host.latest-posts")
def test_latest_posts_can_be_limited_and_filtered(db: None, subtests: pytest.Subtests) -> None:
    for number, (title, category, tags) in enumerate(
        [("One", "Garden", ["roots"]), ("Two", "Attic", ["roots", "dust"]), ("Three", "Garden", [])]
    ):
        save(title=title, category=category, tags=tags, publish=True, now=NOW + timedelta(minutes=number))

    for chosen, titles in [
        ({}, ["Three", "Two", "One"]),
        ({"count": 2}, ["Three", "Two"]),
        ({"category": "garden"}, ["Three", "One"]),
        ({"tag": "roots"}, ["Two", "One"]),
        ({"category": "garden", "tag": "roots"}, ["One"]),
        ({"category": "none"}, []),
    ]:
        with subtests.test(chosen=chosen, titles=titles), undone():
            assert [post.title for post in latest_posts(**chosen)] == titles
            tag = "{% load blog_engine %}{% latest_posts count=c category=k tag=t as found %}"
            shown = Template(tag + "{% for post in found %}{{ post.title }} {% endfor %}").render(
                Context({"c": chosen.get("count", 5), "k": chosen.get("category", ""), "t": chosen.get("tag", "")})
            )
            assert shown.split() == titles


@requirement("host.latest-posts")
@pytest.mark.parametrize("count", [0, -1, 101, "5", 2.0, True, None])
def test_a_count_out_of_range_is_an_error(db: None, count: Any) -> None:
    with pytest.raises(ValueError, match="from 1 to 100"):
        latest_posts(count)


@requirement("host.latest-posts")
def test_the_tag_alone_is_a_list_of_links(db: None) -> None:
    save(title="Soil & <b>stone</b>", slug="soil", publish=True)

    shown = Template("{% load blog_engine %}{% latest_posts %}").render(Context())

    assert parse(shown).one("li").text == "Soil & <b>stone</b> November 21, 2026"
    assert parse(shown).one("a").attrs["href"] == "/blog/soil"
    unpublish(Post.objects.get())
    assert Template("{% load blog_engine %}{% latest_posts %}").render(Context()).strip() == ""


@requirement("host.latest-posts", "host.mount")
def test_posts_know_their_path_at_every_mount(place: Place) -> None:
    post = save(title="Soil", publish=True).post

    path = f"{place.prefix}/soil"
    assert post.get_absolute_url() == path
    assert [(one.path, one.url) for one in latest_posts()] == [(path, f"https://example.com{path}")]
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url=None)):
        assert latest_posts()[0].url == path


@requirement("rendering.public-helper")
def test_markdown_becomes_safe_html(db: None) -> None:
    shown = render_markdown("# Hello\n\n*there* <script>alert(1)</script>")

    assert isinstance(shown, SafeString)
    assert '<h2 id="hello">' in shown
    assert "<em>there</em>" in shown
    assert "<script" not in shown


@requirement("sitemap.helper")
@override_settings(BLOG_ENGINE=blog_settings(serve_sitemap=False))
def test_a_host_gets_the_entries_of_the_sitemap(db: None, subtests: pytest.Subtests) -> None:
    save(title="Soil", category="Garden", publish=True)

    for base_url, origin in [
        (None, "https://example.com"),
        ("https://example.com", "https://example.com"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("HTTPS://Other.example", "https://other.example"),
    ]:
        with subtests.test(base_url=base_url, origin=origin), undone():
            assert sitemap_entries(base_url) == [
                {"loc": f"{origin}/blog/"},
                {"loc": f"{origin}/blog/soil", "lastmod": NOW},
                {"loc": f"{origin}/blog/category/garden"},
            ]


@requirement("sitemap.helper")
@pytest.mark.parametrize(
    "base_url",
    [
        *("https://me@example.com", "https://example.com/blog", "https://example.com//", "https://example.com?a=b"),
        *("https://example.com#top", "//example.com", "example.com", "mailto:me@example.com", "ftp://example.com"),
        *("https://", "https://example.com:99999", "https://exa mple.com", "https://example.com\n", "", " "),
        *(b"https://example.com", 443, True, ["https://example.com"]),
    ],
)
def test_an_invalid_origin_is_refused(db: None, base_url: Any) -> None:
    with pytest.raises(ImproperlyConfigured):
        sitemap_entries(base_url)


@requirement("sitemap.helper")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url=None))
def test_without_any_origin_there_are_no_entries(db: None) -> None:
    with pytest.raises(ImproperlyConfigured):
        sitemap_entries()


class BlogSitemap(Sitemap):
    """The example of ``docs/reference/python-api.md``."""

    def items(self) -> list[SitemapEntry]:
        return sitemap_entries("https://example.com")

    def location(self, item: SitemapEntry) -> str:
        return item["loc"].removeprefix("https://example.com")

    def lastmod(self, item: SitemapEntry) -> Any:
        return item.get("lastmod")


class HostUrls:
    urlpatterns = (path("sitemap.xml", sitemap, {"sitemaps": {"blog": BlogSitemap}}), *urlpatterns)


@requirement("sitemap.helper")
def test_the_entries_work_in_a_sitemap_of_django(client: Client, db: None) -> None:
    save(title="Soil", publish=True)

    with override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, "django.contrib.sitemaps"], ROOT_URLCONF=HostUrls):
        response = client.get("/sitemap.xml", headers={"host": "example.com"}, secure=True)

    assert response.status_code == 200
    assert response.content.decode().count("<loc>") == 2
    assert "<loc>https://example.com/blog/soil</loc><lastmod>2026-11-21</lastmod>" in response.content.decode()
