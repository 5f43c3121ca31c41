"""Settings of a host for an API of its own."""

from typing import Any, NoReturn

from django.http import HttpRequest
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response


class Nobody:
    """An anonymous user that must never be created."""

    def __init__(self) -> None:
        raise AssertionError("the host's anonymous user was asked for")


class RefuseEverything:
    """An authentication, permission, throttle, parser, metadata or version policy that stops every request."""

    media_type = "*/*"

    def _stop(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AssertionError("a policy of the host was asked")

    authenticate = has_permission = allow_request = parse = determine_metadata = determine_version = _stop


class PigLatin(BaseRenderer):
    media_type = "text/x-pig-latin"
    format = "pig"

    def render(self, data: object, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"igpay"


class OnlyPigLatin(BaseContentNegotiation):
    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return PigLatin(), PigLatin.media_type

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return RefuseEverything()


def teapot(error: Exception, context: Any) -> Response:
    return Response({"error": "teapot"}, status=418)


def read_everything(get_response: Any) -> Any:
    """A middleware that reads everything of a request, before and after the view."""

    def look(request: HttpRequest) -> Any:
        _ = request.POST, request.FILES, request.user.is_authenticated
        response = get_response(request)
        _ = request.user.is_authenticated, request.POST
        return response

    return look
