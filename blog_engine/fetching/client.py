"""Requests to other servers.

httpx parses URLs and httpcore sends requests. The client of httpx is not used: it keeps cookies between redirects,
reads proxies and passwords from the environment, and logs every URL with its query.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import httpcore
import httpx

from blog_engine.fetching.network import Deadline, GuardedNetwork, trusted_certificates
from blog_engine.fetching.urls import (
    ENCODED,
    REDIRECTS,
    TOO_LARGE,
    FetchRefused,
    Permits,
    next_url,
    public_only,
    url_origin,
    web_url,
)

IMAGE_IMPORT: Final = "blog_engine (image import)"

_FAULTS: Final = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response."""

    url: str
    """The URL that answered, after redirects and without fragment."""
    status: int
    headers: dict[str, str]
    """Headers by lower-case name."""
    body: bytes


def fetch(
    url: str,
    *,
    limit: int,
    permits: Permits = public_only,
    seconds: float = 10.0,
    redirects: int = 3,
    user_agent: str = IMAGE_IMPORT,
) -> Fetched:
    """Send a GET request and return the response, whatever its status.

    ``limit`` is the greatest number of bytes of a body, also of a redirect. ``seconds`` covers name look-ups,
    connections, redirects and bodies together. At most ``redirects`` redirects are followed, each under the same rules;
    the next one is returned as the response. Every fault raises ``FetchRefused``.
    """
    deadline = Deadline(seconds)
    target = web_url(url)
    while True:
        with _send(target, permits=permits, deadline=deadline, user_agent=user_agent) as response:
            headers = httpx.Headers(response.headers)
            is_final = response.status not in REDIRECTS or redirects == 0
            if is_final:
                _refuse_encoded(headers)
            body = _read_body(response, headers, limit=limit)
        if is_final:
            return Fetched(url=str(target), status=response.status, headers=dict(headers), body=body)
        target = next_url(target, headers.get_list("location"))
        redirects -= 1


def fetch_headers(
    url: str,
    *,
    seconds: float,
    step_seconds: float,
    user_agent: str,
    permits: Permits = public_only,
) -> Fetched:
    """Send a GET request and return status and headers; follow no redirect.

    The request takes at most ``seconds``, and each wait, such as for the connection, at most ``step_seconds``. The body
    is not read. Every fault raises ``FetchRefused``.
    """
    target = web_url(url)
    deadline = Deadline(seconds, step=step_seconds)
    with _send(target, permits=permits, deadline=deadline, user_agent=user_agent) as response:
        headers = dict(httpx.Headers(response.headers))
        return Fetched(url=str(target), status=response.status, headers=headers, body=b"")


def post(
    url: str,
    body: bytes,
    *,
    headers: Mapping[str, str],
    seconds: float = 10.0,
    user_agent: str,
    permits: Permits = public_only,
) -> Fetched:
    """Send a POST request with this body and these headers; return status and headers, and follow no redirect.

    ``seconds`` covers everything. The body of the response is not read. Every fault raises ``FetchRefused``, also one
    after which the receiver may have the request.
    """
    target, deadline = web_url(url), Deadline(seconds)
    with _send(
        target, permits=permits, deadline=deadline, user_agent=user_agent, body=body, headers=headers
    ) as response:
        return Fetched(url=str(target), status=response.status, headers=dict(httpx.Headers(response.headers)), body=b"")


@contextmanager
def _send(
    url: httpx.URL,
    *,
    permits: Permits,
    deadline: Deadline,
    user_agent: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Iterator[httpcore.Response]:
    """Send a GET, or with a body a POST, over a new connection; yield the response with its body unread."""
    origin = url_origin(url)
    network = GuardedNetwork(origin, permits=permits, deadline=deadline)
    target = httpcore.URL(scheme=origin.scheme, host=origin.host, port=origin.port, target=url.raw_path)
    sent: dict[bytes | str, bytes | str] = {
        "Host": url.netloc,
        "User-Agent": user_agent,
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    if body is not None:
        sent.update((headers or {}).items())
        sent["Content-Length"] = str(len(body))
    trusted = trusted_certificates() if origin.scheme == "https" else None
    try:
        with (
            httpcore.HTTPConnection(target.origin, ssl_context=trusted, network_backend=network) as connection,
            connection.stream("GET" if body is None else "POST", target, headers=sent, content=body) as response,
        ):
            yield response
    except _FAULTS as fault:
        raise FetchRefused from fault


def _read_body(response: httpcore.Response, headers: httpx.Headers, *, limit: int) -> bytes:
    if int(headers.get("content-length", "0")) > limit:
        raise FetchRefused(TOO_LARGE)
    body = bytearray()
    for part in response.iter_stream():
        if len(body) + len(part) > limit:
            raise FetchRefused(TOO_LARGE)
        body += part
    return bytes(body)


def _refuse_encoded(headers: httpx.Headers) -> None:
    """Raise ``FetchRefused`` for a compressed body: kilobytes could become gigabytes."""
    codings = headers.get("content-encoding", "").lower().replace(" ", "").split(",")
    if not {"", "identity"}.issuperset(codings):
        raise FetchRefused(ENCODED)
