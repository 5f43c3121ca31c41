"""The examples in the OpenAPI document are the real answers of the API."""

import base64
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from blog_engine import services
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import UpdatePost
from tests.requirements import requirement
from tests.support.clients import OPERATIONS, client_with
from tests.support.factories import AGENT

EXAMPLES = Path(str(files("blog_engine.api.openapi") / "examples.json"))
MORNING = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
BASE = "/blog/api/v1"

# Literal bytes, because another release of Pillow would draw others.
_PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGNQcEhYsOEAAAeHAtHE5rUNAAAAAElFTkSuQmCC"
)

Seen = Mapping[str, Any]
"""The answers so far, by operation."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call; ``body`` can depend on the earlier answers."""

    operation: str
    method: str
    path: str
    body: Mapping[str, Any] | Callable[[Seen], Mapping[str, Any]] | None = None


_DRAFT = {
    "external_id": "harbour-log-1",
    "title": "Ropes that last a winter",
    "description": "Which ropes survive ice, and how we tested them.",
    "body": "## What we tested\n\nFour ropes hung over the quay for ninety days.\n",
    "author": "Mina Holt",
    "category": "Harbour notes",
    "tags": ["ropes", "winter"],
    "faq": [{"question": "Which rope lasted?", "answer": "The tarred hemp one."}],
    "cover_image": {"image_id": 1},
    "cover_alt": "Four ropes on a quay wall",
    "provenance": "ai_assisted",
}
OLD_ARTICLE = {
    "source_system": "old-journal",
    "source_id": "4711",
    "slug": "tar-and-patience",
    "title": "Tar and patience",
    "body": "Warm the tar first.\n",
    "body_format": "markdown",
    "first_published_at": "2019-05-04T08:00:00Z",
    "first_published_evidence": "Export of the old journal, field created_at.",
    "old_slugs": ["tar-patience"],
}

STORY = (
    Step("create_category", "post", "/categories", {"name": "Harbour notes", "description": "From the quay."}),
    Step("update_category", "patch", "/categories/1", {"position": 2}),
    Step("list_categories", "get", "/categories"),
    Step("create_series", "post", "/series", {"name": "A year of ropes"}),
    Step("update_series", "patch", "/series/1", {"description": "Four tests in four seasons."}),
    Step("list_series", "get", "/series"),
    Step("upload_image", "post", "/images"),
    Step("update_image", "patch", "/images/1", {"credit": "Mina Holt", "digital_source_type": "digitalCapture"}),
    Step(
        "open_upload_ticket",
        "post",
        "/images/tickets",
        {"filename": "ropes.png", "content_type": "image/png", "byte_size": len(_PICTURE)},
    ),
    Step("fill_upload_ticket", "put", ""),
    Step("create_author", "post", "/authors", {"name": "Mina Holt", "avatar": {"image_id": 1}}),
    Step("update_author", "patch", "/authors/1", {"bio": "Harbour master since 2004."}),
    Step("list_authors", "get", "/authors"),
    Step("save_post", "post", "/posts", _DRAFT),
    Step("list_tags", "get", "/tags"),
    Step("check_post", "get", "/posts/1/findings"),
    Step("get_preview_link", "get", "/posts/1/preview"),
    Step(
        "approve_revision",
        "post",
        "/posts/1/approvals",
        lambda seen: {
            "revision_identifier": seen["save_post"]["post"]["revision_identifier"],
            "name": "Rosa Reviewer",
            "facts_checked": True,
        },
    ),
    Step("publish_post", "post", "/posts/1/publish", {}),
    Step("list_images", "get", "/images"),
    Step("list_posts", "get", "/posts?status=published"),
    Step(
        "update_post",
        "patch",
        "/posts/1",
        {
            "body": "## What we tested\n\nFour ropes hung over the quay for ninety-one days.\n",
            "change": "correction",
            "note": "The test took ninety-one days, not ninety.",
        },
    ),
    Step(
        "declare_connections",
        "post",
        "/posts/1/connections",
        {
            "connections": [{"party": "Northern Ropeworks", "relation": "gave us two of the ropes"}],
            "third_party_paid": False,
            "declared_by": "Rosa Reviewer",
        },
    ),
    Step("list_proposals", "get", "/proposals?state=open"),
    Step("get_proposal", "get", "/proposals/1"),
    Step("apply_proposal", "post", "/proposals/1/apply", {}),
    Step("reject_proposal", "post", "/proposals/2/reject", {"reason": "The old title is the better one."}),
    Step("withdraw_proposal", "post", "/proposals/3/withdraw", {}),
    Step("get_post", "get", "/posts/1"),
    Step("get_post_records", "get", "/posts/1/records"),
    Step("get_post_evidence", "get", "/posts/1/evidence"),
    Step("get_post_views", "get", "/posts/1/views"),
    Step("get_top_views", "get", "/views/top"),
    Step("get_surface_report", "get", "/report"),
    Step("save_redirect", "post", "/redirects", {"old_path": "/blog/ropes", "new_path": "ropes-that-last-a-winter"}),
    Step("list_redirects", "get", "/redirects"),
    Step("delete_redirect", "delete", "/redirects/1"),
    Step(
        "save_page",
        "put",
        "/pages/responsible_party",
        {"title": "Who answers for this blog", "body": "Harbour Press, Quay 1.\n", "status": "published"},
    ),
    Step("get_page", "get", "/pages/responsible_party"),
    Step("list_pages", "get", "/pages"),
    Step("extract_faq", "post", "/faq_extractions", {"body": "Intro.\n\n## FAQ\n\n### Is tar safe?\nYes.\n"}),
    Step("adopt_post", "post", "/adoptions", OLD_ARTICLE),
    Step("doctor", "get", "/doctor"),
    Step("unpublish_post", "post", "/posts/1/unpublish", {"expected_version": 6, "with_body": False}),
    Step("remove_post", "delete", "/posts/1?redirect_to=tar-and-patience"),
)


