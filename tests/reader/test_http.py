"""Validators and caching headers of pages."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from blog_engine.models import Category, Post
from blog_engine.reader.http import cacheable_response
from tests.requirements import requirement
from tests.support.factories import approve, declare, save, update
from tests.support.pages import Visitor


@pytest.fixture
def post(db: None) -> Post:
    return save(title="Soil", body="Text.", category="Garden", provenance="ai_assisted", publish=True).post


def rename_category(post: Post) -> None:
    Category.objects.update(name="Yard")


CHANGES: dict[str, Callable[[Post], object]] = {
    "approval": approve,
    "payment": lambda post: declare(post, third_party_paid=True),
    "correction": lambda post: update(post, body="New.", change="correction", note="Old."),
    "category": rename_category,
    "related": lambda post: save(title="Stone", category="Garden", publish=True),
}


@requirement("pages.validators")
def test_every_change_of_the_page_changes_its_tag(visitor: Visitor, post: Post, subtests: pytest.Subtests) -> None:
    before = visitor.get("/soil")["ETag"]

    for change in CHANGES:
        with subtests.test(change=change):
            CHANGES[change](post)

            assert visitor.get("/soil", if_none_match=before).status_code == 200


def test_a_forged_date_does_not_make_a_304(visitor: Visitor, post: Post) -> None:
    response = visitor.get("/soil", if_modified_since="Sat, 01 Jan 2033 00:00:00 GMT")

    assert response.status_code == 200


MODIFIED = datetime(2026, 11, 21, 12, 0, 0, 700_000, tzinfo=UTC)
SENT = "Sat, 21 Nov 2026 12:00:00 GMT"
EARLIER = "Sat, 21 Nov 2026 11:59:59 GMT"


def asked(content: str = "feed", *, modified: datetime | None = MODIFIED, **headers: str) -> HttpResponse:
    request = RequestFactory().get("/", headers=headers)
    response = cacheable_response(request, HttpResponse(content), modified=modified)
    assert isinstance(response, HttpResponse)
    return response


@requirement("pages.validators")
def test_a_public_document_has_both_validators() -> None:
    assert dict(asked().items()) == {
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "max-age=3600, public",
        "Vary": "Cookie, Authorization",
        "ETag": asked()["ETag"],
        "Last-Modified": SENT,
    }
    assert asked()["ETag"] != asked("other feed")["ETag"]
    assert "Last-Modified" not in asked(modified=None)


@requirement("pages.validators")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"if_none_match": asked()["ETag"]}, 304),
        ({"if_none_match": "*"}, 304),
        ({"if_none_match": '"other"'}, 200),
        ({"if_modified_since": SENT}, 304),
        ({"if_modified_since": EARLIER}, 200),
        ({"if_modified_since": "yesterday"}, 200),
        # A tag takes precedence, since a date does not change with every change of the page.
        ({"if_none_match": '"other"', "if_modified_since": SENT}, 200),
        ({"if_none_match": asked()["ETag"], "if_modified_since": EARLIER}, 304),
    ],
)
def test_a_public_document_is_sent_once(headers: dict[str, str], status: int) -> None:
    response = asked(**headers)

    assert (response.status_code, response.content) == (status, b"feed" if status == 200 else b"")
    assert [response[name] for name in ("ETag", "Last-Modified", "Cache-Control", "Vary")] == [
        asked()["ETag"],
        SENT,
        "max-age=3600, public",
        "Cookie, Authorization",
    ]


def test_a_document_without_a_date_is_not_answered_by_date() -> None:
    assert asked(modified=None, if_modified_since=SENT).status_code == 200
