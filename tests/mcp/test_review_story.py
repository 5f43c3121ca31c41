"""An agent finds what a reviewer sent back, does it and asks again, with the tools alone."""

from typing import Any

import pytest
from django.test import Client

from blog_engine.actor import Scope
from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import make_secret, tool_answer, tool_refusal

pytestmark = pytest.mark.django_db


def known_as(name: str, *scopes: str) -> Client:
    secret = make_secret(name=name, scopes=scopes or tuple(Scope))
    return Client(headers={"Authorization": f"Bearer {secret}"})


def review(client: Client, post: int, **step: Any) -> Any:
    return tool_answer(client, "blog_update_post", {"id": post, "review": step})["post"]["review"]


@requirement("reviews.lists", "reviews.records", "agents.tools.parity")
def test_an_agent_does_what_it_was_sent_back_for() -> None:
    agent, editor = known_as("Drafting agent", "read", "write"), known_as("Rita Reviewer")
    draft = {"title": "Leeks", "body": "Leeks are sown in May.\n\nThey like sun.", "made_by_ai": True}
    post = tool_answer(agent, "blog_save_draft", draft)["post"]["id"]
    review(agent, post, action="request", text="Is the month right?")
    review(editor, post, action="remark", text="March, I think.", passage="sown in May")
    review(editor, post, action="return", text="Check the month, and name a source.")

    (card,) = tool_answer(agent, "blog_list_posts", {"review": "returned"})["posts"]
    assert (card["id"], card["review"]["returned_by"], card["review"]["open_remarks"]) == (post, "Rita Reviewer", 1)
    said = tool_answer(agent, "blog_get_post_records", {"id": post})["conversation"]
    (asked,) = [one for one in said if one["kind"] == "remark" and one["resolved_at"] is None]
    back = [one for one in said if one["kind"] == "return"][-1]
    edits = [{"old": "sown in May", "new": "sown in March"}, {"append": "Source: the seed packet."}]
    tool_answer(agent, "blog_update_post", {"id": post, "edits": edits})
    review(agent, post, action="resolve", remark=asked["id"])
    review(agent, post, action="answer", remark=back["id"], text="Both done.")
    again = review(agent, post, action="request", text="March, with its source.")

    assert (again["state"], again["open_remarks"]) == ("requested", 0)
    assert tool_answer(agent, "blog_list_posts", {"review": "returned"})["posts"] == []
    assert tool_answer(editor, "blog_search_posts", {"q": "leeks", "review": "requested"})["total"] == 1
    approval = {"revision_identifier": Post.objects.get().current_revision_identifier, "facts_checked": True}
    tool_answer(editor, "blog_approve_revision", {"id": post, "name": "Rita Reviewer", **approval})
    assert tool_answer(agent, "blog_get_post", {"id": post})["review"] is None


@requirement("reviews.step")
def test_a_tool_refuses_as_the_api_does() -> None:
    agent = known_as("Drafting agent", "read", "write")
    post = tool_answer(agent, "blog_save_draft", {"title": "Leeks"})["post"]["id"]

    step = {"id": post, "review": {"action": "return", "text": "No."}}
    assert tool_refusal(agent, "blog_update_post", step) == ("scope_required", ["publish"])
    both = {"id": post, "review": {"action": "request"}, "title": "Other"}
    assert tool_refusal(agent, "blog_update_post", both) == ("validation_failed", ["review", "title"])
