"""Fixtures of the races."""

import pytest
from pytest_django import Settings

from tests.concurrency.races import Held
from tests.support.hosts import blog_settings


@pytest.fixture
def held(settings: Settings) -> Held:
    """The first post write stops in the publication hook with its locks; adoptions do not call the hook."""
    hook = Held()
    settings.BLOG_ENGINE = blog_settings(before_publish=hook)
    return hook
