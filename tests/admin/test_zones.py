"""Planned times in the time zone of the person, which the browser remembers."""

from datetime import timedelta
from http.cookies import Morsel

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from blog_engine.services.tokens import create_token
from tests.admin.desk import confirm, person, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import NOW, propose, publish, save

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_day_later")]

PLANNED = (NOW + timedelta(days=4)).isoformat()


def scheduled() -> Post:
    return publish(save(title="Soon").post, publish_at=PLANNED).post


@requirement("desk.zones")
@pytest.mark.parametrize("page", ["post_change", "post_history", "post_publish", "post_schedule", "post_cancel"])
def test_a_planned_time_has_its_zone_on_every_page(editor: Client, page: str) -> None:
    post = scheduled()

    shown = text_of(editor.get(url(page, post.pk)))
    editor.cookies["blog_engine_zone"] = "Asia/Kolkata"
    there = text_of(editor.get(url(page, post.pk)))

    assert "Nov. 25, 2026, 12:00 (UTC)" in shown
    assert "Nov. 25, 2026, 17:30 (Asia/Kolkata)" in there
    assert "Nov. 25, 2026, 12:00" not in there


@requirement("desk.zones")
@pytest.mark.parametrize(
    ("page", "zone", "time"),
    [
        ("post_queue", "Europe/Berlin", "Nov. 25, 2026, 13:00 (Europe/Berlin)"),
        ("post_changelist", "Europe/Berlin", "Nov 25, 13:00 CET"),
        ("post_changelist", "Pacific/Auckland", "Nov 26, 01:00 NZDT"),
    ],
)
def test_the_lists_show_the_zone(editor: Client, page: str, zone: str, time: str) -> None:
    scheduled()
    editor.cookies["blog_engine_zone"] = zone

    assert time in text_of(editor.get(url(page)))


@requirement("desk.zones")
@pytest.mark.parametrize("stored_name", ["", "Mars/Olympus", "../../etc/passwd", "<b>", "x" * 4000])
def test_a_zone_that_does_not_exist_is_that_of_the_site(editor: Client, stored_name: str) -> None:
    post = scheduled()
    editor.cookies["blog_engine_zone"] = stored_name

    assert "Nov. 25, 2026, 12:00 (UTC)" in text_of(editor.get(url("post_history", post.pk)))


@requirement("desk.zones")
def test_the_chosen_zone_is_remembered_and_rescheduling_opens_in_it(editor: Client, settings: Settings) -> None:
    settings.TIME_ZONE = "America/New_York"
    post = save(title="Soon").post

    answer = confirm(editor, "schedule", post, date="2026-11-27", time="09:00", zone="Europe/Berlin")
    form = editor.get(url("post_schedule", post.pk)).context["form"]

    cookie: Morsel[str] = answer.cookies["blog_engine_zone"]
    assert (cookie.value, cookie["samesite"], bool(cookie["max-age"])) == ("Europe/Berlin", "Lax", True)
    assert stored(post).publish_at is not None
    assert (str(form["date"].value()), str(form["time"].value()), form["zone"].value()) == (
        "2026-11-27",
        "09:00:00",
        "Europe/Berlin",
    )


@requirement("desk.zones")
def test_a_zone_that_does_not_exist_is_not_remembered(editor: Client) -> None:
    answer = confirm(editor, "schedule", save().post, date="2026-11-27", time="09:00", zone="Europe/Atlantis")

    assert "blog_engine_zone" not in answer.cookies


@requirement("desk.zones")
def test_the_time_of_a_proposal_and_of_its_preview_have_a_zone(editor: Client) -> None:
    post = save(title="Ferry", publish=True).post
    propose(post, title="Ferries", change="substantive")
    editor.cookies["blog_engine_zone"] = "Asia/Kolkata"

    proposal = post.proposals.get()

    page = text_of(editor.get(url("post_proposal", post.pk, proposal.pk)))
    assert "(Asia/Kolkata)" in page.partition("can read it until")[2][:60]


@requirement("desk.zones")
def test_the_end_of_a_token_has_a_zone() -> None:
    client = Client()
    client.force_login(person("manage_tokens"))
    made = create_token("Agent", now=NOW, expires_at=NOW + timedelta(days=9))

    assert "Nov. 30, 2026, 12:00 (UTC)" in text_of(client.get(url("apitoken_change", made.token.pk)))
