"""``POST /images``, and the images of posts over HTTP."""

import hashlib
import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.clients import assert_json, client_with, refusal_in
from tests.support.hosts import blog_settings
from tests.support.images import photo, picture_url, png
from tests.support.tables import undone
from tests.support.web import Server

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

IMAGES = "/blog/api/v1/images"
POSTS = "/blog/api/v1/posts"
NOT_PERMITTED = (422, "image_not_permitted", [])


def file(content: bytes | None = None, name: str = "quay wall.png", content_type: str = "image/png") -> Any:
    return SimpleUploadedFile(name, png() if content is None else content, content_type)


def send(client: Client, body: object, path: str = IMAGES) -> HttpResponse:
    return client.post(path, json.dumps(body), content_type="application/json")


@requirement("images.object")
def test_an_upload_answers_the_image(writer: Client) -> None:
    response = writer.post(IMAGES, {"file": file()})

    assert_json(response)
    sha256 = hashlib.sha256(png()).hexdigest()
    assert response.status_code == 201
    assert response.json() == {
        "image_id": Image.objects.get().pk,
        "url": f"/blog/media/{sha256}/quay%20wall.png",
        "sha256": sha256,
        "filename": "quay wall.png",
        "content_type": "image/png",
        "byte_size": len(png()),
        "width": 4,
        "height": 3,
        "credit": "",
        "digital_source_type": None,
        "source_type_from": None,
    }


@requirement("images.upload.one")
def test_an_address_is_imported(writer: Client, quay: Server) -> None:
    response = send(writer, {"url": picture_url(quay)})

    assert (response.status_code, response.json()["filename"]) == (201, "quay.png")
    assert Image.objects.get().source_url == picture_url(quay)


@requirement("images.upload.status")
def test_repeated_bytes_answer_the_same_image_each_time(writer: Client, quay: Server) -> None:
    first = writer.post(IMAGES, {"file": file(name="first.png")})

    again = [writer.post(IMAGES, {"file": file(name="second.png")}), send(writer, {"url": picture_url(quay)})]

    assert [response.status_code for response in again] == [201, 201]
    assert [response.json() for response in again] == [first.json()] * 2


@requirement("images.upload.unknown")
@pytest.mark.parametrize("parts", [{"file": file, "note": "x"}, {"picture": file}])
def test_a_part_of_another_name_is_unknown(parts: dict[str, Any], writer: Client) -> None:
    sent = {name: value() if callable(value) else value for name, value in parts.items()}

    name = next(name for name in parts if name != "file")
    assert refusal_in(writer.post(IMAGES, sent)) == (422, "unknown_field", [name])


FORMS: dict[str, Any] = {
    "nothing": dict,
    "a text as file": lambda: {"file": "text"},
    "two files": lambda: {"file": [file(), file(photo(), "photo.jpg", "image/jpeg")]},
    "a file and an address": lambda: {"file": file(), "url": "x"},
    "a text": lambda: {"file": file(b"not an image")},
    "an SVG": lambda: {"file": file(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a.svg", "image/svg+xml")},
    "another type": lambda: {"file": file(content_type="image/gif")},
    "an empty file": lambda: {"file": file(b"")},
    "a blank name": lambda: {"file": file(name=" ")},
    "half a file": lambda: {"file": file(png()[:40])},
}


@requirement("images.upload.one")
def test_a_form_without_exactly_one_image_is_refused(writer: Client, subtests: pytest.Subtests) -> None:
    for form in list(FORMS):
        with subtests.test(form=form), undone():
            assert refusal_in(writer.post(IMAGES, FORMS[form]())) == NOT_PERMITTED
            assert not Image.objects.exists()


@requirement("images.upload.one")
def test_a_body_without_exactly_one_address_is_refused(writer: Client, subtests: pytest.Subtests) -> None:
    for body in [
        {},
        {"file": "iVBORw0KGgo="},
        {"file": None},
        {"url": None},
        {"url": 7},
        {"url": ""},
        {"url": "http://a.example/" + "x" * 2048},
        {"url": "ftp://a.example/a.png"},
        {"file": "x", "url": "http://a.example/a.png"},
        {"url": ["http://a.example/a.png"]},
    ]:
        with subtests.test(body=body), undone():
            assert refusal_in(send(writer, body)) == NOT_PERMITTED


@requirement("images.upload.unknown")
def test_unknown_fields_come_first(writer: Client) -> None:
    assert refusal_in(send(writer, {"url": 7, "alt": "x"})) == (422, "unknown_field", ["alt"])
    assert refusal_in(send(writer, [])) == (422, "unknown_field", ["body"])


@requirement("api.input.headers")
@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        ("a=b", "application/x-www-form-urlencoded", (415, "unsupported_media_type", [])),
        ("x", "image/png", (415, "unsupported_media_type", [])),
        ("{", "application/json", (422, "validation_failed", ["body"])),
    ],
)
def test_another_body_is_refused(body: str, content_type: str, expected: tuple[Any, ...], writer: Client) -> None:
    assert refusal_in(writer.generic("POST", IMAGES, body, content_type=content_type)) == expected


