"""What waits in a blog, found by the tools: in few calls, and what to do about it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from blog_engine.actor import Scope
from blog_engine.inputs.posts import ListPosts
from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import call_tool, make_secret, tool_answer, tool_refusal
from tests.support.factories import NOW, approve, publish, save

pytestmark = pytest.mark.django_db

CHARACTERS_OF_A_TOKEN = 4


def known_as(name: str, *scopes: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {make_secret(name=name, scopes=scopes or tuple(Scope))}"})


def make_blog() -> dict[str, set[str]]:
    """Make a blog of 31 posts, and return the slugs of those that wait for something, by what it is."""
    writer = known_as("Drafting agent", "read", "write")
    for number in range(31):
        hand = number % 3 == 0
        fields = {"provenance": "human_written" if hand else "ai_assisted", "description": f"Of tide {number}."}
        when = NOW + timedelta(minutes=number)
        title = f"Ropes, knots and the tide at quay number {number}"
        post = save(title=title, slug=f"post-{number}", body="Text.", now=when, **fields).post
        if number % 6 > 1:
            approve(post, now=when)
        if number % 4 == 1:
            publish(post, now=when)
    for number in (8, 12, 20):
        ask = {"action": "request", "text": "Is the tide right?"}
        tool_answer(writer, "blog_update_post", {"id": f"post-{number}", "review": ask})
    unapproved = {f"post-{number}" for number in range(31) if number % 3 and number % 6 <= 1}
    requested = {post.slug for post in Post.objects.filter(review_requested_at__isnull=False)}
    return {"review": requested, "approval": unapproved}


@requirement("posts.list.approval", "reviews.lists", "posts.list.finding")
def test_what_waits_is_found_in_two_calls() -> None:
    waiting, agent = make_blog(), known_as("Editing agent", "read")
    is_short = "fields" in ListPosts.model_fields
    read = 0

    def listed(**filters: Any) -> set[str]:
        nonlocal read
        if is_short:
            filters["fields"] = ["slug", "title", "status", "finding_codes"]
        answer = call_tool(agent, "blog_list_posts", filters)
        read += len(json.dumps(filters)) + len(answer["content"][0]["text"])
        assert answer["structuredContent"]["total"] <= 25
        return {card["slug"] for card in answer["structuredContent"]["posts"]}

    found = {"review": listed(review="requested"), "approval": listed(approval_missing=True)}

    assert found == waiting
    assert all(waiting.values())
    if is_short:
        assert read / CHARACTERS_OF_A_TOKEN <= 1_200
    assert listed(finding="description_absent") == set()


@requirement("posts.list.finding", "posts.list.approval")
def test_tools_refuse_what_they_do_not_know() -> None:
    agent = known_as("Editing agent", "read")

    for tool in ("blog_list_posts", "blog_search_posts"):
        more = {"q": "tide"} if tool == "blog_search_posts" else {}
        assert tool_refusal(agent, tool, more | {"finding": "typo"}) == ("validation_failed", ["finding"])
        assert tool_refusal(agent, tool, more | {"finding": " "}) == ("validation_failed", ["finding"])
        assert tool_refusal(agent, tool, more | {"approval_missing": "maybe"})[0] == "validation_failed"
        assert tool_answer(agent, tool, more | {"approval_missing": "true"})["total"] == 0


@pytest.fixture
def rita() -> User:
    user = User.objects.create_user("rita", first_name="Rita", last_name="Reviewer", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="approve_post"))
    return user


@requirement("reviews.step", "reviews.object", "reviews.records", "agents.tools.parity")
def test_every_step_of_a_review_is_a_call_of_a_tool(rita: User) -> None:
    writer, editor = known_as("Drafting agent", "read", "write"), known_as("Editing agent", "read", "publish")
    post = tool_answer(writer, "blog_save_draft", {"title": "Leeks", "body": "Leeks are sown in May."})["post"]["id"]

    def step(client: Client, **review: Any) -> Any:
        return tool_answer(client, "blog_update_post", {"id": post, "review": review})["post"]["review"]

    def listed(state: str) -> list[int]:
        return [card["id"] for card in tool_answer(writer, "blog_list_posts", {"review": state})["posts"]]

    def said() -> list[Any]:
        found: list[Any] = tool_answer(writer, "blog_get_post_records", {"id": post})["conversation"]
        return found

    assert step(writer, action="request", text="The month?", person="rita")["asked"] == "Rita Reviewer"
    assert (listed("requested"), listed("returned")) == ([post], [])
    assert step(writer, action="cancel") is None
    assert listed("requested") == []
    step(writer, action="request", person=str(rita.pk))
    step(editor, action="remark", text="March, I think.", passage="sown in May")
    assert step(editor, action="return", text="The month, please.")["state"] == "returned"
    assert (listed("requested"), listed("returned")) == ([], [post])
    remark = next(entry for entry in said() if entry["kind"] == "remark")
    assert (remark["passage"], remark["in_text"], remark["resolved_at"]) == ("sown in May", True, None)
    tool_answer(writer, "blog_update_post", {"id": post, "edits": [{"old": "May", "new": "March"}]})
    step(writer, action="answer", remark=remark["id"], text="Done.")
    assert step(writer, action="resolve", remark=remark["id"])["open_remarks"] == 0
    answer = next(entry for entry in said() if entry["kind"] == "answer")
    assert (answer["in_reply_to"], answer["actor"]) == (remark["id"], "Drafting agent")
    assert step(writer, action="request")["state"] == "requested"


@requirement("reviews.step", "reviews.person", "reviews.passage", "reviews.answer")
@pytest.mark.parametrize(
    ("review", "details"),
    [
        ({"action": "request", "person": "who"}, ["review.person"]),
        ({"action": "remark", "text": "No.", "passage": "not there"}, ["review.passage"]),
        ({"action": "remark", "text": ""}, ["review.text"]),
        ({"action": "answer", "text": "Yes."}, ["review"]),
        ({"action": "answer", "text": "Yes.", "remark": 9_999}, ["review.remark"]),
        ({"action": "resolve", "remark": 9_999}, ["review.remark"]),
        ({"action": "approve"}, ["review.action"]),
        ({}, ["review.action"]),
    ],
)
def test_a_faulty_step_is_refused_with_its_key(rita: User, review: Any, details: list[str]) -> None:
    writer = known_as("Drafting agent", "read", "write")
    post = tool_answer(writer, "blog_save_draft", {"title": "Leeks", "body": "Leeks."})["post"]["id"]

    assert tool_refusal(writer, "blog_update_post", {"id": post, "review": review}) == ("validation_failed", details)
