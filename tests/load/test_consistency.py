"""Readers and writers at once: each answer shows the database of a moment between its request and its arrival.

A number in each title and in each name of a category counts up with every write. An answer must show at least the last
number that was stored before the request began, and at most the last one whose write had begun when the answer came.
"""

import os
import random
import re
import time
from collections import Counter
from contextlib import ExitStack
from threading import Event
from typing import Any

import httpx
import psycopg
import pytest

from tests.load.clients import BROWSER, client_of, errors_in
from tests.load.conftest import THREADS, WORKERS, Place
from tests.load.moments import Scene, Seen, Subject
from tests.requirements import requirement
from tests.support.clients import make_secret
from tests.support.programs import Environment
from tests.support.servers import free_port, gunicorn, origin_at

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

SECONDS = float(os.environ.get("BLOG_ENGINE_LOAD", "20"))
SEED = int(os.environ.get("BLOG_ENGINE_SEED", "0"))
POSTS = 6
CATEGORIES = 2
READERS = 4
_STALE = 5
"""Seconds by which the pages of a site may lag that the check must find fault with."""
_PAUSE = 0.8
"""Seconds between two writes of a writer, at most: kept pages are read in between."""
_API = "/blog/api/v1"
_PATIENCE = 60
_SHOWN = re.compile(r"(Pier|Dock) (\d+) at tide (\d+)")
_LISTS = ("/blog/", "/blog/feed.xml", "/blog/feed.json")


class Reader:
    """A browser that keeps what it has read: a 304 says that this is still the page."""

    def __init__(self, scene: Scene, http: httpx.Client, chance: random.Random) -> None:
        self._scene, self._http, self._chance = scene, http, chance
        self._kept: dict[str, tuple[str, Seen]] = {}

    def read(self) -> None:
        """Read a page, perhaps again at once, and check what it shows."""
        kind, scene = self._chance.choice(("post", "post", "list", "category")), self._scene
        post = self._chance.choice(scene.posts)
        number = scene.posts.index(post)
        if kind == "list":
            self._get(self._chance.choice(_LISTS), needed=scene.posts)
        elif kind == "category":
            place = self._chance.randrange(CATEGORIES)
            path = f"/blog/category/dock-{place}{self._chance.choice(('', '/feed.xml'))}"
            self._get(path, needed=[*scene.posts[place::CATEGORIES], scene.categories[place]])
        else:
            self._get(f"/blog/pier-{number}{self._chance.choice(('', '.md'))}", needed=[post])

    def _get(self, path: str, *, needed: list[Subject]) -> None:
        for _ in range(self._chance.choice((1, 2, 3))):
            self._get_once(path, needed=needed)

    def _get_once(self, path: str, *, needed: list[Subject]) -> None:
        tag, known = self._kept.get(path, ("", frozenset()))
        begin = time.monotonic()
        answer = self._http.get(path, headers={"If-None-Match": tag} if tag else {})
        end = time.monotonic()
        self._scene.answers[path.rpartition("/")[2] or "index", answer.status_code] += 1
        assert answer.status_code in {200, 304, 404, 410}, (path, answer.status_code)
        seen = known if answer.status_code == 304 else _shown(answer) if answer.status_code == 200 else frozenset()
        if answer.status_code == 200 and "ETag" in answer.headers:
            self._kept[path] = (answer.headers["ETag"], seen)
        self._scene.check(f"{answer.status_code} {path}", seen, begin=begin, end=end, needed=needed)


def _shown(answer: httpx.Response) -> Seen:
    return frozenset((f"{kind} {name}", int(number)) for kind, name, number in _SHOWN.findall(answer.text))


class Writer:
    """The only writer of one post."""

    def __init__(self, post: Subject, slug: str, http: httpx.Client, chance: random.Random) -> None:
        self._post, self._slug, self._http, self._chance = post, slug, http, chance
        self._pause = Event()

    def begin(self, category: str) -> None:
        """Publish the post."""
        with self._post.writing() as title:
            fields = {"title": title, "slug": self._slug, "category": category, "tags": ["quay"], "publish": True}
            self._send("POST", "/posts", fields | {"body": f"The text of {title}.", "provenance": "human_written"})

    def write(self) -> None:
        """Change the post, withdraw it, or bring it back."""
        self._pause.wait(self._chance.random() * _PAUSE)
        if not self._post.states[-1].is_public:
            with self._post.writing() as title:
                self._send("POST", f"/posts/{self._slug}/publish", _content(title))
        elif self._chance.random() < 0.15:
            with self._post.writing(is_public=False, keeps_number=True):
                self._send("POST", f"/posts/{self._slug}/unpublish")
        else:
            with self._post.writing() as title:
                self._send("PATCH", f"/posts/{self._slug}", _content(title))

    def _send(self, method: str, path: str, fields: dict[str, Any] | None = None) -> None:
        answer = self._http.request(method, f"{_API}{path}", **({"json": fields} if fields else {}))
        assert answer.is_success, (method, path, answer.text)


