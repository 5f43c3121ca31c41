"""E1, E3 and E5: who signed an article and when, as readers see it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings

from blog_engine.models import Post
from blog_engine.report.surface.checks.byline import check_author, check_author_link, check_published_date
from tests.reader.changes import blog_settings
from tests.report.surface.altering import look, look_at_page
from tests.report.surface.inspecting import answer
from tests.requirements import requirement
from tests.support.factories import DECLARATION, FIRST, NOW, adopt, publish, save, unpublish

pytestmark = pytest.mark.django_db

AUTHOR = "/blog/author/ada-example"
BYLINE = '<p class="blog-byline__author">'
NAME = '<a href="/blog/author/ada-example" dir="auto">Ada Example</a>'
SIGNED = '"author":{"@type":"Person","name":"Ada Example"'
LD = '<script type="application/ld+json">{"@type": "Article", "author": {"name": "Ada"}}</script>'


def fact(label: str, date: str) -> str:
    return f'<p class="blog-fact"><b class="blog-fact__label">{label}</b> <time datetime="{date}">x</time></p>'


@pytest.fixture
def post() -> Post:
    return save(title="Soil", publish=True).post


@requirement("surface-report.e1")
@pytest.mark.parametrize(
    "changes",
    [
        [(BYLINE, '<p class="blog-byline__author" hidden>')],
        [(BYLINE, '<p class="blog-byline__author" style="color: red; display:none">')],
        [('<div class="blog-byline__text">', '<div aria-hidden="true">')],
        [(f"{BYLINE}{NAME}", f'{BYLINE}<a href="/blog/author/ada-example"> </a>')],
        [(SIGNED, '"author":{"@type":"Person","name":" "')],
        [(SIGNED, '"writer":{"@type":"Person","name":"Ada Example"')],
        [("application/ld+json", "application/json")],
    ],
)
def test_an_author_who_is_hidden_or_not_named_fails(post: Post, changes: list[tuple[str, str]]) -> None:
    assert look(check_author, post, *changes).result == "fail"


@requirement("surface-report.e1")
def test_both_places_without_an_author_are_told(post: Post) -> None:
    found = look(check_author, post, (NAME, ""), (SIGNED, '"author":{"@type":"Person"'))

    assert found.reason == "No author is visible in a byline. The structured data names no author of the article."


@pytest.mark.parametrize(
    ("byline", "result"),
    [
        ('<a rel="author" href="/ada">Ada</a>', "pass"),
        ('<span itemprop="name author">Ada</span>', "pass"),
        (f'<a href="{AUTHOR}">Ada</a>', "pass"),
        (f'<a href="https://example.com{AUTHOR}">Ada</a>', "pass"),
        ('<a rel="author" href="/ada" hidden>Ada</a>', "fail"),
        ('<a href="/ada">Ada</a>', "fail"),
        (f'<div class="blog-card"><p class="blog-byline__author">{NAME}</p></div>', "fail"),
        (f"<article><h2>Another</h2>{NAME}</article>", "fail"),
        (f"<nav>{NAME}</nav>", "fail"),
        (f"<aside>{NAME}</aside>", "fail"),
    ],
)
def test_a_byline_of_a_host_is_found_by_its_meaning(post: Post, byline: str, result: str) -> None:
    assert look_at_page(check_author, post, f"<main><h1>Soil</h1>{byline}</main>{LD}").result == result


def test_the_byline_may_stand_outside_the_content(post: Post) -> None:
    page = f'<main><p class="blog-byline__author">Ada</p><article data-blog-content><h1>Soil</h1></article></main>{LD}'

    assert look_at_page(check_author, post, page).result == "pass"


@requirement("surface-report.e3")
@pytest.mark.parametrize("status", [404, 301, 500])
def test_a_link_to_an_author_whose_page_does_not_open_fails(post: Post, status: int) -> None:
    found = look(check_author_link, post, staged={AUTHOR: answer(status=status)})

    assert (found.result, found.reason) == (
        "fail",
        f"The author's page https://example.com{AUTHOR} answered {status}.",
    )


@requirement("surface-report.e3")
def test_a_link_to_an_author_that_nobody_answers_is_not_verified(post: Post) -> None:
    assert look(check_author_link, post, staged={AUTHOR: None}).result == "not verified"


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
    assert look(check_author_link, post, (NAME, instead)).result == "fail"


@requirement("surface-report.e3")
@pytest.mark.parametrize(
    ("byline", "url"),
    [
        ('<p class="blog-byline__author"><a href="/people/ada">Ada</a></p>', "https://example.com/people/ada"),
        ('<p class="blog-byline__author"><a href="ada#top">Ada</a></p>', "https://example.com/blog/ada#top"),
        ('<a href="//ada.example"><b class="blog-byline__author">Ada</b></a>', "https://ada.example"),
        (
            '<b class="blog-byline__author">Ada</b> <a rel="author nofollow" href="/ada">?</a>',
            "https://example.com/ada",
        ),
        (f'<b class="blog-byline__author">Ada</b><footer>{NAME}</footer>', f"https://example.com{AUTHOR}"),
        (f'<b class="blog-byline__author">Ada</b><p hidden>{NAME}</p>', None),
    ],
)
def test_the_link_of_a_host_is_followed(post: Post, byline: str, url: str | None) -> None:
    pages = dict.fromkeys(["/people/ada", "/blog/ada", "https://ada.example", "/ada"], "Ada")

    found = look_at_page(check_author_link, post, f"<article><h1>Soil</h1>{byline}</article>", staged=pages)

    assert found.details == (url and {"url": url})


def test_a_link_is_relative_to_the_base_of_the_page(post: Post) -> None:
    html = '<head><base href="/people/"></head><body><p class="blog-byline__author"><a href="ada">Ada</a></p>'

    found = look_at_page(check_author_link, post, html, staged={"/people/ada": "Ada"})

    assert found.details == {"url": "https://example.com/people/ada"}


@requirement("surface-report.e5")
def test_the_published_date_is_the_first_entry(post: Post) -> None:
    publish(unpublish(post).post)

    found = look(check_published_date, post)

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
    found = look(check_published_date, adopt(**dates).post)

    assert (found.result, found.marks) == ("pass", marks)


@requirement("surface-report.e5")
def test_an_import_without_a_date_is_not_verified() -> None:
    assert look(check_published_date, adopt().post).result == "not verified"


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
        ('<span class="blog-fact__label">Published</span>', '<span class="blog-fact__label">Updated</span>'),
    ],
)
def test_another_date_or_none_that_is_labelled_fails(post: Post, old: str, new: str) -> None:
    assert look(check_published_date, post, (old, new)).result == "fail"


@pytest.mark.parametrize("shown", ["2026-11-21", "2026-11-21T00:00:01Z", "2026-11-21T12:00", "2026-11-22T03:00+09:00"])
def test_the_day_is_what_counts(post: Post, shown: str) -> None:
    assert look(check_published_date, post, ("2026-11-21T12:00:00+00:00", shown)).result == "pass"


@override_settings(TIME_ZONE="Pacific/Kiritimati")
def test_the_day_is_that_of_the_site(post: Post) -> None:
    assert look(check_published_date, post, ("2026-11-22T02:00:00+14:00", "2026-11-22")).result == "pass"
    assert look(check_published_date, post, ("2026-11-22T02:00:00+14:00", "2026-11-21")).result == "fail"


@override_settings(BLOG_ENGINE=blog_settings(locale="de"))
def test_the_label_is_read_in_the_language_of_the_pages(post: Post) -> None:
    label = '<span class="blog-fact__label">Veröffentlicht am</span>'

    assert look(check_published_date, post).result == "pass"
    assert look(check_published_date, post, (label, label.replace("Veröffentlicht", "Aktualisiert"))).result == "fail"


@pytest.mark.parametrize(
    ("times", "result"),
    [
        ('<p>Posted on <time datetime="2026-11-21">today</time></p>', "pass"),
        ('<time datetime="2026-11-20">a</time><time itemprop="datePublished" datetime="2026-11-21">b</time>', "pass"),
        ('<time itemprop="dateModified" datetime="2026-11-22">a</time><time datetime="2026-11-21">b</time>', "pass"),
        (
            '<p class="blog-fact"><b class="blog-fact__label">Posted:</b><time datetime="2026-11-21">b</time></p>',
            "pass",
        ),
        (f'<time datetime="2026-11-20">a</time>{fact("Published:", "2026-11-21")}', "pass"),
        (fact("Updated", "2026-11-22") + fact("Updated", "2026-11-21"), "fail"),
        (fact("", "2026-11-21"), "fail"),
        ('<time itemprop="dateModified" datetime="2026-11-21">a</time>', "fail"),
        ('<div data-blog-body><time datetime="2026-11-21">b</time></div>', "fail"),
        ('<div class="blog-correction"><time datetime="2026-11-21">b</time></div>', "fail"),
        ('<article><time datetime="2026-11-21">b</time></article>', "fail"),
    ],
)
def test_a_date_of_a_host_is_found_by_its_meaning(post: Post, times: str, result: str) -> None:
    page = f"<main><article data-blog-content><h1>Soil</h1>{times}</article></main>"

    assert look_at_page(check_published_date, post, page).result == result


def test_a_date_around_the_content_counts_when_there_is_none_in_it(post: Post) -> None:
    page = '<time datetime="2026-11-21">b</time><article data-blog-content><h1>Soil</h1></article>'

    assert look_at_page(check_published_date, post, page).result == "pass"


def test_the_dates_in_the_content_come_before_those_around_it(post: Post) -> None:
    page = (
        '<time datetime="2026-11-20">a</time><article data-blog-content><time datetime="2026-11-21">b</time></article>'
    )

    assert look_at_page(check_published_date, post, page).result == "pass"


def test_a_first_date_in_the_future_is_shown_by_no_page(post: Post) -> None:
    html = "<article data-blog-content><h1>Soil</h1></article>"

    assert look_at_page(check_published_date, post, html).result == "fail"
    assert (
        look(check_published_date, post, staged={"/blog/soil": html}, now=NOW - timedelta(1)).result == "not verified"
    )
