"""A tool: its schemas, annotations and calls."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.utils import timezone

from blog_engine.actor import Call, Scope
from blog_engine.conf import get_settings
from blog_engine.errors import Refusal, Unauthenticated, ValidationFailed
from blog_engine.http.authentication import actor_of
from blog_engine.http.responses import logged_refusal_of
from blog_engine.inputs.hints import fields_as_sent
from blog_engine.mcp.schemas import input_schema, output_schema, portable
from blog_engine.mcp.values import as_admitted, object_of, with_post_keys
from blog_engine.operations.base import Operation, execute
from blog_engine.operations.schema import Schema, accepting

PREFIX = "blog_"

_DEFAULT_ORIGIN = "http://localhost"

Arguments = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class PresetOperation:
    """An operation that a tool runs."""

    operation: Operation[Any, Any]
    fixed: Arguments = field(default_factory=dict)
    """Values that the tool sets; callers cannot send them."""


@dataclass(frozen=True)
class Tool:
    """A tool: its entry in ``tools/list``, and what ``tools/call`` runs."""

    name: str
    description: str
    scope: Scope | None
    """The scope that the tool is meant for, ``None`` when it depends on the post. The operation is what enforces it."""
    annotations: Mapping[str, bool]
    preset: PresetOperation
    instead: Mapping[str, PresetOperation] = field(default_factory=dict)
    """Operations that run instead, by the argument that asks for them; of several, the last."""
    prepare: Callable[[Arguments], Arguments] = dict
    """Changes the arguments before they are validated."""
    required: tuple[str, ...] = ()
    """Fields that the operation refuses with a code of their own when they are missing."""

    @property
    def title(self) -> str:
        """The name in words, such as “List posts”."""
        return self.name.removeprefix(PREFIX).replace("_", " ").capitalize()

    @property
    def input_schema(self) -> Schema:
        """The JSON Schema 2020-12 of the arguments, with the accepted body formats, in what every client converts.

        A copy, which a host can adapt to its clients.
        """
        schema = portable(deepcopy(self._input_schema))
        return schema | {"properties": accepting(schema["properties"], map(str, get_settings().body_formats))}

    @property
    def definition(self) -> Mapping[str, Any]:
        """The entry in ``tools/list``, made once for the accepted body formats; not to be changed."""
        formats = tuple(map(str, get_settings().body_formats))
        if formats not in self._definitions:
            self._definitions[formats] = {
                "name": self.name,
                "title": self.title,
                "description": self.description,
                "inputSchema": self.input_schema,
                "outputSchema": self.output_schema,
                "annotations": self.annotations,
            }
        return self._definitions[formats]

    @cached_property
    def _definitions(self) -> dict[tuple[str, ...], Mapping[str, Any]]:
        return {}

    @property
    def output_schema(self) -> Schema:
        """A copy of the JSON Schema 2020-12 of the answer or the error object."""
        return deepcopy(self._output_schema)

    @cached_property
    def _input_schema(self) -> Schema:
        return input_schema(
            [preset.operation.input for preset in self.presets()],
            without={name for preset in self.presets() for name in preset.fixed},
            required=self.required,
        )

    @cached_property
    def _output_schema(self) -> Schema:
        return output_schema(output for preset in self.presets() for output in preset.operation.outputs)

    def call(self, arguments: object, actor: object, base_url: str | None = None) -> dict[str, Any]:
        """Run the tool for an MCP server of the host, which counts calls itself.

        ``actor`` is an ``Actor``, or anything that the ``authenticate`` hook can return: an object with a ``name`` and
        optionally ``scopes`` (default: all) and ``id``. ``None`` is refused. ``base_url`` is the origin of URLs in the
        answer, unless the setting ``public_base_url`` is set.

        Return what the endpoint sends as ``structuredContent``: the answer, ``{}`` when the operation has none, or the
        error object.
        """
        if actor is None:
            return _error_object(Unauthenticated())
        arguments = object_of(arguments)
        if not isinstance(arguments, Mapping) or not all(isinstance(name, str) for name in arguments):
            return _error_object(ValidationFailed(["arguments"], hint="arguments must be an object."))
        origin = get_settings().public_base_url or (base_url or _DEFAULT_ORIGIN).rstrip("/")
        return self.answer(arguments, Call(actor=actor_of(actor), now=timezone.now(), base_url=origin))

    def answer(self, arguments: Arguments, call: Call) -> dict[str, Any]:
        """Run the tool and return its answer, or the error object of a refusal."""
        try:
            arguments, preset = self._chosen(as_admitted(arguments, self._input_schema))
            arguments = with_post_keys(arguments, preset.operation.input, call)
            tool_call = replace(call, by_words=True)
            output = execute(preset.operation, self.prepare(arguments), tool_call, fixed=preset.fixed)
        except Exception as fault:
            refusal = logged_refusal_of(fault)
            if refusal is None:
                raise
            return _error_object(refusal)
        return output.model_dump(mode="json") if output is not None else {}

    def presets(self) -> tuple[PresetOperation, ...]:
        """The operations that the tool can run."""
        return self.preset, *self.instead.values()

    def _chosen(self, arguments: Arguments) -> tuple[Arguments, PresetOperation]:
        """Return the operation that the arguments ask for, and those of them that say something to it.

        Raises ``ValidationFailed`` naming a field that only goes with another one (agents.tools.ways).
        """
        # An empty text must not turn a call that changes something into another one.
        is_asked = _says_something if self.annotations["readOnlyHint"] else _is_sent
        asked = next((name for name in reversed([*self.instead]) if is_asked(arguments.get(name))), None)
        if asked is not None and _is_blank(arguments[asked]):
            raise ValidationFailed([asked], hint=f"{asked} is empty: send what it names, or leave {asked} out.")
        preset = self.preset if asked is None else self.instead[asked]
        taken, known = _fields(preset), set().union(*map(_fields, self.presets()))
        apart = [name for name in arguments if name in known - taken]
        for name in apart:
            if not _says_something(arguments[name]):
                continue
            if asked is not None:
                raise ValidationFailed([name], hint=f"{name} does not go with {asked}: leave one of them out.")
            other = next(other for other, preset in self.instead.items() if name in _fields(preset))
            raise ValidationFailed([name], hint=f"{name} goes with {other}: send {other} too, or leave {name} out.")
        return {name: value for name, value in arguments.items() if name not in apart}, preset


def _fields(preset: PresetOperation) -> set[str]:
    return {*fields_as_sent(preset.operation.input)} - {*preset.fixed}


def _is_sent(value: object) -> bool:
    return value is not None and value is not False


def _says_something(value: object) -> bool:
    return _is_sent(value) and value not in ("", [])


def _is_blank(value: object) -> bool:
    return isinstance(value, str) and not value.strip()


def _error_object(refusal: Refusal) -> dict[str, Any]:
    return dict(refusal.envelope())


def _annotations(*, reads: bool, destroys: bool, repeats: bool, open_world: bool) -> Mapping[str, bool]:
    return {"readOnlyHint": reads, "destructiveHint": destroys, "idempotentHint": repeats, "openWorldHint": open_world}


READS = _annotations(reads=True, destroys=False, repeats=True, open_world=False)
"""Changes nothing."""
FETCHES = _annotations(reads=True, destroys=False, repeats=True, open_world=True)
"""Changes nothing, and can ask other hosts."""
ADDS = _annotations(reads=False, destroys=False, repeats=False, open_world=True)
"""Adds a record with each call; changes and removes none."""
ADDS_ONCE = _annotations(reads=False, destroys=False, repeats=True, open_world=True)
"""Adds a record that the same call does not add again."""
CHANGES = _annotations(reads=False, destroys=True, repeats=False, open_world=True)
"""Changes or removes what is stored; the same call again can change more."""
SETS = _annotations(reads=False, destroys=True, repeats=True, open_world=True)
"""Changes or removes what is stored; the same call again changes nothing more."""