def _content(title: str) -> dict[str, Any]:
    return {"title": title, "body": f"The text of {title}.", "change": "substantive"}


class Namer:
    """The only writer of the categories: it names them through the API and past it, with SQL."""

    def __init__(self, categories: list[Subject], http: httpx.Client, database: str, chance: random.Random) -> None:
        self._categories, self._http, self._database, self._chance = categories, http, database, chance
        self._ids: list[int] = []
        self._pause = Event()

    def begin(self) -> None:
        """Make the categories."""
        for place, category in enumerate(self._categories):
            with category.writing() as name:
                answer = self._http.post(f"{_API}/categories", json={"name": name, "slug": f"dock-{place}"})
                assert answer.is_success, answer.text
                self._ids.append(answer.json()["id"])

    def write(self) -> None:
        """Rename a category."""
        self._pause.wait(self._chance.random() * _PAUSE)
        place = self._chance.randrange(CATEGORIES)
        with self._categories[place].writing() as name:
            if self._chance.random() < 0.5:
                answer = self._http.patch(f"{_API}/categories/{self._ids[place]}", json={"name": name})
                assert answer.is_success, answer.text
            else:
                with psycopg.connect(self._database) as connection:
                    statement = "UPDATE blog_engine_category SET name = %s WHERE slug = %s"
                    connection.execute(statement, [name, f"dock-{place}"])


def _scene_at(place: Place, *, seconds: float, **changes: str) -> Scene:
    """Return what happened on a site with these changes to its environment."""
    log = place.folder / "gunicorn.log"
    with free_port() as listener:
        origin = origin_at(listener)
        environment = place.at(origin, **changes)
        with (
            log.open("wb") as file,
            gunicorn(listener, environment, workers=WORKERS, threads=THREADS, log=file),
        ):
            scene = _act(Scene(origin, _subjects("Pier", POSTS), _subjects("Dock", CATEGORIES)), environment, seconds)
    assert errors_in(log) == []
    return scene


def _subjects(kind: str, count: int) -> list[Subject]:
    return [Subject(f"{kind} {number}") for number in range(count)]


def _act(scene: Scene, environment: Environment, seconds: float) -> Scene:
    secret = make_secret(name="Harbour master")

    def chance(name: str) -> random.Random:
        return random.Random(f"{SEED}-{name}")  # noqa: S311 - no secrets

    with ExitStack() as stack:

        def client(number: int) -> httpx.Client:
            return stack.enter_context(client_of(scene.origin, secret, address=f"203.0.113.{number}"))

        def browser() -> httpx.Client:
            headers = {"User-Agent": BROWSER}
            return stack.enter_context(httpx.Client(base_url=scene.origin, headers=headers, timeout=_PATIENCE))

        namer = Namer(scene.categories, client(POSTS), environment["DATABASE_URL"], chance("namer"))
        namer.begin()
        writers = [Writer(post, f"pier-{n}", client(n), chance(post.name)) for n, post in enumerate(scene.posts)]
        for number, writer in enumerate(writers):
            writer.begin(f"dock-{number % CATEGORIES}")
        readers = [Reader(scene, browser(), chance(f"reader {number}")) for number in range(READERS)]
        scene.end = time.monotonic() + seconds
        scene.live(namer.write, *(writer.write for writer in writers), *(reader.read for reader in readers))
    return scene


@requirement("page-cache.fresh")
def test_every_answer_is_the_database_of_a_moment(place: Place) -> None:
    scene = _scene_at(place, seconds=SECONDS)

    assert scene.wrong[:10] == []
    assert min(subject.number for subject in (*scene.posts, *scene.categories)) > 1
    statuses = Counter(status for _, status in scene.answers.elements())
    assert min(statuses[200], statuses[304], statuses[404] + statuses[410]) > 1


@requirement("page-cache.max-stale")
def test_stale_pages_are_noticed(place: Place) -> None:
    scene = _scene_at(place, seconds=_STALE + 3, MAX_STALE=str(_STALE))

    assert scene.wrong
