"""E7: readers are told of corrections."""

from datetime import timedelta

import pytest

from blog_engine.models import Post
from blog_engine.surface_report.byline import judge_corrections
from tests.requirements import requirement
from tests.support.factories import LATER, save, update
from tests.surface_report.looking import look, look_at_page, look_at_status

pytestmark = pytest.mark.django_db

AT = "2026-11-21T13:00:00+00:00"
SECOND = LATER + timedelta(hours=2)
HEAD = '<strong class="blog-correction__label">Correction</strong>'


@pytest.fixture
def post() -> Post:
    """An article that was corrected twice."""
    post = save(title="Soil", body="It was 4.31 m.", publish=True).post
    update(post, body="One.", change="correction", note="It was <4.31> m.\nWe had 4.13 m.\x81Sorry.")
    return update(post, body="Two.", change="correction", note="It was Tuesday.", now=SECOND).post


@requirement("surface-report.e7")
def test_all_corrections_that_are_told_pass(post: Post) -> None:
    assert look(judge_corrections, post).result == "pass"


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
def test_one_that_is_not_told_fails(post: Post, old: str, new: str) -> None:
    assert look(judge_corrections, post, (old, new)).result == "fail"


@requirement("surface-report.e7")
def test_notes_under_the_dates_of_others_fail(post: Post) -> None:
    found = look(judge_corrections, post, ("It was Tuesday.", "…"), ("Sorry.", "Sorry. It was Tuesday."))

    assert (found.result, found.details) == (
        "fail",
        {"missing": [{"occurred_at": "2026-11-21T15:00:00+00:00", "note": "It was Tuesday."}]},
    )


@requirement("surface-report.e7")
def test_corrections_of_the_future_are_not_asked_for(post: Post) -> None:
    note = "It was Tuesday."

    assert look(judge_corrections, post, (note, ""), now=SECOND - timedelta(seconds=1)).result == "pass"
    assert look(judge_corrections, post, (note, ""), now=SECOND).result == "fail"
    assert look(judge_corrections, post, now=LATER - timedelta(seconds=1)).result == "not applicable"


@requirement("surface-report.e7")
def test_an_article_without_corrections_has_nothing_to_tell() -> None:
    post = update(save(title="Soil", publish=True).post, body="New.", change="substantive").post

    assert look(judge_corrections, post).result == "not applicable"
    assert look_at_status(judge_corrections, post, None).result == "not applicable"


@requirement("surface-report.e7")
@pytest.mark.parametrize(("status", "result"), [(None, "not verified"), (404, "fail")])
def test_a_page_that_is_not_open(post: Post, status: int | None, result: str) -> None:
    assert look_at_status(judge_corrections, post, status).result == result


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
    post = save(title="Soil", publish=True).post
    update(post, body="New.", change="correction", note="It was\n\nMonday.")

    page = f"<main><article data-blog-content><h1>Soil</h1>{told}</article></main>"

    assert look_at_page(judge_corrections, post, page).result == result
