"""Redirect rows of moves, withdrawals and returns."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine.errors import SlugReserved, ValidationFailed
from blog_engine.models import Post, Redirect
from blog_engine.queries.redirects import path_key
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
def test_archiving_leads_where_it_is_told() -> None:
    save(publish=True, slug="target", title="Target")
    post = save(publish=True, slug="p").post

    remove(post, redirect_to="target")

    assert rows() == {"/blog/p": ("/blog/target", "removal")}


@requirement("posts.delete.again")
def test_archiving_again_repoints_the_path() -> None:
    post = save(publish=True, slug="p").post
    remove(post, redirect_to="/elsewhere")

    remove(post)
    unchanged = rows()
    remove(post, redirect_to="https://example.org/there")

    assert unchanged == {"/blog/p": ("/elsewhere", "removal")}
    assert rows() == {"/blog/p": ("https://example.org/there", "removal")}


def test_a_target_on_the_own_origin_is_stored_as_a_path() -> None:
    post = save(publish=True, slug="p").post

    remove(post, redirect_to="https://example.com/blog/other?x=1#y")

    assert rows() == {"/blog/p": ("/blog/other?x=1#y", "removal")}


@requirement("posts.redirects.target")
def test_a_target_is_resolved_to_the_end_of_its_chain() -> None:
    insert_redirect("/a", "/b")
    insert_redirect("/b", "/c")
    post = save(publish=True, slug="p").post

    remove(post, redirect_to="/a")

    assert rows()["/blog/p"] == ("/c", "removal")


def test_a_chain_that_ends_in_a_removal_is_a_removal() -> None:
    insert_redirect("/a")
    post = save(publish=True, slug="p").post

    remove(post, redirect_to="/a")

    assert rows()["/blog/p"] == (None, "removal")


@requirement("posts.redirects.target")
@pytest.mark.parametrize("target", ["p", "/blog/p", "/blog/p/", "/blog/p?x=1", "/blog/p#y", "/blog/%70", "/a"])
def test_a_target_that_leads_back_is_refused(target: str) -> None:
    insert_redirect("/a", "/blog/p")
    post = save(slug="q", publish=True).post
    Redirect.objects.filter(old_path="/a").update(new_path="/blog/q", new_key=path_key("/blog/q"))
    back = target.replace("/blog/p", "/blog/q").replace("%70", "%71").replace("p", "q") if target != "/a" else "/a"

    with refused(ValidationFailed, ["redirect_to"]):
        remove(post, redirect_to=back)


@requirement("posts.redirects.target")
@pytest.mark.parametrize(
    "target",
    [
        "https://example.com/blog/q",
        "https://EXAMPLE.com/blog/q",
        "https://example.com:443/blog/q",
        "/blog/q.md",
        "/blog/q.html",
        "/blog/./q",
        "/blog/x/../q",
        "/blog/%2e/q",
        "/blog/r.md",
        "/blog/s.md",
    ],
)
def test_no_spelling_of_a_path_leads_back_to_it(target: str) -> None:
    insert_redirect("/blog/r", "/blog/q")
    insert_redirect("/blog/s.md", "/blog/q")
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
