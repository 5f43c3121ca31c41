"""Fixtures: a blog that issues tokens, a client that registered itself, and people who connect it."""

import pytest
from django.core.cache import cache
from pytest_django import Settings

from tests.admin.desk import EDITOR, desk
from tests.oauth.flow import Flow, enabled, registered


@pytest.fixture(autouse=True)
def _issues_tokens(settings: Settings, db: None) -> None:
    settings.BLOG_ENGINE = enabled()
    cache.clear()


@pytest.fixture
def client_id() -> str:
    """The id of a client that registered itself."""
    return registered()


@pytest.fixture
def flow(client_id: str) -> Flow:
    """The client, and the browser of an editor."""
    return Flow(desk(*EDITOR, name="Ed Editor"), client_id)
