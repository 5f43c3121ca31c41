"""A weak agent makes typical mistakes: one step later, with nothing but the words of the refusal, it has recovered.

``next_call`` makes the next call out of the message alone, as a model does. Then the call succeeds, or the agent stops
because the message says that a person has to act.
"""

import json
import re
from collections.abc import Callable

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.mcp.weak_agent import APPROVAL, EDIT, Arguments, Blog, answer_of, next_call, of
from tests.requirements import requirement
from tests.support.clients import call_tool
from tests.support.factories import save
from tests.support.tables import stored_beside_tokens

pytestmark = pytest.mark.django_db

RECOVERS = {
    # The weak agent's table.
    "title as id": of("get_post", id="Fog and rain"),
    "a letter off": of("get_post", id="fog-and-rian"),
    "a letter off in front": of("get_post", id="gof-and-rain"),
    "a draft, a letter off": of("update_post", id="sharpening-kitchen-knifes", title="Knives"),
    "url of another site": of("get_post", id="https://elsewhere.example/2024/fog-and-rain/"),
    "former slug": of("update_post", id="fog", featured=True),
    "former path": of("get_post", id="/blog/fog.md"),
    "slug in place of id": of("get_post", slug="fog-and-rain"),
    "no change": of("update_post", id="<public>", title="Rain"),
    "another change": of("update_post", id="<public>", title="Rain", change="typo"),
    "Maintenance": of("update_post", id="<public>", title="Rain", change="Maintenance"),
    "no note": of("correct_post", id="<public>", edits=[EDIT]),
    "another change in a correction": of("correct_post", id="<public>", edits=[EDIT], note="x", change="maintenance"),
    "stale revision": of("update_post", id="<draft>", title="Knives", expected_revision="0" * 64),
    "stale digits": of("update_post", id="<draft>", title="Knives", expected_revision="0" * 8),
    "empty revision": of("update_post", id="<draft>", title="Knives", expected_revision=""),
    "empty revision of a withdrawal": of("unpublish_post", id="<public>", expected_revision=" "),
    "empty version": of("update_post", id="<draft>", title="Knives", expected_version=""),
    "find and replace": of("update_post", id="<draft>", edits=[{"find": "Take the", "replace": "Take a"}]),
    "old_string": of("update_post", id="<draft>", edits=[{"old_string": "Take the", "new_string": "Take a"}]),
    "oldText": of("update_post", id="<draft>", edits=[{"oldText": "Take the", "newText": "Take a"}]),
    "one edit": of("update_post", id="<draft>", edits=EDIT),
    "no edits": of("update_post", id="<draft>", title="Knives", edits=[]),
    "old that is not there": of("update_post", id="<draft>", edits=[{"old": "What too remember", "new": "Of note"}]),
    "old, misspelt": of("update_post", id="<draft>", edits=[{"old": "Leeve teh rope", "new": "Keep it"}]),
    "old, often": of("update_post", id="<draft>", edits=[{"old": "rope", "new": "line"}]),
    "extra field, near": of("update_post", id="<draft>", titel="Knives"),
    "content": of("update_post", id="<draft>", content="Text."),
    "query and limit": of("list_posts", query="rope", limit=5),
    "status": of("update_post", id="<draft>", status="published"),
    "status, to withdraw": of("update_post", id="<public>", status="draft"),
    "status, to archive": of("update_post", id="<public>", status="archived"),
    "status of a new draft": of("save_draft", title="Rope", status="draft"),
    "publish of a draft": of("save_draft", title="Rope", publish=False),
    "fields under post": of("update_post", id="<draft>", post={"title": "Knives"}),
    "fields of a new post under post": of("save_draft", post={"title": "Rope"}),
    "fields under data": of("save_category", data={"name": "Rope"}),
    "approval {}": of("publish_post", id="<draft>", approval={}),
    "approval without an answer": of("publish_post", id="<draft>", approval={"name": "", "facts_checked": None}),
    "tags as text": of("update_post", id="<draft>", tags="rope, lamp"),
    "publish_at empty": of("update_post", id="<draft>", title="Knives", publish_at=""),
    "publish_at empty at a release": of("publish_post", id="<draft>", publish_at=" "),
    "the wrong year": of("publish_post", id="<draft>", publish_at="2020-01-01T09:00:00Z"),
    "propose forgotten": of("correct_post", scopes="rw", id="<public>", edits=[EDIT], note="x"),
    "propose forgotten, update": of("update_post", scopes="rw", id="<public>", title="Rain", change="maintenance"),
    "propose of a draft": of("update_post", id="<draft>", title="Knives", propose=True),
    # The other rows of the page.
    "blog_edit_post": of("blog_edit_post", id="<draft>", title="Knives"),
    "createPost": of("createPost", title="Rope"),
    "list_images": of("list_images"),
    "id in save_draft": of("save_draft", id="<draft>", title="Knives"),
    "edits of an unknown slug": of("save_draft", slug="sharpening-kitchen-knive", edits=[{"append": "More."}]),
    "edits of a new post": of("save_draft", title="Rope", edits=[{"append": "More."}]),
    "a category that is there": of("save_category", name="History", description="What was."),
    "an author who is there": of("save_author", name="Ada", url="https://ada.example/"),
    "one character": of("search_posts", q="a"),
    "a long query": of("list_posts", q="rope " * 40),
    "revision_identifier missing": of("approve_revision", id="<draft>", **APPROVAL),
    "revision_identifier empty": of("approve_revision", id="<draft>", revision_identifier="", **APPROVAL),
    "another revision": of("approve_revision", id="<draft>", revision_identifier="0" * 8, **APPROVAL),
    "cover as an answer shows it": of(
        "update_post", id="<draft>", cover_image={"image_id": "<image>", "url": "/blog/media/x/quay.png", "width": 3}
    ),
    # Of the same kinds.
    "translation_of, a letter off": of("update_post", id="<draft>", translation_of="fog-and-rein", language="de"),
    "restore empty": of("update_post", id="<draft>", title="Knives", restore=""),
    "provenance empty": of("update_post", id="<draft>", title="Knives", provenance=""),
    "change empty": of("update_post", id="<draft>", title="Knives", change=""),
    "a filter empty": of("list_posts", tag=""),
    "featured in words": of("update_post", id="<draft>", featured="yes"),
    "unused without images": of("list_posts", unused=True),
    "days with id": of("get_page_views", id="<public>", days=7, **{"from": "2026-11-01", "to": "2026-11-02"}),
    "summary and keywords": of("save_draft", title="Rope", summary="About it.", keywords=["rope"]),
}  # fmt: skip

