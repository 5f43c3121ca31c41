"""A browser that visits pages and collects their faults."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request

from tests.browser.kinds import KINDS
from tests.browser.served import Site

_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`refused by the policy: ${event.effectiveDirective} ${event.blockedURI}`);
});
"""


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
        if message.type in {"error", "warning"} and not ("status of 4" in message.text and is_the_page):
            self.faults.append(f"{message.type}: {message.text}")

    def _miss(self, request: Request) -> None:
        # The browser itself aborts requests, such as for the icon of a page that it left.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"failed: {request.url} {request.failure}")

    def _refuse(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _see(self, request: Request) -> None:
        if not request.url.startswith((f"{self.site.origin}/", "data:")):
            self.faults.append(f"elsewhere: {request.url}")
