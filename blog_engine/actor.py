"""The caller of an operation: the actor with its scopes, and the call."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from blog_engine.errors import ScopeRequired, Unavailable

USER_PREFIX: Final = "user:"
"""The start of the id of a signed-in user of the host."""
LONGEST_ID: Final = 255
"""The characters of the longest id that is stored."""


class Scope(StrEnum):
    """A permission of an actor; no scope implies another."""

    READ = "read"
    WRITE = "write"
    PUBLISH = "publish"


@dataclass(frozen=True, slots=True, init=False)
class Actor:
    """The person or agent on whose behalf a call runs."""

    name: str
    """What the history records."""
    scopes: frozenset[Scope]
    """Default: all three."""
    id: str
    """What distinguishes actors in the rate limit and in logs. Default: the name."""

    def __init__(self, name: str, scopes: Iterable[str] = tuple(Scope), id: str | None = None) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "scopes", frozenset(Scope(scope) for scope in scopes))
        object.__setattr__(self, "id", id or name)

    @property
    def person(self) -> str | None:
        """The id of a signed-in user of the host, such as ``user:7``; ``None`` for any other actor."""
        return self.id if self.id.startswith(USER_PREFIX) and len(self.id) <= LONGEST_ID else None

    def require(self, scope: Scope) -> None:
        """Raise ``ScopeRequired`` naming the scope if the actor lacks it."""
        if scope not in self.scopes:
            raise ScopeRequired([scope.value], hint=f"Ask a person who runs the blog to grant the scope {scope.value}.")


@dataclass(frozen=True, slots=True)
class Call:
    """The actor, time and base URL of an operation."""

    actor: Actor
    now: datetime
    """The one time of the whole call."""
    base_url: str
    """The origin of the URLs in the answer: scheme, host and port, without a slash at the end."""
    outage: Unavailable | None = None
    """Why the call could not be counted, if the rate limit's cache is down: then only reading operations run."""
