"""Where images come from, over HTTP: read from files, sent with uploads and tickets, and changed later."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from blog_engine.content.source_types import SOURCE_TYPES
from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.clients import call_tool, client_with, refusal_in, tool_answer
from tests.support.images import png
from tests.support.tables import stored_rows, undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

IMAGES = "/blog/api/v1/images"
ORIGINS = Path(__file__).parents[1] / "images" / "origins"
AI_FILE = (ORIGINS / "ai.jpg").read_bytes()
AI = "trainedAlgorithmicMedia"
CREDIT = "Ann Lee / Quay Press"
TOOL = "blog_upload_image"


def upload(client: Client, data: bytes = AI_FILE, **parts: Any) -> HttpResponse:
    content_type = "image/png" if data == png() else "image/jpeg"
    return client.post(IMAGES, {"file": SimpleUploadedFile("quay", data, content_type), **parts})


def patch(client: Client, image_id: object, **fields: Any) -> HttpResponse:
    return client.patch(f"{IMAGES}/{image_id}", json.dumps(fields), content_type="application/json")


def origin(answer: HttpResponse | dict[str, Any]) -> tuple[str, str | None, str | None]:
    answered = answer if isinstance(answer, dict) else answer.json()
    return answered["credit"], answered["digital_source_type"], answered["source_type_from"]


@requirement("images.origin.file")
def test_an_upload_answers_what_the_file_says(writer: Client) -> None:
    assert origin(upload(writer)) == (CREDIT, AI, "file")


@requirement("images.origin.sent")
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"credit": "Rosa"}, ("Rosa", AI, "file")),
        ({"credit": ""}, ("", AI, "file")),
        ({"digital_source_type": "humanEdits"}, (CREDIT, "humanEdits", "sent")),
        ({"digital_source_type": AI}, (CREDIT, AI, "sent")),
        ({"digital_source_type": ""}, (CREDIT, None, "sent")),
        ({"digital_source_type": f"http://cv.iptc.org/newscodes/digitalsourcetype/{AI}"}, (CREDIT, AI, "sent")),
    ],
)
def test_what_is_sent_with_a_form_counts_more(writer: Client, parts: dict[str, str], expected: object) -> None:
    assert origin(upload(writer, **parts)) == expected
    assert Image.objects.get().source_type_in_file == AI


@requirement("images.origin.sent")
def test_null_for_an_image_that_says_nothing_names_no_source(writer: Client) -> None:
    image = upload(writer, png()).json()

    assert origin(patch(writer, image["image_id"], digital_source_type=None)) == ("", None, None)


@requirement("images.origin.sent", "images.identity.reuse")
def test_what_is_sent_with_known_bytes_changes_the_stored_image(writer: Client) -> None:
    first = upload(writer, credit="Rosa").json()

    again = [upload(writer), upload(writer, digital_source_type="digitalArt".replace("Art", "Creation"))]

    assert [origin(one) for one in again] == [("Rosa", AI, "file"), ("Rosa", "digitalCreation", "sent")]
    assert {one.json()["image_id"] for one in again} == {first["image_id"]}


@requirement("images.origin.sent")
def test_a_url_of_a_stored_image_takes_what_is_sent(writer: Client) -> None:
    url = upload(writer).json()["url"]

    sent = {"url": url, "digital_source_type": "composite"}
    answer = writer.post(IMAGES, json.dumps(sent), content_type="application/json")

    assert origin(answer) == (CREDIT, "composite", "sent")


@requirement("images.origin.sent")
@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({}, (CREDIT, AI, "file")),
        ({"credit": "Rosa", "digital_source_type": "humanEdits"}, ("Rosa", "humanEdits", "sent")),
        ({"digital_source_type": None}, (CREDIT, None, "sent")),
    ],
)
def test_a_ticket_keeps_what_was_sent(writer: Client, sent: dict[str, Any], expected: object) -> None:
    announced = {"filename": "quay.jpg", "content_type": "image/jpeg", "byte_size": len(AI_FILE), **sent}
    opened = writer.post(f"{IMAGES}/tickets", json.dumps(announced), content_type="application/json").json()

    answer = Client().generic("PUT", opened["upload_url"], AI_FILE, content_type="image/jpeg")

    assert origin(answer) == expected


REFUSED: list[tuple[dict[str, Any], list[str]]] = [
    ({"digital_source_type": "painted"}, ["digital_source_type"]),
    ({"digital_source_type": "digitalArt"}, ["digital_source_type"]),
    ({"digital_source_type": "x" * 1000}, ["digital_source_type"]),
    ({"credit": "x" * 501}, ["credit"]),
    ({"credit": "a\0b"}, ["credit"]),
]


@requirement("images.origin.refused")
@pytest.mark.parametrize(("sent", "fields"), REFUSED)
def test_a_fault_of_the_origin_is_refused_by_its_name(writer: Client, sent: dict[str, Any], fields: list[str]) -> None:
    image = upload(writer, png()).json()
    before = stored_rows()
    ticket = {"filename": "quay.jpg", "content_type": "image/jpeg", "byte_size": 9, **sent}
    text = {"content_type": "application/json"}

    answers = [
        upload(writer, **sent),
        writer.post(IMAGES, json.dumps({"url": image["url"], **sent}), **text),
        writer.post(f"{IMAGES}/tickets", json.dumps(ticket), **text),
        patch(writer, image["image_id"], **sent),
    ]

    assert [refusal_in(answer) for answer in answers] == [(422, "validation_failed", fields)] * 4
    assert stored_rows() == before


@requirement("images.origin.refused")
@pytest.mark.parametrize("value", [7, True, [AI], {"term": AI}])
def test_a_type_that_is_no_text_is_refused(writer: Client, value: object) -> None:
    image = upload(writer, png()).json()

    refused = refusal_in(patch(writer, image["image_id"], digital_source_type=value))

    assert refused == (422, "validation_failed", ["digital_source_type"])


@requirement("images.origin.refused")
def test_the_refusal_has_the_terms(writer: Client) -> None:
    text = upload(writer, digital_source_type="painted").content.decode()

    assert all(term in text for term in SOURCE_TYPES)


@requirement("images.origin.update")
def test_the_origin_of_a_stored_image_can_be_changed(writer: Client) -> None:
    image = upload(writer).json()
    before = Image.objects.values().get()

    answers = [
        patch(writer, image["image_id"], credit="Rosa"),
        patch(writer, image["image_id"], digital_source_type=None),
        patch(writer, image["image_id"]),
        patch(writer, image["image_id"], credit=None, digital_source_type="compositeSynthetic"),
    ]

    assert [answer.status_code for answer in answers] == [200] * 4
    assert [origin(answer) for answer in answers] == [
        ("Rosa", AI, "file"),
        ("Rosa", None, "sent"),
        ("Rosa", None, "sent"),
        ("", "compositeSynthetic", "sent"),
    ]
    assert answers[-1].json() == image | {
        "credit": "",
        "digital_source_type": "compositeSynthetic",
        "source_type_from": "sent",
    }
    changed = {"credit": "", "digital_source_type": "compositeSynthetic", "source_type_from": "sent"}
    assert Image.objects.values().get() == before | changed


@requirement("images.origin.update")
def test_a_change_needs_an_image_a_scope_and_known_fields(writer: Client, subtests: pytest.Subtests) -> None:
    image = upload(writer).json()["image_id"]
    for client, sent_id, fields, refusal in (
        (writer, image + 1, {"credit": "x"}, (404, "not_found", [])),
        (writer, "x", {"credit": "x"}, (404, "not_found", [])),
        (writer, 10**40, {"credit": "x"}, (404, "not_found", [])),
        (writer, image, {"filename": "x.png"}, (422, "unknown_field", ["filename"])),
        (client_with("read", "publish"), image, {"credit": "x"}, (403, "scope_required", ["write"])),
    ):
        with subtests.test(sent=sent_id, fields=fields), undone():
            assert refusal_in(patch(client, sent_id, **fields)) == refusal


@requirement("agents.tools.upload", "images.origin.sent", "images.origin.update")
def test_the_tool_sends_and_changes_the_origin(writer: Client) -> None:
    file = {"base64": base64.b64encode(AI_FILE).decode(), "filename": "quay.jpg", "content_type": "image/jpeg"}

    stored = tool_answer(writer, TOOL, {**file, "credit": "Rosa"})
    changed = tool_answer(writer, TOOL, {"id": stored["image_id"], "digital_source_type": ""})

    assert (origin(stored), origin(changed)) == (("Rosa", AI, "file"), ("Rosa", None, "sent"))


@requirement("agents.tools.upload")
def test_the_tool_takes_no_file_for_a_stored_image(writer: Client) -> None:
    image = upload(writer, png()).json()["image_id"]

    answer = call_tool(writer, TOOL, {"id": image, "url": "http://127.0.0.1:1/a.png"})

    assert "url does not go with id" in json.dumps(answer)


@requirement("findings.image-ai")
def test_an_image_whose_mark_was_taken_off_is_found_wherever_it_is_shown() -> None:
    client = client_with("read", "write")
    image, other = upload(client).json(), upload(client, png()).json()
    shown = {
        "cover_image": {"cover_image": {"image_id": image["image_id"]}},
        "social_image": {
            "cover_image": {"image_id": other["image_id"]},
            "social_image": {"image_id": image["image_id"]},
        },
        "body.images[1]": {"body": f"![a]({other['url']}) ![b]({image['url']})"},
        None: {"body": f"![a]({other['url']})", "cover_image": {"image_id": other["image_id"]}},
    }
    for number, fields in enumerate(shown.values()):
        sent = {"title": f"Quay {number}", "slug": f"p{number}"} | fields
        client.post("/blog/api/v1/posts", json.dumps(sent), content_type="application/json")

    found = {}
    for term in (AI, "compositeSynthetic", "humanEdits", None):
        patch(client, image["image_id"], digital_source_type=term)
        found[term] = [_places(client, number) for number in range(len(shown))]

    everywhere = [[("E18", location)] if location else [] for location in shown]
    assert found == {AI: [[]] * 4, "compositeSynthetic": [[]] * 4, "humanEdits": everywhere, None: everywhere}


def _places(client: Client, number: int) -> list[tuple[str, str]]:
    findings = client.get(f"/blog/api/v1/posts/p{number}/findings").json()["findings"]
    return [(one["rule"], one["location"]) for one in findings if one["code"] == "image_ai_unmarked"]
