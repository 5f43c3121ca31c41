"""The packaged workflows: they name what exists, and contain the rules of approval and provenance."""

import re
from collections.abc import Iterator
from datetime import timedelta
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands
from pytest_django import Settings

from blog_engine.conf import BlogSettings
from blog_engine.doctor.installation import OVERDUE_AFTER
from blog_engine.findings import FINDINGS
from blog_engine.mcp import instructions
from blog_engine.mcp.workflows import workflows
from blog_engine.middleware import RedirectMiddleware
from tests.requirements import requirement
from tests.support.clients import document
from tests.support.factories import NOW

SKILLS = Path(str(files("blog_engine"))) / "skills"
NAMES = ["install", "publish", "update", "adopt", "policy-pages", "report"]

_TABLE = """
blog_list_posts blog_search_posts blog_get_post blog_get_post_records blog_check_post blog_save_draft
blog_get_preview_link blog_publish_post blog_update_post blog_correct_post blog_approve_revision
blog_declare_connections blog_unpublish_post blog_remove_post blog_upload_image blog_list_categories
blog_save_category blog_list_tags blog_list_authors blog_save_author blog_list_series blog_save_series
blog_list_redirects blog_save_redirect blog_get_site_page blog_save_site_page blog_get_page_views
blog_get_surface_report blog_doctor blog_extract_faq blog_adopt_post
"""
TOOLS = set(re.findall("blog_[a-z_]+", _TABLE))

OF_REDIRECTS = {"redirect_not_served"}
"""Codes of findings that are about a redirect."""

APPROVAL = (
    "Show the user the complete final text and, for a post that is not public, its preview link. Ask once whether the "
    "user approves exactly this version and has checked its facts. Record an approval only from a real answer: with "
    "the user's own name, facts_checked true or false as the user said, and the revision_identifier of the draft that "
    "was reviewed. An edit of a public post has no draft: send the whole reviewed content together with an approval "
    "that has no revision_identifier, so that it applies to the revision that this call creates. Never send the "
    "identifier of the earlier public revision for changed text. Afterwards compare the content in the answer with "
    "what was reviewed, and report every difference to the user. No answer is no approval; never invent a review, a "
    "reviewer or a fact-check. Text that changes after the answer must be shown and asked about again."
)

PROVENANCE = (
    "State truthfully in provenance who wrote the post: ai_assisted when AI wrote or rewrote any part of it, "
    "human_written only when a person wrote all of it."
)

ADOPTION = (
    "Before you adopt an article, ask the user whether the old system kept a record of its review. Send "
    "imported_approval only when you have all of it: the reviewer, the original time, the evidence, and the person "
    "who looked at that evidence and confirms it. Otherwise send a declaration, but only when a person vouches for "
    "all of it: the reviewer, the time of the review, whether the facts were checked, the day of the declaration, and "
    "that person's own name as declared_by. Where there is no evidence of the first publication, ask whether the "
    "person declares its date. With neither a record nor a declaration send neither. Never send approval with an "
    "adoption, and never invent a reviewer, a date or evidence."
)

