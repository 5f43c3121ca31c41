"""The commands ``make_checkpoint``, ``prune_page_views``, ``render_posts`` and ``create_blog_groups``."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import CommandError, call_command
from pytest_django import Settings

from blog_engine.enums import PolicyKind
from blog_engine.inputs.records import SavePage
from blog_engine.models import Checkpoint, IdempotencyKey, PageView, PolicyPage
from blog_engine.services import save_page
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, remove, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import new_declaration, stored

pytestmark = pytest.mark.django_db

_NO_DRAFTS = "Pruned 0 versions of drafts and 0 removed drafts\nPruned 0 answers to repeated calls\n"


@requirement("proof.checkpoint", "proof.checkpoint.repeated")
def test_make_checkpoint_says_what_it_made(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("make_checkpoint")
    save(publish=True)
    call_command("make_checkpoint")
    call_command("make_checkpoint")

    digest = Checkpoint.objects.get().hash
    said, complained = capsys.readouterr()
    assert said.splitlines() == [
        "There is no history yet, so no checkpoint was made.",
        f"Made checkpoint 1 of 1 posts: {digest}",
        f"Nothing is new since checkpoint 1: {digest}",
    ]
    assert complained == ""


@requirement("proof.chain.late")
def test_make_checkpoint_complains_about_records_without_links(capsys: pytest.CaptureFixture[str]) -> None:
    stored(new_declaration(save(publish=True).post))

    call_command("make_checkpoint")

    said, complained = capsys.readouterr()
    assert said.startswith("Made checkpoint 1")
    assert complained.startswith("Chained only now: 1 records that had no link.")


@pytest.mark.parametrize("command", ["make_checkpoint", "prune_page_views"])
def test_a_command_without_keys_takes_none(command: str) -> None:
    with pytest.raises(CommandError):
        call_command(command, "DAYS=7")


@requirement("page-views.pruning")
def test_prune_page_views_reports_how_many_totals_it_removed(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    today = datetime.now(tz=UTC).date()
    post = save().post
    for ago in (0, 8, 9, 100):
        PageView.objects.create(post=post, day=today - timedelta(days=ago), views=3)
    settings.BLOG_ENGINE = blog_settings(page_view_retention_days=7)

    call_command("prune_page_views")
    call_command("prune_page_views")

    assert (
        capsys.readouterr().out == f"Pruned 3 daily view totals\n{_NO_DRAFTS}Pruned 0 daily view totals\n{_NO_DRAFTS}"
    )
    assert PageView.objects.get().day == today


@requirement("desk.bin.emptied")
def test_prune_page_views_deletes_old_drafts_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    long_ago = datetime.now(tz=UTC) - timedelta(days=91)
    post = save(body="Text that was written.", now=long_ago).post
    update(post, body="Other.", now=long_ago + timedelta(hours=1))
    remove(save(slug="removed").post, now=long_ago)

    call_command("prune_page_views")

    assert capsys.readouterr().out.splitlines()[1] == "Pruned 1 versions of drafts and 1 removed drafts"


@requirement("api.idempotency.stored")
def test_prune_page_views_deletes_old_answers_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    now = datetime.now(tz=UTC)
    for hours in (0, 23, 25, 100):
        IdempotencyKey.objects.create(
            digest=str(hours), actor_id="Ada", request="", status=200, created_at=now - timedelta(hours=hours)
        )

    call_command("prune_page_views")

    assert capsys.readouterr().out.splitlines()[2] == "Pruned 2 answers to repeated calls"
    assert {row.digest for row in IdempotencyKey.objects.all()} == {"0", "23"}


@requirement("page-views.pruning")
def test_prune_page_views_removes_nothing_without_the_setting(capsys: pytest.CaptureFixture[str]) -> None:
    PageView.objects.create(post=save().post, day="2001-01-01", views=3)

    call_command("prune_page_views")

    assert capsys.readouterr().out == f"Pruned 0 daily view totals\n{_NO_DRAFTS}"
    assert PageView.objects.count() == 1


def test_render_posts_renders_posts_and_policy_pages_again(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    save(body="One\ntwo")
    save_page(SavePage(kind=PolicyKind.AI_USE, title="How", body="One\ntwo"), actor=EDITOR, now=NOW)
    settings.BLOG_ENGINE = blog_settings(markdown_hardbreaks=False)

    call_command("render_posts")

    assert capsys.readouterr().out.splitlines() == [
        "Read where 0 images come from",
        "Drew the copies of 0 images for networks and feeds",
        "Rendered 1 posts",
        "Rendered 1 policy pages",
        "Indexed 0 posts for the search",
        "Completed 0 posts that an earlier version wrote",
        "Set the review of 0 posts again",
        "Noted other findings of 0 posts",
        "Counted the posts of every list",
        "Drew the pictures of 0 posts without an image",
    ]
    assert "<br" not in PolicyPage.objects.get().body_html


def permissions_of(name: str) -> set[str]:
    return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))


@requirement("desk.groups")
def test_the_groups_get_their_permissions(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_blog_groups")

    assert permissions_of("Writers") == {"view_post", "write_post"}
    assert permissions_of("Editors") == {"view_post", "write_post", "publish_post", "approve_post", "manage_supporting"}
    assert capsys.readouterr().out.startswith("Created Writers: view_post, write_post.\n")


@requirement("desk.groups")
def test_a_second_run_keeps_what_a_host_added() -> None:
    call_command("create_blog_groups")
    writers = Group.objects.get(name="Writers")
    writers.permissions.remove(writers.permissions.get(codename="write_post"))
    writers.permissions.add(Group.objects.get(name="Editors").permissions.get(codename="approve_post"))

    call_command("create_blog_groups")

    assert permissions_of("Writers") == {"view_post", "write_post", "approve_post"}


@requirement("desk.groups")
def test_without_the_permissions_nothing_is_created() -> None:
    Permission.objects.filter(codename="publish_post").delete()

    with pytest.raises(CommandError, match="run migrate first"):
        call_command("create_blog_groups")
