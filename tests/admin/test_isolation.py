"""Names, titles and paths in sentences of another direction."""

import pytest
from django.test import Client
from django.utils.translation import override
from pytest_django import Settings

from blog_engine.models import Redirect
from blog_engine.rules.isolation import isolate, isolated
from tests.admin.desk import page_of, text_of, url
from tests.requirements import requirement
from tests.support.factories import NOW, remove, save

pytestmark = pytest.mark.django_db

HEBREW = "\u05d0\u05e8\u05d6 (x)"


@pytest.mark.parametrize(
    ("language", "text", "shown"),
    [
        ("en", "Ferry", "Ferry"),
        ("en", "Zoë 7", "Zoë 7"),
        ("en", HEBREW, f"\u2068{HEBREW}\u2069"),
        ("ar", "/blog/ferry/", "\u2068/blog/ferry/\u2069"),
        ("ar", "", ""),
    ],
)
def test_a_value_is_isolated_where_it_can_turn_the_sentence(language: str, text: str, shown: str) -> None:
    with override(language):
        assert isolate(text) == shown
        assert isolated({"title": text}) == {"title": shown}


@requirement("desk.directions")
@pytest.mark.parametrize("page", ["publish", "schedule"])
def test_the_path_and_title_of_a_confirmation_keep_their_order(editor: Client, settings: Settings, page: str) -> None:
    settings.LANGUAGE_CODE = "ar"
    post = save(title="Night ferry").post

    shown = text_of(editor.get(url(f"post_{page}", post.pk)))

    assert "\u2068/blog/night-ferry\u2069" in shown
    assert "\u2068Night ferry\u2069" in shown


@requirement("desk.directions")
def test_titles_and_names_are_isolated_in_every_kind_of_sentence(editor: Client, settings: Settings) -> None:
    settings.LANGUAGE_CODE = "ar"
    post = save(title="Night ferry", publish=True).post
    remove(post, redirect_to="/about/")
    row = Redirect.objects.create(
        old_path="/old/", old_key="old", new_path="/new", source="manual", occurred_on=NOW.date()
    )

    assert "\u2068/about/\u2069" in text_of(editor.get(url("post_history", post.pk)))
    assert "\u2068Ines Editor\u2069" in text_of(editor.get(url("post_history", post.pk)))
    assert "\u2068/old/\u2069" in page_of(editor, "redirect_delete", row.pk)
