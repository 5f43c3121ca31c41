"""Probes of the storage and the rate limit."""

from collections.abc import Iterator
from uuid import uuid4

from django.conf import settings
from django.core.cache import caches
from django.core.files.base import ContentFile
from django.core.files.storage import InvalidStorageError, Storage
from PIL import features

from blog_engine.access.rate_limit import cache_errors, inexact_cache, limits_cache, limits_cache_exists
from blog_engine.conf import BlogSettings
from blog_engine.content.figures import variant_formats
from blog_engine.doctor.base import Verdict, Visit, describe_fault, sound_settings, verdict
from blog_engine.images.files import image_storage
from blog_engine.images.inspect import has_libmagic

_PROBE = b"blog_engine wrote this to see whether it can. It may be deleted."


def probe_storage(visit: Visit) -> Verdict:
    """The storage keeps a file and gives it back, and Pillow can make what pages show."""
    settings = sound_settings()
    return verdict(
        errors=[*_probe(settings.storage), *_missing_formats()],
        warnings=list(_warnings(settings)),
        well=f"The storage {settings.storage!r} keeps files; WebP, AVIF and libmagic are there.",
    )


def _probe(alias: str) -> Iterator[str]:
    """What goes wrong with a file that is written, read and deleted.

    Whatever a storage raises becomes a line: Django names no exceptions for storages, and each raises its own.
    """
    try:
        storage = image_storage()
    except InvalidStorageError as fault:
        yield f"There is no storage {alias!r} ({describe_fault(fault)}): mend STORAGES, or let storage name another."
        return
    name = wanted = f"blog_engine_doctor_{uuid4().hex}.txt"
    try:
        name = storage.save(wanted, ContentFile(_PROBE))
    except Exception as fault:
        yield f"The storage {alias!r} cannot be written to ({describe_fault(fault)}): images cannot be stored."
    else:
        if name != wanted:
            yield f"The storage {alias!r} gives files other names than it is told to: images cannot be stored."
        yield from _faults_of_reading(storage, name, alias=alias)
    # Also after a failure, for half a file may be there.
    yield from _faults_of_deleting(storage, name, alias=alias)


def _faults_of_reading(storage: Storage, name: str, *, alias: str) -> Iterator[str]:
    try:
        with storage.open(name, "rb") as file:
            found = file.read()
    except Exception as fault:
        yield f"The storage {alias!r} cannot be read ({describe_fault(fault)}): images cannot be shown."
    else:
        if found != _PROBE:
            yield f"The storage {alias!r} gives back other bytes than it was given: images would be broken."


def _faults_of_deleting(storage: Storage, name: str, *, alias: str) -> Iterator[str]:
    try:
        storage.delete(name)
    except Exception as fault:
        yield f"The storage {alias!r} does not delete ({describe_fault(fault)}): delete {name} yourself if it is there."


def _missing_formats() -> Iterator[str]:
    if "webp" not in variant_formats():
        yield "Pillow cannot write WebP, which every page with an image needs: install Pillow's own wheel."


def _warnings(settings: BlogSettings) -> Iterator[str]:
    if "avif" not in variant_formats():
        yield "Pillow cannot write AVIF, so that images are larger than need be: install Pillow's own wheel."
    if not features.check("littlecms2"):
        yield "Pillow has no LittleCMS, so that photos with a colour profile look wrong: install Pillow's own wheel."
    if not has_libmagic():
        yield "libmagic is not found, a second opinion on uploads: install blog-engine[magic] or the system's own."
    if settings.image_fetch_policy == "open":
        yield (
            "image_fetch_policy is open: whoever may write can make this server ask internal addresses for images. "
            "Set it to public_only unless an internal image server needs it."
        )


_SECONDS_KEPT = 60


def probe_rate_limit(visit: Visit) -> Verdict:
    """The cache of the limits counts a throw-away counter, and counts for every process."""
    alias = limits_cache()
    if not limits_cache_exists():
        return verdict(
            errors=[f"There is no cache {alias!r}: name an alias of CACHES in RATELIMIT_USE_CACHE, or add this one."],
            well="",
        )
    warnings = [*_switched_off(), *_cannot_count(alias), *_counts_for_one_process(alias)]
    return verdict(warnings=warnings, well=f"The cache {alias!r} counts.")


def _switched_off() -> list[str]:
    if getattr(settings, "RATELIMIT_ENABLE", True):
        return []
    return ["RATELIMIT_ENABLE is False: nothing is limited."]


def _cannot_count(alias: str) -> list[str]:
    # ValueError is how a cache says that the counter it was just given is not there.
    faults: tuple[type[Exception], ...] = (*cache_errors(), ValueError)
    try:
        counted = _count_once(alias)
    except faults as fault:
        return [
            f"The cache {alias!r} does not count ({describe_fault(fault)}): until it does, reading goes on "
            "without a limit and writing answers 503."
        ]
    return [] if counted == 1 else [f"The cache {alias!r} counted one request as {counted}: use Redis or Memcached."]


def _count_once(alias: str) -> int:
    cache = caches[alias]
    key = f"blog_engine.doctor.{uuid4().hex}"
    try:
        cache.add(key, 0, timeout=_SECONDS_KEPT)
        return cache.incr(key)
    finally:
        cache.delete(key)


def _counts_for_one_process(alias: str) -> list[str]:
    kind = inexact_cache()
    if kind is None:
        return []
    return [
        f"The cache {alias!r} ({kind}) cannot count requests of several processes: let RATELIMIT_USE_CACHE name a "
        "Redis or Memcached cache."
    ]
