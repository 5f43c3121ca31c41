"""Whether search engines may look at a page, and may list it."""

import pytest

from blog_engine.fetching import Fetched
from blog_engine.surface_report.html import HtmlPage
from blog_engine.surface_report.robots import RobotsDirective, directives_of, robots_txt
from tests.requirements import requirement
from tests.surface_report.looking import BASE, answer, asked, site

RULES = "user-agent: *\ndisallow: /page"
PAGE = f"{BASE}/page"
ALL = "all crawlers"
UNTIL_2030 = [(ALL, "unavailable_after: sat"), (ALL, "1 jun 2030 15:00:00 pst")]


def moved(target: str, *, status: int = 301) -> Fetched:
    return answer(status=status, location=target)


@requirement("surface-report.robots-txt")
@pytest.mark.parametrize(
    ("found", "is_allowed"),
    [
        (answer(RULES), False),
        (answer("user-agent: *\ndisallow: /other"), True),
        (answer(RULES, status=404), True),
        (answer(RULES, status=403), True),
        (answer(RULES, status=429), True),
        (answer(RULES, status=500), None),
        (answer(RULES, status=304), None),
        (moved("ftp://127.0.0.1/"), None),
        (answer(status=301), None),
        (None, None),
    ],
)
def test_a_missing_file_allows_all_and_one_that_cannot_be_had_is_unknown(
    found: Fetched | None, is_allowed: bool | None
) -> None:
    rules = robots_txt(site({"/robots.txt": found}))

    assert (rules and rules.allows("Googlebot", PAGE)) is is_allowed


@requirement("surface-report.robots-txt")
@pytest.mark.parametrize(("redirects", "is_allowed"), [(1, False), (5, False), (6, None)])
def test_up_to_five_redirects_are_followed(redirects: int, is_allowed: bool | None) -> None:
    staged = {f"/{number}": moved(f"/{number + 1}", status=302) for number in range(1, redirects)}
    here = site({"/robots.txt": moved("/1"), **staged, f"/{redirects}": RULES})

    rules = robots_txt(here)

    assert (rules and rules.allows("Googlebot", PAGE)) is is_allowed
    assert len(asked(here)) == min(redirects, 5) + 1


@requirement("surface-report.robots-txt")
def test_a_redirect_may_lead_to_another_site() -> None:
    rules = robots_txt(site({"/robots.txt": moved("https://www.example.net/r"), "https://www.example.net/r": RULES}))

    assert rules
    assert not rules.allows("Googlebot", PAGE)


@requirement("surface-report.robots-txt")
@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("", []),
        ('<meta name="Robots" content="NoIndex , follow">', [(ALL, "noindex"), (ALL, "follow")]),
        ("<meta name=googlebot content=none>", [("Googlebot", "none")]),
        ('<meta name="BingBot" content="noindex">', [("bingbot", "noindex")]),
        ('<meta name=otherbot content=noindex><meta name=robots content=" ,">', []),
    ],
)
def test_the_head_tells_crawlers(head: str, told: list[tuple[str, str]]) -> None:
    assert [(one.agent, one.word) for one in directives_of(HtmlPage(head), {})] == told


@requirement("surface-report.robots-txt")
@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("NoIndex, nofollow", [(ALL, "noindex"), (ALL, "nofollow")]),
        ("otherbot: noindex, nofollow", []),
        ("otherbot: noindex, BINGBOT: none, nosnippet", [("bingbot", "none"), ("bingbot", "nosnippet")]),
        ("noindex, otherbot: nofollow", [(ALL, "noindex")]),
        ("unavailable_after: 1 Jun 2030 15:00:00 PST", [(ALL, "unavailable_after: 1 jun 2030 15:00:00 pst")]),
        ("unavailable_after: Sat, 1 Jun 2030 15:00:00 PST, none", [*UNTIL_2030, (ALL, "none")]),
        ("max-snippet: -1, googlebot: noarchive", [(ALL, "max-snippet: -1"), ("Googlebot", "noarchive")]),
        (", ,:,noindex", [(ALL, ":"), (ALL, "noindex")]),
    ],
)
def test_the_header_tells_those_whom_it_names(header: str, told: list[tuple[str, str]]) -> None:
    assert [(one.agent, one.word) for one in directives_of(HtmlPage(""), {"x-robots-tag": header})] == told


def test_a_directive_is_told_with_its_place() -> None:
    found = directives_of(HtmlPage("<meta name=googlebot content=none>"), {})

    assert [str(one) for one in found] == ["the meta element googlebot says none to Googlebot"]
    assert found == (RobotsDirective("Googlebot", "none", "the meta element googlebot"),)
