"""API tokens at the desk."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from blog_engine.models import ApiToken
from blog_engine.queries.tokens import active_token_with
from blog_engine.services.tokens import create_token, revoke_token
from tests.admin.desk import desk, faults, logged, nothing_written, page_of, sent, url
from tests.requirements import requirement
from tests.support.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper() -> Client:
    return desk("manage_tokens")


def made(client: Client, **fields: object) -> str:
    answer = sent(client, "apitoken_add", **{"name": "Agent", "scopes": ["read", "write"]} | fields)
    assert answer.status_code == 200
    found = re.search(r">(be_[^<]{40})</textarea>", answer.content.decode())
    assert found
    return found[1]


def test_a_token_is_made_and_works(keeper: Client) -> None:
    secret = made(keeper)

    token = active_token_with(secret, now=timezone.now())
    assert token == ApiToken.objects.get()
    assert (token.name, token.scopes, token.expires_at) == ("Agent", ["read", "write"], None)
    assert keeper.get("/blog/api/v1/posts", HTTP_AUTHORIZATION=f"Bearer {secret}").status_code == 200
    assert logged() == [(1, str(token))]


@requirement("access.tokens.names")
def test_a_token_cannot_have_the_name_of_a_user(keeper: Client) -> None:
    for name in ("wanda WRITER", "wanda.writer"):
        answer = sent(keeper, "apitoken_add", name=name, scopes=["read"])

        assert faults(answer) == ["name"]
        assert "A user of this site has this name" in answer.content.decode()
    assert not ApiToken.objects.exists()


@requirement("desk.tokens")
def test_the_secret_is_shown_once_and_kept_nowhere(keeper: Client, caplog: pytest.LogCaptureFixture) -> None:
    answer = sent(keeper, "apitoken_add", name="Agent", scopes=["read"])
    found = re.search(r"be_[1-9A-Za-z]{40}", answer.content.decode())
    assert found
    secret, token = found[0], ApiToken.objects.get()

    pages = [page_of(keeper, "apitoken_changelist"), page_of(keeper, "apitoken_change", token.pk)]
    pages += [page_of(keeper, "apitoken_history", token.pk), page_of(keeper, "apitoken_add")]

    assert "no-store" in answer["Cache-Control"]
    assert "Location" not in answer
    assert answer.content.decode().count(secret) == 2
    assert not [page for page in pages if secret in page or token.token_digest in page]
    assert not [session for session in Session.objects.all() if secret in str(session.get_decoded())]
    assert secret not in str(keeper.cookies)
    assert secret not in "".join(LogEntry.objects.values_list("change_message", flat=True))
    assert secret not in caplog.text


def test_a_token_ends_with_its_last_day(keeper: Client) -> None:
    day = timezone.localdate() + timedelta(days=3)

    made(keeper, last_day=day.isoformat())

    end = ApiToken.objects.get().expires_at
    assert end is not None
    assert (timezone.localdate(end), timezone.localtime(end).hour) == (day, 23)


def test_a_token_without_scopes_needs_one(keeper: Client) -> None:
    assert faults(sent(keeper, "apitoken_add", name="Agent")) == ["scopes"]


def test_a_fault_is_shown_at_its_field(keeper: Client, subtests: pytest.Subtests) -> None:
    for fields, wrong in [
        ({"name": ""}, "name"),
        ({"name": "x" * 256}, "name"),
        ({"scopes": ["all"]}, "scopes"),
        ({"last_day": "2020-01-01"}, "last_day"),
        ({"last_day": "soon"}, "last_day"),
    ]:
        with subtests.test(fields=fields, wrong=wrong), nothing_written():
            assert faults(sent(keeper, "apitoken_add", **{"name": "Agent", "scopes": ["read"]} | fields)) == [wrong]


def test_a_token_is_revoked_after_a_confirmation(keeper: Client) -> None:
    new = create_token("Agent", now=NOW)

    page_of(keeper, "apitoken_revoke", new.token.pk)
    assert active_token_with(new.secret, now=timezone.now())
    sent(keeper, "apitoken_revoke", new.token.pk)

    assert active_token_with(new.secret, now=timezone.now()) is None
    assert logged() == [(2, str(new.token))]
    assert url("apitoken_revoke", new.token.pk) not in page_of(keeper, "apitoken_change", new.token.pk)


def test_the_list_names_scopes_use_and_state(keeper: Client) -> None:
    create_token("One", scopes=["read"], now=NOW)
    create_token("Two", expires_at=NOW - timedelta(days=1), now=NOW)
    revoke_token(create_token("Three", now=NOW).token, now=NOW)

    page = page_of(keeper, "apitoken_changelist")

    assert [word in page for word in (">works<", ">expired<", ">revoked<", ">read<")] == [True] * 4
