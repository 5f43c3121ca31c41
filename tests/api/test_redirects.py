"""``/redirects``."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.models import Redirect
from tests.requirements import requirement
from tests.support.clients import assert_json, refusal_in
from tests.support.factories import save, unpublish
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

REDIRECTS = "/blog/api/v1/redirects"


def move(client: Client, **fields: Any) -> Any:
    return client.post(REDIRECTS, fields, content_type="application/json")


@requirement("redirects.object", "redirects.statuses")
def test_a_move_is_recorded(editor: Client) -> None:
    post = save(slug="soil", publish=True).post

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
        "records": {"redirect": "new"},
        "findings": [],
    }


@requirement("redirects.findings")
@pytest.mark.parametrize("old_path", ["/old", "/blogger", "/"])
def test_a_path_that_the_blog_does_not_serve_is_answered_with_a_finding(editor: Client, old_path: str) -> None:
    (finding,) = move(editor, old_path=old_path).json()["findings"]

    assert (finding["code"], finding["rule"], finding["location"]) == ("redirect_not_served", None, "old_path")
    assert Redirect.objects.get().old_path == old_path


@requirement("redirects.findings")
@pytest.mark.parametrize(
    ("new_path", "codes"),
    [
        ("soil", ["redirect_target_missing"]),
        ("/blog/none", ["redirect_target_missing"]),
        ("ferry", []),
        ("/blog/feed.xml", []),
        ("/elsewhere", []),
        ("https://other.example/", []),
        (None, []),
    ],
)
def test_a_target_without_a_page_is_answered_with_a_finding(
    editor: Client, new_path: str | None, codes: list[str]
) -> None:
    save(slug="soil")
    save(slug="ferry", publish=True)

    findings = move(editor, old_path="/blog/old", new_path=new_path).json()["findings"]

    assert [finding["code"] for finding in findings] == codes
    assert {finding["location"] for finding in findings} <= {"new_path"}


@requirement("redirects.findings")
def test_a_path_outside_the_blog_that_the_middleware_serves_is_no_finding(editor: Client, settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "blog_engine.middleware.RedirectMiddleware"]

    assert move(editor, old_path="/old").json()["findings"] == []


@requirement("redirects.findings")
def test_listed_redirects_have_no_findings(editor: Client) -> None:
    move(editor, old_path="/old")

    (row,) = editor.get(REDIRECTS).json()["redirects"]

    assert row.keys() == {"id", "old_path", "new_path", "source", "occurred_on", "post_id"}


@requirement("api.lists.envelope")
def test_redirects_are_listed_by_id_with_those_of_posts(editor: Client) -> None:
    unpublish(save(slug="soil", publish=True).post)
    for number in range(3):
        move(editor, old_path=f"/old-{number}")

    first = editor.get(REDIRECTS, {"per_page": 3}).json()
    second = editor.get(f"{REDIRECTS}?per_page=3&page=2").json()

    assert [row["old_path"] for row in first["redirects"]] == ["/blog/soil", "/old-0", "/old-1"]
    assert [row["source"] for row in first["redirects"]] == ["unpublish", "manual", "manual"]
    assert first.pop("next_cursor")
    assert first | {"redirects": []} == {"redirects": [], "page": 1, "per_page": 3, "total": 4}
    assert [row["old_path"] for row in second["redirects"]] == ["/old-2"]


@requirement("api.lists.queries")
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


@requirement("redirects.statuses")
def test_a_redirect_is_deleted_once(editor: Client) -> None:
    address = f"{REDIRECTS}/{move(editor, old_path='/old').json()['id']}"

    deleted, again = editor.delete(address), editor.delete(address)

    assert (deleted.status_code, deleted.content) == (204, b"")
    assert refusal_in(again) == (404, "not_found", [])


def test_deleting_a_redirect_takes_no_input(editor: Client) -> None:
    address = f"{REDIRECTS}/{move(editor, old_path='/old').json()['id']}"

    assert refusal_in(editor.delete(f"{address}?redirect_to=soil")) == (422, "unknown_field", ["redirect_to"])
    assert Redirect.objects.exists()


@requirement("redirects.statuses")
@pytest.mark.parametrize("key", ["x", "0", "999999"])
def test_an_unknown_redirect_is_not_found(editor: Client, key: str) -> None:
    assert refusal_in(editor.delete(f"{REDIRECTS}/{key}")) == (404, "not_found", [])


@requirement("redirects.once")
def test_a_wrong_redirect_is_refused(editor: Client, subtests: pytest.Subtests) -> None:
    save(slug="soil")
    move(editor, old_path="/taken")

    for fields, answer in [
        ({}, (422, "validation_failed", ["old_path"])),
        ({"old_path": "/blog/soil"}, (409, "slug_reserved", [])),
        ({"old_path": "/taken/", "new_path": "/x"}, (422, "validation_failed", ["old_path"])),
        ({"old_path": "/old", "new_path": "/old"}, (422, "validation_failed", ["new_path"])),
        ({"old_path": "/old", "post_id": 999_999}, (404, "not_found", [])),
        ({"old_path": "/old", "post_id": "1"}, (422, "validation_failed", ["post_id"])),
        ({"old_path": "/old", "occurred_on": None}, (422, "validation_failed", ["occurred_on"])),
        (
            {"old_path": "old", "new_path": "", "post_id": 0},
            (422, "validation_failed", ["old_path", "new_path", "post_id"]),
        ),
        ({"old_path": "/old", "source": "removal"}, (422, "unknown_field", ["source"])),
    ]:
        with subtests.test(fields=fields, answer=answer), undone():
            assert refusal_in(move(editor, **fields)) == answer
            assert Redirect.objects.count() == 1


@requirement("redirects.once")
def test_an_equal_redirect_is_answered_as_it_is(editor: Client) -> None:
    save(slug="soil")
    first = move(editor, old_path="/blog/old", new_path="soil", occurred_on="2020-02-29").json()

    for again in ({"new_path": "soil"}, {"new_path": "/blog/soil", "occurred_on": "2020-02-29"}):
        response = move(editor, **({"old_path": "/blog/old/"} | again))
        assert response.status_code == 200
        assert response.json() == first | {"records": {"redirect": "same"}}
    for other in ({"new_path": "/x"}, {}, {"new_path": "soil", "occurred_on": "2020-03-01"}):
        assert refusal_in(move(editor, **({"old_path": "/blog/old"} | other))) == (
            422,
            "validation_failed",
            ["old_path"],
        )
    assert Redirect.objects.count() == 1


@requirement("redirects.old-path.query")
def test_a_query_may_be_part_of_the_old_path(editor: Client) -> None:
    save(slug="soil", publish=True)

    response = move(editor, old_path="/blog/?p=17&lang=en", new_path="soil")

    assert (response.status_code, response.json()["old_path"]) == (201, "/blog/?p=17&lang=en")


@requirement("redirects.old-path.query")
def test_a_path_with_a_query_may_lead_to_its_own_page_but_not_to_itself(editor: Client) -> None:
    assert move(editor, old_path="/blog/?p=1", new_path="/blog/").status_code == 201
    itself = move(editor, old_path="/x?b=1&a=2", new_path="/x?a=2&b=1")
    assert refusal_in(itself) == (422, "validation_failed", ["new_path"])
    save(slug="soil", publish=True)
    assert refusal_in(move(editor, old_path="/blog/soil?x=1", new_path="/")) == (409, "slug_reserved", [])


@requirement("redirects.many")
def test_many_redirects_are_recorded_at_once(editor: Client) -> None:
    post = save(slug="soil", publish=True).post
    move(editor, old_path="/there", new_path="soil")
    many = [
        {"old_path": "/blog/a", "new_path": "/blog/b"},
        {"old_path": "/blog/b", "new_path": "soil", "post_id": post.pk},
        {"old_path": "/there", "new_path": "soil"},
    ]

    response = move(editor, redirects=many)

    answer = response.json()
    assert_json(response)
    assert (response.status_code, answer.keys()) == (201, {"redirects"})
    assert [row["records"]["redirect"] for row in answer["redirects"]] == ["new", "new", "same"]
    assert [row["old_path"] for row in answer["redirects"]] == ["/blog/a", "/blog/b", "/there"]
    assert [finding["code"] for finding in answer["redirects"][2]["findings"]] == ["redirect_not_served"]
    assert set(Redirect.objects.values_list("new_path", flat=True)) == {"/blog/soil"}
    assert move(editor, redirects=many[1:]).status_code == 200


@requirement("redirects.many")
def test_many_redirects_are_all_recorded_or_none(editor: Client, subtests: pytest.Subtests) -> None:
    save(slug="soil")

    for sent, refusal in [
        ({}, (422, "validation_failed", ["old_path"])),
        ({"redirects": []}, (422, "validation_failed", ["redirects"])),
        ({"redirects": None}, (422, "validation_failed", ["old_path"])),
        ({"redirects": [{"old_path": "/a"}], "old_path": "/b"}, (422, "validation_failed", ["old_path"])),
        ({"redirects": [{"old_path": f"/{n}"} for n in range(101)]}, (422, "validation_failed", ["redirects"])),
        ({"redirects": [{"old_path": "/a"}, {"old_path": "a"}]}, (422, "validation_failed", ["redirects.old_path"])),
        ({"redirects": [{"old_path": "/a", "to": "/b"}]}, (422, "unknown_field", ["redirects.to"])),
        (
            {"redirects": [{"old_path": "/a"}, {"old_path": "/a", "new_path": "/b"}]},
            (422, "validation_failed", ["redirects.old_path"]),
        ),
        ({"redirects": [{"old_path": "/a"}, {"old_path": "/blog/soil"}]}, (409, "slug_reserved", [])),
        ({"redirects": [{"old_path": "/a"}, {"old_path": "/b", "post_id": 999}]}, (404, "not_found", [])),
    ]:
        with subtests.test(sent=sent, refusal=refusal), undone():
            assert refusal_in(move(editor, **sent)) == refusal
            assert not Redirect.objects.exists()


@requirement("redirects.filter")
@pytest.mark.parametrize(
    ("old_path", "found"),
    [("/a b", ["/a%20b"]), ("/a%20b/", ["/a%20b"]), ("/?q=2&p=1", ["/?p=1&q=2"]), ("/", []), ("/nothing", [])],
)
def test_redirects_are_found_by_their_old_path(editor: Client, old_path: str, found: list[str]) -> None:
    move(editor, old_path="/a%20b")
    move(editor, old_path="/?p=1&q=2")

    answer = editor.get(REDIRECTS, {"old_path": old_path}).json()

    assert [row["old_path"] for row in answer["redirects"]] == found
    assert answer["total"] == len(found)
