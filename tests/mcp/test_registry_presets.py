"""Where tools differ from the API: the operation that ``id`` selects, drafts and corrections."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import tool_answer, tool_refusal
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.tables import stored_beside_tokens

pytestmark = pytest.mark.django_db


@requirement("agents.tools.ways")
@pytest.mark.parametrize("tool", ["blog_save_category", "blog_save_author", "blog_save_series"])
@pytest.mark.parametrize(
    ("sent", "refusal"),
    [
        ({}, ("validation_failed", ["name"])),
        ({"id": None}, ("validation_failed", ["name"])),
        ({"id": 0, "name": "Ropes"}, ("validation_failed", ["id"])),
        ({"id": True, "name": "Ropes"}, ("validation_failed", ["id"])),
        ({"id": "ropes", "name": "Ropes"}, ("not_found", [])),
        ({"id": 999_999, "name": "Ropes"}, ("not_found", [])),
        ({"id": 999_999, "name": None}, ("not_found", [])),
    ],
)
def test_a_save_without_a_name_or_with_an_odd_id_is_refused(
    agent: Client, tool: str, sent: dict[str, Any], refusal: tuple[str, list[str]]
) -> None:
    before = stored_beside_tokens()

    assert tool_refusal(agent, tool, sent) == refusal
    assert stored_beside_tokens() == before


@requirement("agents.tools.ways")
def test_an_id_of_null_is_none_where_it_is_optional_only(agent: Client) -> None:
    made = tool_answer(agent, "blog_save_series", {"id": None, "name": "Ropes"})
    published = tool_answer(agent, "blog_publish_post", {"id": None, "title": "Snow"})
    top = tool_answer(agent, "blog_get_page_views", {"id": None, "days": 7})

    assert made["name"] == "Ropes"
    assert (published["created"], published["post"]["title"]) == (True, "Snow")
    assert top["posts"] == []
    assert tool_refusal(agent, "blog_get_post", {"id": None}) == ("validation_failed", ["id"])
    assert tool_refusal(agent, "blog_remove_post", {"id": None}) == ("validation_failed", ["id"])


@requirement("agents.tools.ways")
@pytest.mark.parametrize("publish", [True, False, None])
@pytest.mark.parametrize("tool", ["blog_save_draft", "blog_publish_post"])
def test_no_tool_leaves_it_to_the_caller_whether_to_publish(agent: Client, tool: str, publish: object) -> None:
    assert tool_refusal(agent, tool, {"title": "Fog", "publish": publish}) == ("unknown_field", ["publish"])
    assert not Post.objects.exists()


@requirement("agents.tools.ways")
def test_a_draft_has_no_id_to_send(agent: Client) -> None:
    assert tool_refusal(agent, "blog_save_draft", {"id": save().post.pk, "title": "Fog"}) == ("unknown_field", ["id"])


@requirement("agents.tools.correct")
@pytest.mark.parametrize("sent", [{}, {"change": "correction"}])
def test_a_correction_is_recorded_with_its_note_and_shown(agent: Client, sent: dict[str, str]) -> None:
    post = save(title="Fog", slug="fog", body="Thin.", publish=True).post

    correction = {"id": "fog", "body": "Thick.", "note": "It was thick."}
    answer = tool_answer(agent, "blog_correct_post", correction | sent)

    last = tool_answer(agent, "blog_get_post_records", {"id": post.pk})["publications"][-1]
    assert answer["post"]["body"] == "Thick."
    assert (last["entry_type"], last["note"]) == ("correction", "It was thick.")
    assert b"It was thick." in agent.get("/blog/fog").content


@requirement("agents.tools.correct")
def test_the_hook_gets_a_correction_as_if_it_were_sent(agent: Client, settings: Settings) -> None:
    save(slug="fog", body="Thin.", publish=True)
    heard: list[dict[str, Any]] = []
    hook = {"before_publish": lambda post, context: heard.append(context["attributes"])}
    settings.BLOG_ENGINE = blog_settings(**hook)

    tool_answer(agent, "blog_correct_post", {"id": "fog", "body": "Thick.", "note": "It was thick."})

    assert heard == [{"change": "correction", "body": "Thick.", "note": "It was thick."}]


@requirement("agents.tools.correct")
@pytest.mark.parametrize(
    ("sent", "refusal"),
    [
        ({}, ("correction_note_required", [])),
        ({"note": None}, ("correction_note_required", [])),
        ({"note": ""}, ("correction_note_required", [])),
        ({"note": " \n"}, ("correction_note_required", [])),
        ({"note": 3}, ("validation_failed", ["note"])),
        ({"note": "It was thick.", "change": "substantive"}, ("validation_failed", ["change"])),
        ({"note": "It was thick.", "change": "maintenance"}, ("validation_failed", ["change"])),
        ({"note": "It was thick.", "publish": True}, ("unknown_field", ["publish"])),
    ],
)
def test_a_correction_without_a_note_or_of_another_kind_is_refused(
    agent: Client, sent: dict[str, Any], refusal: tuple[str, list[str]]
) -> None:
    save(slug="fog", body="Thin.", publish=True)
    before = stored_beside_tokens()

    assert tool_refusal(agent, "blog_correct_post", {"id": "fog", "body": "Thick."} | sent) == refusal
    assert stored_beside_tokens() == before
