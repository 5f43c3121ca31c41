"""Operations, and the one door through which every face runs them (design.md 1.2)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import NoneType
from typing import Generic, TypeVar, get_args, get_type_hints

from blog_engine.actor import Call, Scope
from blog_engine.errors import Refusal
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

    def run(self, sent: Mapping[str, object], call: Call, *, fixed: Mapping[str, object] | None = None) -> O:
        """Validate the input and run the operation inside ``admitting``; any step may raise a ``Refusal``."""
        return self.handler(parse(self.input, sent, fixed=fixed), call)


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
    op: Operation[I, O], sent: Mapping[str, object], call: Call, *, fixed: Mapping[str, object] | None = None
) -> O:
    """Check the scope of an operation, validate its input and run it; each step may raise a ``Refusal``.

    ``fixed`` has the values that the URL or the tool decides, which the caller must not send.
    """
    with admitting(op, call):
        return op.run(sent, call, fixed=fixed)


@contextmanager
def admitting(op: Operation[I, O], call: Call) -> Iterator[None]:
    """Check the scope of an operation; read its input and run it inside the block.

    An operation that may write leaves a line in the log, and is refused when the call could not be counted
    (``access.rate.cache-gone``). Raises ``ScopeRequired`` or ``Unavailable``.
    """
    if op.scope is Scope.READ:
        call.actor.require(op.scope)
        yield
        return
    with logged_write(op.name, actor=call.actor, refusal_of=refusal_of):
        if call.outage is not None:
            raise call.outage
        if op.scope is not None:
            call.actor.require(op.scope)
        yield
