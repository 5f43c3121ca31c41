"""The hosted policy pages."""

from typing import Any

import pytest
from django.contrib.auth.mixins import LoginRequiredMixin
from django.test import override_settings

from blog_engine.models import PolicyPage, Redirect
from blog_engine.queries.redirects import path_key
from blog_engine.services import render_pages
from tests.reader.conftest import count_queries, write_policy
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, save
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, meta, text_of
from tests.support.tables import undone

BODY = "# Rules\n\nWe tell *when* AI helped.\n\n## Tools\n\n```python\nprint(1)\n```\n"


def write(kind: str = "ai_use", **fields: Any) -> PolicyPage:
    return write_policy(kind, **{"body": BODY} | fields)


@requirement("policies.states", "policies.shown", "policies.rendering")
def test_a_published_page_is_shown(visitor: Visitor) -> None:
    write()

    page = visitor.page("/policies/ai-use")

    assert page.one("h1").text == "How we use AI"
    prose = page.one("div", class_="blog-prose")
    assert (prose.one("h2").attrs["id"], prose.one("h3").attrs["id"]) == ("rules", "tools")
    assert prose.one("em").text == "when"


@requirement("policies.head")
def test_its_head(visitor: Visitor) -> None:
    write()

    page = visitor.page("/policies/ai-use")

    assert page.one("title").text == "How we use AI — The Example Journal"
    assert meta(page, "description") == "How we use AI"
    assert meta(page, "robots") == "index, follow, max-image-preview:large"
    assert meta(page, "og:type") == "website"
    assert meta(page, "og:title") == "How we use AI"
    assert page.one("link", rel="canonical").attrs["href"] == "https://example.com/blog/policies/ai-use"
    assert meta(page, "og:url") == "https://example.com/blog/policies/ai-use"


@requirement("policies.head")
def test_its_structured_data(visitor: Visitor) -> None:
    write()

    assert visitor.graph("/policies/ai-use") == [
        {
            "@type": "WebPage",
            "name": "How we use AI",
            "description": "How we use AI",
            "url": "https://example.com/blog/policies/ai-use",
            "inLanguage": "en",
            "dateModified": "2026-11-21T13:00:00+00:00",
        },
        {
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": 1, "name": "Blog", "item": "https://example.com/blog/"},
                {
                    "@type": "ListItem",
                    "position": 2,
                    "name": "How we use AI",
                    "item": "https://example.com/blog/policies/ai-use",
                },
            ],
        },
    ]


@requirement("policies.head")
def test_its_breadcrumbs(visitor: Visitor) -> None:
    write()

    crumbs = visitor.page("/policies/ai-use").one("nav", class_="blog-breadcrumbs")

    assert [link.attrs["href"] for link in crumbs.all("a")] == ["/blog/"]
    assert crumbs.text == "Blog"


def test_it_brings_the_styles_and_the_script_of_texts(visitor: Visitor) -> None:
    write()

    page = visitor.page("/policies/ai-use")

    files = [link.attrs["href"].rpartition("/")[2] for link in page.all("link", rel="stylesheet")]
    scripts = [script.attrs["src"].rpartition("/")[2] for script in page.all("script") if "src" in script.attrs]
    assert files == ["theme.css", "blog.css", "article.css", "prose.css", "print.css"]
    assert scripts == ["theme-boot.js", "theme-switch.js", "article.js"]


@requirement("policies.states")
@pytest.mark.parametrize("fields", [{"status": "draft"}, {"slug": "other"}], ids=["a draft", "a page that moved"])
def test_nothing_else_is_shown(visitor: Visitor, fields: dict[str, str]) -> None:
    write()
    write(**fields)

    assert visitor.get("/policies/ai-use").status_code == 404
    assert visitor.get("/policies/other").status_code == (200 if "slug" in fields else 404)


@requirement("policies.override")
def test_a_page_of_the_host_hides_the_hosted_one(visitor: Visitor) -> None:
    write()

    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={"ai_use": "/about/ai"})):
        assert visitor.get("/policies/ai-use").status_code == 404
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={"ai_use": " "})):
        assert visitor.get("/policies/ai-use").status_code == 200


@requirement("policies.paths")
def test_only_its_own_url_shows_it(visitor: Visitor, subtests: pytest.Subtests) -> None:
    write()

    for asked, status in [
        *(("/policies/ai-use?format=html", 200), ("/policies/ai-use?format=json", 404), ("/policies/ai-use?x=1", 200)),
        *(("/policies/ai-use.html", 404), ("/policies/ai-use.md", 404), ("/policies/ai_use", 404), ("/policies", 404)),
        *(("/policies/AI-use", 404), ("/policies/ai-use/x", 404), ("/policies/%00", 404), ("/policies/a%2Fb", 404)),
    ]:
        with subtests.test(asked=asked, status=status), undone():
            assert visitor.get(asked).status_code == status


