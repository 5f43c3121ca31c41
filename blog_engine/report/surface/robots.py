"""Whether search engines may look at a page, and may list it (records.md 16: T1, T21)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from blog_engine.report.surface.html import HtmlPage
from blog_engine.report.surface.robots_txt import RobotsTxt
from blog_engine.report.surface.site import Site
from blog_engine.report.surface.targets import redirect_target

CRAWLERS: Final = ("Googlebot", "bingbot")
ANYBODY: Final = "all crawlers"
NOT_LISTED: Final = frozenset({"noindex", "none"})
NOT_FOLLOWED: Final = frozenset({"nofollow", "none"})

_REDIRECTS: Final = 5
_AGENTS: Final = {"robots": ANYBODY} | {name.lower(): name for name in CRAWLERS}
_WITH_VALUE: Final = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_SCOPE: Final = re.compile(r"\s*([\w.-]+)\s*:(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Directive:
    """A word that a page says to crawlers: to whom, and where it stands."""

    agent: str
    word: str
    place: str

    def __str__(self) -> str:
        return f"{self.place} says {self.word} to {self.agent}"


def robots_txt(site: Site) -> RobotsTxt | None:
    """The rules of the site, ``None`` when nobody knows them (RFC 9309, section 2.3.1).

    There are none where the file is missing, which every 4xx says. They are unknown while it cannot be had: without an
    answer, with a 5xx, and behind more than five redirects.
    """
    page = site.open("/robots.txt")
    for _ in range(_REDIRECTS):
        target = redirect_target(page)
        if target is None:
            break
        page = site.open(target)
    if page.status is None or page.status >= 500 or 300 <= page.status < 400:
        return None
    return RobotsTxt({}) if page.status >= 400 else RobotsTxt.of(page.body)


def directives_of(html: HtmlPage, headers: Mapping[str, str]) -> tuple[Directive, ...]:
    """What ``meta`` elements and the header ``X-Robots-Tag`` say to all crawlers or to one of ``CRAWLERS``.

    A name in the header is meant for all words up to the next name: of several headers only their joined list is known.
    """
    found = (*_directives_in_head(html), *_directives_in_header(headers.get("x-robots-tag", "")))
    return tuple(one for one in found if one.word)


def _directives_in_head(html: HtmlPage) -> Iterator[Directive]:
    for name, agent in _AGENTS.items():
        for content in html.metas(name):
            for word in content.split(","):
                yield Directive(agent, word.strip().lower(), f"the meta element {name}")


def _directives_in_header(value: str) -> Iterator[Directive]:
    agent: str | None = ANYBODY
    for part in value.split(","):
        word = part
        scope = _SCOPE.fullmatch(part)
        if scope and scope[1].lower() not in _WITH_VALUE:
            agent, word = _AGENTS.get(scope[1].lower()), scope[2]
        if agent:
            yield Directive(agent, word.strip().lower(), "the header X-Robots-Tag")
