"""Versions of drafts and the bin, when two write at once."""

from datetime import timedelta
from typing import Any

import pytest

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import NotFound
from blog_engine.models import DraftVersion, Post, RemovedDraft
from blog_engine.queries.versions import versions_of
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, remove, save, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

STORY = "The boats leave at nine, and come back at noon with cod and haddock. "


@requirement("desk.versions.kept")
def test_a_writer_who_waits_keeps_the_text_of_the_other_one(held: Held) -> None:
    post = save(body=STORY).post
    mina, ole = Actor("Mina Holt"), Actor("Ole Berg")

    race(
        held,
        slowly(held, lambda: update(post, actor=mina, body=f"{STORY}Mina.", now=NOW)),
        lambda: update(post, actor=ole, body=f"{STORY}Ole.", now=NOW),
    )

    assert {row.actor for row in versions_of(post.pk)} == {EDITOR.name, "Mina Holt"}
    assert Post.objects.get().body == f"{STORY}Ole."


@requirement("desk.versions.continue")
def test_two_people_continue_from_two_versions(held: Held) -> None:
    post = save(body=f"{STORY}One.").post
    first = Post.objects.get().current_revision_identifier
    update(post, body="x", now=NOW)
    update(post, body=f"{STORY}Two, which is longer.", now=NOW)
    second = Post.objects.get().current_revision_identifier
    update(post, body="y", now=NOW)

    race(
        held,
        slowly(held, lambda: update(post, restore=first, now=NOW)),
        lambda: update(post, restore=second, now=NOW),
    )

    assert Post.objects.get().current_revision_identifier == second
    assert {first, second} <= {row.identifier for row in versions_of(post.pk)}


@requirement("desk.bin")
def test_a_write_that_waits_for_a_removal_finds_no_post_and_the_bin_has_the_text(held: Held) -> None:
    post = save(body=STORY).post

    _, second = race(held, slowly(held, lambda: remove(post)), lambda: update(post, body="Other."))

    assert second is NotFound
    assert RemovedDraft.objects.get().fields["body"] == STORY
    assert not DraftVersion.objects.exists()


@requirement("desk.bin")
def test_a_removal_that_waits_for_a_write_takes_the_new_text(held: Held) -> None:
    post = save(body=STORY).post

    race(held, slowly(held, lambda: update(post, body="Other.", now=LATER)), lambda: remove(post))

    assert RemovedDraft.objects.get().fields["body"] == "Other."
    assert DraftVersion.objects.count() == 1


@requirement("desk.bin.back")
def test_a_draft_that_two_people_bring_back_at_once_comes_back_once() -> None:
    post = save(body=STORY).post
    remove(post)

    def bring(_: int) -> Any:
        return services.bring_back(post.pk, actor=EDITOR, now=LATER + timedelta(hours=1))

    answers = together(*[lambda number=number: bring(number) for number in range(3)])

    assert sorted(answer is NotFound for answer in answers) == [False, True, True]
    assert Post.objects.get().pk == post.pk


@requirement("desk.bin.back")
def test_a_draft_comes_back_beside_a_new_one_with_its_slug() -> None:
    post = save(title="Boats", body=STORY).post
    remove(post)

    def bring() -> Any:
        return services.bring_back(post.pk, actor=EDITOR, now=LATER + timedelta(hours=1))

    together(bring, lambda: save(title="Boats"))

    slugs = sorted(Post.objects.values_list("slug", flat=True))
    # The one that comes second is refused as a new post, and numbered as a returning one.
    assert slugs in (["boats", "boats-2"], ["boats"])
    assert Post.objects.filter(pk=post.pk, body=STORY).exists()