@requirement("policies.slug.reserved")
def test_a_reserved_word_may_be_its_slug(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for slug in ["feed", "category", "policies"]:
        with subtests.test(slug=slug), undone():
            write(slug=slug)

            assert visitor.get(f"/policies/{slug}").status_code == 200


@requirement("pages.moved.any-path")
def test_the_old_url_can_redirect_to_the_new_one(visitor: Visitor) -> None:
    write(slug="how")
    Redirect.objects.create(
        old_path="/blog/policies/ai-use",
        old_key=path_key("/blog/policies/ai-use"),
        new_path="/blog/policies/how",
        source="manual",
        occurred_on=NOW.date(),
    )

    assert visitor.get("/policies/ai-use")["Location"] == "/blog/policies/how"


@requirement("policies.login", "pages.parent-class")
@override_settings(BLOG_ENGINE=blog_settings(parent_controller=LoginRequiredMixin))
def test_it_requires_the_login_of_the_host(visitor: Visitor) -> None:
    write()

    assert visitor.get("/policies/ai-use").status_code == 302


@requirement("policies.shown")
def test_it_is_in_the_footer_at_once(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={})):
        write()
        write("editorial", title="How we work")
        shown = visitor.page("/").one("ul", class_="blog-footer__links")
        write(status="draft")
        left = visitor.page("/").one("ul", class_="blog-footer__links")

    assert [(link.text, link.attrs["href"]) for link in shown.all("a")] == [
        ("Editorial policy", "/blog/policies/editorial-policy"),
        ("AI use policy", "/blog/policies/ai-use"),
        ("Archive", "/blog/archive"),
        ("Atom feed", "/blog/feed.xml"),
    ]
    assert [link.text for link in left.all("a")] == ["Editorial policy", "Archive", "Atom feed"]


@requirement("policies.etag")
def test_a_withdrawn_page_is_not_confirmed(visitor: Visitor) -> None:
    write()
    tag = visitor.get("/policies/ai-use")["ETag"]
    write(status="draft")

    assert visitor.get("/policies/ai-use", **{"If-None-Match": tag}).status_code == 404


@requirement("policies.responsible", "pages.notices.responsible-party")
def test_the_responsible_party_changes_the_notice_of_cached_pages(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={})):
        approve(save(title="Soil", provenance="ai_assisted", publish=True).post)
        noticed = visitor.get("/soil")
        write("responsible_party", title="Who we are")
        cleared = visitor.get("/soil", **{"If-None-Match": noticed["ETag"]})
        write("responsible_party", status="draft")
        again = visitor.get("/soil", **{"If-None-Match": cleared["ETag"]})

    assert ["blog-notice--ai" in text_of(answer) for answer in (noticed, cleared, again)] == [True, False, True]
    assert again["ETag"] == noticed["ETag"]


@requirement("policies.rendering")
def test_its_text_is_escaped(visitor: Visitor) -> None:
    write(title='<script>alert(1)</script>"', body="<script>alert(2)</script> [x](javascript:alert(3))")

    page = visitor.page("/policies/ai-use")

    assert page.one("h1").text == '<script>alert(1)</script>"'
    assert [
        script for script in page.all("script") if "alert" in script.text and "ld+json" not in str(script.attrs)
    ] == []
    assert "javascript:" not in text_of(visitor.get("/policies/ai-use"))


def test_it_takes_two_queries_however_many_pages_and_posts(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={})):
        write()
        few = count_queries(visitor, "/policies/ai-use")
        for kind in ("responsible_party", "corrections", "editorial"):
            write(kind, title=kind)
        save(title="Soil", publish=True)

        assert (few, count_queries(visitor, "/policies/ai-use")) == (2, 2)


def test_a_changed_setting_is_seen_at_once_and_stored_by_the_command(visitor: Visitor) -> None:
    write(body="One\ntwo")
    assert visitor.page("/policies/ai-use").one("div", class_="blog-prose").has("br")

    with override_settings(BLOG_ENGINE=blog_settings(markdown_hardbreaks=False)):
        assert not visitor.page("/policies/ai-use").one("div", class_="blog-prose").has("br")
        assert "<br" in PolicyPage.objects.get().body_html
        assert (render_pages(), render_pages()) == (1, 0)

    page = PolicyPage.objects.get()
    assert ("<br" in page.body_html, page.updated_at) == (False, LATER)
