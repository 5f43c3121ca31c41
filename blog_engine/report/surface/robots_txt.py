"""What ``robots.txt`` lets crawlers look at (RFC 9309)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote_from_bytes, urlsplit

_MOST_BYTES: Final = 500 * 1024
"""What is behind them is not read (section 2.5)."""
_LINE: Final = re.compile(r"\r\n|\r|\n")
_PRODUCT: Final = re.compile(r"[a-z_-]+")
_ENCODED: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ANYBODY: Final = "*"
_AS_IT_IS: Final = "!#$%&'()*+,/:;=?@[]~"
"""Characters that a path may hold without being encoded; all other ones are, byte by byte."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A line that allows or forbids the paths that a pattern matches from their start."""

    allows: bool
    pieces: tuple[str, ...]
    """What stands between the asterisks."""
    is_anchored: bool
    """Whether the path must also end there."""
    length: int
    """Of the pattern; the longest that matches decides."""

    def matches(self, path: str) -> bool:
        """Whether the pattern fits a path that was normalised."""
        first, *others = self.pieces
        if not path.startswith(first):
            return False
        position = len(first)
        last = others.pop() if others and self.is_anchored else None
        for piece in others:
            position = path.find(piece, position)
            if position < 0:
                return False
            position += len(piece)
        if last is not None:
            return path.endswith(last) and len(path) - len(last) >= position
        return not self.is_anchored or position == len(path)


@dataclass(frozen=True, slots=True)
class RobotsTxt:
    """The rules of each agent, by its product token in lower case; those of ``*`` are for all others."""

    groups: Mapping[str, tuple[Rule, ...]]

    @classmethod
    def of(cls, body: bytes) -> "RobotsTxt":
        """Read a file; lines that say nothing are passed over, so there is no file that cannot be read."""
        groups: dict[str, list[Rule]] = {}
        agents: list[str] = []
        is_naming = False
        for key, value in _records_in(_start_of(body).decode("utf-8-sig", "surrogateescape")):
            if key == "user-agent":
                agents = [*(agents if is_naming else ()), *_agents_in(value)]
                is_naming = True
                for agent in agents:
                    # Also a group without rules is a group: it allows everything.
                    groups.setdefault(agent, [])
            elif key in {"allow", "disallow"}:
                is_naming = False
                rule = _rule(value, allows=key == "allow")
                for agent in agents:
                    groups[agent] += [rule] if rule else []
        return cls({agent: tuple(rules) for agent, rules in groups.items()})

    def allows(self, agent: str, url: str) -> bool:
        """Whether the agent, such as ``Googlebot``, may look at an absolute URL (sections 2.2.1 and 2.2.2)."""
        parts = urlsplit(url)
        path = _normalised((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        if path == "/robots.txt":
            return True
        path = path.replace("*", "%2A").replace("$", "%24")
        rules = self.groups.get(agent.lower(), self.groups.get(_ANYBODY, ()))
        deciding = max((rule for rule in rules if rule.matches(path)), key=_weight, default=None)
        return deciding is None or deciding.allows


def _weight(rule: Rule) -> tuple[int, bool]:
    return rule.length, rule.allows


def _start_of(body: bytes) -> bytes:
    # Half a line would be another rule, and one that forbids more.
    return body if len(body) <= _MOST_BYTES else body[:_MOST_BYTES].rpartition(b"\n")[0]


def _records_in(text: str) -> Iterator[tuple[str, str]]:
    for line in _LINE.split(text):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _agents_in(value: str) -> list[str]:
    """The product token of a line, which may be followed by a version."""
    if value.split(maxsplit=1)[:1] == [_ANYBODY]:
        return [_ANYBODY]
    token = _PRODUCT.match(value.lower())
    return [token[0]] if token else []


def _rule(value: str, *, allows: bool) -> Rule | None:
    if not value:
        return None
    pattern = _normalised(value)
    is_anchored = pattern.endswith("$")
    pieces = pattern.removesuffix("$").replace("$", "%24").split("*")
    return Rule(allows, tuple(pieces), is_anchored, len(pattern))


def _normalised(path: str) -> str:
    """The path in the one spelling in which paths are compared (section 2.2.2)."""
    encoded = quote_from_bytes(path.encode("utf-8", "surrogateescape"), safe=_AS_IT_IS)
    return _ENCODED.sub(_spelled, encoded)


def _spelled(found: re.Match[str]) -> str:
    octet = int(found[1], 16)
    return chr(octet) if octet in _UNRESERVED else found[0].upper()
