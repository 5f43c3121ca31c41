"""Whether search engines list the right pages of cards, each under words of its own."""

import pytest
from django.test import override_settings

from blog_engine.enums import ReportScope
from blog_engine.surface_report import web as bounds
from blog_engine.surface_report.lists import judge_list_pages
from blog_engine.surface_report.observation import Observation
from tests.reader.changes import blog_settings
from tests.reader.places import PLACES, at
from tests.requirements import requirement
from tests.support.factories import save
from tests.surface_report.looking import Staged, answer, asked, inspect, site, spoilt

pytestmark = pytest.mark.django_db

INDEX, PRIMARY, OTHER = "/blog/", "/blog/category/soil", "/blog/tag/clay"
ROBOTS = "/robots.txt"
INDEXED, FOLLOWED = ('content="index, follow"', 'content="noindex, follow"')


def look(staged: Staged) -> Observation:
    return judge_list_pages(inspect(on=site(staged), scope=ReportScope.SITE))


def result(staged: Staged) -> str:
    return look(staged).result.value


@pytest.fixture
def lists() -> None:
    save(title="One", category="Soil", tags=["Clay"], series="Spring", publish=True)


@requirement("surface-report.t21")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("primary", ["categories", "tags"])
def test_all_pages_of_lists_pass_wherever_the_blog_stands(place: str, primary: str) -> None:
    with at(place), override_settings(BLOG_ENGINE=blog_settings(posts_per_page=1, primary_list_type=primary)):
        for title in ("One", "Two"):
            save(title=title, category="Soil", tags=["Clay", "Soil"], series="Soil", publish=True)

        observation = look({})

    assert (observation.result.value, observation.details) == ("pass", {"pages": 12, "looked_at": 12})


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("path", [INDEX, PRIMARY])
@pytest.mark.parametrize(
    "directive", ["noindex, follow", "NONE", "noindex, nofollow", '" ><meta name="GoogleBot" content="noindex']
)
def test_primary_pages_that_may_not_be_listed_fail(path: str, directive: str) -> None:
    assert result({path: spoilt(path, (INDEXED, f'content="{directive}"'))}) == "fail"
    assert result({path: spoilt(path, x_robots_tag="bingbot: noindex")}) == "fail"
    assert result({path: spoilt(path, x_robots_tag="otherbot: noindex")}) == "pass"


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        ("noindex", "pass"),
        ("index", "pass"),
        ("index, nofollow", "pass"),
        ("noindex, nofollow", "fail"),
        ("none", "fail"),
    ],
)
def test_other_pages_lead_on_when_they_are_not_listed(directive: str, expected: str) -> None:
    assert result({OTHER: spoilt(OTHER, (FOLLOWED, f'content="{directive}"'))}) == expected


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("what", "own", "shared"),
    [
        ("title", "<title>Soil — The Example Journal</title>", "<title> blog — the Example Journal</title>"),
        (
            "description",
            '<meta name="description" content="Posts about Soil — The Example Journal.">',
            '<meta name="description" content="The blog of  The Example Journal.">',
        ),
    ],
)
def test_primary_pages_have_words_of_their_own(what: str, own: str, shared: str) -> None:
    assert result({PRIMARY: spoilt(PRIMARY, (own, ""))}) == "fail"
    assert result({PRIMARY: spoilt(PRIMARY, (own, shared))}) == "fail"


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
def test_a_page_that_is_not_listed_may_share_words() -> None:
    own, shared = "<title>Tagged: Clay — The Example Journal</title>", "<title>Soil — The Example Journal</title>"

    assert result({OTHER: spoilt(OTHER, (own, shared))}) == "pass"
    assert result({OTHER: spoilt(OTHER, (own, shared), (FOLLOWED, INDEXED))}) == "fail"
    assert result({OTHER: spoilt(OTHER, (own, ""), (FOLLOWED, INDEXED))}) == "pass"


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
def test_only_words_of_primary_pages_are_judged() -> None:
    series, words = "/blog/series/spring", ("<title>", "<title>Same</title><title>")
    staged = {path: spoilt(path, words, (FOLLOWED, INDEXED)) for path in (OTHER, series)}

    assert result(staged) == "pass"


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("user-agent: *\ndisallow: /blog/category/", "fail"),
        ("user-agent: bingbot\ndisallow: /", "fail"),
        ("user-agent: otherbot\ndisallow: /", "pass"),
        ("user-agent: *\ndisallow: /blog/tag/", "pass"),
        (None, "not verified"),
    ],
)
def test_robots_txt_lets_both_crawlers_look_at_primary_pages(rules: str | None, expected: str) -> None:
    assert result({ROBOTS: rules}) == expected


@requirement("surface-report.t21", "surface-report.closed")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("path", [INDEX, PRIMARY, OTHER])
def test_pages_that_are_not_open(path: str) -> None:
    missing = look({path: None})

    assert (missing.result.value, missing.details) == ("not verified", {"pages": 5, "looked_at": 4})
    assert result({path: answer(status=404)}) == "fail"


@requirement("surface-report.t21", "surface-report.malformed-pages")
@pytest.mark.usefixtures("lists")
def test_garbage_has_no_words() -> None:
    assert [result({PRIMARY: body}) for body in ("", "\x00", "<title>", "[]")] == ["fail"] * 4


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
def test_without_a_configured_list_type_nothing_is_asked_for() -> None:
    with override_settings(BLOG_ENGINE=blog_settings(primary_list_type=None)):
        here = site()
        observation = judge_list_pages(inspect(on=here))

    assert (observation.result.value, asked(here)) == ("not verified", [])


@requirement("surface-report.t21", "surface-report.unfetched")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url=None))
def test_without_a_base_url_lists_are_not_verified() -> None:
    assert result({}) == "not verified"


@requirement("surface-report.t21", "surface-report.bounds")
@pytest.mark.usefixtures("lists")
def test_of_more_pages_than_can_be_fetched_it_says_how_many_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_URLS", 3)

    observation = look({})

    assert (observation.result.value, observation.details) == ("not verified", {"pages": 5, "looked_at": 2})
    assert "2 of 5" in observation.reason
    assert result({INDEX: answer(status=500)}) == "fail"
