"""A reader with a browser, the kinds of page, and the sites it visits."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request

from tests.support.programs import BROWSER, Environment
from tests.support.servers import environment_of, free_port, gunicorn, manage, origin_at

SETTINGS = "tests.browser.settings"

KINDS = {
    "index": 200,
    "index_2": 200,
    "article": 200,
    "bare_article": 200,
    "category": 200,
    "tag": 200,
    "author": 200,
    "series": 200,
    "archive": 200,
    "archive_year": 200,
    "authors": 200,
    "feeds": 200,
    "search": 200,
    "search_empty": 200,
    "policy": 200,
    "history": 200,
    "history_version": 200,
    "history_changes": 200,
    "preview": 200,
    "preview_expired": 404,
    "not_found": 404,
    "gone": 410,
}

SHAPES = ["index", "article", "author", "archive_year", "feeds", "search", "policy", "history", "not_found"]
"""One kind for each way in which pages are laid out: the others have the parts of these."""

each_kind = pytest.mark.parametrize(
    "kind", [kind if kind in SHAPES else pytest.param(kind, marks=pytest.mark.heavy) for kind in KINDS]
)
"""The kinds of page; those that share the layout of another one only in heavy tests."""

PASSWORD = "only-for-this-run"
"""The password of everybody at the desk."""

EXAMPLES = ["editorial_serif", "plain_list", "product_blog"]
"""The packages of the folder ``examples``."""

PATIENCE = 90_000
"""Milliseconds for a page: on two cores the first one of a site can take half a minute beside other tests."""

_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`refused by the policy: ${event.effectiveDirective} ${event.blockedURI}`);
});
"""

_RUN_MODULES = """
() => Promise.all([...document.querySelectorAll("script[type=module][src]")].map((script) => import(script.src)))
"""
"""A module that ran already is not run again; the promise waits for what it imports."""


@dataclass(frozen=True, slots=True)
class Site:
    """A running site: its origin and what ``make`` returned, such as the paths of pages."""

    origin: str
    told: Mapping[str, Any]
    environment: Environment

    def manage(self, *arguments: str) -> str:
        """Run a management command of the site, and return its output."""
        return manage(self.environment, *arguments)

    def url(self, name: str) -> str:
        """Return the URL of the page of this name."""
        return f"{self.origin}{self.told[name]}"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A folder with database, images and static files, and what ``make`` returned."""

    folder: Path
    told: Mapping[str, Any]

    def copied_to(self, folder: Path) -> "Prepared":
        """Return a copy, in which tests can write."""
        return Prepared(shutil.copytree(self.folder, folder), self.told)


_MAKE = """
import json
from django.core.management import call_command
from {contents} import make
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns={ignored})
print(json.dumps(make()))
"""


def prepare(folder: Path, contents: str = "tests.browser.contents", **variables: str) -> Prepared:
    """Call ``make`` of a module in a new SQLite database; ``variables`` select the settings."""
    folder.mkdir(exist_ok=True)
    environment = _environment(folder, settings=SETTINGS, origin="http://127.0.0.1") | variables
    # Only tests of the desk open the admin, and compressing its files takes seconds.
    ignored = [] if variables.get("BLOG_SITE") == "desk" else ["admin"]
    code = _MAKE.format(contents=contents, ignored=ignored)
    return Prepared(folder, json.loads(manage(environment, "shell", "--verbosity", "0", "-c", code)))


@contextmanager
def serve(prepared: Prepared, *, settings: str = SETTINGS, **variables: str) -> Iterator[Site]:
    """Serve the prepared site on a free port; ``variables`` select the settings."""
    with free_port() as listener:
        origin = origin_at(listener)
        environment = _environment(prepared.folder, settings=settings, origin=origin) | variables
        with gunicorn(listener, environment):
            yield Site(origin, prepared.told, environment)


def _environment(folder: Path, *, settings: str, origin: str) -> Environment:
    own = environment_of(folder, settings=settings, origin=origin)
    return own | {"DEBUG": "false", "STATIC_ROOT": str(folder / "static")}


@dataclass
class Reader:
    """Opens pages of a site, each in a new browser context, and records their faults."""

    browser: Browser
    site: Site
    faults: list[str] = field(default_factory=list)
    _contexts: list[BrowserContext] = field(default_factory=list)

    def open(self, name: str, **options: Any) -> Page:
        """Load the page of this name; options are those of the context, and a first script."""
        page = self.blank(**options)
        self.go(page, name)
        return page

    def blank(self, *, width: int = 1280, height: int = 900, first: str = "", **options: Any) -> Page:
        """Return an empty page; the script ``first`` runs before any other."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        context.add_init_script(_REPORT_VIOLATIONS + first)
        page = context.new_page()
        self._listen(page)
        return page

    def go(self, page: Page, name: str) -> None:
        """Load the page of this name, and check the status of its kind."""
        response = page.goto(self.site.url(name))
        assert response is not None
        assert response.status == KINDS.get(name, 200)

    def opened_and_ready(self, name: str, **options: Any) -> Page:
        """Load the page of this name, and wait until its modules ran: what a test makes by a script comes too soon."""
        page = self.open(name, **options)
        page.evaluate(_RUN_MODULES)
        return page

    def leave(self) -> None:
        """Close all contexts."""
        for context in self._contexts:
            context.close()

    def _listen(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("requestfailed", self._miss)
        page.on("request", self._see)
        page.on("dialog", self._refuse)

    def _hear(self, message: ConsoleMessage) -> None:
        # The page itself has the status of its kind. Everything that it loads must succeed.
        is_the_page = message.location["url"] == (message.page.url if message.page else "")
        # Frames of the desk run no scripts.
        is_expected = ("status of 4" in message.text and is_the_page) or "'allow-scripts'" in message.text
        if message.type in {"error", "warning"} and not is_expected:
            self.faults.append(f"{message.type}: {message.text}")

    def _miss(self, request: Request) -> None:
        # The browser itself aborts requests, such as for the icon of a page that it left.
        if request.failure not in {"net::ERR_ABORTED", "NS_BINDING_ABORTED"}:
            self.faults.append(f"failed: {request.url} {request.failure}")

    def _refuse(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _see(self, request: Request) -> None:
        if not request.url.startswith((f"{self.site.origin}/", "data:")):
            self.faults.append(f"elsewhere: {request.url}")


def keep_picture(page: Page, path: Path) -> None:
    """Keep a screenshot of a whole page; none in Firefox, for which Playwright adds a style that policies refuse."""
    if BROWSER == "firefox":
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(page.screenshot(full_page=True, animations="disabled"))


def signed_in(browser: Browser, site: Site, username: str) -> Any:
    """Sign a person in with the form of the admin, and return the cookies for a context's ``storage_state``."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(site.url("index"))
    # By their names, in any language of the interface.
    page.locator("[name=username]").fill(username)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[type=submit]").click()
    page.wait_for_url(site.url("index"))
    state = context.storage_state()
    context.close()
    return state
