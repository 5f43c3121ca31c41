"""T15 and T16: the structured data of an article's page."""

import json
from typing import Any

import pytest
from django.test import override_settings

from blog_engine.models import Post
from blog_engine.surface_report.byline import judge_structured_article, judge_structured_facts
from tests.requirements import requirement
from tests.support.databases import replayed
from tests.support.factories import DECLARATION, FIRST, store_image, update
from tests.support.images import plain
from tests.surface_report.conftest import adopt, article, look, look_at_page

pytestmark = pytest.mark.django_db

AT = "2026-11-21T12:00:00+00:00"
LATER_AT = "2026-11-21T13:00:00+00:00"
WHOLE: dict[str, Any] = {
    "@type": "BlogPosting",
    "headline": "Soil",
    "author": {"@type": "Person", "name": "Ada"},
    "datePublished": AT,
    "dateModified": LATER_AT,
    "image": "https://example.com/soil.png",
}


@pytest.fixture
@replayed
def post() -> Post:
    """An article with a cover that was changed."""
    image = store_image(plain(size=(200, 100)), filename="soil.png")
    post = article(cover_image={"image_id": image.pk})
    return update(post, body="New.", change="substantive").post


def script(*objects: object) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in objects)


def changed(**changes: object) -> dict[str, Any]:
    """A whole article with some keys changed; ``...`` leaves one out."""
    return {name: value for name, value in (WHOLE | changes).items() if value is not ...}


@requirement("surface-report.t15")
@pytest.mark.parametrize(
    "data",
    [
        WHOLE,
        [WHOLE, {"@type": "Organization"}],
        {"@context": "https://schema.org", "@graph": [WHOLE, {"@type": "BreadcrumbList"}]},
        {"@type": "WebPage", "mainEntity": WHOLE},
        changed(**{"@type": "Article"}),
        changed(**{"@type": ["CreativeWork", "TechArticle"]}),
        changed(**{"@type": "https://schema.org/NewsArticle"}),
        changed(author=[{"@type": "Person", "name": "Ada"}, {"@type": "Organization", "name": "Quay"}]),
        [changed(author={"@id": "#ada"}), {"@id": "#ada", "@type": "Person", "name": "Ada"}],
        changed(image=[{"@type": "ImageObject", "url": "https://example.com/soil.png"}]),
        changed(datePublished="2026-11-21", dateModified="2026-11-22"),
    ],
)
def test_a_whole_article_passes_however_it_is_written(post: Post, data: object) -> None:
    assert look_at_page(judge_structured_article, post, script(data)).result == "pass"


@requirement("surface-report.t15")
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([WHOLE, WHOLE], "The structured data holds 2 articles and should hold exactly one."),
        ([{"@type": "Blog", "blogPost": [WHOLE]}], "The structured data holds 0 articles and should hold exactly one."),
        ([{"@type": "ArticleList"}], "The structured data holds 0 articles and should hold exactly one."),
        ([changed(headline=" ")], "The structured data has no headline."),
        ([changed(headline=5)], "The structured data has no headline."),
        ([changed(author=...)], "The structured data has no author."),
        ([changed(author={"@type": "Person"})], "An author in the structured data has no name."),
        ([changed(author="Ada")], "An author in the structured data has no @type."),
        ([changed(author=[WHOLE["author"], {"name": "Eve"}])], "An author in the structured data has no @type."),
        ([changed(datePublished=...)], "The structured data has no datePublished."),
        ([changed(dateModified=None)], "The structured data has no dateModified."),
        ([changed(datePublished="May 2026")], "The datePublished “May 2026” of the structured data is not a date."),
        ([changed(dateModified=2026)], "The dateModified “” of the structured data is not a date."),
        ([changed(image=...)], "The structured data has no image, though the article has one."),
        ([changed(image={"@type": "ImageObject"})], "The structured data has no image, though the article has one."),
    ],
)
def test_what_is_missing_is_reported(post: Post, data: list[object], reason: str) -> None:
    found = look_at_page(judge_structured_article, post, script(*data))

    assert (found.result, found.reason) == ("fail", reason)


@requirement("surface-report.t15")
def test_an_article_without_images_needs_none() -> None:
    post = article()

    assert look_at_page(judge_structured_article, post, script(changed(image=...))).result == "pass"


@requirement("surface-report.t15")
def test_dates_that_an_import_did_not_know_have_their_own_reason() -> None:
    found = look(judge_structured_article, adopt().post)

    assert (found.result, found.reason) == (
        "fail",
        "The structured data has no datePublished: the import did not know that date. "
        "The structured data has no dateModified: the import did not know that date.",
    )