def tell() -> dict[str, dict[str, Any]]:
    """Make all calls on an empty database whose ids begin with 1; return request and response by operation."""
    seen: dict[str, Any] = {}
    told: dict[str, dict[str, Any]] = {}
    with time_machine.travel(MORNING, tick=False):
        client = client_with("read", "write", "publish")
        for step in STORY:
            if step.operation == "get_post_evidence":
                services.make_checkpoint(now=timezone.now())
            if step.operation == "list_proposals":
                _propose()
            body = step.body(seen) if callable(step.body) else step.body
            response = _send(client, step, body, seen)
            assert response.status_code in {200, 201, 202, 204}, (step, response.content)
            example = {} if body is None else {"request": dict(body)}
            if response.content:
                seen[step.operation] = response.json()
                example["response"] = _shown(step, seen[step.operation])
            told[step.operation] = example
    return told


def _propose() -> None:
    """Propose three edits of the first post, as an agent would."""
    for edit in (
        {"edits": [{"old": "over the quay", "new": "over the northern quay"}], "made_by_ai": True},
        {"title": "Ropes for the ice", "made_by_ai": True},
        {"description": "Which ropes survive ice."},
    ):
        sent = edit | {"change": "maintenance", "propose": True}
        data = parse(UpdatePost, sent, fixed={"id": "1"})
        services.update_post(data, actor=AGENT, now=timezone.now())


def _send(client: Client, step: Step, body: Mapping[str, Any] | None, seen: Seen) -> Any:
    if step.operation == "fill_upload_ticket":
        return Client().put(seen["open_upload_ticket"]["upload_url"], _PICTURE, content_type="image/png")
    if step.operation == "upload_image":
        return client.post(f"{BASE}{step.path}", {"file": SimpleUploadedFile("ropes.png", _PICTURE, "image/png")})
    if step.method == "get":
        return client.get(f"{BASE}{step.path}")
    text = "" if body is None else json.dumps(body)
    return client.generic(step.method.upper(), f"{BASE}{step.path}", text, content_type="application/json")


def _shown(step: Step, answer: Any) -> Any:
    if step.operation == "open_upload_ticket":
        return answer | {"upload_url": f"{answer['upload_url'].partition('=')[0]}=…"}
    # The doctor's messages depend on the machine.
    if step.operation == "doctor":
        checks = [{"name": check["name"], "status": "ok", "message": "…"} for check in answer["checks"]]
        return {"checks": checks, "time_zone": "UTC", "today": "2030-01-31"}
    return answer


@requirement("openapi.examples")
def test_the_story_has_every_operation() -> None:
    assert sorted(step.operation for step in STORY) == sorted(OPERATIONS)


@requirement("openapi.examples")
@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_the_examples_are_recorded_from_real_calls() -> None:
    """Compare the examples; with ``RECORD_EXAMPLES=1`` write them instead (``scripts/record-examples``)."""
    told = tell()

    if os.environ.get("RECORD_EXAMPLES") == "1":
        EXAMPLES.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")
    assert json.loads(EXAMPLES.read_text("utf-8")) == told
