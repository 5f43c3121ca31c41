"""The site that a report is about, with the pages that it opened."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import BlogSettings
from blog_engine.report.surface.html import HtmlPage
from blog_engine.report.surface.in_process import Application
from blog_engine.report.surface.observation import Observation, failed, not_verified
from blog_engine.report.surface.web import USER_AGENT, Web

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


class Page:
    """What an address answered; ``status`` is ``None`` when there was no answer. Names of headers are lower-case."""

    def __init__(self, url: str, status: int | None, headers: Mapping[str, str], body: bytes) -> None:
        self.url = url
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def is_open(self) -> bool:
        """Whether it answered 200."""
        return self.status == 200

    @cached_property
    def text(self) -> str:
        """The body in the encoding that the header names, else as UTF-8; what cannot be decoded is replaced."""
        named = _CHARSET.search(self.headers.get("content-type", ""))
        try:
            # Python also takes what is no encoding of a text, such as ``idna``, and raises over its bytes.
            text = self.body.decode(named[1] if named else "utf-8", "replace")
        except (LookupError, ValueError):
            text = self.body.decode("utf-8", "replace")
        return text.removeprefix("\ufeff")

    @cached_property
    def html(self) -> HtmlPage:
        """The body as a document."""
        return HtmlPage(self.text)

    def unavailable(self, what: str) -> Observation:
        """The observation of a page that is not open: nobody can tell, or it answered with another status."""
        if self.status is None:
            return not_verified(f"{what} could not be fetched.")
        return failed(f"{what} answered {self.status}.")


@dataclass(frozen=True, slots=True)
class Site:
    """The site of one report: its settings and addresses, the moment, and what was fetched of it.

    ``urls`` has an empty origin, and nothing can be opened, while ``public_base_url`` is not set.
    """

    settings: BlogSettings
    now: datetime
    urls: BlogURLs
    web: Web
    _pages: dict[str, Page] = field(default_factory=dict)

    @classmethod
    def configured(cls, settings: BlogSettings, *, now: datetime, over_network: bool) -> "Site":
        """The site under ``public_base_url``; ``over_network`` fetches its own pages as visitors do."""
        origin = settings.public_base_url
        web = Web(origin, application=None if over_network else Application(user_agent=USER_AGENT))
        return cls(settings=settings, now=now, urls=BlogURLs.on(origin or ""), web=web)

    @property
    def has_address(self) -> bool:
        """Whether it is known where the site is."""
        return self.settings.public_base_url is not None

    def open(self, url: str) -> Page:
        """The page at an absolute URL, or at a path of the site as browsers ask for it; each is fetched once."""
        absolute = self.urls.absolute(url)
        if absolute not in self._pages:
            answer = self.web.get(absolute)
            if answer is None:
                # Not kept: it costs nothing to ask again, and a bound reached once stays reached.
                return Page(absolute, None, {}, b"")
            self._pages[absolute] = Page(absolute, answer.status, answer.headers, answer.body)
        return self._pages[absolute]
