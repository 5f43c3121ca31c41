"""Restoring an exported blog into an empty one."""

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, Final

from django.core.files.base import ContentFile
from django.db import DatabaseError, DataError, IntegrityError, models

from blog_engine.archives import ArchiveRefused, unpacked
from blog_engine.exporting.manifest import Manifest, RestoreRefused, check_files, read_manifest, refuse_name
from blog_engine.exporting.media import AVATARS
from blog_engine.exporting.tables import LAST_IDS, Table, UnreadableRow, exported_tables
from blog_engine.images.files import DryImageFiles, ImageFiles, unavailable_on_fault
from blog_engine.images.inspect import InspectedImage
from blog_engine.models import Author, DraftVersion, Image, Post, Revision
from blog_engine.models.taxonomy import blog_storage
from blog_engine.services.refresh import derive_restored
from blog_engine.services.restoring import (
    check_references,
    insert_rows,
    restore_counters,
    restore_search_index,
    restoring,
    rows_in_the_way,
    undo_restore,
)
from blog_engine.services.writing_images import remove_created

__all__ = ["RestoreProgress", "RestoreRefused", "restore_blog"]

_BATCH: Final = 100
_LONGEST_LINE: Final = 50_000_000
"""Bytes: a revision has the body, which ``max_body_bytes`` limits, and its FAQ."""
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
        # The copy for feeds is in the folder as well.
        files = sorted((media / image.sha256).glob("*"))
        if not files:
            return False
        contents = (file.read_bytes() for file in files)
        data = next((data for data in contents if hashlib.sha256(data).hexdigest() == image.sha256), None)
        if data is None:
            raise RestoreRefused(f"{files[0].name}: the bytes of the image do not belong to its digest {image.sha256}.")
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
        remove_created(self._images)
        for name in self._pictures:
            blog_storage().delete(name)


class CheckedFiles(RestoredFiles):
    """Checks the files and writes none: for a dry run."""

    def __init__(self) -> None:
        super().__init__(DryImageFiles())

    def store_picture(self, name: str, folder: Path) -> None:
        """Check the name."""
        refuse_name(name)


@dataclass(slots=True)
class RestoreProgress:
    """The progress of a restore, and at its end its result."""

    step: str = "files"
    """What is being done: ``files`` are compared, ``rows`` or ``images`` are stored, ``bodies`` are rendered, the
    ``search`` is indexed."""
    done: int = 0
    """The files, rows, images, bodies or posts of this step so far."""
    rows: dict[str, int] = field(default_factory=dict)
    """The number of restored rows by the name of their file."""
    images: int = 0
    missing: list[str] = field(default_factory=list)
    """Images whose files the exported blog did not have."""
    engine: str = ""
    """The release that made the export."""
    exported_at: str = ""

    @property
    def posts(self) -> int:
        """The number of restored posts."""
        return self.rows.get(Table(Post).path, 0)


def restore_blog(source: Path, *, dry_run: bool = False) -> Iterator[RestoreProgress]:
    """Restore the export in a folder, zip or tar.gz; yield the progress again and again, always the same object.

    Each row gets its key and times, each image its file. It happens in one transaction, which is committed when the
    iteration ends; an exception, or leaving the iteration early, undoes everything. With ``dry_run`` everything but
    the commit and the writing of image files is done. Raises ``RestoreRefused`` for an export that is truncated,
    changed, hostile or of a later release, and for a blog that has rows.
    """
    progress = RestoreProgress()
    _refuse_rows()
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(unpacked(source))
        except ArchiveRefused as fault:
            raise RestoreRefused(str(fault)) from fault
        manifest = read_manifest(folder, source=source)
        progress.engine, progress.exported_at = manifest.engine, manifest.exported_at
        progress.missing = manifest.missing
        for progress.done in check_files(folder):
            if progress.done % _BATCH == 0:
                yield progress
        yield from _restore(folder, manifest, progress, dry_run=dry_run)
    yield progress


