"""A line of a viewset's table: which operation answers an action (design.md 1.2)."""

from collections.abc import Callable
from types import MethodType
from typing import Any, Literal, TypeAlias

from django.http import HttpResponse
from rest_framework.decorators import action
from rest_framework.request import Request

from blog_engine.api.answers import answer
from blog_engine.api.base import EngineViewSet
from blog_engine.api.statuses import OK, Success
from blog_engine.operations.base import I, O, Operation, execute

Method: TypeAlias = Literal["get", "post", "put", "patch", "delete"]


class Served:
    """An action of a viewset: a method made of an operation, which those who describe the API read off the class."""

    def __init__(self, operation: Operation[Any, Any], success: Success) -> None:
        self.operation = operation
        self.success = success
        self.__doc__ = operation.summary

    def __call__(self, view: EngineViewSet, request: Request, **address: str) -> HttpResponse:
        output = execute(
            self.operation, lambda: view.read_input(request._request), view.call, fixed=address, outage=view.outage
        )
        return answer(output, status=self.success.of(output))

    def __get__(self, view: EngineViewSet | None, viewset: type[EngineViewSet]) -> "Served | MethodType":
        return self if view is None else MethodType(self, view)


def serves(op: Operation[I, O], *, success: Success = OK) -> Served:
    """Answer a standard action (``list``, ``create``, ``retrieve``, ``update``, ``partial_update``, ``destroy``).

    What the address says, such as ``id``, goes to the operation as fixed input; ``success`` tells the status of an
    output. An empty one is 204 whatever that says.
    """
    return Served(op, success)


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
