"""Connected agents at the desk."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html
from pytest_django import Settings

from blog_engine.queries.oauth import connections, oauth_model
from tests.admin.desk import EDITOR, WRITER, desk, nothing_written, url
from tests.oauth.flow import Flow, called, registered
from tests.requirements import requirement
from tests.support.hosts import blog_settings


def listed(client: Client) -> list[str]:
    """The entries of the page, as text."""
    page = html.fromstring(client.get(url("post_agents")).content.decode())
    return [" ".join(entry.text_content().split()) for entry in page.xpath('//ul[@class="check-list"]/li')]


def disconnect(client: Client, connection: object) -> Any:
    return client.post(url("post_agents"), {"connection": connection})


@pytest.fixture
def other(client_id: str) -> Flow:
    """The same client, connected by a writer."""
    return Flow(desk(*WRITER, name="Wanda Writer"), client_id)


@requirement("oauth.desk")
def test_who_keeps_tokens_sees_all_agents(flow: Flow, other: Flow) -> None:
    flow.tokens("read")
    other.tokens("read", "write")

    entries = listed(desk("manage_tokens", name="Kim Keeper"))

    assert [entry.partition(" Last used")[0] for entry in entries] == [
        "claude.ai Claude Acts for Wanda Writer. Scopes: read, write.",
        "claude.ai Claude Acts for Ed Editor. Scopes: read.",
    ]


@requirement("oauth.desk")
def test_others_see_their_own(flow: Flow, other: Flow) -> None:
    flow.tokens("read")
    other.tokens("read", "write")

    [entry] = listed(other.browser)

    assert entry.startswith("claude.ai Claude Scopes: read, write.")


@requirement("oauth.desk")
def test_a_click_ends_a_connection(flow: Flow) -> None:
    tokens, kept = flow.tokens(), flow.tokens()
    pending = flow.code()
    newest, oldest = connections(now=timezone.now())
    assert newest.id > oldest.id

    answer = disconnect(flow.browser, oldest.id)

    assert answer.status_code == 302
    assert called(tokens["access_token"]).status_code == 401
    assert flow.refresh(tokens["refresh_token"]).status_code == 400
    assert flow.exchange(pending).status_code == 400
    assert called(kept["access_token"]).status_code == 200
    assert len(listed(flow.browser)) == 1


@requirement("oauth.desk")
def test_no_one_ends_the_connection_of_another(flow: Flow, other: Flow) -> None:
    tokens = flow.tokens()
    [connection] = connections(now=timezone.now())

    with nothing_written():
        disconnect(other.browser, connection.id)
    assert called(tokens["access_token"]).status_code == 200

    disconnect(desk("manage_tokens", name="Kim Keeper"), connection.id)
    assert called(tokens["access_token"]).status_code == 401


@requirement("oauth.desk")
@pytest.mark.parametrize("connection", ["", "x", 0, 10**30, 4711])
def test_a_connection_that_does_not_exist_is_none(flow: Flow, connection: object) -> None:
    tokens = flow.tokens()

    assert disconnect(flow.browser, connection).status_code == 302
    assert called(tokens["access_token"]).status_code == 200


@requirement("oauth.desk")
def test_the_list_follows_the_tokens(flow: Flow) -> None:
    tokens = flow.tokens()
    flow.refresh(tokens["refresh_token"])
    assert len(listed(flow.browser)) == 1

    oauth_model("access_token").objects.update(expires=timezone.now() - timedelta(days=31))

    assert listed(flow.browser) == []


@requirement("oauth.desk")
def test_the_list_shows_the_last_use(flow: Flow) -> None:
    flow.tokens()
    oauth_model("access_token").objects.update(updated=timezone.now().replace(year=2020, month=3, day=1))

    assert "Last used: March 1, 2020" in listed(flow.browser)[0]


@requirement("oauth.desk")
def test_the_list_of_posts_leads_there(settings: Settings, flow: Flow) -> None:
    link = url("post_agents")

    assert link in flow.browser.get(url("post_changelist")).content.decode()
    settings.BLOG_ENGINE = blog_settings(oauth=False)
    assert link not in flow.browser.get(url("post_changelist")).content.decode()


@requirement("oauth.desk")
def test_a_host_without_the_app_has_an_empty_list(settings: Settings) -> None:
    settings.INSTALLED_APPS = [name for name in settings.INSTALLED_APPS if name != "oauth2_provider"]
    client = desk(*EDITOR)

    assert listed(client) == []
    assert disconnect(client, 1).status_code == 302


def test_two_clients_are_two_entries(flow: Flow) -> None:
    flow.tokens()
    Flow(flow.browser, registered(("http://localhost/cb",), "Tool"), {"redirect_uri": "http://localhost/cb"}).tokens()

    assert [entry.split()[0] for entry in listed(flow.browser)] == ["Tool", "claude.ai"]
