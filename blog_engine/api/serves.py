"""A line of a viewset's table: which operation answers an action (design.md 1.2)."""

from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any, Literal, TypeAlias

from django.http import HttpRequest, HttpResponse
from rest_framework.decorators import action
from rest_framework.request import Request

from blog_engine.api.answers import answer, text_answer
from blog_engine.api.base import EngineViewSet
from blog_engine.api.statuses import OK, Success
from blog_engine.operations.base import I, O, Operation, execute

Method: TypeAlias = Literal["get", "post", "put", "patch", "delete"]


class Served:
    """An action of a viewset: a method made of an operation, which those who describe the API read off the class."""

    def __init__(
        self, operation: Operation[Any, Any], success: Success, *, as_text: Callable[[Any], str] | None = None
    ) -> None:
        self.operation = operation
        self.success = success
        self.as_text = as_text
        self.__doc__ = operation.summary

    def __call__(self, view: EngineViewSet, request: Request, **address: str) -> HttpResponse:
        sent: dict[str, object] = {}

        def read() -> dict[str, object]:
            sent.update(view.read_input(request._request))
            return sent

        output = execute(self.operation, read, view.call, fixed=address, outage=view.outage)
        if self.as_text is not None and _wants_text(sent, request._request):
            return text_answer(self.as_text(output))
        return answer(output, status=self.success.of(output))

    def __get__(self, view: EngineViewSet | None, viewset: type[EngineViewSet]) -> "Served | MethodType":
        return self if view is None else MethodType(self, view)


def serves(op: Operation[I, O], *, success: Success = OK) -> Served:
    """Answer a standard action (``list``, ``create``, ``retrieve``, ``update``, ``partial_update``, ``destroy``).

    What the address says, such as ``id``, goes to the operation as fixed input; ``success`` tells the status of an
    output. An empty one is 204 whatever that says.
    """
    return Served(op, success)


def serves_as_text_too(op: Operation[I, O], as_text: Callable[[Any], str]) -> Served:
    """Answer a standard action as JSON, or by ``as_text`` for who asks so: ``format``, else the first of ``Accept``."""
    return Served(op, OK, as_text=as_text)


def serves_at(
    name: str, op: Operation[I, O], *, method: Method, success: Success = OK, detail: bool = True
) -> Callable[..., HttpResponse]:
    """Answer ``method`` on ``/<collection>/<id>/<name>``, or with ``detail=False`` on ``/<collection>/<name>``.

    The attribute of the viewset has the same name.
    """
    served: Any = serves(op, success=success)
    served.__name__ = name
    decorated: Callable[..., HttpResponse] = action(detail=detail, methods=[method])(served)
    return decorated


def _wants_text(sent: Mapping[str, object], request: HttpRequest) -> bool:
    first = request.headers.get("Accept", "").split(",")[0].split(";")[0]
    return sent.get("format", "text" if first.strip().lower() == "text/plain" else "json") == "text"
