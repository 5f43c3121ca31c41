"""Every tool over the official client, once with success and once refused, against its output schema."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest
from jsonschema import Draft202012Validator

from tests.mcp.conftest import Site, answered, connected, refused, run
from tests.requirements import requirement
from tests.support.factories import ARTICLE
from tests.support.images import png

pytestmark = pytest.mark.xdist_group("served")

Arguments: TypeAlias = Mapping[str, Any]
Seen: TypeAlias = Mapping[str, Any]
"""The answers so far, by tool."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A call that succeeds, with arguments that can depend on earlier answers, and one that is refused."""

    tool: str
    arguments: Arguments | Callable[[Seen], Arguments]
    refused: Arguments
    code: str


_REVIEW = {"name": "Rosa Reviewer", "facts_checked": True}
_IMAGE = {"base64": base64.b64encode(png("navy")).decode(), "filename": "quay.png", "content_type": "image/png"}
_CONNECTIONS = {
    "connections": [{"party": "Northern Ropeworks", "relation": "gave us a rope"}],
    "third_party_paid": False,
    "declared_by": "Mina Holt",
}


def _of_draft(seen: Seen) -> dict[str, Any]:
    return {"id": seen["blog_save_draft"]["post"]["id"]}


def _reviewed(seen: Seen) -> dict[str, Any]:
    return {
        **_of_draft(seen),
        **_REVIEW,
        "revision_identifier": seen["blog_save_draft"]["post"]["revision_identifier"],
    }


TURNS = (
    Turn("blog_upload_image", _IMAGE, _IMAGE | {"base64": "iVBOR"}, "image_not_permitted"),
    Turn("blog_save_category", {"name": "Quay"}, {"name": ""}, "validation_failed"),
    Turn("blog_save_author", {"name": "Toolmaker"}, {"id": 999_999, "name": "Nobody"}, "not_found"),
    Turn("blog_save_series", {"name": "A year of ropes"}, {"name": 5}, "validation_failed"),
    Turn(
        "blog_save_draft",
        {"title": "Every tool", "body": "Four ropes.\n", "category": "Quay", "tags": ["ropes"], "author": "Toolmaker"},
        {"titel": "Every tool"},
        "unknown_field",
    ),
    Turn("blog_list_posts", {"category": "Quay"}, {"status": "lost"}, "validation_failed"),
    Turn("blog_search_posts", {"q": "ropes"}, {"tag": "ropes"}, "validation_failed"),
    Turn("blog_get_post", _of_draft, {"id": "nowhere"}, "not_found"),
    Turn("blog_check_post", _of_draft, {"id": "nowhere"}, "not_found"),
    Turn("blog_get_preview_link", _of_draft, {"id": "nowhere"}, "not_found"),
    Turn(
        "blog_approve_revision",
        _reviewed,
        {"id": "every-tool", **_REVIEW, "revision_identifier": "not-this-one"},
        "revision_mismatch",
    ),
    Turn("blog_publish_post", _of_draft, {"title": "Paid", "publish_at": "tomorrow"}, "validation_failed"),
    Turn(
        "blog_update_post",
        lambda seen: {**_of_draft(seen), "body": "Five ropes.\n", "change": "substantive"},
        {"id": "every-tool", "body": "Six ropes.\n"},
        "change_type_required",
    ),
    Turn(
        "blog_correct_post",
        lambda seen: {**_of_draft(seen), "body": "Five wet ropes.\n", "note": "They were wet."},
        {"id": "every-tool", "body": "Six ropes.\n"},
        "correction_note_required",
    ),
    Turn(
        "blog_declare_connections",
        lambda seen: _of_draft(seen) | _CONNECTIONS,
        {"id": "every-tool", **_CONNECTIONS, "third_party_paid": "no"},
        "validation_failed",
    ),
    Turn("blog_get_post_records", _of_draft, {"id": "nowhere"}, "not_found"),
    Turn("blog_get_page_views", _of_draft, {"id": "every-tool", "days": 3}, "unknown_field"),
    Turn("blog_list_categories", {}, {"per_page": "many"}, "validation_failed"),
    Turn("blog_list_tags", {"per_page": 1}, {"page": 0}, "validation_failed"),
    Turn("blog_list_authors", {}, {"name": "Toolmaker"}, "unknown_field"),
    Turn("blog_list_series", {}, {"page": -1}, "validation_failed"),
    Turn("blog_adopt_post", ARTICLE, ARTICLE | {"approval": _REVIEW}, "unknown_field"),
    Turn("blog_save_redirect", {"old_path": "/ropes"}, {"old_path": "no path"}, "validation_failed"),
    Turn("blog_list_redirects", {}, {"page": "x"}, "validation_failed"),
    Turn(
        "blog_save_site_page",
        {"kind": "corrections", "title": "Corrections", "body": "We correct.\n"},
        {"kind": "cookies", "title": "Cookies"},
        "validation_failed",
    ),
    Turn("blog_get_site_page", {"kind": "corrections"}, {"kind": "editorial"}, "not_found"),
    Turn("blog_extract_faq", {"body": "## FAQ\n\n### Is tar safe?\nYes.\n"}, {}, "validation_failed"),
    Turn("blog_get_surface_report", {}, {"scope": "post"}, "validation_failed"),
    Turn("blog_doctor", {}, {"fast": True}, "unknown_field"),
    Turn("blog_unpublish_post", _of_draft, {"id": "nowhere"}, "not_found"),
    Turn("blog_remove_post", _of_draft, {"id": "nowhere"}, "not_found"),
)


@requirement("agents.clients", "agents.tools.conforming")
def test_each_tool_succeeds_and_refuses_with_results_of_its_schema(site: Site) -> None:
    codes: dict[str, str] = {}

    async def story() -> None:
        async with connected(site) as client:
            schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
            seen: dict[str, Any] = {}
            for turn in TURNS:
                arguments = turn.arguments(seen) if callable(turn.arguments) else turn.arguments
                seen[turn.tool] = await answered(client, turn.tool, **arguments)
                error = await refused(client, turn.tool, **turn.refused)
                codes[turn.tool] = error["code"]
                for result in (seen[turn.tool], {"error": error}):
                    Draft202012Validator(schemas[turn.tool]).validate(result)
            assert seen.keys() == schemas.keys()

    run(story)

    assert codes == {turn.tool: turn.code for turn in TURNS}


@requirement("agents.clients", "agents.tools.missing-scope")
def test_a_client_gets_the_missing_scope(site: Site) -> None:
    async def story() -> None:
        async with connected(site, token=site.reader) as client:
            before = await answered(client, "blog_list_posts", per_page=1)

            error = await refused(client, "blog_save_draft", title="Unwritten")

            assert (error["code"], error["details"]) == ("scope_required", ["write"])
            assert await answered(client, "blog_list_posts", per_page=1) == before

    run(story)
