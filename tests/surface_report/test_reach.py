"""T1, T2 and T14: how crawlers and readers get to a page, and on from it."""

from collections.abc import Sequence

import pytest
from django.test import override_settings

from blog_engine.enums import ReportScope
from blog_engine.fetching import Fetched
from blog_engine.models import Post
from blog_engine.surface_report.observation import Observation
from blog_engine.surface_report.reach import judge_links, reach_rows
from blog_engine.surface_report.site import Inspection
from tests.requirements import requirement
from tests.support.hosts import PLACES, at, blog_settings
from tests.surface_report.conftest import Staged, answer, article, asked, inspect, page, save, site, spoilt

pytestmark = pytest.mark.django_db

PATH, URL = "/blog/soil", "https://example.com/blog/soil"
PLAIN = "http://example.com/blog/soil"
TO_HTTPS = answer(status=301, location=URL)
ROBOTS = "/robots.txt"
SCOPES = [ReportScope.POST, ReportScope.ALL]


@pytest.fixture
def soil() -> Post:
    return article(body="Dig.")


def results(inspection: Inspection) -> list[tuple[str, int | None, str]]:
    return [(row.predicate, row.post_id, row.observation.result.value) for row in reach_rows(inspection)]


def found(predicate: str, post: Post, staged: Staged) -> Observation:
    inspection = inspect(post, on=site(staged), reach=True)
    (observation,) = (row.observation for row in reach_rows(inspection) if row.predicate == predicate)
    return observation


@requirement("surface-report.reach")
@pytest.mark.parametrize("scope", SCOPES)
def test_reach_that_was_not_requested_is_not_verified_and_asks_for_nothing(soil: Post, scope: ReportScope) -> None:
    inspection = inspect(soil, on=(here := site()), scope=scope)
    before = asked(here)[:]

    assert results(inspection) == [(predicate, None, "not verified") for predicate in ("T1", "T2", "T14")]
    assert asked(here) == before


@requirement("surface-report.reach")
def test_the_site_alone_has_no_row_unless_reach_was_requested(soil: Post) -> None:
    inspection = inspect(soil, on=(here := site()), scope=ReportScope.SITE)

    assert (results(inspection), asked(here)) == ([], [])


@requirement("surface-report.t1", "surface-report.t2", "surface-report.t14")
@pytest.mark.parametrize("place", PLACES)
def test_pages_of_this_app_pass_wherever_it_is_mounted(place: str) -> None:
    with at(place) as found, override_settings(BLOG_ENGINE=blog_settings(policy_urls={})):
        post = article(body="Dig [on](https://other.example/).", category="Soil")
        paths = [f"{found.prefix}/soil", f"{found.prefix}/"]
        staged = {
            f"http://example.com{path}": answer(status=301, location=f"https://example.com{path}") for path in paths
        }

        on_article = results(inspect(post, on=(here := site(staged)), reach=True))
        on_index = results(inspect(post, on=site(staged), scope=ReportScope.SITE, reach=True))

    assert on_article == [(predicate, post.pk, "pass") for predicate in ("T1", "T2", "T14")]
    assert on_index == [(predicate, None, "pass") for predicate in ("T1", "T2", "T14")]
    assert "https://other.example/" not in asked(here)


@requirement("surface-report.reach")
def test_each_article_has_three_rows(soil: Post) -> None:
    other = save(title="Stone", publish=True).post

    rows = results(inspect(soil, other, reach=True))

    assert [(predicate, post_id) for predicate, post_id, _ in rows] == [
        (predicate, post.pk) for post in (soil, other) for predicate in ("T1", "T2", "T14")
    ]
    assert results(inspect(reach=True)) == []


@requirement("surface-report.reach", "surface-report.closed")
@pytest.mark.parametrize(("status", "expected"), [(None, "not verified"), (404, "fail"), (500, "fail")])
@pytest.mark.parametrize("scope", [ReportScope.ALL, ReportScope.SITE])
def test_a_page_that_is_not_open_is_not_reached(
    soil: Post, scope: ReportScope, status: int | None, expected: str
) -> None:
    closed = None if status is None else answer(status=status)
    staged: Staged = {PATH: closed, PLAIN: TO_HTTPS, "/blog/": closed, "http://example.com/blog/": TO_HTTPS}

    rows = results(inspect(soil, on=site(staged), scope=scope, reach=True))

    assert [result for _, _, result in rows] == [expected] * 3


