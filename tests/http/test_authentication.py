from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.http import HttpRequest
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.actor import Actor, Scope
from blog_engine.enums import ActorKind
from blog_engine.errors import RateLimited, Unauthenticated
from blog_engine.http.authentication import Caller, authenticate
from blog_engine.models import ApiToken
from blog_engine.services.tokens import create_token, revoke_token
from tests.requirements import requirement
from tests.support.clients import make_secret
from tests.support.hosts import blog_settings

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
EVERYTHING = frozenset(Scope)


def request_with(authorization: str | None, *, ip: str = "192.0.2.7") -> HttpRequest:
    headers = {} if authorization is None else {"Authorization": authorization}
    return RequestFactory(REMOTE_ADDR=ip).get("/", headers=headers)


@pytest.fixture
def by_hook(settings: Settings) -> Callable[[object], None]:
    def answer_always(found: object) -> None:
        settings.BLOG_ENGINE = blog_settings(authenticate=lambda request: found)

    return answer_always


@requirement("access.bearer")
@pytest.mark.django_db
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_a_token_authenticates_whatever_the_case_of_the_scheme(scheme: str) -> None:
    made = create_token("Ada", scopes=["read"], now=NOW)

    caller = authenticate(request_with(f"{scheme} {made.secret}"), now=NOW)

    identity = f"token:{made.token.pk}"
    assert caller == Caller(Actor("Ada", ["read"], identity, kind=ActorKind.TOKEN), identity)


@requirement("access.bearer", "access.unauthenticated")
@pytest.mark.django_db
@pytest.mark.parametrize(
    "form",
    [
        *("{0}", "Token {0}", "Bearer  {0}", "Bearer\t{0}", "Bearer\n{0}", " Bearer {0}", "Bearer {0} ", "Bearer {0},"),
        *("Bearer {0} x", "Bearer {0}\n", "Bearer {0}, Bearer {0}", "Bearer{0}"),
        *("", "Bearer", "Bearer ", "Bearer be_\xe9"),
    ],
)
def test_any_other_header_does_not(form: str) -> None:
    request = request_with(form.format(make_secret()))

    with pytest.raises(Unauthenticated) as refusal:
        authenticate(request, now=NOW)

    assert refusal.value.details == []


@pytest.mark.django_db
@pytest.mark.parametrize("expires_at", [None, NOW + timedelta(seconds=1)])
def test_the_use_of_an_active_token_is_recorded(expires_at: datetime | None) -> None:
    made = create_token("Ada", expires_at=expires_at, now=NOW)

    authenticate(request_with(f"Bearer {made.secret}"), now=NOW)

    assert ApiToken.objects.get().last_used_at == NOW


@requirement("access.unauthenticated", "access.tokens.revoke")
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("expires_at", "revoked_at"),
    [(NOW, None), (NOW - timedelta(days=1), None), (None, NOW), (None, NOW - timedelta(1))],
)
def test_an_expired_or_revoked_token_does_not_authenticate(
    expires_at: datetime | None, revoked_at: datetime | None
) -> None:
    made = create_token("Ada", expires_at=expires_at, now=NOW)
    if revoked_at is not None:
        revoke_token(made.token, now=revoked_at)

    with pytest.raises(Unauthenticated):
        authenticate(request_with(f"Bearer {made.secret}"), now=NOW)

    assert ApiToken.objects.get().last_used_at is None


@requirement("access.tokens.last-use")
@pytest.mark.django_db
def test_a_token_costs_one_query_and_once_a_minute_an_update() -> None:
    request = request_with(f"Bearer {make_secret()}")

    with CaptureQueriesContext(connection) as queries:
        for seconds in (0, 1, 59, 60, 61):
            authenticate(request, now=NOW + timedelta(seconds=seconds))

    assert [query["sql"].split()[0] for query in queries] == [
        *("SELECT", "UPDATE", "SELECT", "SELECT"),
        *("SELECT", "UPDATE", "SELECT"),
    ]
    assert ApiToken.objects.get().last_used_at == NOW + timedelta(minutes=1)


@requirement("access.tokens.last-use")
@pytest.mark.django_db
def test_a_use_is_recorded_after_the_clock_was_set_back() -> None:
    request = request_with(f"Bearer {make_secret()}")
    authenticate(request, now=NOW + timedelta(days=1))

    authenticate(request, now=NOW)

    assert ApiToken.objects.get().last_used_at == NOW


@requirement("access.tokens.last-use")
@pytest.mark.django_db
def test_of_two_requests_at_once_one_records_the_use() -> None:
    secret = make_secret()
    other = request_with(f"Bearer {secret}")
    nested = []

    def let_another_in(execute, sql, params, many, context):
        if sql.startswith("UPDATE") and not nested:
            nested.append(sql)
            nested.append(authenticate(other, now=NOW).actor.name)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(let_another_in), CaptureQueriesContext(connection) as queries:
        late = authenticate(request_with(f"Bearer {secret}"), now=NOW + timedelta(seconds=1))

    assert (nested[1], late.actor.name) == ("Ada", "Ada")
    assert [query["sql"].split()[0] for query in queries].count("UPDATE") == 2
    assert ApiToken.objects.get().last_used_at == NOW


