"""Clients that publish their metadata at the URL that is their id."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from blog_engine.fetching import Fetched, FetchRefused
from blog_engine.oauth import documents
from blog_engine.queries.oauth import client_label, oauth_model
from tests.admin.desk import EDITOR, desk, nothing_written
from tests.oauth.flow import CALLBACK, Flow
from tests.requirements import requirement
from tests.support.web import Names

CLIENT = "https://claude.ai/oauth/claude.json"
DOCUMENT: dict[str, Any] = {"client_id": CLIENT, "client_name": "Claude", "redirect_uris": [CALLBACK]}


class Web:
    """The document as the network answers with it; only that is replaced."""

    def __init__(self) -> None:
        self.document: Any = DOCUMENT
        self.headers = {"content-type": "application/json"}
        self.status = 200
        self.fails = False
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def fetch(self, url: str, **options: Any) -> Fetched:
        self.asked.append((url, options))
        if self.fails:
            raise FetchRefused
        sent = self.document if isinstance(self.document, bytes) else json.dumps(self.document).encode()
        return Fetched(url=url, status=self.status, headers=self.headers, body=sent)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Web:
    found = Web()
    monkeypatch.setattr(documents, "fetch", found.fetch)
    return found


@pytest.fixture
def flow() -> Flow:
    return Flow(desk(*EDITOR), CLIENT)


@requirement("oauth.documents")
def test_a_client_is_known_by_its_document(web: Web, flow: Flow) -> None:
    assert flow.tokens()["scope"] == "read write"

    [client] = oauth_model("application").objects.all()
    assert (client.client_id, client.client_type, client_label(client)) == (CLIENT, "public", "claude.ai")
    assert [url for url, _options in web.asked] == [CLIENT]


@requirement("oauth.documents.guarded")
def test_a_document_is_fetched_within_bounds(web: Web, flow: Flow) -> None:
    flow.open()

    [(_url, options)] = web.asked
    assert options == {"limit": 16_384, "seconds": 5.0, "redirects": 0, "user_agent": documents.USER_AGENT}


@requirement("oauth.documents.guarded")
@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1"])
def test_a_document_in_the_network_of_the_host_is_not_fetched(
    monkeypatch: pytest.MonkeyPatch, flow: Flow, address: str
) -> None:
    Names(monkeypatch).lead("claude.ai", [address])

    assert flow.open().status_code == 400
    assert not oauth_model("application").objects.exists()


@requirement("oauth.documents.guarded")
@pytest.mark.parametrize(
    "client_id",
    [
        *("https://claude.ai", "https://claude.ai?x", "http://claude.ai/client", "https://u@claude.ai/client"),
        *("https://claude.ai/client#x", "https://claude.ai/a/../client", "https://claude.ai/./client"),
        *("https://claude.ai/..", "https://claude.ai\\@evil.example/c", f"https://claude.ai/{'x' * 255}"),
        *("https:///client", "https://claude.ai /client", "HTTPS://claude.ai/client\n"),
    ],
)
def test_an_id_that_is_no_url_of_a_document_is_not_fetched(web: Web, flow: Flow, client_id: str) -> None:
    flow.client_id = client_id

    with nothing_written():
        assert flow.open().status_code == 400
    assert web.asked == []


@requirement("oauth.documents")
@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        b"{",
        b"\xff",
        b'{"client_id": "x", "client_id": "y"}',
        DOCUMENT | {"client_id": "https://claude.ai/oauth/other.json"},
        DOCUMENT | {"client_id": f"{CLIENT}/"},
        DOCUMENT | {"redirect_uris": []},
        DOCUMENT | {"redirect_uris": ["http://evil.example/cb"]},
        DOCUMENT | {"redirect_uris": [CALLBACK, "javascript:alert(1)"]},
        DOCUMENT | {"client_secret": "x"},
        DOCUMENT | {"token_endpoint_auth_method": "private_key_jwt"},
        DOCUMENT | {"client_name": 1},
        DOCUMENT | {"client_name": "x" * 256},
        DOCUMENT | {"grant_types": ["implicit", "authorization_code"]},
    ],
    ids=str,
)
def test_a_document_of_no_client_is_refused(web: Web, flow: Flow, document: Any) -> None:
    web.document = document

    assert flow.open().status_code == 400
    assert not oauth_model("application").objects.exists()


@requirement("oauth.documents.guarded")
@pytest.mark.parametrize("status", [201, 301, 302, 404, 500])
def test_another_answer_is_no_document(web: Web, flow: Flow, status: int) -> None:
    web.status = status

    assert flow.open().status_code == 400


@requirement("oauth.documents")
@pytest.mark.parametrize("sent", ["text/html", "", "application/jsonp", "text/json"])
def test_another_type_is_no_document(web: Web, flow: Flow, sent: str) -> None:
    web.headers = {"content-type": sent}

    assert flow.open().status_code == 400


@requirement("oauth.documents")
@pytest.mark.parametrize(
    ("cache_control", "seconds"),
    [
        ("", 86_400),
        ("max-age=3600", 3600),
        ("public, max-age=0", 300),
        ("no-store", 300),
        ("no-cache, max-age=9999", 300),
        ("max-age=99999999", 86_400),
        ("max-age=x", 86_400),
    ],
)
def test_a_document_is_kept_as_long_as_it_says(web: Web, flow: Flow, cache_control: str, seconds: int) -> None:
    web.headers |= {"cache-control": cache_control, "content-type": "application/client+json; charset=utf-8"}

    before = timezone.now()
    flow.open()

    expires = oauth_model("application").objects.get().cimd_expires_at
    assert timedelta(seconds=seconds) <= expires - before < timedelta(seconds=seconds + 30)
    flow.open()
    assert len(web.asked) == 1


@requirement("oauth.documents")
def test_an_old_document_is_fetched_again(web: Web, flow: Flow) -> None:
    flow.open()
    oauth_model("application").objects.update(cimd_expires_at=timezone.now() - timedelta(seconds=1))
    web.document = DOCUMENT | {"redirect_uris": ["https://claude.ai/new"]}

    assert flow.open().status_code == 400
    flow.asked["redirect_uri"] = "https://claude.ai/new"
    assert flow.open().status_code == 200


@requirement("oauth.documents")
def test_an_old_document_that_cannot_be_fetched_goes_on_to_hold(web: Web, flow: Flow) -> None:
    flow.open()
    oauth_model("application").objects.update(cimd_expires_at=timezone.now() - timedelta(seconds=1))
    web.fails = True

    assert flow.open().status_code == 200


@requirement("oauth.documents.guarded")
def test_only_a_person_who_signed_in_makes_the_blog_fetch(web: Web, flow: Flow) -> None:
    from django.test import Client

    signed_in, flow.browser = flow.browser, Client()
    assert flow.open().status_code == 302
    # An account of the site without a permission of the desk.
    flow.browser.force_login(get_user_model().objects.create_user("reader"))
    assert flow.open().status_code == 403
    answers = [flow.exchange("x"), flow.refresh("x")]

    assert [answer.json()["error"] for answer in answers] == ["invalid_client"] * 2
    assert web.asked == []

    flow.browser = signed_in
    tokens = flow.tokens()
    oauth_model("application").objects.update(cimd_expires_at=timezone.now() - timedelta(seconds=1))
    assert flow.refresh(tokens["refresh_token"]).status_code == 200
    assert len(web.asked) == 1


@requirement("oauth.documents.guarded")
def test_a_document_that_failed_is_not_asked_for_again_at_once(web: Web, flow: Flow) -> None:
    web.fails = True

    assert [flow.open().status_code for _ in range(5)] == [400] * 5
    assert len(web.asked) == 1


@requirement("oauth.documents")
def test_a_document_takes_no_client_over_that_an_administrator_made(web: Web, flow: Flow) -> None:
    made = oauth_model("application").objects.create(
        client_id=CLIENT, redirect_uris="https://ours.example/cb", client_type="public",
        authorization_grant_type="authorization-code",
    )  # fmt: skip

    assert flow.open().status_code == 400
    made.refresh_from_db()
    assert (made.redirect_uris, web.asked) == ("https://ours.example/cb", [])
