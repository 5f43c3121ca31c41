"""Pages whose results arrive one by one, without scripts."""

import logging
from collections.abc import Generator, Iterator
from itertools import chain
from typing import Any, Final

from django.http import HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils.translation import get_language, override

logger = logging.getLogger("blog_engine")

RESULTS_MARK: Final = "<!-- results -->"
"""Where a template wants the results."""

Parts = Generator[str, None, None]


def page_part(template: str, **context: Any) -> str:
    """Return a part of a page of the desk."""
    return render_to_string(f"admin/blog_engine/{template}", context)


class StreamedPage(Iterator[str]):
    """The parts of a page between its head and its tail. Closing it also closes the source of the parts.

    A generator that never began would not run its ``finally``, such as when the reader leaves before the first part.
    """

    def __init__(self, head: str, parts: Parts, tail: str, *, source: Generator[Any, None, None] | None) -> None:
        self._all = chain([head], parts, [tail])
        self._open = [parts] if source is None else [parts, source]

    def __next__(self) -> str:
        try:
            return next(self._all)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the page; what was not sent is dropped."""
        for one in self._open:
            one.close()


def streamed(
    frame: HttpResponse, parts: Parts, *, source: Generator[Any, None, None] | None = None
) -> StreamingHttpResponse:
    """Return a page with each part of the results as soon as it is there.

    The frame is rendered first, so that its faults and its cookies come before anything is sent. ``source`` is a
    generator that has begun, from which the parts are made: it is closed with the response.
    """
    if isinstance(frame, TemplateResponse):
        frame.render()
    head, _, tail = frame.content.decode().partition(RESULTS_MARK)
    response = StreamingHttpResponse(StreamedPage(head, _guarded(parts, get_language()), tail, source=source))
    # Proxies such as nginx would keep the page until it is complete.
    response["X-Accel-Buffering"] = "no"
    return response


def _guarded(parts: Parts, language: str | None) -> Parts:
    """Yield the parts in the language of the page; a fault ends them with a sentence and a line in the log."""
    try:
        while True:
            with override(language):
                try:
                    found = next(parts, None)
                except Exception:
                    logger.exception("A page of checks stopped.")
                    found = page_part("_check_stopped.html")
                    parts.close()
            if found is None:
                return
            yield found
    finally:
        parts.close()
