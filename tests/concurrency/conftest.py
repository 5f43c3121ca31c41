"""What races share."""

import pytest
from pytest_django import Settings

from tests.concurrency.race import Held


@pytest.fixture
def held(settings: Settings) -> Held:
    """The first post write that reaches the publication hook stops there, with its locks; adoptions do not ask it."""
    hook = Held()
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"before_publish": hook}
    return hook
