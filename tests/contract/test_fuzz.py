"""Whatever is sent: no server error, only JSON, and a refusal leaves every row and file unchanged.

``BLOG_ENGINE_FUZZ`` is the number of rounds of 150 requests, ``BLOG_ENGINE_SEED`` the number of the first one, and
``BLOG_ENGINE_TRANSCRIPT`` a file for all answers, to compare databases.
"""

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from tests.contract.random_requests import API, GENERATORS, LIMIT, Known, Request, random_request
from tests.support.clients import OPERATIONS, client_with, endpoint_of
from tests.support.hosts import blog_settings
from tests.support.images import png
from tests.support.integrity import assert_all_is_well, assert_history_only_grew
from tests.support.tables import everything_stored
from tests.support.web import answer, by_path, serving

ROUNDS = int(os.environ.get("BLOG_ENGINE_FUZZ", "4"))
SEED = int(os.environ.get("BLOG_ENGINE_SEED", "0"))
TRANSCRIPT = os.environ.get("BLOG_ENGINE_TRANSCRIPT", "")
REQUESTS = 150

SCOPES = [("read", "write", "publish")] * 8 + [("read",), ("write",), ("publish",), ()]
ALL = SCOPES[0]
EXPECTED = {200, 201, 202, 204, 403, 404, 405, 409, 410, 411, 413, 415, 422, 429}


@pytest.fixture
def gallery(db: None, own_images: None, settings: Settings) -> Iterator[str]:
    """The URL of a local server with pictures, and with files that are none."""
    settings.RATELIMIT_ENABLE = False
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=LIMIT)
    pages = {
        "quay": answer(png()),
        "wall": answer(png("red")),
        "page": answer(b"<!doctype html><title>x</title>", Content_Type="image/png"),
        "loop": answer(status="302 Found", Location="/loop.png"),
        "moved": answer(status="301 Moved", Location="/quay.png"),
        "cut": answer(png()[:-20]),
        "large": answer(b"x" * (LIMIT + 1)),
        "gone": answer(status="410 Gone"),
    }
    # Its URL is part of what is stored, and of the identifiers by which two transcripts are compared.
    port = 18_080 if TRANSCRIPT else 0
    with serving(by_path({f"/{name}.png": raw for name, raw in pages.items()}), port=port) as server:
        yield f"http://127.0.0.1:{server.port}"


class Session:
    """Several callers, and what is stored after the last request."""

    def __init__(self, seed: int, gallery: str) -> None:
        self.chance = random.Random(seed)  # noqa: S311  repeatable, not secret
        self.clients = {scopes: client_with(*scopes) for scopes in SCOPES}
        self.known = Known(gallery)
        self.stored = stored_rows()
        self.begin_with_proposals()

    def begin_with_proposals(self) -> None:
        """Publish a post and propose edits of it, which random requests rarely do in this order."""
        self.write("save_post", "POST", "/posts", {"title": "Alpha", "slug": "alpha", "body": "One.", "publish": True})
        for field in ("title", "description", "body", "cover_alt"):
            self.write(
                "update_post", "PATCH", "/posts/alpha", {field: "Two.", "change": "maintenance", "propose": True}
            )

    def write(self, operation: str, method: str, path: str, sent: dict[str, Any]) -> None:
        """Send a write that succeeds."""
        request = Request(method, API + path, json.dumps(sent).encode(), "application/json")
        response = self.try_out(operation, request, ALL)
        assert response.status_code < 300, response.content

    def send(self) -> None:
        operation, request = random_request(self.chance, self.known)
        self.try_out(operation, request, self.chance.choice(SCOPES))

    def try_out(self, operation: str, request: Request, scopes: tuple[str, ...]) -> Any:
        """Send the request, and compare what is stored before and after it."""
        response: Any = self.clients[scopes].generic(
            request.method, request.path, request.body, content_type=request.content_type
        )
        before, self.stored = self.stored, stored_rows()
        told = f"{operation} {str(request)[:3000]}\n{response.status_code} {response.content[:500]!r}"
        assert_well_formed(request, response, told)
        body = json.loads(response.content) if response.content else {}
        if response.status_code >= 400 or is_looking(operation, request, body):
            assert self.stored == before, told
        replaced = body.get("records", {}).get("baseline") == "replaced" if "dry_run" in body else False
        assert_history_only_grew(before, self.stored, except_of=body["post"]["id"] if replaced else None)
        if response.status_code < 400:
            self.learn(body)
        keep(request, response)
        return response

    def learn(self, body: dict[str, Any]) -> None:
        post, known = body.get("post"), self.known
        # Evidence names its post in another form.
        if post and "revision_identifier" in post and not body.get("dry_run"):
            # A short slug of digits could be another post's id, on one database and not on the other.
            slugs = [] if post["slug"].isdigit() and len(post["slug"]) < 6 else [post["slug"]]
            known.posts = list(dict.fromkeys([*known.posts, str(post["id"]), *slugs]))[-12:]
            known.identifiers = [*known.identifiers, post["revision_identifier"]][-4:]
        if "sha256" in body:
            known.media = list(dict.fromkeys([*known.media, body["url"]]))[-3:]
        if "upload_url" in body:
            known.uploads = [*known.uploads, body["upload_url"]][-3:]
        for collection, model in RECORDS.items():
            known.ids[collection] = [row["id"] for row in self.stored[model]][-6:]


