"""The house style at the desk."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from blog_engine import services
from blog_engine.actor import Actor, Scope
from blog_engine.errors import RevisionMismatch, ScopeRequired, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.house_style import SaveHouseStyle
from blog_engine.models import Category, HouseStyle
from tests.admin.desk import WRITER, desk, faults, nothing_written, page_of, sent, url
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW
from tests.support.styles import write_style

pytestmark = pytest.mark.django_db

CHANGE = ("housestyle_change", 1)
BLANK: dict[str, Any] = {
    "tone": "",
    **dict.fromkeys(("least_words", "most_words", "least_description", "most_description", "least_sources"), ""),
    "seen": "",
}


def terms(*rows: tuple[str, str, str]) -> dict[str, list[str]]:
    avoid, use, reason = zip(*rows, strict=True)
    return {"term_avoid": [*avoid], "term_use": [*use], "term_reason": [*reason]}


@requirement("style.desk", "style.desk.history")
def test_rules_are_added_changed_and_taken_out_without_script(editor: Client) -> None:
    garden = Category.objects.create(name="Garden", slug="garden")
    first = BLANK | {"tone": "Calm.\r\n", "least_words": "300"} | terms(("login", "sign in", "Plain."), ("", "", ""))
    rows = {"section_heading": ["Sources", "Beds", ""], "section_category": ["", str(garden.pk), ""]}

    answer = sent(editor, *CHANGE, **first | rows)

    assert answer["Location"] == url(*CHANGE)
    stored = HouseStyle.objects.get()
    assert stored.rules["terms"] == [{"avoid": "login", "use": "sign in", "reason": "Plain."}]
    assert [(one["heading"], one["category"]) for one in stored.rules["sections"]] == [
        ("Sources", None),
        ("Beds", garden.pk),
    ]
    html = page_of(editor, *CHANGE)
    assert html.count('name="term_avoid"') == 3
    assert f'<option value="{garden.pk}" selected>' in html

    sent(editor, *CHANGE, **BLANK | {"tone": "Calm.", "seen": stored.version} | terms(("", "", ""), ("web", "", "")))

    stored = HouseStyle.objects.get()
    assert [one["avoid"] for one in stored.rules["terms"]] == ["web"]
    assert (stored.rules["sections"], stored.rules["least_words"]) == ([], None)
    said = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert said == [
        "Changed Tone, Terms, Fewest words of a text and Headings that posts need.",
        "Changed Tone, Terms, Fewest words of a text and Headings that posts need.",
    ]
    assert "Ines Editor" in page_of(editor, "housestyle_history", 1) or "editor" in page_of(
        editor, "housestyle_history", 1
    )


@requirement("style.desk.refusals")
@pytest.mark.parametrize(
    ("fields", "at_fault"),
    [
        (terms(("", "sign in", "")), ["terms"]),
        (terms(("x" * 61, "", "")), ["terms"]),
        (terms(("a b c d e f g h i", "", "")), ["terms"]),
        (terms(("x", "y" * 61, "")), ["terms"]),
        (terms(("x", "", "r" * 256)), ["terms"]),
        (terms(("x\0", "", "")), ["terms"]),
        (terms(("login", "", ""), ("login", "sign in", "")), ["terms"]),
        (terms(("login", "sign in", ""), ("sign in", "enter", "")), ["terms"]),
        (terms(("login", "login", "")), ["terms"]),
        (terms(*[(f"word{number}", "", "") for number in range(201)]), ["terms"]),
        ({"section_heading": [""], "section_category": ["1"]}, ["sections"]),
        ({"section_heading": ["Sources"], "section_category": ["999"]}, ["sections"]),
        ({"section_heading": ["Sources"], "section_category": ["soil"]}, ["sections"]),
        ({"least_words": "0"}, ["least_words"]),
        ({"least_words": "many"}, ["least_words"]),
        ({"least_words": "9", "most_words": "8"}, ["most_words"]),
        ({"least_description": "9", "most_description": "8"}, ["most_description"]),
        ({"least_sources": str(10**20)}, ["least_sources"]),
        ({"tone": "a" * 65_537}, ["tone"]),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_rule_that_cannot_be_kept_is_refused_at_its_field(
    editor: Client, fields: dict[str, Any], at_fault: list[str]
) -> None:
    with nothing_written():
        answer = sent(editor, *CHANGE, **BLANK | fields)

        assert faults(answer) == at_fault


def test_what_was_entered_is_shown_again_with_the_fault(editor: Client) -> None:
    answer = sent(editor, *CHANGE, **BLANK | {"tone": "Calm."} | terms(("a < b", "", ""), ("", "c", "")))

    html = answer.content.decode()
    assert 'value="a &lt; b"' in html
    assert "Entry 2: fill in the first text, or empty the others." in html


@requirement("style.desk.refusals")
def test_a_category_that_was_deleted_is_named(editor: Client) -> None:
    garden = Category.objects.create(name="Garden", slug="garden")
    version = write_style(sections=[{"heading": "Beds", "category": garden.pk}]).version
    key = str(garden.pk)
    garden.delete()

    assert f'<option value="{key}" selected>A category that was deleted' in page_of(editor, *CHANGE)
    answer = sent(editor, *CHANGE, **BLANK | {"section_heading": ["Beds"], "section_category": [key], "seen": version})
    assert faults(answer) == ["sections"]


@requirement("style.desk.racing")
def test_a_newer_house_style_is_not_replaced(editor: Client) -> None:
    write_style(tone="Theirs.")

    answer = sent(editor, *CHANGE, **BLANK | {"tone": "Mine."})

    assert faults(answer) == ["__all__"]
    assert HouseStyle.objects.get().rules["tone"] == "Theirs."


@requirement("style.desk")
def test_the_list_leads_to_the_one_page_and_writers_have_none(editor: Client) -> None:
    assert editor.get(url("housestyle_changelist"))["Location"] == url(*CHANGE)
    assert "House style" in page_of(editor, *CHANGE)
    assert editor.get(url("housestyle_change", 2)).status_code == 404
    writer = desk(*WRITER)
    assert {writer.get(url(*CHANGE)).status_code, writer.get(url("housestyle_changelist")).status_code} == {403}


@requirement("style.off")
def test_a_page_without_rules_turns_it_off(editor: Client) -> None:
    version = write_style(tone="Calm.").version

    answer = sent(editor, *CHANGE, **BLANK | {"seen": version}, follow=True)

    assert answer.status_code == 302
    assert HouseStyle.objects.get().version == ""


@requirement("style.python")
def test_the_service_replaces_it_and_needs_publish() -> None:
    stored = write_style(tone="Calm.", least_words=3)
    again = services.save_house_style(
        parse(SaveHouseStyle, {"tone": "Calm.", "least_words": 3}), actor=EDITOR, now=LATER
    )
    assert (again.version, again.updated_at) == (stored.version, NOW)

    with pytest.raises(ScopeRequired):
        services.save_house_style(SaveHouseStyle(), actor=Actor("Wanda", {Scope.READ, Scope.WRITE}), now=NOW)
    with pytest.raises(RevisionMismatch):
        services.save_house_style(SaveHouseStyle(), actor=EDITOR, now=NOW, expected_version="")
    with pytest.raises(ValidationFailed):
        parse(SaveHouseStyle, {"terms": [{"avoid": "a"}, {"avoid": "a"}]})
    with pytest.raises(ValidationFailed):
        parse(SaveHouseStyle, {"least_words": 5, "most_words": 2})
    assert HouseStyle.objects.get().rules["least_words"] == 3
