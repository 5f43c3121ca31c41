"""The caller of an operation: the actor with its scopes, and the call."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from blog_engine.enums import ActorKind
from blog_engine.errors import ScopeRequired, Unavailable

USER_PREFIX: Final = "user:"
"""The start of the id of a signed-in user of the host."""
CONNECTED_PREFIX: Final = "token:oauth-"
"""The start of the id of an agent that a person connected by URL."""
LONGEST_ID: Final = 255
"""The characters of the longest id that is stored."""


class Scope(StrEnum):
    """A permission of an actor; no scope implies another."""

    READ = "read"
    WRITE = "write"
    PUBLISH = "publish"


class RecordedActor(NamedTuple):
    """An actor as the history names it; what was not recorded is ``None``."""

    name: str | None
    kind: str | None
    id: str | None

    @property
    def ids(self) -> dict[str, Any]:
        """The columns of a record that has no name of its actor."""
        return {"actor_kind": self.kind, "actor_id": self.id}

    def columns(self, name: str = "actor") -> dict[str, Any]:
        """Return the columns of a record that name it; ``name`` is the one of its name."""
        return {name: self.name, "actor_kind": self.kind, "actor_id": self.id}


ON_SCHEDULE: Final = RecordedActor(None, ActorKind.SYSTEM.value, "publish_due")
ON_EXPIRY: Final = RecordedActor(None, ActorKind.SYSTEM.value, "expired")
"""The actor of a release on schedule."""


@dataclass(frozen=True, slots=True, init=False)
class Actor:
    """The person or agent on whose behalf a call runs."""

    name: str
    """What the history records."""
    scopes: frozenset[Scope]
    """Default: all three."""
    id: str
    """What distinguishes actors in the rate limit, in logs and in the history. Default: the name."""
    kind: ActorKind
    """Default: ``system``."""
    user_id: str | None
    """The primary key of the host's user that it is or acts for. Default: what follows ``user:`` in its id."""
    barred: frozenset[str]
    """Names of operations that it must not run, whatever its scopes. Default: none."""

    def __init__(
        self,
        name: str,
        scopes: Iterable[str] = tuple(Scope),
        id: str | None = None,
        *,
        kind: ActorKind | str = ActorKind.SYSTEM,
        user_id: object = None,
        barred: Iterable[str] = (),
    ) -> None:
        """Raises ``ValueError`` for another kind, for a person without a user, and for an id that is too long."""
        kind = ActorKind(kind)
        if user_id is None and id and id.startswith(USER_PREFIX):
            user_id = id.removeprefix(USER_PREFIX)
        if kind is ActorKind.PERSON:
            if not user_id:
                raise ValueError("an actor of the kind person needs user_id")
            id = f"{USER_PREFIX}{user_id}"
        if id and len(id) > LONGEST_ID:
            raise ValueError(f"the id of an actor has more than {LONGEST_ID} characters")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "scopes", frozenset(Scope(scope) for scope in scopes))
        object.__setattr__(self, "id", id or name)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "user_id", str(user_id) if user_id else None)
        object.__setattr__(self, "barred", frozenset(barred))

    @property
    def user(self) -> str | None:
        """The host's user that it is or acts for, such as ``user:7``; ``None`` without one."""
        return f"{USER_PREFIX}{self.user_id}" if self.user_id else None

    @property
    def recorded(self) -> RecordedActor:
        return RecordedActor(self.name, self.kind.value, self.id)

    def refuse_barred(self, operation: str) -> None:
        """Raise ``ScopeRequired`` for an operation that is barred."""
        if operation in self.barred:
            raise ScopeRequired(
                ["manage_supporting"],
                hint="The user for whom you act lacks this permission of the desk. Ask a person who has it.",
            )

    def require(self, scope: Scope, *, instead: str = "") -> None:
        """Raise ``ScopeRequired`` naming the scope if the actor lacks it, with what it can do ``instead``."""
        if scope not in self.scopes:
            how = self._how_to_get(scope)
            hint = f"{instead} Or {how}" if instead else how[0].upper() + how[1:]
            raise ScopeRequired([scope.value], hint=hint)

    def _how_to_get(self, scope: Scope) -> str:
        if self.id.startswith(CONNECTED_PREFIX):
            return f"the person for whom you act can connect you again and allow {scope.value}, or do it at the desk."
        return f"ask a person who runs the blog to grant the scope {scope.value}."


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
    creates_only: bool = False
    """Whether a record at the URL of the call is to be created, and not to be edited."""
    by_words: bool = False
    """Whether differences in the answer show words instead of lines, as those of tools do (agents.tools.words)."""
