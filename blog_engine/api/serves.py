"""A line of a viewset's table: which operation answers an action (design.md 1.2)."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from django.http import HttpResponse
from rest_framework.decorators import action
from rest_framework.request import Request

from blog_engine.actor import Scope
from blog_engine.api.answers import answer
from blog_engine.api.base import EngineViewSet
from blog_engine.api.request_input import read_input
from blog_engine.operations.base import I, O, Operation, execute

Method: TypeAlias = Literal["get", "post", "put", "patch", "delete"]


def always_200(output: object) -> int:
    """The status of most answers; an empty one is 204 whatever this says."""
    return 200


def serves(op: Operation[I, O], *, status: Callable[[O], int] = always_200) -> Callable[..., HttpResponse]:
    """Answer a standard action (``list``, ``create``, ``retrieve``, ``partial_update``, ``destroy``) by an operation.

    What the address says, such as ``id``, goes to the operation as fixed input; ``status`` tells the success
    status of an output.
    """

    def served(view: EngineViewSet, request: Request, **address: str) -> HttpResponse:
        if view.outage is not None and op.scope is not Scope.READ:
            raise view.outage
        output = execute(op, lambda: read_input(request._request), view.call, fixed=address)
        return answer(output, status=status(output))

    served.__doc__ = op.summary
    return served


def serves_at(
    name: str, op: Operation[I, O], *, method: Method, status: Callable[[O], int] = always_200
) -> Callable[..., HttpResponse]:
    """Answer ``method`` on ``/<collection>/<id>/<name>``; the attribute of the viewset has the same name."""
    served: Any = serves(op, status=status)
    served.__name__ = name
    decorated: Callable[..., HttpResponse] = action(detail=True, methods=[method])(served)
    return decorated
