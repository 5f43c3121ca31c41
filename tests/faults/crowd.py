"""Clients that call a site while something happens to it, and workers that kill themselves on request.

The header ``X-Die`` is ``write:<n>``, after the n-th statement that writes; ``file:before``, ``file:half`` or
``file:after``, around a stored file; or ``answer``, after the write and before the response.
"""

import os
import random
import signal
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Condition, Event, local
from typing import Any

import httpx
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.db import connection
from django.http import HttpRequest, HttpResponse

from blog_engine.models import Approval, Image, Post, Publication, Revision
from tests.support.images import png
from tests.support.servers import API, PATIENCE, tool

READ = ["/blog/", "/blog/feed.xml", "/blog/search?q=frost", f"{API}/posts"]


class Crowd:
    """Clients, with each answer to a successful write, and the number of answers by status.

    ``unanswered`` are the requests that ended without an answer.
    """

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []
        self.uploaded: list[dict[str, Any]] = []
        self.statuses: Counter[tuple[str, int, str]] = Counter()
        self.odd: list[str] = []
        self.unanswered = 0
        self.workers: set[int] = set()
        self._news = Condition()
        self._over = Event()

    @contextmanager
    def at_work(self, client: Callable[[], httpx.Client], *, writers: int, readers: int = 0) -> Iterator[None]:
        """Let the clients call while the block runs; raise their exceptions at its end."""
        with ThreadPoolExecutor(max_workers=writers + readers) as pool:
            calls = [pool.submit(self._until_over, client, self._write, seed) for seed in range(writers)]
            calls += [pool.submit(self._until_over, client, self._read, seed) for seed in range(readers)]
            try:
                yield
            finally:
                self._over.set()
            _raise_first(calls)

    def wait_for(self, enough: Callable[[], bool]) -> None:
        """Wait until a condition holds after an answer."""
        with self._news:
            assert self._news.wait_for(enough, PATIENCE), self.statuses

    def wait_for_writes(self, more: int) -> None:
        """Wait until this many more writes have succeeded."""
        goal = len(self.written) + more
        self.wait_for(lambda: len(self.written) >= goal)

    @property
    def in_doubt(self) -> int:
        """The number of calls that can have written without a successful answer."""
        return self.unanswered + self.statuses["api", 503, "unavailable"]

    def codes(self) -> set[tuple[str, int, str]]:
        """Return the answers other than success, by interface, status and code."""
        return {told for told in self.statuses if told[1] >= 400 or told[2]}

    def _until_over(self, client: Callable[[], httpx.Client], act: Callable[..., None], seed: int) -> None:
        with client() as own:
            chance = random.Random(seed)  # noqa: S311  chance decides what is called, no secret
            while not self._over.is_set():
                act(own, chance)

    def _write(self, client: httpx.Client, chance: random.Random) -> None:
        sent = {"external_id": uuid.uuid4().hex, "title": "Frost", "slug": f"frost-{uuid.uuid4().hex}"}
        sent |= {"body": "Cold.", "tags": chance.sample(["x", "y", "z"], k=2), "publish": chance.random() < 0.7}
        post = self._call(client, "POST", "/posts", json=sent)
        if post is None:
            return
        path = f"/posts/{post['id']}"
        approval = {"name": "Rosa", "facts_checked": True, "revision_identifier": post["revision_identifier"]}
        self._call(client, "POST", f"{path}/approvals", json=approval)
        self._call(client, "PATCH", path, json={"body": uuid.uuid4().hex, "change": "substantive"})
        self._call(client, "POST", "/images", files={"file": ("a.png", png(f"#{uuid.uuid4().hex[:6]}"), "image/png")})

    def _read(self, client: httpx.Client, chance: random.Random) -> None:
        path = chance.choice([*READ, ""])
        if not path:
            self._note("mcp", self._answer(lambda: tool(client, "blog_list_posts")))
        else:
            self._note("api" if path.startswith(API) else "page", self._answer(lambda: client.get(path)))

    def _call(self, client: httpx.Client, method: str, path: str, **sent: Any) -> Any:
        response = self._answer(lambda: client.request(method, API + path, **sent))
        self._note("api", response)
        if response is None or response.status_code >= 400:
            return None
        told = response.json()
        with self._news:
            (self.written if "post" in told else self.uploaded).append(told)
            self._news.notify_all()
        return told.get("post")

    def _answer(self, ask: Callable[[], httpx.Response]) -> httpx.Response | None:
        try:
            return ask()
        except httpx.ConnectError:
            # Nothing was sent. Pause before asking a server that is not up yet.
            self._over.wait(0.02)
        except (httpx.RemoteProtocolError, httpx.ReadError):
            with self._news:
                self.unanswered += 1
                self._news.notify_all()
        return None

    def _note(self, face: str, response: httpx.Response | None) -> None:
        if response is None:
            return
        with self._news:
            self.statuses[face, response.status_code, _code_of(response)] += 1
            self.workers.add(int(response.headers.get("X-Worker", 0)))
            if response.status_code >= 400 and response.headers.get("Retry-After") != "1":
                self.odd.append(f"{response.status_code} {response.url} {response.text[:200]}")
            self._news.notify_all()


