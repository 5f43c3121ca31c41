"""Fixtures of the agent endpoint: separate counters, a served site, a small blog and an agent."""

import pytest
from django.test import Client

from blog_engine.actor import Scope
from tests.api.conftest import place, server
from tests.mcp.served import site
from tests.support.blogs import small
from tests.support.clients import client_with

__all__ = ["agent", "place", "server", "site", "small"]


@pytest.fixture
def agent(db: None) -> Client:
    """A client whose token has all scopes."""
    return client_with(*Scope)