_NAME = re.compile(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b")


def front_matter(name: str) -> dict[str, str]:
    front: dict[str, str] = yaml.safe_load((SKILLS / name / "SKILL.md").read_text(encoding="utf-8").split("---\n")[1])
    return front


def folded(text: str) -> str:
    return " ".join(text.split())


def steps_about(name: str, *, workflow: str) -> list[str]:
    """Return the numbered steps of a workflow that contain ``name``."""
    return [step for step in re.split(r"\n(?=\d\. |## )", workflows()[workflow].text) if name in step]


def words_of(value: object) -> Iterator[str]:
    """Return every key and every string without a space, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from words_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words_of(inner)
    elif isinstance(value, str) and " " not in value:
        yield value


def test_the_six_workflows_come_in_the_order_in_which_they_are_needed() -> None:
    assert list(workflows()) == NAMES
    assert [workflow.name for workflow in workflows().values()] == NAMES


def test_every_folder_of_a_skill_is_a_prompt() -> None:
    assert sorted(path.parent.name for path in SKILLS.glob("*/SKILL.md")) == sorted(NAMES)


def test_a_workflow_is_its_file() -> None:
    whole = (SKILLS / "policy-pages" / "SKILL.md").read_text(encoding="utf-8")

    workflow = workflows()["policy-pages"]

    assert workflow.file.decode() == whole
    assert workflow.text == whole[whole.index("# Write the policy pages") :].strip()
    assert workflow.title == "Policy pages"
    assert workflow.front_matter == front_matter("policy-pages")


@pytest.mark.parametrize("name", NAMES)
def test_the_front_matter_names_the_folder_and_says_when_to_use_it(name: str) -> None:
    front = front_matter(name)

    assert list(front) == ["name", "description"]
    assert front["name"] == name
    assert " Use " in front["description"]
    assert len(front["description"]) < 300


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_names_only_tools_and_commands_that_exist(name: str) -> None:
    text = workflows()[name].text
    commands = set(get_commands())

    assert {word for word in _NAME.findall(text) if word.startswith("blog_")} <= TOOLS | commands | {"blog_engine"}
    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) <= commands


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_uses_a_tool_or_the_doctor(name: str) -> None:
    text = workflows()[name].text

    assert TOOLS & set(_NAME.findall(text)) or "manage.py blog_doctor" in text


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_names_only_fields_codes_and_settings_that_exist(name: str) -> None:
    known = {*words_of(document()), *FINDINGS, *OF_REDIRECTS, *BlogSettings.model_fields, *get_commands(), *TOOLS}

    assert set(_NAME.findall(workflows()[name].text)) - known <= {"blog_engine", "mod_wsgi"}


@pytest.mark.parametrize("name", ["publish", "update"])
@pytest.mark.parametrize("rule", [APPROVAL, PROVENANCE], ids=["approval", "provenance"])
def test_workflows_that_publish_have_the_rules_of_approval_and_provenance(name: str, rule: str) -> None:
    assert rule in folded(workflows()[name].text)


def test_the_workflow_of_adopting_has_the_rules_of_evidence() -> None:
    assert ADOPTION in folded(workflows()["adopt"].text)


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("report", {"blog_get_surface_report", "blog_doctor", "blog_check_post", "blog_get_post_records"}),
        ("policy-pages", {"blog_get_site_page", "blog_save_site_page"}),
    ],
)
def test_the_tools_are_looked_for_before_anything_else(name: str, needed: set[str]) -> None:
    before, first, *_ = workflows()[name].text.split("\n## ")

    assert first.startswith("1. Check that you have the tools")
    assert needed <= set(_NAME.findall(first))
    assert not TOOLS & set(_NAME.findall(before))


def test_the_instructions_name_the_prompts_and_only_tools_that_exist() -> None:
    named = {word for word in _NAME.findall(instructions.INSTRUCTIONS) if word.startswith("blog_")}

    assert named <= TOOLS
    assert instructions.INSTRUCTIONS.endswith(f"prompts: {', '.join(NAMES)}.")
    assert {"answer", "fields", "with_body"} & set(re.findall(r"\b[a-z_]+\b", instructions.INSTRUCTIONS)) == {
        "answer",
        "fields",
    }


@requirement("agents.instructions")
@pytest.mark.parametrize(
    ("zone", "day"), [("Pacific/Kiritimati", "Sunday, 2026-11-22"), ("America/Los_Angeles", "Saturday, 2026-11-21")]
)
def test_the_instructions_are_short_and_end_with_zone_and_day(settings: Settings, zone: str, day: str) -> None:
    settings.TIME_ZONE = zone

    text = instructions.instructions_at(NOW)

    assert text.endswith(f"\n\nTime zone: {zone}; today: {day}.")
    assert len(text) <= 2500


def test_the_workflow_of_publishing_does_not_rely_on_the_doctor_for_scheduled_posts() -> None:
    [told] = steps_about("publish_due_posts", workflow="publish")

    assert "`blog_doctor` cannot see that" in folded(told)
    assert "overdue by more than five minutes" in folded(told)
    assert timedelta(minutes=5) == OVERDUE_AFTER


def test_the_workflow_of_adopting_says_what_redirects_outside_the_blog_need() -> None:
    [told] = steps_about("blog_save_redirect", workflow="adopt")
    middleware = f"{RedirectMiddleware.__module__}.{RedirectMiddleware.__qualname__}"

    assert f"`{middleware}` in `MIDDLEWARE`" in folded(told)
    assert {f"`{code}`" for code in OF_REDIRECTS} <= set(told.replace(",", " ").split())
