"""A clock that is set back between two writes: the last write counts, and pages are served."""

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
import time_machine
from django.test import Client

from blog_engine.models import Post, Publication
from blog_engine.queries.previews import preview_token, previewed_post_id
from blog_engine.services import publish_due
from blog_engine.services.tokens import create_token, revoke_token
from tests.requirements import requirement
from tests.support.factories import NOW, approve, declare, publish, save, update
from tests.support.integrity import assert_nothing_is_half
from tests.support.pages import Visitor, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("storage")]

API = "/blog/api/v1"
JUMPS = pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(days=1)], ids=["an hour", "a day"])


def get(path: str, *, at: datetime) -> Any:
    """Return the answer of the API at this time."""
    with time_machine.travel(at, tick=False):
        made = create_token("Ada", now=at)
        response = Client(headers={"Authorization": f"Bearer {made.secret}"}).get(f"{API}{path}")
    assert response.status_code == 200
    return response.json()


def instant(moment: datetime) -> str:
    """Return the public dates by the history."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.711Z")


def page(path: str, *, at: datetime) -> Any:
    """Return what a reader gets at this time."""
    with time_machine.travel(at, tick=False):
        response = Visitor(Client()).get(path)
    assert response.status_code == 200, path
    return response


@requirement("host.faults.clock")
@JUMPS
def test_the_history_is_in_the_order_of_writing_and_the_last_declaration_counts(jump: timedelta) -> None:
    back = NOW - jump
    post = save(slug="frost", body="Cold.", provenance="ai_assisted", publish=True, now=NOW).post
    declare(post, third_party_paid=True, now=NOW)

    corrected = update(post, body="Colder.", change="correction", note="It was colder.", now=back).post
    approve(corrected, now=back)
    declare(post, third_party_paid=False, now=back)

    records = get("/posts/frost/records", at=back)
    assert [entry["entry_type"] for entry in records["publications"]] == ["first", "correction"]
    assert [declared["third_party_paid"] for declared in records["connections"]] == [True, False]
    assert [revision["created_at"] for revision in records["revisions"]] == [instant(NOW), instant(back)]
    assert [entry["occurred_at"] for entry in records["publications"]] == [instant(NOW), instant(back)]
    shown = get("/posts/frost", at=back)
    assert (shown["revision_identifier"], shown["label"]) == (corrected.current_revision_identifier, "none")
    assert_nothing_is_half()


@requirement("host.faults.clock")
@JUMPS
def test_the_dates_are_those_of_the_history_and_no_update_before_the_publication_is_shown(jump: timedelta) -> None:
    post = save(slug="frost", publish=True, now=NOW).post

    changed = update(post, body="Colder.", change="substantive", now=NOW - jump).post

    assert (changed.published_at, changed.modified_at) == (NOW, NOW)
    assert "Updated" not in text_of(page("/frost", at=NOW + jump))
    again = update(post, body="Coldest.", change="substantive", now=NOW + jump).post
    assert (again.published_at, again.modified_at) == (NOW, NOW + jump)
    last = update(post, body="Mild.", change="substantive", now=NOW).post
    assert (last.published_at, last.modified_at) == (NOW, NOW)
    assert_nothing_is_half()


@requirement("host.faults.clock")
@JUMPS
def test_nothing_of_the_future_is_shown_and_nothing_breaks(jump: timedelta) -> None:
    post = save(slug="frost", category="Winter", publish=True, now=NOW).post
    update(post, body="Colder.", change="correction", note="It was colder.", now=NOW)

    early, later = page("/frost", at=NOW - jump), page("/frost", at=NOW)
    lists = [page(path, at=NOW - jump) for path in ("/", "/category/winter", "/search?q=garden", "/frost.md")]
    feeds = [page(path, at=NOW - jump) for path in ("/feed.xml", "/feed.json", "/sitemap.xml")]

    assert "It was colder." not in text_of(early)
    assert "<time" not in text_of(early).partition("blog-body")[0]
    assert "It was colder." in text_of(later)
    assert all("Winter garden" in text_of(response) for response in lists)
    for response in feeds:
        assert parsedate_to_datetime(response.headers["Last-Modified"]) <= NOW - jump
    assert [check["status"] for check in get("/doctor", at=NOW - jump)["checks"] if check["name"] == "Records"] == [
        "ok"
    ]


@requirement("host.faults.clock", "history.concurrency.first")
@JUMPS
def test_a_scheduled_post_is_released_once_and_by_the_clock_as_it_is(jump: timedelta) -> None:
    due = NOW + jump
    post = publish(save(slug="frost", now=NOW).post, publish_at=due.isoformat(), now=NOW).post

    assert publish_due(now=due - timedelta(seconds=1)).released == []
    assert publish_due(now=due).released == ["frost"]
    assert publish_due(now=NOW - jump).released == []
    assert publish_due(now=due + jump).released == []

    assert Post.objects.get(pk=post.pk).status == "published"
    assert [(row.entry_type, row.occurred_at) for row in Publication.objects.all()] == [("first", due)]
    assert page("/frost", at=NOW - jump)
    assert_nothing_is_half()


@requirement("host.faults.clock")
@JUMPS
def test_a_revoked_token_stays_revoked_and_one_that_ends_lives_as_long_as_the_clock_says(jump: timedelta) -> None:
    ended, revoked = create_token("Eve", expires_at=NOW, now=NOW - 2 * jump), create_token("Mallory", now=NOW)
    revoke_token(revoked.token, now=NOW)

    def status(secret: str, *, at: datetime) -> int:
        with time_machine.travel(at, tick=False):
            return Client(headers={"Authorization": f"Bearer {secret}"}).get(f"{API}/posts").status_code

    assert [status(ended.secret, at=at) for at in (NOW, NOW - jump, NOW)] == [401, 200, 401]
    assert [status(revoked.secret, at=at) for at in (NOW, NOW - jump)] == [401, 401]


@requirement("host.faults.clock")
@JUMPS
def test_a_preview_made_before_the_clock_was_set_back_opens_and_ends_when_it_said(jump: timedelta) -> None:
    post = save(slug="frost", now=NOW).post
    made = preview_token(post, now=NOW)

    assert made is not None
    found = (post.pk, post.current_revision_identifier)
    assert previewed_post_id(made.token, now=NOW - jump) == found
    assert previewed_post_id(made.token, now=made.expires_at - timedelta(seconds=1)) == found
    assert previewed_post_id(made.token, now=made.expires_at) is None
    assert page(f"/preview/{made.token}", at=NOW - jump)