@requirement("surface-report.t1")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("data-blog-content", "data-content", "fail"),
        ("data-blog-content", "data-blog-content hidden", "fail"),
        ('content="index, follow, max-image-preview:large"', 'content="index, nofollow"', "pass"),
        ('content="index, follow, max-image-preview:large"', 'content="noindex, follow"', "fail"),
        ('content="index, follow, max-image-preview:large"', 'content="None"', "fail"),
        ('<meta name="robots"', '<meta name="googlebot" content="noindex"><meta name="robots"', "fail"),
        ('<meta name="robots"', '<meta name="bingbot" content="none"><meta name="robots"', "fail"),
        ('<meta name="robots"', '<meta name="otherbot" content="none"><meta name="robots"', "pass"),
    ],
)
def test_an_article_has_text_and_may_be_listed(soil: Post, old: str, new: str, expected: str) -> None:
    assert found("T1", soil, {PATH: spoilt(PATH, (old, new))}).result.value == expected


@requirement("surface-report.t1")
@pytest.mark.parametrize(("main", "expected"), [("<main", "pass"), ("<main hidden", "fail"), ("<div", "pass")])
def test_the_index_has_text_in_its_main_part(soil: Post, main: str, expected: str) -> None:
    here = site({"/blog/": spoilt("/blog/", ("<main", main))})

    rows = results(inspect(soil, on=here, scope=ReportScope.SITE, reach=True))

    assert rows[0] == ("T1", None, expected)


@requirement("surface-report.t1")
@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("noindex", "fail"),
        ("googlebot: nofollow, noindex", "fail"),
        ("BingBot: none", "fail"),
        ("otherbot: noindex, nofollow", "pass"),
        ("nofollow", "pass"),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST", "pass"),
    ],
)
def test_the_header_may_keep_crawlers_out(soil: Post, header: str, expected: str) -> None:
    assert found("T1", soil, {PATH: spoilt(PATH, x_robots_tag=header)}).result.value == expected


@requirement("surface-report.t1")
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("user-agent: *\ndisallow: /blog/", "fail"),
        ("user-agent: GOOGLEBOT\ndisallow: /blog/soil$", "fail"),
        ("user-agent: bingbot\ndisallow: /", "fail"),
        ("user-agent: *\ndisallow: /\n\nuser-agent: bingbot\nuser-agent: googlebot\nallow: /", "pass"),
        ("user-agent: otherbot\ndisallow: /", "pass"),
        (answer(status=404), "pass"),
        (answer(status=503), "not verified"),
        (None, "not verified"),
    ],
)
def test_robots_txt_lets_both_crawlers_in(soil: Post, rules: Fetched | str | None, expected: str) -> None:
    assert found("T1", soil, {ROBOTS: rules}).result.value == expected


@requirement("surface-report.t1")
def test_a_fault_outweighs_what_is_unknown(soil: Post) -> None:
    staged = {PATH: spoilt(PATH, x_robots_tag="noindex"), ROBOTS: None}

    assert found("T1", soil, staged).result.value == "fail"


@requirement("surface-report.t1", "surface-report.t14", "surface-report.malformed-pages")
@pytest.mark.parametrize("body", [b"", b"\x00\xff", b"<main>", b"<div>" * 2000, b"<a href='http://[::1:x/'>" * 9])
def test_garbage_has_no_text_and_no_links(soil: Post, body: bytes) -> None:
    staged = {PATH: answer(body, x_robots_tag=":,;\x00")}

    assert [found(predicate, soil, staged).result.value for predicate in ("T1", "T14")] == ["fail", "pass"]


@requirement("surface-report.t2")
@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        (TO_HTTPS, "pass"),
        (answer(status=308, location=URL), "pass"),
        (answer(status=302, location="https://www.example.com/"), "pass"),
        (answer(status=301, location="http://www.example.com/"), "fail"),
        (answer(status=301, location="/blog/soil/"), "fail"),
        (answer(status=301), "fail"),
        (answer("Dig."), "fail"),
        (answer(status=404), "fail"),
        (None, "not verified"),
    ],
)
def test_the_http_url_redirects_to_https(soil: Post, plain: Fetched | str | None, expected: str) -> None:
    assert found("T2", soil, {PLAIN: plain}).result.value == expected


@requirement("surface-report.t2")
@pytest.mark.parametrize(
    ("secure", "plain", "expected"),
    [
        ("Dig.", TO_HTTPS, "pass"),
        ("Dig.", "Dig.", "fail"),
        (None, "Dig.", "fail"),
        (None, TO_HTTPS, "not verified"),
        (answer(status=404), TO_HTTPS, "fail"),
    ],
)
def test_a_site_at_an_http_url_also_has_an_https_url(
    soil: Post, secure: Fetched | str | None, plain: Fetched | str | None, expected: str
) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url="http://example.com")):
        observation = found("T2", soil, {URL: secure, PLAIN: plain})

    assert observation.result.value == expected


