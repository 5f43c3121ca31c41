"""Fixtures of the tests of faults."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker, Settings

from tests.support.clients import make_secret
from tests.support.servers import Site, served


@pytest.fixture
def gone(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Make the database unreachable, and keep its content."""
    elsewhere = {"NAME": str(tmp_path / "no folder" / "db")} if connection.vendor == "sqlite" else {"PORT": "1"}
    with django_db_blocker.unblock(), monkeypatch.context() as patched:
        for name, value in elsewhere.items():
            patched.setitem(connection.settings_dict, name, value)
        connection.close()
        yield
        connection.close()


@pytest.fixture(scope="module")
def module_site(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for the tests of a module; its database is emptied after each of them."""
    with served(tmp_path_factory.mktemp("served")) as site:
        yield site


@pytest.fixture
def site(module_site: Site, transactional_db: None, settings: Settings) -> Site:
    """The site with an empty database; this process uses its files."""
    settings.MEDIA_ROOT = module_site.media
    module_site.empty_media()
    return module_site


@pytest.fixture
def editor(site: Site) -> Iterator[httpx.Client]:
    """A client of the API with all scopes."""
    with site.client(make_secret()) as client:
        yield client
