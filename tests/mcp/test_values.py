"""The values that clients of models send in other forms than the schemas ask for."""

import json
from typing import Any

import pytest
import time_machine
from django.test import Client

from blog_engine.mcp import definitions
from blog_engine.models import Category, Post
from tests.requirements import requirement
from tests.support.clients import call_tool, tool_answer, tool_refusal
from tests.support.databases import align_ids
from tests.support.factories import NOW, save, store_image
from tests.support.tables import stored_beside_tokens, undone

pytestmark = pytest.mark.django_db

TOOLS = {tool.name: tool for tool in definitions()}
KEEPS_NULL = {
    *(
        "publish_at",
        "cover_image",
        "social_image",
        "avatar",
        "translation_of",
        "series_position",
        "approved_on",
    )
}


def stored(post: Post) -> Post:
    return Post.objects.get(pk=post.pk)


@requirement("agents.values.null")
@pytest.mark.parametrize("tool", TOOLS)
@time_machine.travel(NOW, tick=False)
def test_a_call_with_every_field_null_is_the_call_without_them(agent: Client, tool: str) -> None:
    """Strict clients send every field of a schema, as null where the model said nothing."""
    schema = TOOLS[tool].input_schema
    save(title="Fog", slug="fog", body="Thin.", description="About it.")
    sent = {"id": "fog"} if schema["properties"].get("id", {}).get("type") == "string" else {}
    nulls = dict.fromkeys(schema["properties"].keys() - KEEPS_NULL - sent.keys())

    with undone():
        align_ids()
        expected = call_tool(agent, tool, sent)["structuredContent"], stored_beside_tokens()
    with undone():
        align_ids()
        found = call_tool(agent, tool, sent | nulls)["structuredContent"], stored_beside_tokens()

    assert found == expected


@requirement("agents.values.null")
def test_nulls_inside_of_objects_count_as_not_sent(agent: Client) -> None:
    post = save(title="Fog", body="Thin.").post
    edit = {"old": "Thin", "new": "Thick", "occurrence": None, "append": None, "after_heading": None}

    tool_answer(agent, "blog_update_post", {"id": post.pk, "edits": [edit, None], "approval": None, "faq": None})

    assert stored(post).body == "Thick."


@requirement("agents.values.null")
def test_a_null_that_says_something_says_it(agent: Client) -> None:
    image = store_image()
    post = save(title="Fog", cover_image={"image_id": image.pk}, series="Sea", series_position=2).post

    tool_answer(agent, "blog_update_post", {"id": str(post.pk), "cover_image": None, "series_position": None})

    assert (stored(post).cover_image, stored(post).series_position) == (None, None)


@requirement("agents.values.numbers")
@pytest.mark.parametrize("number", ["{}", 1.0, "1"], ids=repr)
def test_a_number_with_a_zero_fraction_is_whole(agent: Client, number: Any) -> None:
    post = save(title="Fog", body="Thin.").post
    id = float(post.pk) if number == 1.0 else str(post.pk)
    version = 1.0 if number == 1.0 else 1

    answer = tool_answer(agent, "blog_update_post", {"id": id, "title": "Haze", "expected_version": version})

    assert answer["post"]["id"] == post.pk


@requirement("agents.values.numbers", "agents.values.others")
@pytest.mark.parametrize(("sent", "fields"), [({"per_page": 5.5}, ["per_page"]), ({"page": 0.0}, ["page"])])
def test_other_numbers_are_refused(agent: Client, sent: dict[str, Any], fields: list[str]) -> None:
    assert tool_refusal(agent, "blog_list_posts", sent) == ("validation_failed", fields)


@requirement("agents.values.text")
def test_a_json_text_is_the_list_or_the_object_that_a_field_takes(agent: Client) -> None:
    post = save(title="Fog", body="Thin.").post
    sent = {
        "id": str(post.pk),
        "edits": json.dumps([{"old": "Thin", "new": "Thick", "occurrence": 1.0}]),
        "tags": '["sea", "weather"]',
        "faq": json.dumps([{"question": "Why?", "answer": "So."}]),
        "featured": "True",
        "dry_run": " false ",
    }

    answer = tool_answer(agent, "blog_update_post", sent)

    assert answer["post"]["tags"] == ["sea", "weather"]
    assert (stored(post).body, stored(post).featured) == ("Thick.", True)


