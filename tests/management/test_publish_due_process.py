"""``publish_due_posts EVERY=…`` in a separate process, on the database of the test."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection

from blog_engine.models import Post, Publication
from tests.management.test_publish_due_posts import schedule
from tests.requirements import requirement
from tests.support.programs import running_command, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.heavy]

_PATIENCE = 30


@contextmanager
def running(folder: Path, *arguments: str, name: str = "") -> Iterator[subprocess.Popen[str]]:
    """Run the command with a hook that waits for files in the folder."""
    told = {"DUE_SITE": str(folder)}
    command = ("publish_due_posts", *arguments)
    with running_command(*command, settings="tests.management.site_settings", told=told, database=name) as process:
        yield process


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def status_of(slug: str) -> str:
    return Post.objects.values_list("status", flat=True).get(slug=slug)


@requirement("posts.release.process")
@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_once_while_it_waits_for_the_next_look(tmp_path: Path, asked: signal.Signals) -> None:
    schedule("first")

    with running(tmp_path, "EVERY=999999") as process:
        said = line_of(process)
        process.send_signal(asked)
        code = process.wait(_PATIENCE)

    assert (said, code) == ("Published first\n", 0)


@requirement("posts.release.process")
@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_it_finishes_the_release_that_is_under_way_and_begins_no_other(tmp_path: Path, asked: signal.Signals) -> None:
    schedule("held")
    schedule("next")

    with running(tmp_path, "EVERY=1") as process:
        wait_until((tmp_path / "arrived").exists)
        process.send_signal(asked)
        (tmp_path / "go").touch()
        said, _ = process.communicate(timeout=_PATIENCE)

    assert (said, process.returncode) == ("Published held\n", 0)
    assert (status_of("held"), status_of("next")) == ("published", "scheduled")


def test_the_second_request_ends_it_at_once_and_nothing_is_half_released(tmp_path: Path) -> None:
    schedule("held")

    with running(tmp_path, "EVERY=1") as process:
        wait_until((tmp_path / "arrived").exists)
        process.terminate()
        # One signal may swallow another that comes too soon: the first is taken off, then the second ends it.
        wait_until(lambda: process.terminate() is None and process.poll() is not None)

    assert process.returncode == -signal.SIGTERM
    assert status_of("held") == "scheduled"
    assert not Publication.objects.exists()


@pytest.mark.sqlite
@requirement("posts.release.process")
def test_it_outlives_a_database_that_is_away(tmp_path: Path) -> None:
    schedule("first")
    there, away = tmp_path / "there", tmp_path / "away"
    there.mkdir()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(there / "db.sqlite3")])
    there.rename(away)

    with running(tmp_path, "EVERY=1", name=str(there / "db.sqlite3")) as process:
        assert process.stderr is not None
        complaint = process.stderr.readline()
        away.rename(there)
        said = line_of(process)

    assert (complaint.startswith("The database did not answer: "), said) == (True, "Published first\n")


@pytest.mark.postgres
@requirement("posts.release.process", "posts.release.overlapping")
def test_it_outlives_a_connection_that_breaks_in_the_middle_of_a_release(tmp_path: Path) -> None:
    schedule("held")
    schedule("next")

    with running(tmp_path, "EVERY=1") as process:
        wait_until((tmp_path / "arrived").exists)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        (tmp_path / "go").touch()
        said = [line_of(process), line_of(process)]
        process.terminate()
        code = process.wait(_PATIENCE)
        assert process.stderr is not None
        complaint = process.stderr.read()

    assert (said, code) == (["Published next\n", "Published held\n"], 0)
    assert "Refused held: unavailable\n" in complaint
    assert Publication.objects.filter(entry_type="first").count() == 2


@requirement("posts.release.due")
def test_one_look_without_a_database_fails_with_a_sentence(tmp_path: Path) -> None:
    with running(tmp_path, name="/dev/null/db" if connection.vendor == "sqlite" else "no_such_database") as process:
        _, said = process.communicate(timeout=_PATIENCE)

    assert process.returncode == 1
    assert said.startswith("CommandError: The database did not answer: ")


@pytest.mark.postgres
@requirement("posts.release.overlapping")
def test_processes_that_run_at_once_release_each_post_once(tmp_path: Path) -> None:
    slugs = [f"p{number}" for number in range(8)]
    for slug in slugs:
        schedule(slug)

    with running(tmp_path) as one, running(tmp_path) as two:
        said = [process.communicate(timeout=_PATIENCE)[0].splitlines() for process in (one, two)]

    assert sorted(said[0] + said[1]) == [f"Published {slug}" for slug in slugs]
    assert (one.returncode, two.returncode) == (0, 0)
    assert Publication.objects.filter(entry_type="first").count() == len(slugs)
