"""Work that no reader waits for."""

from collections.abc import Callable

from django.http import HttpRequest


def after_the_answer(request: HttpRequest, work: Callable[[], None]) -> None:
    """Do the work, once, when the server has sent the answer; outside of the host's ``ATOMIC_REQUESTS``.

    Django closes the response that went out, and with it the request. A closer of our own response would be lost
    when a middleware puts another one in its place, as ``ConditionalGetMiddleware`` does. The work handles its own
    exceptions: Django drops them.
    """
    close = request.close

    def close_and_work() -> None:
        # Otherwise the request would hold itself.
        request.close = close  # type: ignore[method-assign]  # Django looks it up on the request
        close()
        work()

    request.close = close_and_work  # type: ignore[method-assign]  # as above
