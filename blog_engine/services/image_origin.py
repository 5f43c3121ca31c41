"""The origin of images: what their files say, and what callers say instead."""

import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from blog_engine.actor import Actor, Scope
from blog_engine.enums import SourceTypeFrom
from blog_engine.images.files import open_original
from blog_engine.images.inspect import inspect_image
from blog_engine.images.origin import FileOrigin
from blog_engine.models import Image
from blog_engine.models.image import set_origin
from blog_engine.services._held_images import held_image
from blog_engine.services._transaction import write_transaction

logger = logging.getLogger("blog_engine")

SentOrigin: TypeAlias = Mapping[str, str | None]
"""The fields ``credit`` and ``digital_source_type`` that a caller sent."""
NOTHING_SENT: Final[SentOrigin] = MappingProxyType({})


def origin_columns(origin: FileOrigin) -> dict[str, str | None]:
    """Return the columns of an image of which only the file says something."""
    return {
        "credit": origin.credit,
        "digital_source_type": origin.source_type,
        "source_type_from": SourceTypeFrom.FILE if origin.source_type else None,
        "source_type_in_file": origin.source_type or "",
    }


def sent_columns(sent: SentOrigin, *, in_file: str | None) -> dict[str, str | None]:
    """Return the columns that a caller changes; null for the type takes off what the file says."""
    columns = dict(sent)
    if "digital_source_type" in sent:
        says_something = sent["digital_source_type"] or in_file
        columns["source_type_from"] = SourceTypeFrom.SENT if says_something else None
    return columns


def said_origin(origin: FileOrigin, sent: SentOrigin) -> FileOrigin:
    """Return what an image is going to say: what was sent, else what its file says."""
    credit = sent.get("credit", origin.credit) or ""
    return FileOrigin(credit=credit, source_type=sent.get("digital_source_type", origin.source_type))


def set_sent_origin(image: Image, sent: SentOrigin) -> bool:
    """Change what was sent of the origin of a stored image, and return whether it was something else."""
    columns = sent_columns(sent, in_file=image.source_type_in_file)
    is_other = any(getattr(image, name) != value for name, value in columns.items())
    if is_other:
        set_origin(image, **columns)
    return is_other


def read_origin(image: Image, origin: FileOrigin) -> bool:
    """Note what the file of an image says, unless that was read before; return whether it was not."""
    if image.source_type_in_file is not None:
        return False
    columns = origin_columns(origin)
    if image.source_type_from is not None:
        columns = {"source_type_in_file": columns["source_type_in_file"], "credit": columns["credit"]}
    if image.credit:
        del columns["credit"]
    # What the file does not say is empty already, and may have been sent meanwhile.
    set_origin(image, **{name: value for name, value in columns.items() if value or name == "source_type_in_file"})
    return True


def complete_origin(image_id: int, known: SentOrigin, *, actor: Actor) -> None:
    """Note what another blog knows of where a stored image comes from; what a person said here stays."""
    actor.require(Scope.WRITE)
    with write_transaction():
        image = held_image(column="id", value=image_id)
        if image is None:
            return
        sent = dict(known)
        if image.credit:
            sent.pop("credit", None)
        if image.source_type_from == SourceTypeFrom.SENT:
            sent.pop("digital_source_type", None)
        set_sent_origin(image, sent)


def read_origins() -> int:
    """Read the files of the images that an earlier version stored, and return how many were read.

    A file that is missing, or that this version does not accept any more, is left for the next time.
    """
    unread = list(Image.objects.filter(source_type_in_file=None).order_by("pk").values_list("pk", flat=True))
    return sum(_read(image_id) for image_id in unread)


def _read(image_id: int) -> bool:
    image = Image.objects.filter(pk=image_id).first()
    if image is None:
        return False
    try:
        with open_original(image) as file:
            origin = inspect_image(bytes(file.read()), filename=image.filename).origin
    except Exception as fault:
        # Exceptions differ by storage, and the other files can still be read.
        logger.warning("What the image %s says of its origin was not read: %r", image.sha256, fault)
        return False
    with write_transaction():
        held = held_image(column="id", value=image_id)
        return held is not None and read_origin(held, origin)
