"""E4, E8, E16, E17 and T4: the pages of policies, and the redirects of URLs that moved."""

from datetime import date

import pytest
from django.test import override_settings

from blog_engine.enums import PolicyKind, ReportScope
from blog_engine.fetching import Fetched
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage
from blog_engine.models import Post, Redirect
from blog_engine.queries.redirects import path_key
from blog_engine.services import save_page
from blog_engine.surface_report import web as bounds
from blog_engine.surface_report.notices import policy_rows
from blog_engine.surface_report.observation import Observation
from blog_engine.surface_report.reach import redirect_rows
from blog_engine.surface_report.site import Inspection
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, remove, update
from tests.support.hosts import PLACES, at, blog_settings
from tests.surface_report.conftest import Staged, adopt, answer, article, asked, inspect, save, site, spoilt

pytestmark = pytest.mark.django_db

WHO = "/about/responsible-party/"
LINK = f'<a href="{WHO}">'


def publish_policies(*kinds: PolicyKind) -> None:
    for kind in kinds:
        fields = {"title": kind.value.replace("_", " "), "body": "We care.", "status": "published"}
        save_page(parse(SavePage, fields, fixed={"kind": kind.value}), actor=EDITOR, now=NOW)


def results(inspection: Inspection) -> list[tuple[str, int | None, str]]:
    return [(row.predicate, row.post_id, row.observation.result.value) for row in policy_rows(inspection)]


def result_of(staged: Staged, *posts: Post, scope: ReportScope = ReportScope.ALL) -> str:
    """The only result on the responsible party."""
    (found,) = (
        row.observation.result.value
        for row in policy_rows(inspect(*posts, on=site(staged), scope=scope))
        if row.predicate == "E4"
    )
    return found


@requirement("surface-report.e4", "surface-report.policies")
@pytest.mark.parametrize("place", PLACES)
def test_published_policies_that_articles_link_to_pass_wherever_the_blog_is_mounted(place: str) -> None:
    with at(place), override_settings(BLOG_ENGINE=blog_settings(policy_urls={})):
        publish_policies(*PolicyKind)
        one, two = save(title="One", publish=True).post, save(title="Two", publish=True).post

        found = results(inspect(one, two))
        combined = results(inspect(one, two, scope=ReportScope.SITE))

    others = [("E8", None, "pass"), ("E16", None, "pass"), ("E17", None, "pass")]
    assert found == [("E4", one.pk, "pass"), ("E4", two.pk, "pass"), *others]
    assert combined == [("E4", None, "pass"), *others]


@requirement("surface-report.e4", "surface-report.policies")
@override_settings(BLOG_ENGINE=blog_settings(policy_urls={}))
def test_a_policy_without_a_url_fails() -> None:
    publish_policies(PolicyKind.EDITORIAL)
    post = save(publish=True).post

    expected = [("E8", None, "fail"), ("E16", None, "pass"), ("E17", None, "fail")]
    assert results(inspect(post)) == [("E4", post.pk, "fail"), *expected]
    assert results(inspect(post, scope=ReportScope.SITE)) == [("E4", None, "fail"), *expected]
    assert results(inspect()) == [("E4", None, "fail"), *expected]


@requirement("surface-report.policies", "surface-report.closed")
@pytest.mark.parametrize(
    ("url", "result"),
    [
        ("/policy", "pass"),
        ("https://example.com/policy", "pass"),
        ("https://policies.example/policy", "pass"),
        ("/moved", "fail"),
        ("/missing", "fail"),
        ("/silent", "not verified"),
        ("https://nobody.example/", "not verified"),
        ("javascript:alert(1)", "fail"),
        ("mailto:ada@example.com", "fail"),
        ("about", "fail"),
    ],
)
def test_a_configured_policy_must_answer_200(url: str, result: str) -> None:
    staged: Staged = {
        **dict.fromkeys(["/policy", "https://policies.example/policy"], "Our policy"),
        "/moved": answer(status=301, location="/policy"),
        "/missing": answer(status=404),
        "/silent": None,
    }
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={"corrections": url})):
        found = {row.predicate: row.observation for row in policy_rows(inspect(on=site(staged)))}

    assert found["E8"].result.value == result


