"""Permission of a site to crawl (``robots.txt``, RFC 9309) and to index (``robots`` directives)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import quote_from_bytes, urlsplit

from blog_engine.surface_report.html import HtmlPage
from blog_engine.surface_report.site import Site

CRAWLERS: Final = ("Googlebot", "bingbot")
NOT_INDEXED: Final = frozenset({"noindex", "none"})
NOT_FOLLOWED: Final = frozenset({"nofollow", "none"})

_ALL_CRAWLERS: Final = "all crawlers"
_REDIRECTS: Final = 5
_DIRECTED_AT: Final = {"robots": _ALL_CRAWLERS} | {name.lower(): name for name in CRAWLERS}
_WITH_VALUE: Final = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_SCOPE: Final = re.compile(r"\s*([\w.-]+)\s*:(.*)", re.DOTALL)

_MOST_BYTES: Final = 500 * 1024
"""Of ``robots.txt``; what follows is not read (RFC 9309, section 2.5)."""
_LINE: Final = re.compile(r"\r\n|\r|\n")
_PRODUCT: Final = re.compile(r"[a-z_-]+")
_ENCODED: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_NOT_ENCODED: Final = "!#$%&'()*+,/:;=?@[]~"


class CrawlRule(NamedTuple):
    """A line that allows or forbids the paths that its pattern matches; the longest that matches decides."""

    length: int
    allows: bool
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, value: str, *, allows: bool) -> "CrawlRule":
        """Read a path with ``*`` for any characters, and ``$`` at its end for the end of the path."""
        path = _normalised(value)
        first, *pieces = map(re.escape, path.removesuffix("$").replace("$", "%24").split("*"))
        end = f".*{pieces.pop()}" if pieces and path.endswith("$") else ""
        # Atomic groups: the nearest match of each piece is the best, so that no pattern takes long.
        found = "".join(f"(?>.*?{piece})" for piece in pieces)
        end += r"\Z" if path.endswith("$") else ""
        return cls(len(path), allows, re.compile(first + found + end, re.DOTALL))


class RobotsTxt(NamedTuple):
    """The rules of each agent, by its product token in lower case; those of ``*`` are for all others."""

    groups: Mapping[str, Sequence[CrawlRule]]

    @classmethod
    def of(cls, body: bytes) -> "RobotsTxt":
        """Read a file; lines without meaning are ignored."""
        groups: dict[str, list[CrawlRule]] = {}
        agents: list[str] = []
        is_naming = False
        # Half a line would be another rule, and one that forbids more.
        head = body if len(body) <= _MOST_BYTES else body[:_MOST_BYTES].rpartition(b"\n")[0]
        for line in _LINE.split(head.decode("utf-8-sig", "surrogateescape")):
            name, colon, value = (part.strip() for part in line.partition("#")[0].partition(":"))
            key = name.lower() if colon else ""
            if key == "user-agent":
                agents = [*(agents if is_naming else ()), *_agents_in(value)]
                is_naming = True
                for agent in agents:
                    # A group without rules allows everything.
                    groups.setdefault(agent, [])
            elif key in {"allow", "disallow"}:
                is_naming = False
                for agent in agents if value else ():
                    groups[agent].append(CrawlRule.of(value, allows=key == "allow"))
        return cls(groups)

    def allows(self, agent: str, url: str) -> bool:
        """Return whether the agent, such as ``Googlebot``, may crawl an absolute URL (sections 2.2.1 and 2.2.2)."""
        parts = urlsplit(url)
        path = _normalised((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        if path == "/robots.txt":
            return True
        path = path.replace("*", "%2A").replace("$", "%24")
        rules = self.groups.get(agent.lower(), self.groups.get("*", ()))
        return max((rule[:2] for rule in rules if rule.pattern.match(path)), default=(0, True))[1]


class RobotsDirective(NamedTuple):
    """A word of a page to crawlers: for which, and where it is written."""

    agent: str
    word: str
    place: str

    def __str__(self) -> str:
        return f"{self.place} says {self.word} to {self.agent}"


def robots_txt(site: Site) -> RobotsTxt | None:
    """Return the rules of the site; ``None`` when they are unknown (surface-report.robots-txt)."""
    page = site.open("/robots.txt")
    for _ in range(_REDIRECTS):
        if page.redirect_target is not None:
            page = site.open(page.redirect_target)
    if page.status is None or page.status >= 500 or 300 <= page.status < 400:
        return None
    return RobotsTxt({}) if page.status >= 400 else RobotsTxt.of(page.body)


def directives_of(html: HtmlPage, headers: Mapping[str, str]) -> tuple[RobotsDirective, ...]:
    """Return the directives of ``meta`` elements and ``X-Robots-Tag`` for all crawlers or for one of ``CRAWLERS``.

    A name in the header applies to all words up to the next name: of several headers only their joined list is known.
    """
    in_head = (
        RobotsDirective(agent, word.strip().lower(), f"the meta element {name}")
        for name, agent in _DIRECTED_AT.items()
        for content in html.metas(name)
        for word in content.split(",")
    )
    return tuple(one for one in (*in_head, *_directives_in_header(headers.get("x-robots-tag", ""))) if one.word)


def _directives_in_header(value: str) -> Iterator[RobotsDirective]:
    agent: str | None = _ALL_CRAWLERS
    for part in value.split(","):
        word = part
        scope = _SCOPE.fullmatch(part)
        if scope and scope[1].lower() not in _WITH_VALUE:
            agent, word = _DIRECTED_AT.get(scope[1].lower()), scope[2]
        if agent:
            yield RobotsDirective(agent, word.strip().lower(), "the header X-Robots-Tag")


def _agents_in(value: str) -> list[str]:
    """Return the product token of a line, which a version may follow."""
    if value.split(maxsplit=1)[:1] == ["*"]:
        return ["*"]
    token = _PRODUCT.match(value.lower())
    return [token[0]] if token else []


def _normalised(path: str) -> str:
    """Return the path in the one spelling in which paths are compared (section 2.2.2)."""
    return _ENCODED.sub(_spelled, quote_from_bytes(path.encode("utf-8", "surrogateescape"), safe=_NOT_ENCODED))


def _spelled(found: re.Match[str]) -> str:
    octet = int(found[1], 16)
    return chr(octet) if octet in _UNRESERVED else found[0].upper()
