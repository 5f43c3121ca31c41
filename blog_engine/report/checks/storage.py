"""Images can be kept and shown (decisions.md 4, Storage)."""

from collections.abc import Iterator
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import InvalidStorageError, Storage
from PIL import features

from blog_engine.conf import BlogSettings
from blog_engine.content.figures import variant_formats
from blog_engine.images.files import image_storage
from blog_engine.images.inspect import has_libmagic
from blog_engine.report.base import Verdict, Visit, sound_settings, verdict
from blog_engine.report.fault import describe_fault

_PROBE = b"blog_engine wrote this to see whether it can. It may be deleted."


def check_storage(visit: Visit) -> Verdict:
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
