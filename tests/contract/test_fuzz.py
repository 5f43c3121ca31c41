"""Whatever is sent: no failure of the server, JSON answers only, and a refusal leaves every row as it was.

``BLOG_ENGINE_FUZZ`` is how many rounds of 150 requests are made, ``BLOG_ENGINE_SEED`` the number of the first one;
``BLOG_ENGINE_TRANSCRIPT`` names a file for all answers, to compare databases.
"""

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from blog_engine.content.revision import revision_identifier
from blog_engine.models import Post, Publication, Revision
from tests.callers import client_with
from tests.contract.requests_at_random import Request, random_request
from tests.unchanged import everything_stored

pytestmark = pytest.mark.django_db

ROUNDS = int(os.environ.get("BLOG_ENGINE_FUZZ", "4"))
SEED = int(os.environ.get("BLOG_ENGINE_SEED", "0"))
TRANSCRIPT = os.environ.get("BLOG_ENGINE_TRANSCRIPT", "")
REQUESTS = 150

SCOPES = [("read", "write", "publish")] * 8 + [("read",), ("write",), ("publish",), ()]


class Session:
    """Some callers, and what is stored after the last request."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311  repeatable, not secret
        self.clients = {scopes: client_with(*scopes) for scopes in SCOPES}
        self.keys: list[str] = []
        self.identifiers: list[str] = []
        self.stored = stored_rows()

    def send(self) -> None:
        request = random_request(self.chance, self.keys, self.identifiers)
        response = answer(self.clients[self.chance.choice(SCOPES)], request)
        before, self.stored = self.stored, stored_rows()
        told = f"{request}\n{response.status_code} {response.content[:500]!r}"
        assert_well_formed(request, response, told)
        if response.status_code >= 400 or request.method in {"GET", "HEAD"}:
            assert self.stored == before, told
        self.learn(request, response)
        keep(request, response)

    def learn(self, request: Request, response: HttpResponse) -> None:
        body = json.loads(response.content) if response.content else {}
        post = body.get("post")
        if post:
            self.keys = list(dict.fromkeys([*self.keys, str(post["id"]), post["slug"]]))[-12:]
            self.identifiers = [*self.identifiers, post["revision_identifier"]][-4:]


def stored_rows() -> dict[str, Any]:
    """Everything but the tokens, which say when they were used."""
    return {name: rows for name, rows in everything_stored().items() if name != "ApiToken"}


def answer(client: Client, request: Request) -> HttpResponse:
    response: Any = client.generic(request.method, request.path, request.body, content_type=request.content_type)
    return response


def assert_well_formed(request: Request, response: HttpResponse, told: str) -> None:
    assert response.status_code in {200, 201, 202, 204, 401, 403, 404, 405, 409, 415, 422}, told
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
    """Add the answer to the transcript, without what differs from run to run."""
    if "q=" in request.path:
        return
    text = response.content.decode()
    text = re.sub(r'"(id|expires_at|preview_url|[a-z]+_at)":("[^"]+"|\d+)', r'"\1":…', text)
    text = re.sub(r" on \d{4}-[^ ]+Z", " on …", text)
    path = re.sub(r"/posts/\d+", "/posts/…", request.path)
    note(f"{request.method} {path} {request.body!r}\n    {response.status_code} {text}")


def note(line: str) -> None:
    if TRANSCRIPT:
        with Path(TRANSCRIPT).open("a") as file:
            file.write(line + "\n")


def assert_history_is_whole() -> None:
    for revision in Revision.objects.all():
        assert revision_identifier(revision.payload) == revision.identifier
    for post in Post.objects.all():
        firsts = Publication.objects.filter(post=post, entry_type="first").count()
        assert firsts == (post.public_revision_id is not None)
        if post.status == "published":
            assert post.public_revision.identifier == post.current_revision_identifier


@pytest.mark.parametrize("seed", range(SEED, SEED + ROUNDS))
def test_no_request_breaks_anything(seed: int, settings: Any) -> None:
    settings.RATELIMIT_ENABLE = False
    session = Session(seed)
    note(f"seed {seed}")

    for _ in range(REQUESTS):
        session.send()

    assert_history_is_whole()
