"""A post from draft to removal, as its client and its readers see it."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from blog_engine.models import ApiToken
from tests.requirements import requirement
from tests.support.clients import assert_json, make_secret
from tests.support.tables import stored_beside_tokens

pytestmark = pytest.mark.django_db

POSTS = "/blog/api/v1/posts"


@dataclass
class Story:
    """The requests and responses in order."""

    secret: str
    reader: Client = field(default_factory=Client)
    answers: list[Any] = field(default_factory=list)

    def call(self, method: str, path: str = "", fields: dict[str, Any] | None = None) -> Any:
        """Call the API."""
        client = Client(headers={"Authorization": f"Bearer {self.secret}"})
        body = "" if fields is None else json.dumps(fields)
        answer = client.generic(method, POSTS + path, body, content_type="application/json")
        self.answers.append(answer)
        return answer

    def read(self, path: str) -> tuple[int, str]:
        """Return what a reader gets."""
        response = self.reader.get(f"/blog{path}")
        return response.status_code, response.content.decode()


@pytest.fixture
def story() -> Story:
    return Story(make_secret())


def told(story: Story) -> list[tuple[int, str | None, str | None]]:
    """Return status, revision and publication of the writes so far."""
    writes = [(answer.status_code, answer.json().get("records")) for answer in story.answers if answer.content]
    return [(status, records["revision"], records["publication"]) for status, records in writes if records]


def live(story: Story) -> None:
    """Go from draft to removal, with requests of readers at each step."""
    draft = story.call("POST", "", {"title": "Frost", "body": "It is cold."}).json()["post"]
    assert story.read("/frost")[0] == 404
    assert "It is cold." in story.read(draft["preview_url"].partition("/blog")[2])[1]

    approval = {"name": "Rosa", "facts_checked": True, "revision_identifier": draft["revision_identifier"]}
    story.call("POST", "/frost/approvals", approval)
    story.call("POST", "/frost/publish", {})
    assert "It is cold." in story.read("/frost")[1]
    assert "It is cold." in story.read("/frost.md")[1]
    assert ">Frost<" in story.read("/")[1]

    before = stored_beside_tokens()
    assert story.call("PATCH", "/frost", {"body": "It is warm."}).status_code == 422
    assert stored_beside_tokens() == before

    correction = {"body": "It was cold.", "change": "correction", "note": "It is over."}
    story.call("PATCH", "/frost", correction)
    assert "It is over." in story.read("/frost")[1]

    story.call("PATCH", "/frost", {"slug": "thaw"})
    assert story.read("/frost")[0] == 301

    story.call("POST", "/thaw/connections", {"connections": [], "third_party_paid": False, "declared_by": "Ines"})
    story.call("POST", "/thaw/unpublish", {})
    assert (story.read("/frost")[0], story.read("/thaw")[0]) == (410, 410)

    story.call("POST", "/thaw/publish", {})
    assert (story.read("/frost")[0], story.read("/thaw")[0]) == (301, 200)
    story.call("GET", "/thaw")
    story.call("GET", "/thaw/records")
    story.call("GET", "/thaw/findings")
    story.call("GET", "")
    story.call("DELETE", "/thaw")
    assert story.read("/thaw")[0] == 410


@requirement("access.readers", "posts.redirects.moved", "posts.redirects.removed")
def test_answers_and_history_agree(story: Story) -> None:
    live(story)

    assert told(story) == [
        (201, None, None),
        (200, "new", None),
        (200, "same", "first"),
        (200, "new", "correction"),
        (200, "same", None),
        (200, None, None),
        (200, None, None),
        (200, "same", "maintenance"),
        (200, None, None),
    ]
    history = story.call("GET", "/thaw/records").json()
    assert [entry["entry_type"] for entry in history["publications"]] == ["first", "correction", "maintenance"]
    assert [len(history[kind]) for kind in ("revisions", "approvals", "connections")] == [2, 1, 1]


@requirement("posts.envelope.fields", "findings.advisory")
def test_every_write_answers_in_its_envelope_with_findings(story: Story) -> None:
    live(story)

    writes = [answer.json() for answer in story.answers if "post" in answer.json()]
    assert len(writes) == 9
    for written in writes:
        assert list(written) == ["post", "created", "records", "label", "findings", "redirects"]
        assert isinstance(written["created"], bool)
        assert bool(written["findings"]) == (written["post"]["status"] != "archived")
    assert [written["created"] for written in writes] == [True] + [False] * 8


@requirement("access.tokens.no-secrets", "api.answers.no-store", "access.rate.headers")
def test_no_answer_holds_a_secret_and_none_is_kept_by_a_cache(story: Story) -> None:
    live(story)

    token = ApiToken.objects.get()
    for answer in story.answers:
        assert_json(answer)
        assert {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} <= answer.headers.keys()
        shown = f"{answer.headers} {answer.content.decode()}"
        assert not [secret for secret in (story.secret, token.token_digest, token.token_prefix) if secret in shown]