@requirement("access.tokens.revoke")
@pytest.mark.django_db
def test_a_token_used_a_moment_ago_is_refused_as_soon_as_it_is_revoked() -> None:
    made = create_token("Ada", now=NOW)
    request = request_with(f"Bearer {made.secret}")
    authenticate(request, now=NOW)

    revoke_token(made.token, now=NOW)

    with pytest.raises(Unauthenticated):
        authenticate(request, now=NOW)


@pytest.mark.django_db
def test_a_token_revoked_while_it_is_looked_up_does_not_authenticate() -> None:
    secret = make_secret()

    def revoke_after_the_look(execute, sql, params, many, context):
        if sql.startswith("UPDATE") and "last_used_at" in sql:
            with connection.cursor() as cursor:
                cursor.cursor.execute("UPDATE blog_engine_apitoken SET revoked_at = '2030-01-01 00:00:00+00:00'")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(revoke_after_the_look), pytest.raises(Unauthenticated):
        authenticate(request_with(f"Bearer {secret}"), now=NOW)


@requirement("access.rate.failed-attempts")
@time_machine.travel(NOW, tick=False)  # one window of the counter
@pytest.mark.django_db
def test_the_21st_refused_token_of_a_minute_is_limited_and_a_valid_one_is_not() -> None:
    secret = make_secret()
    bad = request_with("Bearer be_wrong")
    for _ in range(20):
        with pytest.raises(Unauthenticated):
            authenticate(bad, now=NOW)

    with pytest.raises(RateLimited) as refusal:
        authenticate(bad, now=NOW)

    assert refusal.value.retry_after in range(1, 61)
    assert authenticate(request_with(f"Bearer {secret}"), now=NOW).actor.name == "Ada"
    with pytest.raises(Unauthenticated):
        authenticate(request_with("Bearer be_wrong", ip="198.51.100.1"), now=NOW)


@requirement("access.rate.no-token")
@pytest.mark.django_db
def test_calling_without_a_token_is_not_an_attempt() -> None:
    for _ in range(25):
        with pytest.raises(Unauthenticated):
            authenticate(request_with(None), now=NOW)


def caller_named_eve(scopes: Iterable[str], id: str | None = None) -> Actor:
    return Actor("Eve", scopes, id, kind=ActorKind.TOKEN)


@requirement("access.hook")
@pytest.mark.parametrize(
    ("found", "caller"),
    [
        (SimpleNamespace(name="Eve"), Caller(caller_named_eve(EVERYTHING), "hook:Eve")),
        (SimpleNamespace(name="Eve", scopes=None), Caller(caller_named_eve([]), "hook:Eve")),
        (SimpleNamespace(name="Eve", scopes=[]), Caller(caller_named_eve([]), "hook:Eve")),
        (SimpleNamespace(name="Eve", scopes=["read", "admin"]), Caller(caller_named_eve(["read"]), "hook:Eve")),
        (SimpleNamespace(name="Eve", scopes={Scope.WRITE}), Caller(caller_named_eve(["write"]), "hook:Eve")),
        (SimpleNamespace(name="Eve", scopes="read, write"), Caller(caller_named_eve(["read", "write"]), "hook:Eve")),
        (SimpleNamespace(name="Eve", id=0), Caller(caller_named_eve(EVERYTHING, "0"), "hook:0")),
        (SimpleNamespace(name="Eve", id=" "), Caller(caller_named_eve(EVERYTHING), "hook:Eve")),
        (SimpleNamespace(name="Eve", id=None), Caller(caller_named_eve(EVERYTHING), "hook:Eve")),
        (Actor("Eve", ["read"], "7"), Caller(caller_named_eve(["read"], "7"), "hook:7")),
    ],
)
def test_the_hook_describes_the_actor(by_hook: Callable[[object], None], found: object, caller: Caller) -> None:
    by_hook(found)

    assert authenticate(request_with(None), now=NOW) == caller


@requirement("access.hook", "access.rate.failed-attempts")
@pytest.mark.django_db
def test_tokens_are_not_consulted_after_a_hook_that_returns_none(by_hook: Callable[[object], None]) -> None:
    by_hook(None)

    for _ in range(25):
        with pytest.raises(Unauthenticated):
            authenticate(request_with(f"Bearer {make_secret()}"), now=NOW)


@pytest.mark.parametrize("name", [None, "", "  ", "x" * 256])
def test_a_hook_without_a_valid_name_is_improperly_configured(
    by_hook: Callable[[object], None], name: str | None
) -> None:
    by_hook(SimpleNamespace(name=name))

    with pytest.raises(ImproperlyConfigured):
        authenticate(request_with(None), now=NOW)
