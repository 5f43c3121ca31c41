"""Expected versions, entity tags and dry runs over HTTP."""

from functools import partial
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support import factories
from tests.support.clients import client_with, refusal_in
from tests.support.tables import everything_stored, undone

pytestmark = pytest.mark.django_db

POSTS = "/blog/api/v1/posts"


@pytest.fixture
def frost() -> Post:
    return factories.save(slug="frost", body="Frost is a word.").post


def patch(client: Client, fields: dict[str, Any], **headers: str) -> Any:
    return client.patch(f"{POSTS}/frost", fields, content_type="application/json", headers=headers)


@requirement("api.etag")
@pytest.mark.usefixtures("frost")
def test_a_post_has_its_version_as_entity_tag(editor: Client) -> None:
    read = editor.get(f"{POSTS}/frost")
    written = patch(editor, {"title": "Ice"})
    listed = editor.get(POSTS)

    assert (read.headers["ETag"], read.json()["version"]) == ('"1"', 1)
    assert (written.headers["ETag"], written.json()["post"]["version"]) == ('"2"', 2)
    assert "ETag" not in listed.headers


WRITES = {
    "update": ("patch", "", {"title": "Mine"}),
    "publish": ("post", "/publish", {}),
    "unpublish": ("post", "/unpublish", {}),
    "remove": ("delete", "", {}),
    "connections": ("post", "/connections", {"connections": [], "third_party_paid": False, "declared_by": "Ines"}),
}


@requirement("api.if-match", "posts.expected")
def test_if_match_refuses_another_version(editor: Client, frost: Post, subtests: pytest.Subtests) -> None:
    editor.get(POSTS)  # notes the use of the token
    before = everything_stored()

    for method, path, sent in WRITES.values():
        with subtests.test(method=method, path=path, sent=sent), undone():
            write = partial(getattr(editor, method), f"{POSTS}/frost{path}", sent, content_type="application/json")

            refused = write(headers={"If-Match": '"2"'})

            assert refusal_in(refused) == (412, "revision_mismatch", ["expected_version"])
            assert everything_stored() == before
            assert write(headers={"If-Match": '"1"'}).status_code < 300


@requirement("api.if-match")
@pytest.mark.usefixtures("frost")
def test_if_match_takes_one_tag_of_a_post(editor: Client, subtests: pytest.Subtests) -> None:
    for tag in ['"1", "2"', "1", '"a"', 'W/"2"', 'w/"1"', ""]:
        with subtests.test(tag=tag), undone():
            assert patch(editor, {"title": "Mine"}, if_match=tag).status_code == 412


@requirement("api.etag", "api.if-match")
@pytest.mark.usefixtures("frost")
def test_the_tag_of_a_compressed_answer_is_accepted(editor: Client, settings: Settings) -> None:
    settings.MIDDLEWARE = ["django.middleware.gzip.GZipMiddleware", *settings.MIDDLEWARE]
    read = editor.get(f"{POSTS}/frost", headers={"Accept-Encoding": "gzip"})

    assert (read["Content-Encoding"], read["ETag"]) == ("gzip", 'W/"1"')
    assert patch(editor, {"title": "Mine"}, if_match=read["ETag"]).status_code == 200
    assert patch(editor, {"title": "Late"}, if_match=read["ETag"]).status_code == 412


@requirement("api.if-match")
@pytest.mark.usefixtures("frost")
@pytest.mark.parametrize("tag", ['"7"', "x"])
def test_other_faults_of_the_call_come_first(editor: Client, tag: str) -> None:
    assert patch(editor, {"title": ""}, if_match=tag).status_code == 422
    assert patch(editor, {"expected_version": "x"}, if_match=tag).status_code == 422
    assert patch(client_with("read"), {"title": "Mine"}, if_match=tag).status_code == 403


@requirement("api.if-match")
@pytest.mark.usefixtures("frost")
def test_if_match_with_a_star_expects_nothing(editor: Client) -> None:
    assert patch(editor, {"title": "Mine"}, if_match="*").status_code == 200


@requirement("api.if-match")
@pytest.mark.usefixtures("frost")
def test_header_and_field_must_agree(editor: Client) -> None:
    assert patch(editor, {"title": "Mine", "expected_version": 1}, if_match='"2"').status_code == 412
    assert patch(editor, {"title": "Mine", "expected_version": 1}, if_match='"1"').status_code == 200


@requirement("posts.expected")
@pytest.mark.usefixtures("frost")
def test_a_field_in_the_body_is_refused_with_409(editor: Client) -> None:
    refused = patch(editor, {"title": "Mine", "expected_version": 2})

    assert refusal_in(refused) == (409, "revision_mismatch", ["expected_version"])


@requirement("posts.expected", "posts.dry-run")
def test_a_removal_takes_them_from_the_query(editor: Client, frost: Post) -> None:
    tried = editor.delete(f"{POSTS}/frost?expected_version=1&dry_run=true")

    assert (tried.status_code, tried.json()["deleted"]) == (200, True)
    assert Post.objects.filter(pk=frost.pk).exists()
    assert editor.delete(f"{POSTS}/frost?expected_version=2").status_code == 409
    assert editor.delete(f"{POSTS}/frost?expected_version=1&dry_run=false").status_code == 204


@requirement("posts.dry-run")
@pytest.mark.parametrize(
    ("path", "sent"),
    [("", {"title": "New"}), ("", {"title": "New", "publish": True, "publish_at": "2999-01-01T00:00:00Z"})],
    ids=["create", "schedule"],
)
def test_a_dry_run_answers_200_without_a_tag(editor: Client, path: str, sent: dict[str, Any]) -> None:
    response = editor.post(POSTS + path, sent | {"dry_run": True}, content_type="application/json")
    answer = response.json()

    assert (response.status_code, "ETag" in response.headers) == (200, False)
    assert (answer["dry_run"], answer["created"], answer["post"]["preview_url"]) == (True, True, None)
    assert "+title: New" in answer["difference"]
    assert not Post.objects.exists()


@requirement("posts.dry-run")
@pytest.mark.usefixtures("frost")
def test_only_a_dry_run_has_its_keys(editor: Client) -> None:
    tried = patch(editor, {"edits": [{"old": "Frost", "new": "Snow"}], "dry_run": True}).json()
    written = patch(editor, {"edits": [{"old": "Frost", "new": "Snow"}]}).json()

    assert tried.keys() - written.keys() == {"dry_run", "deleted", "difference", "truncated"}
    assert tried["post"]["revision_identifier"] == written["post"]["revision_identifier"]
    assert "-Frost is a word." in tried["difference"]
