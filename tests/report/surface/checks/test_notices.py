"""E20 to E22: what readers must be told about how an article was made."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import override_settings

from blog_engine.models import Post
from blog_engine.report.surface.checks.notices import check_ai_notice, check_disclosure, check_paid_notice
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import Observation, failed, not_applicable, not_verified, passed
from tests.reader.changes import blog_settings
from tests.report.surface.altering import look, look_at_page, look_at_status
from tests.report.surface.checks.test_articles import GARBAGE
from tests.report.surface.checks.test_content_tampered import host_template
from tests.requirements import requirement
from tests.support.factories import approve, declare, save

pytestmark = pytest.mark.django_db

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
    def check(article: Article, inspection: Inspection) -> Observation:
        return check_ai_notice(article, inspection, evidence)

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
        ("<p>AI helped to make this article.</p><div data-blog-body>x</div>", "pass"),
        ("<div><b>AI</b> helped\n to make <i>this article</i>. Read on.</div><div data-blog-body>x</div>", "pass"),
        ("<main><p>AI helped to make this article.</p><article><div data-blog-body>x</div></article></main>", "pass"),
        ("<p>AI helped to make this article.</p>", "pass"),
        ("<p hidden>AI helped to make this article.</p><div data-blog-body>x</div>", "fail"),
        ("<div data-blog-body>x</div><p>AI helped to make this article.</p>", "fail"),
        ("<div data-blog-body>AI helped to make this article.</div>", "fail"),
        ("<main><div data-blog-body>x</div><div class=blog-notice--ai>AI helped.</div></main>", "fail"),
        ("<div class=blog-notice--ai>Made with a machine.</div><div data-blog-body>x</div>", "pass"),
        ("<div class=blog-notice--ai> </div><div data-blog-body>x</div>", "fail"),
        ("<p>It is not known whether AI helped to make this article.</p><div data-blog-body>x</div>", "fail"),
        ("<title>AI helped to make this article.</title><div data-blog-body>x</div>", "fail"),
    ],
)
def test_a_host_tells_it_in_the_same_words_before_the_body(html: str, result: str) -> None:
    assert ai_notice(assisted(), page=html).result == result


@requirement("surface-report.e20")
@pytest.mark.parametrize("locale", ["de", "ar"])
def test_the_words_are_those_of_the_language(locale: str, tmp_path: Path) -> None:
    own = "{% for word in '1' %}<p>{{ article.ai_notice }} {{ article.paid_notice }}</p>{% endfor %}"
    settings = blog_settings(locale=locale)

    with override_settings(BLOG_ENGINE=settings, TEMPLATES=host_template(tmp_path, "_notices.html", own)):
        post = assisted()
        declare(post, third_party_paid=True)

        assert (ai_notice(post).result, look(check_paid_notice, post).result) == ("pass", "pass")


@requirement("surface-report.closed")
@pytest.mark.parametrize(("status", "result"), [(None, "not verified"), (404, "fail")])
def test_a_page_that_is_not_open_tells_nothing(status: int | None, result: str) -> None:
    post = assisted()
    declare(post, connections=CONNECTIONS, third_party_paid=True)

    def check(article: Article, inspection: Inspection) -> Observation:
        return check_ai_notice(article, inspection, OPEN)

    for one in (check, check_disclosure, check_paid_notice):
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

    assert look(check_disclosure, post).result == result


@requirement("surface-report.e21")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ferries &amp; Sons:", "Ferries:"),
        ("paid for &lt;two&gt; crossings", "paid for crossings"),
        ('<li dir="auto">Quay', "<li hidden>Quay"),
        ('<section class="blog-disclosure">', '<section class="blog-disclosure" aria-hidden="true">'),
        (" data-blog-content", ""),
    ],
)
def test_a_connection_that_readers_do_not_see_fails(old: str, new: str) -> None:
    post = assisted(title="Ferries & Sons: customer", body="Ferries & Sons paid for <two> crossings: Quay Ltd.")
    declare(post, connections=CONNECTIONS)

    assert look(check_disclosure, post, (old, new)).result == "fail"


@requirement("surface-report.e21")
@pytest.mark.parametrize(
    ("html", "result"),
    [
        ("<article data-blog-content><p>We: customer of Quay Ltd.</p><div data-blog-body>x</div></article>", "pass"),
        ("<article data-blog-content><div data-blog-body>Quay Ltd, customer</div></article>", "fail"),
        ("<article data-blog-content><p data-blog-faq>Quay Ltd, customer</p></article>", "fail"),
        ("<article data-blog-content hidden><p>Quay Ltd, customer</p></article>", "fail"),
        ("<p>Quay Ltd, customer</p>", "fail"),
    ],
)
def test_a_host_discloses_in_the_content_beside_the_body(html: str, result: str) -> None:
    post = assisted()
    declare(post, connections=CONNECTIONS[1:])

    assert look_at_page(check_disclosure, post, html).result == result


@requirement("surface-report.e22")
@pytest.mark.parametrize(("paid", "result"), [(None, "not verified"), (False, "not applicable"), (True, "pass")])
def test_the_paid_notice_follows_the_declaration(paid: bool | None, result: str) -> None:
    post = assisted()
    if paid is not None:
        declare(post, third_party_paid=not paid)
        declare(post, third_party_paid=paid)

    assert look(check_paid_notice, post).result == result


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

    assert look(check_paid_notice, post, (old, new)).result == "fail"


@requirement("surface-report.malformed-pages")
@pytest.mark.parametrize("garbage", GARBAGE)
def test_no_page_is_too_broken(garbage: str) -> None:
    post = assisted()
    declare(post, connections=CONNECTIONS, third_party_paid=True)

    assert ai_notice(post, page=GARBAGE[garbage]).result == "fail"
    for check in (check_disclosure, check_paid_notice):
        assert look_at_page(check, post, GARBAGE[garbage]).result == "fail"
