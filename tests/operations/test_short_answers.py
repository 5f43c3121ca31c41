"""Short answers to writes, the redirects in the answers of writes, and cards with some of their fields."""

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.errors import ValidationFailed
from blog_engine.models import Post
from blog_engine.operations import posts, records
from blog_engine.outputs.short import ALWAYS_SHORT
from tests.requirements import requirement
from tests.support.clients import call_operation, client_with, tool_answer
from tests.support.factories import adopt, approve, make_category, publish, save, unpublish, update
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

ALWAYS = {"post", "created", "records", "label", "findings", "redirects"}
PUBLISHED = {"change": "maintenance"}
MOST_OF_A_WRITE, MOST_OF_A_CARD = 640, 440
"""Characters of compact JSON: 150 and 120 tokens of ``o200k_base``, with the 64 digits of a revision at 1.5 a token."""


def size(answer: dict[str, Any]) -> int:
    return len(json.dumps(answer, separators=(",", ":"), ensure_ascii=False))


def write(op: Any, **sent: Any) -> dict[str, Any]:
    answer: dict[str, Any] = call_operation(op, {"answer": "short", **sent})
    return answer


@pytest.fixture
def ropes() -> Post:
    made = save(title="Ropes", body="Four ropes. " * 90, tags=["Tar"], description="All of them.", category="Quay")
    return publish(made.post).post


@requirement("posts.envelope.short")
def test_an_edit_answers_with_what_it_changed_and_what_comes_next(ropes: Post) -> None:
    answer = write(posts.update_post, id="ropes", body="Five.", tags=["Wax"], title="Five ropes", **PUBLISHED)

    assert answer.keys() == ALWAYS | {"url"}
    assert answer["post"].keys() == {*ALWAYS_SHORT, "tags", "title"}
    assert (answer["post"]["tags"], answer["post"]["title"], answer["post"]["body_length"]) == (
        ["Wax"],
        "Five ropes",
        5,
    )
    assert answer["url"] == answer["post"]["url"]
    assert answer["records"] == {"revision": "new", "publication": "maintenance", "approval": None}


@requirement("posts.envelope.short")
def test_a_new_draft_answers_with_its_preview_and_without_what_was_sent() -> None:
    answer = write(posts.save_post, title="Tides", body="High.", faq=[{"question": "When?", "answer": "At six."}])

    assert answer.keys() == ALWAYS | {"preview_url"}
    assert answer["post"].keys() == {*ALWAYS_SHORT}
    assert "/preview" in answer["preview_url"]


@requirement("posts.envelope.short")
@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ({"series": "Tides", "series_position": 2}, {"series"}),
        ({"description": "Other.", "category": ""}, {"description", "category"}),
        ({"author": "Rosa Quay"}, {"author"}),
        ({"language": "de", "featured": True}, {"language", "featured"}),
        ({"slug": "five-ropes"}, set()),
        ({}, set()),
    ],
)
def test_keys_are_shown_whose_values_changed(ropes: Post, sent: dict[str, Any], shown: set[str]) -> None:
    answer = write(posts.update_post, id=str(ropes.pk), tags=["Tar"], **PUBLISHED, **sent)

    assert answer["post"].keys() == {*ALWAYS_SHORT} | shown


@requirement("posts.envelope.short", "posts.dry-run", "posts.dry-run.difference")
def test_a_dry_run_has_its_difference_instead_of_an_address(ropes: Post) -> None:
    answer = write(posts.update_post, id="ropes", title="Five ropes", dry_run=True, **PUBLISHED)

    assert answer.keys() == ALWAYS | {"dry_run", "deleted", "difference", "truncated"}
    assert (answer["dry_run"], answer["deleted"], answer["truncated"]) == (True, False, False)
    assert "+title: Five ropes" in answer["difference"]


@requirement("posts.envelope.short")
def test_a_proposal_is_named_with_its_preview_and_its_findings_once(ropes: Post) -> None:
    answer = write(posts.update_post, id="ropes", description="", propose=True, **PUBLISHED)

    assert answer.keys() == ALWAYS | {"proposal", "preview_url"}
    assert answer["proposal"].keys() == {"id", "state", "changes", "revision_identifier"}
    assert (answer["proposal"]["state"], answer["proposal"]["changes"]) == ("open", ["description"])
    assert [one["code"] for one in answer["findings"]].count("description_absent") == 1
    assert "/preview/" in answer["preview_url"]


@requirement("posts.envelope.short", "approvals.revision-approved")
def test_the_approval_of_a_draft_can_be_seen_in_its_answer() -> None:
    draft = save(title="Tides", body="High.").post

    answer = write(
        posts.approve_revision,
        id=str(draft.pk),
        revision_identifier=draft.current_revision_identifier,
        name="Rosa",
        facts_checked=True,
    )

    post = answer["post"]
    assert (post["approved"], post["revision_approved"], answer["records"]["approval"]) == (False, True, "sent")
    assert call_operation(posts.get_post, id=str(draft.pk))["revision_approved"] is True


