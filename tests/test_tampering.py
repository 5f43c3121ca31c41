"""Whatever somebody with all rights in the database does to a history is found with a published checkpoint."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Max

from blog_engine.models import (
    Approval,
    ApprovalKey,
    ApprovalSignature,
    Baseline,
    ChainLink,
    Checkpoint,
    ConnectionDeclaration,
    Proposal,
    ProposalEvent,
    Publication,
    Revision,
    StatusChange,
)
from blog_engine.queries.chain_audit import faults_in_chains, faulty_checkpoints, posts_without_links
from blog_engine.queries.checkpoints import tree_up_to
from blog_engine.rules.chain import CHAINED_MODELS, ChainEnd, hash_of_checkpoint, link_of_replacement
from blog_engine.rules.revision import revision_identifier
from blog_engine.services import make_checkpoint
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, adopt, save, update
from tests.support.integrity import (
    CHECKED,
    Place,
    Read,
    Told,
    chain_anew,
    insert_row,
    past_the_engine,
    places_of,
    publish_checkpoint,
    tell_of_a_post,
)
from tests.support.tables import digest, execute, new_row

pytestmark = pytest.mark.django_db

KINDS = [model for model in CHAINED_MODELS.values() if model not in {ApprovalKey, ApprovalSignature}]
"""All but those of signed approvals, which are in ``test_signed_evidence.py``."""
FORGED = "It never left."


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return tell_of_a_post(tmp_path)


def whole_chain_is_believed() -> bool:
    """Whether the doctor finds nothing, as after hashes were computed anew, without looking at checkpoints."""
    return faults_in_chains(newest_links=None) == {} and posts_without_links() == []


def test_an_untouched_history_is_verified(told: Told, capsys: Read) -> None:
    assert told.verdict(capsys)[0] == 0
    assert (whole_chain_is_believed(), faulty_checkpoints(recompute=True)) == (True, [])


def change(model: type[Any], told: Told) -> None:
    row = model._default_manager.filter(post=told.post.pk).order_by("-pk").first()
    text = f'{{"body":"{FORGED}"}}'
    column, value = {
        Revision: ("actor", "Somebody else"),
        Approval: ("reviewer_name", "Somebody else"),
        Publication: ("occurred_at", LATER - timedelta(days=3)),
        Baseline: ("provenance", "human_written"),
        ConnectionDeclaration: ("connections", "[]"),
        StatusChange: ("actor", "Somebody else"),
        Proposal: ("actor", "Somebody else"),
        ProposalEvent: ("reason", "It was never read."),
    }[model]
    if model is Revision:
        execute(
            "UPDATE blog_engine_revision SET payload = %s, identifier = %s WHERE id = %s", text, digest(text), row.pk
        )
    execute(f"UPDATE {model._meta.db_table} SET {column} = %s WHERE id = %s", value, row.pk)  # noqa: S608  our own tables


def remove(model: type[Any], told: Told) -> None:
    row = model._default_manager.filter(post=told.post.pk).order_by("-pk").first()
    if model is Revision:
        execute("UPDATE blog_engine_post SET public_revision_id = NULL, status = 'draft' WHERE id = %s", told.post.pk)
        for table in ("approval", "publication", "proposalevent", "proposal"):
            execute(f"DELETE FROM blog_engine_{table} WHERE revision_id = %s", row.pk)  # noqa: S608
    if model is Proposal:
        execute("DELETE FROM blog_engine_proposalevent WHERE proposal_id = %s", row.pk)
    execute(f"DELETE FROM {model._meta.db_table} WHERE id = %s", row.pk)  # noqa: S608  our own tables


def invent(model: type[Any], told: Told) -> None:
    revision = Revision.objects.filter(post=told.post.pk).order_by("pk").first()
    assert revision is not None
    if model is Baseline:
        execute("DELETE FROM blog_engine_baseline WHERE post_id = %s", told.post.pk)
    row = new_row(model, told.post, revision)
    row.created_at = NOW
    if model is Revision:
        row.payload, row.identifier = FORGED, revision_identifier(FORGED)
    if model is Publication:
        row.entry_type = "maintenance"
    if model is ProposalEvent:
        row.kind = "rebased"
    insert_row(row)


ACTS: dict[str, Callable[[type[Any], Told], None]] = {"changed": change, "removed": remove, "invented": invent}


@requirement("proof.tampering", "proof.doctor")
@pytest.mark.parametrize("model", KINDS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("act", ACTS)
def test_a_record_of_any_kind_that_was_tampered_with_is_found(
    told: Told, act: str, model: type[Any], capsys: Read
) -> None:
    with past_the_engine():
        ACTS[act](model, told)

    status, words = told.verdict(capsys)

    assert status == 1, words
    assert words.startswith("NOT VERIFIED")
    assert not whole_chain_is_believed()


@requirement("proof.tampering", "proof.doctor")
@pytest.mark.parametrize("model", KINDS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("act", ACTS)
def test_it_is_found_although_all_hashes_of_the_post_are_right_again(
    told: Told, act: str, model: type[Any], capsys: Read
) -> None:
    with past_the_engine():
        ACTS[act](model, told)
        chain_anew(told.post, places_of(told.post))

    status, words = told.verdict(capsys)

    assert whole_chain_is_believed()
    assert status == 1, words
    assert "heckpoint 1" in words
    # An invented record at the end changes nothing that the checkpoint covers.
    is_appended = act == "invented" and model is not Baseline
    assert faulty_checkpoints(recompute=True) == ([] if is_appended else [1])


def in_between(places: list[Place]) -> list[Place]:
    """The last record comes to the place that its time claims."""
    return [*places[:2], places[-1], *places[2:-1]]


@requirement("proof.tampering")
@pytest.mark.parametrize("model", KINDS, ids=lambda model: model.__name__)
def test_an_invented_record_in_the_middle_is_found(told: Told, model: type[Any], capsys: Read) -> None:
    with past_the_engine():
        invent(model, told)
        chain_anew(told.post, in_between(places_of(told.post)))

    status, words = told.verdict(capsys)

    assert status == 1, words
    assert "covers another chain" in words
    assert faulty_checkpoints(recompute=True) == [1]


@requirement("proof.tampering")
@pytest.mark.parametrize("shift", [1, 3, -1])
def test_records_in_another_order_are_found(told: Told, shift: int, capsys: Read) -> None:
    with past_the_engine():
        places = places_of(told.post)
        chain_anew(told.post, [*places[shift:], *places[:shift]])

    assert whole_chain_is_believed()
    assert told.verdict(capsys)[0] == 1
    assert faulty_checkpoints(recompute=True) == [1]


@requirement("proof.doctor")
def test_links_that_were_only_moved_are_found_by_the_doctor(told: Told, capsys: Read) -> None:
    ids = list(ChainLink.objects.filter(post=told.post.pk).order_by("pk").values_list("pk", flat=True))
    with past_the_engine():
        for position, pk in ((1000, ids[2]), (3, ids[3]), (4, ids[2])):
            execute("UPDATE blog_engine_chainlink SET position = %s WHERE id = %s", position, pk)

    assert told.post.pk in faults_in_chains(newest_links=None)
    assert told.verdict(capsys)[0] == 1


@requirement("proof.tampering", "proof.verify.uncovered")
@pytest.mark.parametrize(
    "model", [Approval, Publication, ConnectionDeclaration, StatusChange, Revision, Proposal, ProposalEvent]
)
@pytest.mark.parametrize("chained", [NOW, CHECKED + timedelta(hours=1)], ids=["backdated link", "honest link"])
def test_a_backdated_record_behind_the_checkpoint_is_found(
    told: Told, model: type[Any], chained: Any, capsys: Read
) -> None:
    with past_the_engine():
        invent(model, told)
        places = places_of(told.post)
        chain_anew(told.post, [*places[:-1], (places[-1][0], chained)])

    status, words = told.verdict(capsys)

    assert status == 1
    assert "position 14 claims to be of" in words


@requirement("proof.tampering", "proof.verify.uncovered")
@pytest.mark.parametrize(("model", "column"), [(Approval, "approved_at"), (Publication, "occurred_at")])
def test_a_record_that_only_states_an_earlier_time_is_found(
    told: Told, model: type[Any], column: str, capsys: Read
) -> None:
    later = CHECKED + timedelta(hours=1)
    with past_the_engine():
        invent(model, told)
        newest = model.objects.aggregate(newest=Max("pk"))["newest"]
        execute(f"UPDATE {model._meta.db_table} SET created_at = %s WHERE id = %s", later, newest)  # noqa: S608
        execute(f"UPDATE {model._meta.db_table} SET {column} = %s WHERE id = %s", NOW, newest)  # noqa: S608
        places = places_of(told.post)
        chain_anew(told.post, [*places[:-1], (places[-1][0], later)])

    assert told.verdict(capsys)[0] == 1


@requirement("proof.verify.late")
def test_a_backdated_record_that_a_later_checkpoint_covers_is_shown_as_chained_later(told: Told, capsys: Read) -> None:
    with past_the_engine():
        invent(Approval, told)
    run = make_checkpoint(now=CHECKED + timedelta(hours=1))

    status, words = told.verdict(capsys, number=2, published=publish_checkpoint(told.folder, number=2))

    assert (run.chained, status) == (1, 0)
    assert "chained only at 2026-11-21T15:00:00.711000Z: nothing proves that it existed before" in words
    assert told.verdict(capsys)[0] == 1


@requirement("proof.tampering", "proof.verify.checks")
def test_a_checkpoint_that_was_made_anew_is_not_the_published_one(told: Told, capsys: Read) -> None:
    with past_the_engine():
        change(Approval, told)
        chain_anew(told.post, places_of(told.post))
        checkpoint = Checkpoint.objects.get()
        tree = tree_up_to(checkpoint.boundary)
        checkpoint.root = tree.root
        execute("UPDATE blog_engine_checkpoint SET root = %s, hash = %s", tree.root, hash_of_checkpoint(checkpoint))

    assert faults_in_chains(newest_links=None) == {}
    assert told.verdict(capsys, published=publish_checkpoint(told.folder / "..", number=1))[0] == 0
    status, words = told.verdict(capsys)
    assert status == 1
    assert "not the one that was published" in words


@requirement("proof.doctor")
@pytest.mark.parametrize("column", ["root", "previous", "created_at", "number"])
def test_a_changed_checkpoint_is_found_by_the_doctor(told: Told, column: str) -> None:
    value: object = {"created_at": NOW, "number": 7}.get(column, digest("forged"))
    with past_the_engine():
        execute(f"UPDATE blog_engine_checkpoint SET {column} = %s", value)  # noqa: S608  our own columns

    assert faulty_checkpoints(recompute=False) == [7 if column == "number" else 1]


@requirement("proof.doctor")
def test_a_chain_that_is_gone_as_a_whole_is_missed_by_the_checkpoint(told: Told) -> None:
    with past_the_engine():
        execute("DELETE FROM blog_engine_chainlink WHERE post = %s", told.post.pk)

    assert posts_without_links() == [told.post.pk]
    assert faulty_checkpoints(recompute=True) == [1]


@requirement("proof.verify.replaced")
def test_a_replacement_excuses_no_record_of_a_post_that_was_published_here(tmp_path: Path, capsys: Read) -> None:
    post = save(publish=True).post
    update(post, body="New.", change="substantive")
    make_checkpoint(now=CHECKED)
    told = Told(post, publish_checkpoint(tmp_path), tmp_path)
    links = list(ChainLink.objects.filter(post=post.pk).order_by("position"))
    with past_the_engine():
        replaced_without_adoption(links)
        execute("DELETE FROM blog_engine_publication WHERE entry_type = 'substantive'")
    make_checkpoint(now=CHECKED + timedelta(hours=1))

    for number in (1, 2):
        published = publish_checkpoint(tmp_path, number=number)
        assert told.verdict(capsys, number=number, published=published)[0] == 1


def replaced_without_adoption(links: list[ChainLink]) -> None:
    """Append a link that names all records as replaced, with the right hashes."""
    kinds = [(link.position, link.kind) for link in links]
    moment = CHECKED + timedelta(minutes=1)
    link_of_replacement(ChainEnd.of(links[-1]), kinds, post=links[0].post, now=moment).save()


@requirement("proof.verify.replaced")
def test_a_repeated_adoption_is_verified_by_checkpoints_that_cover_it(tmp_path: Path, capsys: Read) -> None:
    post = adopt().post
    make_checkpoint(now=CHECKED)
    told = Told(post, publish_checkpoint(tmp_path), tmp_path)
    assert told.verdict(capsys)[0] == 0

    adopt(body="It leaves at eleven.", now=CHECKED + timedelta(hours=1))

    status, words = told.verdict(capsys)
    assert status == 1
    assert "replaced records after checkpoint 1: use a later one" in words
    make_checkpoint(now=CHECKED + timedelta(hours=2))
    status, words = told.verdict(capsys, number=2, published=publish_checkpoint(tmp_path, number=2))
    assert status == 0, words
    assert "Of these, 3 were replaced by a repeated adoption: the file has only their hashes." in words
    assert [line.split(" ", 4)[4] for line in words.splitlines() if "replaced " in line and line.startswith("  ")] == [
        *("revision; replaced by a repeated adoption", "baseline; replaced by a repeated adoption"),
        *("publication; replaced by a repeated adoption", "replaced; it replaced an adoption"),
    ]
