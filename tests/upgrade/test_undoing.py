"""``migrate`` backwards: the history of a blog that published something goes only where a variable says so."""

from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from blog_engine.models import ChainLink, Post, Proposal, Revision
from blog_engine.models.protection import missing_protection
from blog_engine.services import make_checkpoint
from blog_engine.testing import allow_flush
from tests.requirements import requirement
from tests.support.factories import LATER, proposed_for, reject, save, update
from tests.support.tables import everything_stored
from tests.upgrade.old_releases import to_the_latest

allow_flush()

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.heavy]


@pytest.fixture(autouse=True)
def _today_again() -> Iterator[None]:
    yield
    to_the_latest()


def undo(target: str) -> None:
    call_command("migrate", "blog_engine", target, verbosity=0, interactive=False)


@requirement("history.protection.undoing")
@pytest.mark.parametrize(
    ("target", "lost"),
    [
        ("zero", ["2 revisions", "1 publications", "chain links", "1 checkpoints"]),
        ("0001_initial", ["chain links", "1 checkpoints"]),
        ("0019", ["chain links", "1 checkpoints"]),
        ("0021", ["1 proposals"]),
    ],
)
def test_the_history_of_a_blog_that_published_something_stays(target: str, lost: list[str]) -> None:
    proposed_for()
    make_checkpoint(now=LATER)
    before = everything_stored()

    with pytest.raises(CommandError, match="Nothing was undone") as refused:
        undo(target)

    assert [words for words in lost if words not in str(refused.value)] == []
    assert "BLOG_ENGINE_DELETE_HISTORY=1" in str(refused.value)
    assert everything_stored() == before
    assert missing_protection(connection) == []


@requirement("history.protection.undoing")
def test_what_deletes_no_record_can_be_undone() -> None:
    proposed_for()

    undo("0023")

    assert (Post.objects.values("pk").count(), Proposal.objects.count()) == (1, 1)


@requirement("history.protection.undoing")
def test_drafts_do_not_keep_the_tables() -> None:
    save()

    undo("zero")

    assert "blog_engine_post" not in connection.introspection.table_names()


@requirement("history.protection.undoing")
@pytest.mark.parametrize("target", ["0027", "0021", "zero"])
def test_content_that_was_proposed_and_published_is_one_revision_before_0028(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, proposal = proposed_for(body="Other.", change="maintenance")
    reject(proposal)
    update(post, body="Other.", change="maintenance")
    assert Revision.objects.count() == 3
    with pytest.raises(CommandError, match="Nothing was undone"):
        undo("0027")
    monkeypatch.setenv("BLOG_ENGINE_DELETE_HISTORY", "1")

    undo(target)
    to_the_latest()

    assert missing_protection(connection) == []
    if target == "0027":
        assert (Revision.objects.count(), Revision.objects.filter(is_proposed=True).count()) == (2, 0)
        assert Proposal.objects.get().revision == Post.objects.get().public_revision


@requirement("history.protection.undoing")
@pytest.mark.parametrize("target", ["zero", "0021"])
def test_a_variable_permits_it_also_with_proposals(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    proposed_for()
    make_checkpoint(now=LATER)
    monkeypatch.setenv("BLOG_ENGINE_DELETE_HISTORY", "1")

    undo(target)

    assert "blog_engine_proposal" not in connection.introspection.table_names()
    to_the_latest()
    assert missing_protection(connection) == []
    kinds = set(ChainLink.objects.values_list("kind", flat=True))
    assert kinds == (set() if target == "zero" else {"revision", "publication"})
