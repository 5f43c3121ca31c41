"""The page about the feeds, and the templates that a host fills."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest
from django.db.models import QuerySet
from django.test import override_settings

from blog_engine.models import Post
from tests.reader.test_templates import with_templates
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, meta, text_of


@requirement("pages.browse.feeds")
def test_the_page_shows_the_feeds(visitor: Visitor) -> None:
    save(title="Soil", category="Garden", publish=True)
    save(title="Draft", category="Empty")

    page = visitor.page("/subscribe")

    shown = [code.text for code in page.all("code")]
    feeds = ["feed.xml", "feed.json", "category/garden/feed.xml"]
    assert shown == [f"https://example.com/blog/{path}" for path in feeds]
    assert [link.attrs["href"] for link in page.all("a", class_="blog-feed__name")] == shown
    assert [button.attrs["aria-label"] for button in page.all("button", data_blog_copy="")] == [
        *("Copy the URL: Atom feed", "Copy the URL: JSON feed", "Copy the URL: Garden"),
    ]
    readers = [link.attrs["href"] for link in page.one("p", class_="blog-feeds__readers").all("a")]
    assert all(url.startswith("https://") and url.endswith(quote(shown[0], safe="")) for url in readers)
    assert all(visitor.get(f"/{path}").status_code == 200 for path in feeds)
    assert meta(page, "robots") == "noindex, follow"


@requirement("pages.browse.feeds")
def test_the_navigation_leads_to_it(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for path in ["/", "/subscribe", "/none"]:
        with subtests.test(path=path):
            response = visitor.get(path)

            assert '<a class="blog-nav__link" href="/blog/subscribe"' in text_of(response)


@requirement("pages.browse.slots")
def test_a_host_fills_the_templates(visitor: Visitor) -> None:
    save(title="Soil", publish=True)
    empty = text_of(visitor.get("/subscribe")), text_of(visitor.get("/soil"))
    form = '<form action="/join" method="post">{% csrf_token %}</form>'
    comments = '<p class="club">{{ page.kind }}: {{ article.title }}</p>'

    with with_templates({"subscribe_form.html": form, "comments.html": comments}):
        filled = text_of(visitor.get("/subscribe")), text_of(visitor.get("/soil"))

    assert ["/join" in page or "club" in page for page in empty] == [False, False]
    assert "csrfmiddlewaretoken" in filled[0]
    assert '<p class="club">post: Soil</p>' in filled[1]


class Comments:
    """What the guide's model does for its page."""

    @staticmethod
    def filter(**conditions: Any) -> list[str]:
        return [f"{name}={value}" for name, value in conditions.items()]


@requirement("pages.browse.slots", "pages.browse.older-posts")
def test_the_guide_shows_comments_of_every_article(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    club = ModuleType("club.models")
    club.Comment = type("Comment", (), {"objects": Comments})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "club", ModuleType("club"))
    monkeypatch.setitem(sys.modules, "club.models", club)
    guide = (Path(__file__).parents[2] / "docs/how-to/comments.md").read_text("utf-8")
    code = guide.partition("# club/comments.py")[2].partition("class WriteComment")[0]
    exec(code, club.__dict__)  # noqa: S102
    for slug in ("soil", "archive", "subscribe"):
        post = save(title=slug, slug=f"{slug}-post", publish=True).post
        QuerySet(Post).filter(pk=post.pk).update(slug=slug)

    with (
        with_templates({"comments.html": "{{ slug }}: {{ comments|join:', ' }}"}),
        override_settings(BLOG_ENGINE=blog_settings(parent_controller=club.WithComments)),
    ):
        pages = {path: text_of(visitor.get(path)) for path in ("/soil", "/soil.html", "/archive", "/subscribe")}
        assert visitor.get("/").status_code == 200

    for path, page in pages.items():
        slug = path.removeprefix("/").removesuffix(".html")
        assert f"{slug}: post__slug={slug}, is_approved=True" in page


@requirement("pages.browse.dead-ends")
@pytest.mark.parametrize("path", ["/none", "/none/at/all"])
def test_a_dead_end_offers_search_and_archive(visitor: Visitor, path: str) -> None:
    page = visitor.page(path, status=404)

    assert page.one("form", role="search").attrs["action"] == "/blog/search"
    assert page.has("script", src="/static/blog_engine/search.js")
    assert page.one("main").one("a", class_="blog-message__link").attrs["href"] == "/blog/archive"


@requirement("pages.browse.dead-ends")
def test_an_ended_preview_offers_no_search(visitor: Visitor) -> None:
    # In this order, since parts of pages are remembered.
    ended, none, again = (visitor.page(path, status=404) for path in ("/preview/nothing", "/none", "/preview/nothing"))

    assert [page.has("form") for page in (ended, none, again)] == [False, True, False]
    scripts = [page.has("script", src="/static/blog_engine/search.js") for page in (ended, none, again)]
    assert scripts == [False, True, False]
