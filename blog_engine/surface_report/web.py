"""The guarded fetching of one report, with its bounds (surface-report.bounds)."""

from functools import cached_property
from time import monotonic
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
from blog_engine.fetching import Fetched, FetchRefused, IPAddress, Origin, fetch, is_public, url_origin
from blog_engine.fetching.urls import TOO_LARGE, web_url

USER_AGENT: Final = "blog_engine surface report (Bot)"
"""Contains "Bot", so that no view is counted."""
SECONDS: Final = 60.0
SECONDS_PER_REQUEST: Final = 10.0
MOST_URLS: Final = 500
MOST_BYTES: Final = 32 * 1024 * 1024
"""Of all bodies together."""
MOST_BYTES_PER_REQUEST: Final = 10 * 1024 * 1024
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


class Web:
    """Fetches each URL at most once, and follows no redirects.

    Pages of the site's own ``origin`` come from the ``application`` where one is given, without a socket. Over the
    network, IP addresses must be public, except those of that origin. Without an origin nothing is fetched.
    """

    def __init__(self, origin: str | None, *, application: Application | None = None) -> None:
        self._own = url_origin(origin) if origin else None
        self._application = application
        self._is_own_silent = False
        self._answers: dict[str, Fetched | None] = {}
        self._end = monotonic() + SECONDS
        self._bytes_left = MOST_BYTES
        self.limitations: tuple[str, ...] = ()
        """The bound that stopped the report, as a sentence, if any."""

    @property
    def is_over_network(self) -> bool:
        """Whether the site's own pages are fetched over the network."""
        return self._application is None

    def get(self, url: str) -> Fetched | None:
        """Return the answer to a GET request; ``None`` without an answer, or when a bound is reached."""
        target = url.partition("#")[0]
        if self._own is None:
            return None
        if target not in self._answers:
            if self._is_exhausted():
                return None
            self._answers[target] = self._fetch(target)
        return self._answers[target]

    def _is_exhausted(self) -> bool:
        reached = None
        if len(self._answers) >= MOST_URLS:
            reached = f"{MOST_URLS} URLs"
        elif monotonic() >= self._end:
            reached = f"{SECONDS:.0f} seconds"
        elif self._bytes_left <= 0:
            reached = f"{MOST_BYTES // 1024**2} MiB"
        if reached and not self.limitations:
            self.limitations = (f"The report stopped fetching after {reached}.",)
        return reached is not None

    def _fetch(self, url: str) -> Fetched | None:
        limit = min(MOST_BYTES_PER_REQUEST, self._bytes_left)
        try:
            answer = self._ask(url, limit=limit)
        except FetchRefused as refused:
            if refused.reason == TOO_LARGE and limit < MOST_BYTES_PER_REQUEST:
                self._bytes_left = 0
            if monotonic() >= self._end or self._bytes_left <= 0:
                # A bound cut this request off, even if nothing else is requested.
                self._is_exhausted()
            return None
        self._bytes_left -= len(answer.body)
        return answer

    def _ask(self, url: str, *, limit: int) -> Fetched:
        is_own = self._application is not None and url_origin(web_url(url)) == self._own
        if self._application and is_own:
            answer = self._application.get(url, limit=limit)
            if answer is not None:
                return answer
            if self._is_own_silent:
                raise FetchRefused
        try:
            seconds = min(SECONDS_PER_REQUEST, self._end - monotonic())
            return fetch(url, limit=limit, seconds=seconds, permits=self._permits, redirects=0, user_agent=USER_AGENT)
        except FetchRefused:
            # A server whose only worker makes this report would let every file time out.
            self._is_own_silent = self._is_own_silent or is_own
            raise

    def _permits(self, origin: Origin, address: IPAddress) -> bool:
        return origin == self._own or is_public(address)
