"""``kill -9`` in the middle of an import, which is then run again."""

import json
import shutil
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.requirements import requirement
from tests.support.images import png
from tests.support.programs import ROOT, Environment, output_of, start
from tests.support.servers import environment_of

pytestmark = [pytest.mark.sqlite, pytest.mark.xdist_group("killed import")]

POSTS = 24
_MANAGE = [sys.executable, str(ROOT / "example_site" / "manage.py")]

_OF_THE_RUN = {"created_at", "updated_at", "adopted_at", "occurred_at", "chained_at", "digest", "previous", "hash"}
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
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a site without posts."""
    folder = tmp_path_factory.mktemp("empty")
    output_of([*_MANAGE, "migrate", "--verbosity", "0"], env=_environment(folder))
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


@requirement("import.resumed")
@pytest.mark.parametrize("kills", [(9,), pytest.param((2, 6, 12, 18), marks=pytest.mark.heavy)], ids=str)
def test_a_killed_import_comes_to_the_same_result_when_it_runs_again(
    old_site: Path, empty: Path, tmp_path: Path, kills: tuple[int, ...]
) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    expected = import_into(whole, site_in(whole, empty), old_site, "report.json")
    env = site_in(killed, empty)

    for wanted in kills:
        command = [
            *_MANAGE,
            "import_blog",
            "FROM=markdown",
            f"SOURCE={old_site}",
            f"REPORT={killed / f'{wanted}.json'}",
        ]
        program = start(command, env=env, cwd=killed)
        deadline = time.monotonic() + 60
        while stored_posts(killed) < wanted and program.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        program.kill()
        program.wait()
        assert wanted <= stored_posts(killed) < POSTS
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


@requirement("import.report")
def test_an_interrupted_import_writes_its_report(old_site: Path, empty: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    env = site_in(folder, empty)
    program = start(
        [*_MANAGE, "import_blog", "FROM=markdown", f"SOURCE={old_site}", "REPORT=report.json"], env=env, cwd=folder
    )
    while stored_posts(folder) < 3 and program.poll() is None:
        time.sleep(0.01)
    program.send_signal(2)

    assert program.wait(30) == 130
    report = json.loads((folder / "report.json").read_text())
    assert report["ending"] == "interrupted"
    assert {post["result"] for post in report["posts"]} >= {"published", "not_reached"}
    assert "interrupted" in (folder / "report.html").read_text()
