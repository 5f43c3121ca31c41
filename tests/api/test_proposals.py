"""``/proposals``, and proposals in the answers about posts and of tools."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.content._markdown import _Parser
from blog_engine.models import Post, Proposal
from tests.requirements import requirement
from tests.support.clients import call_tool, client_with, refusal_in, tool_answer, tool_refusal
from tests.support.factories import BODY, apply, propose, proposed_for, reject, save, update

pytestmark = pytest.mark.django_db

API = "/blog/api/v1"
LATE = "2030-01-01T00:00:00Z"
CARD = [
    *("id", "post", "state", "changes", "change", "change_description", "note", "actor", "made_by_ai", "created_at"),
    *("base_version", "base_revision_identifier", "publish_at", "decided_at", "decided_by", "reason"),
]
FULL = [
    *(*CARD, "fields", "revision_identifier", "approved", "label", "difference", "truncated", "conflicts"),
    *("findings", "preview_url", "events"),
]


def get(path: str, *scopes: str, **query: Any) -> dict[str, Any]:
    response = client_with(*scopes or ("read",)).get(f"{API}{path}", query)
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


def send(method: str, path: str, *scopes: str, **body: Any) -> Any:
    client = client_with(*scopes or ("read", "write", "publish"))
    return client.generic(method, f"{API}{path}", json.dumps(body), content_type="application/json")


@requirement("proposals.answer", "proposals.scope")
def test_a_proposal_is_answered_with_the_post_as_it_is_and_the_full_proposal() -> None:
    post = save(publish=True, body=BODY).post

    response = send("PATCH", f"/posts/{post.pk}", "write", propose=True, title="Other", change="maintenance")

    answer = response.json()
    assert (response.status_code, answer["post"]["title"], answer["created"]) == (200, "Winter garden", False)
    assert answer["records"] == {"revision": None, "publication": None, "approval": None}
    assert list(answer["proposal"]) == FULL
    assert (answer["proposal"]["state"], answer["proposal"]["changes"]) == ("open", ["title"])
    assert response.headers["ETag"] == '"1"'


@requirement("proposals.answer")
@pytest.mark.parametrize("is_changed", [False, True])
def test_a_body_is_compiled_once_for_a_write_and_its_answer(is_changed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    post, path = save(publish=True, body=BODY).post, "/proposals/{}/apply"
    compiled, parse = list[str](), _Parser.parse
    monkeypatch.setattr(
        _Parser, "parse", lambda self, source, *env: (compiled.append(source), parse(self, source, *env))[1]
    )

    fields = {"edits": [{"old": "Two", "new": "Four"}], "change": "maintenance"}
    proposed = send("PATCH", f"/posts/{post.pk}", "write", propose=True, **fields).json()["proposal"]
    assert compiled == [BODY.replace("Two", "Four")]
    if is_changed:
        update(post, body=f"Zero.\n\n{BODY}", change="maintenance")
    compiled.clear()
    scheduled = send("POST", path.format(proposed["id"]), publish_at=LATE)
    assert (scheduled.status_code, len(compiled)) == (200, 1)
    compiled.clear()
    applied = send("POST", path.format(proposed["id"]))
    assert (applied.status_code, len(compiled)) == (200, 1)


@requirement("proposals.answer")
def test_no_other_answer_has_the_key() -> None:
    post = save(publish=True).post

    response = send("PATCH", f"/posts/{post.pk}", title="Other", change="maintenance")

    assert "proposal" not in response.json()


@requirement("proposals.expected")
def test_if_match_means_the_post() -> None:
    post = save(publish=True).post
    client = client_with("write")
    body = {"propose": True, "title": "Other", "change": "maintenance"}

    response = client.patch(
        f"{API}/posts/{post.pk}", body, content_type="application/json", headers={"If-Match": '"9"'}
    )

    assert refusal_in(response) == (412, "revision_mismatch", ["expected_version"])


@requirement("proposals.list")
def test_the_list_has_cards_the_newest_first_in_pages() -> None:
    post, first = proposed_for()
    second = propose(post, title="Other", change="correction", note="Wrong.")

    answer = get("/proposals", per_page=1)

    assert {name: answer[name] for name in ("page", "per_page", "total")} == {"page": 1, "per_page": 1, "total": 2}
    [card] = answer["proposals"]
    assert list(card) == CARD
    assert (card["id"], card["changes"], card["change"], card["note"]) == (second, ["title"], "correction", "Wrong.")
    assert card["post"] == {
        "id": post.pk,
        "slug": "winter-garden",
        "title": "Winter garden",
        "status": "published",
        "url": "https://example.com/blog/winter-garden",
    }
    assert get("/proposals", per_page=1, page=2)["proposals"][0]["id"] == first


@requirement("proposals.list")
def test_the_list_filters_by_post_and_state() -> None:
    post, outdated = proposed_for(title="Proposed", change="maintenance")
    scheduled = propose(post, description="Other", change="maintenance")
    rejected = propose(post, tags=["Clay"])
    other = propose(save(publish=True, slug="other").post, title="Other", change="maintenance")
    update(post, title="Edited", change="maintenance")
    apply(scheduled, publish_at=LATE)
    reject(rejected, reason="No.")

    def listed(**query: Any) -> dict[int, str]:
        return {card["id"]: card["state"] for card in get("/proposals", **query)["proposals"]}

    assert listed(state="open") == {other: "open", outdated: "outdated"}
    assert listed(state="scheduled") == {scheduled: "scheduled"}
    assert listed(state="rejected", post="winter-garden") == {rejected: "rejected"}
    assert listed(state="applied") == {}
    assert list(listed(post=post.pk)) == [rejected, scheduled, outdated]
    response = client_with("read").get(f"{API}/proposals", {"state": "outdated"})
    assert refusal_in(response) == (422, "validation_failed", ["state"])


@requirement("proposals.list")
def test_a_longer_list_needs_no_more_queries() -> None:
    client = client_with("read")
    counts = []
    for number in range(3):
        post = save(publish=True, slug=f"p{number}", body=BODY, tags=["Clay"]).post
        propose(post, title=f"Other {number}", change="maintenance")
        with CaptureQueriesContext(
            connection,
        ) as captured:
            client.get(f"{API}/proposals")
        counts.append(len(captured))

    assert len(set(counts[1:])) == 1


@requirement("proposals.read")
def test_one_proposal_has_everything_that_a_decision_needs() -> None:
    post, proposal = proposed_for()

    answer = get(f"/proposals/{proposal}")

    assert list(answer) == FULL
    assert answer["fields"] == {"body": "One!\n\nTwo.\n\nThree.", "change": "maintenance"}
    assert answer["difference"].startswith("--- present\n+++ proposed\n")
    assert "-One.\n+One!\n" in answer["difference"]
    assert (answer["approved"], answer["label"], answer["truncated"]) == (False, "ai_unknown", False)
    assert "provenance_unknown" in [finding["code"] for finding in answer["findings"]]
    assert answer["preview_url"].startswith("https://example.com/blog/preview/")
    assert answer["base_revision_identifier"] == post.current_revision_identifier
    assert refusal_in(client_with("read").get(f"{API}/proposals/99")) == (404, "not_found", [])


@requirement("proposals.conflict")
def test_the_passages_of_a_conflict_are_bounded_texts() -> None:
    post, proposal = proposed_for(description="x" * 3000, tags=["Clay"], change="maintenance")
    update(post, description="y" * 3000, tags=["Silt"], change="maintenance")

    answer = get(f"/proposals/{proposal}")

    assert answer["state"] == "outdated"
    first, second = answer["conflicts"]
    assert {name: len(text) for name, text in first.items()} == {
        "field": 11,
        "base": 0,
        "present": 2000,
        "proposed": 2000,
    }
    assert second == {"field": "tags", "base": "[]", "present": '["Silt"]', "proposed": '["Clay"]'}
    assert answer["difference"].startswith("--- base\n+++ proposed\n")


@requirement("proposals.apply", "proposals.reject", "proposals.withdraw", "proposals.decided")
def test_the_endpoints_decide() -> None:
    post, proposal = proposed_for()
    other, third = propose(post, title="Other", change="maintenance"), propose(post, tags=["Clay"])

    applied = send("POST", f"/proposals/{proposal}/apply", id="winter-garden")
    rejected = send("POST", f"/proposals/{other}/reject", reason="Not true.")
    withdrawn = send("POST", f"/proposals/{third}/withdraw")

    assert [one.status_code for one in (applied, rejected, withdrawn)] == [200, 200, 200]
    answer = applied.json()
    assert (answer["post"]["body"][:4], answer["records"]["publication"]) == ("One!", "maintenance")
    assert [one["kind"] for one in answer["proposal"]["events"]] == ["applied"]
    assert rejected.json()["proposal"]["reason"] == "Not true."
    assert (withdrawn.json()["proposal"]["state"], withdrawn.json()["proposal"]["preview_url"]) == ("withdrawn", None)
    again = send("POST", f"/proposals/{proposal}/apply")
    assert refusal_in(again) == (409, "proposal_decided", [])


@requirement("proposals.of-posts")
def test_posts_are_listed_by_their_proposals_and_records_have_the_cards() -> None:
    post, proposal = proposed_for()
    save(publish=True, slug="other")

    assert [card["slug"] for card in get("/posts", proposals="open")["posts"]] == ["winter-garden"]
    assert get("/posts", proposals="applied")["total"] == 0
    assert get("/posts", proposals="open", q="garden")["total"] == 1
    assert [card["id"] for card in get(f"/posts/{post.pk}/records")["proposals"]] == [proposal]
    by_records, by_id = get(f"/posts/{post.pk}/records", proposal=proposal), get(f"/proposals/{proposal}")
    # It holds the second in which it was made.
    assert by_records.pop("preview_url").startswith("https://")
    assert by_records == {name: value for name, value in by_id.items() if name != "preview_url"}
    response = client_with("read").get(f"{API}/posts/other/records", {"proposal": proposal})
    assert refusal_in(response) == (404, "not_found", [])
    both = client_with("read").get(f"{API}/posts/{post.pk}/records", {"proposal": proposal, "revision": "public"})
    assert refusal_in(both) == (422, "validation_failed", ["revision", "proposal"])


@requirement("proposals.of-posts", "proposals.apply", "proposals.answer")
def test_the_tools_propose_read_and_apply(client: Client) -> None:
    save(publish=True, body=BODY)
    agent, publisher = client_with("read", "write"), client_with("read", "write", "publish")

    made = tool_answer(
        agent, "blog_correct_post", {"id": "winter-garden", "propose": True, "title": "Other", "note": "It was wrong."}
    )["proposal"]

    assert (made["change"], made["note"]) == ("correction", "It was wrong.")
    listed = tool_answer(agent, "blog_list_posts", {"proposals": "open"})
    assert [card["slug"] for card in listed["posts"]] == ["winter-garden"]
    read = tool_answer(agent, "blog_get_post_records", {"id": "winter-garden", "proposal": made["id"]})
    assert list(read) == FULL
    assert tool_refusal(agent, "blog_publish_post", {"proposal": made["id"]}) == ("scope_required", ["publish"])
    applied = tool_answer(
        publisher, "blog_publish_post", {"proposal": made["id"], "expected_revision": read["revision_identifier"]}
    )
    assert (applied["post"]["title"], applied["records"]["publication"]) == ("Other", "correction")


@requirement("proposals.reject", "proposals.schedule")
def test_the_tools_schedule_and_reject_and_the_post_stays() -> None:
    _, proposal = proposed_for()
    publisher = client_with("read", "write", "publish")

    scheduled = tool_answer(publisher, "blog_publish_post", {"proposal": proposal, "publish_at": LATE})
    rejected = tool_answer(
        publisher, "blog_remove_post", {"id": "winter-garden", "proposal": proposal, "reason": "Not true."}
    )

    assert (scheduled["proposal"]["state"], scheduled["proposal"]["publish_at"]) == (
        "scheduled",
        "2030-01-01T00:00:00Z",
    )
    assert rejected["proposal"]["state"] == "rejected"
    assert Post.objects.get().status == "published"
    missing = tool_refusal(publisher, "blog_remove_post", {"id": "winter-garden", "proposal": proposal})
    assert missing == ("validation_failed", ["reason"])
    assert call_tool(publisher, "blog_remove_post", {"id": "winter-garden", "reason": "x"})["isError"]
    assert Proposal.objects.get().events.count() == 2
