"""``/categories``, ``/tags``, ``/authors`` and ``/series`` over HTTP."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.requirements import requirement
from tests.support import factories
from tests.support.clients import assert_json, refusal_in
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

API = "/blog/api/v1"
EDITABLE = ["categories", "authors", "series"]
LISTED = [*EDITABLE, "tags"]


def send(client: Client, method: str, path: str, fields: Any = None) -> Any:
    return client.generic(method, f"{API}/{path}", "" if fields is None else json.dumps(fields), "application/json")


@requirement("api.lists.envelope", "taxonomy.statuses", "api.paths.slash")
def test_a_record_is_made_read_and_edited(editor: Client, subtests: pytest.Subtests) -> None:
    for slash in ["", "/"]:
        for plural in EDITABLE:
            with subtests.test(plural=plural, slash=slash), undone():
                made = send(editor, "POST", plural + slash, {"name": "Sea", "slug": "s"})
                edited = send(editor, "PATCH", f"{plural}/{made.json()['id']}{slash}", {"name": "Ocean"})
                listed = send(editor, "GET", plural + slash)

                for response, status in ((made, 201), (edited, 200), (listed, 200)):
                    assert_json(response)
                    assert response.status_code == status
                renamed = made.json() | {"name": "Ocean"}
                assert edited.json() == renamed | {"redirects": []}
                assert listed.json() == {
                    plural: [renamed],
                    "page": 1,
                    "per_page": 25,
                    "total": 1,
                    "next_cursor": None,
                }


@requirement("taxonomy.statuses")
def test_an_empty_edit_changes_nothing(editor: Client, subtests: pytest.Subtests) -> None:
    for plural in EDITABLE:
        with subtests.test(plural=plural), undone():
            made = send(editor, "POST", plural, {"name": "Sea"}).json()

            for body in ("", "{}"):
                response = editor.generic("PATCH", f"{API}/{plural}/{made['id']}", body, "application/json")
                assert (response.status_code, response.json()) == (200, made | {"redirects": []})


@requirement("api.lists.input")
def test_a_list_takes_a_page_and_its_size_only(editor: Client, subtests: pytest.Subtests) -> None:
    for query, code, details in [
        ("page=0", "validation_failed", ["page"]),
        ("page=2&per_page=x", "validation_failed", ["per_page"]),
        ("page=1&page=1", "validation_failed", ["page"]),
        ("q=sea", "unknown_field", ["q"]),
        ("format=json&page=0", "unknown_field", ["format"]),
    ]:
        for plural in [*LISTED, "redirects", "pages"]:
            with subtests.test(plural=plural, query=query, code=code, details=details), undone():
                assert refusal_in(send(editor, "GET", f"{plural}?{query}")) == (422, code, details)


@requirement("api.lists.input")
def test_a_page_past_the_end_is_empty(editor: Client, subtests: pytest.Subtests) -> None:
    factories.save(category="Sea", series="Tides", tags=["salt"])

    for plural in LISTED:
        with subtests.test(plural=plural), undone():
            assert send(editor, "GET", f"{plural}?page=2&per_page=1000").json() == {
                plural: [],
                "page": 2,
                "per_page": 100,
                "total": 1,
                "next_cursor": None,
            }


@requirement("taxonomy.renamed")
def test_a_new_name_shows_at_once_in_the_answers_of_posts(editor: Client) -> None:
    post = factories.save(category="Sea", series="Tides", tags=["salt"], publish=True).post

    send(editor, "PATCH", f"categories/{post.category_id}", {"name": "Ocean", "slug": "ocean"})
    send(editor, "PATCH", f"series/{post.series_id}", {"name": "Ebb"})

    answer = send(editor, "GET", f"posts/{post.pk}").json()
    assert answer["category"] == {"id": post.category_id, "name": "Ocean", "slug": "ocean"}
    assert answer["series"] == {"id": post.series_id, "name": "Ebb", "slug": "tides", "position": None}
    assert answer["revision_identifier"] == answer["public_revision_identifier"]


@requirement("taxonomy.authors.avatar", "taxonomy.authors.avatar-last")
def test_a_faulty_author_is_refused(editor: Client, subtests: pytest.Subtests) -> None:
    send(editor, "POST", "authors", {"name": "Sea"})
    author = send(editor, "POST", "authors", {"name": "Mina"}).json()

    for fields, status, code, details in [
        ({"type": "robot", "url": "mina"}, 422, "validation_failed", ["type", "url"]),
        ({"avatar": 5}, 422, "validation_failed", ["avatar"]),
        ({"avatar": {}}, 422, "validation_failed", ["avatar"]),
        ({"avatar": {"image_id": "1"}}, 422, "validation_failed", ["avatar"]),
        ({"avatar": {"image_id": 1, "url": "https://img.example/a.png"}}, 422, "validation_failed", ["avatar"]),
        ({"avatar": {"id": 1}}, 422, "unknown_field", ["avatar.id"]),
        ({"avatar": {"id": 1}, "x": 1}, 422, "unknown_field", ["x", "avatar.id"]),
        ({"avatar": {"image_id": 999_999}}, 404, "not_found", []),
        ({"avatar": {"signed_id": "made-up"}}, 422, "image_not_permitted", []),
        ({"avatar": {"url": "http://127.0.0.1:1/a.png"}}, 422, "image_not_permitted", []),
        ({"slug": "sea", "avatar": {"image_id": 999_999}}, 422, "validation_failed", ["slug"]),
    ]:
        with subtests.test(fields=fields, status=status, code=code, details=details), undone():
            assert refusal_in(send(editor, "POST", "authors", {"name": "Ann"} | fields)) == (status, code, details)
            assert refusal_in(send(editor, "PATCH", f"authors/{author['id']}", fields)) == (status, code, details)
            assert send(editor, "GET", "authors").json()["authors"][1:] == [author]


@requirement("taxonomy.renamed")
def test_a_new_name_of_an_author_shows_in_answers_but_changes_no_revision(editor: Client) -> None:
    post = factories.save(author="Mina", publish=True).post
    before = send(editor, "GET", f"posts/{post.pk}").json()

    send(editor, "PATCH", f"authors/{post.author_id}", {"name": "Mina Quay"})

    assert send(editor, "GET", f"posts/{post.pk}").json() == before | {
        "author": before["author"] | {"name": "Mina Quay"},
    }
