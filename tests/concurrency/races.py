"""Clients that call the API at once, about the same few images, articles, redirects and pages."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import Any, TypeVar

import pytest
from bleach.sanitizer import Cleaner
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, connections
from django.test import Client
from markdown_it import MarkdownIt

from blog_engine.errors import Refusal
from blog_engine.services._transaction import write_transaction
from tests.support.images import png

R = TypeVar("R")
_PATIENCE = 20
"""Seconds after which a race that does not happen fails its test."""


class Held:
    """A publication hook that stops the first write of a race in its transaction until it is released."""

    def __init__(self) -> None:
        self.armed = False
        self.arrived = Event()
        self.go = Event()

    def __call__(self, post: Any, context: Any) -> None:
        if self.armed and not self.arrived.is_set():
            self.arrived.set()
            assert self.go.wait(_PATIENCE), "the first writer was not released"


def slowly(held: Held, write: Callable[[], R]) -> Callable[[], R]:
    """Return the write, stopped before its commit until the race releases it."""

    def writer() -> R:
        with write_transaction():
            written = write()
            held(None, None)
            return written

    return writer


def outcome(future: Future[R]) -> R | type[Refusal]:
    """What a writer got: its result, or the class of its refusal."""
    try:
        return future.result(_PATIENCE)
    except Refusal as refusal:
        return type(refusal)


def race(held: Held, first: Callable[[], R], second: Callable[[], R]) -> tuple[R | type[Refusal], R | type[Refusal]]:
    """Run ``first`` up to the hook, start ``second``, wait until it waits for a lock, then continue both."""
    held.armed = True
    with ThreadPoolExecutor(max_workers=2) as pool:
        one = pool.submit(_with_own_connection, first)
        try:
            assert held.arrived.wait(_PATIENCE), "the first writer never came to the hook"
            two = pool.submit(_with_own_connection, second)
            _wait_until_blocked(two)
        finally:
            held.go.set()
        return outcome(one), outcome(two)


def together(*calls: Callable[[], R]) -> list[R | type[Refusal]]:
    """Run all calls at the same time, each on its own connection."""
    with ThreadPoolExecutor(max_workers=len(calls)) as pool:
        return [outcome(future) for future in [pool.submit(_with_own_connection, call) for call in calls]]


class Queue:
    """Calls that wait for a lock of the test, in the order of their start."""

    def __init__(self, pool: ThreadPoolExecutor, calls: tuple[Callable[[], Any], ...]) -> None:
        self._pool = pool
        self._calls = calls
        self._started: list[Future[Any]] = []

    def start(self) -> None:
        """Start each call when the one before it waits for a lock."""
        for number, call in enumerate(self._calls, start=1):
            self._started.append(self._pool.submit(_with_own_connection, call))
            _wait_until_blocked(self._started[-1], blocked=number)

    def all(self) -> list[Any]:
        """Return the outcome of each call after the lock was released."""
        return [outcome(future) for future in self._started]


@contextmanager
def queued_behind(*calls: Callable[[], Any]) -> Iterator[Queue]:
    """Return a queue of calls, to be started while the test holds their lock."""
    with ThreadPoolExecutor(max_workers=len(calls)) as pool:
        yield Queue(pool, calls)


def _with_own_connection(call: Callable[[], R]) -> R:
    try:
        return call()
    finally:
        _close_connections()


def _close_connections() -> None:
    """Close those of this thread: to databases, and to Redis, which Django leaves to the garbage collector."""
    connections.close_all()
    for cache in caches.all(initialized_only=True):
        if isinstance(cache, RedisCache):
            cache._cache.get_client(write=True).connection_pool.disconnect()


def _wait_until_blocked(writer: Future[Any], *, blocked: int = 1) -> None:
    pause = Event()
    for _ in range(_PATIENCE * 100):
        if writer.done() or _blocked_backends() >= blocked:
            return
        pause.wait(0.01)
    raise AssertionError("the second writer neither waited nor finished")


def _blocked_backends() -> int:
    with connection.cursor() as cursor:
        # In a transaction the view would always show its first result.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


API = "/blog/api/v1"
SLUGS = ["a", "b", "c", "d", "e"]
COLOURS = ["teal", "red", "blue", "lime"]


@dataclass
class Crowd:
    """Clients with one token, the URL of pictures, and the duration of the calls."""

    client: Callable[[], Client]
    gallery: str
    seconds: float

    def run(self, people: int, *, seed: int) -> Counter[tuple[str, int, str]]:
        """Let all clients call at once; return how often each call got each status and code."""
        end = time.monotonic() + self.seconds
        with ThreadPoolExecutor(max_workers=people) as pool:
            answers = [pool.submit(self._call_until, end, random.Random(f"{seed}-{n}")) for n in range(people)]  # noqa: S311
            return sum((one.result() for one in answers), Counter())

    def _call_until(self, end: float, chance: random.Random) -> Counter[tuple[str, int, str]]:
        told: Counter[tuple[str, int, str]] = Counter()
        client = self.client()
        try:
            while time.monotonic() < end:
                kind = chance.choice(_KINDS)
                response = kind(chance, client, self)
                code = response.json()["error"]["code"] if response.status_code >= 400 else ""
                told[kind.__name__.strip("_"), response.status_code, code] += 1
        finally:
            _close_connections()
        return told


def picture_of_the_moment(number: int) -> bytes:
    """Return one of four pictures, which can be new."""
    moment = int(time.monotonic() * 4) % 256
    return png(f"rgb({moment},{number * 40},{int(time.monotonic()) % 256})")


def _send(client: Client, method: str, path: str, sent: Any = None) -> Any:
    body = "" if sent is None else json.dumps(sent)
    return client.generic(method, API + path, body, content_type="application/json")


def _upload(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    file = SimpleUploadedFile(f"{chance.choice(SLUGS)}.png", picture_of_the_moment(chance.randrange(4)), "image/png")
    return client.post(f"{API}/images", {"file": file})


def _image(chance: random.Random, crowd: Crowd) -> dict[str, Any]:
    return {"url": f"{crowd.gallery}/{chance.randrange(4)}.png"}


def _save(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    sent = {
        "external_id": chance.choice(SLUGS),
        "title": chance.choice(["One", "Two"]),
        "body": f"![x]({crowd.gallery}/{chance.randrange(4)}.png)" if chance.random() < 0.3 else "Text.",
        "slug": chance.choice(SLUGS),
        "publish": chance.random() < 0.7,
        "change": "maintenance",
        "tags": chance.sample(["x", "y", "z"], k=2),
        "author": chance.choice(["Mina", "Rosa", f"Author {int(time.monotonic() * 4)}"]),
    }
    if chance.random() < 0.6:
        sent |= {"cover_image": _image(chance, crowd), "social_image": _image(chance, crowd)}
    return _send(client, "POST", "/posts", sent)


def _edit(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    sent: dict[str, Any] = {"slug": chance.choice(SLUGS), "change": "maintenance"}
    if chance.random() < 0.4:
        sent["cover_image"] = _image(chance, crowd)
    return _send(client, "PATCH", f"/posts/{chance.choice(SLUGS)}", sent)


def _withdraw(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    return _send(client, "POST", f"/posts/{chance.choice(SLUGS)}/unpublish")


def _remove(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    return _send(client, "DELETE", f"/posts/{chance.choice(SLUGS)}", {"redirect_to": chance.choice([*SLUGS, None])})


def _adopt(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    sent: dict[str, Any] = {
        "source_system": "oldpress",
        "source_id": str(int(time.monotonic()) * 4 + chance.randrange(4)),
        "title": "Old",
        "body": chance.choice(["Old.", "Older."]),
        "body_format": "markdown",
        "tags": chance.sample(["x", "y", "z"], k=2),
        "dry_run": chance.random() < 0.2,
    }
    sent["slug"] = f"old-{sent['source_id']}" if chance.random() < 0.8 else chance.choice(SLUGS)
    sent["old_slugs"] = [f"older-{sent['source_id']}", *chance.sample(SLUGS, k=chance.choice([0, 0, 1]))]
    if sent["slug"] in sent["old_slugs"]:
        sent["old_slugs"] = []
    if chance.random() < 0.5:
        sent |= {"cover_image": _image(chance, crowd), "social_image": _image(chance, crowd)}
    return _send(client, "POST", "/adoptions", sent)


def _lead(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    path = chance.choice([*(f"/blog/{slug}" for slug in SLUGS), "/x", "/y", "/blog/x", "/blog/%78/"])
    return _send(
        client, "POST", "/redirects", {"old_path": path, "new_path": chance.choice([*SLUGS, "/x", "/y", None])}
    )


def _forget(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    rows = client.get(f"{API}/redirects?per_page=100").json()["redirects"]
    return _send(client, "DELETE", f"/redirects/{chance.choice(rows)['id'] if rows else 1}")


def _page(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    kind = chance.choice(["responsible_party", "ai_use", "corrections"])
    sent = {
        "title": "Who",
        "body": "We.",
        "status": chance.choice(["published", "draft"]),
        "slug": chance.choice(SLUGS),
    }
    return _send(client, "PUT", f"/pages/{kind}", sent)


def _author(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    name = f"Author {int(time.monotonic() * 4)}"
    return _send(client, "POST", "/authors", {"name": name, "avatar": _image(chance, crowd)})


def _portrait(chance: random.Random, client: Client, crowd: Crowd) -> Any:
    authors = client.get(f"{API}/authors?per_page=100").json()["authors"]
    number = chance.choice(authors)["id"] if authors else 1
    return _send(client, "PATCH", f"/authors/{number}", {"avatar": _image(chance, crowd), "bio": "Who."})


_KINDS = [*[_upload] * 3, *[_save] * 4, *[_edit] * 2, _withdraw, _remove, *[_adopt] * 3, *[_lead] * 2, _forget, _page]
_KINDS += [_author, _portrait]


_WATCHED = [(MarkdownIt, "parse"), (MarkdownIt, "parseInline"), (Cleaner, "clean")]


class Watch:
    """The number of calls, and those in an open transaction."""

    def __init__(self) -> None:
        self.calls = 0
        self.under_lock: list[str] = []


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """Watch every parser and sanitizer in this block; for tests that open no transaction."""
    assert not connection.in_atomic_block
    watch = Watch()
    with monkeypatch.context() as patch:
        for owner, name in _WATCHED:
            patch.setattr(owner, name, _watching(watch, f"{owner.__name__}.{name}", getattr(owner, name)))
        yield watch


def _watching(watch: Watch, name: str, original: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        watch.calls += 1
        if connection.in_atomic_block:
            watch.under_lock.append(name)
        return original(*args, **kwargs)

    return call
