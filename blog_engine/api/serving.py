"""Serving an operation as a DRF action: authentication, input, status and answer."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MethodType
from typing import Any, Final, Literal, Protocol, TypeAlias

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.decorators import action
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from blog_engine.actor import Call, Scope
from blog_engine.api.bodies import read_input
from blog_engine.api.conditions import Conditions
from blog_engine.api.repeats import with_key
from blog_engine.enums import PostStatus
from blog_engine.errors import MethodNotAllowed
from blog_engine.http.authentication import Caller, authenticate
from blog_engine.http.origins import shared_with_origins
from blog_engine.http.protected_resources import ProtectedResource, metadata_url
from blog_engine.http.rate_limit import Usage, count_call
from blog_engine.http.requests import origin_of
from blog_engine.http.responses import JSON, keep_out_of_page_caches, never_stored, refuse_fault, without_transaction
from blog_engine.inputs.base import parse
from blog_engine.operations.base import Operation, admitting
from blog_engine.outputs.base import Output
from blog_engine.outputs.posts import AnsweredPost, DryRun, WriteEnvelope
from blog_engine.outputs.short import ShortDryRun, ShortWrite


class _AlwaysJson(BaseContentNegotiation):
    """Ignores ``Accept`` and ``?format=``, which is an ordinary field."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class EngineViewSet(ViewSet):
    """Serves operations; its subclasses only list them.

    The order of checks is method (405), caller (401), rate limit (429), operation (``access.order``). The caller is an
    attribute here, because ``request.user`` belongs to the host.
    """

    renderer_classes = (JSONRenderer,)
    content_negotiation_class = _AlwaysJson
    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()
    parser_classes = ()
    metadata_class = None
    versioning_class = None
    schema = None
    lookup_field = "id"
    lookup_value_regex = "[^/]+"

    usage: Usage | None = None
    caller: Caller
    call: Call

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        """Return the view, exempt from ``ATOMIC_REQUESTS``, for browsers of allowed origins too."""
        return without_transaction(shared_with_origins(super().as_view(actions, **initkwargs)))

    @property
    def default_response_headers(self) -> dict[str, str]:
        """No headers: ``Allow`` is for 405 only."""
        return {}

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Keep drafts out of page caches of the host."""
        keep_out_of_page_caches(request)
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse other methods before authentication, then run the other checks."""
        if str(request.method).lower() not in self.action_map:
            raise MethodNotAllowed(sorted(method.upper() for method in self.action_map))
        super().initial(request, *args, **kwargs)

    def perform_authentication(self, request: Request) -> None:
        """Authenticate the caller."""
        now = timezone.now()
        self.caller = authenticate(request._request, now=now)
        self.call = Call(self.caller.actor, now, base_url=origin_of(request._request))

    def check_throttles(self, request: Request) -> None:
        """Count the request; ``admitting`` decides what an uncounted one may do."""
        self.usage, outage = count_call(request._request, self.caller.identity)
        self.call = replace(self.call, outage=outage)
        if self.usage is not None:
            self.usage.refuse_excess()

    def read_input(self, request: HttpRequest) -> Mapping[str, object]:
        """Return what the client sent; called after the check of the scope."""
        return read_input(request)

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], HttpResponse]:
        return _refuse

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        for name, value in self.usage.headers().items() if self.usage is not None else ():
            response.headers[name] = value
        return super().finalize_response(request, response, *args, **kwargs)


def _refuse(fault: Exception, context: Mapping[str, Any]) -> HttpResponse:
    request = context["request"]._request
    return refuse_fault(fault, request, metadata_url=metadata_url(request, ProtectedResource.API))


PLAIN_TEXT = "text/plain; charset=utf-8"
_READING: Final = frozenset({"GET", "HEAD"})


def answer(output: Output | None, *, status: int) -> HttpResponse:
    """Return the answer of an operation, or 204 without a body if it is empty."""
    if output is None:
        response = HttpResponse(status=204)
        del response.headers["Content-Type"]
    else:
        response = HttpResponse(output.model_dump_json().encode(), status=status, content_type=JSON)
    if (version := _version_of(output)) is not None:
        response.headers["ETag"] = f'"{version}"'
    return never_stored(response)


def not_modified(version: int) -> HttpResponse:
    """Return the answer to a caller who has this version of a post already."""
    response = HttpResponse(status=304, headers={"ETag": f'"{version}"'})
    del response.headers["Content-Type"]
    return never_stored(response)


_REHEARSED: Final = (DryRun, ShortDryRun)


def _version_of(output: Output | None) -> int | None:
    """Return the version of the stored post that an output shows, if any."""
    if isinstance(output, _REHEARSED):
        return None
    post = getattr(output, "post", output)
    return post.version if isinstance(post, AnsweredPost) else None


