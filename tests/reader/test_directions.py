"""A post in another script direction than the blog."""

from django.test import override_settings

from blog_engine.models import Post
from blog_engine.rendering.options import rendering_key
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, json_at

ARABIC = {
    "title": "رحلة إلى البحر",
    "slug": "trip",
    "description": "وصف قصير",
    "body": "مرحبا!\n\n- واحد",
    "category": "أخبار",
    "tags": ["بحر"],
    "faq": [{"question": "لماذا؟", "answer": "لأن البحر جميل."}],
}


@requirement("pages.directions")
def test_what_an_author_wrote_follows_its_own_direction(visitor: Visitor) -> None:
    save(publish=True, **ARABIC)

    page, card = visitor.page("/trip"), visitor.page().one("article")

    assert page.one("html").attrs["dir"] == "ltr"
    for element in (
        page.one("h1"),
        page.one("p", class_="blog-article__lede"),
        page.one("summary"),
        page.one("div", class_="blog-faq__answer"),
        page.one("a", rel="tag"),
        page.one("nav", class_="blog-breadcrumbs").all("a")[-1],
        card.one("h2"),
        card.one("p", class_="blog-card__description"),
    ):
        assert element.attrs["dir"] == "auto", element
    assert card.one("p", class_="blog-kicker").one("bdi").text == "أخبار"
    body = page.one("", data_blog_body="")
    assert [body.one(name).attrs["dir"] for name in ("p", "ul")] == ["rtl", "rtl"]


@requirement("pages.directions")
def test_what_search_finds_follows_its_own_direction(visitor: Visitor) -> None:
    save(publish=True, **ARABIC)

    result = visitor.page("/search?q=البحر").one("article", class_="blog-result")

    assert result.one("h2").attrs["dir"] == "auto"
    assert result.one("p", class_="blog-result__passage").attrs["dir"] == "auto"


@requirement("pages.directions", "feeds.full-content")
@override_settings(BLOG_ENGINE=blog_settings(feed_content="full"))
def test_a_full_feed_has_the_direction(visitor: Visitor) -> None:
    save(publish=True, **ARABIC)

    assert '<p dir="rtl">مرحبا!</p>' in json_at(visitor)["items"][0]["content_html"]


@requirement("pages.directions")
def test_another_direction_of_the_blog_renders_again_and_leaves_the_revision(visitor: Visitor) -> None:
    post = save(publish=True, **ARABIC).post
    before = post.current_revision_identifier

    with override_settings(BLOG_ENGINE=blog_settings(locale="ar")):
        key, body = rendering_key(), visitor.page("/trip").one("", data_blog_body="")

    assert key != rendering_key()
    assert "dir" not in body.one("p").attrs
    assert Post.objects.get().current_revision_identifier == before
