"""Page views that wait in a process that ends, forks or is killed."""

import signal
import sys
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.factories import save
from tests.support.pages import FIREFOX, total
from tests.support.programs import Environment, database_url, run
from tests.support.servers import environment_of, manage, served

pytestmark = pytest.mark.django_db(transaction=True)

_READ = """
import os
from datetime import date
from blog_engine.models import Post
from blog_engine.reader.view_buffer import waiting_views

post = Post.objects.get()
def read(times):
    for _ in range(times):
        waiting_views.add(post.pk, date(2026, 11, 22), within=3600)
"""
_FORK = """
from django.db import connections
read(2)
connections.close_all()
child = os.fork()
read(10 if child else 100)
if child:
    os.waitpid(child, 0)
"""


def own_environment(folder: Path) -> Environment:
    return environment_of(folder, settings="example_site.settings", origin="http://localhost", database=database_url())


@requirement("page-views.buffered")
@pytest.mark.parametrize(("ending", "views"), [("read(3)", 3), (_FORK, 112), ("read(3); raise SystemExit(0)", 3)])
def test_a_process_that_ends_stores_its_own_views(tmp_path: Path, ending: str, views: int) -> None:
    save(slug="soil", publish=True)
    manage(own_environment(tmp_path), "shell", "--verbosity", "0", "-c", _READ + ending)

    assert total() == views


@requirement("page-views.killed")
def test_a_process_that_is_killed_loses_the_views_that_wait(tmp_path: Path) -> None:
    save(slug="soil", publish=True)
    ending = "read(3); waiting_views.flush(); read(5); os.kill(os.getpid(), 9)"

    done = run(
        [sys.executable, "example_site/manage.py", "shell", "--verbosity", "0", "-c", _READ + ending],
        env=own_environment(tmp_path),
    )

    assert (done.returncode, total()) == (-signal.SIGKILL, 3)


@requirement("page-views.buffered")
def test_a_server_that_is_stopped_stores_its_views(tmp_path: Path) -> None:
    save(slug="soil", publish=True)

    with served(tmp_path) as site:
        with site.client() as reader:
            answers = [reader.get("/blog/soil", headers={"User-Agent": FIREFOX}) for _ in range(20)]
        site.master.terminate()
        site.master.wait(30)

    assert {answer.status_code for answer in answers} == {200}
    assert total() == 20
