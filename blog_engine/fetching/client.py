"""GET requests to other servers, under the rules of records.md section 9.

httpx reads the URLs, httpcore carries the requests. httpx's own client stays out: it would keep cookies between
redirects, read proxies and passwords from the environment, and log every URL with its query.
"""

from collections.abc import Iterator
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
    origin_of,
    public_only,
    redirect_target,
    web_url,
)

IMAGE_IMPORT: Final = "blog_engine (image import)"

_FAULTS: Final = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError)


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer. ``url`` is the one that gave it, without fragment; the names of ``headers`` are lower-case."""

    url: str
    status: int
    headers: dict[str, str]
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
    """What a GET request is answered with, whatever the status.

    ``limit`` is the largest body in bytes, of each redirect too. ``seconds`` cover all of it: name lookups,
    connections, redirects and bodies. At most ``redirects`` are followed, each under the same rules; the one after
    them is the answer. Everything that goes wrong raises ``FetchRefused``.
    """
    deadline = Deadline(seconds)
    target = web_url(url)
    while True:
        with _answer(target, permits=permits, deadline=deadline, user_agent=user_agent) as response:
            headers = httpx.Headers(response.headers)
            is_final = response.status not in REDIRECTS or redirects == 0
            if is_final:
                _refuse_encoded(headers)
            body = _body(response, headers, limit=limit)
        if is_final:
            return Fetched(url=str(target), status=response.status, headers=dict(headers), body=body)
        target = redirect_target(target, headers.get_list("location"))
        redirects -= 1


def fetch_headers(
    url: str,
    *,
    seconds: float,
    step_seconds: float,
    user_agent: str,
    permits: Permits = public_only,
) -> Fetched:
    """Status and headers of a GET request; its body is not read, and a redirect not followed.

    No single wait, such as for the connection, takes longer than ``step_seconds``, and all of it not longer than
    ``seconds``. Everything that goes wrong raises ``FetchRefused``.
    """
    target = web_url(url)
    deadline = Deadline(seconds, step=step_seconds)
    with _answer(target, permits=permits, deadline=deadline, user_agent=user_agent) as response:
        headers = dict(httpx.Headers(response.headers))
        return Fetched(url=str(target), status=response.status, headers=headers, body=b"")


@contextmanager
def _answer(url: httpx.URL, *, permits: Permits, deadline: Deadline, user_agent: str) -> Iterator[httpcore.Response]:
    """Send one request over a connection of its own; the answer's body is still to be read."""
    origin = origin_of(url)
    network = GuardedNetwork(origin, permits=permits, deadline=deadline)
    address = httpcore.URL(scheme=origin.scheme, host=origin.host, port=origin.port, target=url.raw_path)
    headers: dict[bytes | str, bytes | str] = {
        "Host": url.netloc,
        "User-Agent": user_agent,
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    trusted = trusted_certificates() if origin.scheme == "https" else None
    try:
        with (
            httpcore.HTTPConnection(address.origin, ssl_context=trusted, network_backend=network) as connection,
            connection.stream("GET", address, headers=headers) as response,
        ):
            yield response
    except _FAULTS as fault:
        raise FetchRefused from fault


def _body(response: httpcore.Response, headers: httpx.Headers, *, limit: int) -> bytes:
    if int(headers.get("content-length", "0")) > limit:
        raise FetchRefused(TOO_LARGE)
    body = bytearray()
    for part in response.iter_stream():
        if len(body) + len(part) > limit:
            raise FetchRefused(TOO_LARGE)
        body += part
    return bytes(body)


def _refuse_encoded(headers: httpx.Headers) -> None:
    """Nothing is ever inflated: a few kilobytes can become gigabytes."""
    codings = headers.get("content-encoding", "").lower().replace(" ", "").split(",")
    if not {"", "identity"}.issuperset(codings):
        raise FetchRefused(ENCODED)
