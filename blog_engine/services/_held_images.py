"""Holding the images that a write names, so that none is removed before its commit."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal

from blog_engine.blog_urls import stored_media_path
from blog_engine.errors import Busy
from blog_engine.models import Image
from blog_engine.queries.database import engine_connection
from blog_engine.queries.images import ids_of_digests


def held_image(*, column: Literal["id", "sha256"], value: int | str) -> Image | None:
    """Return a stored image, which stays until the transaction ends; one query.

    Foreign keys to it are checked at the commit, when a removal could have been faster.
    """
    connection = engine_connection()
    images = Image.objects.using(connection.alias)
    if connection.vendor != "postgresql":
        return images.filter(**{column: value}).first()
    statement = f"SELECT * FROM {Image._meta.db_table} WHERE {column} = %s FOR KEY SHARE"  # noqa: S608
    return next(iter(images.raw(statement, [value])), None)


def held_ids(digests: Collection[str]) -> list[int]:
    """Return the ids of the images with these digests; one query, or none.

    They stay until the transaction ends, and what is said of their origin stays the same: a rendering that was made
    before has to be compared with it (``Prepared.require_current``). On SQLite a writer holds all locks already.
    """
    connection = engine_connection()
    if not digests or connection.vendor != "postgresql":
        return sorted(ids_of_digests(digests).values())
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id FROM {Image._meta.db_table} WHERE sha256 = ANY(%s) ORDER BY id FOR SHARE",  # noqa: S608
            [list(digests)],
        )
        return [pk for (pk,) in cursor.fetchall()]


def stored_in(images: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the digests of those images of a manifest that were stored ones when it was made."""
    return {one["sha256"] for one in images if one["sha256"] and one["url"].startswith(_path_of(one["sha256"]))}


def _path_of(sha256: str) -> str:
    return stored_media_path(sha256, "")


def hold_images_of(payload: str) -> None:
    """Hold the stored images that a revision names. Raises ``Busy`` if one was removed since it was looked up."""
    refuse_lost(digests := stored_in(json.loads(payload)["images"]), held_ids(digests))


def refuse_lost(digests: Collection[str], ids: Collection[int]) -> None:
    """Raise ``Busy`` if fewer images are held than were looked up: the same write finds what is left."""
    if len(ids) < len(digests):
        raise Busy