@requirement("surface-report.e4")
@pytest.mark.parametrize(
    ("link", "result"),
    [
        (f'<a href="https://example.com{WHO}#who">', "pass"),
        (f'<p hidden><a href="{WHO}">', "fail"),
        (f'<a href="{WHO}more">', "fail"),
        ('<a href="http://[::1">', "fail"),
        ("<a>", "fail"),
    ],
)
@pytest.mark.parametrize("scope", [ReportScope.ALL, ReportScope.SITE])
def test_an_article_needs_a_visible_link_to_the_responsible_party(scope: ReportScope, link: str, result: str) -> None:
    post = article()

    assert result_of({"/blog/soil": spoilt("/blog/soil", (LINK, link))}, post, scope=scope) == result


@requirement("surface-report.e4", "surface-report.closed")
@pytest.mark.parametrize("scope", [ReportScope.ALL, ReportScope.SITE])
def test_an_article_that_is_not_open_shows_no_link(scope: ReportScope) -> None:
    post = article()

    assert result_of({"/blog/soil": None}, post, scope=scope) == "not verified"
    assert result_of({"/blog/soil": answer(status=410)}, post, scope=scope) == "fail"
    assert result_of({WHO: None}, post, scope=scope) == "not verified"
    assert result_of({WHO: answer(status=500)}, post, scope=scope) == "fail"


@requirement("surface-report.e4")
def test_one_row_for_the_site_names_the_articles_without_a_link() -> None:
    posts = [save(title=title, publish=True).post for title in ("One", "Two", "Three", "Four")]
    staged = {
        "/blog/one": None,
        "/blog/two": answer(status=404),
        "/blog/three": spoilt("/blog/three", (LINK, "<a>")),
    }

    row = next(policy_rows(inspect(*posts, on=site(staged), scope=ReportScope.SITE)))

    assert (row.observation.result.value, row.observation.details) == ("fail", {"articles": ["two", "three", "one"]})


@requirement("surface-report.malformed-pages")
@pytest.mark.parametrize("body", [b"", b"\x00\xff<a href=", b"<a href='//['>" * 100, b"<a href='\xed\xa0\x80'>"])
def test_garbage_has_no_link(body: bytes) -> None:
    post = article()

    assert result_of({"/blog/soil": answer(body)}, post) == "fail"


def test_policies_are_asked_for_once() -> None:
    inspection = inspect(save(title="One", publish=True).post, save(title="Two", publish=True).post)

    list(policy_rows(inspection))

    assert asked(inspection.site).count(f"https://example.com{WHO}") == 1


OLD = "/blog/old"


def store(old: str = OLD, new: str | None = None) -> None:
    Redirect.objects.create(
        old_path=old,
        old_key=path_key(old),
        new_path=new,
        new_key=None if new is None else path_key(new),
        source="manual",
        occurred_on=date(2026, 11, 21),
        created_at=NOW,
        updated_at=NOW,
    )


def rows(staged: Staged | None = None) -> list[Observation]:
    found = list(redirect_rows(inspect(on=site(staged), scope=ReportScope.SITE)))
    assert {(row.predicate, row.post_id) for row in found} == {("T4", None)}
    return [row.observation for row in found]


def result(found: Fetched | None) -> str:
    (observation,) = rows({OLD: found})
    return observation.result.value


@requirement("surface-report.t4")
@pytest.mark.parametrize("place", PLACES)
def test_urls_that_moved_and_were_removed_pass_wherever_the_blog_is_mounted(place: str) -> None:
    with at(place) as found:
        update(save(title="Old", publish=True).post, slug="new", change="substantive", note="Better.")
        remove(save(title="Gone", publish=True).post)

        here = site()
        observed = [row.observation for row in redirect_rows(inspect(on=here))]

    assert [(one.result.value, one.details) for one in observed] == [
        ("pass", {"path": f"{found.mount}/old"}),
        ("pass", {"path": f"{found.mount}/gone"}),
    ]
    assert asked(here) == [f"https://example.com{found.prefix}/{slug}" for slug in ("old", "gone")]


