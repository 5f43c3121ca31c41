"""Expected versions, entity tags and dry runs over HTTP."""

from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.models import PolicyPage, Post
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


@requirement("api.input.headers")
@pytest.mark.usefixtures("frost")
def test_a_patch_can_be_sent_as_a_merge_patch(editor: Client) -> None:
    sent = {"description": None, "title": "Ice"}
    kind = "application/merge-patch+json"

    answer = editor.patch(f"{POSTS}/frost", sent, content_type=kind)

    assert (answer.status_code, answer.json()["post"]["title"]) == (200, "Ice")
    assert editor.patch(f"{POSTS}/frost", sent, content_type="application/json-patch+json").status_code == 415
    assert editor.post(POSTS, sent, content_type=kind).status_code == 415


@requirement("api.input.query.lists")
@pytest.mark.usefixtures("frost")
@pytest.mark.parametrize("query", ["fields=title&fields=tags", "fields=title,tags", "fields=title,tags&fields=slug"])
def test_a_list_in_a_query_has_two_forms(editor: Client, query: str) -> None:
    answer = editor.get(f"{POSTS}/frost?{query}")

    assert answer.json().keys() - {"slug"} == {"id", "version", "revision_identifier", "title", "tags"}


KNOWN = ['"1"', 'W/"1"', '"9", "1"', 'W/"7" , W/"1"', "*", ' "1" ']
OTHERS = ['"2"', '"01x"', "1", "", '"1x"', '"1', "W/1", '"9","8"', '"*"']


@requirement("api.if-none-match")
@pytest.mark.usefixtures("frost")
@pytest.mark.parametrize("query", ["", "?fields=title", "?outline=true"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_a_version_that_is_known_is_not_sent_again(
    editor: Client, method: str, query: str, subtests: pytest.Subtests
) -> None:
    for tags in KNOWN + OTHERS:
        with subtests.test(tags=tags):
            answer = getattr(editor, method)(f"{POSTS}/frost{query}", headers={"If-None-Match": tags})

            assert answer.status_code == (304 if tags in KNOWN else 200)
            assert (answer.headers["ETag"], answer.headers["Cache-Control"]) == ('"1"', "no-store")
            assert bool(answer.content) is (tags in OTHERS and method == "get")
            assert ("Content-Type" in answer.headers) is (tags in OTHERS)
            assert "RateLimit-Remaining" in answer.headers


@requirement("api.if-none-match")
@pytest.mark.usefixtures("frost")
def test_a_change_makes_the_known_version_old(editor: Client) -> None:
    tag = editor.get(f"{POSTS}/frost").headers["ETag"]
    patch(editor, {"title": "Ice"})

    answer = editor.get(f"{POSTS}/frost", headers={"If-None-Match": tag})

    assert (answer.status_code, answer.json()["title"], answer.headers["ETag"]) == (200, "Ice", '"2"')


@requirement("api.if-none-match")
@pytest.mark.usefixtures("frost")
def test_a_read_that_fails_has_no_condition(editor: Client) -> None:
    for path, status in [("none", 404), ("frost?section=none", 422), ("frost?fields=x", 422), ("frost?x=1", 422)]:
        for header in ({"If-None-Match": "*"}, {"If-Match": '"7"'}):
            answer = editor.get(f"{POSTS}/{path}", headers=header)
            assert answer.status_code in {status, 404}, path


@requirement("api.if-none-match")
@pytest.mark.usefixtures("frost")
def test_if_match_comes_first_when_a_post_is_read(editor: Client) -> None:
    def read(match: str, none: str) -> Any:
        return editor.get(f"{POSTS}/frost", headers={"If-Match": match, "If-None-Match": none})

    assert refusal_in(read('"2"', '"1"')) == (412, "revision_mismatch", ["expected_version"])
    assert read('"3", "1"', '"1"').status_code == 304
    assert read('"1"', '"2"').status_code == 200
    assert read("*", "*").status_code == 304


@requirement("api.if-none-match")
@pytest.mark.usefixtures("frost")
def test_a_known_version_costs_one_query_for_the_post(editor: Client) -> None:
    editor.get(f"{POSTS}/frost")

    with CaptureQueriesContext(connection) as whole:
        editor.get(f"{POSTS}/frost")
    with CaptureQueriesContext(connection) as known:
        editor.get(f"{POSTS}/frost", headers={"If-None-Match": '"1"'})

    # One for the token, one for the version.
    assert len(known) == 2 < len(whole)


@requirement("api.if-none-match.write")
def test_if_none_match_with_a_star_only_creates(editor: Client) -> None:
    def save(title: str) -> Any:
        sent = {"title": title, "slug": "frost", "body": "Frost."}
        return editor.post(POSTS, sent, content_type="application/json", headers={"If-None-Match": "*"})

    assert save("Frost").status_code == 201
    before = everything_stored()
    refused = save("Ice")
    assert refusal_in(refused) == (412, "revision_mismatch", ["expected_version"])
    assert "leave If-None-Match out" in refused.json()["error"]["message"]
    assert everything_stored() == before
    assert editor.post(POSTS, {"title": "Ice", "slug": "frost"}, content_type="application/json").status_code == 200


@requirement("api.if-none-match.write")
def test_a_write_to_what_is_there_never_creates(editor: Client, frost: Post, subtests: pytest.Subtests) -> None:
    editor.get(POSTS)  # notes the use of the token
    before = everything_stored()

    for none, match in [("*", None), ('"2"', None), ('"1"', None), ("*", '"1"'), ('"2"', '"1"')]:
        for method, path, sent in [*WRITES.values(), ("post", "../", {"slug": "frost", "title": "Mine"})]:
            with subtests.test(none=none, match=match, method=method, path=path):
                url = POSTS if path == "../" else f"{POSTS}/frost{path}"
                headers = {"If-None-Match": none} | ({"If-Match": match} if match else {})

                refused = getattr(editor, method)(url, sent, content_type="application/json", headers=headers)

                assert refusal_in(refused) == (412, "revision_mismatch", ["expected_version"])
    assert everything_stored() == before


@requirement("api.if-none-match.write")
def test_a_policy_page_is_only_created_with_a_star(editor: Client) -> None:
    def put(title: str, **headers: str) -> Any:
        url = "/blog/api/v1/pages/editorial"
        return editor.put(url, {"title": title}, content_type="application/json", headers=headers)

    assert put("How we work", if_none_match="*").status_code == 201
    refused = put("Other", if_none_match="*")
    assert refusal_in(refused) == (412, "revision_mismatch", [])
    assert PolicyPage.objects.get().title == "How we work"
    assert put("Other", if_none_match='"1"').status_code == 200


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
