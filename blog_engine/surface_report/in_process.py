"""Pages of this application, answered by Django's request handler without a socket."""

from functools import cached_property
from typing import Any, Final
from urllib.parse import unquote_to_bytes, urlsplit
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.http.response import HttpResponseBase
from django.urls import get_script_prefix, get_urlconf, set_urlconf
from django.utils.translation import get_language, override

from blog_engine.blog_urls import stored_path
from blog_engine.fetching import Fetched, FetchRefused, url_origin
from blog_engine.fetching.urls import TOO_LARGE, web_url

_NOT_FOUND: Final = 404


class Application:
    """The host's application with its middleware, asked as a visitor without cookies from this machine.

    A report on a server with one worker would otherwise wait for itself. What a server or a CDN in front of the
    application adds or changes is not seen.
    """

    def __init__(self, *, user_agent: str) -> None:
        self._user_agent = user_agent

    def get(self, url: str, *, limit: int) -> Fetched | None:
        """Return the answer to a GET request for an absolute URL of this site.

        Returns ``None`` for what other servers answer: a host that ``ALLOWED_HOSTS`` does not have, a path outside
        ``SCRIPT_NAME``, or a file under ``MEDIA_URL`` or ``STATIC_URL`` that Django does not serve.
        Raises ``FetchRefused`` for a body over ``limit`` bytes.
        """
        request = WSGIRequest(_environ(url, user_agent=self._user_agent))
        try:
            request.get_host()
        except DisallowedHost:
            return None
        if stored_path(urlsplit(url).path) is None:
            return None
        response = self._answer(request)
        try:
            files = [urlsplit(base).path for base in (settings.MEDIA_URL, settings.STATIC_URL) if base]
            if response.status_code == _NOT_FOUND and urlsplit(url).path.startswith(tuple(files)):
                return None
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Fetched(url, response.status_code, headers, _body(response, limit=limit))
        finally:
            # Not ``close``: its signal would end the database connections of the request that asked for the report.
            for close in response._resource_closers:  # type: ignore[attr-defined]  # the stub has public names only
                close()

    @cached_property
    def _handler(self) -> BaseHandler:
        handler = BaseHandler()
        handler.load_middleware()
        return handler

    def _answer(self, request: WSGIRequest) -> HttpResponseBase:
        outer = get_urlconf()
        try:
            # A page activates the languages and URL patterns of its own; the report goes on with those it had.
            with override(get_language()):
                return self._handler.get_response(request)
        finally:
            set_urlconf(outer)


def _environ(url: str, *, user_agent: str) -> dict[str, Any]:
    target = web_url(url)
    raw_path, _, query = target.raw_path.decode("ascii").partition("?")
    script_name = unquote_to_bytes(get_script_prefix().rstrip("/")).decode("latin-1")
    path = unquote_to_bytes(raw_path).decode("latin-1")
    environ: dict[str, Any] = {
        "SCRIPT_NAME": script_name,
        "PATH_INFO": path.removeprefix(script_name),
        "QUERY_STRING": query,
        "SERVER_NAME": target.host,
        "SERVER_PORT": str(url_origin(target).port),
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": target.netloc.decode("ascii"),
        "HTTP_USER_AGENT": user_agent,
        "HTTP_ACCEPT": "*/*",
        "wsgi.url_scheme": target.scheme,
    }
    setup_testing_defaults(environ)
    return environ


def _body(response: HttpResponseBase, *, limit: int) -> bytes:
    body = bytearray()
    for part in response:
        body += response.make_bytes(part)
        if len(body) > limit:
            raise FetchRefused(TOO_LARGE)
    return bytes(body)
