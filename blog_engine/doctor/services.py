"""Probes of the storage of images and of the cache of the rate limits."""

from collections.abc import Iterator
from uuid import uuid4

from django.conf import settings as django_settings
from django.core.cache import caches
from django.core.files.base import ContentFile
from django.core.files.storage import InvalidStorageError, Storage
from PIL import features

from blog_engine.conf import BlogSettings
from blog_engine.conf.caches import cache_errors
from blog_engine.content.figures import variant_formats
from blog_engine.doctor.base import ProbeContext, Verdict, describe_fault, valid_settings, verdict
from blog_engine.http.rate_limit import inexact_cache, limits_cache, limits_cache_exists
from blog_engine.images.files import image_storage
from blog_engine.images.inspect import can_decode_limited, has_libmagic

_CONTENT = b"blog_engine wrote this to see whether it can. It may be deleted."
_SECONDS_KEPT = 60


def probe_storage(context: ProbeContext) -> Verdict:
    """Report a storage that does not keep files, and missing image formats."""
    settings = valid_settings()
    return verdict(
        errors=[*_faults_of_storage(settings.storage), *_missing_formats()],
        warnings=list(_warnings(settings)),
        ok=f"The storage {settings.storage!r} keeps files; WebP, AVIF and libmagic are available.",
    )


def _faults_of_storage(alias: str) -> Iterator[str]:
    """Yield what goes wrong with a file that is written, read and deleted.

    All exceptions are reported, since each storage raises its own.
    """
    try:
        storage = image_storage()
    except InvalidStorageError as fault:
        yield f"There is no storage {alias!r} ({describe_fault(fault)}). Fix STORAGES, or set storage to another alias."
        return
    name = wanted = f"blog_engine_doctor_{uuid4().hex}.txt"
    try:
        name = storage.save(wanted, ContentFile(_CONTENT))
    except Exception as fault:
        yield f"The storage {alias!r} cannot be written to ({describe_fault(fault)}), so images cannot be stored."
    else:
        if name != wanted:
            yield f"The storage {alias!r} changes the names of files, so images cannot be stored."
        yield from _faults_of_reading(storage, name, alias=alias)
    # Also after a failure, which may leave half a file.
    yield from _faults_of_deleting(storage, name, alias=alias)


def _faults_of_reading(storage: Storage, name: str, *, alias: str) -> Iterator[str]:
    try:
        with storage.open(name, "rb") as file:
            found = file.read()
    except Exception as fault:
        yield f"The storage {alias!r} cannot be read ({describe_fault(fault)}), so images cannot be shown."
    else:
        if found != _CONTENT:
            yield f"The storage {alias!r} returns other bytes than were written, so images are broken."


def _faults_of_deleting(storage: Storage, name: str, *, alias: str) -> Iterator[str]:
    try:
        storage.delete(name)
    except Exception as fault:
        yield f"The storage {alias!r} does not delete ({describe_fault(fault)}). Delete {name} yourself if it is there."


def _missing_formats() -> Iterator[str]:
    if "webp" not in variant_formats():
        yield "Pillow cannot write WebP, which every page with an image needs. Install Pillow's own wheel."


def _warnings(settings: BlogSettings) -> Iterator[str]:
    if "avif" not in variant_formats():
        yield "Pillow cannot write AVIF, so images are larger than necessary. Install Pillow's own wheel."
    if not features.check("littlecms2"):
        yield "Pillow has no LittleCMS, so photos with a colour profile look wrong. Install Pillow's own wheel."
    if not has_libmagic():
        yield "libmagic, which checks uploads, is not found. Install blog-engine[magic] or the package of your system."
    if not can_decode_limited():
        yield "No Python can be started with a limit on its memory, so large and animated images are refused."
    if settings.image_fetch_policy == "open":
        yield (
            "image_fetch_policy is open, so every writer can make this server fetch internal URLs as images. "
            "Set it to public_only unless an internal image server needs it."
        )


def probe_rate_limit(context: ProbeContext) -> Verdict:
    """Report a cache that is missing, does not count, or counts for one process only."""
    alias = limits_cache()
    if not limits_cache_exists():
        return verdict(
            errors=[f"There is no cache {alias!r}. Set RATELIMIT_USE_CACHE to an alias of CACHES, or add this one."],
            ok="",
        )
    warnings = [*_cannot_count(alias), *_counts_for_one_process(alias)]
    if not getattr(django_settings, "RATELIMIT_ENABLE", True):
        warnings.insert(0, "RATELIMIT_ENABLE is False, so nothing is limited.")
    return verdict(warnings=warnings, ok=f"The cache {alias!r} counts.")


def _cannot_count(alias: str) -> list[str]:
    # A cache that lost the new counter raises ValueError.
    faults: tuple[type[Exception], ...] = (*cache_errors(), ValueError)
    try:
        counted = _count_once(alias)
    except faults as fault:
        return [
            f"The cache {alias!r} does not count ({describe_fault(fault)}). Until it does, reading works "
            "without a limit and writing is answered with 503."
        ]
    return [] if counted == 1 else [f"The cache {alias!r} counted one request as {counted}. Use Redis or Memcached."]


def _count_once(alias: str) -> int:
    cache = caches[alias]
    key = f"blog_engine.doctor.{uuid4().hex}"
    try:
        cache.add(key, 0, timeout=_SECONDS_KEPT)
        return cache.incr(key)
    finally:
        cache.delete(key)


def _counts_for_one_process(alias: str) -> Iterator[str]:
    if kind := inexact_cache():
        yield (
            f"The cache {alias!r} ({kind}) cannot count requests of several processes. Set RATELIMIT_USE_CACHE to a "
            "Redis or Memcached cache."
        )
