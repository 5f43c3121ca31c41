"""Caches and storages with a fault, how a test selects a storage, and what a storage holds."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage
from pytest_django import Settings


class UncountingCache(LocMemCache):
    """A cache that is there but cannot increment, as memcached when its server is gone."""

    def add(self, *args: object, **kwargs: object) -> bool:
        return False

    def incr(self, *args: object, **kwargs: object) -> int:
        raise ValueError


class DoubleCountingCache(LocMemCache):
    """A cache whose clients try a call again that has succeeded."""

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        return super().incr(key, 2 * delta, version)


class PatientRedisCache(RedisCache):
    """A host's own way to count in Redis."""

    def add(self, *args: Any, **kwargs: Any) -> bool:
        added: bool = super().add(*args, **kwargs)
        return added


@contextmanager
def noting_what_is_sent(client: Any) -> Iterator[list[bytes]]:
    """Note what a client sends to Redis inside the block, an item for each round trip."""
    client.ping()
    pool = client.connection_pool
    connection = pool.get_connection()
    pool.release(connection)
    send, sent = connection.send_packed_command, list[bytes]()

    def note_and_send(packets: Iterable[bytes], **options: Any) -> None:
        sent.append(b"".join(packets := list(packets)))
        send(packets, **options)

    connection.send_packed_command = note_and_send
    try:
        yield sent
    finally:
        del connection.send_packed_command


def use_storage(settings: Settings, backend: type[Storage], *, alias: str = "default", **options: Any) -> None:
    """Put a storage into ``STORAGES``."""
    entry = {"BACKEND": f"{backend.__module__}.{backend.__qualname__}", "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, alias: entry}


class WriteOnly(FileSystemStorage):
    """A storage whose credentials allow to write and delete."""

    def open(self, name: str, mode: str = "rb") -> Any:
        raise PermissionError("reading is not allowed")


class Append(FileSystemStorage):
    """A storage whose credentials allow to write and read."""

    def delete(self, name: str) -> None:
        raise PermissionError("deleting is not allowed")


class Mangling(FileSystemStorage):
    """A storage that gives back other bytes."""

    def open(self, name: str, mode: str = "rb") -> File:  # type: ignore[type-arg]
        with super().open(name, mode) as file:
            return ContentFile(file.read().replace(b"\n", b"\r\n") + b"!")


class HalfWriting(FileSystemStorage):
    """A storage that is full."""

    def _save(self, name: str, content: Any) -> str:
        super()._save(name, ContentFile(content.read(5)))  # type: ignore[misc]
        raise OSError("No space left on device")


class HalfWritingForever(HalfWriting, Append):
    """A storage that is full, whose credentials do not allow to delete."""


class Renaming(FileSystemStorage):
    """A storage that gives every file a name of its own."""

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return self.get_alternative_name(*name.rsplit(".", 1))


class OutOfReach(FileSystemStorage):
    """A storage whose server is gone."""

    def open(self, name: str, mode: str = "rb") -> Any:
        raise ConnectionError("no route to storage")

    def url(self, name: str | None) -> str:
        raise ConnectionError("no route to storage")


def file_names(storage: Storage, folder: str = "") -> list[str]:
    """The names of all files of the storage."""
    folders, files = storage.listdir(folder)
    inside = [name for one in folders for name in file_names(storage, f"{folder}{one}/")]
    return sorted([*(f"{folder}{name}" for name in files), *inside])
