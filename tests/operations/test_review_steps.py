"""The steps of a review over the API: one field of the update of a post."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from blog_engine.mcp.registry import TOOLS
from blog_engine.models import Post, Remark
from tests.requirements import fields_below, requirement
from tests.support.clients import make_secret, refusal_in
from tests.support.factories import save

pytestmark = pytest.mark.django_db

POSTS = "/blog/api/v1/posts"
REVIEW = {
    **dict.fromkeys(("state", "requested_by", "requested_at", "asked", "returned_by", "returned_at")),
    "open_remarks": 0,
}


def known_as(name: str, *scopes: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {make_secret(name=name, scopes=scopes)}"})


@pytest.fixture
def writer() -> Client:
    return known_as("Drafting agent", "read", "write")


@pytest.fixture
def editor() -> Client:
    return known_as("Rita Reviewer", "read", "publish")


def step(client: Client, post: Post, review: Any, **others: Any) -> Any:
    return client.patch(f"{POSTS}/{post.pk}", {"review": review, **others}, content_type="application/json")


def done(client: Client, post: Post, **review: Any) -> Any:
    answer = step(client, post, review)
    assert answer.status_code == 200, answer.content
    return answer.json()["post"]["review"]


def conversation(client: Client, post: Post) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"{POSTS}/{post.pk}/records").json()["conversation"]
    return found


@requirement("reviews.object", "reviews.records", "access.scopes.edit")
def test_a_review_goes_back_and_forth(writer: Client, editor: Client) -> None:
    rita = User.objects.create_user("rita", first_name="Rita", last_name="Reviewer", is_staff=True)
    rita.user_permissions.add(Permission.objects.get(codename="approve_post"))
    post = save(body="Leeks are sown in March.").post
    assert writer.get(f"{POSTS}/{post.pk}").json()["review"] is None

    asked = done(writer, post, action="request", text="The month?", person="rita")
    assert asked == REVIEW | {
        "state": "requested",
        "requested_by": "Drafting agent",
        "requested_at": asked["requested_at"],
        "asked": "Rita Reviewer",
    }
    noted = done(editor, post, action="remark", text="Where?", passage="sown in March")
    assert noted == asked | {"open_remarks": 1}
    returned = done(editor, post, action="return", text="A source, please.")
    assert returned == REVIEW | {
        "state": "returned",
        "returned_by": "Rita Reviewer",
        "returned_at": returned["returned_at"],
        "open_remarks": 1,
    }

    said = conversation(writer, post)
    assert [(one["kind"], one["text"], one["asked"]) for one in said] == [
        ("request", "The month?", "Rita Reviewer"),
        ("remark", "Where?", None),
        ("return", "A source, please.", None),
    ]
    assert list(said[0]) == list(fields_below("reviews.records", page="reviews.md"))
    assert (said[1]["passage"], said[1]["in_text"], said[1]["resolved_at"]) == ("sown in March", True, None)
    assert {one["revision_identifier"] for one in said} == {post.current_revision_identifier}

    done(writer, post, action="answer", remark=said[2]["id"], text="Added.")
    assert done(writer, post, action="resolve", remark=str(said[1]["id"])) == returned | {"open_remarks": 0}
    last = conversation(writer, post)
    assert (last[-1]["kind"], last[-1]["in_reply_to"]) == ("answer", said[2]["id"])
    assert (last[1]["resolved_by"], last[1]["in_text"]) == ("Drafting agent", None)

    assert done(writer, post, action="request")["state"] == "requested"
    assert done(writer, post, action="cancel") is None


@requirement("reviews.lists")
def test_lists_tell_whose_turn_it_is(writer: Client, editor: Client) -> None:
    asked, back, other = (save(title=title, body="Leeks.").post for title in ("Asked", "Back", "Other"))
    done(writer, asked, action="request")
    done(writer, back, action="request")
    done(editor, back, action="return", text="No.")
    done(editor, other, action="remark", text="Why?")

    def listed(query: str) -> list[int]:
        return [one["id"] for one in writer.get(f"{POSTS}?{query}").json()["posts"]]

    assert listed("review=requested") == [asked.pk]
    assert listed("review=returned") == [back.pk]
    assert listed("review=returned&q=leeks") == [back.pk]
    cards = {one["id"]: one["review"] for one in writer.get(POSTS).json()["posts"]}
    for post in (asked, back, other):
        assert cards[post.pk] == writer.get(f"{POSTS}/{post.pk}").json()["review"]
    assert cards[other.pk] == REVIEW | {"open_remarks": 1}
    assert refusal_in(writer.get(f"{POSTS}?review=done")) == (422, "validation_failed", ["review"])


@requirement("reviews.step")
@pytest.mark.parametrize(
    ("review", "details"),
    [
        ({}, ["review.action"]),
        ({"action": "publish"}, ["review.action"]),
        ({"action": "return"}, ["review"]),
        ({"action": "return", "text": " "}, ["review.text"]),
        ({"action": "remark", "passage": "Leeks"}, ["review"]),
        ({"action": "answer", "text": "Yes."}, ["review"]),
        ({"action": "answer", "text": "Yes.", "remark": 0}, ["review.remark"]),
        ({"action": "resolve"}, ["review"]),
        ({"action": "resolve", "remark": 1, "text": "Done."}, ["review"]),
        ({"action": "cancel", "text": "No."}, ["review"]),
        ({"action": "request", "passage": "Leeks"}, ["review"]),
        ({"action": "remark", "text": "a" * 4001}, ["review.text"]),
        ({"action": "remark", "text": "Why?", "passage": "a" * 1001}, ["review.passage"]),
        ("request", ["review"]),
    ],
)
def test_a_step_of_another_shape_is_refused(writer: Client, review: Any, details: list[str]) -> None:
    post = save(body="Leeks.").post

    assert refusal_in(step(writer, post, review)) == (422, "validation_failed", details)


@requirement("reviews.step")
def test_an_unknown_key_is_named(writer: Client) -> None:
    review = {"action": "request", "reviewer": "rita"}

    assert refusal_in(step(writer, save().post, review)) == (422, "unknown_field", ["review.reviewer"])


@requirement("reviews.step")
def test_a_step_goes_alone(writer: Client) -> None:
    post, review = save().post, {"action": "request"}

    refused = step(writer, post, review, title="Other", dry_run=True)
    assert refusal_in(refused) == (422, "validation_failed", ["review", "dry_run", "title"])
    assert (Post.objects.get().title, Remark.objects.count()) == ("Winter garden", 0)

    version = {"expected_version": post.version, "with_body": False, "propose": False, "dry_run": False}
    assert step(writer, post, review, **version).status_code == 200
    assert refusal_in(step(writer, post, {"action": "cancel"}, expected_version=post.version)) == (
        *(409, "revision_mismatch"),
        ["expected_version"],
    )


@requirement("reviews.step")
def test_null_is_no_step(writer: Client) -> None:
    post = save().post

    assert step(writer, post, None, title="Other").json()["post"]["title"] == "Other"


@pytest.mark.parametrize(
    ("scopes", "review", "missing"),
    [
        (("read",), {"action": "request"}, "write"),
        (("read", "write"), {"action": "return", "text": "No."}, "publish"),
        (("read", "publish"), {"action": "request"}, "write"),
        (("read",), {"action": "remark", "text": "Why?"}, "write"),
    ],
)
def test_a_step_needs_its_scope(scopes: tuple[str, ...], review: dict[str, Any], missing: str) -> None:
    assert refusal_in(step(known_as("One", *scopes), save().post, review)) == (403, "scope_required", [missing])


def test_a_correction_takes_no_step() -> None:
    assert "review" in TOOLS["blog_update_post"].input_schema["properties"]
    assert "review" not in TOOLS["blog_correct_post"].input_schema["properties"]
