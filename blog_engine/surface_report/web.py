"""The guarded fetching of one report, with its bounds (surface-report.bounds)."""

from time import monotonic
from typing import Final

from blog_engine.fetching import Fetched, FetchRefused, IPAddress, Origin, fetch, is_public, url_origin
from blog_engine.fetching.urls import TOO_LARGE, web_url
from blog_engine.surface_report.in_process import Application

USER_AGENT: Final = "blog_engine surface report (Bot)"
"""Contains "Bot", so that no view is counted."""
SECONDS: Final = 60.0
SECONDS_PER_REQUEST: Final = 10.0
MOST_URLS: Final = 500
MOST_BYTES: Final = 32 * 1024 * 1024
"""Of all bodies together."""
MOST_BYTES_PER_REQUEST: Final = 10 * 1024 * 1024


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
