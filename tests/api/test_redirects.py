"""``/redirects`` (service.md section 4.1)."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from blog_engine.models import Redirect
from tests.api.expecting import assert_json, refused
from tests.callers import client_with
from tests.factories import save, unpublish
from tests.requirements import requirement

pytestmark = pytest.mark.django_db

REDIRECTS = "/blog/api/v1/redirects"


@pytest.fixture
def editor() -> Client:
    return client_with("read", "write", "publish")


def move(client: Client, **fields: Any) -> Any:
    return client.post(REDIRECTS, fields, content_type="application/json")


@requirement("redirect:object", "redirect:statuses")
def test_a_move_is_recorded(editor: Client) -> None:
    post = save(slug="soil").post

    response = move(editor, old_path="/blog/old", new_path="soil", post_id=post.pk, occurred_on="2020-02-29")

    assert_json(response)
    row = Redirect.objects.get()
    assert response.status_code == 201
    assert response.json() == {
        "id": row.pk,
        "old_path": "/blog/old",
        "new_path": "/blog/soil",
        "source": "manual",
        "occurred_on": "2020-02-29",
        "post_id": post.pk,
        "findings": [],
    }


@requirement("redirect:findings")
@pytest.mark.parametrize("old_path", ["/old", "/blogger", "/"])
def test_a_path_that_the_blog_does_not_serve_is_answered_with_a_finding(editor: Client, old_path: str) -> None:
    (finding,) = move(editor, old_path=old_path).json()["findings"]

    assert (finding["code"], finding["rule"], finding["location"]) == ("redirect_not_served", None, "old_path")
    assert Redirect.objects.get().old_path == old_path


@requirement("redirect:findings")
def test_a_path_outside_the_blog_that_the_middleware_serves_is_no_finding(editor: Client, settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "blog_engine.middleware.RedirectMiddleware"]

    assert move(editor, old_path="/old").json()["findings"] == []


@requirement("redirect:findings")
def test_listed_redirects_have_no_findings(editor: Client) -> None:
    move(editor, old_path="/old")

    (row,) = editor.get(REDIRECTS).json()["redirects"]

    assert row.keys() == {"id", "old_path", "new_path", "source", "occurred_on", "post_id"}


@requirement("redirect:fields", "redirect:day")
def test_a_removal_is_recorded_today(editor: Client) -> None:
    answer = move(editor, old_path="/old").json()

    assert (answer["new_path"], answer["post_id"]) == (None, None)
    assert answer["occurred_on"] == timezone.localdate().isoformat()


@requirement("record:lists")
def test_redirects_are_listed_by_id_with_those_of_posts(editor: Client) -> None:
    unpublish(save(slug="soil", publish=True).post)
    for number in range(3):
        move(editor, old_path=f"/old-{number}")

    first = editor.get(REDIRECTS, {"per_page": 3}).json()
    second = editor.get(f"{REDIRECTS}?per_page=3&page=2").json()

    assert [row["old_path"] for row in first["redirects"]] == ["/blog/soil", "/old-0", "/old-1"]
    assert [row["source"] for row in first["redirects"]] == ["unpublish", "manual", "manual"]
    assert first | {"redirects": []} == {"redirects": [], "page": 1, "per_page": 3, "total": 4}
    assert [row["old_path"] for row in second["redirects"]] == ["/old-2"]


@requirement("record:queries")
def test_the_list_costs_the_same_for_any_number(editor: Client) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert editor.get(REDIRECTS).status_code == 200
        return len(queries)

    move(editor, old_path="/a", post_id=save().post.pk)
    few = count()
    for number in range(20):
        move(editor, old_path=f"/{number}")

    assert count() == few


@requirement("redirect:statuses")
def test_a_redirect_is_deleted_once(editor: Client) -> None:
    address = f"{REDIRECTS}/{move(editor, old_path='/old').json()['id']}"

    deleted, again = editor.delete(address), editor.delete(address)

    assert (deleted.status_code, deleted.content) == (204, b"")
    assert refused(again) == (404, "not_found", [])


def test_deleting_a_redirect_takes_no_input(editor: Client) -> None:
    address = f"{REDIRECTS}/{move(editor, old_path='/old').json()['id']}"

    assert refused(editor.delete(f"{address}?redirect_to=soil")) == (422, "unknown_field", ["redirect_to"])
    assert Redirect.objects.exists()


@requirement("redirect:statuses")
@pytest.mark.parametrize("key", ["x", "0", "999999"])
def test_an_unknown_redirect_is_not_found(editor: Client, key: str) -> None:
    assert refused(editor.delete(f"{REDIRECTS}/{key}")) == (404, "not_found", [])


@requirement("redirect:once")
@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        ({}, (422, "validation_failed", ["old_path"])),
        ({"old_path": "/blog/soil"}, (409, "slug_reserved", [])),
        ({"old_path": "/taken/"}, (422, "validation_failed", ["old_path"])),
        ({"old_path": "/old", "new_path": "/old"}, (422, "validation_failed", ["new_path"])),
        ({"old_path": "/old", "post_id": 999_999}, (404, "not_found", [])),
        ({"old_path": "/old", "post_id": "1"}, (422, "validation_failed", ["post_id"])),
        ({"old_path": "/old", "occurred_on": None}, (422, "validation_failed", ["occurred_on"])),
        (
            {"old_path": "old", "new_path": "", "post_id": 0},
            (422, "validation_failed", ["old_path", "new_path", "post_id"]),
        ),
        ({"old_path": "/old", "source": "removal"}, (422, "unknown_field", ["source"])),
    ],
)
def test_a_wrong_redirect_is_refused(
    editor: Client, fields: dict[str, Any], answer: tuple[int, str, list[str]]
) -> None:
    save(slug="soil")
    move(editor, old_path="/taken")

    assert refused(move(editor, **fields)) == answer
    assert Redirect.objects.count() == 1


@requirement("redirect:scopes")
def test_reading_needs_read_and_changing_needs_publish() -> None:
    row = move(client_with("publish"), old_path="/old").json()
    drafter = client_with("read", "write")

    assert drafter.get(REDIRECTS).status_code == 200
    assert refused(client_with("publish").get(REDIRECTS)) == (403, "scope_required", ["read"])
    assert refused(move(drafter, old_path="x")) == (403, "scope_required", ["publish"])
    assert refused(drafter.delete(f"{REDIRECTS}/{row['id']}")) == (403, "scope_required", ["publish"])


@requirement("redirect:unedited")
def test_redirects_are_not_edited(editor: Client) -> None:
    address = f"{REDIRECTS}/{move(editor, old_path='/old').json()['id']}"

    assert refused(editor.get(address)) == (405, "method_not_allowed", [])
    assert refused(editor.patch(address, {}, content_type="application/json")) == (405, "method_not_allowed", [])
