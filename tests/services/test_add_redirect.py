"""Redirects that an editor records by hand."""

from typing import Any

import pytest
from django.test.utils import override_script_prefix

from blog_engine.actor import Actor
from blog_engine.errors import NotFound, ScopeRequired, SlugReserved, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import RedirectRef, SaveRedirect
from blog_engine.models import Redirect
from blog_engine.services import add_redirect, delete_redirect
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, publish, remove, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.tables import insert_redirect, refused

pytestmark = pytest.mark.django_db


def lead(old: str, new: str | None, *, actor: Actor = EDITOR, **fields: Any) -> Redirect:
    data = parse(SaveRedirect, {"old_path": old, "new_path": new} | fields)
    return add_redirect(data, actor=actor, now=NOW)


def targets() -> dict[str, str | None]:
    return dict(Redirect.objects.values_list("old_path", "new_path"))


@requirement("redirects.object", "redirects.new-path.own-site")
def test_a_redirect_is_recorded_by_hand_and_dated_today() -> None:
    row = lead("/old/", "https://other.example/new")

    stored = Redirect.objects.values("old_path", "new_path", "source", "occurred_on", "post_id").get(pk=row.pk)
    assert stored == {
        "old_path": "/old/",
        "new_path": "https://other.example/new",
        "source": "manual",
        "occurred_on": NOW.date(),
        "post_id": None,
    }


@requirement("redirects.fields")
def test_a_day_and_a_post_are_recorded() -> None:
    post = save().post

    row = lead("/old", None, occurred_on="2020-02-29", post_id=post.pk)

    assert (row.occurred_on.isoformat(), row.post_id, row.new_path) == ("2020-02-29", post.pk, None)


TARGETS = {
    "soil": "/blog/soil",
    "https://EXAMPLE.com:443/blog/soil?x=1#y": "/blog/soil?x=1#y",
    "https://example.com": "/",
    "https://example.com?x=1": "/?x=1",
    # Their paths would name a host.
    "https://example.com//other.example/x": "https://example.com//other.example/x",
    "https://example.com///x": "https://example.com///x",
    "https://EXAMPLE.com//": "https://EXAMPLE.com//",
}


@requirement("redirects.new-path.own-site")
@pytest.mark.parametrize(("sent", "stored"), TARGETS.items())
def test_a_slug_and_a_url_of_this_site_are_stored_as_a_path(sent: str, stored: str) -> None:
    assert lead("/old", sent).new_path == stored


@requirement("redirects.new-path.own-site")
def test_without_a_public_url_no_url_is_of_this_site(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)

    assert lead("/old", "https://example.com/blog/soil").new_path == "https://example.com/blog/soil"


@requirement("redirects.new-path.own-site")
def test_a_url_beside_the_application_stays_a_url_and_one_below_it_is_stored_without_its_prefix() -> None:
    with override_script_prefix("/app/"):
        beside = lead("/beside", "https://example.com/shop").new_path
        below = lead("/below", "https://example.com/app/blog/soil").new_path

    assert (beside, below) == ("https://example.com/shop", "/blog/soil")


@requirement("redirects.new-path")
def test_a_target_in_a_ring_that_somebody_stored_is_refused() -> None:
    for old, new in (("/x", "/y"), ("/y", "/z"), ("/z", "/x")):
        insert_redirect(old, new)

    with refused(ValidationFailed, ["new_path"]):
        lead("/old", "/x")


@requirement("redirects.new-path.chains")
def test_a_target_is_followed_to_its_end() -> None:
    lead("/b", "/c")
    lead("/gone", None)

    assert (lead("/a", "/b?x=1").new_path, lead("/z", "/gone").new_path) == ("/c", None)


@requirement("redirects.new-path.chains")
def test_rows_that_led_to_the_path_follow_and_keep_their_dates() -> None:
    lead("/a", "/b", occurred_on="2020-01-01")
    lead("/x", "/b?tab=2", occurred_on="2021-01-01")
    lead("/b/", "/c")
    lead("/c", None)

    assert targets() == {"/a": None, "/x": None, "/b/": None, "/c": None}
    assert Redirect.objects.get(old_path="/a").occurred_on.isoformat() == "2020-01-01"
    assert Redirect.objects.get(old_path="/x").occurred_on.isoformat() == "2021-01-01"


