"""E1, E3, E5, E6 and E7: who wrote an article, and when it was published, changed and corrected."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import override_settings

from blog_engine.models import Post
from blog_engine.surface_report.byline import (
    judge_author,
    judge_author_link,
    judge_corrections,
    judge_modified_date,
    judge_published_date,
)
from tests.requirements import requirement
from tests.support.databases import replayed
from tests.support.factories import DECLARATION, FIRST, LATER, MODIFIED, NOW, publish, unpublish, update
from tests.support.hosts import blog_settings
from tests.surface_report.conftest import TODAY, adopt, answer, article, look, look_at_page, look_at_status

pytestmark = pytest.mark.django_db

AUTHOR = "/blog/author/ada-example"
BYLINE = '<p class="blog-byline__author" data-blog-author>'
NAME = '<a href="/blog/author/ada-example" dir="auto">Ada Example</a>'
SIGNED = '"author":{"@type":"Person","name":"Ada Example"'
LD = '<script type="application/ld+json">{"@type": "Article", "author": {"name": "Ada"}}</script>'


@pytest.fixture
def post() -> Post:
    return article()


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
def test_both_places_without_an_author_are_reported(post: Post) -> None:
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


def test_the_byline_may_be_outside_the_content(post: Post) -> None:
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
def test_an_author_link_without_an_answer_is_not_verified(post: Post) -> None:
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


def test_a_date_may_be_outside_the_content(post: Post) -> None:
    page = '<p data-blog-published>On <time datetime="2026-11-21">b</time></p><article data-blog-content></article>'

    assert look_at_page(judge_published_date, post, page).result == "pass"


def test_a_first_date_in_the_future_is_shown_by_no_page(post: Post) -> None:
    html = "<article data-blog-content><h1>Soil</h1></article>"

    assert look_at_page(judge_published_date, post, html).result == "fail"
    assert (
        look(judge_published_date, post, staged={"/blog/soil": html}, now=NOW - timedelta(1)).result == "not verified"
    )


AT = "2026-11-21T13:00:00+00:00"
SITEMAP = "/blog/sitemap.xml"
STRUCTURED = f'"dateModified":"{AT}"'
VISIBLE = f'<time datetime="{AT}">'


@pytest.fixture
@replayed
def changed() -> Post:
    """An article that was changed an hour after it was published."""
    return update(article(), body="New.", change="substantive").post


def sitemap(lastmod: str | None, *, path: str = "/blog/soil") -> dict[str, str]:
    date = "" if lastmod is None else f"<lastmod>{lastmod}</lastmod>"
    return {SITEMAP: f"<urlset><url><loc>https://example.com{path}</loc>{date}</url></urlset>"}


@requirement("surface-report.e6")
def test_all_places_are_in_the_details(changed: Post) -> None:
    found = look(judge_modified_date, changed)

    assert (found.result, found.details) == (
        "pass",
        {"expected": AT, "structured_data": AT, "page": AT, "sitemap": AT},
    )


@requirement("surface-report.e6")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (STRUCTURED, '"dateModified":"2026-11-21T13:00:01+00:00"'),
        (STRUCTURED, '"dateModified":"2026-11-20"'),
        (STRUCTURED, '"dateModified":"yesterday"'),
        (STRUCTURED, '"dateModified":13'),
        (STRUCTURED, f'"dateChanged":"{AT}"'),
        (VISIBLE, '<time datetime="2026-11-21T12:59:59Z">'),
        (VISIBLE, '<time datetime="2026-11-22">'),
        (VISIBLE, '<time datetime="now">'),
        (VISIBLE, f'<time datetime="{AT}" hidden>'),
        ('<span class="blog-fact__label">Updated</span>', ""),
    ],
)
def test_another_date_or_none_on_the_page_fails(changed: Post, old: str, new: str) -> None:
    assert look(judge_modified_date, changed, (old, new)).result == "fail"


@requirement("surface-report.e6")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (STRUCTURED, '"dateModified":"2026-11-21"'),
        (STRUCTURED, '"dateModified":"2026-11-21T13:00:00.999Z"'),
        (STRUCTURED, '"dateModified":"2026-11-21T22:00:00+09:00"'),
        (VISIBLE, '<time datetime="2026-11-21">'),
    ],
)
def test_days_agree_by_day_and_moments_to_the_second(changed: Post, old: str, new: str) -> None:
    assert look(judge_modified_date, changed, (old, new)).result == "pass"


@requirement("surface-report.e6")
@pytest.mark.parametrize(
    ("lastmod", "result"),
    [
        ("2026-11-21", "pass"),
        ("2026-11-21T13:00:00Z", "pass"),
        (" 2026-11-21T14:00:00+01:00 ", "pass"),
        (None, "pass"),
        ("", "pass"),
        ("2026-11-22", "fail"),
        ("2026-11-21T13:00:01Z", "fail"),
        ("soon", "fail"),
    ],
)
def test_the_date_in_the_sitemap_is_compared(changed: Post, lastmod: str | None, result: str) -> None:
    assert look(judge_modified_date, changed, staged=sitemap(lastmod)).result == result


@requirement("surface-report.e6")
def test_the_sitemap_need_not_list_the_article(changed: Post) -> None:
    found = look(judge_modified_date, changed, staged=sitemap("2026-11-22", path="/blog/stone"))

    assert (found.result, found.details and found.details["sitemap"]) == ("pass", None)


@requirement("surface-report.e6")
@pytest.mark.parametrize(
    ("found", "result"),
    [
        (None, "not verified"),
        (answer(status=404), "not verified"),
        (answer(status=500), "not verified"),
        (answer("<urlset>"), "fail"),
        (answer("<feed/>"), "fail"),
    ],
)
def test_a_sitemap_that_cannot_be_read(changed: Post, found: Any, result: str) -> None:
    assert look(judge_modified_date, changed, staged={SITEMAP: found}).result == result
    assert (
        look(judge_modified_date, changed, (STRUCTURED, f'"dateChanged":"{AT}"'), staged={SITEMAP: found}).result
        == "fail"
    )


@override_settings(BLOG_ENGINE=blog_settings(serve_sitemap=False))
def test_without_a_sitemap_of_the_blog_it_is_not_verified(changed: Post) -> None:
    assert look(judge_modified_date, changed).result == "not verified"


@requirement("surface-report.e6")
@pytest.mark.parametrize("status", [None, 404])
def test_a_page_that_is_not_open_is_not_verified(changed: Post, status: int | None) -> None:
    assert look_at_status(judge_modified_date, changed, status).result == "not verified"


@requirement("surface-report.e6")
@pytest.mark.parametrize("change", ["substantive", "correction", "maintenance"])
def test_only_maintenance_leaves_the_date_alone(change: str) -> None:
    changed = article()
    note = {"note": "Old."} if change == "correction" else {}
    update(changed, body="New.", change=change, **note)

    found = look(judge_modified_date, changed)

    expected = "2026-11-21T12:00:00+00:00" if change == "maintenance" else AT
    assert (found.result, found.details and found.details["expected"]) == ("pass", expected)


@requirement("surface-report.e6")
def test_of_several_changes_the_last_one_counts(changed: Post) -> None:
    update(changed, body="Newer.", change="correction", note="Old.", now=LATER + timedelta(hours=2))

    found = look(judge_modified_date, changed)

    expected = "2026-11-21T15:00:00+00:00"
    assert (found.result, found.details and found.details["expected"]) == ("pass", expected)


@requirement("surface-report.e6")
def test_an_article_that_never_changed_shows_no_updated_date() -> None:
    found = look(judge_modified_date, article())

    first = "2026-11-21T12:00:00+00:00"
    assert (found.result, found.details) == (
        "pass",
        {"expected": first, "structured_data": first, "page": None, "sitemap": first},
    )


@requirement("surface-report.e6")
@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ({"last_modified_at": MODIFIED, "last_modified_evidence": "Dump"}, "2020-06-07T08:09:10+00:00"),
        ({"first_published_at": FIRST, "first_published_evidence": "Dump"}, None),
        ({}, None),
    ],
)
def test_an_import_has_the_date_that_it_was_given(dates: dict[str, Any], expected: str | None) -> None:
    found = look(judge_modified_date, adopt(**dates).post)

    assert (found.result, found.details and found.details["expected"]) == (
        "pass" if expected else "not verified",
        expected,
    )


def test_a_change_of_an_import_counts() -> None:
    changed = adopt(last_modified_at=MODIFIED, last_modified_evidence="Dump").post
    update(changed, body="New.", change="substantive")

    found = look(judge_modified_date, changed)

    assert (found.result, found.details and found.details["expected"]) == ("pass", AT)


@requirement("surface-report.e6")
@pytest.mark.parametrize(
    ("now", "result"),
    [(LATER, "pass"), (LATER - timedelta(seconds=1), "fail"), (NOW - timedelta(seconds=1), "not verified")],
)
def test_changes_of_the_future_do_not_count(changed: Post, now: datetime, result: str) -> None:
    assert now < TODAY
    assert look(judge_modified_date, changed, now=now).result == result


SECOND = LATER + timedelta(hours=2)
HEAD = '<strong class="blog-correction__label">Correction</strong>'


@pytest.fixture
@replayed
def corrected() -> Post:
    """An article that was corrected twice."""
    corrected = article(body="It was 4.31 m.")
    update(corrected, body="One.", change="correction", note="It was <4.31> m.\nWe had 4.13 m.\x81Sorry.")
    return update(corrected, body="Two.", change="correction", note="It was Tuesday.", now=SECOND).post


@requirement("surface-report.e7")
def test_all_corrections_with_a_notice_pass(corrected: Post) -> None:
    assert look(judge_corrections, corrected).result == "pass"


@requirement("surface-report.e7")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We had 4.13 m.", ""),
        ('<div class="blog-correction__note" dir="auto">', '<div class="blog-correction__note" hidden>'),
        ('<section class="blog-corrections"', '<section class="blog-corrections" aria-hidden="true"'),
        (f'{HEAD} <time datetime="{AT}">', f'{HEAD} <time datetime="2026-11-21T13:00:01+00:00">'),
        (f'{HEAD} <time datetime="{AT}">', f'{HEAD} <time datetime="2026-11-22">'),
        (f'{HEAD} <time datetime="{AT}">', f'{HEAD} <time datetime="{AT}" hidden>'),
        (f'{HEAD} <time datetime="{AT}">', f"{HEAD} <time>"),
    ],
)
def test_a_correction_without_a_notice_fails(corrected: Post, old: str, new: str) -> None:
    assert look(judge_corrections, corrected, (old, new)).result == "fail"


@requirement("surface-report.e7")
def test_notes_under_the_dates_of_others_fail(corrected: Post) -> None:
    found = look(judge_corrections, corrected, ("It was Tuesday.", "…"), ("Sorry.", "Sorry. It was Tuesday."))

    assert (found.result, found.details) == (
        "fail",
        {"missing": [{"occurred_at": "2026-11-21T15:00:00+00:00", "note": "It was Tuesday."}]},
    )


@requirement("surface-report.e7")
def test_corrections_of_the_future_are_not_asked_for(corrected: Post) -> None:
    note = "It was Tuesday."

    assert look(judge_corrections, corrected, (note, ""), now=SECOND - timedelta(seconds=1)).result == "pass"
    assert look(judge_corrections, corrected, (note, ""), now=SECOND).result == "fail"
    assert look(judge_corrections, corrected, now=LATER - timedelta(seconds=1)).result == "not applicable"


@requirement("surface-report.e7")
def test_an_article_without_corrections_is_not_applicable() -> None:
    corrected = update(article(), body="New.", change="substantive").post

    assert look(judge_corrections, corrected).result == "not applicable"
    assert look_at_status(judge_corrections, corrected, None).result == "not applicable"


@requirement("surface-report.e7")
@pytest.mark.parametrize(("status", "result"), [(None, "not verified"), (404, "fail")])
def test_a_page_that_is_not_open(corrected: Post, status: int | None, result: str) -> None:
    assert look_at_status(judge_corrections, corrected, status).result == result


@pytest.mark.parametrize(
    ("told", "result"),
    [
        ('<p data-blog-correction><time datetime="2026-11-21T13:00:00Z">Saturday</time>: It was Monday.</p>', "pass"),
        ('<p data-blog-correction><time datetime="2026-11-21">21.11.</time> It was <b>Monday</b>.</p>', "pass"),
        ('<p><time datetime="2026-11-21">21.11.</time> It was Monday.</p>', "fail"),
        ('<p>It was Monday.</p><p data-blog-correction><time datetime="2026-11-21">21.11.</time></p>', "fail"),
        ('<p data-blog-card data-blog-correction><time datetime="2026-11-21">x</time> It was Monday.</p>', "fail"),
        ('<p data-blog-correction><time datetime="2026-11-21">x</time> It was Monday morning.</p>', "fail"),
    ],
)
def test_notices_of_a_host_are_found_by_marker_date_and_note(told: str, result: str) -> None:
    corrected = article()
    update(corrected, body="New.", change="correction", note="It was\n\nMonday.")

    page = f"<main><article data-blog-content><h1>Soil</h1>{told}</article></main>"

    assert look_at_page(judge_corrections, corrected, page).result == result