@requirement("surface-report.t16")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"name":"Ada Example"', '"name":"Eve Example"'),
        ('"name":"Ada Example"', '"name":"Ada Ex"'),
        ('"author":{', '"writer":{'),
        ('">Ada Example</a></p>', '">Eve Example</a></p>'),
        ('<p class="blog-byline__author"', "<p hidden"),
        (f'"datePublished":"{AT}"', f'"datePublished":"{LATER_AT}"'),
        (f'"datePublished":"{AT}"', '"datePublished":"2026-11-20"'),
        (f'"datePublished":"{AT}",', ""),
        (f'<time datetime="{AT}">', f'<time datetime="{AT}" hidden>'),
        (f'<time datetime="{AT}">', '<time datetime="2026-11-20">'),
        (f'"dateModified":"{LATER_AT}"', f'"dateModified":"{AT}"'),
        (f'"dateModified":"{LATER_AT}"', '"dateModified":"2026-11-22"'),
        (f'"dateModified":"{LATER_AT}",', ""),
        (f'<time datetime="{LATER_AT}">', '<time datetime="2026-11-21T13:00:01Z">'),
    ],
)
def test_structured_facts_that_readers_do_not_see_fail(post: Post, old: str, new: str) -> None:
    assert look(judge_structured_facts, post).result == "pass"
    assert look(judge_structured_facts, post, (old, new)).result == "fail"


@requirement("surface-report.t16")
def test_dates_in_the_future_fail(post: Post) -> None:
    found = look(judge_structured_facts, post, (LATER_AT, "2026-11-22T13:00:01+00:00"))

    assert (found.result, found.reason) == ("fail", "The date 2026-11-22T13:00:01+00:00 is in the future.")
    assert look(judge_structured_facts, post, (LATER_AT, "2026-11-22T13:00:00+00:00")).result == "pass"
    assert look(judge_structured_facts, post, (LATER_AT, "2026-11-22")).result == "pass"
    assert look(judge_structured_facts, post, (LATER_AT, "2026-11-23")).result == "fail"


@override_settings(TIME_ZONE="Pacific/Kiritimati")
def test_the_future_begins_where_the_site_is(post: Post) -> None:
    assert look(judge_structured_facts, post, ("2026-11-22T03:00:00+14:00", "2026-11-23")).result == "pass"


@requirement("surface-report.t16")
@pytest.mark.parametrize(
    ("author", "published", "updated", "modified", "result"),
    [
        ("By Ada", "2026-11-21", None, "2026-11-21", "pass"),
        ("ADA", "2026-11-21", "2026-11-21T13:00Z", LATER_AT, "pass"),
        ("Ada", "2026-11-21", None, "2026-11-22", "fail"),
        ("Ada", "2026-11-21", "2026-11-20", "2026-11-21", "fail"),
        ("Adam", "2026-11-21", None, "2026-11-21", "fail"),
        ("Ada", "21 November", None, "2026-11-21", "fail"),
    ],
)
def test_a_byline_of_a_host_is_compared(
    post: Post, author: str, published: str, updated: str | None, modified: str, result: str
) -> None:
    data = script(changed(datePublished="2026-11-21", dateModified=modified))
    byline = f'<p data-blog-author>{author}</p><p data-blog-published>On <time datetime="{published}">x</time></p>'
    if updated:
        byline += f'<p data-blog-updated>Changed <time datetime="{updated}">x</time></p>'

    assert look_at_page(judge_structured_facts, post, data + byline).result == result


@requirement("surface-report.t16")
@pytest.mark.parametrize(("second", "result"), [("Eve", "pass"), ("Mina", "fail")])
def test_all_authors_are_compared(post: Post, second: str, result: str) -> None:
    data = script(changed(author=[{"name": "Ada"}, {"name": second}], datePublished=..., dateModified=...))
    byline = '<h1>Soil</h1><a data-blog-author href="/ada">Ada</a> and <a data-blog-author href="/eve">Eve</a>'

    assert look_at_page(judge_structured_facts, post, data + byline).result == result


@pytest.mark.parametrize("dates", [{}, {"declaration": DECLARATION | {"declared_first_published_at": FIRST}}])
def test_an_import_agrees_with_itself(dates: dict[str, Any]) -> None:
    assert look(judge_structured_facts, adopt(**dates).post).result == "pass"


@requirement("surface-report.t16")
@pytest.mark.parametrize("data", [(), (WHOLE, WHOLE)])
def test_without_the_one_article_nothing_can_be_compared(post: Post, data: tuple[object, ...]) -> None:
    assert look_at_page(judge_structured_facts, post, script(*data)).result == "not verified"
