"""Operations, which the API and the agent endpoint run alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from types import NoneType
from typing import Any, Final, Generic, TypeVar, get_args, get_type_hints

from blog_engine.actor import Call, Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.errors import NotFound, Refusal
from blog_engine.http.responses import refusal_of
from blog_engine.inputs.base import Input, parse
from blog_engine.operations.named_records import meant_record
from blog_engine.outputs.base import Output
from blog_engine.queries.posts import post_to_hand_over
from blog_engine.queries.previews import preview_token
from blog_engine.rules.review_place import to_decide, to_publish
from blog_engine.services.write_log import logged_write

I = TypeVar("I", bound=Input)  # noqa: E741  # the usual letters for what goes in and what comes out
O = TypeVar("O", bound=Output | None)  # noqa: E741
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Operation(Generic[I, O]):
    """One thing that a caller can ask for."""

    name: str
    scope: Scope | None
    """Required before the input is read; ``None`` if the required scope depends on the post."""
    input: type[I]
    outputs: tuple[type[Output], ...]
    """The kinds of its answers; none if it always answers with nothing."""
    may_be_empty: bool
    handler: Callable[[I, Call], O]
    summary: str
    refuses: tuple[type[Refusal], ...]
    """Its own refusals, besides those of every call: the caller, the rate, the shape of the input, the database."""

    def run(self, sent: Mapping[str, object], call: Call, *, fixed: Mapping[str, object] | None = None) -> O:
        """Validate the input and run the operation inside ``admitting``; any step may raise a ``Refusal``."""
        try:
            data = parse(self.input, sent, fixed=fixed)
        except NotFound as refusal:
            if meant := meant_record(self.input, {**sent, **(fixed or {})}):
                raise NotFound(hint=meant) from refusal
            raise
        return self.handler(data, call)


def operation(
    *, scope: Scope | None, refuses: Iterable[type[Refusal]] = ()
) -> Callable[[Callable[[I, Call], O]], Operation[I, O]]:
    """Return a decorator that makes a handler an operation.

    The name, the models and the summary are the name, the annotations and the docstring of the handler.
    """

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


def operation_of(
    service: Callable[..., S],
    answer: Callable[[S, Call], O],
    summary: str,
    *,
    scope: Scope | None,
    refuses: Iterable[type[Refusal]] = (),
    name: str = "",
) -> Operation[Any, O]:
    """Return the operation that runs a service and answers with `answer(outcome, call)`.

    The input and the default name are those of the service, which is called with the fields of `Call` that it takes.
    """
    hints = get_type_hints(service)
    taken = [field.name for field in fields(Call) if field.name in hints]

    def handler(data: Any, call: Call) -> O:
        return answer(service(data, **{name: getattr(call, name) for name in taken}), call)

    handler.__name__, handler.__doc__ = name or service.__name__, summary
    handler.__annotations__ = {"data": hints["data"], "return": get_type_hints(answer)["return"]}
    return operation(scope=scope, refuses=refuses)(handler)


def with_input(op: Operation[I, O], input: type[I]) -> Operation[I, O]:
    """Return the operation with an input that extends its own."""
    return replace(op, input=input)


def execute(
    op: Operation[I, O], sent: Mapping[str, object], call: Call, *, fixed: Mapping[str, object] | None = None
) -> O:
    """Check the scope of an operation, validate its input and run it; each step may raise a ``Refusal``.

    ``fixed`` has the values that the URL or the tool decides, which the caller must not send.
    """
    with admitting(op, call, key=(fixed or {}).get("id", sent.get("id"))):
        return op.run(sent, call, fixed=fixed)


_RELEASING: Final = frozenset({"publish_post", "approve_revision"})
"""Operations that a person can do at the desk for an agent that has written the draft."""


@contextmanager
def admitting(op: Operation[I, O], call: Call, *, key: object = None) -> Iterator[None]:
    """Check the scope of an operation; read its input and run it inside the block.

    ``key`` is the id or slug of the post, not checked yet, that a refusal leads a person to.
    An operation that may write leaves a line in the log, and is refused when the call could not be counted
    (``access.rate.cache-gone``). Raises ``ScopeRequired`` or ``Unavailable``.
    """
    if op.scope is Scope.READ:
        call.actor.refuse_barred(op.name)
        call.actor.require(op.scope)
        yield
        return
    with logged_write(op.name, actor=call.actor, refusal_of=refusal_of):
        if call.outage is not None:
            raise call.outage
        call.actor.refuse_barred(op.name)
        if op.scope is not None:
            call.actor.require(op.scope, instead=_instead(op, call, key) if op.scope not in call.actor.scopes else "")
        yield


def _instead(op: Operation[I, O], call: Call, key: object) -> str:
    """Return the way that is open to an actor without the scope of an operation; at most one query."""
    if op.name == "apply_proposal":
        return to_decide(call.base_url)
    if op.name not in _RELEASING:
        return ""
    post = post_to_hand_over(key) if Scope.READ in call.actor.scopes else None
    preview = None if post is None else preview_token(post, now=call.now)
    url = "" if preview is None else BlogURLs.on(call.base_url).preview_url(preview.token)
    return to_publish(call.base_url, post=post, preview_url=url)
