"""Fixtures of the races."""

import pytest
from pytest_django import Settings

from tests.concurrency.race import Held


@pytest.fixture
def held(settings: Settings) -> Held:
    """The first post write stops in the publication hook with its locks; adoptions do not call the hook."""
    hook = Held()
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"before_publish": hook}
    return hook
