"""Events for webhooks: stored with the write that they report, and sent from the outbox.

A worker claims an event in a short transaction, sends it outside of any, and then notes the outcome. One that is killed
in between leaves a lease that ends: each event is delivered at least once (webhooks.at-least-once).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json, in_utc
from blog_engine.content.webhooks import webhook_headers
from blog_engine.enums import EntryType, EventType, PolicyKind, PostStatus
from blog_engine.fetching import FetchRefused, any_address, post, public_only
from blog_engine.models import Delivery, Post
from blog_engine.queries.database import engine_connection
from blog_engine.queries.deliveries import (
    Receiver,
    ReceiverKind,
    configured_receivers,
    due_deliveries,
    open_deliveries,
)
from blog_engine.queries.policies import find_policy_url
from blog_engine.rules.label import label_of
from blog_engine.services._transaction import write_transaction


def note_event(
    event: EventType,
    post: Post,
    *,
    now: datetime,
    change: EntryType | None = None,
    note: str | None = None,
    previous_slug: str | None = None,
) -> None:
    """Store an event about a post for each receiver that wants it; call it inside the transaction of the write.

    ``post`` comes from ``read_post``. ``note`` says what a correction corrects. ``previous_slug`` is that of a public
    post that moved. Without such a receiver nothing is queried or stored. A post that readers have never seen is named
    by its id alone.
    """
    receivers = [receiver for receiver in configured_receivers() if event in receiver.events]
    if not receivers:
        return
    urls = BlogURLs.on(get_settings().public_base_url or "")
    was_seen = post.status == PostStatus.PUBLISHED or event in (EventType.WITHDRAWN, EventType.REMOVED)
    has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    seen = {
        "slug": post.slug,
        "url": urls.post_url(post.slug),
        "title": post.title,
        "revision_identifier": post.current_revision_identifier,
        "label": label_of(post, has_responsible_party=has_responsible_party).value,
    }
    payload = {
        "type": event.value,
        "timestamp": in_utc(now, "milliseconds"),
        "data": {
            "id": post.pk,
            "status": post.status,
            **(seen if was_seen else dict.fromkeys(seen)),
            "previous_url": urls.post_url(previous_slug) if previous_slug else None,
            "change": change.value if change else None,
            "note": note,
        },
    }
    event_id, text = f"msg_{uuid4().hex}", compact_json(payload)
    Delivery.objects.bulk_create(
        Delivery(
            event_id=event_id,
            receiver=receiver.key,
            type=event.value,
            post=None if receiver.takes_all_together else post.pk,
            payload=text,
            created_at=now,
            next_attempt_at=now,
        )
        for receiver in receivers
    )


BACKOFF: Final = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
"""The waits between the attempts, those of Standard Webhooks; a failure after the last one is final."""

ATTEMPT_SECONDS: Final = 10.0
LEASE: Final = timedelta(seconds=60)
"""For how long a claimed event is left to its worker."""
MOST_TOGETHER: Final = 5000
"""The most events of one request; each has at most two URLs, and IndexNow takes 10,000."""
LONGEST_ERROR: Final = 300

_USER_AGENT: Final = "blog_engine (webhooks)"
_GONE: Final = 410
_NO_ANSWER: Final = (
    f"No answer: no connection, nothing within {ATTEMPT_SECONDS:.0f} seconds, or an IP address that is not permitted"
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result for events that were sent in one request."""

    receiver: Receiver
    events: tuple[str, ...]
    """Their ids."""
    types: tuple[EventType, ...]
    status: int | None
    """The HTTP status; ``None`` without an answer."""
    error: str
    """Why they were not delivered; empty when they were."""
    is_dead: bool = False
    """Whether any of them was given up."""


@dataclass(frozen=True, slots=True)
class _Claimed:
    receiver: Receiver
    rows: list[Delivery]


@dataclass(frozen=True, slots=True)
class DeliveryRun:
    """The numbers of requests of a run that were accepted, failed and are repeated, or failed and gave up an event."""

    delivered: int
    failed: int
    given_up: int


def deliver_webhooks() -> DeliveryRun:
    """Send what is due, delete what is too old to be kept, and return how many requests had which outcome."""
    attempts = list(deliver_due())
    prune_deliveries(now=timezone.now())
    given_up = sum(attempt.is_dead for attempt in attempts)
    failed = sum(bool(attempt.error) for attempt in attempts) - given_up
    return DeliveryRun(delivered=len(attempts) - failed - given_up, failed=failed, given_up=given_up)


def deliver_due() -> Iterator[Attempt]:
    """Send what is due, one request after the other, and yield what became of each.

    After a failure the receiver is left alone for the rest of the run, so that one that is down does not delay the
    others (webhooks.down). Runs may overlap. Reads the clock for each request, because a run can take long.
    """
    receivers = {receiver.key: receiver for receiver in configured_receivers()}
    while receivers and (claimed := _claim(receivers)) is not None:
        attempt = _deliver(claimed)
        if attempt.error and attempt.status != _GONE:
            del receivers[claimed.receiver.key]
        yield attempt


def _claim(receivers: Mapping[str, Receiver]) -> _Claimed | None:
    """Lease the events of the next request; ``None`` when nothing is due that no other worker holds."""
    now = timezone.now()
    due = due_deliveries(now=now, receivers=receivers)
    # Before a transaction, which on SQLite would make other writers wait.
    while (receiver_key := due.values_list("receiver", flat=True).first()) is not None:
        receiver = receivers[receiver_key]
        with write_transaction():
            rows = _lock(due.filter(receiver=receiver_key), most=MOST_TOGETHER if receiver.takes_all_together else 1)
            if rows:
                Delivery.objects.filter(pk__in=[row.pk for row in rows]).update(
                    attempts=F("attempts") + 1, next_attempt_at=now + LEASE
                )
                return _Claimed(receiver, rows)
        # Another worker holds what is due for this receiver.
        receivers = {key: other for key, other in receivers.items() if key != receiver_key}
        due = due_deliveries(now=now, receivers=receivers)
    return None


