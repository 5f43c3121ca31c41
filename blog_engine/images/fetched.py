"""Images that are fetched from other servers."""

import logging
from collections.abc import Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from time import monotonic
from typing import Final
from urllib.parse import unquote, urlsplit

from blog_engine.conf import get_settings
from blog_engine.errors import ImageNotPermitted
from blog_engine.fetching import NOTHING_FETCHED, FetchRefused, any_address, fetch, public_only
from blog_engine.images.inspect import InspectedImage, inspect_image, safe_filename

logger = logging.getLogger("blog_engine")

_MOST_OF_A_BODY: Final = 50
_AT_ONCE: Final = 4


def fetch_image(url: str, *, seconds: float = 10.0) -> InspectedImage:
    """Fetch an image within ``seconds``, and check it like an upload.

    Its file name is the last part of the path of the URL that answered, else ``image``. The ``Content-Type`` of the
    response is ignored. Every fault raises ``ImageNotPermitted``.
    """
    settings = get_settings()
    permits = any_address if settings.image_fetch_policy == "open" else public_only
    try:
        fetched = fetch(url, limit=settings.max_image_bytes, permits=permits, seconds=seconds)
    except FetchRefused as refused:
        raise _refusal(refused.reason) from refused
    if not 200 <= fetched.status < 300:
        raise _refusal(NOTHING_FETCHED)
    return inspect_image(fetched.body, filename=_filename_in(fetched.url), source_url=url)


def _refusal(reason: str) -> ImageNotPermitted:
    limit = get_settings().max_image_bytes
    return ImageNotPermitted(hint=f"{reason} Send another url, or the file itself, of at most {limit} bytes.")


def fetch_digests(urls: Iterable[str], *, seconds: float = 20.0, seconds_each: float = 10.0) -> dict[str, str]:
    """Return the SHA-256 of external images of a body by URL (images.bodies.digest).

    The first 50 different URLs are fetched, four at a time, within ``seconds`` together; one without a scheme
    (``//host/path``) over https. Images that are refused or late are left out. The threads use no database connection.
    """
    wanted = list(islice(dict.fromkeys(urls), _MOST_OF_A_BODY))
    memory = _MEMORY.get()
    known = {} if memory is None else {url: memory[url] for url in wanted if url in memory}
    unknown = [url for url in wanted if url not in known]
    end = monotonic() + seconds
    if unknown:
        with ThreadPoolExecutor(max_workers=_AT_ONCE, thread_name_prefix="blog_engine images") as pool:
            digests = pool.map(lambda url: _digest_at(url, seconds=min(seconds_each, end - monotonic())), unknown)
            known |= zip(unknown, digests, strict=True)
    if memory is not None:
        memory.update({url: known[url] for url in unknown})
    return {url: known[url] for url in wanted if known[url]}


_MEMORY: ContextVar[MutableMapping[str, str] | None] = ContextVar("blog_engine_fetched_digests", default=None)


@contextmanager
def remembering_digests(memory: MutableMapping[str, str]) -> Iterator[None]:
    """Let ``fetch_digests`` fetch no URL twice: ``memory`` has the digest of each, empty for one that failed."""
    before = _MEMORY.set(memory)
    try:
        yield
    finally:
        _MEMORY.reset(before)


def _digest_at(url: str, *, seconds: float) -> str:
    absolute = f"https:{url}" if url.startswith("//") else url
    try:
        return fetch_image(absolute, seconds=seconds).sha256
    except ImageNotPermitted as refusal:
        # Only the host: the rest of the URL may contain a password or a signature.
        logger.info("An image of a body was not fetched from %r: %s", _host_of(absolute), refusal.hint)
        return ""


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _filename_in(url: str) -> str:
    try:
        return safe_filename(unquote(urlsplit(url).path))
    except ImageNotPermitted:
        return "image"
