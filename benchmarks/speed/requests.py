"""A measured request, and its answer."""

from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final, NamedTuple

from django.core.wsgi import get_wsgi_application

BROWSER: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@dataclass(frozen=True)
class Ask:
    """A request."""

    path: str
    method: str = "GET"
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200
    """The expected status."""


class Answer(NamedTuple):
    """The status of an answer, its headers by their lower-case names, and its body."""

    status: int
    headers: dict[str, str]
    body: bytes


class Server:
    """The application as a WSGI server calls it: each answer is read and closed."""

    def __init__(self) -> None:
        self._application = get_wsgi_application()

    def send(self, environ: dict[str, Any]) -> Answer:
        """Send a request."""
        begun: list[Any] = []
        answer = self._application(environ, lambda status, headers, *_: begun.extend((status, headers)))
        try:
            body = b"".join(answer)
        finally:
            answer.close()
        return Answer(int(begun[0][:3]), {name.lower(): value for name, value in begun[1]}, body)


def environ_of(ask: Ask) -> dict[str, Any]:
    """Return a request as a WSGI server describes it."""
    path, _, query = ask.path.partition("?")
    headers = {"Host": "blog.example", "User-Agent": BROWSER, "Accept-Encoding": "identity"} | ask.headers
    named = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    named["CONTENT_TYPE"] = named.pop("HTTP_CONTENT_TYPE", "")
    return named | {
        "CONTENT_LENGTH": str(len(ask.body)),
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REMOTE_ADDR": "203.0.113.7",
        "REQUEST_METHOD": ask.method,
        "SCRIPT_NAME": "",
        "SERVER_NAME": "blog.example",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.input": BytesIO(ask.body),
        "wsgi.url_scheme": "http",
    }
