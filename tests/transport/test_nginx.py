"""nginx keeps pages with the configuration of docs/how-to/operate.md."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.requirements import requirement
from tests.support.databases import migrate_site
from tests.support.programs import environment, nginx_program, start, stop, wait_until
from tests.support.servers import ROOT, environment_of, free_port, gunicorn, manage, origin_at

pytestmark = [pytest.mark.nginx, pytest.mark.sqlite, pytest.mark.heavy]

_SAVED = """
from tests.support.factories import save
save(title="Quay", body="Text.", publish=True)
"""
_AROUND = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; {user}
events {{}}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {documented}
}}
"""


@contextmanager
def nginx(folder: Path, *, listens: str, upstream: str) -> Iterator[None]:
    """Serve as the documentation says, with files in the folder."""
    page = (ROOT / "docs/how-to/operate.md").read_text("utf-8")
    (documented,) = re.findall(r"```nginx\n(.*?)```", page, re.DOTALL)
    for written, own in {
        "/var/cache/nginx/journal": f"{folder}/cache",
        "# As before.": f"listen {listens};",
        "http://127.0.0.1:8001": upstream,
    }.items():
        assert written in documented
        documented = documented.replace(written, own)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(_AROUND.format(folder=folder, user=user, documented=documented))
    program = nginx_program()
    assert program
    server = start([program, "-p", str(folder), "-c", str(folder / "nginx.conf")], env=environment())
    try:
        yield
    finally:
        stop(server)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A reader of a blog behind nginx."""
    folder = tmp_path_factory.mktemp("nginx")
    with free_port() as listener, free_port() as of_nginx:
        upstream, origin = origin_at(listener), origin_at(of_nginx)
        own = environment_of(folder, settings="tests.transport.nginx_settings", origin=origin)
        migrate_site(own, folder / "db.sqlite3")
        manage(own, "shell", "--verbosity", "0", "-c", _SAVED)
        of_nginx.close()
        with (
            gunicorn(listener, own),
            nginx(folder, listens=origin.removeprefix("http://"), upstream=upstream),
            httpx.Client(base_url=origin) as client,
        ):
            wait_until(lambda: _answers(client))
            yield client


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/blog/api/v1/schema").status_code == 200
    except httpx.TransportError:
        return False


def statuses(reader: httpx.Client, path: str, **headers: str) -> list[tuple[int, str]]:
    """Status and what nginx says of its cache, of two answers."""
    answers = [reader.get(path, headers=headers) for _ in range(2)]
    return [(answer.status_code, answer.headers["X-Cache"]) for answer in answers]


@requirement("page-cache.shared")
def test_nginx_keeps_the_page_of_an_anonymous_reader(reader: httpx.Client) -> None:
    first, again = (reader.get("/blog/quay") for _ in range(2))
    known = reader.get("/blog/quay", headers={"If-None-Match": first.headers["ETag"]})

    assert [one.headers["X-Cache"] for one in (first, again, known)] == ["MISS", "HIT", "HIT"]
    assert first.content == again.content
    assert first.headers["Cache-Control"] == "max-age=0, s-maxage=60, public, must-revalidate"
    assert (known.status_code, known.content) == (304, b"")


@requirement("page-cache.shared")
def test_nginx_keeps_nothing_for_callers_who_are_named(reader: httpx.Client) -> None:
    assert statuses(reader, "/blog/", Cookie="sessionid=1") == [(200, "BYPASS")] * 2
    assert statuses(reader, "/blog/", Authorization="Basic YTpi") == [(200, "BYPASS")] * 2
    assert statuses(reader, "/blog/") == [(200, "MISS"), (200, "HIT")]
    assert statuses(reader, "/blog/", Cookie="sessionid=1") == [(200, "BYPASS")] * 2


@requirement("page-cache.shared")
@pytest.mark.parametrize(("path", "status"), [("/blog/search?q=quay", 200), ("/blog/missing", 404)])
def test_nginx_does_not_keep_searches_and_dead_ends(reader: httpx.Client, path: str, status: int) -> None:
    assert statuses(reader, path) == [(status, "MISS")] * 2
