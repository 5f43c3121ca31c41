import pytest

from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.formats import HttpUrl, RedirectTarget
from blog_engine.inputs.types import Omittable
from tests.inputs.values import LONE_SURROGATE, NUL, parameter_id, refusal_of_input


class Links(Input):
    url: HttpUrl = None
    target: Omittable[RedirectTarget] = None


ABSOLUTE = [
    "https://example.com",
    "HTTP://example.com/",
    "https://example.com:8443/a?b=c#d",
    "http://[::1]/a",
    "https://exämple.com/été",
    "https://example.com/" + "a" * 2028,
]
NEITHER = [
    "relative/path",
    "//example.com/a",
    "javascript:alert(1)",
    "ftp://example.com/a",
    "mailto:ada@example.com",
    "https://",
    "https:///a",
    "https://:80/a",
    "https:example.com",
    "https://example.com:port/",
    "https://example.com:99999/",
    "https://[::1/",
    "https://example.com/a b",
    "https://example.com/a\n",
    "\thttps://example.com/",
    "https://example.com\u00a0/",
    "https://example.com\\@evil.example/",
    'https://example.com/"a',
    "https://example.com/<a>",
    "https://example.com/" + "a" * 2029,
    f"https://example.com/{NUL}",
    f"https://example.com/{LONE_SURROGATE}",
    5,
    True,
    [],
    {},
]


@pytest.mark.parametrize("url", [*ABSOLUTE, "https://user@example.com/"], ids=parameter_id)
def test_an_absolute_url_is_kept_as_sent(url: str) -> None:
    assert parse(Links, {"url": url}).url == url


@pytest.mark.parametrize("blank", [None, "", "  \n"], ids=parameter_id)
def test_a_blank_url_is_null(blank: str | None) -> None:
    assert parse(Links, {"url": blank}).url is None


@pytest.mark.parametrize("value", [*NEITHER, "/rooted", "slug"], ids=parameter_id)
def test_anything_but_an_absolute_url_is_refused(value: object) -> None:
    assert refusal_of_input(Links, {"url": value}) == ("validation_failed", ["url"])


@pytest.mark.parametrize(
    "target", [*ABSOLUTE, "slug", "a" * 200, "a-b_c", "42", "/", "/blog/tides?x=1#top", "/été"], ids=parameter_id
)
def test_a_target_of_a_redirect_is_kept_as_sent(target: str) -> None:
    assert parse(Links, {"target": target}).target == target


@pytest.mark.parametrize(
    "value",
    [*NEITHER, None, "", " ", "No-Slug", "a" * 201, "/\\example.com", "/a b", "/a\n", "https://user@example.com/"],
    ids=parameter_id,
)
def test_anything_that_is_no_target_is_refused(value: object) -> None:
    assert refusal_of_input(Links, {"target": value}) == ("validation_failed", ["target"])
