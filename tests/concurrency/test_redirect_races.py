"""Two writers of redirects, in real transactions on PostgreSQL."""

from typing import Any

import pytest

from blog_engine.errors import IdentityConflict, NotFound, SlugReserved, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import RedirectRef, SaveRedirect
from blog_engine.models import Post, Redirect
from blog_engine.services import add_redirect, delete_redirect
from blog_engine.services._transaction import lock_redirects, write_transaction
from tests.concurrency.races import Held, race, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, publish, remove, save, unpublish, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def pause() -> Held:
    """Stops the caller of ``stop_after``."""
    return Held()


def lead(old: str, new: str | None, **fields: Any) -> Redirect:
    return add_redirect(parse(SaveRedirect, {"old_path": old, "new_path": new} | fields), actor=EDITOR, now=NOW)


def stop_after(pause: Held, old: str, new: str) -> Redirect:
    """Add a redirect and stop before it is committed."""
    with write_transaction():
        lock_redirects()
        row = lead(old, new)
        pause(None, None)
        return row


def forget(row: Redirect) -> None:
    delete_redirect(RedirectRef(id=row.pk), actor=EDITOR)


def targets() -> dict[str, str | None]:
    return dict(Redirect.objects.values_list("old_path", "new_path"))


@requirement("redirects.racing")
def test_of_two_opposite_redirects_the_second_waits_and_is_refused(pause: Held) -> None:
    one, two = race(pause, lambda: stop_after(pause, "/a", "/b"), lambda: lead("/b", "/a"))

    assert (one.old_path, two) == ("/a", ValidationFailed)
    assert targets() == {"/a": "/b"}


@requirement("redirects.racing")
def test_of_many_redirects_in_a_ring_one_is_refused() -> None:
    ring = [("/a", "/b"), ("/b", "/c"), ("/c", "/d"), ("/d", "/a")]

    outcomes = together(*(lambda old=old, new=new: lead(old, new) for old, new in ring))

    assert outcomes.count(ValidationFailed) == 1
    assert len(set(targets().values())) == 1


@requirement("redirects.racing")
def test_of_two_redirects_from_one_path_the_second_is_refused(pause: Held) -> None:
    one, two = race(pause, lambda: stop_after(pause, "/a", "/b"), lambda: lead("/a/", "/c"))

    assert (one.new_path, two) == ("/b", ValidationFailed)


@requirement("redirects.racing")
def test_a_redirect_waits_for_the_post_that_is_taking_its_path(held: Held) -> None:
    created, led = race(held, lambda: save(slug="soil", publish=True), lambda: lead("/blog/soil", "/x"))

    assert (created.created, led) == (True, SlugReserved)
    assert targets() == {}


def test_a_post_waits_for_the_redirect_that_is_taking_its_path(pause: Held) -> None:
    led, created = race(pause, lambda: stop_after(pause, "/blog/soil", "/x"), lambda: save(slug="soil"))

    assert (led.new_path, created) == ("/x", SlugReserved)
    assert not Post.objects.exists()


def test_a_redirect_of_a_post_waits_for_the_write_to_that_post(held: Held) -> None:
    post = save(slug="soil").post

    published, led = race(held, lambda: publish(post), lambda: lead("/old", "soil", post_id=post.pk))

    assert (published.post.status, led.new_path) == ("published", "/blog/soil")


def test_a_redirect_of_a_post_that_is_deleted_meanwhile_is_not_found() -> None:
    posts = [save(slug=f"p{number}", title=f"Post {number}").post for number in range(4)]
    calls = [lambda post=post: remove(post) for post in posts]
    calls += [lambda post=post: lead(f"/{post.slug}", post.slug, post_id=post.pk) for post in posts]

    outcomes = together(*calls)

    rows = Redirect.objects.filter(source="manual").count()
    assert outcomes.count(NotFound) == 4 - rows
    assert Post.objects.filter(status="archived").count() == rows


def test_a_return_of_a_post_and_the_end_of_its_removal_do_not_block_each_other(held: Held) -> None:
    post = save(slug="soil", publish=True).post
    unpublish(post)
    row = Redirect.objects.get()

    returned, forgotten = race(held, lambda: publish(post), lambda: forget(row))

    # The publication waits before it touches the redirects: either order is right, and neither leaves a row.
    assert returned.post.status == "published"
    assert forgotten in {None, NotFound}
    assert targets() == {}


@requirement("redirects.racing")
def test_moves_redirects_and_withdrawals_in_a_crowd_leave_no_ring() -> None:
    posts = [save(slug=f"p{number}", title=f"Post {number}", publish=True).post for number in range(4)]
    calls = [lambda post=post: update(post, slug=f"{post.slug}-new") for post in posts]
    calls += [lambda post=post: unpublish(post) for post in posts]
    calls += [lambda post=post: lead(f"/x/{post.slug}", post.slug, post_id=post.pk) for post in posts]
    calls += [lambda post=post: lead(f"/blog/{post.slug}-new", "/elsewhere") for post in posts]

    outcomes = together(*calls)

    known = {SlugReserved, ValidationFailed, IdentityConflict}
    assert [one for one in outcomes if isinstance(one, type) and one not in known] == []
    rows = targets()
    assert [new for new in rows.values() if new in rows] == []
