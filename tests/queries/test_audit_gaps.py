"""A record that was deleted by other means leaves a gap, which is reported by its kind."""

import pytest
from django.db import connection, transaction

from blog_engine.models._triggers import history_triggers
from blog_engine.queries.audit import Gap, gaps_in_histories
from tests.requirements import requirement
from tests.support.factories import ARTICLE, DECLARATION, adopt, approve, declare, publish, save, unpublish, update
from tests.support.tables import HISTORY, execute, undone

pytestmark = pytest.mark.django_db


def tell_a_story() -> dict[str, int]:
    """Return the ids of a reviewed draft, a post that was published twice, and an adopted post."""
    reviewed = save(title="Reviewed").post
    approve(reviewed)
    post = save(title="Long lived", publish=True, approval={"name": "Rosa", "facts_checked": True}).post
    declare(post, connections=[], third_party_paid=False, declared_by="Ines")
    post = update(post, body="New.", change="substantive").post
    unpublish(post)
    approve(post)
    publish(post)
    adopted = adopt(ARTICLE, declaration=DECLARATION).post
    followed = adopt(ARTICLE, source_id="another", slug="followed").post
    update(followed, body="Changed here.", change="correction", note="Wrong.")
    return {"reviewed": reviewed.pk, "public": post.pk, "adopted": adopted.pk}


def gaps_after(statement: str) -> list[list[Gap]]:
    """Return the gaps after a statement that is run without triggers and foreign keys."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            execute("SET LOCAL session_replication_role = replica")
        else:
            for model in HISTORY:
                for guard in history_triggers(connection, model):
                    execute(guard.drop_statements()[0])
        with connection.cursor() as cursor:
            cursor.execute(statement)
            assert cursor.rowcount > 0
        found = gaps_in_histories()
        transaction.set_rollback(True)
    return list(found.values())


def test_what_the_services_wrote_has_no_gaps() -> None:
    tell_a_story()

    assert gaps_in_histories() == {}


@requirement("doctor.records.gaps")
def test_a_deleted_record_is_found(subtests: pytest.Subtests) -> None:
    posts = tell_a_story()

    for statement, gaps in [
        ("DELETE FROM blog_engine_approval WHERE post_id = {reviewed}", [[Gap.USE]]),
        ("DELETE FROM blog_engine_revision WHERE post_id = {reviewed}", [[Gap.REVISION]]),
        ("DELETE FROM blog_engine_post WHERE id = {reviewed}", [[Gap.POST]]),
        (
            "DELETE FROM blog_engine_publication WHERE post_id = {public}",
            [[Gap.PUBLICATION]],
        ),
        (
            "DELETE FROM blog_engine_publication WHERE post_id = {public} AND entry_type = 'first'",
            [[Gap.BEGINNING]],
        ),
        (
            "DELETE FROM blog_engine_publication WHERE post_id = {public} AND entry_type <> 'first'",
            [[Gap.PUBLICATION]],
        ),
        ("DELETE FROM blog_engine_baseline WHERE post_id = {adopted}", [[Gap.BASELINE]]),
        (
            "DELETE FROM blog_engine_publication WHERE post_id = {adopted}",
            [[Gap.PUBLICATION, Gap.ADOPTED]],
        ),
        (
            "UPDATE blog_engine_baseline SET adopted_revision_id = (SELECT min(id) FROM blog_engine_revision) "
            "WHERE post_id = {adopted}",
            [[Gap.REVISION, Gap.ADOPTED]],
        ),
    ]:
        with subtests.test(statement=statement, gaps=gaps), undone():
            assert gaps_after(statement.format(**posts)) == gaps
