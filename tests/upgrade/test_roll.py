"""``migrate`` while the previous release serves readers and writers, on PostgreSQL.

``BLOG_ENGINE_ROLL_POSTS=300`` makes the blog larger; figures in ``artifacts/roll.json``.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import httpx
import pytest

from tests.requirements import requirement
from tests.support.programs import ROOT
from tests.upgrade.previous_release import previous_release

pytestmark = [pytest.mark.heavy, pytest.mark.measured, pytest.mark.postgres]

POSTS: Final = int(os.environ.get("BLOG_ENGINE_ROLL_POSTS", "60"))
API = "/blog/api/v1"
PAGES = [
    "/blog/",
    "/blog/day-3",
    "/blog/day-4.md",
    "/blog/search?q=garden",
    "/blog/search.json?q=rain",
    "/blog/feed.xml",
]
PAGES += ["/blog/category/month-3", "/blog/sitemap.xml", f"{API}/posts?q=garden", f"{API}/posts/day-5/records"]
FIGURES = ROOT / "artifacts" / "roll.json"
LONGEST = 15.0
"""Seconds that one request may wait for locks."""


class Clients:
    """Readers and a writer, and what they were answered."""

    def __init__(self, origin: str, secret: str) -> None:
        self.answers: Counter[str] = Counter()
        self.longest = 0.0
        self._ended = Event()
        self._origin, self._secret = origin, secret
        behaviours: list[Callable[[httpx.Client, int], None]] = [self._read, self._read, self._read, self._write]
        self._threads = [Thread(target=self._run, args=[one, turn]) for turn, one in enumerate(behaviours)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _run(self, behaviour: Callable[[httpx.Client, int], None], turn: int) -> None:
        headers = {"Authorization": f"Bearer {self._secret}"}
        with httpx.Client(base_url=self._origin, headers=headers, timeout=60) as client:
            while not self._ended.is_set():
                behaviour(client, turn)
                turn += 1

    def _read(self, client: httpx.Client, turn: int) -> None:
        path = PAGES[turn % len(PAGES)]
        self._send(client, "GET", path, what=path)

    def _write(self, client: httpx.Client, turn: int) -> None:
        sent = {"title": f"Meanwhile {turn}", "slug": f"meanwhile-{turn}", "body": "Rain.", "publish": True}
        made = self._send(client, "POST", f"{API}/posts", what="publish", json=sent)
        if made.status_code == httpx.codes.CREATED:
            change = {"body": "Rain in the garden.", "change": "correction", "note": "It rained there."}
            path = f"{API}/posts/{made.json()['post']['id']}"
            self._send(client, "PATCH", path, what="correct", json=change)

    def _send(self, client: httpx.Client, method: str, path: str, *, what: str, **sent: Any) -> httpx.Response:
        begun = time.monotonic()
        answer = client.request(method, path, **sent)
        self.longest = max(self.longest, time.monotonic() - begun)
        self.answers[f"{what} {answer.status_code}"] += 1
        return answer


@requirement("host.upgrade.rolling", "host.upgrade.locks")
def test_nobody_is_turned_away_while_the_tables_change(tmp_path: Path) -> None:
    with previous_release(tmp_path) as site:
        secret = site.fill(POSTS)
        with site.old_server() as origin:
            clients = Clients(origin, secret)
            clients.start()
            time.sleep(2)
            begun = time.monotonic()
            try:
                site.new_manage("migrate", "--verbosity=0")
                took = time.monotonic() - begun
                time.sleep(2)
            finally:
                clients.stop()
        site.new_manage("render_posts")
        site.new_manage("make_checkpoint")
        (records,) = (line for line in site.new_manage("blog_doctor").splitlines() if "Records — " in line)

    figures = {"posts": POSTS, "seconds": round(took, 1), "longest": round(clients.longest, 2), **clients.answers}
    FIGURES.parent.mkdir(exist_ok=True)
    FIGURES.write_text(json.dumps(figures, indent=1))
    assert {what: number for what, number in clients.answers.items() if what[-3:] not in {"200", "201"}} == {}
    assert clients.longest < LONGEST
    assert records.startswith("ok: Records")
