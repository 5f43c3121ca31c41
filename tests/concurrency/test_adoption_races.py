"""Two adoptions of one article, in real transactions on PostgreSQL."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine.errors import AlreadyChangedInGem, IdentityConflict, SlugReserved
from blog_engine.models import Baseline, Post, Publication, Redirect, Revision
from blog_engine.rules.revision import revision_identifier
from blog_engine.services._transaction import lock_redirects, write_transaction
from tests.concurrency.races import Held, queued_behind, race, together
from tests.requirements import requirement
from tests.support.factories import LATER, WHOLE, adopt, save, unpublish, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def in_turn(*calls: Callable[[], Any]) -> list[Any]:
    """Start the calls one after the other while the redirects are locked, then continue them."""
    with queued_behind(*calls) as outcomes, write_transaction():
        lock_redirects()
        outcomes.start()
    return outcomes.all()


def assert_one_whole_adoption() -> None:
    """Check that there is one baseline, one publication and one valid revision, which the post shows."""
    post, revision = Post.objects.get(), Revision.objects.get()
    assert revision_identifier(revision.payload) == revision.identifier == post.current_revision_identifier
    assert (post.status, post.public_revision_id) == ("published", revision.pk)
    assert Baseline.objects.get().adopted_revision_id == revision.pk
    assert Publication.objects.get().entry_type == "adopted"


@requirement("adoption.concurrency")
def test_two_adoptions_of_one_source_make_one_post() -> None:
    one, two = in_turn(lambda: adopt(slug="one"), lambda: adopt(slug="two"))

    assert (one.created, two) == (True, IdentityConflict)
    assert_one_whole_adoption()


@requirement("adoption.concurrency")
def test_two_adoptions_of_one_article_make_one_post() -> None:
    one, two = in_turn(lambda: adopt(WHOLE), lambda: adopt(WHOLE))

    assert (one.created, two) == (True, IdentityConflict)
    assert_one_whole_adoption()


@requirement("adoption.concurrency")
def test_many_adoptions_at_once_make_one_post() -> None:
    outcomes = together(*(lambda slug=f"s{n}": adopt(WHOLE, slug=slug, external_id=...) for n in range(6)))

    made = [adopted for adopted in outcomes if adopted is not IdentityConflict]
    assert sum(adopted.created for adopted in made) == 1
    assert (Post.objects.count(), Baseline.objects.count(), Publication.objects.count()) == (1, 1, 1)


def test_two_articles_that_want_one_old_slug_do_not_both_get_it() -> None:
    one, two = in_turn(
        lambda: adopt(slug="one", old_slugs=["old"]), lambda: adopt(slug="two", source_id="2", old_slugs=["old"])
    )

    assert (one.created, two) == (True, SlugReserved)
    assert Redirect.objects.get().new_path == "/blog/one"


def test_an_adoption_waits_for_an_edit_and_then_leaves_the_post(held: Held) -> None:
    post = adopt(WHOLE).post

    edited, adopted = race(
        held,
        lambda: update(post, title="Edited here", change="substantive"),
        lambda: adopt(WHOLE, body="New from there.", now=LATER),
    )

    assert (edited.records.publication, adopted) == ("substantive", AlreadyChangedInGem)
    stored = Post.objects.get()
    assert (stored.title, stored.body) == ("Edited here", WHOLE["body"])


def test_an_edit_waits_for_an_adoption_and_goes_on_from_it() -> None:
    post = adopt(WHOLE).post

    adopted, edited = in_turn(
        lambda: adopt(WHOLE, body="New from there.", now=LATER),
        lambda: update(post, title="Edited here", change="substantive"),
    )

    assert (adopted.baseline, edited.records.publication) == ("replaced", "substantive")
    stored = Post.objects.get()
    assert (stored.title, stored.body) == ("Edited here", "New from there.")
    assert [revision_identifier(row.payload) for row in Revision.objects.all()] == list(
        Revision.objects.values_list("identifier", flat=True)
    )
    assert list(Publication.objects.values_list("entry_type", flat=True)) == ["adopted", "substantive"]


def test_two_repeats_follow_each_other() -> None:
    adopt(WHOLE)

    one, two = in_turn(lambda: adopt(WHOLE, body="One", now=LATER), lambda: adopt(WHOLE, body="Two", now=LATER))

    assert (one.baseline, two.baseline) == ("replaced", "replaced")
    assert Post.objects.get().body == "Two"
    assert_one_whole_adoption()


def test_adoptions_and_other_writers_never_block_each_other_for_ever() -> None:
    posts = [
        adopt(WHOLE, slug=f"p{n}", source_id=str(n), external_id=..., series=..., old_slugs=[f"o{n}"]).post
        for n in range(3)
    ]

    together(
        *(lambda n=n: adopt(slug=f"p{n}", source_id=str(n), tags=["a", "b"], old_slugs=[f"q{n}"]) for n in range(3)),
        *(lambda post=post: update(post, tags=["b", "a"], slug=f"moved-{post.slug}") for post in posts),
        *(lambda post=post: unpublish(post) for post in posts),
        lambda: save(title="Other", tags=["a", "b", "c"], publish=True),
    )

    for post in Post.objects.filter(baseline__isnull=False):
        assert Publication.objects.filter(post=post).count() == 1
        assert Baseline.objects.get(post=post).adopted_revision_id == post.public_revision_id
