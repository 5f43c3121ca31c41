"""One rate limit counts the requests of both interfaces."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import AgentEndpoint, Api, Interface, client_with, counters, refusal_in

pytestmark = pytest.mark.django_db

TOO_MANY = (429, "rate_limited", [])
WRONG = {"Authorization": "Bearer be_wrong"}

# One window of the counters.
at_noon = time_machine.travel("2030-01-01T12:00:00Z", tick=False)


@pytest.fixture
def two_an_hour(with_settings: Callable[..., None]) -> None:
    with_settings(api_rate_limit="2/h")


@pytest.fixture(params=["dead", "uncounting"])
def broken_cache(settings: Settings, request: pytest.FixtureRequest) -> None:
    settings.RATELIMIT_USE_CACHE = request.param


@requirement("access.rate.limit", "access.rate.headers", "agents.rate", "agents.transport-refusals")
@pytest.mark.usefixtures("two_an_hour")
@at_noon
def test_a_caller_past_the_limit_has_to_wait(interface: Interface, writer: Client) -> None:
    responses = [interface.save(writer), interface.read(writer), interface.save(writer, data=b"{")]

    assert refusal_in(responses[2]) == TOO_MANY
    reset = responses[0].headers["RateLimit-Reset"]
    assert [counters(response) for response in responses] == [
        {"RateLimit-Limit": "2", "RateLimit-Remaining": remaining, "RateLimit-Reset": reset}
        for remaining in ("1", "0", "0")
    ]
    assert responses[2].headers["Retry-After"] == reset
    assert 1 <= int(reset) <= 3600
    assert Post.objects.count() == 1


@requirement("access.rate.limit", "agents.rate")
@pytest.mark.usefixtures("two_an_hour")
@at_noon
def test_each_token_has_its_own_limit(interface: Interface) -> None:
    first, second = client_with("read"), client_with("read")

    responses = [interface.read(client, data=b"{").status_code for client in (first, first, first, second)]

    assert [status == 429 for status in responses] == [False, False, True, False]


@requirement("access.rate.limit", "agents.rate")
@pytest.mark.usefixtures("two_an_hour")
@at_noon
def test_both_interfaces_share_the_limit(interface: Interface, writer: Client) -> None:
    [other] = [it for it in (Api(), AgentEndpoint()) if type(it) is not type(interface)]

    responses = [interface.read(writer), other.read(writer)]

    assert [response.headers["RateLimit-Remaining"] for response in responses] == ["1", "0"]
    assert [refusal_in(it.read(writer, data=b"{")) for it in (interface, other)] == [TOO_MANY] * 2


@requirement("access.rate.headers", "agents.rate")
@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"content_type": "text/plain"}, 415),
        ({"headers": {"Content-Encoding": "br"}}, 415),
        ({"CONTENT_LENGTH": str(10**9)}, 413),
        ({"CONTENT_LENGTH": "100", "wsgi.input": BytesIO(b"{}")}, 422),
    ],
)
@at_noon
def test_a_refused_body_costs_one_request(
    interface: Interface, writer: Client, sent: dict[str, Any], status: int
) -> None:
    before, response = interface.read(writer), interface.read(writer, **sent)

    assert response.status_code == status
    assert int(response.headers["RateLimit-Remaining"]) == int(before.headers["RateLimit-Remaining"]) - 1


@requirement("access.rate.headers", "agents.rate")
@at_noon
def test_a_wrong_token_costs_no_caller_a_request(interface: Interface, writer: Client) -> None:
    before, refused, after = interface.read(writer), interface.read(Client(), headers=WRONG), interface.read(writer)

    assert refused.status_code == 401
    assert counters(refused) == {}
    assert int(after.headers["RateLimit-Remaining"]) == int(before.headers["RateLimit-Remaining"]) - 1


@requirement("access.rate.failed-attempts", "agents.transport-refusals", "agents.unauthenticated")
@at_noon
def test_the_21st_wrong_token_of_a_minute_has_to_wait(interface: Interface, writer: Client) -> None:
    responses = [interface.read(Client(), headers=WRONG) for _ in range(21)]

    assert {response.status_code for response in responses[:20]} == {401}
    assert refusal_in(responses[20]) == TOO_MANY
    assert int(responses[20].headers["Retry-After"]) in range(1, 61)
    assert counters(responses[20]) == {}
    interface.assert_done(interface.read(writer))


def test_a_host_that_does_not_count_sends_no_counters(interface: Interface, writer: Client, settings: Settings) -> None:
    settings.RATELIMIT_ENABLE = False

    response = interface.save(writer)

    interface.assert_done(response)
    assert counters(response) == {}


@requirement("access.rate.cache-gone", "agents.rate.cache-gone")
@pytest.mark.usefixtures("broken_cache")
def test_without_the_cache_reading_continues_uncounted(interface: Interface, writer: Client) -> None:
    response = interface.read(writer)

    interface.assert_done(response)
    assert counters(response) == {}


@requirement("access.rate.cache-gone", "api.answers.unavailable", "agents.rate.cache-gone")
@pytest.mark.usefixtures("broken_cache")
def test_without_the_cache_writing_is_unavailable(interface: Interface, writer: Client) -> None:
    interface.assert_refused(interface.save(writer), (503, "unavailable", []))
    assert not Post.objects.exists()


@requirement("access.rate.cache-gone", "agents.rate.cache-gone")
@pytest.mark.usefixtures("broken_cache")
def test_without_the_cache_a_wrong_token_is_still_refused(interface: Interface) -> None:
    responses = [interface.read(Client(), headers=WRONG) for _ in range(22)]

    assert [refusal_in(response) for response in responses] == [(401, "unauthenticated", [])] * 22
