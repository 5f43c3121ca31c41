"""The direction and the language of what people type at the desk, which may differ from those of its words."""

import re
from typing import Any

import pytest
from django.test import Client, override_settings
from django.utils import translation
from pytest_django import Settings

from tests.admin.desk import EDITOR, desk, save_post, url
from tests.requirements import requirement
from tests.support.factories import save, update
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


def controls(page: Any) -> dict[str, str]:
    """Return the attributes of each text control of a page by its name."""
    html = page.content.decode()
    # That for the text of an image has no name: it is not sent.
    found = re.findall(r"<(?:textarea|input type=\"text\")[^>]* name=[^>]*>", html)
    return {re.findall(r'name="([^"]+)"', one)[0]: one for one in found}


@requirement("desk.directions")
@pytest.mark.parametrize(("stored", "shown"), [("de", "de"), ("", "ar")])
def test_texts_of_a_post_have_its_language_and_their_own_direction(settings: Settings, stored: str, shown: str) -> None:
    settings.BLOG_ENGINE = blog_settings(locale="ar")
    post = save(
        title="Hallo.", body="Hallo.", language=stored or None, faq=[{"question": "Wo?", "answer": "Hier."}]
    ).post

    fields = controls(desk(*EDITOR).get(url("post_change", post.pk)))

    texts = ["title", "description", "body", "faq_question", "faq_answer", "search_title", "search_description"]
    assert [name for name in texts if 'dir="auto"' not in fields[name] or f'lang="{shown}"' not in fields[name]] == []
    assert [name for name, control in fields.items() if 'dir="auto"' not in control] == []


@requirement("desk.directions")
def test_notes_have_their_own_direction() -> None:
    post = save(title="Hallo", publish=True).post

    fields = controls(save_post(desk(*EDITOR), post.pk, title="Hallo zwei"))

    assert 'dir="auto"' in fields["note"]
    assert 'dir="auto"' in fields["change_description"]


@requirement("desk.directions")
def test_a_note_in_the_history_has_its_own_direction() -> None:
    post = save(title="Hallo", body="Eins.", publish=True).post
    update(post, body="Zwei.", change="correction", note="Es sind zwei.")

    history = desk(*EDITOR).get(url("post_history", post.pk)).content.decode()

    assert '<blockquote dir="auto"><p>Es sind zwei.</p></blockquote>' in history


@requirement("desk.translated")
@pytest.mark.parametrize(("language", "kilobyte"), [("en", "1.0"), ("de", "1,0")])
def test_a_script_is_given_each_plural_form_and_how_sizes_are_written(
    editor: Client, language: str, kilobyte: str
) -> None:
    with override_settings(LANGUAGE_CODE=language), translation.override(language):
        html = editor.get(url("post_add")).content.decode()

    found = dict(re.findall(r'data-word-count-(\w+)="([^"]*)"', html))
    assert list(found) == ["zero", "one", "two", "few", "many", "other"]
    assert all("{number}" in text for text in found.values())
    assert found["one"] != found["other"] == found["few"]
    assert f'data-word-kilobyte="{kilobyte}\N{NO-BREAK SPACE}KB"' in html
