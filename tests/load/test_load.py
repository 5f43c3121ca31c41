"""A minute of load on a blog with four processes, two schedulers, PostgreSQL, Redis and an object storage.

``BLOG_ENGINE_LOAD`` is the duration in seconds, ``BLOG_ENGINE_SEED`` the seed of all random choices. The figures are
written to ``artifacts/load.json``.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx
import pytest

from blog_engine.models import Post
from tests.load.clients import (
    as_table,
    assert_files_are_those_of_the_rows,
    assert_nothing_went_wrong,
    assert_plans_came_true,
    assert_published_posts_agree,
    assert_views_are_those_of_the_readers,
    doctor_says,
    errors_in,
    town_at,
    write_figures,
)
from tests.load.conftest import THREADS, WORKERS, Place
from tests.requirements import requirement
from tests.support.integrity import assert_history_is_whole, assert_redirects_are_flat
from tests.support.programs import Environment, start
from tests.support.servers import ROOT, free_port, gunicorn, origin_at

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

SECONDS = float(os.environ.get("BLOG_ENGINE_LOAD", "20"))
SEED = int(os.environ.get("BLOG_ENGINE_SEED", "0"))
FIGURES = ROOT / "artifacts" / "load.json"
_PATIENCE = 60


@contextmanager
def _scheduler(environment: Environment, log: Path) -> Iterator[None]:
    command = [sys.executable, "example_site/manage.py", "publish_due_posts", "EVERY=1"]
    with log.open("wb") as file:
        process = start(command, env=environment, stdout=file, stderr=subprocess.STDOUT)
        try:
            yield
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def _warm_up(origin: str) -> None:
    """Let every thread of every process answer once, so that the figures exclude the start."""
    with ThreadPoolExecutor(max_workers=WORKERS * THREADS) as pool:
        for answered in pool.map(lambda _: httpx.get(f"{origin}/blog/", timeout=_PATIENCE), range(WORKERS * THREADS)):
            assert answered.status_code == 200


def _wait_until_nothing_is_scheduled() -> None:
    pause = Event()
    for _ in range(_PATIENCE * 10):
        if not Post.objects.filter(status="scheduled").exists():
            return
        pause.wait(0.1)
    raise AssertionError("scheduled posts were left")


@requirement(
    "host.concurrency.history", "host.concurrency.schedule", "host.concurrency.files", "page-views.concurrency"
)
def test_nothing_is_lost_on_four_processes(place: Place) -> None:
    logs = {name: place.folder / f"{name}.log" for name in ("gunicorn", "first", "second")}
    with free_port() as listener:
        origin = origin_at(listener)
        environment = place.at(origin)
        with town_at(origin, seconds=SECONDS, seed=SEED) as town, logs["gunicorn"].open("wb") as log:
            with (
                gunicorn(listener, environment, workers=WORKERS, threads=THREADS, log=log) as server,
                _scheduler(environment, logs["first"]),
                _scheduler(environment, logs["second"]),
            ):
                _warm_up(origin)
                start = time.monotonic()
                town.live()
                figures = town.ledger.figures(seconds=time.monotonic() - start)
                _wait_until_nothing_is_scheduled()
                for owner in town.owners:
                    owner.look_back()
                diagnosis = doctor_says(environment)
            write_figures(figures, to=FIGURES)
            sys.stdout.write(as_table(figures) + "\n")
            assert server.returncode == 0
            assert_nothing_went_wrong(town.ledger)
            assert_plans_came_true(town.planner, [logs["first"], logs["second"]])
            assert_history_is_whole()
            assert_published_posts_agree()
            assert_redirects_are_flat()
            assert_files_are_those_of_the_rows(environment["OBJECT_STORE"])
            assert errors_in(logs["gunicorn"]) == []
            # The crowd withdraws policy pages, and fetches from this machine.
            assert set(diagnosis) <= {"Policy pages", "Storage"}, diagnosis
            assert [said for said in diagnosis.values() if said.startswith("error")] == []
            assert_views_are_those_of_the_readers(town.everyone_who_reads())
