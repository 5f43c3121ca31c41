"""The article page: its parts and their order."""

from datetime import timedelta
from itertools import pairwise

import pytest
from django.test import override_settings

from blog_engine.models import Author
from tests.requirements import requirement
from tests.support.factories import LATER, declare, save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor
from tests.support.tables import undone

FAQ = [{"question": "Does it <b>grow</b>?", "answer": "Yes.\nSlowly.\n\nSee https://example.org/tree_(plant)."}]
BODY = "Before.\n\n## One\n\nText.\n\n### Two\n\nMore.\n\n## Three\n\nEnd."


def whole_post() -> str:
    """Publish a post with every part and return its slug."""
    written = save(
        title="Soil",
        description="What grows where.",
        body=BODY,
        category="Garden",
        tags=["roots", "Ärger", "old"],
        series="Ground",
        faq=FAQ,
        provenance="ai_assisted",
        publish=True,
        connections={
            "connections": [{"party": "Seeds & Co", "relation": "sells <seeds>"}],
            "third_party_paid": True,
            "declared_by": "Ines",
        },
    )
    save(title="Stone", category="Garden", publish=True)
    update(written.post, body=BODY.replace("End", "The end"), change="correction", note="It <i>ended</i>.\nTwice.")
    Author.objects.update(bio="Knows <soil>.")
    return written.post.slug


PARTS = [
    "blog-progress",
    "blog-breadcrumbs",
    "blog-article__title",
    "blog-article__lede",
    "blog-article__signature",
    "blog-notice--ai",
    "blog-notice--paid",
    "blog-disclosure",
    "blog-cover",
    "blog-contents",
    "blog-prose",
    "blog-corrections",
    "blog-faq",
    "blog-tags",
    "blog-share",
    "blog-responsible",
    "blog-author",
    "blog-series",
    "blog-call",
    "blog-turn",
    "blog-related",
]
"""Return the parts of an article page in the order of the page."""
CALL = {"title": "Write", "text": "We read.", "label": "Send", "url": "/letters"}


@requirement("pages.article")
@override_settings(BLOG_ENGINE=blog_settings(call_to_action=CALL, card_art="drawing"))
def test_the_parts_are_in_their_order(visitor: Visitor) -> None:
    page = visitor.page(f"/{whole_post()}")

    order = [name for element in page.one("main").walk() for name in element.classes if name in PARTS]
    assert order == PARTS


@requirement("pages.markers")
def test_markers_and_nesting(visitor: Visitor) -> None:
    page = visitor.page(f"/{whole_post()}")

    content = page.one("article", data_blog_content="")
    assert content.one("", data_blog_body="").text.endswith("The end.")
    section = content.one("section", data_blog_faq="")
    assert section.parent is content
    assert len(section.all("", data_blog_faq_entry="")) == 1
    assert not page.has("", data_blog_preview="")
    for outside in ("blog-tags", "blog-author", "blog-related", "blog-breadcrumbs"):
        assert not content.has("", class_=outside)


@requirement("pages.article.headings")
def test_one_first_heading_and_no_level_is_skipped(visitor: Visitor) -> None:
    page = visitor.page(f"/{whole_post()}")

    levels = [int(element.name[1]) for element in page.walk() if element.name in {"h1", "h2", "h3", "h4", "h5", "h6"}]

    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


@requirement("pages.article.breadcrumbs")
def test_crumbs_lead_from_the_index_to_the_category(visitor: Visitor) -> None:
    crumbs = visitor.page(f"/{whole_post()}").one("nav", aria_label="Breadcrumbs")

    assert [item.text for item in crumbs.all("li")] == ["Blog", "Garden"]
    assert [link.attrs["href"] for link in crumbs.all("a")] == ["/blog/", "/blog/category/garden"]


@requirement("pages.records")
def test_the_disclosure_escapes_what_was_declared(visitor: Visitor) -> None:
    disclosure = visitor.page(f"/{whole_post()}").one("section", class_="blog-disclosure")

    assert disclosure.one("h2").text == "Disclosure"
    assert [item.text for item in disclosure.all("li")] == ["Seeds & Co: sells <seeds>"]