@requirement("approvals.revision-approved")
def test_a_changed_draft_is_not_approved_any_more() -> None:
    draft = save(title="Tides", body="High.").post
    approve(draft)

    assert call_operation(posts.update_post, {"body": "Low."}, id=str(draft.pk))["post"]["revision_approved"] is False


@requirement("posts.envelope.short")
def test_short_answers_are_short(ropes: Post) -> None:
    edit = write(
        posts.update_post,
        id="ropes",
        edits=[{"old": "ropes. Four", "new": "tarred. Four", "occurrence": 1}],
        change="correction",
        note="Tarred.",
        provenance="human_written",
    )
    card = call_operation(posts.list_posts, {"fields": ["title", "status", "label", "slug"]})["posts"][0]

    assert size(edit | {"findings": []}) < MOST_OF_A_WRITE
    assert size(card) < MOST_OF_A_CARD


@requirement("posts.envelope.answer", "agents.tools.parity")
@pytest.mark.parametrize(("setting", "is_short"), [({}, False), ({"mcp": {"answer": "short"}}, True)])
def test_tools_answer_as_the_setting_says_and_the_api_in_full(
    settings: Settings, ropes: Post, setting: dict[str, Any], is_short: bool
) -> None:
    settings.BLOG_ENGINE = blog_settings(**setting)
    client = client_with("read", "write", "publish")
    sent = {"featured": True}

    by_tool = tool_answer(client, "blog_update_post", {"id": "ropes", **sent})["post"]
    full = tool_answer(client, "blog_update_post", {"id": "ropes", "answer": "full", **sent})["post"]
    short = tool_answer(client, "blog_update_post", {"id": "ropes", "answer": "short", **sent})["post"]
    by_api = client.patch("/blog/api/v1/posts/ropes", sent, content_type="application/json").json()["post"]

    assert ("body" in by_tool, "body" in full, "body" in short, "body" in by_api) == (not is_short, True, False, True)


@requirement("posts.envelope.answer")
@pytest.mark.parametrize("wrong", ["brief", "", None, True])
def test_another_extent_is_refused_and_nothing_is_written(ropes: Post, wrong: object) -> None:
    with pytest.raises(ValidationFailed) as caught:
        call_operation(posts.update_post, {"answer": wrong, "title": "Other", **PUBLISHED}, id="ropes")

    assert caught.value.details == ["answer"]
    assert Post.objects.get(pk=ropes.pk).title == "Ropes"


@requirement("posts.envelope.short", "posts.statuses", "api.etag")
def test_a_short_answer_over_the_api_has_status_and_tag_of_the_full_one() -> None:
    client = client_with("read", "write", "publish")
    path, sent = "/blog/api/v1/posts", {"title": "Tides", "answer": "short"}

    made = client.post(path, sent, content_type="application/json")
    tried = client.patch(f"{path}/tides", {"answer": "short", "dry_run": True}, content_type="application/json")
    gone = client.delete(f"{path}/tides?answer=short")

    assert (made.status_code, made.headers["ETag"]) == (201, '"1"')
    assert (tried.status_code, "ETag" in tried.headers) == (200, False)
    assert (gone.status_code, gone.content) == (204, b"")


@requirement("posts.envelope.redirects")
def test_writes_tell_of_the_redirects_that_they_made(ropes: Post) -> None:
    moved = call_operation(posts.update_post, {"slug": "lines", **PUBLISHED}, id="ropes")["redirects"]
    gone = call_operation(posts.unpublish_post, id="lines")["redirects"]
    back = call_operation(posts.publish_post, id="lines")["redirects"]
    save(title="Knots", body="Two.", publish=True)
    led = write(posts.remove_post, id="lines", redirect_to="knots")["redirects"]

    assert moved == [{"old_path": "/blog/ropes", "new_path": "/blog/lines"}]
    assert gone == [{"old_path": "/blog/lines", "new_path": None}]
    assert back == []
    assert led == [{"old_path": "/blog/lines", "new_path": "/blog/knots"}]


@requirement("posts.envelope.redirects", "adoption.answer")
def test_an_adoption_tells_of_former_paths_once() -> None:
    first, again = (adopt(old_slugs=["fog", {"slug": "mist", "moved_on": "2020-01-01"}]) for _ in range(2))

    assert [one.old_path for one in first.redirected] == ["/blog/fog", "/blog/mist"]
    assert {one.new_path for one in first.redirected} == {f"/blog/{first.post.slug}"}
    assert again.redirected == ()


