"""Removed drafts in the bin, and how they come back."""

from datetime import timedelta
from typing import Any

import pytest

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import NotFound, ScopeRequired
from blog_engine.inputs.conversation import AddRemark, AnswerRemark, ReturnReview
from blog_engine.models import DraftVersion, Image, Post, Remark, RemovedDraft, Tag
from blog_engine.queries.bin import removed_drafts
from blog_engine.queries.posts import read_post, tag_names
from blog_engine.services.bin import BroughtBack
from tests.requirements import requirement
from tests.support.factories import AGENT, EDITOR, LATER, NOW, publish, remove, save, store_image, update
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db

MINA = Actor("Mina Holt")


def back(post_id: int, *, actor: Actor = EDITOR, days: float = 1) -> BroughtBack:
    return services.bring_back(post_id, actor=actor, now=LATER + timedelta(days=days))


def row_of(post: Post) -> dict[str, Any]:
    """The columns of a post that a removal and a return must not change."""
    row = Post.objects.filter(pk=post.pk).values().get()
    for name in ("version", "recent_writes", "updated_at"):
        del row[name]
    return row


@pytest.fixture
def draft(own_images: None) -> Post:
    """A draft with everything that a post can have."""
    other = save(title="Los barcos", language="es", slug="barcos").post
    return save(
        actor=MINA,
        title="The boats",
        description="About boats.",
        body="## Boats\n\nThey leave[^1].\n\n[^1]: At nine.",
        tags=["sea", "boats"],
        category="Harbour",
        series="Boats",
        series_position=2,
        author={"name": "Mina Holt"},
        cover_image={"image_id": store_image().pk},
        cover_alt="A boat",
        faq=[{"question": "When?", "answer": "At nine."}],
        external_id="cms-7",
        canonical_url="https://example.org/boats",
        translation_of=str(other.pk),
        provenance="ai_assisted",
        provenance_evidence="The agent said so.",
        made_by_ai=True,
        search_title="Boats",
        featured=True,
    ).post


@requirement("desk.bin", "desk.bin.back")
def test_a_removed_draft_comes_back_as_it_was(draft: Post) -> None:
    before, tags = row_of(draft), tag_names(read_post(draft.pk))

    remove(draft)

    assert not Post.objects.filter(pk=draft.pk).exists()
    done = back(draft.pk)
    assert row_of(draft) == before
    post = read_post(draft.pk)
    assert (tag_names(post), [pair.answer for pair in post.faqs.all()]) == (tags, ["At nine."])
    assert [other.slug for other in post.translations] == ["barcos"]
    assert (done.missing, done.slug_before, post.version) == ((), "the-boats", draft.version + 1)
    assert not RemovedDraft.objects.exists()
    assert post.unrecorded_actor == "Mina Holt"


@requirement("desk.bin")
def test_its_slug_and_external_id_are_free_at_once(draft: Post) -> None:
    remove(draft)

    other = save(title="The boats", external_id="cms-7").post

    assert (other.slug, other.pk != draft.pk) == ("the-boats", True)


@requirement("desk.bin.back")
def test_what_is_taken_or_gone_meanwhile_does_not_come_back(draft: Post) -> None:
    remove(draft)
    save(title="The boats", external_id="cms-7", series="Boats", series_position=2)
    save(title="Lodzie", slug="lodzie", translation_of="barcos")
    services.delete_category(draft.category_id, target_id=None, actor=EDITOR, now=LATER)
    Tag.objects.filter(name="sea").delete()

    done = back(draft.pk)

    post = read_post(draft.pk)
    assert set(done.missing) == {"category", "tags", "series_position", "external_id", "translation_of"}
    assert (post.slug, tag_names(post), post.external_id) == ("the-boats-2", ["boats"], None)
    assert (post.series.name, post.series_position, post.category) == ("Boats", None, None)  # type: ignore[union-attr]


@requirement("desk.bin.back")
def test_a_scheduled_post_comes_back_without_its_time() -> None:
    post = publish(save(body="Later.").post, publish_at=(LATER + timedelta(days=3)).isoformat()).post

    assert remove(post).post.pk is None
    back(post.pk)

    again = Post.objects.get(pk=post.pk)
    assert (again.status, again.publish_at) == ("draft", None)


@requirement("desk.bin")
def test_its_versions_come_back(draft: Post) -> None:
    update(draft, body="Other.", now=NOW + timedelta(hours=1))
    remove(draft, now=NOW + timedelta(hours=2))

    back(draft.pk)

    assert DraftVersion.objects.filter(post=draft.pk).count() == 1
    restored = update(draft, restore=DraftVersion.objects.get().identifier, now=LATER + timedelta(days=2)).post
    assert restored.body.startswith("## Boats")


@requirement("desk.bin")
def test_a_dry_run_puts_nothing_in_the_bin() -> None:
    post = save().post
    before = everything_stored()

    assert remove(post, dry_run=True).is_deleted

    assert everything_stored() == before


@requirement("desk.bin")
def test_a_post_with_a_history_is_archived_as_before() -> None:
    remove(publish(save().post).post)

    assert not RemovedDraft.objects.exists()


@requirement("desk.bin")
def test_the_bin_takes_the_scope_of_removals() -> None:
    post = save().post
    remove(post)

    with refused(ScopeRequired, ["publish"]):
        back(post.pk, actor=AGENT)
    with refused(NotFound):
        back(post.pk + 1)


@requirement("desk.bin.emptied")
def test_a_draft_leaves_the_bin_after_thirty_days() -> None:
    post = save(body="Text that was written.").post
    update(post, body="Other.", now=LATER + timedelta(hours=1))
    remove(post, now=LATER)

    late = LATER + timedelta(days=30, seconds=1)
    assert [one.title for one in removed_drafts(number=1, now=LATER + timedelta(days=30)).drafts] == ["Winter garden"]
    assert removed_drafts(number=1, now=late).drafts == []
    with refused(NotFound):
        services.bring_back(post.pk, actor=EDITOR, now=late)
    assert DraftVersion.objects.exists()

    assert services.prune_drafts(now=late).removed == 1

    assert not RemovedDraft.objects.exists()
    assert not DraftVersion.objects.exists()


@requirement("desk.bin.emptied")
def test_another_removal_deletes_what_waited_too_long() -> None:
    first, second = save(title="First").post, save(title="Second").post
    remove(first, now=LATER)

    remove(second, now=LATER + timedelta(days=31))

    assert [one.title for one in RemovedDraft.objects.all()] == ["Second"]


def test_an_image_of_a_removed_draft_is_used_again(draft: Post) -> None:
    remove(draft)

    assert Image.objects.filter(cover_of__isnull=False).count() == 0
    back(draft.pk)

    assert Post.objects.get(pk=draft.pk).cover_image_id is not None


@requirement("reviews.texts")
def test_its_conversation_comes_back(draft: Post) -> None:
    about = {"id": str(draft.pk)}
    said = services.add_remark(AddRemark(**about, text="At nine?", passage="They leave"), actor=EDITOR, now=NOW).remark
    assert said is not None
    services.answer_remark(AnswerRemark(**about, remark=said.pk, text="At ten."), actor=MINA, now=NOW)
    services.return_review(ReturnReview(**about, note="A source, please."), actor=EDITOR, now=NOW)
    before = list(Remark.objects.order_by("pk").values())
    remove(draft)
    assert not Remark.objects.exists()

    back(draft.pk)

    assert list(Remark.objects.order_by("pk").values()) == before
    assert read_post(draft.pk).open_remarks == 1
