"""The packaged workflows: true to what the engine offers, and never without the rules of approval and provenance."""

import re
from collections.abc import Iterator
from datetime import timedelta
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from blog_engine.conf import BlogSettings
from blog_engine.doctor.installation import GRACE
from blog_engine.mcp import instructions
from blog_engine.mcp.methods import Prompt, prompts
from blog_engine.middleware import RedirectMiddleware
from blog_engine.queries.findings import FINDINGS
from tests.support.openapi import document

SKILLS = Path(str(files("blog_engine"))) / "skills"
NAMES = ["install", "publish", "update", "adopt", "policy-pages", "report"]

# records.md 18
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
"""Codes of findings that are not about a post."""

_NAME = re.compile(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b")


def front_matter(name: str) -> dict[str, str]:
    front: dict[str, str] = yaml.safe_load((SKILLS / name / "SKILL.md").read_text(encoding="utf-8").split("---\n")[1])
    return front


def folded(text: str) -> str:
    return " ".join(text.split())


def steps_about(name: str, *, workflow: str) -> list[str]:
    """The numbered steps of a workflow that name something."""
    return [step for step in re.split(r"\n(?=\d\. |## )", prompts()[workflow].text) if name in step]


def words_of(value: object) -> Iterator[str]:
    """Every key and every text without a space, at any depth."""
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
    assert list(prompts()) == NAMES
    assert [prompt.name for prompt in prompts().values()] == NAMES


def test_every_folder_of_a_skill_is_a_prompt() -> None:
    assert sorted(path.parent.name for path in SKILLS.glob("*/SKILL.md")) == sorted(NAMES)


def test_a_prompt_is_its_file() -> None:
    whole = (SKILLS / "policy-pages" / "SKILL.md").read_text(encoding="utf-8")

    prompt = prompts()["policy-pages"]

    assert prompt == Prompt(
        name="policy-pages",
        title="Policy pages",
        description=front_matter("policy-pages")["description"],
        text=whole[whole.index("# Write the policy pages") :].strip(),
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_front_matter_names_the_folder_and_says_when_to_use_it(name: str) -> None:
    front = front_matter(name)

    assert list(front) == ["name", "description"]
    assert front["name"] == name
    assert " Use " in front["description"]
    assert len(front["description"]) < 300


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_names_only_tools_and_commands_that_exist(name: str) -> None:
    text = prompts()[name].text
    commands = set(get_commands())

    assert {word for word in _NAME.findall(text) if word.startswith("blog_")} <= TOOLS | commands | {"blog_engine"}
    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) <= commands


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_uses_a_tool_or_the_doctor(name: str) -> None:
    text = prompts()[name].text

    assert TOOLS & set(_NAME.findall(text)) or "manage.py blog_doctor" in text


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_speaks_of_fields_codes_and_settings_that_exist(name: str) -> None:
    known = {*words_of(document()), *FINDINGS, *OF_REDIRECTS, *BlogSettings.model_fields, *get_commands(), *TOOLS}

    assert set(_NAME.findall(prompts()[name].text)) - known <= {"blog_engine", "mod_wsgi"}


@pytest.mark.parametrize("name", ["publish", "update"])
@pytest.mark.parametrize("rule", ["APPROVAL", "PROVENANCE"])
def test_who_releases_is_told_about_approval_and_provenance(name: str, rule: str) -> None:
    assert getattr(instructions, rule) in folded(prompts()[name].text)


def test_who_adopts_is_told_about_evidence() -> None:
    assert instructions.ADOPTION in folded(prompts()["adopt"].text)


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("report", {"blog_get_surface_report", "blog_doctor", "blog_check_post", "blog_get_post_records"}),
        ("policy-pages", {"blog_get_site_page", "blog_save_site_page"}),
    ],
)
def test_the_tools_are_looked_for_before_anything_else(name: str, needed: set[str]) -> None:
    before, first, *_ = prompts()[name].text.split("\n## ")

    assert first.startswith("1. Check that you have the tools")
    assert needed <= set(_NAME.findall(first))
    assert not TOOLS & set(_NAME.findall(before))


def test_the_instructions_name_the_prompts_and_only_tools_that_exist() -> None:
    named = {word for word in _NAME.findall(instructions.INSTRUCTIONS) if word.startswith("blog_")}

    assert named <= TOOLS
    assert instructions.INSTRUCTIONS.endswith(f"prompts of this server: {', '.join(NAMES)}.")
    assert len(instructions.INSTRUCTIONS) < 2500


def test_the_workflow_of_publishing_does_not_take_the_doctor_for_a_sign_that_releases_run() -> None:
    [told] = steps_about("publish_due_posts", workflow="publish")

    assert "`blog_doctor` cannot see that" in folded(told)
    assert "overdue by more than five minutes" in folded(told)
    assert timedelta(minutes=5) == GRACE


def test_the_workflow_of_adopting_says_what_redirects_outside_the_blog_need() -> None:
    [told] = steps_about("blog_save_redirect", workflow="adopt")
    middleware = f"{RedirectMiddleware.__module__}.{RedirectMiddleware.__qualname__}"

    assert f"`{middleware}` in `MIDDLEWARE`" in folded(told)
    assert {f"`{code}`" for code in OF_REDIRECTS} <= set(told.replace(",", " ").split())
