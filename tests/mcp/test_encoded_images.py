"""Strict Base64, and ``blog_upload_image`` with a URL or a file in Base64."""

import base64
import hashlib
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.content.text import decode_base64
from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.clients import call_tool, client_with, tool_answer, tool_refusal
from tests.support.hosts import blog_settings
from tests.support.images import picture_url, plain, png
from tests.support.tables import stored_beside_tokens
from tests.support.web import Server

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

TOOL = "blog_upload_image"
NOT_PERMITTED = ("image_not_permitted", [])
TEXT = base64.b64encode(png()).decode()
FILE: dict[str, Any] = {"base64": TEXT, "filename": "quay wall.png", "content_type": "image/png"}
ANNOUNCED: dict[str, Any] = {"filename": "quay wall.png", "content_type": "image/png", "byte_size": len(png())}
_GONE = "http://127.0.0.1:1/quay.png"


FAULTS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "both": FILE | {"url": _GONE},
    "a named URL": {"url": _GONE, "filename": "a.png"},
    "base64 alone": {"base64": TEXT},
    "no type": {"base64": TEXT, "filename": "a.png"},
    "no name": {"base64": TEXT, "content_type": "image/png"},
    "no base64": {"filename": "a.png", "content_type": "image/png"},
    "null URL": {"url": None},
    "empty URL": {"url": ""},
    "number as URL": {"url": 3},
    "unreachable URL": {"url": _GONE},
    "file URL": {"url": "file:///etc/passwd"},
    "null base64": FILE | {"base64": None},
    "number as base64": FILE | {"base64": 3},
    "empty base64": FILE | {"base64": ""},
    "no padding": FILE | {"base64": TEXT.rstrip("=")},
    "more padding": FILE | {"base64": TEXT + "="},
    "padding again": FILE | {"base64": TEXT + "===="},
    "padding inside": FILE | {"base64": "aQ==" + TEXT},
    "padding only": FILE | {"base64": "=" * 8},
    "cut inside four": FILE | {"base64": TEXT[:-5]},
    "cut after four": FILE | {"base64": TEXT[:-8]},
    "embedded newline": FILE | {"base64": f"{TEXT[:8]}\n{TEXT[8:]}"},
    "newline at the end": FILE | {"base64": f"{TEXT}\n"},
    "leading space": FILE | {"base64": f" {TEXT}"},
    "data URL": FILE | {"base64": f"data:image/png;base64,{TEXT}"},
    "other alphabet": FILE | {"base64": "-_" + TEXT[2:]},
    "letter beyond ASCII": FILE | {"base64": "é" + TEXT[1:]},
    "half a surrogate pair": FILE | {"base64": "\ud800" + TEXT[1:]},
    "no image": FILE | {"base64": base64.b64encode(b"<svg/>").decode()},
    "null name": FILE | {"filename": None},
    "empty name": FILE | {"filename": ""},
    "blank name": FILE | {"filename": " \n"},
    "number as name": FILE | {"filename": 3},
    "NUL in the name": FILE | {"filename": "\x00"},
    "null type": FILE | {"content_type": None},
    "empty type": FILE | {"content_type": ""},
    "blank type": FILE | {"content_type": " "},
    "wrong type": FILE | {"content_type": "image/jpeg"},
    "type of a text": FILE | {"content_type": "text/plain"},
    "list of types": FILE | {"content_type": ["image/png"]},
    "size with base64": FILE | {"byte_size": len(png())},
    "digest with base64": FILE | {"sha256": "0" * 64},
    "size with a URL": {"url": _GONE, "byte_size": 3},
    "digest with a URL": {"url": _GONE, "sha256": "0" * 64},
    "size alone": {"byte_size": 3},
    "digest instead of a size": {"filename": "a.png", "content_type": "image/png", "sha256": "0" * 64},
    "no size": ANNOUNCED | {"byte_size": 0},
    "null size": ANNOUNCED | {"byte_size": None},
    "size of no image": ANNOUNCED | {"byte_size": 2**40},
    "ticket for a text": ANNOUNCED | {"content_type": "text/plain"},
    "ticket with a digest of its own": ANNOUNCED | {"sha256": "x"},
}


def sized(settings: Settings, most: int) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=most)


@pytest.mark.parametrize(("text", "content"), [("", b""), ("aQ==", b"i"), ("aXM=", b"is"), ("+/+/", b"\xfb\xff\xbf")])
def test_every_byte_is_decoded(text: str, content: bytes) -> None:
    assert decode_base64(text) == content


@requirement("agents.tools.upload")
@pytest.mark.parametrize(
    "text", ["aQ", "aQ=", "aQ===", "aQ==aQ==", "aXM==", "aX=M", "=", "aQ==\n", "a Q==", "-_-_", "é===", "aR==", "aXN="]
)
def test_any_other_spelling_of_base64_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        decode_base64(text)


