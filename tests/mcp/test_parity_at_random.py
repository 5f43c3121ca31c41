"""Whatever a tool is sent, it returns and stores what the API does for the same request.

``BLOG_ENGINE_FUZZ`` is the number of rounds of 40 calls, ``BLOG_ENGINE_SEED`` the number of the first one.
"""

import os
import random

import pytest
from pytest_django import Settings

from tests.contract.random_requests import Known
from tests.mcp.parity import ALL, by_api, by_tool
from tests.mcp.random_messages import look, random_call
from tests.requirements import requirement
from tests.support.clients import client_with
from tests.support.hosts import blog_settings
from tests.support.tables import undone

ROUNDS = int(os.environ.get("BLOG_ENGINE_FUZZ", "4"))
SEED = int(os.environ.get("BLOG_ENGINE_SEED", "0"))
CALLS = 40


@pytest.fixture(autouse=True)
def _same_limits(settings: Settings) -> None:
    """Use the page size of the API, and no rate limit."""
    settings.RATELIMIT_ENABLE = False
    settings.BLOG_ENGINE = blog_settings(mcp={"max_page_size": 100})


@pytest.mark.usefixtures("small")
@requirement("agents.tools.parity", "agents.tools.argument-faults")
@pytest.mark.parametrize("seed", range(SEED, SEED + ROUNDS))
@pytest.mark.heavy
def test_any_arguments_lead_to_the_outcome_of_the_api(seed: int) -> None:
    chance, known = random.Random(seed), Known()  # noqa: S311  repeatable, not secret
    clients = [client_with(*scopes) for scopes in (ALL, ALL, ALL, ALL, ("read", "write"), ("publish",))]

    for _ in range(CALLS):
        look(known)
        tool, arguments = random_call(chance, known)
        client = chance.choice(clients)
        with undone():
            found = by_tool(client, tool, arguments)
        assert found == by_api(client, tool, arguments), f"{tool} {arguments!r}"[:3000]
