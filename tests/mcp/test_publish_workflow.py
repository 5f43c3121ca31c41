"""The records of the packaged publish workflow: draft, approve or schedule, publish without fields."""

import pytest
from django.test import Client

from blog_engine.actor import Scope
from blog_engine.models import Publication
from tests.requirements import requirement
from tests.support.clients import make_secret, tool_answer

pytestmark = pytest.mark.django_db

DRAFT = {"external_id": "agent-1", "title": "Frost", "body": "Cover the roots.", "made_by_ai": True}


def known_as(name: str, *scopes: str) -> Client:
    secret = make_secret(name=name, scopes=scopes or tuple(Scope))
    return Client(headers={"Authorization": f"Bearer {secret}"})


@requirement("history.authorship")
@pytest.mark.parametrize("approved", [False, True])
def test_the_agent_is_the_author_of_what_the_editor_releases(approved: bool) -> None:
    agent, editor = known_as("Drafting agent", "read", "write"), known_as("Ines Editor")
    post = tool_answer(agent, "blog_save_draft", DRAFT)["post"]

    if approved:
        approval = {"revision_identifier": post["revision_identifier"], "name": "Ines", "facts_checked": True}
        tool_answer(editor, "blog_approve_revision", {"id": post["id"], **approval})
    tool_answer(editor, "blog_publish_post", {"id": post["id"]})

    (revision,) = tool_answer(agent, "blog_get_post_records", {"id": post["id"]})["revisions"]
    assert (revision["actor"], revision["made_by_ai"]) == ("Drafting agent", True)
    assert Publication.objects.get().released_by == "Ines Editor"


@requirement("history.authorship")
def test_the_api_records_the_same() -> None:
    agent, editor = known_as("Drafting agent", "read", "write"), known_as("Ines Editor")
    posts = "/blog/api/v1/posts"
    post = agent.post(posts, DRAFT, content_type="application/json").json()["post"]

    released = editor.post(f"{posts}/{post['id']}/publish", {}, content_type="application/json")

    assert released.json()["records"] == {"revision": "new", "publication": "first", "approval": None}
    (revision,) = agent.get(f"{posts}/{post['id']}/records").json()["revisions"]
    assert (revision["actor"], revision["made_by_ai"]) == ("Drafting agent", True)
