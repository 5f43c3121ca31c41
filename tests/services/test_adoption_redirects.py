"""Former paths of adopted articles."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from blog_engine.errors import SlugReserved
from blog_engine.models import Redirect
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, adopt, publish, recorded, remove, save, unpublish, update
from tests.support.tables import everything_stored, insert_redirect, refused

pytestmark = pytest.mark.django_db

TODAY = NOW.date()


def rows() -> dict[str, tuple[str | None, str, date]]:
    return {row.old_path: (row.new_path, row.source, row.occurred_on) for row in Redirect.objects.all()}


def targets() -> dict[str, tuple[str | None, str]]:
    return {path: (target, source) for path, (target, source, _) in rows().items()}


@requirement("adoption.old-slugs", "adoption.old-slugs.moved-on")
def test_old_slugs_lead_to_the_article() -> None:
    adopted = adopt(old_slugs=["ferry", {"slug": "boat", "moved_on": "2019-12-31"}, "ferry"])

    assert recorded(adopted)[-1] == 2
    assert rows() == {
        "/blog/ferry": ("/blog/night-ferry", "adoption", TODAY),
        "/blog/boat": ("/blog/night-ferry", "adoption", date(2019, 12, 31)),
    }
    assert set(Redirect.objects.values_list("post", flat=True)) == {adopted.post.pk}


@requirement("adoption.old-slugs.moved-on")
def test_an_unknown_day_stays_the_one_of_the_first_adoption() -> None:
    adopt(old_slugs=["ferry"])
    adopt(old_slugs=["ferry"], body="New", now=LATER.replace(month=12))

    adopt(old_slugs=["ferry"], body="Newer", now=LATER.replace(year=2027))

    assert rows()["/blog/ferry"][2] == TODAY


@requirement("adoption.old-slugs.moved-on")
def test_a_slug_that_is_named_later_has_the_day_of_the_first_adoption() -> None:
    adopt()

    adopt(old_slugs=["ferry"], now=LATER.replace(month=12))

    assert rows()["/blog/ferry"][2] == TODAY


@requirement("adoption.repeat.replaced")
def test_a_repeat_rewrites_the_redirects() -> None:
    adopt(old_slugs=["ferry", "boat"])

    adopted = adopt(old_slugs=["boat", "ship"], now=LATER)

    assert recorded(adopted) == ("new", "adopted", None, "replaced", 2)
    assert targets() == {
        "/blog/boat": ("/blog/night-ferry", "adoption"),
        "/blog/ship": ("/blog/night-ferry", "adoption"),
    }


def test_what_led_to_an_old_slug_leads_to_the_article() -> None:
    insert_redirect("/home", "/blog/ferry")

    adopt(old_slugs=["ferry"])

    assert targets()["/home"] == ("/blog/night-ferry", "manual")


@requirement("adoption.findings")
def test_a_repeat_with_another_slug_moves_the_article() -> None:
    adopt(old_slugs=["ferry"])

    adopted = adopt(slug="ferry-at-night", old_slugs=["ferry"], now=LATER)

    assert [finding.code for finding in adopted.findings].count("slug_changed") == 1
    assert targets() == {
        "/blog/ferry": ("/blog/ferry-at-night", "adoption"),
        "/blog/night-ferry": ("/blog/ferry-at-night", "slug_change"),
    }


def test_a_moved_article_can_be_adopted_on_and_on() -> None:
    adopt()
    adopt(slug="second", now=LATER)
    before = everything_stored()

    again = adopt(slug="second", now=LATER.replace(year=2027))
    unchanged = everything_stored() == before
    back = adopt(now=LATER.replace(year=2028))

    assert (recorded(again), unchanged) == (("same", None, None, None, 0), True)
    assert back.baseline == "replaced"
    assert targets() == {"/blog/second": ("/blog/night-ferry", "slug_change")}


def test_a_former_slug_of_a_repeat_may_be_named_as_an_old_one() -> None:
    adopt()

    adopt(slug="second", old_slugs=[{"slug": "night-ferry", "moved_on": "2020-01-01"}], now=LATER)
    at_once = rows()
    adopt(slug="second", now=LATER)
    adopt(slug="third", now=LATER)
    adopt(slug="third", old_slugs=["second"], now=LATER)

    assert at_once == {"/blog/night-ferry": ("/blog/second", "adoption", date(2020, 1, 1))}
    assert targets() == {"/blog/second": ("/blog/third", "adoption")}


def test_an_old_slug_can_become_the_slug_again() -> None:
    adopt(old_slugs=["ferry"])

    adopt(slug="ferry", old_slugs=["night-ferry"], now=LATER)

    assert targets() == {"/blog/night-ferry": ("/blog/ferry", "adoption")}


def test_later_moves_take_the_old_paths_along() -> None:
    post = adopt(old_slugs=["ferry"]).post

    update(post, slug="elsewhere")

    assert targets() == {
        "/blog/ferry": ("/blog/elsewhere", "adoption"),
        "/blog/night-ferry": ("/blog/elsewhere", "slug_change"),
    }


def test_a_withdrawal_and_a_return_take_the_old_paths_along() -> None:
    post = adopt(old_slugs=["ferry"]).post

    unpublish(post)
    gone = targets()
    publish(post)

    assert gone == {"/blog/ferry": (None, "adoption"), "/blog/night-ferry": (None, "unpublish")}
    assert targets() == {"/blog/ferry": ("/blog/night-ferry", "adoption")}


def test_a_draft_that_is_taken_over_gets_its_old_paths() -> None:
    post = save(slug="night-ferry").post

    adopt(old_slugs=["ferry"])

    assert Redirect.objects.get().post_id == post.pk


def test_a_draft_that_is_taken_over_gets_its_own_path_back() -> None:
    post = save(slug="night-ferry").post
    insert_redirect("/blog/elsewhere", "/x", post=post)
    unpublish(remove(post).post)

    adopt(now=LATER)

    assert targets() == {"/blog/elsewhere": ("/x", "manual")}


def own_removal() -> None:
    post = save(slug="night-ferry").post
    insert_redirect("/blog/ferry", post=post)


TAKEN: dict[str, Callable[[], Any]] = {
    "a post": lambda: save(slug="ferry"),
    "a redirect of no post": lambda: insert_redirect("/blog/ferry", "/x"),
    "a redirect of no post in another spelling": lambda: insert_redirect("/blog/f%65rry/", "/x"),
    "a redirect of another post": lambda: update(save(slug="ferry", publish=True).post, slug="moved"),
    "a redirect of another adoption": lambda: adopt(source_id="18", slug="other", old_slugs=["ferry"]),
    "another redirect of the post": own_removal,
}


@requirement("adoption.old-slugs.taken")
@pytest.mark.parametrize("which", TAKEN)
def test_an_old_slug_that_is_used_is_refused(which: str) -> None:
    TAKEN[which]()

    with refused(SlugReserved, []):
        adopt(old_slugs=["fine", "ferry"])


@requirement("adoption.old-slugs.taken")
@pytest.mark.parametrize("which", list(TAKEN)[:5])
def test_a_repeat_is_refused_an_old_slug_that_is_used(which: str) -> None:
    adopt(old_slugs=["fine"])
    TAKEN[which]()

    with refused(SlugReserved, []):
        adopt(old_slugs=["fine", "ferry"])


@requirement("adoption.old-slugs.taken")
@pytest.mark.parametrize("slug", ["feed", "media", "category", "author"])
def test_an_old_slug_of_the_blog_itself_is_refused(slug: str) -> None:
    with refused(SlugReserved, []):
        adopt(old_slugs=[slug])