def test_no_declaration_no_disclosure(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    page = visitor.page("/soil")

    assert not page.has("section", class_="blog-disclosure")
    assert not page.has("div", class_="blog-notice--paid")


@requirement("pages.records")
def test_the_latest_declaration_is_shown_whatever_its_date(visitor: Visitor) -> None:
    post = save(title="Soil", publish=True).post
    declare(post, third_party_paid=True, declared_on="2026-11-20")
    declare(post, third_party_paid=False, declared_on="2020-01-01")

    page = visitor.page("/soil")

    assert page.one("section", class_="blog-disclosure").one("p").text.startswith("The author declared no connection")
    assert not page.has("div", class_="blog-notice--paid")


@requirement("pages.records")
def test_corrections_are_shown_as_text_in_their_order(visitor: Visitor) -> None:
    post = save(title="Soil", publish=True).post
    update(post, body="One.", change="correction", note="First <b>note</b>.", now=LATER)
    update(post, body="Two.", change="substantive", now=LATER + timedelta(minutes=1))
    update(post, body="Three.", change="correction", note="Second note.", now=LATER + timedelta(minutes=2))

    corrections = visitor.page("/soil").all("div", class_="blog-correction")

    assert [entry.text for entry in corrections] == [
        "Correction November 21, 2026 First <b>note</b>.",
        "Correction November 21, 2026 Second note.",
    ]
    assert corrections[0].one("time").attrs["datetime"] == "2026-11-21T13:00:00+00:00"


@requirement("pages.records.future")
def test_a_correction_in_the_future_is_not_shown(visitor: Visitor) -> None:
    post = save(title="Soil", publish=True).post
    update(post, body="One.", change="correction", note="Early.", now=LATER + timedelta(days=2))

    page = visitor.page("/soil")

    assert not page.has("section", class_="blog-corrections")
    assert "Updated" not in page.one("article").text


def test_the_contents_list_needs_three_items(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for body, faq, items in [
        ("## One\n\n## Two", [], None),
        ("## One\n\n## Two", FAQ, ["#one", "#two", "#faq"]),
        ("## One\n\n### Two\n\n#### Deep", [], None),
        ("## FAQ\n\n## Two", FAQ, ["#faq", "#two", "#faq-1"]),
        ("Text.", FAQ, None),
    ]:
        with subtests.test(body=body, faq=faq, items=items), undone():
            save(title="Soil", body=body, faq=faq, publish=True)

            page = visitor.page("/soil")

            if items is None:
                assert not page.has("nav", class_="blog-contents")
            else:
                links = page.one("nav", class_="blog-contents").all("a")
                assert [link.attrs["href"] for link in links] == items
                assert all(page.has("", id=item.removeprefix("#")) for item in items)


@requirement("pages.contents")
def test_the_contents_list_is_closed(visitor: Visitor) -> None:
    save(title="Soil", body="\n\n".join(f"## Part {number}" for number in range(3)), publish=True)

    contents = visitor.page("/soil").one("nav", class_="blog-contents")
    box = contents.one("details")

    assert len(box.all("li")) == 3
    assert "open" not in box.attrs
    assert contents.one("h2").text == box.one("summary").text == "In this post"


def test_contents_entries_show_the_text_without_the_anchor(visitor: Visitor) -> None:
    contents = visitor.page(f"/{whole_post()}").one("nav", class_="blog-contents")

    assert [item.text for item in contents.all("li")] == ["One", "Two", "Three", "Frequently asked questions"]
    assert [item.classes[1] for item in contents.all("li")] == [
        "blog-contents__item--h2",
        "blog-contents__item--h3",
        "blog-contents__item--h2",
        "blog-contents__item--h2",
    ]


@requirement("pages.faq.collapsed", "pages.faq", "pages.faq.lines")
def test_the_faq_is_closed_and_literal(visitor: Visitor) -> None:
    section = visitor.page(f"/{whole_post()}").one("section", class_="blog-faq")

    entry = section.one("details")
    assert "open" not in entry.attrs
    assert entry.one("summary").one("h3").text == "Does it <b>grow</b>?"
    answer = entry.one("div", class_="blog-faq__answer")
    assert [paragraph.text for paragraph in answer.all("p")] == [
        "Yes. Slowly.",
        "See https://example.org/tree_(plant).",
    ]
    assert answer.has("br")
    assert answer.one("a").attrs == {"href": "https://example.org/tree_(plant)", "rel": "noopener"}


@requirement("pages.faq.collapsed")
@override_settings(BLOG_ENGINE=blog_settings(faq_collapsed=False))
def test_the_faq_can_be_open(visitor: Visitor) -> None:
    section = visitor.page(f"/{whole_post()}").one("section", class_="blog-faq")

    assert not section.has("details")
    assert section.one("div", data_blog_faq_entry="").one("h3").text == "Does it <b>grow</b>?"


@requirement("pages.article.tags")
def test_tags_keep_the_order_in_which_they_were_sent(visitor: Visitor) -> None:
    tags = visitor.page(f"/{whole_post()}").one("ul", class_="blog-tags")

    assert [tag.text for tag in tags.all("li")] == ["roots", "Ärger", "old"]


@requirement("pages.article.call-to-action")
def test_a_call_to_action_with_an_unsafe_url_is_left_out(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    for url in ["javascript:alert(1)", "//evil.example", "mailto:x@example.org", "https://a@b.example"]:
        changed = blog_settings(call_to_action=CALL | {"url": url})
        with subtests.test(url=url), override_settings(BLOG_ENGINE=changed):
            assert not visitor.page("/soil").has("span", class_="blog-call")


@requirement("pages.article.paths")
def test_paths_of_the_article(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    for path in ["/soil", "/soil.html", "/soil?format=html", "/soil?page=9"]:
        with subtests.test(path=path), undone():
            assert visitor.page(path).one("h1").text == "Soil"


@requirement("pages.article.paths")
def test_paths_of_nothing(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    for path in ["/soil.json", "/soil?format=json", "/Soil", "/soil--x", "/so.il", "/soil_", "/soil/more", "/soil%00"]:
        with subtests.test(path=path), undone():
            assert visitor.get(path).status_code == 404


@requirement("pages.article.accept")
def test_the_accept_header_changes_nothing(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    response = visitor.get("/soil", accept="application/json")

    assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8")


@requirement("previews.drafts-hidden")
def test_a_post_that_is_not_public_is_not_found(visitor: Visitor) -> None:
    save(title="Draft")
    save(title="Tomorrow", publish=True, publish_at="2026-12-24T12:00:00Z")

    assert visitor.get("/draft").status_code == 404
    assert visitor.get("/tomorrow").status_code == 404


def test_an_outdated_rendering_is_rendered_again_and_not_stored(visitor: Visitor) -> None:
    post = save(title="Soil", body="One\ntwo", publish=True).post
    stored = post.rendered_with

    with override_settings(BLOG_ENGINE=blog_settings(markdown_hardbreaks=False)):
        body = visitor.page("/soil").one("", data_blog_body="")

    post.refresh_from_db()
    assert not body.has("br")
    assert post.rendered_with == stored
    assert "<br" in post.body_html
