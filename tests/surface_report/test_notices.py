"""E18, E20, E21 and E22: whether facts were reviewed, and what readers must learn."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import override_settings

from blog_engine.content.text import in_utc
from blog_engine.enums import ReportResult
from blog_engine.models import Post
from blog_engine.surface_report.notices import judge_ai_notice, judge_disclosure, judge_paid_notice, judge_review
from blog_engine.surface_report.observation import Observation, failed, not_applicable, not_verified, passed
from blog_engine.surface_report.site import InspectedArticle, Inspection
from tests.requirements import requirement
from tests.support.factories import DECLARATION, IMPORTED, LATER, NOW, approve, declare, update
from tests.support.hosts import blog_settings
from tests.surface_report.conftest import adopt, look, look_at_page, look_at_status, save
from tests.surface_report.test_content_tampered import host_template
from tests.surface_report.test_report import GARBAGE

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


def test_an_approval_without_a_check_has_its_own_reason() -> None:
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


PROVEN: Final = [passed("Open."), passed("Checked."), passed("Same.")]
OPEN: Final = [*PROVEN[:2], failed("Another.")]
CONNECTIONS: Final = [
    {"party": "Ferries & Sons", "relation": "paid for <two> crossings"},
    {"party": "Quay  Ltd", "relation": "customer"},
]
AI: Final = '<div class="blog-notice blog-notice--ai"'
PAID: Final = '<div class="blog-notice blog-notice--paid"'
SENTENCE: Final = '<p class="blog-notice__sentence">'


def ai_notice(
    post: Post, *changes: tuple[str, str], evidence: Sequence[Observation] = OPEN, page: str | None = None
) -> Observation:
    def check(article: InspectedArticle, inspection: Inspection) -> Observation:
        return judge_ai_notice(article, inspection, evidence)

    return look(check, post, *changes) if page is None else look_at_page(check, post, page)


def assisted(**fields: Any) -> Post:
    sent: dict[str, Any] = {"title": "Soil", "body": "Calm sea.", "provenance": "ai_assisted", "publish": True}
    return save(**sent | fields).post


@requirement("surface-report.e20")
@pytest.mark.parametrize(
    ("evidence", "result"),
    [
        (PROVEN, "not applicable"),
        ([*PROVEN[:2], not_applicable("None.")], "not applicable"),
        ([failed("Closed."), *PROVEN[1:]], "pass"),
        ([*PROVEN[:2], not_verified("Silent.")], "pass"),
        (PROVEN[:2], "pass"),
        ([], "pass"),
    ],
)
@pytest.mark.parametrize("provenance", ["ai_assisted", "unknown"])
def test_a_notice_is_needed_where_something_is_not_proven(
    provenance: str, evidence: list[Observation], result: str
) -> None:
    assert ai_notice(assisted(provenance=provenance), evidence=evidence).result == result


@requirement("surface-report.e20")
def test_what_people_wrote_needs_none() -> None:
    assert ai_notice(assisted(provenance="human_written"), evidence=[]).result == "not applicable"


@requirement("surface-report.e20")
def test_the_details_compare_with_the_label() -> None:
    post = assisted()
    shown = ai_notice(post)
    approve(post)
    cleared, needless = ai_notice(post), ai_notice(post, evidence=PROVEN)

    assert (shown.result, shown.details) == ("pass", {"label": "ai_assisted", "needed": True})
    assert (cleared.result, cleared.details) == ("fail", {"label": "none", "needed": True})
    assert (needless.result, needless.details) == ("not applicable", {"label": "none", "needed": False})


@requirement("surface-report.e20")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (AI, f"{AI} hidden"),
        (AI, f'{AI} style="display:none"'),
        (AI, '<div class="blog-notice" aria-hidden="true"'),
        ('<div class="blog-notices"', '<div aria-hidden="true" class="blog-notices"'),
        (AI, '<template class="blog-notice--ai"'),
        (SENTENCE, "<p hidden>"),
    ],
)
def test_a_hidden_notice_is_none(old: str, new: str) -> None:
    assert ai_notice(assisted(), (old, new)).result == "fail"


@requirement("surface-report.e20")
@pytest.mark.parametrize(
    ("html", "result"),
    [
        ("<p data-blog-ai-notice>Made with a machine.</p><div data-blog-body>x</div>", "pass"),
        ("<main><p data-blog-ai-notice>AI</p><article><div data-blog-body>x</div></article></main>", "pass"),
        ("<p data-blog-ai-notice>AI helped.</p>", "pass"),
        ("<p>AI helped to make this article.</p><div data-blog-body>x</div>", "fail"),
        ("<p hidden data-blog-ai-notice>AI</p><div data-blog-body>x</div>", "fail"),
        ("<div hidden><p data-blog-ai-notice>AI</p></div><div data-blog-body>x</div>", "fail"),
        ("<div data-blog-body>x</div><p data-blog-ai-notice>AI helped.</p>", "fail"),
        ("<div data-blog-body><p data-blog-ai-notice>AI helped.</p></div>", "fail"),
        ("<div data-blog-ai-notice> </div><div data-blog-body>x</div>", "fail"),
        ("<p data-blog-paid-notice>Paid.</p><div data-blog-body>x</div>", "fail"),
    ],
)
def test_a_host_marks_its_own_notice_before_the_body(html: str, result: str) -> None:
    assert ai_notice(assisted(), page=html).result == result


@requirement("surface-report.e20")
@pytest.mark.parametrize("locale", ["de", "ar"])
def test_the_words_do_not_matter(locale: str, tmp_path: Path) -> None:
    own = "<p data-blog-ai-notice>{{ article.ai_notice }}</p><p data-blog-paid-notice>{{ article.paid_notice }}</p>"
    settings = blog_settings(locale=locale)

    with override_settings(BLOG_ENGINE=settings, TEMPLATES=host_template(tmp_path, "_notices.html", own)):
        post = assisted()
        declare(post, third_party_paid=True)

        assert (ai_notice(post).result, look(judge_paid_notice, post).result) == ("pass", "pass")


@requirement("surface-report.closed")
@pytest.mark.parametrize(("status", "result"), [(None, "not verified"), (404, "fail")])
def test_a_page_that_is_not_open_has_no_notices(status: int | None, result: str) -> None:
    post = assisted()
    declare(post, connections=CONNECTIONS, third_party_paid=True)

    def check(article: InspectedArticle, inspection: Inspection) -> Observation:
        return judge_ai_notice(article, inspection, OPEN)

    for one in (check, judge_disclosure, judge_paid_notice):
        assert look_at_status(one, post, status).result == result


@requirement("surface-report.e21")
@pytest.mark.parametrize(
    ("declared", "result"),
    [(None, "not verified"), ([], "not applicable"), (CONNECTIONS, "pass"), (CONNECTIONS[:1], "pass")],
)
def test_the_disclosure_follows_the_declaration(declared: list[dict[str, str]] | None, result: str) -> None:
    post = assisted()
    if declared is not None:
        declare(post, connections=[{"party": "Old Ltd", "relation": "owner"}])
        declare(post, connections=declared)

    assert look(judge_disclosure, post).result == result


@requirement("surface-report.e21")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ferries &amp; Sons:", "Ferries:"),
        ("paid for &lt;two&gt; crossings", "paid for crossings"),
        ('<li dir="auto">Quay', "<li hidden>Quay"),
        ('<section class="blog-disclosure"', '<section aria-hidden="true"'),
        (" data-blog-content", ""),
    ],
)
def test_a_connection_that_readers_do_not_see_fails(old: str, new: str) -> None:
    post = assisted(title="Ferries & Sons: customer", body="Ferries & Sons paid for <two> crossings: Quay Ltd.")
    declare(post, connections=CONNECTIONS)

    assert look(judge_disclosure, post, (old, new)).result == "fail"


@requirement("surface-report.e21")
@pytest.mark.parametrize(
    ("html", "result"),
    [
        ("<article data-blog-content><p data-blog-disclosure>We: customer of Quay Ltd.</p></article>", "pass"),
        ("<article data-blog-content><p>We: customer of Quay Ltd.</p></article>", "fail"),
        ("<article data-blog-content><p data-blog-body data-blog-disclosure>Quay Ltd, customer</p></article>", "fail"),
        ("<article data-blog-content><p hidden data-blog-disclosure>Quay Ltd, customer</p></article>", "fail"),
        ("<article data-blog-content hidden><p data-blog-disclosure>Quay Ltd, customer</p></article>", "fail"),
        ("<p data-blog-disclosure>Quay Ltd, customer</p>", "fail"),
    ],
)
def test_a_host_discloses_in_the_content_beside_the_body(html: str, result: str) -> None:
    post = assisted()
    declare(post, connections=CONNECTIONS[1:])

    assert look_at_page(judge_disclosure, post, html).result == result


@requirement("surface-report.e22")
@pytest.mark.parametrize(("paid", "result"), [(None, "not verified"), (False, "not applicable"), (True, "pass")])
def test_the_paid_notice_follows_the_declaration(paid: bool | None, result: str) -> None:
    post = assisted()
    if paid is not None:
        declare(post, third_party_paid=not paid)
        declare(post, third_party_paid=paid)

    assert look(judge_paid_notice, post).result == result


@requirement("surface-report.e22")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (PAID, f"{PAID} hidden"),
        (PAID, f'{PAID} aria-hidden="true"'),
        (PAID, f"<div data-blog-body>x</div>{PAID}"),
        ("A third party paid for this article.", ""),
    ],
)
def test_a_paid_notice_that_readers_do_not_see_in_time_fails(old: str, new: str) -> None:
    post = assisted()
    declare(post, third_party_paid=True)

    assert look(judge_paid_notice, post, (old, new)).result == "fail"


@requirement("surface-report.malformed-pages")
@pytest.mark.parametrize("garbage", GARBAGE)
def test_no_page_is_too_broken(garbage: str) -> None:
    post = assisted()
    declare(post, connections=CONNECTIONS, third_party_paid=True)

    assert ai_notice(post, page=GARBAGE[garbage]).result == "fail"
    for check in (judge_disclosure, judge_paid_notice):
        assert look_at_page(check, post, GARBAGE[garbage]).result == "fail"