class Made(Protocol):
    """An answer with the attribute ``created``."""

    @property
    def created(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Success:
    """The possible statuses of an operation's answers, and the status of an output."""

    statuses: tuple[int, ...]
    of: Callable[[Any], int]


def _of_creation(made: Made) -> int:
    return 201 if made.created else 200


def _of_save(written: WriteEnvelope | ShortWrite) -> int:
    if isinstance(written, _REHEARSED):
        return 200
    return 202 if written.post.status == PostStatus.SCHEDULED else _of_creation(written)


def _of_release(written: WriteEnvelope | ShortWrite) -> int:
    return 202 if not isinstance(written, _REHEARSED) and written.post.status == PostStatus.SCHEDULED else 200


OK = Success((200,), lambda output: 200)
CREATED = Success((201,), lambda output: 201)
MADE_OR_CHANGED = Success((200, 201), _of_creation)
"""201 for a new record, else 200."""
SAVED = Success((200, 201, 202), _of_save)
"""202 for a scheduled post, 201 for a new one, else 200."""
RELEASED = Success((200, 202), _of_release)
"""202 for a scheduled post, else 200."""


Method: TypeAlias = Literal["get", "post", "put", "patch", "delete"]


class OperationAction:
    """An action of a viewset (``list``, ``create``, …): a method that runs an operation, which OpenAPI describes.

    Path parameters such as ``id`` are fixed input of the operation. The status of an output is that of ``success``, and
    that of an empty one 204. With ``as_text`` it answers as text if ``format`` or ``Accept`` asks for it.
    """

    def __init__(
        self,
        operation: Operation[Any, Any],
        *,
        success: Success = OK,
        as_text: Callable[[Any], str] | None = None,
        takes_a_file: bool = False,
        keeps_answers: bool = True,
        version_of: Callable[[Any], int | None] | None = None,
    ) -> None:
        self.operation = operation
        self.success = success
        self.as_text = as_text
        self.takes_a_file = takes_a_file
        """Whether the body is a file, and the URL is the right to send it: the caller needs no token."""
        self.keeps_answers = keeps_answers
        """Whether answers have no secret, so that they can be stored for a call that is repeated."""
        self._version_of = version_of
        """Returns the version that an input reads without reading all of it, if it can."""
        self.__doc__ = operation.summary

    def __call__(self, view: EngineViewSet, request: Request, **path_parameters: str) -> HttpResponse:
        asked = request._request
        with admitting(self.operation, view.call, key=path_parameters.get("id")):
            sent = view.read_input(asked)
            if self.takes_a_key and asked.method == "POST":
                return with_key(asked, sent, view.call, lambda: self._answered(asked, sent, view.call, path_parameters))
            return self._answered(asked, sent, view.call, path_parameters)[0]

    @property
    def takes_a_key(self) -> bool:
        """Whether a ``POST`` can be repeated with its ``Idempotency-Key`` (api.idempotency)."""
        return self.keeps_answers and self.operation.scope is not Scope.READ

    def _answered(
        self, request: HttpRequest, sent: Mapping[str, object], call: Call, path: Mapping[str, str]
    ) -> tuple[HttpResponse, bool]:
        """Return the answer, and whether it is given again to a call with its key."""
        conditions, is_read = Conditions.of(request), request.method in _READING
        if is_read and conditions.are_sent and self._version_of is not None:
            version = self._version_of(parse(self.operation.input, sent, fixed=path))
            if version is not None and conditions.is_known(version):
                return not_modified(version), False
        output = conditions.run(self.operation, sent, call, path)
        if is_read and (version := _version_of(output)) is not None and conditions.is_known(version):
            return not_modified(version), False
        if self.as_text is not None and _wants_text(sent, request):
            return never_stored(HttpResponse(self.as_text(output), content_type=PLAIN_TEXT)), False
        return answer(output, status=self.success.of(output)), not isinstance(output, DryRun)

    def __get__(self, view: EngineViewSet | None, viewset: type[EngineViewSet]) -> "OperationAction | MethodType":
        return self if view is None else MethodType(self, view)


class ExtraAction(OperationAction):
    """An action at ``/<collection>/<id>/<name>``, or with ``detail=False`` at ``/<collection>/<name>``."""

    def __init__(
        self, operation: Operation[Any, Any], *, method: Method, success: Success = OK, detail: bool = True
    ) -> None:
        super().__init__(operation, success=success)
        self._method: Method = method
        self._is_detail = detail

    def __set_name__(self, viewset: type[EngineViewSet], name: str) -> None:
        self.__name__ = name
        action(detail=self._is_detail, methods=[self._method])(self)


def _wants_text(sent: Mapping[str, object], request: HttpRequest) -> bool:
    first = request.headers.get("Accept", "").split(",")[0].split(";")[0]
    return sent.get("format", "text" if first.strip().lower() == "text/plain" else "json") == "text"
