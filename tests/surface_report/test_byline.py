"""E1, E3 and E5: who signed an article and when, as readers see it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings

from blog_engine.models import Post
from blog_engine.surface_report.byline import judge_author, judge_author_link, judge_published_date
from tests.requirements import requirement
from tests.support.factories import DECLARATION, FIRST, NOW, adopt, publish, save, unpublish
from tests.surface_report.looking import answer, look, look_at_page

pytestmark = pytest.mark.django_db

AUTHOR = "/blog/author/ada-example"
BYLINE = '<p class="blog-byline__author" data-blog-author>'
NAME = '<a href="/blog/author/ada-example" dir="auto">Ada Example</a>'
SIGNED = '"author":{"@type":"Person","name":"Ada Example"'
LD = '<script type="application/ld+json">{"@type": "Article", "author": {"name": "Ada"}}</script>'


@pytest.fixture
def post() -> Post:
    return save(title="Soil", publish=True).post


@requirement("surface-report.e1")
@pytest.mark.parametrize(
    "changes",
    [
        [(BYLINE, "<p data-blog-author hidden>")],
        [(BYLINE, '<p data-blog-author style="color: red; display:none">')],
        [('<div class="blog-byline__text">', '<div aria-hidden="true">')],
        [(f"{BYLINE}{NAME}", f'{BYLINE}<a href="/blog/author/ada-example"> </a>')],
        [(SIGNED, '"author":{"@type":"Person","name":" "')],
        [(SIGNED, '"writer":{"@type":"Person","name":"Ada Example"')],
        [("application/ld+json", "application/json")],
    ],
)
def test_an_author_who_is_hidden_or_not_named_fails(post: Post, changes: list[tuple[str, str]]) -> None:
    assert look(judge_author, post, *changes).result == "fail"


@requirement("surface-report.e1")
def test_both_places_without_an_author_are_told(post: Post) -> None:
    found = look(judge_author, post, (NAME, ""), (SIGNED, '"author":{"@type":"Person"'))

    assert found.reason == "No author is visible in a byline. The structured data names no author of the article."


@pytest.mark.parametrize(
    ("byline", "result"),
    [
        ('<a data-blog-author href="/ada">Ada</a>', "pass"),
        ("<footer>by <span data-blog-author>Ada</span></footer>", "pass"),
        ('<a data-blog-author href="/ada" hidden>Ada</a>', "fail"),
        (f"<p>{NAME}</p>", "fail"),
        (f"<div data-blog-card><p data-blog-author>{NAME}</p></div>", "fail"),
        (f"<div data-blog-body><p data-blog-author>{NAME}</p></div>", "fail"),
    ],
)
def test_a_byline_of_a_host_is_found_by_its_marker(post: Post, byline: str, result: str) -> None:
    assert look_at_page(judge_author, post, f"<main><h1>Soil</h1>{byline}</main>{LD}").result == result


def test_the_byline_may_stand_outside_the_content(post: Post) -> None:
    page = f"<main><p data-blog-author>Ada</p><article data-blog-content><h1>Soil</h1></article></main>{LD}"

    assert look_at_page(judge_author, post, page).result == "pass"


@requirement("surface-report.e3")
@pytest.mark.parametrize("status", [404, 301, 500])
def test_a_link_to_an_author_whose_page_does_not_open_fails(post: Post, status: int) -> None:
    found = look(judge_author_link, post, staged={AUTHOR: answer(status=status)})

    assert (found.result, found.reason) == (
        "fail",
        f"The author's page https://example.com{AUTHOR} answered {status}.",
    )


@requirement("surface-report.e3")
def test_a_link_to_an_author_that_nobody_answers_is_not_verified(post: Post) -> None:
    assert look(judge_author_link, post, staged={AUTHOR: None}).result == "not verified"


@requirement("surface-report.e3")
@pytest.mark.parametrize(
    "instead",
    [
        "",
        "Ada Example",
        '<a href="/blog/author/ada-example" hidden>Ada Example</a>',
        '<a name="ada">Ada Example</a>',
        '<a href="mailto:ada@example.com">Ada Example</a>',
        '<a href="javascript:void(0)">Ada Example</a>',
        '<a href="http://[::1">Ada Example</a>',
    ],
)
def test_an_author_without_a_link_that_leads_somewhere_fails(post: Post, instead: str) -> None:
    assert look(judge_author_link, post, (NAME, instead)).result == "fail"


@requirement("surface-report.e3")
@pytest.mark.parametrize(
    ("byline", "url"),
    [
        ('<p data-blog-author><a href="/people/ada">Ada</a></p>', "https://example.com/people/ada"),
        ('<p data-blog-author><a href="ada#top">Ada</a></p>', "https://example.com/blog/ada#top"),
        ('<a href="//ada.example"><b data-blog-author>Ada</b></a>', "https://ada.example"),
        ('<b data-blog-author>Eve</b> <a data-blog-author href="/ada">Ada</a>', "https://example.com/ada"),
        (f"<b data-blog-author>Ada</b><footer>{NAME}</footer>", None),
        (f"<p data-blog-author>Ada <i hidden>{NAME}</i></p>", None),
    ],
)
def test_the_link_of_a_host_is_followed(post: Post, byline: str, url: str | None) -> None:
    pages = dict.fromkeys(["/people/ada", "/blog/ada", "https://ada.example", "/ada"], "Ada")

    found = look_at_page(judge_author_link, post, f"<article><h1>Soil</h1>{byline}</article>", staged=pages)

    assert found.details == (url and {"url": url})


def test_a_link_is_relative_to_the_base_of_the_page(post: Post) -> None:
    html = '<head><base href="/people/"></head><body><p data-blog-author><a href="ada">Ada</a></p>'

    found = look_at_page(judge_author_link, post, html, staged={"/people/ada": "Ada"})

    assert found.details == {"url": "https://example.com/people/ada"}


@requirement("surface-report.e5")
def test_the_published_date_is_the_first_entry(post: Post) -> None:
    publish(unpublish(post).post)

    found = look(judge_published_date, post)

    assert (found.result, found.marks, found.details) == (
        "pass",
        (),
        {"recorded": "2026-11-21T12:00:00+00:00", "shown": "2026-11-21T12:00:00+00:00"},
    )


@requirement("surface-report.e5")
@pytest.mark.parametrize(
    ("dates", "marks"),
    [
        ({"first_published_at": FIRST, "first_published_evidence": "Database dump"}, ()),
        ({"declaration": DECLARATION | {"declared_first_published_at": FIRST}}, ("publisher declaration",)),
    ],
)
def test_the_date_of_an_import_is_the_evidenced_or_the_declared_one(
    dates: dict[str, Any], marks: tuple[str, ...]
) -> None:
    found = look(judge_published_date, adopt(**dates).post)

    assert (found.result, found.marks) == ("pass", marks)


@requirement("surface-report.e5")
def test_an_import_without_a_date_is_not_verified() -> None:
    assert look(judge_published_date, adopt().post).result == "not verified"


@requirement("surface-report.e5")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2026-11-21T12:00:00+00:00", "2026-11-20T12:00:00+00:00"),
        ("2026-11-21T12:00:00+00:00", "2026-11-21T23:00:00-05:00"),
        ("2026-11-21T12:00:00+00:00", "some time ago"),
        ("2026-11-21T12:00:00+00:00", ""),
        ('<time datetime="2026-11-21T12:00:00+00:00">', '<time datetime="2026-11-21T12:00:00+00:00" hidden>'),
        ('<time datetime="2026-11-21T12:00:00+00:00">November 21, 2026', '<time datetime="2026-11-21T12:00:00+00:00">'),
        ('<time datetime="2026-11-21T12:00:00+00:00">', "<time>"),
        ('<span class="blog-fact__label">Published</span>', ""),
        ('<span class="blog-fact__label">', '<span class="blog-fact__label" hidden>'),
        ("data-blog-published", "data-blog-printed"),
    ],
)
def test_another_date_or_none_that_is_labelled_fails(post: Post, old: str, new: str) -> None:
    assert look(judge_published_date, post, (old, new)).result == "fail"


@pytest.mark.parametrize("shown", ["2026-11-21", "2026-11-21T00:00:01Z", "2026-11-21T12:00", "2026-11-22T03:00+09:00"])
def test_the_day_is_what_counts(post: Post, shown: str) -> None:
    assert look(judge_published_date, post, ("2026-11-21T12:00:00+00:00", shown)).result == "pass"


@override_settings(TIME_ZONE="Pacific/Kiritimati")
def test_the_day_is_that_of_the_site(post: Post) -> None:
    assert look(judge_published_date, post, ("2026-11-22T02:00:00+14:00", "2026-11-22")).result == "pass"
    assert look(judge_published_date, post, ("2026-11-22T02:00:00+14:00", "2026-11-21")).result == "fail"


@pytest.mark.parametrize(
    ("times", "result"),
    [
        ('<p data-blog-published>Posted on <time datetime="2026-11-21">today</time></p>', "pass"),
        (
            '<time datetime="2026-11-20">a</time><p data-blog-published>On <time datetime="2026-11-21">b</time></p>',
            "pass",
        ),
        ('<p data-blog-published><time>a</time> <time datetime="2026-11-21">b</time></p>', "pass"),
        ('<p data-blog-published><time datetime="2026-11-21">b</time></p>', "fail"),
        ('<p data-blog-updated>On <time datetime="2026-11-21">b</time></p>', "fail"),
        ('<p>Published <time datetime="2026-11-21">b</time></p>', "fail"),
        ('<div data-blog-body><p data-blog-published>On <time datetime="2026-11-21">b</time></p></div>', "fail"),
        ('<div data-blog-card><p data-blog-published>On <time datetime="2026-11-21">b</time></p></div>', "fail"),
    ],
)
def test_a_date_of_a_host_is_found_by_its_marker(post: Post, times: str, result: str) -> None:
    page = f"<main><article data-blog-content><h1>Soil</h1>{times}</article></main>"

    assert look_at_page(judge_published_date, post, page).result == result


def test_a_date_may_stand_outside_the_content(post: Post) -> None:
    page = '<p data-blog-published>On <time datetime="2026-11-21">b</time></p><article data-blog-content></article>'

    assert look_at_page(judge_published_date, post, page).result == "pass"


def test_a_first_date_in_the_future_is_shown_by_no_page(post: Post) -> None:
    html = "<article data-blog-content><h1>Soil</h1></article>"

    assert look_at_page(judge_published_date, post, html).result == "fail"
    assert (
        look(judge_published_date, post, staged={"/blog/soil": html}, now=NOW - timedelta(1)).result == "not verified"
    )
