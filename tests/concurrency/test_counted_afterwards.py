"""Views are counted after the response, so that readers do not wait.

Another writer locks the database until the page arrives. A count before the response would wait for the lock, give up
and be lost.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import httpx
import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.handlers.asgi import ASGIHandler
from django.db import connection

from tests.requirements import requirement
from tests.support.databases import migrate_site
from tests.support.factories import save
from tests.support.servers import environment_of, free_port, gunicorn, manage, origin_at

pytestmark = [pytest.mark.sqlite, pytest.mark.heavy]

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
PATIENCE = 20


@dataclass(frozen=True, slots=True)
class Site:
    """A site that runs, and the file of its database."""

    article: str
    database: Path


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with free_port() as listener:
        origin = origin_at(listener)
        environment = environment_of(tmp_path, settings="example_site.settings", origin=origin)
        migrate_site(environment, tmp_path / "db.sqlite3")
        article = manage(environment, "blog_sample").splitlines()[0].split()[-1]
        with gunicorn(listener, environment):
            # Not counted, because it has no User-Agent, but it warms up the process.
            assert httpx.get(f"{origin}{article}", headers={"User-Agent": ""}, timeout=PATIENCE).status_code == 200
            yield Site(f"{origin}{article}", tmp_path / "db.sqlite3")


@contextmanager
def held(database: str | Path) -> Iterator[None]:
    """Make all other writers wait."""
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        yield
        writer.execute("ROLLBACK")


def total(database: str | Path) -> int:
    with closing(sqlite3.connect(database)) as reader:
        (number,) = reader.execute("SELECT coalesce(sum(views), 0) FROM blog_engine_pageview").fetchone()
        return int(number)


def wait_until(is_true: Callable[[], bool]) -> None:
    pause = Event()
    for _ in range(PATIENCE * 100):
        if is_true():
            return
        pause.wait(0.01)
    raise AssertionError("it never became true")


@requirement("page-views.after-response")
def test_over_a_socket_the_page_comes_before_it_is_counted(site: Site) -> None:
    with httpx.Client(headers={"User-Agent": BROWSER}, timeout=PATIENCE) as browser, held(site.database):
        page = browser.get(site.article)
        before = total(site.database)

    assert (page.status_code, page.text.rstrip()[-7:], before) == (200, "</html>", 0)
    wait_until(lambda: total(site.database) == 1)


@requirement("page-views.after-response")
@pytest.mark.django_db(transaction=True)
def test_under_asgi_the_page_comes_before_it_is_counted() -> None:
    save(slug="soil", publish=True)
    database = connection.settings_dict["NAME"]
    headers = [(b"host", b"testserver"), (b"user-agent", BROWSER.encode())]
    scope = {"type": "http", "method": "GET", "path": "/blog/soil", "headers": headers, "query_string": b""}

    async def read() -> tuple[int, bytes, int]:
        server = ApplicationCommunicator(ASGIHandler(), scope)
        with held(database):
            await server.send_input({"type": "http.request"})
            start = await server.receive_output(PATIENCE)
            body = await server.receive_output(PATIENCE)
            before = total(database)
        await server.wait(PATIENCE)
        return start["status"], body["body"], before

    status, page, before = asyncio.run(read())

    assert (status, page.rstrip()[-7:], before, total(database)) == (200, b"</html>", 0, 1)
