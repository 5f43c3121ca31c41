"""A tool: its schema, annotations, call and result."""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils import timezone

from blog_engine.access.authenticate import actor_of
from blog_engine.actor import Call, Scope
from blog_engine.conf import get_settings
from blog_engine.errors import Refusal, Unauthenticated, Unavailable, ValidationFailed
from blog_engine.http.faults import answer_to_fault
from blog_engine.mcp.schemas import input_schema, output_schema
from blog_engine.operations.base import Operation, execute
from blog_engine.operations.schema import Schema, accepting

PREFIX = "blog_"

_WITHOUT_AN_ORIGIN = "http://localhost"

Arguments = Mapping[str, object]


def _as_sent(arguments: Arguments) -> Arguments:
    return arguments


@dataclass(frozen=True, slots=True)
class PresetOperation:
    """An operation that a tool runs; ``fixed`` are the values that the tool decides and a caller may not send."""

    operation: Operation[Any, Any]
    fixed: Arguments = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """One tool: what ``tools/list`` tells of it, and what ``tools/call`` does with it.

    ``scope`` is the scope that the tool is meant for; ``None`` when that depends on the post (decisions.md 3.3). It is
    there to be shown: what a call needs, the operation asks. ``way_with_id`` is run when the arguments name
    an ``id``. ``prepare`` may change arguments before their shape is looked at. ``required`` are fields that the
    operation refuses with a code of its own when they are missing.
    """

    name: str
    description: str
    scope: Scope | None
    annotations: Mapping[str, bool]
    way: PresetOperation
    way_with_id: PresetOperation | None = None
    prepare: Callable[[Arguments], Arguments] = _as_sent
    required: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name in words (records.md 18)."""
        return self.name.removeprefix(PREFIX).replace("_", " ").capitalize()

    @property
    def input_schema(self) -> Schema:
        """JSON Schema 2020-12 of the arguments: closed, without references and without combinators at its root.

        It offers the body formats that this blog accepts. A copy, which a host may adapt to its clients.
        """
        schema = deepcopy(self._input_schema)
        return schema | {"properties": accepting(schema["properties"], map(str, get_settings().body_formats))}

    @property
    def output_schema(self) -> Schema:
        """JSON Schema 2020-12 of the answer or of the error object, one level deep; a copy, too."""
        return deepcopy(self._output_schema)

    @cached_property
    def _input_schema(self) -> Schema:
        return input_schema(
            [way.operation.input for way in self._ways()],
            without={name for way in self._ways() for name in way.fixed},
            required=self.required,
        )

    @cached_property
    def _output_schema(self) -> Schema:
        return output_schema(output for way in self._ways() for output in way.operation.outputs)

    def call(self, arguments: object, actor: object, base_url: str | None = None) -> dict[str, Any]:
        """Run the tool for a host's own agent server, which counts calls itself.

        ``actor`` is an ``Actor``, or what the ``authenticate`` hook may answer: any object with a ``name`` and maybe
        ``scopes`` (all, unless told) and ``id``; ``None`` is refused.

        Answers the object that the endpoint gives as ``structuredContent``: the answer, ``{}`` when there is nothing to
        say, or the error object. ``base_url`` is the origin of the addresses in it, unless the setting
        ``public_base_url`` tells it.
        """
        if actor is None:
            return _told(Unauthenticated())
        if not isinstance(arguments, Mapping) or not all(isinstance(name, str) for name in arguments):
            return _told(ValidationFailed(["arguments"], hint="arguments must be an object."))
        origin = get_settings().public_base_url or (base_url or _WITHOUT_AN_ORIGIN).rstrip("/")
        return self.answer(arguments, Call(actor=actor_of(actor), now=timezone.now(), base_url=origin))

    def answer(self, arguments: Arguments, call: Call, *, outage: Unavailable | None = None) -> dict[str, Any]:
        """Run the tool; a refusal is answered as error object. ``outage`` is why the call could not be counted.

        Where ``id`` is optional, null means that none is sent.
        """
        if self.way_with_id and arguments.get("id", ...) is None:
            arguments = {name: value for name, value in arguments.items() if name != "id"}
        way = self.way_with_id if self.way_with_id and "id" in arguments else self.way
        try:
            output = execute(way.operation, lambda: self.prepare(arguments), call, fixed=way.fixed, outage=outage)
        except Exception as fault:
            refusal = answer_to_fault(fault)
            if refusal is None:
                raise
            return _told(refusal)
        return output.model_dump(mode="json") if output is not None else {}

    def _ways(self) -> Iterator[PresetOperation]:
        yield self.way
        if self.way_with_id:
            yield self.way_with_id


def _told(refusal: Refusal) -> dict[str, Any]:
    return dict(refusal.envelope())


def _annotations(*, reads: bool, destroys: bool, repeats: bool, open_world: bool) -> Mapping[str, bool]:
    return {
        "readOnlyHint": reads,
        "destructiveHint": destroys,
        "idempotentHint": repeats,
        "openWorldHint": open_world,
    }


READS = _annotations(reads=True, destroys=False, repeats=True, open_world=False)
"""Changes nothing."""
SAVES = _annotations(reads=False, destroys=False, repeats=True, open_world=False)
"""Changes what readers do not see by itself; the same call again changes nothing more."""
SHOWS = _annotations(reads=False, destroys=False, repeats=False, open_world=True)
"""Changes what the public sees, or adds to its history; each call counts."""
SETS = _annotations(reads=False, destroys=False, repeats=True, open_world=True)
"""Reaches the public or another host; the same call again changes nothing more."""
WITHDRAWS = _annotations(reads=False, destroys=True, repeats=True, open_world=True)
"""Takes something away from the public."""
