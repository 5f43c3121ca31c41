"""A sequence with each call of the API once, from which the examples of the OpenAPI document are recorded."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.support.clients import client_with

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
_OLD_ARTICLE = {
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
    Step("get_post", "get", "/posts/1"),
    Step("get_post_records", "get", "/posts/1/records"),
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
    Step("adopt_post", "post", "/adoptions", _OLD_ARTICLE),
    Step("doctor", "get", "/doctor"),
    Step("unpublish_post", "post", "/posts/1/unpublish"),
    Step("remove_post", "delete", "/posts/1?redirect_to=tar-and-patience"),
)


def tell() -> dict[str, dict[str, Any]]:
    """Make all calls on an empty database whose ids begin with 1; return request and response by operation."""
    seen: dict[str, Any] = {}
    told: dict[str, dict[str, Any]] = {}
    with time_machine.travel(MORNING, tick=False):
        client = client_with("read", "write", "publish")
        for step in STORY:
            body = step.body(seen) if callable(step.body) else step.body
            response = _send(client, step, body)
            assert response.status_code in {200, 201, 202, 204}, (step, response.content)
            example = {} if body is None else {"request": dict(body)}
            if response.content:
                seen[step.operation] = response.json()
                example["response"] = _shown(step, seen[step.operation])
            told[step.operation] = example
    return told


def _send(client: Client, step: Step, body: Mapping[str, Any] | None) -> Any:
    if step.operation == "upload_image":
        return client.post(f"{BASE}{step.path}", {"file": SimpleUploadedFile("ropes.png", _PICTURE, "image/png")})
    if step.method == "get":
        return client.get(f"{BASE}{step.path}")
    text = "" if body is None else json.dumps(body)
    return client.generic(step.method.upper(), f"{BASE}{step.path}", text, content_type="application/json")


def _shown(step: Step, answer: Any) -> Any:
    # The doctor's messages depend on the machine.
    if step.operation == "doctor":
        return {"checks": [{"name": check["name"], "status": "ok", "message": "…"} for check in answer["checks"]]}
    return answer