@requirement("agents.values.text")
def test_a_json_text_stays_text_where_a_field_takes_texts(agent: Client) -> None:
    answer = tool_answer(agent, "blog_save_draft", {"title": '["Fog"]', "body": '{"a": 1}', "author": '{"name": "A"}'})

    post = Post.objects.get(pk=answer["post"]["id"])
    assert (post.title, post.body, post.author_name) == ('["Fog"]', '{"a": 1}', '{"name": "A"}')


@requirement("agents.values.others")
@pytest.mark.parametrize(
    ("sent", "details"),
    [
        ({"tags": "sea, weather"}, ["tags"]),
        ({"tags": '{"name": "sea"}'}, ["tags"]),
        ({"tags": "[1e999]"}, ["tags"]),
        ({"tags": "[" * 100 + "]" * 100}, ["tags"]),
        ({"tags": '["\\ud800"]'}, ["tags"]),
        ({"featured": "yes"}, ["featured"]),
        ({"featured": 1}, ["featured"]),
        ({"faq": "null"}, ["faq"]),
    ],
)
def test_what_fits_nothing_is_refused_and_nothing_is_written(
    agent: Client, sent: dict[str, Any], details: list[str]
) -> None:
    before = stored_beside_tokens()

    assert tool_refusal(agent, "blog_save_draft", {"title": "Fog"} | sent) == ("validation_failed", details)
    assert stored_beside_tokens() == before


@requirement("agents.values.text", "agents.messages.malformed")
@pytest.mark.parametrize("arguments", [None, "{}", " { } ", "null"], ids=repr)
def test_arguments_are_an_object_or_none(agent: Client, arguments: Any) -> None:
    called = agent.post(
        "/blog/mcp",
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "blog_list_tags", "arguments": arguments},
        },
        content_type="application/json",
    ).json()

    assert ("error" in called) is (arguments == "null")
    assert called.get("result", {}).get("structuredContent", {}).get("tags") == (None if "error" in called else [])


@requirement("agents.tools.ways")
@pytest.mark.parametrize(
    ("tool", "sent", "field", "words"),
    [
        ("list_posts", {"unused": True}, "unused", "unused goes with images: send images too"),
        ("list_posts", {"images": True, "status": "draft"}, "status", "status does not go with images"),
        ("get_page_views", {"id": "fog", "days": 7}, "days", "days does not go with id"),
        ("get_page_views", {"from": "2026-11-01"}, "from", "from goes with id: send id too"),
        ("remove_post", {"id": "fog", "reason": "Spam."}, "reason", "reason goes with proposal"),
    ],
)
def test_a_field_that_goes_with_another_one_says_so(
    agent: Client, tool: str, sent: dict[str, Any], field: str, words: str
) -> None:
    save(title="Fog", slug="fog")
    before = stored_beside_tokens()

    error = call_tool(agent, f"blog_{tool}", sent)["structuredContent"]["error"]

    assert (error["code"], error["details"]) == ("validation_failed", [field])
    assert words in error["message"]
    assert stored_beside_tokens() == before


@requirement("agents.tools.ways")
@pytest.mark.parametrize(
    ("tool", "sent", "field"),
    [
        ("remove_post", {"id": "fog", "proposal": ""}, "proposal"),
        ("publish_post", {"title": "Haze", "proposal": ""}, "proposal"),
        ("save_category", {"id": "", "name": "Sea"}, "id"),
    ],
)
def test_an_empty_text_makes_no_other_change_of_a_call(
    agent: Client, tool: str, sent: dict[str, Any], field: str
) -> None:
    save(title="Fog", slug="fog")
    before = stored_beside_tokens()

    code, details = tool_refusal(agent, f"blog_{tool}", sent)

    assert (code, details) == ("validation_failed", [field])
    assert stored_beside_tokens() == before


@requirement("agents.tools.ways")
@pytest.mark.parametrize(
    ("tool", "sent", "key"),
    [
        ("list_posts", {"unused": False, "images": False}, "posts"),
        ("list_posts", {"images": True, "status": "", "tag": None, "unused": False}, "images"),
        ("get_page_views", {"id": "", "days": 7}, "posts"),
        ("save_category", {"id": None, "name": "Sea"}, "name"),
        ("publish_post", {"id": None, "proposal": None, "title": "Haze"}, "post"),
    ],
)
def test_a_field_that_says_nothing_is_not_sent(agent: Client, tool: str, sent: dict[str, Any], key: str) -> None:
    assert key in tool_answer(agent, f"blog_{tool}", sent)
    assert Category.objects.count() == (tool == "save_category")