def _restore(
    folder: Path, manifest: Manifest, progress: RestoreProgress, *, dry_run: bool
) -> Iterator[RestoreProgress]:
    files = CheckedFiles() if dry_run else RestoredFiles(ImageFiles())
    tables = [table.model for table in exported_tables()]
    try:
        with restoring(tables):
            _refuse_rows()
            progress.step = "rows"
            for table in exported_tables():
                yield from _restore_table(folder, table, progress)
            restore_counters(_last_ids(folder))
            check_references(tables)
            progress.step = "bodies"
            for progress.done in derive_restored():
                yield progress
            progress.step = "search"
            for progress.done in restore_search_index():
                yield progress
            progress.step = "images"
            yield from _restore_images(folder, manifest, files, progress)
            if dry_run:
                undo_restore()
    except (IntegrityError, DataError) as fault:
        files.undo()
        raise RestoreRefused(f"The rows contradict each other: {_first_line(fault)}") from fault
    except BaseException:
        files.undo()
        raise


def _refuse_rows() -> None:
    there = rows_in_the_way(table.model for table in exported_tables())
    if there:
        found = ", ".join(f"{number} {name}" for name, number in there.items())
        raise RestoreRefused(
            f"The blog is not empty, and a restore overwrites nothing. It has {found}. Restore into a new database."
        )


def _restore_table(folder: Path, table: Table, progress: RestoreProgress) -> Iterator[RestoreProgress]:
    path, columns = folder / table.path, table.columns
    progress.done = progress.rows[table.path] = 0
    if not path.exists():
        # An older release did not have the table.
        return
    rows = _rows_in(path, table)
    while batch := list(islice(rows, _BATCH)):
        try:
            insert_rows(table.model, columns, batch)
        except (DatabaseError, ValueError, TypeError, OverflowError) as fault:
            where = f"{table.path}, lines {progress.done + 1} to {progress.done + len(batch)}"
            if isinstance(fault, DatabaseError) and not isinstance(fault, IntegrityError | DataError):
                raise
            raise RestoreRefused(f"{where}: {_first_line(fault)}") from fault
        progress.done += len(batch)
        progress.rows[table.path] = progress.done
        yield progress


def _rows_in(path: Path, table: Table) -> Iterator[list[Any]]:
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), start=1):
            try:
                row = json.loads(line)
                if not line.endswith(b"\n") or not isinstance(row, dict):
                    raise UnreadableRow("it is no JSON object on a line")
                payload = str(row.get("payload")).encode() if table.model in {Revision, DraftVersion} else None
                if payload is not None and hashlib.sha256(payload).hexdigest() != row.get("identifier"):
                    raise UnreadableRow("the payload does not belong to its identifier")
                yield table.read_row(row)
            except (UnreadableRow, ValueError, RecursionError) as fault:
                raise RestoreRefused(f"{table.path}, line {number}: {_first_line(fault)}") from fault


def _last_ids(folder: Path) -> dict[type[models.Model], int]:
    try:
        stored = json.loads((folder / LAST_IDS).read_bytes())
        known = {PurePosixPath(table.path).stem: table.model for table in exported_tables()}
        return {known[name]: int(last) for name, last in stored.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise RestoreRefused(f"{LAST_IDS} is missing, or not as the export wrote it.") from fault


def _restore_images(
    folder: Path, manifest: Manifest, files: RestoredFiles, progress: RestoreProgress
) -> Iterator[RestoreProgress]:
    for image in Image.objects.order_by("pk").iterator(_BATCH):
        if files.store_image(image, folder / manifest.media):
            progress.images += 1
        elif not any(image.sha256 in lost for lost in manifest.missing):
            raise RestoreRefused(f"{manifest.media}/{image.sha256}: the image of a row is not in the export.")
        progress.done = progress.images
        yield progress
    pictures = Author.objects.exclude(avatar_file="").order_by("pk")
    for name in pictures.values_list("avatar_file", flat=True).iterator(_BATCH):
        files.store_picture(name, folder / AVATARS)


def _first_line(fault: BaseException) -> str:
    return str(fault).partition("\n")[0] or type(fault).__name__