@requirement("redirects.new-path")
@pytest.mark.parametrize("target", ["/a", "/a/", "/%61", "/a?x=1", "/a#y", "https://example.com/a", "/b"])
def test_a_target_that_leads_back_is_refused(target: str) -> None:
    lead("/b", "/a")

    with refused(ValidationFailed, ["new_path"]):
        lead("/a", target)


@requirement("redirects.new-path")
@pytest.mark.parametrize("target", ["old", "/blog/old.md", "/blog/old.html", "/blog/old%2Emd", "/blog/old.md/"])
def test_a_page_of_the_blog_does_not_lead_to_itself_in_another_format(target: str) -> None:
    with refused(ValidationFailed, ["new_path"]):
        lead("/blog/old", target)


@requirement("redirects.once")
@pytest.mark.parametrize("again", ["/old", "/old/", "/%6Fld"])
def test_a_path_has_one_redirect(again: str) -> None:
    lead("/old", "/new")

    with refused(ValidationFailed, ["old_path"]):
        lead(again, "/elsewhere")


@requirement("redirects.reserved")
@pytest.mark.parametrize("state", ["draft", "published", "withdrawn", "archived"])
def test_the_path_of_a_stored_post_is_reserved_in_every_state(state: str) -> None:
    post = save(slug="soil", publish=state != "draft").post
    if state == "withdrawn":
        unpublish(post)
    if state == "archived":
        remove(post)

    with refused(SlugReserved, []):
        lead("/blog/soil", "/new")


@requirement("redirects.reserved")
@pytest.mark.parametrize("path", ["/blog/soil/", "/blog/s%6Fil", "/%62log/soil", "/blog/soil.md", "/blog/soil.html"])
def test_the_path_of_a_stored_post_is_reserved_in_every_spelling(path: str) -> None:
    save(slug="soil")

    with refused(SlugReserved, []):
        lead(path, "/new")


@requirement("redirects.once")
def test_a_former_path_of_a_post_has_its_redirect_already() -> None:
    post = save(slug="old", publish=True).post
    update(post, slug="new")

    with refused(ValidationFailed, ["old_path"]):
        lead("/blog/old", "/elsewhere")


@requirement("redirects.post")
def test_a_post_that_does_not_exist_is_not_found() -> None:
    with refused(NotFound, []):
        lead("/old", "/new", post_id=10**30)


@requirement("redirects.scopes")
def test_redirects_need_the_scope_publish() -> None:
    writer = Actor("Writer", scopes=["read", "write"])
    row = lead("/old", "/new")

    with refused(ScopeRequired, ["publish"]):
        lead("/a", "/b", actor=writer)
    with refused(ScopeRequired, ["publish"]):
        delete_redirect(RedirectRef(id=row.pk), actor=writer)


def test_no_post_can_take_the_path_of_a_redirect() -> None:
    lead("/blog/taken", "/elsewhere")

    with refused(SlugReserved, []):
        save(slug="taken")


@requirement("redirects.kept")
def test_a_redirect_of_a_post_keeps_it_from_being_deleted() -> None:
    post = save(slug="soil").post
    lead("/old-home", "soil", post_id=post.pk)

    removed = remove(post)

    assert removed.post.status == "archived"
    assert targets() == {"/old-home": None, "/blog/soil": None}


@requirement("redirects.freed")
def test_a_deleted_redirect_frees_its_path() -> None:
    row = lead("/blog/taken", "/elsewhere")

    delete_redirect(RedirectRef(id=row.pk), actor=EDITOR)

    assert targets() == {}
    assert save(slug="taken").created


@requirement("redirects.freed.withdrawn")
def test_the_removal_of_a_withdrawn_post_can_be_forgotten_and_the_post_still_returns() -> None:
    post = save(slug="soil", publish=True).post
    unpublish(post)

    delete_redirect(RedirectRef(id=Redirect.objects.get().pk), actor=EDITOR)
    returned = publish(post, now=LATER)

    assert (returned.post.status, targets()) == ("published", {})


@requirement("redirects.statuses")
def test_a_redirect_that_is_not_there_is_not_found() -> None:
    row = lead("/old", "/new")
    delete_redirect(RedirectRef(id=row.pk), actor=EDITOR)

    with refused(NotFound, []):
        delete_redirect(RedirectRef(id=row.pk), actor=EDITOR)


@requirement("redirects.day")
def test_today_is_in_the_time_zone_of_the_site(settings: Any) -> None:
    settings.TIME_ZONE = "Pacific/Auckland"

    assert lead("/old", None).occurred_on.isoformat() == "2026-11-22"
