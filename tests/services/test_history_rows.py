"""What a save of a published post records."""

from datetime import timedelta

import pytest

from blog_engine.enums import EntryType
from blog_engine.errors import ChangeTypeRequired, CorrectionNoteRequired, NotFound
from blog_engine.models import Category, Publication, Revision
from blog_engine.services import Recorded
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, publish, save, unpublish, update
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

MUCH_LATER = NOW + timedelta(days=9)


@requirement("posts.change.recorded", "history.rows")
@pytest.mark.parametrize("change", ["substantive", "maintenance", "correction"])
def test_a_change_of_public_content_is_recorded_as_what_the_editor_says(change: str) -> None:
    post = save(publish=True, body="Old text.").post

    written = update(post, body="New text.", change=change, note="The text was old.", change_description="Rewritten.")

    assert written.records == Recorded(revision="new", publication=EntryType(change))
    entry = Publication.objects.last()
    assert (entry.entry_type, entry.note, entry.description) == (change, "The text was old.", "Rewritten.")
    assert (entry.released_by, entry.occurred_at) == (EDITOR.name, LATER)
    assert entry.revision == written.post.public_revision


@requirement("posts.change.required")
@pytest.mark.parametrize(
    "content",
    [
        {"title": "New"},
        {"description": "New"},
        {"search_title": "New"},
        {"search_description": "New"},
        {"body": "New"},
        {"author": "New author"},
        {"faq": [{"question": "New?", "answer": "Yes."}]},
        {"body": "![New](https://img.example/new.png)"},
    ],
)
def test_a_change_of_public_content_needs_its_kind(content: dict) -> None:
    post = save(publish=True).post

    with refused(ChangeTypeRequired, []):
        update(post, **content)


@requirement("history.dates.unmoved")
@pytest.mark.parametrize(
    "metadata",
    [
        {"tags": ["soil"]},
        {"category": "Soil"},
        {"series": "Seasons", "series_position": 1},
        {"featured": True},
        {"canonical_url": "https://example.org/x"},
        {"slug": "elsewhere"},
        {"provenance": "human_written"},
        {"title": " Winter garden\r\n"},
    ],
)
def test_a_change_that_the_identifier_does_not_cover_records_nothing_new(metadata: dict) -> None:
    post = save(publish=True, provenance="ai_assisted").post

    written = update(post, **metadata)

    assert written.records == Recorded(revision="same")
    assert (written.post.published_at, written.post.modified_at) == (NOW, NOW)


@requirement("posts.change.note")
def test_a_correction_needs_a_note_even_on_a_draft() -> None:
    post = save().post

    with refused(CorrectionNoteRequired, []):
        update(post, change="correction", note=" ")


@requirement("history.dates.source", "posts.change.unchanged")
def test_a_sent_change_is_recorded_without_changed_content() -> None:
    post = save(publish=True).post

    written = update(post, change="correction", note="It was right after all.")

    assert written.records == Recorded(revision="same", publication=EntryType.CORRECTION)
    assert written.post.modified_at == LATER


@requirement("history.dates.unmoved")
def test_maintenance_does_not_move_the_modification_date() -> None:
    post = save(publish=True, body="teh").post

    written = update(post, body="the", change="maintenance")

    assert (written.post.published_at, written.post.modified_at) == (NOW, NOW)


@requirement("history.reuse")
def test_earlier_text_reuses_its_revision() -> None:
    post = save(publish=True, body="One.").post
    first = post.public_revision_id
    update(post, body="Two.", change="substantive")

    written = update(post, body="One.", change="substantive", now=MUCH_LATER)

    assert written.records == Recorded(revision="same", publication=EntryType.SUBSTANTIVE)
    assert written.post.public_revision_id == first
    assert (Revision.objects.count(), written.post.modified_at) == (2, MUCH_LATER)


@requirement("history.republish")
def test_republishing_unchanged_content_is_maintenance_and_keeps_the_dates() -> None:
    post = save(publish=True).post
    unpublish(post)

    written = publish(post, now=MUCH_LATER)

    assert written.records == Recorded(revision="same", publication=EntryType.MAINTENANCE)
    assert Publication.objects.last().description == "republished"
    assert (written.post.published_at, written.post.modified_at) == (NOW, NOW)


@requirement("history.republish")
def test_republishing_changed_content_needs_its_kind() -> None:
    post = save(publish=True).post
    unpublish(post)
    update(post, body="Changed while it was away.")

    with refused(ChangeTypeRequired):
        publish(post)
    written = publish(post, change="substantive")

    assert written.records == Recorded(revision="new", publication=EntryType.SUBSTANTIVE)


@requirement("posts.publish.change-ignored")
def test_a_first_release_ignores_a_sent_change() -> None:
    written = save(publish=True, change="maintenance")

    assert written.records.publication is EntryType.FIRST


def test_a_revision_remembers_who_made_it_and_how() -> None:
    save(publish=True, made_by_ai=True)

    revision = Revision.objects.get()
    assert (revision.actor, revision.made_by_ai, revision.created_at) == (EDITOR.name, True, NOW)


@requirement("posts.names.byline")
def test_renaming_an_author_changes_neither_byline_nor_identifier() -> None:
    post = save(publish=True, author="Mina Holt").post
    post.author.name = "Mina Holt-Sand"
    post.author.save()

    written = update(post, tags=["x"])

    assert (written.post.author_name, written.records) == ("Mina Holt", Recorded(revision="same"))


@requirement("refusals.nothing-written")
def test_a_refused_write_leaves_no_record_it_would_have_made() -> None:
    post = save(publish=True).post

    with refused(ChangeTypeRequired):
        update(post, title="New", author="Somebody new", category="New", series="New", tags=["new"])


@requirement("refusals.not-found")
def test_a_missing_author_id_is_not_found() -> None:
    with refused(NotFound):
        save(author="4711", category="Made before the author failed")
    assert not Category.objects.exists()
