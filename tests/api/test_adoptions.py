"""``POST /adoptions``."""

from typing import Any

import pytest
from django.test import Client

from blog_engine.models import Post, Redirect
from tests.requirements import requirement
from tests.support import factories
from tests.support.clients import assert_json, client_with, refusal_in
from tests.support.factories import ARTICLE, DECLARATION, WHOLE
from tests.support.tables import stored_beside_tokens, undone

pytestmark = pytest.mark.django_db

ADOPTIONS = "/blog/api/v1/adoptions"
POSTS = "/blog/api/v1/posts"


@pytest.fixture
def importer() -> Client:
    return client_with("publish", "read")


def adopt(client: Client, **fields: Any) -> Any:
    return client.post(ADOPTIONS, ARTICLE | fields, content_type="application/json")


@requirement("adoption.answer", "adoption.statuses")
def test_a_new_article_answers_201_with_the_post_and_what_was_recorded(importer: Client) -> None:
    response = adopt(importer, **WHOLE)

    assert_json(response)
    answer = response.json()
    assert response.status_code == 201
    assert list(answer) == ["post", "created", "records", "findings", "redirects", "dry_run"]
    assert (answer["created"], answer["dry_run"]) == (True, False)
    assert answer["records"] == {
        "revision": "new",
        "publication": "adopted",
        "approval": "imported",
        "baseline": "new",
        "redirects": 2,
    }
    assert answer["post"] == importer.get(f"{POSTS}/night-ferry").json()
    assert {**answer["post"], "url": None}.items() >= {
        "status": "published",
        "published_at": "2019-05-06T07:08:09Z",
        "modified_at": "2020-06-07T08:09:10Z",
        "approved": True,
        "preview_url": None,
        "label": "none",
        "publish_at": None,
    }.items()
    assert all(list(finding) == ["code", "rule", "message", "location"] for finding in answer["findings"])


@requirement("adoption.statuses", "adoption.repeat.same")
def test_the_same_again_answers_200_and_writes_nothing(importer: Client) -> None:
    first = adopt(importer).json()
    before = stored_beside_tokens()

    response = adopt(importer)

    assert response.status_code == 200
    assert response.json() == first | {
        "created": False,
        "records": {"revision": "same", "publication": None, "approval": None, "baseline": None, "redirects": 0},
    }
    assert stored_beside_tokens() == before


@requirement("adoption.statuses")
def test_a_changed_article_answers_200(importer: Client) -> None:
    adopt(importer)

    response = adopt(importer, body="New", declaration=DECLARATION)

    assert response.status_code == 200
    assert response.json()["records"] == {
        "revision": "new",
        "publication": "adopted",
        "approval": "declared",
        "baseline": "replaced",
        "redirects": 0,
    }


@requirement("adoption.statuses", "adoption.dry-run")
def test_a_dry_run_answers_as_the_adoption_would_and_keeps_nothing(importer: Client) -> None:
    rehearsed = adopt(importer, **WHOLE, dry_run=True)
    kept = (Post.objects.count(), Redirect.objects.count())
    adopted = adopt(importer, **WHOLE)

    told = rehearsed.json()
    assert (rehearsed.status_code, kept, told["dry_run"]) == (201, (0, 0), True)
    assert told["records"] == adopted.json()["records"]
    same = set(told["post"]) - {"id", "author", "category", "series", "created_at", "updated_at"}
    assert {name: told["post"][name] for name in same} == {name: adopted.json()["post"][name] for name in same}
    assert adopt(importer, **WHOLE, dry_run=True).status_code == 200


@requirement("adoption.baseline")
def test_the_history_tells_what_was_adopted(importer: Client) -> None:
    post = adopt(importer, **WHOLE).json()["post"]

    records = importer.get(f"{POSTS}/{post['id']}/records").json()

    baseline = records["baseline"]
    assert [one["entry_type"] for one in records["publications"]] == ["adopted"]
    assert [one["identifier"] for one in records["revisions"]] == [post["public_revision_identifier"]]
    assert [(one["kind"], one["confirmed_by"], one["approved_at"]) for one in records["approvals"]] == [
        ("imported", "Mina Holt", "2020-01-02T03:04:05.000Z")
    ]
    assert (baseline["post_id"], baseline["source_system"], baseline["source_id"]) == (post["id"], "oldpress", "17")
    assert (baseline["first_published_at"], baseline["adopted_by"]) == ("2019-05-06T07:08:09.123Z", "Ada")
    assert [one["declared_by"] for one in records["connections"]] == ["Mina Holt"]


@requirement("adoption.scope")
def test_adopting_needs_no_other_scope_than_publish() -> None:
    assert adopt(client_with("publish")).status_code == 201


@requirement("adoption.unknown")
def test_refusals(importer: Client, subtests: pytest.Subtests) -> None:
    factories.save(slug="taken", publish=True)

    for fields, expected in [
        ({"publish": True, "approval": {}}, (422, "unknown_field", ["publish", "approval"])),
        ({"declaration": {"x": 1}}, (422, "unknown_field", ["declaration.x"])),
        ({"title": " ", "source_id": 17}, (422, "validation_failed", ["title", "source_id"])),
        (
            {"declaration": DECLARATION | {"declared_on": "then"}},
            (422, "validation_failed", ["declaration.declared_on"]),
        ),
        ({"slug": "No Slug"}, (422, "slug_not_supported", ["slug"])),
        ({"slug": "feed"}, (409, "slug_reserved", [])),
        ({"declaration": {**DECLARATION, "facts_checked": "yes"}}, (422, "approval_incomplete", [])),
        ({"cover_image": {"image_id": "4"}}, (422, "image_not_permitted", [])),
        ({"body_format": "html"}, (422, "body_format_not_permitted", [])),
        ({"slug": "taken"}, (409, "identity_conflict", ["slug"])),
    ]:
        with subtests.test(fields=fields, expected=expected), undone():
            assert refusal_in(adopt(importer, **fields)) == expected
            assert Post.objects.count() == 1
