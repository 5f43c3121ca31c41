"""The endpoints of posts and their success statuses."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from blog_engine.models import Post
from blog_engine.outputs.posts import FullPost
from tests.requirements import requirement
from tests.support import factories
from tests.support.clients import assert_json, client_with, refusal_in
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

POSTS = "/blog/api/v1/posts"
IN_A_YEAR = (datetime.now(UTC) + timedelta(days=365)).isoformat()


def post(client: Client, path: str, fields: dict[str, Any] | None = None) -> Any:
    return client.post(POSTS + path, fields or {}, content_type="application/json")


def patch(client: Client, path: str, fields: dict[str, Any]) -> Any:
    return client.patch(POSTS + path, fields, content_type="application/json")


@requirement(
    "api.base-path",
    "posts.create.draft",
    "posts.create.public",
    "posts.schedule.answer",
    "posts.object.status",
    "posts.statuses",
)
@pytest.mark.parametrize(
    ("fields", "status", "state"),
    [
        ({}, 201, "draft"),
        ({"publish": True}, 201, "published"),
        ({"publish": True, "publish_at": IN_A_YEAR}, 202, "scheduled"),
    ],
)
def test_creating_answers_201_or_202_when_the_post_waits(
    editor: Client, fields: dict[str, Any], status: int, state: str
) -> None:
    response = post(editor, "", {"title": "Frost"} | fields)

    assert_json(response)
    assert (response.status_code, response.json()["post"]["status"]) == (status, state)
    assert response.json()["created"] is True


@requirement("posts.statuses", "posts.upsert.target")
def test_saving_again_answers_200(editor: Client) -> None:
    post(editor, "", {"title": "Frost", "external_id": "f"})

    response = post(editor, "", {"title": "Frost again", "external_id": "f"})

    assert (response.status_code, response.json()["created"]) == (200, False)


@requirement("posts.schedule.answer")
def test_saving_a_scheduled_post_again_answers_202(editor: Client) -> None:
    post(editor, "", {"title": "Frost", "external_id": "f", "publish": True, "publish_at": IN_A_YEAR})

    response = post(editor, "", {"title": "Frost", "external_id": "f"})

    assert (response.status_code, response.json()["post"]["status"]) == (202, "scheduled")


@requirement("posts.publish.first", "posts.schedule.answer", "api.id-or-slug")
@pytest.mark.parametrize(
    ("fields", "status", "state"), [({}, 200, "published"), ({"publish_at": IN_A_YEAR}, 202, "scheduled")]
)
def test_publishing_answers_200_or_202_when_the_post_waits(
    editor: Client, fields: dict[str, Any], status: int, state: str
) -> None:
    stored = factories.save(slug="frost").post

    response = post(editor, f"/{stored.slug}/publish", fields)

    assert (response.status_code, response.json()["post"]["status"]) == (status, state)
    assert response.json()["created"] is False


@requirement("posts.statuses")
@pytest.mark.parametrize("state", [{}, {"publish": True, "publish_at": "2999-01-01T00:00:00Z"}])
def test_editing_answers_200_in_every_state(editor: Client, state: dict[str, Any]) -> None:
    stored = factories.save(**state).post

    response = patch(editor, f"/{stored.pk}", {"featured": True})

    assert (response.status_code, response.json()["post"]["featured"]) == (200, True)


@requirement("posts.delete.draft", "posts.statuses")
def test_deleting_a_draft_answers_204(editor: Client) -> None:
    stored = factories.save().post

    response = editor.delete(f"{POSTS}/{stored.pk}")

    assert (response.status_code, response.content) == (204, b"")
    assert not Post.objects.exists()


@requirement("posts.delete.archive", "posts.object.status")
def test_deleting_a_post_with_history_answers_200(editor: Client) -> None:
    stored = factories.save(publish=True).post

    response = editor.delete(f"{POSTS}/{stored.pk}")

    assert (response.status_code, response.json()["post"]["status"]) == (200, "archived")


def test_withdrawing_approving_and_declaring_answer_200(editor: Client) -> None:
    stored = factories.save(publish=True).post
    approval = {
        "revision_identifier": stored.current_revision_identifier,
        "name": "Rosa Reviewer",
        "facts_checked": True,
    }
    declaration = {"connections": [], "third_party_paid": False, "declared_by": "Ines Editor"}

    answers = [
        post(editor, f"/{stored.pk}/approvals", approval),
        post(editor, f"/{stored.pk}/connections", declaration),
        post(editor, f"/{stored.pk}/unpublish"),
    ]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    keys = ("post", "created", "records", "label", "findings", "redirects")
    assert {tuple(answer.json()) for answer in answers} == {keys}


@requirement("api.id-or-slug")
def test_what_belongs_to_a_post_is_read_by_its_id_or_slug(editor: Client, subtests: pytest.Subtests) -> None:
    stored = factories.save().post

    records = ["revisions", "approvals", "publications", "baseline", "connections", "proposals", "versions"]
    for by in ["pk", "slug"]:
        for path, keys in [
            ("/records", [*records, "conversation"]),
            ("/findings", ["findings"]),
            ("/preview", ["preview_url", "review_url", "revision_identifier", "expires_at"]),
        ]:
            with subtests.test(path=path, keys=keys, by=by), undone():
                response = editor.get(f"{POSTS}/{getattr(stored, by)}{path}")

                assert (response.status_code, list(response.json())) == (200, keys)


@requirement("posts.read", "api.paths.slash")
def test_a_post_is_read_unwrapped(editor: Client) -> None:
    stored = factories.save().post

    response = editor.get(f"{POSTS}/{stored.pk}/")

    assert (response.status_code, response.json()["id"], len(response.json())) == (
        200,
        stored.pk,
        len(FullPost.model_fields),
    )


@requirement("refusals.not-found", "api.input.unstorable")
def test_a_post_that_does_not_exist_is_not_found(editor: Client, subtests: pytest.Subtests) -> None:
    for identifier in ["404", "nothing", "9" * 30, "a%00b", "%C3%A9", "0", "-1", "1.0", "A"]:
        with subtests.test(identifier=identifier):
            assert refusal_in(editor.get(f"{POSTS}/{identifier}")) == (404, "not_found", [])


@requirement("access.scopes.create", "access.order")
@pytest.mark.parametrize(
    ("fields", "scope"), [({"title": "Frost"}, "write"), ({"title": "Frost", "publish": True}, "publish")]
)
def test_creating_needs_its_scope_once_the_shape_is_right(fields: dict[str, Any], scope: str) -> None:
    client = client_with(*({"read", "write", "publish"} - {scope}))

    answers = [post(client, "", fields | {"unknown": 1}), post(client, "", fields)]

    assert [refusal_in(answer) for answer in answers] == [
        (422, "unknown_field", ["unknown"]),
        (403, "scope_required", [scope]),
    ]
    assert not Post.objects.exists()


@requirement("access.scopes.edit")
@pytest.mark.parametrize(("state", "scope"), [({}, "write"), ({"publish": True}, "publish")])
def test_editing_needs_the_scope_of_the_state(state: dict[str, Any], scope: str) -> None:
    stored = factories.save(**state).post
    client = client_with(*({"read", "write", "publish"} - {scope}))

    assert refusal_in(patch(client, f"/{stored.pk}", {"featured": True})) == (403, "scope_required", [scope])
