"""E18: whether a person checked the facts of what is public."""

from datetime import timedelta
from typing import Any

import pytest

from blog_engine.content.text import in_utc
from blog_engine.enums import ReportResult
from blog_engine.models import Post
from blog_engine.surface_report.notices import judge_review
from blog_engine.surface_report.observation import Observation
from tests.requirements import requirement
from tests.support.factories import DECLARATION, IMPORTED, LATER, NOW, adopt, approve, save, update
from tests.surface_report.looking import look, look_at_status

pytestmark = pytest.mark.django_db

REVIEW = {"name": "Rosa Reviewer", "facts_checked": True}
REVIEWED = "2020-01-02T03:04:05+00:00"


def found_with(approvals: list[bool], **fields: Any) -> Observation:
    post = save(**{"publish": True} | fields).post
    for facts_checked in approvals:
        approve(post, facts_checked=facts_checked)
    return look(judge_review, post)


@requirement("surface-report.e18")
@pytest.mark.parametrize(
    ("provenance", "approvals", "result"),
    [
        ("ai_assisted", [], "fail"),
        ("ai_assisted", [False], "fail"),
        ("ai_assisted", [True], "pass"),
        ("ai_assisted", [False, True, False], "pass"),
        ("unknown", [], "not verified"),
        ("unknown", [False], "not verified"),
        ("unknown", [True], "pass"),
        ("human_written", [], "not applicable"),
        ("human_written", [True], "not applicable"),
    ],
)
def test_the_result_follows_origin_and_approvals(provenance: str, approvals: list[bool], result: str) -> None:
    assert found_with(approvals, provenance=provenance).result == result


def test_the_reason_tells_an_approval_without_a_check_from_none() -> None:
    unchecked, absent = found_with([False], title="One"), found_with([], title="Two")

    assert "without a check of its facts" in unchecked.reason
    assert "No approval" in absent.reason


@requirement("surface-report.e18.marks")
def test_a_review_that_came_with_the_release_has_no_mark() -> None:
    post = save(provenance="ai_assisted", approval=REVIEW, publish=True).post

    assert look(judge_review, post) == Observation(
        ReportResult.PASS,
        "Rosa Reviewer checked the facts of the public revision.",
        details={"approved_at": in_utc(NOW, "milliseconds"), "released_at": in_utc(NOW, "milliseconds")},
    )


@requirement("surface-report.e18.marks")
def test_a_review_after_the_release_is_marked() -> None:
    post = save(provenance="ai_assisted", publish=True).post
    approve(post, now=LATER)

    found = look(judge_review, post)

    assert (found.result, found.marks) == (ReportResult.PASS, ("review after release",))
    assert found.details == {"approved_at": in_utc(LATER, "milliseconds"), "released_at": in_utc(NOW, "milliseconds")}


@requirement("surface-report.e18.marks")
@pytest.mark.parametrize(
    ("fields", "marks"),
    [
        ({"declaration": DECLARATION}, ("publisher declaration",)),
        ({"imported_approval": IMPORTED}, ()),
        (
            {"declaration": DECLARATION | {"approved_at": (NOW + timedelta(days=1)).isoformat()}},
            ("publisher declaration", "review after release"),
        ),
    ],
)
def test_a_declared_review_is_marked(fields: dict[str, Any], marks: tuple[str, ...]) -> None:
    found = look(judge_review, adopt(provenance="ai_assisted", provenance_evidence="Mail of 2019", **fields).post)

    assert (found.result, found.marks) == (ReportResult.PASS, marks)


@requirement("surface-report.e18.marks")
def test_of_several_reviews_the_best_counts() -> None:
    post = adopt(declaration=DECLARATION).post
    declared = look(judge_review, post)
    approve(post, now=NOW - timedelta(days=1))

    assert (declared.marks, look(judge_review, post).marks) == (("publisher declaration",), ())


@requirement("surface-report.e18")
def test_a_review_of_an_earlier_revision_is_none() -> None:
    post = save(provenance="ai_assisted", approval=REVIEW, publish=True).post
    update(post, body="New.", change="substantive")

    found = look(judge_review, post)

    assert found.result == "fail"
    assert found.details == {"approved_at": None, "released_at": in_utc(LATER, "milliseconds")}


def test_a_review_of_a_revision_that_came_back_is_compared_with_its_first_release() -> None:
    post = save(provenance="ai_assisted", body="Old.", approval=REVIEW, publish=True).post
    update(post, body="New.", change="substantive")
    update(post, body="Old.", change="substantive", now=LATER + timedelta(hours=1))

    assert look(judge_review, post).marks == ()


def test_records_need_no_page() -> None:
    post = save(provenance="ai_assisted", approval=REVIEW, publish=True).post

    assert look_at_status(judge_review, post, None).result == "pass"
    assert Post.objects.get(pk=post.pk).public_revision is not None
