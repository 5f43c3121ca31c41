"""The base of all viewsets: every policy of Django REST framework pinned, whatever the host set (design.md 1.2)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from blog_engine.access.authenticate import Caller, authenticate
from blog_engine.access.rate_limit import Usage, count_call
from blog_engine.access.responses import call_for, refuse_fault
from blog_engine.actor import Call
from blog_engine.api.request_input import read_input
from blog_engine.errors import MethodNotAllowed, Unavailable
from blog_engine.http.exemptions import keep_out_of_page_caches, without_transaction


class _AlwaysJson(BaseContentNegotiation):
    """``Accept`` is ignored and ``?format=`` is an ordinary key (decisions.md 9)."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class EngineViewSet(ViewSet):
    """Answers operations; the subclasses are tables of ``serves``.

    The order of checks is that of records.md 1.2: method (405), caller (401), rate limit (429), then the operation.
    A caller is kept here and not as ``request.user``, which belongs to the host.
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
    outage: Unavailable | None = None
    caller: Caller
    call: Call

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        """The view, outside of any transaction that the host wraps around requests."""
        return without_transaction(super().as_view(actions, **initkwargs))

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Nothing: ``Allow`` belongs to 405 only."""
        return {}

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Keep drafts out of a host's page cache."""
        keep_out_of_page_caches(request)
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse other methods before anything is asked about the caller, then check the rest."""
        if str(request.method).lower() not in self.action_map:
            raise MethodNotAllowed(sorted(method.upper() for method in self.action_map))
        super().initial(request, *args, **kwargs)

    def perform_authentication(self, request: Request) -> None:
        """Find the caller."""
        now = timezone.now()
        self.caller = authenticate(request._request, now=now)
        self.call = call_for(request._request, actor=self.caller.actor, now=now)

    def check_throttles(self, request: Request) -> None:
        """Count the request; what an uncounted one may do, ``execute`` decides."""
        self.usage, self.outage = count_call(request._request, self.caller.identity)
        if self.usage is not None:
            self.usage.refuse_excess()

    def read_input(self, request: HttpRequest) -> Mapping[str, object]:
        """What the client sent; called after the scope check of an operation that has one."""
        return read_input(request)

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], HttpResponse]:
        return lambda fault, context: refuse_fault(fault, context["request"]._request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        for name, value in self.usage.headers().items() if self.usage is not None else ():
            response.headers[name] = value
        return super().finalize_response(request, response, *args, **kwargs)
