"""Workers and whole sites are killed again and again while clients write: no answered write is lost or partial.

``BLOG_ENGINE_KILLS`` is the number of killed workers.
"""

import os
import random
import signal
from io import StringIO

import pytest
from django.core.management import call_command

from blog_engine.models import Post
from tests.faults.crowd import Crowd, assert_all_that_was_told_is_stored
from tests.requirements import requirement
from tests.support.clients import make_secret
from tests.support.integrity import assert_nothing_is_half
from tests.support.servers import Site, served

pytestmark = [pytest.mark.heavy, pytest.mark.xdist_group("killed in a crowd")]

KILLS = int(os.environ.get("BLOG_ENGINE_KILLS", "8"))


@requirement("host.faults.killed")
def test_workers_killed_at_any_moment_lose_nothing_that_was_answered(site: Site) -> None:
    secret, chance = make_secret(), random.Random(0)  # noqa: S311  when to kill is no secret
    crowd = Crowd()

    with crowd.at_work(lambda: site.client(secret), writers=3):
        for _ in range(KILLS):
            crowd.workers.clear()
            crowd.wait_for_writes(chance.randint(1, 3))
            for worker in crowd.workers - {0}:
                _kill(worker)
        crowd.wait_for_writes(5)

    assert crowd.codes() <= {("api", 503, "busy")}, crowd.odd
    assert crowd.unanswered > 0
    assert_all_that_was_told_is_stored(crowd)
    assert_nothing_is_half(and_no_other_files=False)
    call_command("blog_doctor", "CLEAN_STORAGE=true", stdout=StringIO())
    assert_nothing_is_half()


@requirement("host.faults.killed")
def test_a_site_killed_as_a_whole_goes_on_with_all_that_it_answered(site: Site) -> None:
    secret, crowd = make_secret(), Crowd()

    with served(site.media.parent) as doomed, crowd.at_work(lambda: doomed.client(secret), writers=3):
        crowd.wait_for_writes(9)
        doomed.kill()
        crowd.wait_for(lambda: crowd.unanswered > 0)

    assert crowd.codes() <= {("api", 503, "busy")}, crowd.odd
    assert_all_that_was_told_is_stored(crowd)
    assert_nothing_is_half(and_no_other_files=False)
    with site.client(secret) as client:
        assert client.get("/blog/api/v1/posts").json()["total"] == Post.objects.count()


def _kill(worker: int) -> None:
    try:
        os.kill(worker, signal.SIGKILL)
    except ProcessLookupError:
        return
