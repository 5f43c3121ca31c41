"""Without a cache requests cannot be counted: tools that read work, tools that write are unavailable."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.clients import (
    ask,
    call_tool,
    client_with,
    counters,
    post,
    request,
    result_of,
    tool_answer,
    tool_refusal,
)
from tests.support.factories import save
from tests.support.tables import stored_beside_tokens

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["dead", "uncounting"])
def broken_cache(settings: Settings, request: pytest.FixtureRequest) -> None:
    settings.RATELIMIT_USE_CACHE = request.param


@requirement("agents.rate.cache-gone")
@pytest.mark.usefixtures("broken_cache")
@pytest.mark.parametrize("method", ["ping", "tools/list", "prompts/list", "resources/templates/list", "initialize"])
def test_without_the_cache_requests_pass_uncounted(agent: Client, method: str) -> None:
    answer = post(agent, request(method, {"protocolVersion": "2025-06-18"}))

    assert result_of(answer) is not None
    assert counters(answer) == {}


@requirement("agents.rate.cache-gone")
@pytest.mark.usefixtures("broken_cache")
def test_without_the_cache_tools_that_read_go_on(agent: Client) -> None:
    save(slug="frost", title="Frost", body="Cold.")

    assert tool_answer(agent, "blog_get_post", {"id": "frost"})["title"] == "Frost"
    assert tool_answer(agent, "blog_extract_faq", {"body": "Cold."})["pairs"] == []
    assert ask(agent, "resources/read", {"uri": "blog://posts/frost.md"})["contents"]
    assert tool_refusal(client_with(), "blog_list_posts") == ("scope_required", ["read"])


@requirement("agents.rate.cache-gone")
@pytest.mark.usefixtures("broken_cache")
@pytest.mark.parametrize("arguments", [{}, {"id": "frost", "title": "Ice"}, {"nonsense": 1}])
def test_without_the_cache_tools_that_write_wait(agent: Client, arguments: dict[str, Any]) -> None:
    save(slug="frost", title="Frost")
    listed = ask(agent, "tools/list")["tools"]
    before = stored_beside_tokens()
    writing = [tool["name"] for tool in listed if not tool["annotations"]["readOnlyHint"]]

    answers = [call_tool(agent, name, arguments) for name in writing]

    assert len(writing) >= 15
    assert {answer["isError"] for answer in answers} == {True}
    assert {answer["structuredContent"]["error"]["code"] for answer in answers} == {"unavailable"}
    assert stored_beside_tokens() == before