@requirement("surface-report.t2")
@pytest.mark.parametrize(
    ("base", "expected"), [("https://example.com:8443", "not verified"), ("http://127.0.0.1:8000", "fail")]
)
def test_a_port_of_its_own_leaves_the_other_scheme_unknown(soil: Post, base: str, expected: str) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url=base)):
        here = site()
        observation = next(
            row.observation for row in reach_rows(inspect(soil, on=here, reach=True)) if row.predicate == "T2"
        )

    assert observation.result.value == expected
    assert {url for url in asked(here) if not url.startswith(base)} == set()


@requirement("surface-report.t2")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url="https://example.com:443"))
def test_a_usual_port_may_be_written(soil: Post) -> None:
    assert found("T2", soil, {PLAIN: TO_HTTPS}).result.value == "pass"


SIGN_IN = '<form><input name="name"><input type="Password"></form>'
BASE = "https://example.com"


def look(body: str, staged: Staged | None = None) -> Observation:
    return judge_links(page(body), site=site(staged))


def results_of_links(found: Staged, *, declared: Sequence[str] | None, login: str = "/accounts/login/") -> list[str]:
    """The result for a page with one link to ``/members/area``, for each of the answers."""
    names = {"sign_in_destinations": None if declared is None else list(declared)}
    with override_settings(BLOG_ENGINE=blog_settings(**names), LOGIN_URL=login):
        return [look('<a href="/members/area">', {"/members/area": one}).result.value for one in found.values()]


@requirement("surface-report.t14")
def test_each_own_link_is_followed_once_and_none_of_others() -> None:
    loud = "https://EXAMPLE.com:443/a"
    image = answer("B", content_type="image/png")
    here = site({"/a": "A", loud: "A", "/b": image, "/blog/soil": "Soil", "/blog/c": "C"})
    links = [
        *('<a href="/a#one">', '<a href="https://example.com/a#two">', f'<a href="{loud}">'),
        *('<area href="/b">', '<a href="c">', '<a href="#here">', '<a hidden href="/a">', "<a>"),
        *('<a href="https://other.example/">', '<a href="http://example.com/a">', '<a href="//example.com:8443/">'),
        *('<a href="mailto:ada@example.com">', '<a href="javascript:x()">', '<a href="https://example.com:99999/">'),
        *('<a href="http://[::1">', '<template><a href="/d/{{ id }}"></template>', '<link href="/e">'),
    ]

    observation = judge_links(page("".join(links)), site=here)

    assert (observation.result.value, observation.details) == ("pass", None)
    assert asked(here) == [f"{BASE}/a", loud, f"{BASE}/b", f"{BASE}/blog/c", f"{BASE}/blog/soil"]


@requirement("surface-report.t14")
@pytest.mark.parametrize(
    ("staged", "expected"),
    [
        ({"/a": "A"}, "pass"),
        ({"/a": answer(status=404)}, "fail"),
        ({"/a": answer(status=204)}, "fail"),
        ({"/a": answer(status=401)}, "fail"),
        ({"/a": answer(status=403)}, "fail"),
        ({"/a": answer(status=500)}, "fail"),
        ({"/a": None}, "not verified"),
        ({"/a": answer(status=301, location="/b"), "/b": "B"}, "pass"),
        ({"/a": answer(status=302, location="https://example.com/b"), "/b": "B"}, "pass"),
        ({"/a": answer(status=301, location="/b"), "/b": answer(status=404)}, "fail"),
        ({"/a": answer(status=301, location="/b"), "/b": None}, "not verified"),
        ({"/a": answer(status=301, location="/b"), "/b": answer(status=301, location="/c"), "/c": "C"}, "fail"),
        ({"/a": answer(status=301)}, "fail"),
        ({"/a": answer(status=301, location="http://[::1")}, "fail"),
        ({"/a": answer(status=302, location="https://other.example/")}, "not verified"),
    ],
)
def test_a_link_opens_at_once_or_behind_one_redirect(staged: Staged, expected: str) -> None:
    here = site(staged)

    observation = judge_links(page('<a href="/a">'), site=here)

    assert observation.result.value == expected
    assert observation.details == (None if expected == "pass" else {"links": [f"{BASE}/a"]})
    assert all(url.startswith(f"{BASE}/") for url in asked(here))


TO_SIGN_IN: Staged = {
    "a page with a password field": f"<main>{SIGN_IN}</main>",
    "LOGIN_URL": answer(status=302, location="/accounts/login/?next=/members/area"),
    "LOGIN_URL elsewhere in the path": answer(status=302, location="https://example.com/accounts/login/#form"),
}
REFUSED: Staged = {"401": answer(status=401), "403": answer(status=403)}
NEITHER: Staged = {"404": answer(status=404), "500": answer(status=500)}


