"""Words for people: separators of tags, times, identifiers, scripts, and what a place in a series needs."""

import re

import pytest
from django.test import Client

from blog_engine.conf import get_settings
from blog_engine.models import Post
from blog_engine.queries.posts import tag_names
from tests.admin.desk import nothing_written, opened, page_of, send, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import EDITOR as ACTOR
from tests.support.factories import approve, save, update

pytestmark = pytest.mark.django_db


@requirement("desk.tags")
@pytest.mark.parametrize("separator", [",", "\uff0c", "\u3001", "\u060c", "\u061b", " \u3001 "])
def test_the_commas_of_every_language_separate_tags(writer: Client, separator: str) -> None:
    send(writer, url("post_add"), opened(writer), title="Sea", tags=f"\u6d77{separator}\u8239{separator}")

    assert tag_names(stored(Post.objects.get())) == ["\u6d77", "\u8239"]


@requirement("desk.tags")
def test_a_semicolon_is_part_of_a_name_and_a_stored_comma_stays(writer: Client) -> None:
    send(writer, url("post_add"), opened(writer), title="Sea", tags="Soil; Water")
    post = save(title="Other", tags=["\u6d77\u3001\u8239"]).post

    send(writer, url("post_change", post.pk), opened(writer, post.pk), title="Third")

    assert tag_names(stored(Post.objects.get(title="Sea"))) == ["Soil; Water"]
    assert tag_names(stored(post)) == ["\u6d77\u3001\u8239"]


@requirement("desk.series-place")
def test_a_place_without_a_series_is_refused_at_its_field(writer: Client) -> None:
    fields = opened(writer)

    with nothing_written():
        answer = send(writer, url("post_add"), fields, title="Sea", series_position="2")

    (said,) = answer.context["form"].errors["series_position"]  # type: ignore[attr-defined]  # of a test answer
    assert said == "Enter a series above first: a place is one in a series."


@requirement("desk.series-place")
def test_a_post_that_leaves_its_series_leaves_its_place(writer: Client) -> None:
    post = save(title="Sea", series="Tides", series_position=2).post

    send(writer, url("post_change", post.pk), opened(writer, post.pk), series="")

    assert (stored(post).series, stored(post).series_position) == (None, None)


@requirement("desk.words")
def test_the_origin_of_a_post_is_told_without_times_of_programs(editor: Client) -> None:
    post = save(title="Sea", provenance="ai_assisted").post

    page = text_of(editor.get(url("post_review", post.pk)))

    assert f"Stated by {ACTOR.name} on Nov. 21, 2026, 12:00." in page
    assert not re.search(r"\d{4}-\d\d-\d\dT", page)


@requirement("desk.words")
def test_what_an_earlier_version_wrote_is_told_in_words_too(editor: Client) -> None:
    post = save(provenance="ai_assisted", provenance_evidence="Stated by Al on 2026-11-27T17:45:00Z.").post

    assert "Stated by Al on Nov. 27, 2026, 17:45." in text_of(editor.get(url("post_review", post.pk)))


@requirement("desk.words")
def test_an_identifier_is_short_and_copied_whole(editor: Client) -> None:
    post = save(title="Sea").post
    identifier = post.current_revision_identifier

    page = page_of(editor, "post_review", post.pk)

    assert f"<code>{identifier[:12]}</code>" in page
    assert f'data-copy="{identifier}"' in page


@requirement("desk.words")
def test_words_for_scripts_are_shown_with_scripts_alone(writer: Client) -> None:
    form, picker = page_of(writer, "post_add"), page_of(writer, "post_pick_image")

    assert re.search(r"<span hidden data-scripted>Drop or paste images[^<]*</span>", form)
    assert re.search(r"<noscript>For an image, upload it[^<]*</noscript>", form)
    assert "Without scripts" not in picker
    assert "<noscript>Enter the number of an image in the form.</noscript>" in picker


@requirement("desk.words")
def test_the_history_of_a_public_post_leads_to_the_article(editor: Client) -> None:
    post = save(title="Sea", publish=True).post
    draft = save(title="Draft").post
    approve(post)
    update(post, body="Spelled.", change="maintenance")

    page = page_of(editor, "post_history", post.pk)

    assert f'<a class="desk-button" href="{get_settings().public_base_url}/blog/sea">View on site</a>' in page
    assert "published a change of spelling, links or layout; the meaning stayed." in page
    assert "View on site" not in page_of(editor, "post_history", draft.pk)
