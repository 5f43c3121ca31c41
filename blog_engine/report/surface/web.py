"""What a report fetches: each address once, within bounds for the whole report (records.md 16)."""

from time import monotonic
from typing import Final

from blog_engine.fetching import Address, Fetched, FetchRefused, Origin, fetch, is_public, origin_of
from blog_engine.fetching.urls import TOO_LARGE, web_url
from blog_engine.report.surface.in_process import Application

USER_AGENT: Final = "blog_engine surface report (Bot)"
"""Names itself a bot, so that no view is counted."""
SECONDS: Final = 60.0
SECONDS_PER_REQUEST: Final = 10.0
MOST_URLS: Final = 500
MOST_BYTES: Final = 32 * 1024 * 1024
"""Of all bodies together."""
MOST_BYTES_PER_REQUEST: Final = 10 * 1024 * 1024


class Web:
    """The guarded way of one report to the site; answers are kept for as long as the report is made.

    Pages of the site's own ``origin`` come from the ``application`` where one is given, without a socket. Over the
    network, IP addresses must be public, except those of that origin. Redirects are not followed.
    """

    def __init__(self, origin: str | None, *, application: Application | None = None) -> None:
        self._own = origin_of(origin) if origin else None
        self._application = application
        self._is_own_silent = False
        self._answers: dict[str, Fetched | None] = {}
        self._end = monotonic() + SECONDS
        self._bytes_left = MOST_BYTES
        self._reached: str | None = None

    @property
    def limitations(self) -> tuple[str, ...]:
        """What kept the report from looking at more, as sentences."""
        return () if self._reached is None else (self._reached,)

    def get(self, url: str) -> Fetched | None:
        """The answer to a GET request, whatever its status; ``None`` when there was none, or when a bound is reached.

        Without an origin nothing is fetched.
        """
        address = url.partition("#")[0]
        if self._own is None:
            return None
        if address not in self._answers:
            if self._is_exhausted():
                return None
            self._answers[address] = self._fetch(address)
        return self._answers[address]

    def _is_exhausted(self) -> bool:
        if len(self._answers) >= MOST_URLS:
            self._note(f"The report stopped fetching after {MOST_URLS} addresses.")
        elif monotonic() >= self._end:
            self._note(f"The report stopped fetching after {SECONDS:.0f} seconds.")
        elif self._bytes_left <= 0:
            self._note(f"The report stopped fetching after {MOST_BYTES // 1024**2} MiB.")
        else:
            return False
        return True

    def _note(self, sentence: str) -> None:
        # One line, whichever bound was met first: the rest was not looked at in any case.
        self._reached = self._reached or sentence

    @property
    def is_over_network(self) -> bool:
        """Whether the site's own pages are fetched over the network."""
        return self._application is None

    def _fetch(self, url: str) -> Fetched | None:
        limit = min(MOST_BYTES_PER_REQUEST, self._bytes_left)
        try:
            answer = self._ask(url, limit=limit)
        except FetchRefused as refused:
            if refused.reason == TOO_LARGE and limit < MOST_BYTES_PER_REQUEST:
                self._bytes_left = 0
            if monotonic() >= self._end or self._bytes_left <= 0:
                # It was cut off by a bound of the report, even if nothing is asked for after it.
                self._is_exhausted()
            return None
        self._bytes_left -= len(answer.body)
        return answer

    def _ask(self, url: str, *, limit: int) -> Fetched:
        is_own = self._application is not None and _is_of(url, self._own)
        if is_own and self._application is not None:
            answer = self._application.get(url, limit=limit)
            if answer is not None:
                return answer
            if self._is_own_silent:
                raise FetchRefused
        try:
            return fetch(
                url,
                limit=limit,
                seconds=min(SECONDS_PER_REQUEST, self._end - monotonic()),
                permits=self._permits,
                redirects=0,
                user_agent=USER_AGENT,
            )
        except FetchRefused:
            # A server whose only worker makes this report would keep every file waiting for its whole time.
            self._is_own_silent = self._is_own_silent or is_own
            raise

    def _permits(self, origin: Origin, address: Address) -> bool:
        return origin == self._own or is_public(address)


def _is_of(url: str, origin: Origin | None) -> bool:
    return origin_of(web_url(url)) == origin