@requirement("agents.tools.upload")
def test_a_file_in_base64_is_stored_byte_for_byte(agent: Client) -> None:
    answer = tool_answer(agent, TOOL, FILE)

    sha256 = hashlib.sha256(png()).hexdigest()
    image = Image.objects.get()
    assert answer == {
        "image_id": image.pk,
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
    assert (image.source_url, image.uploaded_by) == (None, "Ada")


@requirement("agents.tools.upload")
def test_a_url_is_fetched(agent: Client, quay: Server) -> None:
    answer = tool_answer(agent, TOOL, {"url": picture_url(quay)})

    assert (answer["filename"], answer["sha256"]) == ("quay.png", hashlib.sha256(png()).hexdigest())
    assert Image.objects.get().source_url == picture_url(quay)


@requirement("agents.tools.upload")
def test_the_same_bytes_return_the_same_image_in_either_form(agent: Client, quay: Server) -> None:
    first = tool_answer(agent, TOOL, FILE)

    assert tool_answer(agent, TOOL, FILE | {"filename": "other.png"}) == first
    assert tool_answer(agent, TOOL, {"url": picture_url(quay)}) == first


@requirement("agents.tools.upload")
@pytest.mark.parametrize("sent", FAULTS.values(), ids=FAULTS)
def test_anything_else_is_not_permitted_and_nothing_is_stored(agent: Client, sent: dict[str, Any]) -> None:
    before = stored_beside_tokens()

    assert tool_refusal(agent, TOOL, sent) == NOT_PERMITTED
    assert stored_beside_tokens() == before


@requirement("agents.tools.upload")
def test_unknown_fields_come_first(agent: Client) -> None:
    assert tool_refusal(agent, TOOL, {"file": "x", "base64": "?"}) == ("unknown_field", ["file"])


@requirement("agents.tools.upload")
def test_an_image_of_just_the_permitted_size_is_stored(agent: Client, settings: Settings) -> None:
    sized(settings, len(png()))

    assert tool_answer(agent, TOOL, FILE)["byte_size"] == len(png())


@requirement("agents.tools.upload")
@pytest.mark.parametrize("less", [1, 2, 3, 40])
def test_a_larger_one_is_not(agent: Client, settings: Settings, less: int) -> None:
    sized(settings, len(png()) - less)
    before = stored_beside_tokens()

    assert tool_refusal(agent, TOOL, FILE) == NOT_PERMITTED
    assert stored_beside_tokens() == before


@requirement("agents.tools.upload")
def test_the_length_is_checked_before_the_text(agent: Client, settings: Settings) -> None:
    sized(settings, 30)
    longest = 4 * 10

    told = [_message(agent, "?" * length) for length in (longest, longest + 1)]

    assert "30 bytes" not in told[0]
    assert "30 bytes" in told[1]


@requirement("agents.tools.upload", "agents.tools.missing-scope")
def test_the_scope_is_checked_before_anything_is_read(quay: Server) -> None:
    reader = client_with("read", "publish")

    assert tool_refusal(reader, TOOL, {"base64": "?"}) == ("scope_required", ["write"])
    assert tool_refusal(reader, TOOL, {"url": picture_url(quay)}) == ("scope_required", ["write"])
    assert quay.hits() == 0


@requirement("agents.tools.upload")
@pytest.mark.parametrize("format", ["PNG", "JPEG", "GIF", "WEBP"])
def test_every_permitted_format_is_accepted_in_base64(agent: Client, format: str) -> None:
    content = plain(format)
    kind = f"image/{format.lower()}"

    answer = tool_answer(
        agent, TOOL, {"base64": base64.b64encode(content).decode(), "filename": "a", "content_type": kind}
    )

    assert (answer["content_type"], answer["sha256"]) == (kind, hashlib.sha256(content).hexdigest())


@requirement("agents.tools.upload", "images.tickets.upload")
def test_a_size_instead_of_the_file_returns_a_ticket_for_it(agent: Client) -> None:
    ticket = tool_answer(agent, TOOL, ANNOUNCED | {"sha256": hashlib.sha256(png()).hexdigest()})

    assert ticket.keys() == {"upload_url", "method", "headers", "expires_at"}
    response = Client().generic(ticket["method"], ticket["upload_url"], png(), headers=ticket["headers"])
    assert response.status_code == 201
    assert response.json() == tool_answer(agent, TOOL, FILE)


def test_cut_base64_is_told_of_the_ticket(agent: Client) -> None:
    assert "byte_size" in _message(agent, TEXT[:-5])


@requirement("agents.tools.ways", "images.list")
@pytest.mark.parametrize("images", [True, False, None])
def test_the_tool_that_lists_posts_lists_images_when_it_is_asked_to(agent: Client, images: bool | None) -> None:
    image = tool_answer(agent, TOOL, FILE)

    answer = tool_answer(agent, "blog_list_posts", {"images": images, "per_page": 1})

    if images:
        assert [one["image_id"] for one in answer["images"]] == [image["image_id"]]
    else:
        assert answer["posts"] == []
    assert (answer["per_page"], answer["total"]) == (1, int(bool(images)))


@requirement("agents.tools.ways")
def test_filters_of_posts_and_of_images_do_not_mix(agent: Client) -> None:
    refused = [{"images": True, "status": "draft"}, {"unused": True}, {"images": False, "unused": True}]

    assert [tool_refusal(agent, "blog_list_posts", sent) for sent in refused] == [
        ("validation_failed", ["status"]),
        ("validation_failed", ["unused"]),
        ("validation_failed", ["unused"]),
    ]
    assert tool_refusal(agent, "blog_list_posts", {"images": "yes"}) == ("validation_failed", ["images"])


def _message(client: Client, text: str) -> str:
    result = call_tool(client, TOOL, FILE | {"base64": text})
    message: str = result["structuredContent"]["error"]["message"]
    return message