def _lock(due: QuerySet[Delivery], *, most: int) -> list[Delivery]:
    skips = engine_connection().features.has_select_for_update_skip_locked
    rows = list(due.select_for_update(of=("self",), skip_locked=skips)[:most])
    for row in rows:
        row.attempts += 1
    return rows


def _deliver(claimed: _Claimed) -> Attempt:
    now = timezone.now()
    status, error, retry_after = None, "", timedelta()
    try:
        body, headers = _request(claimed, now=now)
        answered = post(
            claimed.receiver.url,
            body,
            headers=headers,
            seconds=ATTEMPT_SECONDS,
            user_agent=_USER_AGENT,
            permits=any_address if get_settings().notify.private_receivers else public_only,
        )
    except FetchRefused as refused:
        cause = f" ({type(refused.__cause__).__name__})" if refused.__cause__ else ""
        error = f"{_NO_ANSWER}{cause}."
    else:
        status = answered.status
        if not 200 <= status < 300:
            error = f"HTTP {status}"
            retry_after = _retry_after(answered.headers)
    is_dead = _note(claimed.rows, status=status, error=error, retry_after=retry_after)
    return Attempt(
        receiver=claimed.receiver,
        events=tuple(row.event_id for row in claimed.rows),
        types=tuple(EventType(row.type) for row in claimed.rows),
        status=status,
        error=error,
        is_dead=is_dead,
    )


def _request(claimed: _Claimed, *, now: datetime) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of the request."""
    receiver, rows = claimed.receiver, claimed.rows
    if receiver.kind is ReceiverKind.WEBHOOK:
        body = rows[0].payload.encode()
        signed = webhook_headers(
            body, event_id=rows[0].event_id, timestamp=int(now.timestamp()), keys=receiver.signing_keys
        )
        return body, {"Content-Type": "application/json", **signed}
    urls = BlogURLs.on(get_settings().public_base_url or "")
    if receiver.kind is ReceiverKind.WEBSUB:
        topic = urls.absolute(urls.feed_path(receiver.feed))
        return urlencode({"hub.mode": "publish", "hub.url": topic}).encode(), {
            "Content-Type": "application/x-www-form-urlencoded"
        }
    return compact_json(_submission(rows, urls=urls)).encode(), {"Content-Type": "application/json; charset=utf-8"}


def _submission(rows: Sequence[Delivery], *, urls: BlogURLs) -> dict[str, Any]:
    """Return what IndexNow takes: each URL that changed, once."""
    payloads = [json.loads(row.payload)["data"] for row in rows]
    changed = dict.fromkeys(url for data in payloads for url in (data["url"], data["previous_url"]) if url)
    key = get_settings().notify.indexnow_key or ""
    return {
        "host": urlsplit(urls.origin).netloc,
        "key": key,
        "keyLocation": urls.absolute(urls.indexnow_path(key)),
        "urlList": list(changed),
    }


def _retry_after(headers: Mapping[str, str]) -> timedelta:
    """Return for how long the receiver wants to be left alone, at most as long as the longest wait."""
    sent = headers.get("retry-after", "")
    if not sent.isascii() or not sent.isdigit() or len(sent) > 9:
        return timedelta()
    return min(timedelta(seconds=int(sent)), BACKOFF[-1])


def _note(rows: Sequence[Delivery], *, status: int | None, error: str, retry_after: timedelta) -> bool:
    """Note the outcome; return whether any event was given up."""
    now = timezone.now()
    outcome: dict[str, Any] = {"last_status": status, "last_error": error[:LONGEST_ERROR]}
    if not error:
        sent = Delivery.objects.filter(pk__in=[row.pk for row in rows], delivered_at__isnull=True)
        sent.update(**outcome, delivered_at=now, next_attempt_at=None, dead_at=None)
        return False
    any_dead = False
    for attempts, of in groupby(sorted(rows, key=lambda row: row.attempts), key=lambda row: row.attempts):
        # Not those whose lease ended meanwhile: another worker has another outcome.
        held = open_deliveries().filter(pk__in=[row.pk for row in of], attempts=attempts)
        if status == _GONE or attempts > len(BACKOFF):
            held.update(**outcome, dead_at=now, next_attempt_at=None)
            any_dead = True
        else:
            held.update(**outcome, next_attempt_at=now + max(BACKOFF[attempts - 1], retry_after))
    return any_dead


def retry_dead(*, now: datetime, delivery: int | None = None) -> int:
    """Make events due again that were given up, all or the one with this id; return how many."""
    dead = Delivery.objects.filter(dead_at__isnull=False)
    if delivery is not None:
        dead = dead.filter(pk=delivery)
    return dead.update(dead_at=None, attempts=0, next_attempt_at=now)


def prune_deliveries(*, now: datetime) -> int:
    """Delete what was delivered or given up ``notify.kept_days`` ago; return how many.

    Also what has waited so long for a receiver that the settings no longer have.
    """
    end = now - timedelta(days=get_settings().notify.kept_days)
    keys = [receiver.key for receiver in configured_receivers()]
    orphaned = Q(next_attempt_at__isnull=False, created_at__lt=end) & ~Q(receiver__in=keys)
    old = Delivery.objects.filter(Q(delivered_at__lt=end) | Q(dead_at__lt=end) | orphaned)
    # Asked first: a statement that deletes nothing also makes other writers of SQLite wait.
    return old.delete()[0] if old.exists() else 0