@requirement("api.input.headers")
def test_a_compressed_form_is_refused(writer: Client) -> None:
    response = writer.post(IMAGES, {"file": file()}, headers={"Content-Encoding": "gzip"})

    assert refusal_in(response) == (415, "unsupported_media_type", [])


@requirement("api.input.merged")
def test_an_address_in_the_query_is_an_address_too(writer: Client, quay: Server) -> None:
    response = writer.post(f"{IMAGES}?url={picture_url(quay)}")

    assert response.status_code == 201
    assert refusal_in(writer.post(f"{IMAGES}?url={picture_url(quay)}", {"file": file()})) == NOT_PERMITTED


@requirement("images.upload.scope")
def test_the_scope_is_asked_before_the_body_is_read(quay: Server) -> None:
    client = client_with("read", "publish")
    needed = (403, "scope_required", ["write"])

    assert refusal_in(send(client, {"url": picture_url(quay)})) == needed
    assert refusal_in(client.generic("POST", IMAGES, "x", content_type="multipart/form-data; boundary=x")) == needed
    assert quay.hits() == 0


@requirement("images.upload.form-size")
def test_a_file_over_the_limit_is_not_permitted_and_a_larger_body_is_not_read(writer: Client, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=200)
    small = file(b"x" * 201)

    assert refusal_in(writer.post(IMAGES, {"file": small})) == NOT_PERMITTED
    too_large = writer.post(IMAGES, {"file": file(b"x" * (2 * 200 + 1024 * 1024))})
    assert refusal_in(too_large) == (413, "payload_too_large", [])


@requirement("images.upload.host-limits")
def test_a_hook_that_looks_into_the_form_takes_nothing_away(settings: Any) -> None:
    def authenticate(request: HttpRequest) -> SimpleNamespace:
        return SimpleNamespace(name=f"Sender of {len(request.FILES)} file")

    settings.BLOG_ENGINE = blog_settings(authenticate=authenticate)

    assert Client().post(IMAGES, {"file": file()}).status_code == 201
    assert Image.objects.get().uploaded_by == "Sender of 1 file"


@requirement("images.object")
def test_a_post_shows_an_uploaded_image(writer: Client) -> None:
    image = writer.post(IMAGES, {"file": file()}).json()

    response = send(writer, {"title": "Quay", "cover_image": {"image_id": image["image_id"]}}, POSTS)

    assert response.json()["post"]["cover_image"] == image
    assert response.json()["post"]["social_image"] is None


@requirement("images.references.missing")
def test_a_post_without_its_image_is_refused(writer: Client, subtests: pytest.Subtests) -> None:
    for sent, expected in [
        ({"image_id": 999_999}, (404, "not_found", [])),
        ({"url": "file:///etc/passwd"}, NOT_PERMITTED),
        ({"signed_id": "x"}, NOT_PERMITTED),
        ({}, NOT_PERMITTED),
    ]:
        for field in ["cover_image", "social_image"]:
            with subtests.test(field=field, sent=sent, expected=expected), undone():
                assert refusal_in(send(writer, {"title": "Quay", field: sent}, POSTS)) == expected


@requirement("images.location", "findings.image-location")
def test_an_original_with_gps_data_is_found_wherever_it_is_shown() -> None:
    client = client_with("read", "write")
    plain = client.post(IMAGES, {"file": file()}).json()
    located = client.post(IMAGES, {"file": file(photo(), "photo.jpg", "image/jpeg")}).json()
    shown = {
        "cover_image": {"cover_image": {"image_id": located["image_id"]}},
        "social_image": {
            "cover_image": {"image_id": plain["image_id"]},
            "social_image": {"image_id": located["image_id"]},
        },
        "body.images[1]": {"body": f"![a]({plain['url']}) ![b]({located['url']})"},
        None: {
            "body": f"![a]({plain['url']})",
            "cover_image": {"image_id": plain["image_id"]},
            "social_image": {"image_id": plain["image_id"]},
        },
    }

    found = {}
    for number, (location, fields) in enumerate(shown.items()):
        send(client, {"title": "Quay", "slug": f"p{number}"} | fields, POSTS)
        findings = client.get(f"{POSTS}/p{number}/findings").json()["findings"]
        found[location] = [(one["rule"], one["location"]) for one in findings if one["code"] == "image_location_data"]

    assert found == {location: [("E19", location)] if location else [] for location in shown}


@requirement("findings.queries")
def test_the_findings_of_many_images_cost_no_more_queries_than_of_one() -> None:
    client = client_with("read", "write")
    urls = [client.post(IMAGES, {"file": file(png(colour))}).json()["url"] for colour in ("red", "green", "blue")]
    counts = []

    for number in (1, 3):
        body = " ".join(f"![a]({url})" for url in urls[:number])
        send(client, {"title": "Quay", "slug": f"p{number}", "body": body}, POSTS)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{POSTS}/p{number}/findings")
        counts.append(len(queries))

    assert counts[0] == counts[1]
