"""Upload tickets over HTTP: opened with a token, and filled at their URL without one."""

import hashlib
import json
import logging
import re
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
import time_machine
from django.core.files.storage import Storage
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from blog_engine.http import rate_limit
from blog_engine.models import ApiToken, Image, UploadTicket
from blog_engine.services.tokens import revoke_token
from tests.requirements import requirement
from tests.support.clients import Unread, assert_json, client_with, counters, refusal_in
from tests.support.hosts import blog_settings
from tests.support.images import plain, png
from tests.support.tables import everything_stored, undone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

TICKETS = "/blog/api/v1/images/tickets"
ANNOUNCED: dict[str, Any] = {"filename": "quay wall.png", "content_type": "image/png", "byte_size": len(png())}
NOT_PERMITTED = (422, "image_not_permitted", [])
CLOSED = (410, "upload_ticket_closed", [])


def ask(client: Client, **changed: Any) -> HttpResponse:
    return client.post(TICKETS, json.dumps(ANNOUNCED | changed), content_type="application/json")


def url_for(client: Client, **changed: Any) -> str:
    response = ask(client, **changed)
    assert response.status_code == 201, response.content
    url: str = response.json()["upload_url"]
    return url


def put(url: str, data: Any = None, content_type: str = "image/png", **extra: Any) -> HttpResponse:
    return Client(raise_request_exception=False).generic(
        "PUT", url, png() if data is None else data, content_type=content_type, **extra
    )


def secret_in(url: str) -> str:
    return url.partition("?secret=")[2]


@requirement("images.tickets.open", "images.tickets.secret")
def test_a_ticket_says_where_and_how_to_send_the_file(writer: Client) -> None:
    with time_machine.travel("2026-11-02T09:00:00Z", tick=False):
        response = ask(writer)

    assert_json(response)
    assert response.status_code == 201
    answer = response.json()
    ticket = UploadTicket.objects.get()
    assert re.fullmatch(
        rf"https://example\.com{TICKETS}/{ticket.pk}\?secret=[\w-]{{43}}", answer.pop("upload_url"), re.ASCII
    )
    assert answer == {
        "method": "PUT",
        "headers": {"Content-Type": "image/png"},
        "expires_at": "2026-11-02T09:15:00Z",
    }


@requirement("images.tickets.secret")
def test_only_a_digest_of_the_secret_is_stored(writer: Client) -> None:
    secret = secret_in(url_for(writer))

    assert secret not in repr(everything_stored())
    assert UploadTicket.objects.get().secret_digest == hashlib.sha256(secret.encode()).hexdigest()


@requirement("images.tickets.open")
def test_a_file_that_can_be_no_image_gets_no_ticket(writer: Client, subtests: pytest.Subtests) -> None:
    for changed in [
        {"filename": ""},
        {"filename": " . "},
        {"filename": None},
        {"filename": "a\x00"},
        {"content_type": "image/svg+xml"},
        {"content_type": "image/png; charset=x"},
        {"content_type": None},
        {"byte_size": 0},
        {"byte_size": -1},
        {"byte_size": 2**40},
        {"byte_size": "68"},
        {"byte_size": True},
        {"byte_size": None},
        {"sha256": "0" * 63},
        {"sha256": "A" * 64},
        {"sha256": None},
    ]:
        with subtests.test(changed=changed):
            assert refusal_in(ask(writer, **changed)) == NOT_PERMITTED
            assert not UploadTicket.objects.exists()


@requirement("images.tickets.open")
@pytest.mark.parametrize("missing", list(ANNOUNCED))
def test_every_field_but_the_digest_is_needed(writer: Client, missing: str) -> None:
    sent = {name: value for name, value in ANNOUNCED.items() if name != missing}

    assert refusal_in(writer.post(TICKETS, json.dumps(sent), content_type="application/json")) == NOT_PERMITTED


def test_another_field_is_unknown(writer: Client) -> None:
    assert refusal_in(ask(writer, url="https://example.com/a.png")) == (422, "unknown_field", ["url"])