RECORDS = {
    "categories": "Category",
    "authors": "Author",
    "series": "Series",
    "redirects": "Redirect",
    "images": "Image",
    "proposals": "Proposal",
}


def is_looking(operation: str, request: Request, body: dict[str, Any]) -> bool:
    """Return whether a successful request must not change anything."""
    return request.method in {"GET", "HEAD"} or operation == "extract_faq" or body.get("dry_run") is True


def stored_rows() -> dict[str, Any]:
    """Return all rows and files except tokens, which record their use, and upload tickets, which count attempts."""
    return {name: rows for name, rows in everything_stored().items() if name not in {"ApiToken", "UploadTicket"}}


def assert_well_formed(request: Request, response: HttpResponse, told: str) -> None:
    assert response.status_code in EXPECTED, told
    assert response.headers["Cache-Control"] == "no-store", told
    assert ("Allow" in response.headers) == (response.status_code == 405), told
    if response.status_code == 204 or request.method == "HEAD":
        assert not response.content
        return
    assert response.headers["Content-Type"] == "application/json", told
    body = json.loads(response.content)
    if response.status_code >= 400:
        assert set(body) == {"error"}, told
        assert set(body["error"]) == {"code", "message", "details"}, told
        assert all(isinstance(detail, str) for detail in body["error"]["details"]), told


def keep(request: Request, response: HttpResponse) -> None:
    """Add the answer to the transcript, without what differs between runs."""
    if not TRANSCRIPT or "q=" in request.path or "/doctor" in request.path or "/report" in request.path:
        return
    asked = re.sub(r'\\?"([a-z_]*id)\\?": ?\d+', r'"\1":…', f"{request.body!r}")[:3000]
    told = re.sub(r'"([a-z_]*id|expires_at|preview_url|[a-z]+_at)":("[^"]+"|\d+)', r'"\1":…', response.content.decode())
    line = f"{request.method} {re.sub(r'/[0-9]+', '/…', request.path)} {asked}\n    {response.status_code} {told}"
    note(re.sub(r" on \d{4}-[^ ]+Z", " on …", line))


def note(line: str) -> None:
    if TRANSCRIPT:
        with Path(TRANSCRIPT).open("a") as file:
            file.write(line + "\n")


def test_every_operation_has_a_generator() -> None:
    assert sorted(GENERATORS) == sorted(OPERATIONS)


MAKERS = frozenset({"save_post", "update_post", "open_upload_ticket", "save_redirect"})
"""Operations that go on in every round: what they make can be used up, such as drafts, proposals and tickets."""


@pytest.mark.heavy
def test_every_generator_comes_through_to_its_operation(gallery: str) -> None:
    session, left = Session(SEED, gallery), set(GENERATORS)

    for _ in range(300):
        for operation in [name for name in GENERATORS if name in left | MAKERS]:
            response = session.try_out(operation, GENERATORS[operation](session.chance, session.known), ALL)
            if response.status_code < 300 and answered_by(response) == operation:
                left.discard(operation)
        if not left:
            break

    assert left == set()


def answered_by(response: Any) -> str | None:
    endpoint = endpoint_of(response.wsgi_request)
    return endpoint.operation.name if endpoint else None


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(SEED, SEED + ROUNDS))
def test_no_request_breaks_anything(seed: int, gallery: str) -> None:
    session = Session(seed, gallery)
    note(f"seed {seed}")

    for _ in range(REQUESTS):
        session.send()

    assert_all_is_well()
    assert_doctor_finds_the_records_whole(session.clients[ALL])


def assert_doctor_finds_the_records_whole(client: Client) -> None:
    checks = {check["name"]: check for check in client.get("/blog/api/v1/doctor").json()["checks"]}
    assert checks["Records"]["status"] == "ok", checks["Records"]
