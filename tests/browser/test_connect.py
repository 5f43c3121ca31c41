"""A person connects an agent in a real browser, under a strict Content-Security-Policy."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.oauth.browser import PASSWORD, Site, served_site
from tests.oauth.flow import CALLBACK, CHALLENGE
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_connect")]

_RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


@pytest.fixture(scope="module")
def oauth_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served_site(tmp_path_factory.mktemp("connect"), has_static_files=True) as served:
        yield served


def authorization_url(site: Site) -> str:
    """What a client that has just registered itself opens in the browser."""
    sent = {"redirect_uris": [CALLBACK], "client_name": "Claude"}
    client = httpx.post(f"{site.endpoint}/oauth/register", json=sent, timeout=120).json()
    asked = {"response_type": "code", "client_id": client["client_id"], "redirect_uri": CALLBACK, "state": "s"}
    asked |= {"code_challenge": CHALLENGE, "code_challenge_method": "S256"}
    return f"{site.endpoint}/oauth/authorize?{urlencode(asked)}"


@pytest.fixture
def page(browser: Browser, oauth_site: Site) -> Iterator[Page]:
    """The consent page, after signing in."""
    context = browser.new_context()
    context.set_default_timeout(120_000)
    opened = context.new_page()
    opened.goto(authorization_url(oauth_site))
    opened.locator("#id_username").fill("ed")
    opened.locator("#id_password").fill(PASSWORD)
    opened.locator("#id_password").press("Enter")
    expect(opened.get_by_role("heading", name="Connect an agent")).to_be_visible()
    yield opened
    context.close()


@requirement("oauth.consent.answer")
@pytest.mark.parametrize(("button", "told"), [("Connect", "code"), ("Do not connect", "error")])
def test_the_browser_goes_on_to_the_client(page: Page, button: str, told: str) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    answer: Any = {"status": 200, "body": "Back", "content_type": "text/html"}
    page.route("https://claude.ai/**", lambda route: route.fulfill(**answer))

    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_url(f"{CALLBACK}**")

    sent = parse_qs(urlsplit(page.url).query)
    assert {told, "state", "iss"} <= sent.keys()
    assert said == []


@requirement("oauth.consent")
@pytest.mark.chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_the_page_is_accessible_and_fits(page: Page, scheme: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    # Buttons of the admin change their colours in 0.15 s: until then they have those of neither scheme.
    page.evaluate("() => document.getAnimations().forEach((animation) => animation.finish())")

    violations = Axe().run(page, options={"runOnly": _RULES}).response["violations"]

    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_role("checkbox", name="Publish, change")).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="Read posts")).to_be_checked()
