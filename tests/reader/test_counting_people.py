"""Which requests come from a person."""

import re

import pytest
from django.test import override_settings

from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import FIREFOX, Visitor, person, total
from tests.support.tables import undone


@pytest.fixture(autouse=True)
def _article(db: None) -> None:
    save(title="Soil", publish=True)


PEOPLE = {
    "Firefox": FIREFOX,
    "Safari": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.6 Mobile/15E148 Safari/604.1",
    "Edge": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 "
    "Safari/537.36 Edg/142.0.0.0",
    "Lynx": "Lynx/2.9.2 libwww-FM/2.14 SSL-MM/1.4.1",
    "one letter": "x",
}


@requirement("page-views.not-counted")
def test_people_are_counted(subtests: pytest.Subtests) -> None:
    for browser in PEOPLE.values():
        with subtests.test(browser=browser), undone():
            person(browser).get("/soil")

            assert total() == 1


PROGRAMS = [
    *("bot", "crawler", "spider", "slurp", "preview", "monitor", "curl", "wget", "headless"),
    *("facebookexternalhit", "WhatsApp", "ChatGPT-User", "Claude-User", "Perplexity-User"),
    *("anthropic-ai", "cohere-ai", "Google-InspectionTool"),
]


@requirement("page-views.not-counted")
def test_programs_are_not_counted(subtests: pytest.Subtests) -> None:
    for name in PROGRAMS:
        for write in [str, str.upper, str.lower]:
            with subtests.test(write=write, name=name), undone():
                person(f"Mozilla/5.0 (compatible; Some{write(name)}/2.1; +https://example.com/)").get("/soil")

                assert total() == 0


@requirement("page-views.not-counted")
def test_a_request_without_user_agent_is_not_counted(subtests: pytest.Subtests) -> None:
    for browser in ["", " ", " \t "]:
        with subtests.test(browser=browser), undone():
            person(browser).get("/soil")

            assert total() == 0


def test_a_request_without_the_header_is_not_counted(visitor: Visitor) -> None:
    assert visitor.get("/soil").status_code == 200

    assert total() == 0


@requirement("page-views.not-counted")
@pytest.mark.parametrize("pattern", ["^Lynx", re.compile("^Lynx")], ids=["text", "compiled"])
def test_a_host_can_set_its_own_bot_pattern(pattern: object) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(page_view_bot_pattern=pattern)):
        for browser in ("Lynx/2.9.2", " Lynx/2.9.2", "lynx", "Links like Lynx", "Googlebot/2.1"):
            person(browser).get("/soil")

    assert total() == 3


@requirement("page-views.not-counted")
def test_a_prefetched_page_is_not_counted(subtests: pytest.Subtests) -> None:
    for purpose, number in [
        *[("prefetch", 0), ("Prefetch", 0), ("PREFETCH", 0), ("prefetch;prerender", 0), ("prerender;prefetch", 0)],
        *[("prefetch;anonymous-client-ip", 0), (" prefetch ", 0), ('"prefetch"', 0)],
        *[("", 1), ("prerender", 1), ("fetch", 1)],
    ]:
        with subtests.test(purpose=purpose, number=number), undone():
            assert person().get("/soil", sec_purpose=purpose).status_code == 200

            assert total() == number


@requirement("page-views.not-counted")
@override_settings(BLOG_ENGINE=blog_settings(page_views=False))
def test_a_host_can_switch_page_views_off() -> None:
    assert person().get("/soil").status_code == 200

    assert total() == 0
