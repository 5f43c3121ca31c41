"""What a site lets search engines crawl and index."""

import pytest

from blog_engine.fetching import Fetched
from blog_engine.surface_report.html import HtmlPage
from blog_engine.surface_report.robots import RobotsDirective, RobotsTxt, directives_of, robots_txt
from tests.requirements import requirement
from tests.surface_report.conftest import BASE, answer, asked, site

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
def test_directives_in_the_head_are_read(head: str, told: list[tuple[str, str]]) -> None:
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
def test_directives_in_the_header_are_for_the_crawlers_that_it_names(header: str, told: list[tuple[str, str]]) -> None:
    assert [(one.agent, one.word) for one in directives_of(HtmlPage(""), {"x-robots-tag": header})] == told


def test_a_directive_is_described_with_its_place() -> None:
    found = directives_of(HtmlPage("<meta name=googlebot content=none>"), {})

    assert [str(one) for one in found] == ["the meta element googlebot says none to Googlebot"]
    assert found == (RobotsDirective("Googlebot", "none", "the meta element googlebot"),)


SITE = "https://example.com"


def allowed(source: str | bytes, path: str, *, agent: str = "ExampleBot") -> bool:
    body = source.encode() if isinstance(source, str) else source
    return RobotsTxt.of(body).allows(agent, SITE + path)