@requirement("surface-report.t4")
@pytest.mark.parametrize(
    ("target", "found", "expected"),
    [
        ("/blog/new", answer(status=301, location="/blog/new"), "pass"),
        ("/blog/new", answer(status=308, location="https://example.com/blog/new"), "pass"),
        ("/blog/new", answer(status=301, location="new"), "pass"),
        ("/für uns?a=ü#b", answer(status=301, location="/f%C3%BCr%20uns?a=%C3%BC#b"), "pass"),
        ("https://other.example/a", answer(status=301, location="https://other.example/a"), "pass"),
        ("/blog/new", answer(status=302, location="/blog/new"), "fail"),
        ("/blog/new", answer(status=307, location="/blog/new"), "fail"),
        ("/blog/new", answer(status=301, location="/blog/new/"), "fail"),
        ("/blog/new", answer(status=301, location="https://other.example/blog/new"), "fail"),
        ("/blog/new", answer(status=301), "fail"),
        ("/blog/new", answer(status=301, location="http://[::1"), "fail"),
        ("/blog/new", answer(status=301, location="/blog/new, /blog/other"), "fail"),
        ("/blog/new", answer(status=200), "fail"),
        ("/blog/new", answer(status=404), "fail"),
        ("/blog/new", None, "not verified"),
        (None, answer(status=410), "pass"),
        (None, answer(status=404), "pass"),
        (None, answer(status=200), "fail"),
        (None, answer(status=301, location="/blog/new"), "fail"),
        (None, answer(status=500), "fail"),
        (None, None, "not verified"),
    ],
)
def test_a_redirect_leads_to_exactly_its_target_for_good(
    target: str | None, found: Fetched | None, expected: str
) -> None:
    store(new=target)

    assert result(found) == expected


@requirement("surface-report.t4")
def test_a_text_leads_to_the_text_of_an_article() -> None:
    save(title="Soil", publish=True)
    store("/blog/old.md", "/blog/soil")
    store("/blog/older", "/blog/soil")
    to_text = answer(status=301, location="/blog/soil.md")

    assert [one.result.value for one in rows()] == ["pass", "pass"]
    assert [one.result.value for one in rows({"/blog/older": to_text})] == ["pass", "fail"]


@requirement("surface-report.t4")
def test_a_slash_at_the_end_of_a_path_is_one_step_more() -> None:
    store("/blog/old/", "/blog/new")

    assert [one.result.value for one in rows()] == ["pass"]
    assert [one.result.value for one in rows({"/blog/old": answer(status=404)})] == ["fail"]
    assert [one.result.value for one in rows({"/blog/old": None})] == ["not verified"]


@requirement("surface-report.t4")
def test_redirects_outside_the_mount_need_the_middleware() -> None:
    store("/old", "/blog/")
    middleware = "blog_engine.middleware.RedirectMiddleware"
    (without,) = rows()

    with override_settings(MIDDLEWARE=[middleware]):
        (served,) = rows()

    assert (without.result.value, served.result.value) == ("fail", "pass")


@requirement("surface-report.t4")
def test_without_redirects_there_is_nothing_to_check() -> None:
    (before,) = rows()
    adopt()
    (after,) = rows()

    assert [one.result.value for one in (before, after)] == ["not applicable"] * 2
    assert "2026-11-21" not in before.reason
    assert "2026-11-21" in after.reason


@requirement("surface-report.t4", "surface-report.bounds")
def test_where_a_bound_ends_the_report_one_row_is_about_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_URLS", 3)
    for number in range(10):
        store(f"/blog/{number}")

    observed = rows()

    assert [one.result.value for one in observed] == ["pass"] * 3 + ["not verified"]
    assert observed[-1].details == {"redirects": 7}
    assert "3 URLs" in observed[-1].reason


@requirement("surface-report.no-redirects")
def test_targets_are_not_asked_for() -> None:
    store(new="/blog/new")
    here = site({OLD: answer(status=301, location="/blog/new")})

    list(redirect_rows(inspect(on=here, scope=ReportScope.SITE)))

    assert asked(here) == [f"https://example.com{OLD}"]
