"""Readers and writers at once: each answer shows the database of a moment between its request and its arrival.

A number in each title and in each name of a category counts up with every write. An answer must show at least the last
number that was stored before the request began, and at most the last one whose write had begun when the answer came.
"""

import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import httpx
import psycopg
import pytest

from tests.load.clients import BROWSER, client_of, errors_in
from tests.load.conftest import THREADS, WORKERS, Place
from tests.requirements import requirement
from tests.support.clients import make_secret
from tests.support.programs import Environment
from tests.support.servers import free_port, gunicorn, origin_at

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


Seen = frozenset[tuple[str, int]]
"""What a page shows: subjects such as ``Pier 3``, and their numbers."""


@dataclass
class State:
    """What one write stored; its commit was between the two times."""

    number: int
    is_public: bool
    begun: float
    ended: float | None = None


class Subject:
    """A post or a category, with the states that its only writer gave it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.states: list[State] = []

    @property
    def number(self) -> int:
        """The number of the last write."""
        return self.states[-1].number if self.states else 0

    @contextmanager
    def writing(self, *, is_public: bool = True, keeps_number: bool = False) -> Iterator[str]:
        """Note a write, which the block makes with the text that it gets."""
        state = State(self.number + (not keeps_number), is_public, time.monotonic())
        self.states.append(state)
        yield f"{self.name} at tide {state.number}"
        state.ended = time.monotonic()

    def possible(self, begin: float, end: float) -> list[State]:
        """Return the states of the moments between two times."""
        sure = [place for place, state in enumerate(self.states) if state.ended is not None and state.ended <= begin]
        return [state for state in self.states[sure[-1] if sure else 0 :] if state.begun <= end]


@dataclass
class Scene:
    """The subjects, the clients, and what readers saw that no moment explains."""

    origin: str
    posts: list[Subject]
    categories: list[Subject]
    end: float = 0.0
    wrong: list[str] = field(default_factory=list)
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)

    def check(self, path: str, seen: Seen, *, begin: float, end: float, needed: list[Subject]) -> None:
        """Note each number that is too old or too new, and each needed post that is missing or should be."""
        for subject in (*self.posts, *self.categories):
            possible = subject.possible(begin, end)
            shown = {number for name, number in seen if name == subject.name}
            allowed = {state.number for state in possible if state.is_public}
            if shown - allowed:
                self.wrong.append(f"{path}: {subject.name} at {sorted(shown)}, possible {sorted(allowed)}")
            if subject in needed and not shown and all(state.is_public for state in possible):
                self.wrong.append(f"{path}: {subject.name} is missing, possible {sorted(allowed)}")

    def live(self, *actors: Callable[[], None]) -> None:
        """Let each actor act again and again until the end."""

        def go_on(actor: Callable[[], None]) -> None:
            try:
                while time.monotonic() < self.end:
                    actor()
            except BaseException:
                self.end = 0
                raise

        with ThreadPoolExecutor(max_workers=len(actors)) as pool:
            for done in [pool.submit(go_on, actor) for actor in actors]:
                done.result()


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
@pytest.mark.postgres
@pytest.mark.redis
def test_every_answer_is_the_database_of_a_moment(place: Place) -> None:
    scene = _scene_at(place, seconds=SECONDS)

    assert scene.wrong[:10] == []
    assert min(subject.number for subject in (*scene.posts, *scene.categories)) > 1
    statuses = Counter(status for _, status in scene.answers.elements())
    assert min(statuses[200], statuses[304], statuses[404] + statuses[410]) > 1


@requirement("page-cache.max-stale")
@pytest.mark.postgres
@pytest.mark.redis
def test_stale_pages_are_noticed(place: Place) -> None:
    scene = _scene_at(place, seconds=_STALE + 3, MAX_STALE=str(_STALE))

    assert scene.wrong


@pytest.fixture
def scene() -> Scene:
    """A post whose number 1 was stored between 0 and 1, 2 between 10 and 12, and that was withdrawn at 20 to 22."""
    post = Subject("Pier 0")
    post.states = [State(1, True, 0, 1), State(2, True, 10, 12), State(2, False, 20, 22)]
    return Scene("http://127.0.0.1", [post], [])


@pytest.mark.parametrize(
    ("begin", "end", "number"),
    [(2, 3, 1), (9, 11, 1), (9, 11, 2), (11, 11.5, 1), (13, 14, 2), (19, 21, 2)],
)
def test_a_page_of_a_moment_is_right(scene: Scene, begin: float, end: float, number: int) -> None:
    scene.check("/", frozenset({("Pier 0", number)}), begin=begin, end=end, needed=scene.posts)

    assert scene.wrong == []


@pytest.mark.parametrize(("begin", "end", "number"), [(2, 3, 2), (12, 13, 1), (13, 14, 1), (23, 24, 2), (2, 30, 3)])
def test_a_page_of_another_moment_is_wrong(scene: Scene, begin: float, end: float, number: int) -> None:
    scene.check("/", frozenset({("Pier 0", number)}), begin=begin, end=end, needed=[])

    assert len(scene.wrong) == 1


@pytest.mark.parametrize(("begin", "end", "count"), [(2, 3, 1), (11, 13, 1), (21, 21.5, 0), (23, 24, 0)])
def test_a_public_post_must_not_be_missing(scene: Scene, begin: float, end: float, count: int) -> None:
    scene.check("/", frozenset(), begin=begin, end=end, needed=scene.posts)

    assert len(scene.wrong) == count


def test_a_write_without_an_answer_may_be_stored_or_not(scene: Scene) -> None:
    scene.posts[0].states[1:] = [State(2, True, 10)]

    for number in (1, 2):
        scene.check("/", frozenset({("Pier 0", number)}), begin=50, end=51, needed=scene.posts)

    assert scene.wrong == []
