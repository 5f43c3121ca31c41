"""No payload runs on a page, and no page contains code that could run, even without a policy."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import Reader
from tests.browser.payloads import PAYLOADS
from tests.requirements import requirement

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser_xss")]

_INSPECT = (Path(__file__).parent / "inspect.js").read_text("utf-8")
_CANARY = "window.xss = (number) => console.error(`payload ${number} ran`);\n"
_ENOUGH = 200
_FOREIGN = """async (path) => {
  const answer = await (await fetch(path)).text();
  const document = new DOMParser().parseFromString(answer, "text/xml");
  return [...document.querySelectorAll("*")].map((element) => element.namespaceURI)
    .filter((space) => /xhtml|svg|Math|^$/.test(space)).length;
}"""


def _open(reader: Reader) -> Page:
    return reader.open("index", first=_CANARY)


def _ran(reader: Reader) -> list[str]:
    """Return the recorded faults, except statuses of pages that do not exist."""
    return [fault for fault in reader.faults if "status of 404" not in fault]


def _inspected(page: Page, paths: list[str]) -> list[str]:
    """Return the forbidden contents of the pages at these paths."""
    script = f"(asked) => {{ {_INSPECT} return inspect(asked); }}"
    offences: list[str] = page.evaluate(script, {"paths": paths, "atOnce": 6})
    return offences


@requirement("rendering.safe")
def test_no_payload_runs_on_any_page_or_leaves_an_element_in_it(hostile_reader: Reader) -> None:
    page = _open(hostile_reader)

    offences = _inspected(page, hostile_reader.site.told["paths"])

    assert offences == []
    assert _ran(hostile_reader) == []


def test_unescaped_a_payload_would_run_and_its_element_be_found(hostile_reader: Reader) -> None:
    page = _open(hostile_reader)
    payload = next(payload for payload in PAYLOADS if payload.startswith("<img src=x onerror"))
    page.route(
        "**/bare", lambda route: route.fulfill(body=f"{payload}<footer class=blog-footer>", content_type="text/html")
    )

    offences = _inspected(page, ["/bare"])

    assert [offence.rpartition(": ")[0] for offence in offences] == ["/bare: attribute onerror"]
    assert f"error: payload {PAYLOADS.index(payload)} ran" in hostile_reader.faults


def test_every_page_was_made_of_enough_payloads(hostile_reader: Reader) -> None:
    pages = hostile_reader.site.told["paths"]

    assert len(PAYLOADS) >= _ENOUGH
    assert len(pages) == len(set(pages)) >= _ENOUGH


def test_only_http_urls_were_accepted(hostile_reader: Reader) -> None:
    accepted = hostile_reader.site.told["accepted"]

    assert {urlsplit(url)[:2] for url in accepted} == {("https", "x.example")}


def test_suggestions_are_text(hostile_reader: Reader) -> None:
    page = _open(hostile_reader)

    page.locator("input[name=q]").press_sequentially("onerror=")

    expect(page.locator("[role=option]")).to_have_count(8)
    assert page.locator("[role=option] *").count() == 0
    assert _ran(hostile_reader) == []


@pytest.mark.chromium
@pytest.mark.parametrize("path", ["feed.xml", "sitemap.xml"])
def test_documents_for_programs_contain_no_element_that_browsers_run(hostile_reader: Reader, path: str) -> None:
    page = _open(hostile_reader)

    assert page.evaluate(_FOREIGN, f"/blog/{path}") == 0
    page.goto(f"{hostile_reader.site.origin}/blog/{path}", wait_until="commit")
    assert _ran(hostile_reader) == []
