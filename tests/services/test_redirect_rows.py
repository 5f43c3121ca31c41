"""Redirect rows of moves, withdrawals and returns."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine.errors import SlugReserved, ValidationFailed
from blog_engine.models import Post, Redirect
from tests.requirements import requirement
from tests.support.factories import LATER, publish, remove, save, unpublish, update
from tests.support.tables import insert_redirect, refused

pytestmark = pytest.mark.django_db


def rows() -> dict[str, tuple[str | None, str]]:
    return {row.old_path: (row.new_path, row.source) for row in Redirect.objects.all()}


@requirement("posts.redirects.moved", "findings.of-a-write")
def test_a_slug_change_of_a_public_post_leaves_a_redirect() -> None:
    post = save(publish=True, slug="old").post

    written = update(post, slug="new")

    assert rows() == {"/blog/old": ("/blog/new", "slug_change")}
    assert [finding.code for finding in written.findings].count("slug_changed") == 1


@requirement("findings.of-a-write")
def test_a_slug_change_of_a_draft_leaves_none() -> None:
    written = update(save(slug="old").post, slug="new")

    assert rows() == {}
    assert "slug_changed" not in [finding.code for finding in written.findings]


@requirement("posts.redirects.moved")
def test_several_moves_lead_straight_to_the_present_path() -> None:
    post = save(publish=True, slug="one").post

    update(post, slug="two")
    update(post, slug="three")

    assert rows() == {"/blog/one": ("/blog/three", "slug_change"), "/blog/two": ("/blog/three", "slug_change")}


@requirement("posts.redirects.reclaimed")
def test_a_former_slug_can_be_reclaimed_by_its_post_only() -> None:
    post = save(publish=True, slug="one").post
    update(post, slug="two")

    with refused(SlugReserved):
        save(slug="one")
    update(post, slug="one")

    assert rows() == {"/blog/two": ("/blog/one", "slug_change")}


@requirement("posts.redirects.removed")
def test_unpublishing_makes_the_path_gone_and_republishing_gives_it_back() -> None:
    post = save(publish=True, slug="one").post
    update(post, slug="two")

    unpublish(post)
    withdrawn = rows()
    publish(post)

    assert withdrawn == {"/blog/one": (None, "slug_change"), "/blog/two": (None, "unpublish")}
    assert rows() == {"/blog/one": ("/blog/two", "slug_change")}


def test_a_slug_changed_while_withdrawn_leads_from_the_old_path_after_the_return() -> None:
    post = save(publish=True, slug="one").post
    unpublish(post)
    update(post, slug="two")

    publish(post)

    assert rows() == {"/blog/one": ("/blog/two", "unpublish")}


@requirement("posts.redirects.target")
@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("target", "/blog/target"),
        ("https://example.com/blog/other?x=1#y", "/blog/other?x=1#y"),
        ("/a", "/c"),
        ("/gone", None),
    ],
    ids=["slug", "URL of this site", "chain", "chain to a removal"],
)
def test_archiving_leads_to_the_end_of_what_was_sent(sent: str, stored: str | None) -> None:
    for old, new in (("/a", "/b"), ("/b", "/c"), ("/gone", None)):
        insert_redirect(old, new)
    save(publish=True, slug="target", title="Target")
    post = save(publish=True, slug="p").post

    remove(post, redirect_to=sent)

    assert rows()["/blog/p"] == (stored, "removal")


@requirement("posts.delete.again")
def test_archiving_again_repoints_the_path() -> None:
    post = save(publish=True, slug="p").post
    remove(post, redirect_to="/elsewhere")

    remove(post)
    unchanged = rows()
    remove(post, redirect_to="https://example.org/there")

    assert unchanged == {"/blog/p": ("/elsewhere", "removal")}
    assert rows() == {"/blog/p": ("https://example.org/there", "removal")}


BACK = ["q", "/blog/q", "/blog/q/", "/blog/q?x=1", "/blog/q#y", "/blog/%71", "/blog/q.md", "/blog/q.html"]
BACK += ["/blog/./q", "/blog/x/../q", "/blog/%2e/q", "/a", "/blog/r.md", "/blog/s.md"]
BACK += ["https://example.com/blog/q", "https://EXAMPLE.com/blog/q", "https://example.com:443/blog/q"]


@requirement("posts.redirects.target")
@pytest.mark.parametrize("target", BACK)
def test_a_target_that_leads_back_is_refused_in_every_spelling(target: str) -> None:
    for old in ("/a", "/blog/r", "/blog/s.md"):
        insert_redirect(old, "/blog/q")
    post = save(slug="q", publish=True).post

    with refused(ValidationFailed, ["redirect_to"]):
        remove(post, redirect_to=target)


def test_the_path_of_a_redirect_is_reserved() -> None:
    insert_redirect("/blog/taken", "/elsewhere")

    with refused(SlugReserved):
        save(slug="taken")


@requirement("posts.slug.reserved")
@pytest.mark.parametrize("owned", [False, True])
@pytest.mark.parametrize("leave", [unpublish, remove, lambda post: update(post, slug="moved")])
def test_a_path_about_which_another_record_decides_is_not_left(leave: Callable[[Post], Any], owned: bool) -> None:
    post = save(publish=True, slug="p").post
    insert_redirect("/blog/p", "/elsewhere", post=save(slug="other").post if owned else None)

    with refused(SlugReserved, []):
        leave(post)


@requirement("posts.redirects.manual")
def test_a_manual_redirect_of_the_post_itself_is_not_repointed() -> None:
    post = save(publish=True, slug="p").post
    row = insert_redirect("/old-home", "/somewhere")
    Redirect.objects.filter(pk=row.pk).update(post=post)
    unpublish(post)

    publish(post, now=LATER)

    assert rows() == {"/old-home": ("/somewhere", "manual")}