@requirement("surface-report.t14")
@pytest.mark.parametrize("declared", [["/members/"], ["/members"], ["/members/area"], ["/other/", "/members/"], ["/"]])
def test_a_declared_link_may_lead_to_a_sign_in_page_or_be_refused(declared: list[str]) -> None:
    assert results_of_links(TO_SIGN_IN | REFUSED, declared=declared) == ["pass"] * 5
    assert results_of_links({"open": "Welcome"}, declared=declared) == ["pass"]
    assert results_of_links(NEITHER, declared=declared) == ["fail"] * 2


@requirement("surface-report.t14")
def test_declared_paths_are_those_of_the_application() -> None:
    with at("proxy"), override_settings(BLOG_ENGINE=blog_settings(sign_in_destinations=["/members/"])):
        found = [look(f'<a href="{path}">', {path: SIGN_IN}).result.value for path in ("/sub/members/", "/members/")]

    assert found == ["pass", "fail"]


@requirement("surface-report.t14")
def test_with_nothing_declared_a_sign_in_page_is_not_verified() -> None:
    assert results_of_links(TO_SIGN_IN, declared=None) == ["not verified"] * 3
    assert results_of_links(REFUSED | NEITHER, declared=None) == ["fail"] * 4


@requirement("surface-report.t14")
@pytest.mark.parametrize("declared", [[], ["/member"], ["/members/area/x"], ["/accounts/login/"]])
def test_a_sign_in_page_that_is_not_declared_fails(declared: list[str]) -> None:
    assert results_of_links(TO_SIGN_IN | REFUSED | NEITHER, declared=declared) == ["fail"] * 7


@requirement("surface-report.t14")
@pytest.mark.parametrize(
    ("login", "target"),
    [
        ("https://id.example/login?a=b", "https://id.example/login?next=/"),
        ("admin:login", "/admin/login/?next=/"),
        ("/sign-in", "/sign-in?next=/"),
    ],
)
def test_a_sign_in_page_is_where_login_url_says(login: str, target: str) -> None:
    assert results_of_links({"": answer(status=302, location=target)}, declared=[], login=login) == ["fail"]
    assert results_of_links({"": answer(status=302, location=target)}, declared=["/members/"], login=login) == ["pass"]


@requirement("surface-report.t14")
def test_a_login_url_that_names_no_page_recognises_none() -> None:
    assert results_of_links({"": "Welcome"}, declared=[], login="nobody") == ["pass"]


@requirement("surface-report.t14")
@override_settings(BLOG_ENGINE=blog_settings(sign_in_destinations=["/login"]), LOGIN_URL="/login")
def test_a_link_to_the_sign_in_page_itself() -> None:
    link, path = '<a href="/login?next=/">', "/login?next=/"
    elsewhere = answer(status=302, location="https://id.example/")

    assert [look(link, {path: one}).result.value for one in ("Welcome", elsewhere)] == ["pass"] * 2
    assert look(link, {path: answer(status=404)}).result.value == "fail"
    with override_settings(BLOG_ENGINE=blog_settings(sign_in_destinations=[])):
        assert [look(link, {path: one}).result.value for one in ("Welcome", elsewhere)] == ["fail"] * 2


@requirement("surface-report.t14")
@pytest.mark.parametrize(
    "body", ["password", '<input type="text" value="password">', f"<div hidden>{SIGN_IN}</div>", f"<!-- {SIGN_IN} -->"]
)
@override_settings(BLOG_ENGINE=blog_settings(sign_in_destinations=[]))
def test_a_page_without_a_visible_password_field_is_no_sign_in_page(body: str) -> None:
    assert look('<a href="/a">', {"/a": body}).result.value == "pass"


@requirement("surface-report.t14")
@override_settings(BLOG_ENGINE=blog_settings(sign_in_destinations=[]))
def test_a_field_that_is_on_the_page_itself_belongs_to_the_layout() -> None:
    assert look(f'<a href="/a">{SIGN_IN}', {"/a": SIGN_IN}).result.value == "pass"


@requirement("surface-report.t14")
@override_settings(BLOG_ENGINE=blog_settings(sign_in_destinations=None))
def test_all_links_that_do_not_pass_are_named() -> None:
    staged = {"/a": SIGN_IN, "/b": answer(status=404), "/c": "C", "/d": None}

    observation = look("".join(f'<a href="{path}">' for path in staged), staged)

    assert observation.result.value == "fail"
    assert observation.details == {"links": [f"{BASE}/b", f"{BASE}/a", f"{BASE}/d"]}
