"""Who calls, with which rights, and when."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from blog_engine.errors import ScopeRequired


class Scope(StrEnum):
    """What an actor may do. No scope implies another (records.md section 2)."""

    READ = "read"
    WRITE = "write"
    PUBLISH = "publish"


@dataclass(frozen=True, slots=True, init=False)
class Actor:
    """The person or agent on whose behalf a call runs.

    ``name`` is what the history records. ``scopes`` are all three unless given. ``id`` tells
    actors apart for the rate limit and is the name unless given.
    """

    name: str
    scopes: frozenset[Scope]
    id: str

    def __init__(self, name: str, scopes: Iterable[str] = tuple(Scope), id: str | None = None) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "scopes", frozenset(Scope(scope) for scope in scopes))
        object.__setattr__(self, "id", id or name)

    def require(self, scope: Scope) -> None:
        """Raise ``ScopeRequired`` naming the scope when the actor lacks it (service.md section 5.6)."""
        if scope not in self.scopes:
            raise ScopeRequired([scope.value], hint=f"Ask a person who runs the blog to grant the scope {scope.value}.")


@dataclass(frozen=True, slots=True)
class Call:
    """What every operation knows besides its input.

    ``now`` is the one time of the whole call. ``base_url`` is the origin (scheme, host, port, no
    trailing slash) of the addresses in the answer.
    """

    actor: Actor
    now: datetime
    base_url: str