@requirement("images.tickets.open")
def test_the_types_are_those_of_the_setting(writer: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(image_content_types=["image/png"])

    assert refusal_in(ask(writer, content_type="image/jpeg")) == NOT_PERMITTED
    assert ask(writer, content_type="IMAGE/PNG").status_code == 201


@requirement("images.tickets.upload", "images.object")
@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP"])
def test_the_file_is_stored_as_an_upload_of_the_actor(writer: Client, format: str) -> None:
    data, kind = plain(format), f"image/{format.lower()}"
    url = url_for(writer, filename="C:\\a\\quay", content_type=kind, byte_size=len(data))

    response = put(url, data, content_type=kind)

    assert_json(response)
    image = Image.objects.get()
    assert (response.status_code, response.json()) == (
        201,
        {
            "image_id": image.pk,
            "url": image.url,
            "sha256": hashlib.sha256(data).hexdigest(),
            "filename": "quay",
            "content_type": kind,
            "byte_size": len(data),
            "width": 30,
            "height": 20,
            "credit": "",
            "digital_source_type": None,
            "source_type_from": None,
        },
    )
    assert image.uploaded_by == "Ada"
    assert UploadTicket.objects.get().image == image


@requirement("images.tickets.upload", "images.identity.reuse")
def test_known_bytes_give_the_stored_image(writer: Client) -> None:
    first = put(url_for(writer)).json()

    assert put(url_for(writer, filename="other.png")).json() == first
    assert Image.objects.count() == 1


@requirement("images.tickets.no-token", "api.paths.slash")
def test_the_url_is_the_only_right_that_is_needed(writer: Client, settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "django.contrib.auth.middleware.LoginRequiredMiddleware"]
    url = url_for(writer).replace("?", "/?")
    guest = Client(
        enforce_csrf_checks=True, headers={"Authorization": "Bearer wrong", "Origin": "https://evil.example"}
    )

    response = guest.generic("PUT", url, png(), content_type="image/png")

    assert response.status_code == 201
    assert_json(response)
    assert counters(response) == {}


@requirement("images.tickets.no-token")
def test_an_upload_costs_no_call_of_the_actor(writer: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(api_rate_limit="1/h")
    url = url_for(writer)

    assert refusal_in(ask(writer))[0] == 429
    assert put(url).status_code == 201


@pytest.mark.parametrize("content_type", ["", "application/octet-stream"])
def test_a_content_type_can_say_nothing(writer: Client, content_type: str) -> None:
    # As that of curl, and that of generated clients.
    assert put(url_for(writer), content_type=content_type).status_code == 201


@requirement("images.tickets.bound")
@pytest.mark.parametrize("content_type", ["image/jpeg", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_another_content_type_is_refused_before_the_body_is_read(writer: Client, content_type: str) -> None:
    response = put(url_for(writer), content_type=content_type, **{"wsgi.input": Unread()})

    assert refusal_in(response) == NOT_PERMITTED
    assert "image/png" in response.json()["error"]["message"]


@requirement("images.tickets.bound")
def test_another_file_is_refused_and_the_right_one_can_follow(writer: Client, subtests: pytest.Subtests) -> None:
    for announced, data in [
        ({}, png()[:-1]),
        ({"byte_size": len(png()) - 1}, png()[:-1]),
        ({"byte_size": len(plain("JPEG"))}, plain("JPEG")),
        ({"byte_size": 6}, b"<svg/>"),
        ({"sha256": "0" * 64}, png()),
    ]:
        with subtests.test(announced=announced, data=data), undone():
            url = url_for(writer, **announced)
            before = everything_stored() | {"UploadTicket": None}

            assert refusal_in(put(url, data)) == NOT_PERMITTED
            assert everything_stored() | {"UploadTicket": None} == before
            ticket = UploadTicket.objects.get()
            assert (ticket.attempts, ticket.image) == (1, None)
            if not announced:
                assert put(url).status_code == 201


@requirement("images.tickets.bound")
def test_the_announced_digest_is_that_of_the_file(writer: Client) -> None:
    assert put(url_for(writer, sha256=hashlib.sha256(png()).hexdigest())).status_code == 201


@requirement("images.tickets.length")
def test_a_longer_body_and_one_without_a_length_are_not_read(writer: Client) -> None:
    url = url_for(writer)
    unread = {"wsgi.input": Unread()}

    longer = put(url, png() + b"x", **unread)
    unknown = put(url, **unread, CONTENT_LENGTH="", HTTP_TRANSFER_ENCODING="chunked")
    nothing = put(url, **unread, CONTENT_LENGTH="")

    assert refusal_in(longer) == (413, "payload_too_large", [])
    assert refusal_in(unknown) == refusal_in(nothing) == (411, "length_required", [])


@requirement("images.tickets.length")
def test_a_body_that_ends_early_is_refused_and_can_be_sent_again(writer: Client) -> None:
    url = url_for(writer)

    cut = put(url, **{"wsgi.input": BytesIO(png()[:-1])})

    assert refusal_in(cut) == (422, "validation_failed", ["body"])
    assert put(url).status_code == 201


def test_a_compressed_body_is_refused(writer: Client) -> None:
    assert refusal_in(put(url_for(writer), HTTP_CONTENT_ENCODING="gzip"))[:2] == (415, "unsupported_media_type")


@requirement("images.tickets.once")
def test_a_second_upload_is_refused_with_the_image(writer: Client) -> None:
    url = url_for(writer)
    first = put(url).json()

    again = put(url, **{"wsgi.input": Unread()})

    assert refusal_in(again) == CLOSED
    assert f"image_id {first['image_id']}" in again.json()["error"]["message"]


@requirement("images.tickets.once")
def test_an_expired_ticket_is_closed(writer: Client) -> None:
    with time_machine.travel("2026-11-02T09:00:00Z", tick=False):
        url, late = url_for(writer), url_for(writer)
    with time_machine.travel("2026-11-02T09:14:59Z", tick=False):
        assert put(url).status_code == 201
    with time_machine.travel("2026-11-02T09:15:00Z", tick=False):
        answer = put(late, **{"wsgi.input": Unread()})

    assert refusal_in(answer) == CLOSED
    assert "expired" in answer.json()["error"]["message"]


@requirement("images.tickets.once")
def test_five_uploads_without_success_close_a_ticket(writer: Client) -> None:
    url = url_for(writer)

    statuses = [put(url, b"x" * len(png())).status_code for _ in range(5)]
    sixth = put(url, **{"wsgi.input": Unread()})

    assert statuses == [422] * 5
    assert refusal_in(sixth) == CLOSED
    assert not Image.objects.exists()


@requirement("images.tickets.unknown", "access.rate.failed-attempts")
def test_a_forged_url_is_not_found_and_counts_as_a_refused_token(writer: Client) -> None:
    url = url_for(writer)
    number, secret = UploadTicket.objects.get().pk, secret_in(url)
    forged = [
        f"{TICKETS}/{number}",
        f"{TICKETS}/{number}?secret=",
        f"{TICKETS}/{number}?secret={secret[:-1]}",
        f"{TICKETS}/{number}?secret={secret}&secret={secret}",
        f"{TICKETS}/{number + 1}?secret={secret}",
        f"{TICKETS}/{'9' * 30}?secret={secret}",
        f"{TICKETS}/0{number}?secret={secret}",
        f"{TICKETS}/quay?secret=%00",
    ]
    most = int(rate_limit.FAILED_ATTEMPTS_RATE.removesuffix("/m"))

    with time_machine.travel("2026-11-02T09:00:00Z", tick=False):
        answers = [refusal_in(put(one, **{"wsgi.input": Unread()})) for one in (forged * 3)[:most]]
        excess = put(forged[0])

    assert answers == [(404, "not_found", [])] * most
    assert refusal_in(excess) == (429, "rate_limited", [])
    assert UploadTicket.objects.get().attempts == 0
    assert put(url).status_code == 201


def test_an_unknown_parameter_is_refused(writer: Client) -> None:
    assert refusal_in(put(url_for(writer) + "&name=x")) == (422, "unknown_field", ["name"])


@requirement("images.tickets.secret")
def test_the_secret_is_in_no_log_line_nor_in_the_request(
    writer: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    url = url_for(writer)
    secret = secret_in(url)

    answers = [put(url, b"x" * len(png())), Client().get(url)]
    monkeypatch.setattr("blog_engine.api.viewsets.admit_upload", lambda *_, **__: 1 / 0)
    # Servers keep the whole URL.
    answers.append(put(url, RAW_URI=url, REQUEST_URI=url))

    assert [one.status_code for one in answers] == [422, 405, 500]
    records = [str(vars(record)) for record in caplog.records] + [caplog.text]
    seen = [str(one.wsgi_request.META) + one.wsgi_request.get_full_path() for one in answers]  # type: ignore[attr-defined]  # added by the test client
    assert len(caplog.records) >= 3
    assert all(secret not in text for text in records + seen)


@requirement("images.tickets.most")
def test_an_actor_has_at_most_twenty_open_tickets(writer: Client) -> None:
    with time_machine.travel("2026-11-02T09:00:00Z", tick=False):
        urls = [url_for(writer) for _ in range(20)]
    with time_machine.travel("2026-11-02T09:05:00Z", tick=False):
        refused = ask(writer)
        others = ask(client_with("write"))
        put(urls[0])
        again = ask(writer)
    with time_machine.travel("2026-11-02T09:15:00Z", tick=False):
        later = ask(writer)

    assert refusal_in(refused) == (429, "rate_limited", [])
    assert refused.headers["Retry-After"] == "601"
    assert "upload tickets" in refused.json()["error"]["message"]
    assert [one.status_code for one in (others, again, later)] == [201, 201, 201]


@requirement("images.tickets.deleted")
def test_opening_a_ticket_deletes_old_ones(writer: Client) -> None:
    used, unused = url_for(writer), url_for(writer)
    put(used)

    with time_machine.travel(timezone.now() + timedelta(minutes=74)):
        url_for(writer)
        assert UploadTicket.objects.count() == 3
    with time_machine.travel(timezone.now() + timedelta(minutes=76)):
        url_for(writer)
        assert UploadTicket.objects.count() == 2
        assert refusal_in(put(unused)) == (404, "not_found", [])
    assert Image.objects.count() == 1


@requirement("images.tickets.deleted")
def test_a_revoked_token_leaves_no_tickets(writer: Client) -> None:
    url = url_for(writer)
    kept = url_for(client_with("write"))

    revoke_token(ApiToken.objects.earliest("pk"), now=timezone.now())

    assert refusal_in(put(url)) == (404, "not_found", [])
    assert put(kept).status_code == 201


@requirement("images.tickets.once", "refusals.nothing-written")
def test_a_storage_out_of_reach_leaves_the_ticket_open(writer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise OSError("disk full")

    url = url_for(writer)
    with monkeypatch.context() as broken:
        broken.setattr(Storage, "save", fail)
        assert refusal_in(put(url)) == (503, "unavailable", [])
    assert not Image.objects.exists()
    assert put(url).status_code == 201
