"""Calls that are repeated with their ``Idempotency-Key``."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.models import Category, IdempotencyKey, Image, Post, Publication, UploadTicket
from blog_engine.services import idempotency
from tests.requirements import requirement
from tests.support.clients import client_with, make_secret, refusal_in
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.images import png

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

API = "/blog/api/v1/"
KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"


def call(client: Client, path: str, sent: object, *, key: str | None = KEY, **headers: str) -> Any:
    own = headers if key is None else {"Idempotency-Key": key, **headers}
    return client.post(API + path, json.dumps(sent), content_type="application/json", headers=own)


FROST = {"title": "Frost", "body": "Frost is a word."}


@requirement("api.idempotency")
@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("posts", FROST),
        ("posts", {**FROST, "publish": True}),
        ("categories", {"name": "Food"}),
        ("redirects", {"old_path": "/old", "new_path": "/new"}),
        ("posts/soil/publish", {}),
        ("posts/soil/connections", {"connections": [], "third_party_paid": False, "declared_by": "Ines"}),
    ],
)
def test_the_same_call_gets_the_same_answer(editor: Client, path: str, sent: object) -> None:
    save(slug="soil")

    first = call(editor, path, sent)
    again = call(editor, path, sent)

    assert first.status_code in {200, 201}
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers.get("ETag") == first.headers.get("ETag")
    assert again.headers["Cache-Control"] == "no-store"
    assert ("Idempotent-Replayed" in first.headers, again.headers["Idempotent-Replayed"]) == (False, "true")
    assert int(again.headers["RateLimit-Remaining"]) == int(first.headers["RateLimit-Remaining"]) - 1


@requirement("api.idempotency")
def test_a_repeated_call_writes_nothing(editor: Client) -> None:
    for _ in range(3):
        call(editor, "posts", {**FROST, "publish": True})
        call(editor, "categories", {"name": "Food"}, key="food")

    assert (Post.objects.count(), Publication.objects.count(), Category.objects.count()) == (1, 1, 1)
    assert IdempotencyKey.objects.count() == 2


@requirement("api.idempotency")
def test_the_form_of_the_same_input_does_not_matter(editor: Client) -> None:
    first = call(editor, "posts", FROST, key=f'"{KEY}"')

    again = call(editor, "posts/", dict(reversed(FROST.items())), key=f" {KEY} ")

    assert (again.content, again.headers["Idempotent-Replayed"]) == (first.content, "true")


@requirement("api.idempotency")
def test_a_form_with_a_file_is_repeated_too(editor: Client) -> None:
    def upload(data: bytes) -> Any:
        form = {"file": SimpleUploadedFile("quay.png", data, "image/png")}
        return editor.post(f"{API}images", form, headers={"Idempotency-Key": KEY})

    first, again, other = upload(png()), upload(png()), upload(png("red"))

    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert refusal_in(other) == (422, "idempotency_key_reused", [])
    assert Image.objects.count() == 1


@requirement("api.idempotency.other")
def test_a_key_is_that_of_one_call(editor: Client, subtests: pytest.Subtests) -> None:
    call(editor, "posts", FROST)

    for path, sent, headers in [
        ("posts", {**FROST, "title": "Ice"}, {}),
        ("posts?with_body=false", FROST, {}),
        ("categories", {"name": "Frost"}, {}),
        ("posts", FROST, {"If-None-Match": "*"}),
    ]:
        with subtests.test(path=path, sent=sent, headers=headers):
            refused = call(editor, path, sent, **headers)
            assert refusal_in(refused) == (422, "idempotency_key_reused", [])
    assert (Post.objects.count(), Category.objects.count()) == (1, 0)


@requirement("api.idempotency.other")
def test_keys_of_other_actors_do_not_matter(editor: Client) -> None:
    other = Client(headers={"Authorization": f"Bearer {make_secret(name='Bea')}"})

    call(editor, "categories", {"name": "Food"})
    answer = call(other, "categories", {"name": "Tides"})

    assert (answer.status_code, "Idempotent-Replayed" in answer.headers) == (201, False)


@requirement("api.idempotency")
@pytest.mark.parametrize("key", ["", " ", '""', "a b", "é", "a" * 256, "a\tb"])
def test_a_key_of_another_form_is_refused(editor: Client, key: str) -> None:
    assert refusal_in(call(editor, "posts", FROST, key=key)) == (422, "validation_failed", ["Idempotency-Key"])
    assert not Post.objects.exists()


@requirement("api.idempotency")
def test_a_day_later_the_key_is_new(editor: Client) -> None:
    call(editor, "categories", {"name": "Food"})
    IdempotencyKey.objects.update(created_at=F("created_at") - timedelta(hours=24, seconds=1))

    answer = call(editor, "categories", {"name": "Tides"})

    assert answer.status_code == 201
    assert call(editor, "categories", {"name": "Tides"}).content == answer.content
    assert IdempotencyKey.objects.count() == 1


@requirement("api.idempotency.kept")
@pytest.mark.parametrize("sent", [{"title": ""}, {"title": "Frost", "x": 1}, {"title": "Frost", "edits": []}])
def test_a_refusal_leaves_the_key_free(editor: Client, sent: object) -> None:
    refused = call(editor, "posts", sent)

    assert refused.status_code == 422
    assert not IdempotencyKey.objects.exists()
    assert call(editor, "posts", FROST).status_code == 201


@requirement("api.idempotency.kept")
def test_faults_of_the_caller_come_first_and_are_not_kept() -> None:
    assert call(client_with("read"), "categories", {"name": "Food"}, key="").status_code == 403
    assert call(Client(), "categories", {"name": "Food"}).status_code == 401
    assert not IdempotencyKey.objects.exists()


@requirement("api.idempotency.kept")
def test_a_fault_of_the_site_is_not_kept(settings: Settings, editor: Client) -> None:
    def fail(post: object, context: object) -> None:
        raise KeyError(post)

    editor.raise_request_exception = False
    settings.BLOG_ENGINE = blog_settings(before_publish=fail)
    assert call(editor, "posts", {**FROST, "publish": True}).status_code == 500
    assert not (Post.objects.exists() or IdempotencyKey.objects.exists())

    settings.BLOG_ENGINE = blog_settings(before_publish=None)
    assert call(editor, "posts", {**FROST, "publish": True}).status_code == 201


@requirement("api.idempotency.kept")
def test_a_dry_run_leaves_the_key_to_the_real_call(editor: Client) -> None:
    assert call(editor, "posts", {**FROST, "dry_run": True}).status_code == 200
    assert not IdempotencyKey.objects.exists()
    assert call(editor, "posts", FROST).status_code == 201


@requirement("api.idempotency.kept", "access.tokens.no-secrets")
def test_an_answer_with_a_secret_is_not_kept(editor: Client) -> None:
    sent = {"filename": "quay.png", "content_type": "image/png", "byte_size": 100}

    first, second = call(editor, "images/tickets", sent), call(editor, "images/tickets", sent)

    assert first.json()["upload_url"] != second.json()["upload_url"]
    assert (UploadTicket.objects.count(), IdempotencyKey.objects.count()) == (2, 0)


@requirement("api.idempotency.kept")
@pytest.mark.parametrize(("method", "path"), [("get", "posts"), ("post", "faq_extractions")])
def test_reads_have_no_key(editor: Client, method: str, path: str) -> None:
    sent = json.dumps({"body": "Text."} if method == "post" else {})

    answer = editor.generic(method.upper(), API + path, sent, "application/json", headers={"Idempotency-Key": ""})

    assert answer.status_code == 200
    assert not IdempotencyKey.objects.exists()


@requirement("api.idempotency.other")
def test_a_very_long_answer_is_not_given_again(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "MOST_BYTES", 100)
    assert call(editor, "posts", FROST).status_code == 201

    refused = call(editor, "posts", FROST)

    assert refusal_in(refused) == (409, "idempotency_conflict", [])
    assert "read what it wrote" in refused.json()["error"]["message"]
    assert Post.objects.count() == 1


@requirement("api.idempotency.once")
def test_without_its_answer_nothing_is_written(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**fields: object) -> None:
        raise KeyError("crash")

    editor.raise_request_exception = False
    monkeypatch.setattr(IdempotencyKey.objects, "update_or_create", fail)

    assert call(editor, "posts", FROST).status_code == 500
    assert not Post.objects.exists()


@requirement("api.idempotency.stored")
def test_the_key_itself_is_not_stored(editor: Client) -> None:
    call(editor, "categories", {"name": "Food"})

    [row] = IdempotencyKey.objects.values()
    assert KEY not in str(row)
    assert len(row["digest"]) == len(row["request"]) == 64


@requirement("api.idempotency")
def test_a_call_without_a_key_costs_no_query(editor: Client) -> None:
    call(editor, "categories", {"name": "Food"})

    with CaptureQueriesContext(connection) as queries:
        call(editor, "categories", {"name": "Tides"}, key=None)

    assert not [query for query in queries if "idempotency" in query["sql"]]


@pytest.fixture(autouse=True)
def _no_key_outlives_its_test() -> Iterator[None]:
    yield
    IdempotencyKey.objects.all().delete()
