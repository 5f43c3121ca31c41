"""Whether every link of a page to its own site leads readers somewhere."""

from collections.abc import Sequence

import pytest
from django.test import override_settings

from blog_engine.surface_report.observation import Observation
from blog_engine.surface_report.reach import judge_links
from tests.reader.changes import blog_settings
from tests.reader.places import at
from tests.requirements import requirement
from tests.surface_report.looking import Staged, answer, asked, page, site

SIGN_IN = '<form><input name="name"><input type="Password"></form>'
BASE = "https://example.com"


def look(body: str, staged: Staged | None = None) -> Observation:
    return judge_links(page(body), site=site(staged))


def results(found: Staged, *, declared: Sequence[str] | None, login: str = "/accounts/login/") -> list[str]:
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
    assert results(TO_SIGN_IN | REFUSED, declared=declared) == ["pass"] * 5
    assert results({"open": "Welcome"}, declared=declared) == ["pass"]
    assert results(NEITHER, declared=declared) == ["fail"] * 2


@requirement("surface-report.t14")
def test_declared_paths_are_those_of_the_application() -> None:
    with at("proxy"), override_settings(BLOG_ENGINE=blog_settings(sign_in_destinations=["/members/"])):
        found = [look(f'<a href="{path}">', {path: SIGN_IN}).result.value for path in ("/sub/members/", "/members/")]

    assert found == ["pass", "fail"]


@requirement("surface-report.t14")
def test_with_nothing_declared_nobody_can_tell_whether_a_sign_in_page_is_meant() -> None:
    assert results(TO_SIGN_IN, declared=None) == ["not verified"] * 3
    assert results(REFUSED | NEITHER, declared=None) == ["fail"] * 4


@requirement("surface-report.t14")
@pytest.mark.parametrize("declared", [[], ["/member"], ["/members/area/x"], ["/accounts/login/"]])
def test_a_sign_in_page_that_is_not_declared_fails(declared: list[str]) -> None:
    assert results(TO_SIGN_IN | REFUSED | NEITHER, declared=declared) == ["fail"] * 7


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
    assert results({"": answer(status=302, location=target)}, declared=[], login=login) == ["fail"]
    assert results({"": answer(status=302, location=target)}, declared=["/members/"], login=login) == ["pass"]


@requirement("surface-report.t14")
def test_a_login_url_that_names_no_page_recognises_none() -> None:
    assert results({"": "Welcome"}, declared=[], login="nobody") == ["pass"]


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
def test_a_page_without_a_visible_password_field_asks_nobody_to_sign_in(body: str) -> None:
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
