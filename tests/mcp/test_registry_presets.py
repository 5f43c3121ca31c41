"""Where tools differ from the API: the operation that ``id`` selects, drafts and corrections."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Category, Post, Tag
from tests.requirements import requirement
from tests.support.clients import tool_answer, tool_refusal
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db


def stored() -> dict[str, Any]:
    """Return all rows and files except the tokens, which record when they were used."""
    return everything_stored() | {"ApiToken": None}


@requirement("agents.tools.ways")
@pytest.mark.parametrize("kind", ["category", "author", "series"])
def test_a_save_without_id_makes_a_record_and_one_with_id_edits_it(agent: Client, kind: str) -> None:
    made = tool_answer(agent, f"blog_save_{kind}", {"name": "Ropes", "slug": "ropes"})

    edited = tool_answer(agent, f"blog_save_{kind}", {"id": made["id"], "name": "Knots"})

    assert edited == made | {"name": "Knots"}
    listed = tool_answer(
        agent, {"category": "blog_list_categories", "author": "blog_list_authors"}.get(kind, "blog_list_series")
    )
    assert listed["total"] == 1


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
        ({"id": 999_999, "name": None}, ("validation_failed", ["name"])),
    ],
)
def test_a_save_without_a_name_or_with_an_odd_id_is_refused(
    agent: Client, tool: str, sent: dict[str, Any], refusal: tuple[str, list[str]]
) -> None:
    before = stored()

    assert tool_refusal(agent, tool, sent) == refusal
    assert stored() == before


@requirement("agents.tools.ways")
@pytest.mark.parametrize(
    ("sent", "details"),
    [
        ({"id": 1, "days": 7}, ["days"]),
        ({"id": 1, "limit": 5, "days": 7, "from": "2026-01-01"}, ["limit", "days"]),
        ({"from": "2026-01-01"}, ["from"]),
        ({"days": 7, "to": "2026-01-01", "from": None}, ["to", "from"]),
    ],
)
def test_views_of_a_post_and_of_the_blog_do_not_mix(agent: Client, sent: dict[str, Any], details: list[str]) -> None:
    assert tool_refusal(agent, "blog_get_page_views", sent) == ("unknown_field", details)


@requirement("agents.tools.ways")
@pytest.mark.parametrize("kind", ["category", "author", "series"])
def test_a_save_with_an_id_of_null_makes_a_record(agent: Client, kind: str) -> None:
    made = tool_answer(agent, f"blog_save_{kind}", {"id": None, "name": "Ropes"})

    assert (type(made["id"]), made["name"]) == (int, "Ropes")


@requirement("agents.tools.ways")
def test_an_id_of_null_is_none_where_it_is_optional_only(agent: Client) -> None:
    published = tool_answer(agent, "blog_publish_post", {"id": None, "title": "Snow"})
    top = tool_answer(agent, "blog_get_page_views", {"id": None, "days": 7})

    assert (published["created"], published["post"]["title"]) == (True, "Snow")
    assert top["posts"] == []
    assert tool_refusal(agent, "blog_get_post", {"id": None}) == ("validation_failed", ["id"])
    assert tool_refusal(agent, "blog_remove_post", {"id": None}) == ("validation_failed", ["id"])


@requirement("agents.tools.ways")
@pytest.mark.parametrize("key", ["pk", "slug"])
def test_publishing_with_id_releases_that_post(agent: Client, key: str) -> None:
    post = save(slug="fog").post

    answer = tool_answer(agent, "blog_publish_post", {"id": getattr(post, key)})

    assert (answer["post"]["id"], answer["post"]["status"], answer["created"]) == (post.pk, "published", False)


@requirement("agents.tools.ways")
def test_publishing_without_id_makes_a_post_or_takes_that_of_the_slug(agent: Client) -> None:
    draft = save(slug="fog").post

    made = tool_answer(agent, "blog_publish_post", {"title": "Snow"})
    taken = tool_answer(agent, "blog_publish_post", {"slug": "fog", "body": "Thick."})

    assert (made["post"]["status"], made["created"]) == ("published", True)
    assert (taken["post"]["id"], taken["post"]["status"], taken["created"]) == (draft.pk, "published", False)
    assert Post.objects.count() == 2


@requirement("agents.tools.ways")
@pytest.mark.parametrize("publish", [True, False, None])
@pytest.mark.parametrize("tool", ["blog_save_draft", "blog_publish_post"])
def test_no_tool_leaves_it_to_the_caller_whether_to_publish(agent: Client, tool: str, publish: object) -> None:
    assert tool_refusal(agent, tool, {"title": "Fog", "publish": publish}) == ("unknown_field", ["publish"])
    assert not Post.objects.exists()


@requirement("agents.tools.ways")
def test_a_draft_has_no_id_to_send(agent: Client) -> None:
    assert tool_refusal(agent, "blog_save_draft", {"id": save().post.pk, "title": "Fog"}) == ("unknown_field", ["id"])


@requirement("agents.tools.ways")
def test_a_draft_saved_again_is_the_same_post(agent: Client) -> None:
    first = tool_answer(agent, "blog_save_draft", {"title": "Fog", "external_id": "fog-1", "tags": ["Sea"]})

    again = tool_answer(agent, "blog_save_draft", {"external_id": "fog-1", "body": "Thick."})

    assert (again["post"]["id"], again["created"]) == (first["post"]["id"], False)
    assert (again["post"]["title"], again["post"]["tags"]) == ("Fog", ["Sea"])
    assert (Post.objects.count(), Tag.objects.count(), Category.objects.count()) == (1, 1, 0)


@requirement("agents.tools.correct")
@pytest.mark.parametrize("sent", [{}, {"change": "correction"}])
def test_a_correction_is_recorded_with_its_note_and_shown(agent: Client, sent: dict[str, str]) -> None:
    post = save(title="Fog", slug="fog", body="Thin.", publish=True).post

    correction = {"id": "fog", "body": "Thick.", "note": "It was thick.", "with_body": True}
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
        ({"note": "It was thick.", "change": None}, ("validation_failed", ["change"])),
        ({"note": "It was thick.", "publish": True}, ("unknown_field", ["publish"])),
    ],
)
def test_a_correction_without_a_note_or_of_another_kind_is_refused(
    agent: Client, sent: dict[str, Any], refusal: tuple[str, list[str]]
) -> None:
    save(slug="fog", body="Thin.", publish=True)
    before = stored()

    assert tool_refusal(agent, "blog_correct_post", {"id": "fog", "body": "Thick."} | sent) == refusal
    assert stored() == before


@requirement("agents.tools.ways")
def test_an_edit_of_a_public_post_says_what_kind_of_change_it_is(agent: Client) -> None:
    save(slug="fog", body="Thin.", publish=True)
    before = stored()

    assert tool_refusal(agent, "blog_update_post", {"id": "fog", "body": "Thick."}) == ("change_type_required", [])
    assert stored() == before
    change = {"id": "fog", "body": "Thick.", "change": "substantive", "with_body": True}
    answer = tool_answer(agent, "blog_update_post", change)
    assert (answer["post"]["body"], answer["records"]["publication"]) == ("Thick.", "substantive")


@requirement("agents.tools.empty")
def test_a_draft_without_a_history_is_deleted_without_a_word(agent: Client) -> None:
    save(slug="fog")

    assert tool_answer(agent, "blog_remove_post", {"id": "fog"}) == {}
    assert tool_refusal(agent, "blog_remove_post", {"id": "fog"}) == ("not_found", [])


@requirement("agents.tools.ways")
def test_a_redirect_changes_no_stored_one(agent: Client) -> None:
    made = [tool_answer(agent, "blog_save_redirect", {"old_path": path}) for path in ("/a", "/b", "/a")]

    assert [row["records"] for row in made] == [{"redirect": "new"}, {"redirect": "new"}, {"redirect": "same"}]
    assert made[0]["id"] == made[2]["id"] != made[1]["id"]
    moved = {"old_path": "/a", "new_path": "/c"}
    assert tool_refusal(agent, "blog_save_redirect", moved) == ("validation_failed", ["old_path"])