STOPS = {
    "publish without the scope": of("publish_post", scopes="rw", id="<draft>"),
    "publish a new one": of("publish_post", scopes="rw", title="Rope"),
    "approve without the scope": of(
        "approve_revision", scopes="rw", id="<draft>", revision_identifier="<revision>", **APPROVAL
    ),
    "apply a proposal": of("publish_post", scopes="rw", proposal="7"),
    "withdraw": of("unpublish_post", scopes="rw", id="<public>"),
    "remove": of("remove_post", scopes="rw", id="<public>"),
    "write without the scope": of("save_draft", scopes="r", title="Rope"),
    "approve inline": of("update_post", scopes="rw", id="<draft>", approval=APPROVAL),
}

ACCEPTED = {
    "id as text": of("get_post", id="<public>"),
    "id with a fraction": of("list_posts", per_page=5.0, page="1"),
    "own url": of("get_post", id="https://example.com/blog/fog-and-rain?from=mail#notes"),
    "path": of("update_post", id="/blog/fog-and-rain", featured=True),
    "path without the first slash": of("get_post", id="blog/fog-and-rain/"),
    "file": of("get_post", id="fog-and-rain.md"),
    "resource": of("get_post_records", id="blog://posts/fog-and-rain.md"),
    "history page": of("check_post", id="/blog/fog-and-rain/history"),
    "url of the api": of("get_post", id="https://example.com/blog/api/v1/posts/fog-and-rain"),
    "translation_of by url": of("update_post", id="<draft>", translation_of="/blog/fog-and-rain", language="de"),
    "edits as text": of("update_post", id="<draft>", edits=json.dumps([EDIT])),
    "append and heading empty": of(
        "update_post", id="<draft>", edits=[EDIT | {"append": "", "after_heading": "", "occurrence": None}]
    ),
    "old and new empty": of(
        "update_post", id="<draft>", edits=[{"old": "", "new": "", "append": "More.", "after_heading": " "}]
    ),
    "old empty beside a heading": of(
        "update_post", id="<draft>", edits=[{"old": "", "new": "More.", "append": "", "after_heading": "Notes"}]
    ),
    "new empty": of("update_post", id="<draft>", edits=[{"old": "Take the lamp.", "new": "", "append": ""}]),
    "propose as text": of("update_post", id="<public>", title="Rain", change="maintenance", propose="True"),
    "nulls": of("update_post", id="<draft>", title="Knives", tags=None, faq=None, edits=None, approval=None),
    "digits of a revision": of("publish_post", id="<draft>", approval=APPROVAL | {"revision_identifier": None}),
}


@requirement("refusals.hints", "refusals.messages", "agents.messages.unknown-tool", "posts.edits.hint")
@pytest.mark.parametrize("mistake", RECOVERS.values(), ids=RECOVERS)
def test_the_call_that_a_refusal_names_succeeds(mistake: Callable[[Blog], tuple[str, Arguments, str]]) -> None:
    tool, arguments, scopes = mistake(Blog.make())
    before = stored_beside_tokens()

    code, message = answer_of(scopes, tool, arguments)

    assert code, "the mistake is accepted"
    assert stored_beside_tokens() == before
    then = next_call(tool, arguments, message)
    assert not then.stops, message
    assert answer_of(scopes, then.tool, then.arguments) == ("", ""), (message, then)


