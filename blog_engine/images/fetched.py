"""Images that are fetched from other servers."""

import hashlib
import logging
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from time import monotonic
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from django.core.cache import cache as django_cache

from blog_engine.conf import get_settings
from blog_engine.conf.caches import cache_errors
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
    kept = _kept([url])
    final, content = kept[url] if kept else _fetched(url, seconds=seconds)
    if not kept and len(content) <= LARGEST_KEPT:
        _keep({url: (final, content)})
    return inspect_image(content, filename=_filename_in(final), source_url=url)


def _fetched(url: str, *, seconds: float) -> tuple[str, bytes]:
    """Return the URL that answered, and what it answered."""
    settings = get_settings()
    permits = any_address if settings.image_fetch_policy == "open" else public_only
    try:
        fetched = fetch(url, limit=settings.max_image_bytes, permits=permits, seconds=seconds)
    except FetchRefused as refused:
        raise _refusal(refused.reason) from refused
    if not 200 <= fetched.status < 300:
        raise _refusal(NOTHING_FETCHED)
    return fetched.url, fetched.body


LARGEST_KEPT: Final = 2 * 1024 * 1024
"""Bytes of a fetched image that is kept."""
KEPT_SECONDS: Final = 600
_KEEPS: ContextVar[bool] = ContextVar("blog_engine_keeps_fetched", default=False)


@contextmanager
def keeping_fetched_images() -> Iterator[None]:
    """Keep what is fetched in this block in the cache, so that the next write does not fetch it again.

    Images are kept for ten minutes, up to 2 MiB each, and of those of a body the digests (posts.dry-run.fetches). A
    cache that cannot be reached keeps none.
    """
    before = _KEEPS.set(True)
    try:
        yield
    finally:
        _KEEPS.reset(before)


def _keep(found: Mapping[str, Any]) -> None:
    if not _KEEPS.get() or not found:
        return
    try:
        django_cache.set_many({_cache_key(name): value for name, value in found.items()}, KEPT_SECONDS)
    except cache_errors() as fault:
        logger.info("Fetched images were not kept: %s", type(fault).__name__)


def _kept(names: Sequence[str]) -> dict[str, Any]:
    """Return what is kept under these names; call it in the thread of the caller, whose connections are closed."""
    keys = {_cache_key(name): name for name in names}
    try:
        return {keys[key]: value for key, value in django_cache.get_many(keys).items()} if keys else {}
    except cache_errors() as fault:
        logger.info("Fetched images were not looked up: %s", type(fault).__name__)
        return {}


def _cache_key(name: str) -> str:
    policy = get_settings().image_fetch_policy
    return f"blog_engine.fetched.{hashlib.sha256(f'{policy} {name}'.encode()).hexdigest()}"


def _refusal(reason: str) -> ImageNotPermitted:
    limit = get_settings().max_image_bytes
    return ImageNotPermitted(
        hint=f"{reason} Send another url, or upload the file itself, of at most {limit} bytes, "
        "by blog_upload_image or POST /images."
    )


def fetch_digests(urls: Iterable[str], *, seconds: float = 20.0, seconds_each: float = 10.0) -> dict[str, str]:
    """Return the SHA-256 of external images of a body by URL (images.bodies.digest).

    The first 50 different URLs are fetched, four at a time, within ``seconds`` together; one without a scheme
    (``//host/path``) over https. Images that are refused or late are left out. The threads use no database connection.
    """
    wanted = list(islice(dict.fromkeys(urls), _MOST_OF_A_BODY))
    memory = _MEMORY.get()
    known = {} if memory is None else {url: memory[url] for url in wanted if url in memory}
    kept = _kept([_digest_of(url) for url in wanted if url not in known])
    known |= {url: kept[_digest_of(url)] for url in wanted if _digest_of(url) in kept}
    unknown = [url for url in wanted if url not in known]
    end = monotonic() + seconds
    if unknown:
        with ThreadPoolExecutor(max_workers=_AT_ONCE, thread_name_prefix="blog_engine images") as pool:
            digests = pool.map(lambda url: _digest_at(url, seconds=min(seconds_each, end - monotonic())), unknown)
            known |= zip(unknown, digests, strict=True)
        _keep({_digest_of(url): known[url] for url in unknown if known[url]})
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


def _digest_of(url: str) -> str:
    """Return the name under which the digest of an image is kept: of images of a body nothing else is needed."""
    return f"digest {url}"


def _digest_at(url: str, *, seconds: float) -> str:
    absolute = f"https:{url}" if url.startswith("//") else url
    try:
        final, content = _fetched(absolute, seconds=seconds)
        return inspect_image(content, filename=_filename_in(final)).sha256
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
