"""Times that have come, and local times that the clocks skip or show twice."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from pytest_django import Settings

from blog_engine.actor import Actor
from blog_engine.enums import EntryType
from blog_engine.errors import ProposalDecided, Refusal, ValidationFailed
from blog_engine.models import Post
from blog_engine.services import Recorded
from tests.requirements import requirement
from tests.support.factories import AGENT, LATER, NOW, apply, propose, publish, remove, save, update
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
DAY = timedelta(hours=24)
INSTANT = timedelta(microseconds=1)


def draft() -> Post:
    return save(slug="p").post


def scheduled() -> Post:
    return publish(draft(), publish_at=(LATER + HOUR).isoformat()).post


def published() -> Post:
    return save(slug="p", publish=True).post


def archived() -> Post:
    return remove(published(), now=NOW).post


STATES: dict[str, Callable[[], Post]] = {one.__name__: one for one in (draft, scheduled, published, archived)}
NOT_PUBLIC = [name for name in STATES if name != "published"]


def hint_of(write: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        write()
    assert caught.value.details == ["publish_at"]
    return str(caught.value)


@requirement("posts.schedule.late")
@pytest.mark.parametrize("ago", [timedelta(0), HOUR, DAY])
@pytest.mark.parametrize("state", NOT_PUBLIC)
def test_publishing_for_a_time_of_the_last_day_publishes_now(state: str, ago: timedelta) -> None:
    written = publish(STATES[state](), publish_at=(LATER - ago).isoformat())

    assert (written.post.status, written.post.publish_at) == ("published", None)
    assert ("published_now", "publish_at") in [(one.code, one.location) for one in written.findings]


@requirement("posts.schedule.late")
def test_a_new_post_is_published_for_a_time_of_the_last_day() -> None:
    written = save(publish=True, publish_at=(NOW - DAY).isoformat())

    assert (written.post.status, written.post.published_at) == ("published", NOW)
    assert written.records == Recorded(revision="new", publication=EntryType.FIRST)


@requirement("posts.schedule.late")
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("ago", [DAY + INSTANT, timedelta(days=365)])
def test_publishing_for_an_older_time_is_refused(state: str, ago: timedelta) -> None:
    post = STATES[state]()

    with refused(ValidationFailed, ["publish_at"]):
        publish(post, publish_at=(LATER - ago).isoformat())
    with refused(ValidationFailed, ["publish_at"]):
        save(slug="p", publish=True, publish_at=(NOW - ago).isoformat())
    with refused(ValidationFailed, ["publish_at"]):
        save(slug="another", publish=True, publish_at=(NOW - ago).isoformat())


@requirement("posts.schedule.late")
def test_a_late_time_changes_nothing_of_a_public_post() -> None:
    post = published()

    written = publish(post, publish_at=(LATER - HOUR).isoformat())

    assert (written.post.status, written.post.published_at) == ("published", post.published_at)
    assert written.records == Recorded(revision="same")


@requirement("posts.schedule.past")
@pytest.mark.parametrize("ago", [timedelta(0), HOUR, DAY * 400])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    "fields",
    [{}, {"dry_run": True}, {"change": "substantive", "body": "Other."}, {"change": "correction", "note": "x"}],
)
def test_an_edit_with_a_time_that_has_come_is_refused(state: str, ago: timedelta, fields: dict[str, Any]) -> None:
    post = STATES[state]()

    with refused(ValidationFailed, ["publish_at"]):
        update(post, publish_at=(LATER - ago).isoformat(), **fields)


@requirement("posts.schedule.past")
@pytest.mark.parametrize("actor", [Actor("Ines Editor"), AGENT], ids=["publisher", "writer"])
def test_a_draft_with_a_time_that_has_come_is_refused(actor: Actor) -> None:
    draft()

    with refused(ValidationFailed, ["publish_at"]):
        save(actor=actor, slug="p", publish_at=NOW.isoformat())
    with refused(ValidationFailed, ["publish_at"]):
        save(actor=actor, slug="new", publish_at=(NOW - HOUR).isoformat())


@requirement("posts.schedule.past")
def test_a_proposal_is_not_applied_for_a_time_that_has_come() -> None:
    proposal = propose(published(), tags=["Clay"])

    for ago in (timedelta(0), HOUR, DAY * 2):
        with refused(ValidationFailed, ["publish_at"]):
            apply(proposal, publish_at=(LATER - ago).isoformat(), now=LATER)

    apply(proposal, now=LATER)
    with refused(ProposalDecided):
        apply(proposal, publish_at=NOW.isoformat(), now=LATER)


@requirement("posts.schedule.past")
def test_an_overdue_post_is_edited_without_its_time() -> None:
    post = scheduled()

    written = update(post, body="Other.", now=LATER + DAY)

    assert (written.post.status, written.post.publish_at) == ("scheduled", post.publish_at)


@requirement("posts.schedule.past", "posts.schedule.late")
def test_the_refusal_says_what_time_it_is_and_where(settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Kathmandu"
    post = draft()

    told = [
        hint_of(lambda: update(post, publish_at="2020-01-01T00:00:00Z", now=NOW)),
        hint_of(lambda: publish(post, publish_at="2020-01-01T00:00:00Z", now=NOW)),
    ]

    assert all("it is 2026-11-21T17:45:00+05:45" in hint and "Asia/Kathmandu" in hint for hint in told)


CHANGES = [
    ("Europe/Berlin", "2027-03-28T02:30", {"2027-03-28T01:30:00+01:00", "2027-03-28T03:30:00+02:00"}),
    ("Europe/Berlin", "2027-10-31T02:30", {"2027-10-31T02:30:00+02:00", "2027-10-31T02:30:00+01:00"}),
    ("America/New_York", "2027-11-07 01:00:00", {"2027-11-07T01:00:00-04:00", "2027-11-07T01:00:00-05:00"}),
    ("Australia/Lord_Howe", "2027-10-03T02:15", {"2027-10-03T01:45:00+10:30", "2027-10-03T02:45:00+11:00"}),
]
"""A zone, a local time that its clocks skip or show twice, and both readings."""


@requirement("posts.schedule.clocks")
@pytest.mark.parametrize(("zone", "local", "readings"), CHANGES)
def test_a_time_when_the_clocks_change_is_refused_with_both_readings(
    settings: Settings, zone: str, local: str, readings: set[str]
) -> None:
    settings.TIME_ZONE = zone
    post, proposal = draft(), propose(save(slug="q", publish=True).post, tags=["Clay"])
    before = everything_stored()

    hints = [
        hint_of(lambda: publish(post, publish_at=local)),
        hint_of(lambda: update(post, publish_at=local)),
        hint_of(lambda: save(slug="new", publish_at=local)),
        hint_of(lambda: save(slug="new", publish=True, publish_at=local)),
        hint_of(lambda: apply(proposal, publish_at=local)),
    ]

    assert everything_stored() == before
    assert all(zone in hint and all(reading in hint for reading in readings) for hint in hints)
    for reading in sorted(readings):
        assert publish(post, publish_at=reading).post.publish_at == datetime.fromisoformat(reading)


@requirement("posts.schedule.clocks")
@pytest.mark.parametrize(
    "local", ["2027-03-28T01:59:59", "2027-03-28T03:00", "2027-10-31T01:59:59", "2027-10-31T03:00"]
)
def test_the_times_around_a_change_of_the_clocks_are_read(settings: Settings, local: str) -> None:
    settings.TIME_ZONE = "Europe/Berlin"

    written = publish(draft(), publish_at=local)

    assert written.post.publish_at == datetime.fromisoformat(local).replace(tzinfo=ZoneInfo("Europe/Berlin"))


@requirement("posts.schedule.time")
def test_the_zone_of_the_visitor_does_not_count() -> None:
    with timezone.override("Asia/Tokyo"):
        written = publish(draft(), publish_at="2027-01-01T09:00")

    assert written.post.publish_at == datetime(2027, 1, 1, 9, tzinfo=UTC)
