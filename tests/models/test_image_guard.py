"""The triggers let images go that the history does not name, and no others."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model

from blog_engine.models import Image, Revision
from blog_engine.models._guard import NAMING_MODELS, ORIGIN_COLUMNS, SHARED_COLUMNS, naming_fields
from blog_engine.models.image import set_origin
from blog_engine.models.protection import missing_protection
from tests.requirements import requirement
from tests.support.tables import (
    HISTORY,
    execute,
    insert_history,
    insert_post,
    is_of_a_trigger,
    new_approval,
    new_baseline,
    new_declaration,
    new_image,
    new_proposal,
    new_proposal_event,
    new_publication,
    new_revision,
    new_status_change,
    stored,
    stored_rows,
)

pytestmark = pytest.mark.django_db


def delete(image: Image) -> None:
    execute("DELETE FROM blog_engine_image WHERE id = %s", image.pk)


@requirement("history.protection.images")
def test_an_image_that_nothing_names_can_be_deleted() -> None:
    history, image = insert_history(), stored(new_image())

    delete(image)

    assert Image.objects.get() == history.image


NAMINGS: dict[tuple[str, str], Callable[[str], Model]] = {
    ("Revision", "payload"): lambda text: new_revision(insert_post(), payload=text),
    **{("Approval", name): lambda text, name=name: new_approval(*_revised(), **{name: text}) for name in ("evidence",)},
    **{
        ("Publication", name): lambda text, name=name: new_publication(*_revised(), **{name: text})
        for name in ("description", "note")
    },
    **{
        ("Baseline", name): lambda text, name=name: new_baseline(*_revised(), **{name: text})
        for name in ("provenance_evidence", "first_published_evidence", "last_modified_evidence")
    },
    ("ConnectionDeclaration", "connections"): lambda text: new_declaration(insert_post(), connections=[{"of": text}]),
    ("StatusChange", "redirect_to"): lambda text: new_status_change(insert_post(), redirect_to=text),
    **{
        ("Proposal", name): lambda text, name=name: new_proposal(*_revised(), **{name: {"body": text}})
        for name in ("fields", "base")
    },
    ("ProposalEvent", "reason"): lambda text: new_proposal_event(*_revised(), reason=text),
}


def _revised() -> tuple[object, Revision]:
    post = insert_post()
    return post, stored(new_revision(post))


@requirement("history.protection.images")
@pytest.mark.parametrize("place", NAMINGS, ids=".".join)
def test_an_image_that_a_text_of_the_history_names_cannot(place: tuple[str, str]) -> None:
    image = stored(new_image())
    NAMINGS[place](f"Before /blog/media/{image.sha256}/quay.png after").save()
    before = stored_rows()

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        delete(image)

    assert is_of_a_trigger(refusal.value)
    assert stored_rows() == before


def test_every_text_of_the_history_is_tried() -> None:
    models = {model.__name__: model for model in HISTORY}

    assert set(NAMINGS) == {(name, field.name) for name in NAMING_MODELS for field in naming_fields(models[name])}
    nameless = {"Image", "ChainLink", "Checkpoint", "WithheldVersion", "ApprovalKey", "ApprovalSignature"}
    assert {*models} - {*NAMING_MODELS} == nameless


@requirement("history.protection.images")
@pytest.mark.parametrize("change", ["filename = 'other.png'", "sha256 = 'ab'", "id = id"])
def test_an_image_that_nothing_names_cannot_be_changed(change: str) -> None:
    image = stored(new_image())

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        execute(f"UPDATE blog_engine_image SET {change} WHERE id = %s", image.pk)  # noqa: S608

    assert is_of_a_trigger(refusal.value)


@requirement("history.protection.images")
@pytest.mark.parametrize("use", ["cover_image", "social_image"])
def test_an_image_that_a_post_refers_to_cannot(use: str) -> None:
    image = stored(new_image())
    insert_post(**{use: image})

    with pytest.raises(IntegrityError), transaction.atomic():
        delete(image)
        connection.check_constraints()

    assert Image.objects.get() == image


@pytest.mark.postgres
@requirement("history.protection.images", "history.protection.search-path")
def test_no_temporary_table_hides_the_history() -> None:
    history = insert_history()
    execute("CREATE TEMPORARY TABLE blog_engine_revision (LIKE blog_engine_revision)")
    execute("UPDATE blog_engine_post SET cover_image_id = NULL")

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        delete(history.image)

    assert is_of_a_trigger(refusal.value)


def test_the_guard_that_lets_images_go_is_the_one_that_is_wanted() -> None:
    assert missing_protection(connection) == []


@requirement("images.origin.columns")
def test_only_what_is_said_of_the_origin_of_an_image_can_change() -> None:
    image, changing = insert_history().image, {*ORIGIN_COLUMNS, *SHARED_COLUMNS}
    fixed = [field.column for field in Image._meta.concrete_fields if field.column not in changing]

    set_origin(image, credit="Ann Lee", digital_source_type="digitalCapture", source_type_from="sent")

    changed = Image.objects.get()
    assert (changed.credit, changed.digital_source_type, changed.source_type_from) == (
        *("Ann Lee", "digitalCapture"),
        "sent",
    )
    for column in fixed:
        with pytest.raises(IntegrityError) as fault, transaction.atomic():
            execute(f"UPDATE blog_engine_image SET credit = 'x', {column} = {column} WHERE id = %s", image.pk)  # noqa: S608  columns
        assert is_of_a_trigger(fault.value)
    assert Image.objects.get() == changed
