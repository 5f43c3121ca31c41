"""An exported blog, which is made once for all tests of the folder."""

from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker, Settings

from tests.exporting.originals import Original, blog_options, make_original


@pytest.fixture(scope="session")
def original(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Original:
    """A blog with every kind of row, and its exports; the database is empty again."""
    with django_db_blocker.unblock():
        return make_original(tmp_path_factory.mktemp("exported"))


@pytest.fixture
def same_settings(settings: Settings, tmp_path: Path) -> Path:
    """The settings of the exported blog, and an empty storage, whose folder is returned."""
    settings.BLOG_ENGINE = blog_options()
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"
