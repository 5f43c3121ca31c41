"""An import that is killed or interrupted inside the transaction of a post, and then run again."""

import json
import shutil
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.support.databases import migrate_site
from tests.support.images import png
from tests.support.programs import ROOT, Environment, output_of, start
from tests.support.servers import environment_of

pytestmark = [pytest.mark.sqlite, pytest.mark.xdist_group("killed import")]

POSTS = 14
_MANAGE = [sys.executable, str(ROOT / "example_site" / "manage.py")]
_SIGNALLED = """
import os, signal, sys
from django.core.management import execute_from_command_line
from django.db.backends.signals import connection_created

number, left = int(sys.argv[1]), int(sys.argv[2])


def stop(execute, sql, params, many, context):
    global left
    if sql.startswith('INSERT INTO "blog_engine_publication"'):
        left -= 1
        if not left:
            os.kill(os.getpid(), number)
    return execute(sql, params, many, context)


def watch(connection, **kwargs):
    connection.execute_wrappers.append(stop)


connection_created.connect(watch)
# A process that a shell began in the background ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)
execute_from_command_line(["manage.py", *sys.argv[3:]])
"""
"""The command of a site, which sends itself a signal when it is about to record its n-th publication."""

_OF_THE_RUN = {
    *("created_at", "updated_at", "adopted_at", "occurred_at", "chained_at", "digest", "previous", "hash"),
    "recent_writes",
}
"""The times of the run, and the hashes over them."""
_NOT_COMPARED = {"blog_engine_contentversion"}
"""It counts writes, and a resumed import makes no more of them than it needs."""


@pytest.fixture(scope="module")
def old_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Markdown with links, images, drafts, series and aliases."""
    folder = tmp_path_factory.mktemp("old") / "site"
    content = folder / "content" / "posts"
    content.mkdir(parents=True)
    (folder / "static").mkdir()
    (folder / "hugo.toml").write_text('baseURL = "https://old.example/"\ntitle = "Old"\n')
    for number in range(POSTS):
        (folder / "static" / f"{number % 7}.png").write_bytes(png(f"#0000{number % 7:02}"))
        is_draft = "true" if number % 5 == 0 else "false"
        head = {
            "title": f"Post {number}",
            "date": f"2020-01-{number % 28 + 1:02}T10:00:00Z",
            "tags": [f"t{number % 3}"],
            "categories": [f"C{number % 2}"],
            "aliases": [f"/alias/{number}/"],
            "slug": "same" if number % 9 == 0 else f"post-{number}",
        }
        lines = [f"{name}: {json.dumps(value)}" for name, value in head.items()] + [f"draft: {is_draft}"]
        text = f"![a](/{number % 7}.png) [next](../post-{(number + 1) % POSTS}/)\n\n" + "Leeks grow slowly. " * 50
        (content / f"{number}.md").write_text("---\n" + "\n".join(lines) + f"\n---\n{text}\n")
    return folder


@pytest.fixture(scope="module")
def empty(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a site without posts."""
    folder = tmp_path_factory.mktemp("empty")
    migrate_site(_environment(folder), folder / "db.sqlite3")
    return folder / "db.sqlite3"


def _environment(folder: Path) -> Environment:
    return environment_of(folder, settings="example_site.settings", origin="https://new.example")


def site_in(folder: Path, empty: Path) -> Environment:
    folder.mkdir()
    shutil.copy(empty, folder)
    return _environment(folder)


def import_into(folder: Path, env: Environment, source: Path, report: str) -> dict[str, Any]:
    command = [*_MANAGE, "import_blog", "FROM=markdown", f"SOURCE={source}", f"REPORT={folder / report}"]
    output_of(command, env=env, cwd=folder)
    read: dict[str, Any] = json.loads((folder / report).read_text())
    return read


def rows_in(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of the engine, apart from what depends on the time of the run."""
    with closing(sqlite3.connect(folder / "db.sqlite3")) as database:
        database.row_factory = sqlite3.Row
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: [_row(row) for row in database.execute(f"SELECT * FROM {name} ORDER BY 1")]  # noqa: S608
            for name in names
            if name.startswith("blog_engine_") and name not in _NOT_COMPARED
        }


def _row(row: sqlite3.Row) -> dict[str, Any]:
    return {name: row[name] for name in row.keys() if name not in _OF_THE_RUN}  # noqa: SIM118  # a row iterates over values


def stored_posts(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "db.sqlite3", timeout=20)) as database:
        return int(database.execute("SELECT count(*) FROM blog_engine_post").fetchone()[0])


def signalled(number: signal.Signals, *, after: int, source: Path, folder: Path, env: Environment) -> int:
    """Import with a signal at the publication ``after``; return the exit status."""
    command = ["import_blog", "FROM=markdown", f"SOURCE={source}", f"REPORT=stopped-{stored_posts(folder)}.json"]
    program = start([sys.executable, "-c", _SIGNALLED, str(int(number)), str(after), *command], env=env, cwd=folder)
    return program.wait(60)


@pytest.mark.heavy
@requirement("import.resumed")
@pytest.mark.parametrize("kills", [(4,), (1, 2, 3, 2)], ids=str)
def test_a_killed_import_comes_to_the_same_result_when_it_runs_again(
    old_site: Path, empty: Path, tmp_path: Path, kills: tuple[int, ...]
) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    expected = import_into(whole, site_in(whole, empty), old_site, "report.json")
    env = site_in(killed, empty)

    for after in kills:
        before = stored_posts(killed)
        status = signalled(signal.SIGKILL, after=after, source=old_site, folder=killed, env=env)
        assert status == -signal.SIGKILL
        assert before + after - 1 <= stored_posts(killed) < POSTS
    resumed = import_into(killed, env, old_site, "report.json")

    assert rows_in(killed) == rows_in(whole)
    assert sorted(path.name for path in (killed / "media").rglob("*.png")) == sorted(
        path.name for path in (whole / "media").rglob("*.png")
    )
    assert resumed["summary"]["unchanged"] > 0
    assert (resumed["summary"]["losses"], resumed["summary"]["redirects"]) == (
        expected["summary"]["losses"],
        expected["summary"]["redirects"],
    )
    assert [(post["new_url"], post["losses"]) for post in resumed["posts"]] == [
        (post["new_url"], post["losses"]) for post in expected["posts"]
    ]


@pytest.mark.heavy
@requirement("import.report")
def test_an_interrupted_import_writes_its_report(old_site: Path, empty: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    env = site_in(folder, empty)

    assert signalled(signal.SIGINT, after=3, source=old_site, folder=folder, env=env) == 130

    report = json.loads((folder / "stopped-0.json").read_text())
    assert report["ending"] == "interrupted"
    assert {post["result"] for post in report["posts"]} >= {"published", "not_reached"}
    assert "interrupted" in (folder / "stopped-0.html").read_text()
