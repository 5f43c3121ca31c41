"""The files that a restore writes into the storage, to be removed again if it fails."""

import hashlib
import re
from pathlib import Path
from typing import Final

from django.core.files.base import ContentFile

from blog_engine.exporting.manifest import RestoreRefused, refuse_name
from blog_engine.images.files import DryImageFiles, ImageFiles, unavailable_on_fault
from blog_engine.images.inspect import InspectedImage
from blog_engine.models import Image
from blog_engine.models.taxonomy import blog_storage

_SHA256: Final = re.compile("[0-9a-f]{64}")


class RestoredFiles:
    """Writes the files of images and of authors' pictures under the names that their rows have."""

    def __init__(self, images: ImageFiles) -> None:
        self._images = images
        self._pictures: list[str] = []

    def store_image(self, image: Image, media: Path) -> bool:
        """Write the file of an image, and return whether the export has it in the folder ``media``.

        Raises ``RestoreRefused`` for other bytes than its digest, and ``Unavailable`` when the storage fails.
        """
        if not _SHA256.fullmatch(image.sha256):
            raise RestoreRefused(f"{image.sha256!r}: it is no digest of an image.")
        found = sorted((media / image.sha256).glob("*"))
        if not found:
            return False
        data = found[0].read_bytes()
        if hashlib.sha256(data).hexdigest() != image.sha256:
            raise RestoreRefused(f"{found[0].name}: the bytes of the image do not belong to its digest {image.sha256}.")
        inspected = InspectedImage(
            data=data,
            sha256=image.sha256,
            filename=image.filename,
            content_type=image.content_type,
            width=image.width,
            height=image.height,
            is_animated=image.is_animated,
            has_location=image.has_location,
            source_url=image.source_url,
        )
        try:
            self._images.write(inspected)
        except KeyError as fault:
            raise RestoreRefused(f"{image.sha256}: {image.content_type!r} is no type of an image.") from fault
        return True

    def store_picture(self, name: str, folder: Path) -> None:
        """Write the picture of an author if the export has it in ``folder`` and the storage does not.

        Raises ``RestoreRefused`` for an unsafe name, and ``Unavailable`` when the storage fails.
        """
        refuse_name(name)
        storage, path = blog_storage(), folder / name
        with unavailable_on_fault(f"The picture {name} could not be stored."):
            if path.is_file() and not storage.exists(name):
                self._pictures.append(storage.save(name, ContentFile(path.read_bytes())))

    def undo(self) -> None:
        """Remove the files that were written."""
        self._images.undo()
        for name in self._pictures:
            blog_storage().delete(name)


class CheckedFiles(RestoredFiles):
    """Checks the files and writes none: for a dry run."""

    def __init__(self) -> None:
        super().__init__(DryImageFiles())

    def store_picture(self, name: str, folder: Path) -> None:
        """Check the name."""
        refuse_name(name)