SECTION_5_1 = """User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


@requirement("surface-report.robots-txt")
@pytest.mark.parametrize(
    ("agent", "path", "is_allowed"),
    [
        ("anybot", "/a.gif", False),
        ("anybot", "/a.gif?b", True),
        ("anybot", "/example/page.html", False),
        ("anybot", "/example", True),
        ("anybot", "/publications/", True),
        ("anybot", "/publications/a.gif", True),
        ("foobot", "/", False),
        ("foobot", "/publications/", False),
        ("foobot", "/example/page.html", True),
        ("FooBot", "/example/allowed.gif", True),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html?a", False),
        ("bazbot", "/a.gif", True),
        ("quxbot", "/example/a.gif", True),
        ("foobot", "/robots.txt", True),
    ],
)
def test_simple_example_of_the_standard(agent: str, path: str, is_allowed: bool) -> None:
    assert allowed(SECTION_5_1, path, agent=agent) is is_allowed


@requirement("surface-report.robots-txt")
@pytest.mark.parametrize(
    ("agent", "path", "is_allowed"),
    [
        ("examplebot", "/foo", False),
        ("examplebot", "/bar", False),
        ("examplebot", "/baz", True),
        ("bot", "/foo", True),
        ("bot", "/baz", False),
        ("example", "/foo", True),
    ],
)
def test_groups_of_one_agent_are_merged_and_those_of_others_left_aside(agent: str, path: str, is_allowed: bool) -> None:
    source = (
        "user-agent: ExampleBot\ndisallow: /foo\nuser-agent: *\ndisallow: /baz\nuser-agent: EXAMPLEBOT\ndisallow: /bar"
    )

    assert allowed(source, path, agent=agent) is is_allowed


@requirement("surface-report.robots-txt")
@pytest.mark.parametrize(
    ("rules", "path", "is_allowed"),
    [
        # Section 5.2: the longest match decides, and of two the one that allows (2.2.2).
        ("allow: /example/page/\ndisallow: /example/page/disallowed.gif", "/example/page/disallowed.gif", False),
        ("allow: /example/page/\ndisallow: /example/page/disallowed.gif", "/example/page/other.gif", True),
        ("disallow: /page\nallow: /page", "/page", True),
        ("allow: /page\ndisallow: /page", "/page", True),
        ("allow: /p\ndisallow: /", "/page", True),
        ("allow: /folder\ndisallow: /folder/", "/folder/page", False),
        ("allow: /page\ndisallow: /*.htm", "/page.htm", False),
        ("allow: /$\ndisallow: /", "/", True),
        ("allow: /$\ndisallow: /", "/page.htm", False),
        # No rule, no match, and matches from the start of the path alone.
        ("", "/page", True),
        ("disallow:", "/page", True),
        ("disallow: /page", "/a/page", True),
        ("disallow: /Page", "/page", True),
        ("disallow: /", "", False),
        ("disallow: /*?", "/page", True),
        ("disallow: /*?", "/page?a=b", False),
        # Special characters (2.2.3).
        ("disallow: /this/*/exactly", "/this/is/matched/exactly", False),
        ("disallow: /this/*/exactly", "/this/exactly", True),
        ("disallow: /page$", "/page", False),
        ("disallow: /page$", "/page/", True),
        ("disallow: /*.php$", "/a.php", False),
        ("disallow: /*.php$", "/a.php.php", False),
        ("disallow: /*.php$", "/a.php5", True),
        ("disallow: /a*a$", "/a", True),
        ("disallow: /a**b*$", "/acb", False),
        ("disallow: /a$b", "/a$b", False),
        ("disallow: /a$b", "/a", True),
        ("disallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", False),
        ("disallow: /path/file-with-a-%2A.html", "/path/file-with-a-b.html", True),
        ("disallow: /path/foo-%24", "/path/foo-$", False),
        ("disallow: /path/foo-%24", "/path/foo-", True),
        # One spelling of each character (2.2.2).
        ("disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", False),
        ("disallow: /foo/bar?baz=http://foo.bar", "/foo/bar?baz=http://foo.bar", False),
        ("disallow: /foo/bar?baz=http%3a%2f%2Ffoo.bar", "/foo/bar?baz=http%3A%2F%2ffoo.bar", False),
        ("disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", False),
        ("disallow: /foo/bar/%e3%83%84", "/foo/bar/ツ", False),
        ("disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", False),
        ("disallow: /foo/bar/baz", "/foo/bar/%62%61%7A", False),
        ("disallow: /foo%2Fbar", "/foo/bar", True),
        ("disallow: /%zz%", "/%zz%", False),
    ],
)
def test_the_rule_that_fits_best_decides(rules: str, path: str, is_allowed: bool) -> None:
    assert allowed(f"user-agent: *\n{rules}", path) is is_allowed


@requirement("surface-report.robots-txt")
@pytest.mark.parametrize(
    "source",
    [
        "User-Agent: ExampleBot\nDisallow: /page",
        "\ufeffuser-agent: examplebot\ndisallow: /page",
        "user-agent: examplebot\rdisallow: /page\r",
        "user-agent: examplebot\r\n\r\ndisallow: /page\r\n",
        "  USER-AGENT :  ExampleBot/2.1 (x)  # me\n\t disallow\t: /page # not\n",
        "user-agent: examplebot\nsitemap: /map.xml\nuser-agent: b\ncrawl-delay: 1\n\ndisallow: /page",
        "user-agent: *\ndisallow: /page",
        "user-agent: b\ndisallow: /\nuser-agent: * x\ndisallow: /page",
        "nonsense\n:\n\x00\nuser-agent\nuser-agent: examplebot\ndisallow: /page",
        b"user-agent: examplebot\n# \xff\xfe\ndisallow: /\xff\ndisallow: /page",
    ],
)
def test_lines_are_read_as_they_are_found(source: str | bytes) -> None:
    assert [allowed(source, path) for path in ("/page", "/other")] == [False, True]


@requirement("surface-report.robots-txt")
@pytest.mark.parametrize(
    "source",
    ["", "disallow: /", "<!doctype html><p>disallow: /", "user-agent:\ndisallow: /", "user-agent: 42\ndisallow: /"],
)
def test_rules_without_an_agent_forbid_nothing(source: str) -> None:
    assert allowed(source, "/page")


@requirement("surface-report.robots-txt")
def test_what_is_behind_500_kib_is_not_read() -> None:
    start = b"user-agent: *\ndisallow: /first\n"
    filled = start + b"#" * (500 * 1024 - len(start) - len("\ndisallow: /a")) + b"\ndisallow: /all\ndisallow: /last"

    assert [allowed(filled, path) for path in ("/first", "/all", "/a", "/last")] == [False, True, True, True]


@requirement("surface-report.malformed-pages")
def test_many_wildcards_do_not_take_long() -> None:
    assert allowed("user-agent: *\ndisallow: /" + "*a" * 5_000 + "b", "/" + "a" * 50_000)
