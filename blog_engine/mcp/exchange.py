"""Parameters, results and common faults of the methods of the protocol."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

from django.http import HttpRequest

from blog_engine.actor import Call
from blog_engine.mcp.protocol import INVALID_PARAMS, RESOURCE_NOT_FOUND, ProtocolError, VersionFamily
from blog_engine.mcp.tools import PREFIX

Params: TypeAlias = Mapping[str, Any]
Result: TypeAlias = dict[str, Any]

MARKDOWN = "text/markdown"
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Exchange:
    """The context of a method besides its parameters."""

    family: VersionFamily
    call: Call
    request: HttpRequest | None
    """The request with which a bug in a tool is reported."""

    @property
    def not_found(self) -> int:
        """The code for a resource that does not exist."""
        return RESOURCE_NOT_FOUND if self.family is VersionFamily.HANDSHAKE else INVALID_PARAMS


Method: TypeAlias = Callable[[Params, Exchange], Result]


def refuse_cursor(params: Params) -> None:
    """Raise ``ProtocolError`` for a cursor: every list has one page."""
    if params.get("cursor") is not None:
        raise ProtocolError(INVALID_PARAMS, "The list has one page. Send no cursor.")


def string_param(params: Params, name: str, *, must_be: str) -> str:
    """Return a parameter that must be a string; raises ``ProtocolError`` for anything else."""
    value = params.get(name)
    if not isinstance(value, str):
        raise ProtocolError(INVALID_PARAMS, f"{name} must be {must_be}.")
    return value


def unknown_name(kind: str, name: str, *, known: Iterable[str]) -> ProtocolError:
    """Return the error for an unknown name, which suggests the nearest known one or lists all."""
    # The prefix that all tools share would make every name look alike.
    names = {each.removeprefix(PREFIX): each for each in known}
    near = get_close_matches(name.removeprefix(PREFIX)[:_LONGEST_NAME], names, n=1)
    hint = f"Did you mean {names[near[0]]}?" if near else f"The {kind}s are {', '.join(known)}."
    return ProtocolError(INVALID_PARAMS, f"Unknown {kind}. {hint}", data={"name": name})
