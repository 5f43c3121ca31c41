"""PostgreSQL crashes and restarts under load: 503 meanwhile, and the site recovers by itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker, Settings

from tests.faults.crowd import Crowd, assert_all_that_was_told_is_stored
from tests.requirements import requirement
from tests.support.clients import make_secret
from tests.support.integrity import assert_nothing_is_half
from tests.support.servers import Cluster, own_cluster, served

pytestmark = [pytest.mark.postgres, pytest.mark.heavy, pytest.mark.xdist_group("database restarted")]

UNAVAILABLE = {("api", 503, "unavailable"), ("mcp", 503, "unavailable"), ("page", 503, "")}
IN_A_TOOL = ("mcp", 200, "unavailable")
"""A tool that was called when the database went away."""


@pytest.fixture(scope="module")
def cluster(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    """A cluster with the tables of the app."""
    with own_cluster() as cluster:
        with django_db_blocker.unblock(), connected_to(cluster):
            call_command("migrate", verbosity=0)
        yield cluster


@contextmanager
def connected_to(cluster: Cluster) -> Iterator[None]:
    """Use the cluster in this process while the block runs."""
    at = {"HOST": str(cluster.folder), "PORT": "", "NAME": "postgres", "USER": "postgres"}
    with pytest.MonkeyPatch.context() as patched:
        for name, value in at.items():
            patched.setitem(connection.settings_dict, name, value)
        connection.close()
        yield
        connection.close()


@pytest.fixture
def here(cluster: Cluster, django_db_blocker: DjangoDbBlocker, settings: Settings, tmp_path: Path) -> Iterator[None]:
    settings.MEDIA_ROOT = tmp_path / "media"
    with django_db_blocker.unblock(), connected_to(cluster):
        call_command("flush", interactive=False, verbosity=0)
        yield


@requirement("host.faults.restart")
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "connections",
    [{"CONN_MAX_AGE": "0"}, {"CONN_MAX_AGE": "600"}, {"CONN_MAX_AGE": "600", "CONN_HEALTH_CHECKS": "yes"}],
    ids=["new connections", "kept connections", "checked connections"],
)
def test_all_requests_are_503_meanwhile_and_work_again(
    cluster: Cluster, tmp_path: Path, connections: dict[str, str]
) -> None:
    secret, crowd = make_secret(), Crowd()

    with (
        served(tmp_path, database=cluster.url, **connections) as site,
        crowd.at_work(lambda: site.client(secret), writers=2, readers=3),
    ):
        crowd.wait_for_writes(6)
        cluster.stop("immediate")
        crowd.wait_for(lambda: crowd.codes() >= UNAVAILABLE)
        cluster.start()
        crowd.wait_for_writes(6)
        cluster.restart("fast")
        crowd.wait_for_writes(6)

    assert crowd.codes() - {IN_A_TOOL} == UNAVAILABLE, crowd.odd
    assert (crowd.odd, crowd.unanswered) == ([], 0)
    # The connection of this process was also closed.
    connection.close()
    assert_all_that_was_told_is_stored(crowd)
    assert_nothing_is_half(and_no_other_files=False)
