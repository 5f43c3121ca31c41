"""E6: when an article last changed."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import override_settings

from blog_engine.models import Post
from blog_engine.surface_report.byline import judge_modified_date
from tests.reader.changes import blog_settings
from tests.requirements import requirement
from tests.support.factories import FIRST, LATER, MODIFIED, NOW, adopt, save, update
from tests.surface_report.looking import TODAY, answer, look, look_at_status

pytestmark = pytest.mark.django_db

AT = "2026-11-21T13:00:00+00:00"
SITEMAP = "/blog/sitemap.xml"
STRUCTURED = f'"dateModified":"{AT}"'
VISIBLE = f'<time datetime="{AT}">'


@pytest.fixture
def post() -> Post:
    """An article that was changed an hour after it was published."""
    return update(save(title="Soil", publish=True).post, body="New.", change="substantive").post


def sitemap(lastmod: str | None, *, path: str = "/blog/soil") -> dict[str, str]:
    date = "" if lastmod is None else f"<lastmod>{lastmod}</lastmod>"
    return {SITEMAP: f"<urlset><url><loc>https://example.com{path}</loc>{date}</url></urlset>"}


@requirement("surface-report.e6")
def test_all_places_are_told(post: Post) -> None:
    found = look(judge_modified_date, post)

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
def test_another_date_or_none_on_the_page_fails(post: Post, old: str, new: str) -> None:
    assert look(judge_modified_date, post, (old, new)).result == "fail"


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
def test_days_agree_by_day_and_moments_to_the_second(post: Post, old: str, new: str) -> None:
    assert look(judge_modified_date, post, (old, new)).result == "pass"


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
def test_the_date_in_the_sitemap_is_compared(post: Post, lastmod: str | None, result: str) -> None:
    assert look(judge_modified_date, post, staged=sitemap(lastmod)).result == result


@requirement("surface-report.e6")
def test_the_sitemap_need_not_list_the_article(post: Post) -> None:
    found = look(judge_modified_date, post, staged=sitemap("2026-11-22", path="/blog/stone"))

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
def test_a_sitemap_that_cannot_be_read(post: Post, found: Any, result: str) -> None:
    assert look(judge_modified_date, post, staged={SITEMAP: found}).result == result
    assert (
        look(judge_modified_date, post, (STRUCTURED, f'"dateChanged":"{AT}"'), staged={SITEMAP: found}).result == "fail"
    )


@override_settings(BLOG_ENGINE=blog_settings(serve_sitemap=False))
def test_without_a_sitemap_of_the_blog_it_is_not_verified(post: Post) -> None:
    assert look(judge_modified_date, post).result == "not verified"


@requirement("surface-report.e6")
@pytest.mark.parametrize("status", [None, 404])
def test_a_page_that_is_not_open_is_not_verified(post: Post, status: int | None) -> None:
    assert look_at_status(judge_modified_date, post, status).result == "not verified"


@requirement("surface-report.e6")
@pytest.mark.parametrize("change", ["substantive", "correction", "maintenance"])
def test_only_maintenance_leaves_the_date_alone(change: str) -> None:
    post = save(title="Soil", publish=True).post
    note = {"note": "Old."} if change == "correction" else {}
    update(post, body="New.", change=change, **note)

    found = look(judge_modified_date, post)

    expected = "2026-11-21T12:00:00+00:00" if change == "maintenance" else AT
    assert (found.result, found.details and found.details["expected"]) == ("pass", expected)


@requirement("surface-report.e6")
def test_of_several_changes_the_last_one_counts(post: Post) -> None:
    update(post, body="Newer.", change="correction", note="Old.", now=LATER + timedelta(hours=2))

    found = look(judge_modified_date, post)

    expected = "2026-11-21T15:00:00+00:00"
    assert (found.result, found.details and found.details["expected"]) == ("pass", expected)


@requirement("surface-report.e6")
def test_an_article_that_never_changed_shows_no_updated_date() -> None:
    found = look(judge_modified_date, save(title="Soil", publish=True).post)

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
def test_an_import_has_the_date_that_it_told(dates: dict[str, Any], expected: str | None) -> None:
    found = look(judge_modified_date, adopt(**dates).post)

    assert (found.result, found.details and found.details["expected"]) == (
        "pass" if expected else "not verified",
        expected,
    )


def test_a_change_of_an_import_counts() -> None:
    post = adopt(last_modified_at=MODIFIED, last_modified_evidence="Dump").post
    update(post, body="New.", change="substantive")

    found = look(judge_modified_date, post)

    assert (found.result, found.details and found.details["expected"]) == ("pass", AT)


@requirement("surface-report.e6")
@pytest.mark.parametrize(
    ("now", "result"),
    [(LATER, "pass"), (LATER - timedelta(seconds=1), "fail"), (NOW - timedelta(seconds=1), "not verified")],
)
def test_changes_of_the_future_do_not_count(post: Post, now: datetime, result: str) -> None:
    assert now < TODAY
    assert look(judge_modified_date, post, now=now).result == result