@requirement("taxonomy.statuses", "posts.envelope.redirects")
def test_a_moved_category_tells_of_its_page_and_feeds() -> None:
    category = make_category(name="Ropes")

    kept = call_operation(records.update_category, {"name": "Lines"}, id=category.pk)
    moved = call_operation(records.update_category, {"slug": "lines"}, id=category.pk)["redirects"]

    assert kept["redirects"] == []
    assert moved[0] == {"old_path": "/blog/category/ropes", "new_path": "/blog/category/lines"}
    assert len(moved) == 3


@requirement("posts.list.fields", "posts.object.card")
@pytest.mark.parametrize("fields", ["title, status", ["title", "status"]])
def test_cards_have_the_fields_that_were_asked_for(ropes: Post, fields: object) -> None:
    answer = call_operation(posts.list_posts, {"fields": fields})

    assert answer == {
        "posts": [{"id": ropes.pk, "title": "Ropes", "status": "published", "version": ropes.version}],
        "page": 1,
        "per_page": 25,
        "total": 1,
        "next_cursor": None,
    }


@requirement("posts.list.fields")
def test_an_unknown_field_of_a_card_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValidationFailed) as caught:
        call_operation(posts.list_posts, {"fields": ["titel", "body"]})

    assert caught.value.details == ["fields"]
    assert "title" in str(caught.value.hint)


@requirement("posts.list.fields")
def test_fields_over_api_and_tools(client: Client, ropes: Post) -> None:
    reader = client_with("read")
    expected = [{"id": ropes.pk, "slug": "ropes", "version": ropes.version}]

    assert reader.get("/blog/api/v1/posts?fields=slug").json()["posts"] == expected
    assert tool_answer(reader, "blog_search_posts", {"q": "ropes", "fields": ["slug"]})["posts"] == expected


@requirement("posts.list.passage")
def test_a_search_shows_the_passage_that_matched(ropes: Post) -> None:
    unpublish(ropes)
    save(title="Harbour", body=f"{'A long beginning. ' * 40}The winch needs grease.{' And so on.' * 40}")

    [card] = call_operation(posts.list_posts, {"q": "winch grease"})["posts"]
    [described] = call_operation(posts.list_posts, {"q": "all of them ropes"})["posts"]
    listed = call_operation(posts.list_posts)["posts"]

    assert "The winch needs grease." in card["passage"]
    assert card["passage"].startswith("…")
    assert len(card["passage"]) < 300
    assert described["passage"]
    assert [one["passage"] for one in listed] == [None, None]


@requirement("posts.dry-run.difference", "agents.tools.words", "history.compare.difference")
def test_tools_show_words_and_the_api_and_records_show_lines(ropes: Post) -> None:
    client = client_with("read", "write", "publish")
    sent = {"edits": [{"old": "ropes. Four", "new": "tarred. Four", "occurrence": 30}], "dry_run": True, **PUBLISHED}

    by_tool = tool_answer(client, "blog_update_post", {"id": "ropes", **sent})["difference"]
    by_api = client.patch("/blog/api/v1/posts/ropes", sent, content_type="application/json").json()["difference"]
    update(ropes, title="Lines", change="maintenance")
    compared = {"id": "ropes", "compare": f"{ropes.current_revision_identifier[:8]}..public"}
    of_records = tool_answer(client, "blog_get_post_records", compared)["compare"]["difference"]

    assert by_tool == (
        "…ropes. Four ropes. Four ropes. Four ropes. Four [-ropes-]{+tarred+}. Four ropes. Four ropes. Four ropes. "
        "Four…\n"
    )
    assert by_api.startswith("--- stored\n+++ with this call\n@@")
    assert "-title: Ropes\n+title: Lines\n" in of_records


@requirement("posts.dry-run.difference", "agents.tools.words")
@pytest.mark.parametrize("by_tool", [True, False])
def test_a_long_difference_is_cut(ropes: Post, by_tool: bool) -> None:
    client = client_with("read", "write", "publish")
    sent = {"body": "\n\n".join(f"Paragraph {number}." for number in range(5000)), "dry_run": True, **PUBLISHED}

    if by_tool:
        answer = tool_answer(client, "blog_update_post", {"id": "ropes", **sent})
    else:
        answer = client.patch("/blog/api/v1/posts/ropes", sent, content_type="application/json").json()

    assert (answer["truncated"], 19_000 < len(answer["difference"]) <= 20_000) == (True, True)
    assert answer["difference"].endswith("\n")


@requirement("findings.archived")
def test_an_archived_post_has_findings_of_its_write_only(ropes: Post) -> None:
    answer = call_operation(posts.remove_post, {"redirect_to": "/blog/nowhere"}, id="ropes")

    assert [one["code"] for one in answer["findings"]] == ["redirect_target_missing"]
    assert call_operation(posts.check_post, id="ropes")["findings"] == []
    assert call_operation(posts.list_posts)["posts"][0]["open_findings"] == 0