@requirement("access.scopes.instead")
@pytest.mark.parametrize("mistake", STOPS.values(), ids=STOPS)
def test_a_refusal_that_only_a_person_can_lift_says_so(mistake: Callable[[Blog], tuple[str, Arguments, str]]) -> None:
    tool, arguments, scopes = mistake(Blog.make())
    before = stored_beside_tokens()

    code, message = answer_of(scopes, tool, arguments)

    assert code == "scope_required"
    assert stored_beside_tokens() == before
    assert next_call(tool, arguments, message).stops, message


@requirement("agents.values.posts", "agents.values.null", "agents.values.numbers", "posts.edits.forms")
@pytest.mark.parametrize("form", ACCEPTED.values(), ids=ACCEPTED)
def test_other_forms_are_accepted(form: Callable[[Blog], tuple[str, Arguments, str]]) -> None:
    tool, arguments, scopes = form(Blog.make())

    assert answer_of(scopes, tool, arguments) == ("", "")


@requirement("access.scopes.instead")
@pytest.mark.parametrize("tool", ["blog_publish_post", "blog_approve_revision"])
def test_the_links_to_hand_over_are_those_of_the_post(client: Client, tool: str) -> None:
    blog = Blog.make()
    sent = {"id": str(blog.draft.pk), "revision_identifier": blog.draft.current_revision_identifier, **APPROVAL}
    arguments = sent if tool == "blog_approve_revision" else {"id": sent["id"]}

    _, message = answer_of("rw", tool, arguments)

    preview = re.search(r"preview_url to a person: (\S+)", message)
    review = re.search(r"at the desk: (\S+)", message)
    assert preview is not None
    assert review is not None
    assert "Sharpening kitchen knives" in client.get(preview[1]).content.decode()
    assert f"/{blog.draft.pk}/review/" in review[1]
    # The preview is for those who may read.
    assert "preview/" not in answer_of("w", tool, arguments)[1]


@requirement("posts.expected", "approvals.mismatch")
def test_revisions_are_named_by_their_first_digits(agent: Client) -> None:
    blog = Blog.make()
    digits = blog.draft.current_revision_identifier[:8]
    id = str(blog.draft.pk)

    approved = call_tool(agent, "blog_approve_revision", {"id": id, "revision_identifier": digits, **APPROVAL})
    saved = call_tool(agent, "blog_update_post", {"id": id, "title": "Knives", "expected_revision": digits[:12]})
    again = call_tool(agent, "blog_update_post", {"id": id, "title": "Knife", "expected_revision": digits})
    fewer = call_tool(agent, "blog_update_post", {"id": id, "title": "Knife", "expected_revision": digits[:7]})

    assert [one["isError"] for one in (approved, saved, again, fewer)] == [False, False, True, True]
    assert "Since then:" in again["structuredContent"]["error"]["message"]


@requirement("posts.expected", "approvals.mismatch")
def test_digits_of_two_versions_name_none_of_them(agent: Client) -> None:
    blog = Blog.make()
    post = Post.objects.get(pk=blog.draft.pk)
    present = post.current_revision_identifier
    digits = present[:8]
    post.recent_writes = [post.recent_writes[0] | {"revision": digits + "0" * 56}, *post.recent_writes]
    post.store(update_fields=["recent_writes"])
    id = str(post.pk)

    for sent, is_refused in ((digits, True), (present[:20], False), (present, False)):
        answer = call_tool(agent, "blog_update_post", {"id": id, "featured": True, "expected_revision": sent})
        assert answer["isError"] is is_refused


@requirement("agents.values.posts")
def test_a_path_names_a_slug_and_never_an_id(agent: Client) -> None:
    first = save(title="One").post
    year = save(title="A year", slug=str(first.pk)).post

    by_path = call_tool(agent, "blog_get_post", {"id": f"/blog/{first.pk}"})["structuredContent"]
    by_id = call_tool(agent, "blog_get_post", {"id": f"#{first.pk}"})["structuredContent"]

    assert (by_path["id"], by_id["id"]) == (year.pk, first.pk)


@requirement("agents.values.posts")
@pytest.mark.parametrize(
    "id",
    ["https://example.com.evil/blog/fog-and-rain", "//evil.example/blog/fog-and-rain", "/other/fog-and-rain",
     "https://[", "blog://posts/../fog-and-rain", "/blog/../blog/fog-and-rain", "/blog/preview/x", "\x00", "#", " ",
     "/blog/fog-and-rain\x00", "/blog/%00", "x" * 5_000, "/" * 3_000, "https://example.com/blog/category/history"],
)  # fmt: skip
def test_anything_else_names_no_post(agent: Client, id: str) -> None:
    Blog.make()

    error = call_tool(agent, "blog_get_post", {"id": id})["structuredContent"]["error"]

    assert error["code"] in {"not_found", "validation_failed"}


@requirement("agents.values.posts")
def test_a_preview_and_a_page_of_the_desk_name_their_post(agent: Client) -> None:
    blog = Blog.make()
    links = call_tool(agent, "blog_get_preview_link", {"id": str(blog.draft.pk)})["structuredContent"]

    for link in (links["preview_url"], links["review_url"]):
        found = call_tool(agent, "blog_get_post", {"id": link})["structuredContent"]
        assert found["id"] == blog.draft.pk
