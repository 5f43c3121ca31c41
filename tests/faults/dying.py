"""A site whose workers kill themselves where a request says so: no handler runs, nothing is cleaned up.

``X-Die`` is ``write:<n>``, after the n-th statement that writes; ``file:before``, ``file:half`` or ``file:after``,
around a stored file; or ``answer``, after the write and before the response.
"""

import os
import signal
from collections.abc import Callable
from contextlib import ExitStack
from threading import local
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.db import connection
from django.http import HttpRequest, HttpResponse

_told = local()


def die_where_told(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The middleware; every response names its worker."""

    def answer(request: HttpRequest) -> HttpResponse:
        _told.where = request.headers.get("X-Die", "")
        kind, _, number = _told.where.partition(":")
        with ExitStack() as stack:
            if kind == "write":
                stack.enter_context(connection.execute_wrapper(_after(int(number))))
            response = get_response(request)
        _die_at("answer")
        _told.where = ""
        response.headers["X-Worker"] = str(os.getpid())
        return response

    return answer


class DyingStorage(FileSystemStorage):
    """A directory; the process that writes into it can end at any moment."""

    def _save(self, name: str, content: Any) -> str:
        _die_at("file:before")
        if getattr(_told, "where", "") == "file:half":
            super()._save(name, ContentFile(content.read(20)))  # type: ignore[misc]
        _die_at("file:half")
        saved: str = super()._save(name, content)  # type: ignore[misc]
        _die_at("file:after")
        return saved


def _after(number: int) -> Callable[..., Any]:
    """Wraps statements: kills the process after this many that write."""
    left = number

    def execute(run: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal left
        result = run(sql, *rest)
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            left -= 1
            if left == 0:
                _die()
        return result

    return execute


def _die_at(point: str) -> None:
    if getattr(_told, "where", "") == point:
        _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
