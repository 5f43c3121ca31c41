"""Whether former addresses lead where the redirects say."""

from datetime import date

import pytest
from django.test import override_settings

from blog_engine.enums import ReportScope
from blog_engine.fetching import Fetched
from blog_engine.models import Redirect
from blog_engine.queries.redirects import path_key
from blog_engine.surface_report import web as bounds
from blog_engine.surface_report.observation import Observation
from blog_engine.surface_report.policies import redirect_rows
from tests.reader.changes import blog_settings
from tests.reader.places import PLACES, at
from tests.requirements import requirement
from tests.support.factories import NOW, adopt, remove, save, update
from tests.surface_report.looking import Staged, answer, asked, inspect, site

pytestmark = pytest.mark.django_db

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
def test_addresses_that_moved_and_were_removed_pass_wherever_the_blog_stands(place: str) -> None:
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
def test_a_slash_at_the_end_of_an_address_is_one_step_more() -> None:
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
def test_where_a_bound_ends_the_report_one_row_stands_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_URLS", 3)
    for number in range(10):
        store(f"/blog/{number}")

    observed = rows()

    assert [one.result.value for one in observed] == ["pass"] * 3 + ["not verified"]
    assert observed[-1].details == {"redirects": 7}
    assert "3 URLs" in observed[-1].reason


@requirement("surface-report.t4", "surface-report.unfetched")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url=None))
def test_without_a_base_url_redirects_are_not_verified() -> None:
    for number in range(10):
        store(f"/blog/{number}")

    (observation,) = rows()

    assert (observation.result.value, observation.details) == ("not verified", {"redirects": 10})


@requirement("surface-report.no-redirects")
def test_targets_are_not_asked_for() -> None:
    store(new="/blog/new")
    here = site({OLD: answer(status=301, location="/blog/new")})

    list(redirect_rows(inspect(on=here, scope=ReportScope.SITE)))

    assert asked(here) == [f"https://example.com{OLD}"]
