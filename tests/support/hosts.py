"""Settings of hosts: of the blog, its mounts, hooks, a template engine, and caches and storages with faults."""

import re
import string
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage
from django.template import TemplateDoesNotExist
from django.template.backends.dummy import Template, TemplateStrings
from django.test import Client, override_settings
from django.urls import clear_script_prefix, include, path, set_script_prefix
from markdown_it import MarkdownIt
from pytest_django import Settings


def blog_settings(**changes: Any) -> dict[str, Any]:
    """Return the tests' ``BLOG_ENGINE`` with some keys changed; ``...`` leaves a key out."""
    changed = {**settings.BLOG_ENGINE, **changes}
    return {key: value for key, value in changed.items() if value is not ...}


def host_templates() -> list[dict[str, Any]]:
    """The tests' ``TEMPLATES`` with the templates of these tests in front."""
    engine = settings.TEMPLATES[0]
    return [{**engine, "DIRS": [Path(__file__).parent / "templates", *engine["DIRS"]]}]


ROOT_URLS = (path("", include("blog_engine.urls")),)
"""The URLs of a host that is only the blog."""

PLACES: dict[str, tuple[Any, str, str]] = {
    "journal": ((path("press/journal/", include("blog_engine.urls")),), "/press/journal", ""),
    "root": (ROOT_URLS, "", ""),
    "proxy": ("example_site.urls", "/blog", "/sub"),
    "letters": ("example_site.urls", "/blog", "/für uns"),
}
"""For each place, its URLs, the path of the blog in them, and what a server strips before them."""


@dataclass(frozen=True)
class Place:
    """Where the blog stands: ``prefix`` is what readers type before its own paths."""

    client: Client
    mount: str
    script_name: str = ""

    @property
    def prefix(self) -> str:
        return quote(self.script_name) + self.mount

    def get(self, path: str) -> Any:
        return self.client.get(f"{self.mount}{path}", SCRIPT_NAME=self.script_name.encode().decode("latin-1"))


@contextmanager
def at(name: str) -> Iterator[Place]:
    """The blog at one of the places."""
    urlconf, mount, script_name = PLACES[name]
    # Django's test client does not do this, other than its WSGI handler.
    set_script_prefix(f"{script_name}/")
    try:
        with override_settings(
            ROOT_URLCONF=urlconf, BLOG_ENGINE=blog_settings(policy_urls={"responsible_party": "/about"})
        ):
            yield Place(Client(), mount, script_name)
    finally:
        clear_script_prefix()


REQUIRED: dict[str, object] = {
    "site_name": "Garden Journal",
    "default_author": {"name": "Ada"},
    "publisher": {"name": "Garden Press"},
}


def authenticate(request: object) -> object:
    return request


def authenticate_with_more(request: object, realm: str = "blog", *rest: object) -> object:
    return request, realm, rest


def authenticate_nobody() -> object:
    return None


def authenticate_with_keyword(request: object, *, realm: str) -> object:
    return request, realm


def before_publish(post: object, context: object) -> object:
    return post, context


class LoginWall:
    """A mixin of a host."""


NOT_CALLABLE = 5


class Dollars(TemplateStrings):
    """Templates of the standard library, found in ``DIRS``."""

    def get_template(self, template_name: str) -> Any:
        for folder in self.dirs:
            if (file := Path(folder) / template_name).is_file():
                return Template(string.Template(file.read_text("utf-8")).template)
        raise TemplateDoesNotExist(template_name, backend=self)


def failing_plugin(parser: MarkdownIt) -> None:
    """A Markdown plugin that fails when it is called."""
    raise RuntimeError("no parser")


def failing_rule(parser: MarkdownIt) -> None:
    """A Markdown plugin whose rule fails when emphasis is rendered."""

    def fail(*_: object) -> str:
        raise ValueError("no emphasis")

    parser.add_render_rule("em_open", fail)


class UnhashablePlugin:
    """A Markdown plugin that cannot be a key of a cache."""

    __hash__ = None  # type: ignore[assignment]  # what a class with __eq__ has

    def __call__(self, parser: MarkdownIt) -> None:
        """Change nothing."""


unhashable_plugin = UnhashablePlugin()
partial_plugin = partial(failing_plugin)


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


_COPY = re.compile(r"(.*/[0-9a-f]{64})-w1200(?:-[0-9a-f]{16}\.|(?:-[0-9a-f]{8})?-)(?:jpg|png)(?:\.txt)?")


def file_names(storage: Storage) -> list[str]:
    """The names of the files of the storage, without the copies for shared links of the originals that are there."""
    names = all_file_names(storage)
    originals = {name.partition(".")[0] for name in names}
    return [name for name in names if not ((copy := _COPY.fullmatch(name)) and copy[1] in originals)]


def all_file_names(storage: Storage, folder: str = "") -> list[str]:
    """The names of all files of the storage."""
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        # The first file makes the folder.
        return []
    inside = [name for one in folders for name in all_file_names(storage, f"{folder}{one}/")]
    return sorted([*(f"{folder}{name}" for name in files), *inside])