def assert_all_that_was_told_is_stored(crowd: Crowd) -> None:
    """Check that every record in an answer is stored.

    More records are stored only of writes without an answer: killed before it, or cut off during the commit.
    """
    published: Counter[int] = Counter()
    approved: Counter[int] = Counter()
    for answer in crowd.written:
        post, records = answer["post"], answer["records"]
        assert Revision.objects.filter(post=post["id"], identifier=post["revision_identifier"]).exists() or (
            post["status"] == "draft"
        )
        published[post["id"]] += records["publication"] is not None
        approved[post["id"]] += records["approval"] is not None
    for post in Post.objects.all():
        assert Publication.objects.filter(post=post).count() >= published[post.pk]
        assert Approval.objects.filter(post=post).count() >= approved[post.pk]
    assert {answer["post"]["id"] for answer in crowd.written} <= set(Post.objects.values_list("id", flat=True))
    assert {answer["sha256"] for answer in crowd.uploaded} <= set(Image.objects.values_list("sha256", flat=True))
    stored = Publication.objects.count() + Approval.objects.count() + Image.objects.count()
    told_of = sum(published.values()) + sum(approved.values()) + len(crowd.uploaded)
    assert told_of <= stored <= told_of + crowd.in_doubt


def _code_of(response: httpx.Response) -> str:
    """Return the code of a refusal, also of a tool; empty for success and for pages."""
    if response.headers["Content-Type"] != "application/json" or not isinstance(body := response.json(), dict):
        return ""
    told = body.get("result", {}).get("structuredContent", body) if "jsonrpc" in body else body
    return str(told["error"]["code"]) if "error" in told else ""


def _raise_first(calls: list[Future[None]]) -> None:
    for call in calls:
        call.result(PATIENCE)


_told = local()


def die_where_told(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The middleware; every response names its worker."""

    def answer(request: HttpRequest) -> HttpResponse:
        _told.where = request.headers.get("X-Die", "")
        kind, _, number = _told.where.partition(":")
        with ExitStack() as stack:
            if kind == "write":
                stack.enter_context(connection.execute_wrapper(_after(int(number))))
            response = get_response(request)
        _die_at("answer")
        _told.where = ""
        response.headers["X-Worker"] = str(os.getpid())
        return response

    return answer


class DyingStorage(FileSystemStorage):
    """A directory; the process that writes into it can end at any moment."""

    def _save(self, name: str, content: Any) -> str:
        _die_at("file:before")
        if getattr(_told, "where", "") == "file:half":
            super()._save(name, ContentFile(content.read(20)))  # type: ignore[misc]
        _die_at("file:half")
        saved: str = super()._save(name, content)  # type: ignore[misc]
        _die_at("file:after")
        return saved


def _after(number: int) -> Callable[..., Any]:
    """Wraps statements: kills the process after this many that write."""
    left = number

    def execute(run: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal left
        result = run(sql, *rest)
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            left -= 1
            if left == 0:
                _die()
        return result

    return execute


def _die_at(point: str) -> None:
    if getattr(_told, "where", "") == point:
        _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
