"""Operations, and the one door through which every face runs them (design.md 1.2)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import NoneType
from typing import Generic, TypeVar, get_args, get_type_hints

from blog_engine.actor import Call, Scope
from blog_engine.errors import Refusal, Unavailable
from blog_engine.http.faults import refusal_of
from blog_engine.inputs.base import Input, parse
from blog_engine.outputs.base import Output
from blog_engine.services.write_log import logged_write

I = TypeVar("I", bound=Input)  # noqa: E741  # the usual letters for what goes in and what comes out
O = TypeVar("O", bound=Output | None)  # noqa: E741


@dataclass(frozen=True, slots=True)
class Operation(Generic[I, O]):
    """One thing a caller can ask for.

    ``scope`` is checked before the input is even read; ``None`` means that the service asks for the scope once it
    knows the target (decisions.md 8.1). ``outputs`` are the kinds of its answer, and none for an operation that
    answers with nothing only. ``refuses`` are the refusals of its own; those of every call (the caller, the rate, the
    shape of the input, the database) are not repeated here.
    """

    name: str
    scope: Scope | None
    input: type[I]
    outputs: tuple[type[Output], ...]
    may_be_empty: bool
    handler: Callable[[I, Call], O]
    summary: str
    refuses: tuple[type[Refusal], ...]


def operation(
    *, scope: Scope | None, refuses: Iterable[type[Refusal]] = ()
) -> Callable[[Callable[[I, Call], O]], Operation[I, O]]:
    """Make an operation of a handler; its models are read from the annotations, its summary from the docstring."""

    def wrap(handler: Callable[[I, Call], O]) -> Operation[I, O]:
        hints = get_type_hints(handler)
        answers = get_args(hints["return"]) or (hints["return"],)
        return Operation(
            name=handler.__name__,
            scope=scope,
            input=hints["data"],
            outputs=tuple(kind for kind in answers if kind is not NoneType),
            may_be_empty=NoneType in answers,
            handler=handler,
            summary=(handler.__doc__ or "").strip(),
            refuses=tuple(refuses),
        )

    return wrap


def with_input(op: Operation[I, O], input: type[I]) -> Operation[I, O]:
    """The same operation for a face that asks for more: ``input`` is a kind of its own input."""
    return replace(op, input=input)


def execute(
    op: Operation[I, O],
    read: Callable[[], Mapping[str, object]],
    call: Call,
    *,
    fixed: Mapping[str, object] | None = None,
    outage: Unavailable | None = None,
) -> O:
    """Run an operation: base scope, then shape, then the handler; any step may raise a ``Refusal``.

    ``read`` gives the caller's own input and runs only after the scope check; ``fixed`` holds values
    that the address or the tool decides, which the caller may not send. ``outage`` is why the call could not be
    counted: then only reading goes on (decisions.md 9.12). Every call that may write leaves a line in the log.
    """
    if op.scope is Scope.READ:
        return _run(op, read, call, fixed=fixed)
    with logged_write(op.name, actor=call.actor, refusal_of=refusal_of):
        if outage is not None:
            raise outage
        return _run(op, read, call, fixed=fixed)


def _run(
    op: Operation[I, O], read: Callable[[], Mapping[str, object]], call: Call, *, fixed: Mapping[str, object] | None
) -> O:
    if op.scope is not None:
        call.actor.require(op.scope)
    data = parse(op.input, read(), fixed=fixed)
    return op.handler(data, call)
