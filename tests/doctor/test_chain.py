"""What ``Records`` and ``Route`` report of chains, checkpoints and the path of the checkpoints."""

import pytest
from django.core.checks import run_checks

from blog_engine.doctor.base import ProbeContext
from blog_engine.doctor.content import probe_records
from blog_engine.doctor.routes import probe_route
from blog_engine.models import ChainLink
from blog_engine.services import make_checkpoint
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, adopt, approve, declare, remove, save
from tests.support.integrity import past_the_engine
from tests.support.tables import execute, insert_post, new_declaration, stored, undone, verdict_of

pytestmark = pytest.mark.django_db


def write_some() -> int:
    """A post that was approved, beside an adoption that was replaced and a draft that was deleted."""
    post = save(publish=True).post
    approve(post)
    adopt()
    adopt(body="Another text.", now=LATER)
    remove(save(title="Planned", publish=True, publish_at="2026-12-01T10:00:00Z").post)
    make_checkpoint(now=LATER)
    return post.pk


@requirement("proof.doctor", "proof.chain.discarded", "proof.chain.replaced")
def test_what_the_services_wrote_is_as_recorded() -> None:
    write_some()

    assert verdict_of(probe_records)[0] == "ok"


@requirement("proof.doctor")
def test_what_was_written_past_the_engine_is_an_error(subtests: pytest.Subtests) -> None:
    write_some()

    for statement, found in [
        ("UPDATE blog_engine_approval SET reviewer_name = 'X'", "a record is not the one that was chained"),
        ("DELETE FROM blog_engine_approval", "a chained record is missing"),
        ("UPDATE blog_engine_chainlink SET digest = hash WHERE position = 3", "a link was changed"),
        ("UPDATE blog_engine_chainlink SET previous = digest WHERE position = 2", "does not follow the one before"),
        ("DELETE FROM blog_engine_chainlink WHERE position = 2", "does not follow the one before"),
        ("UPDATE blog_engine_checkpoint SET size = 9", "Checkpoints differ from what they cover: 1"),
    ]:
        with subtests.test(statement=statement, found=found), undone():
            with past_the_engine():
                execute(statement)

            assert_verdict(probe_records, "error", found)


@requirement("proof.doctor", "proof.chain.discarded")
def test_a_deletion_of_a_post_with_records_passes_for_no_deleted_draft() -> None:
    post = write_some()
    with past_the_engine():
        for table in ("publication", "approval"):
            execute(f"DELETE FROM blog_engine_{table} WHERE post_id = %s", post)  # noqa: S608  our own tables
        execute("UPDATE blog_engine_post SET public_revision_id = NULL, status = 'draft' WHERE id = %s", post)
        execute("DELETE FROM blog_engine_revision WHERE post_id = %s", post)

    assert_verdict(probe_records, "error", f"{post}: a chained record is missing")


@requirement("proof.doctor")
def test_a_record_without_a_link_is_a_warning() -> None:
    post = stored(new_declaration(insert_post())).post_id

    status, message = verdict_of(probe_records)

    assert status == "warning"
    assert f"Records of 1 posts are not chained. {post}." in message
    assert "make_checkpoint" in message


@requirement("proof.doctor.extent")
def test_only_the_command_compares_all_records() -> None:
    old = save(publish=True).post
    for number in range(2):
        declare(save(title=f"Post {number}").post)
        declare(save(title=f"Other {number}").post)
    with past_the_engine():
        execute("UPDATE blog_engine_publication SET note = 'X' WHERE post_id = %s", old.pk)

    seen = {newest: probe_records(ProbeContext(now=NOW, newest_posts=newest)).status.value for newest in (1, 2, None)}

    assert ChainLink.objects.count() == 6
    assert seen == {1: "ok", 2: "error", None: "error"}


@requirement("proof.published.slug")
def test_a_stored_post_with_the_path_of_the_checkpoints_is_an_error() -> None:
    insert_post(slug="checkpoints")

    assert verdict_of(probe_route)[0] == "error"
    found = [one.msg for one in run_checks(databases=["default"]) if one.id == "blog_engine.E010"]
    assert len(found) == 1
    assert "'checkpoints'" in found[0]
