"""Receivers of events, and the deliveries that wait for them in the outbox."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet

from blog_engine.conf import get_settings
from blog_engine.enums import EventType, FeedFormat
from blog_engine.models import Delivery

_PUBLIC: Final = frozenset(EventType) - {EventType.PROPOSED, EventType.REVIEW_REQUESTED, EventType.REVIEW_RETURNED}
"""The events that change what readers see."""


class ReceiverKind(StrEnum):
    """The kind of a receiver."""

    WEBHOOK = "webhook"
    WEBSUB = "websub"
    INDEXNOW = "indexnow"


@dataclass(frozen=True, slots=True)
class Receiver:
    """A receiver of the setting ``notify``."""

    key: str
    """What the outbox calls it: of a webhook a digest of its URL, so that another URL is another receiver."""
    kind: ReceiverKind
    url: str
    events: frozenset[EventType] = _PUBLIC
    signing_keys: tuple[bytes, ...] = field(default=(), repr=False)
    feed: FeedFormat = FeedFormat.ATOM
    """The feed that a WebSub hub is told of."""

    @property
    def takes_all_together(self) -> bool:
        """Whether one request is for all events that wait (webhooks.together)."""
        return self.kind is not ReceiverKind.WEBHOOK

    @property
    def name(self) -> str:
        """The host, for people: the rest of the URL of a webhook can be a secret."""
        host = urlsplit(self.url).hostname or ""
        return host if self.kind is ReceiverKind.WEBHOOK else f"{host} ({self.key})"


def configured_receivers() -> list[Receiver]:
    """Return the receivers of the setting ``notify``."""
    notify = get_settings().notify
    found = [
        Receiver(
            key=f"webhook-{sha256(webhook.url.encode()).hexdigest()[:24]}",
            kind=ReceiverKind.WEBHOOK,
            url=webhook.url,
            events=frozenset(webhook.events),
            signing_keys=tuple(key for key in (webhook.secret, webhook.previous_secret) if key),
        )
        for webhook in notify.webhooks
    ]
    if notify.websub_hub:
        found += [
            Receiver(f"websub-{feed.name.lower()}", ReceiverKind.WEBSUB, notify.websub_hub, feed=feed)
            for feed in FeedFormat
        ]
    if notify.indexnow_key:
        found.append(Receiver("indexnow", ReceiverKind.INDEXNOW, notify.indexnow_url))
    return found


def open_deliveries() -> QuerySet[Delivery]:
    """Return what was neither delivered nor given up."""
    return Delivery.objects.filter(next_attempt_at__isnull=False)


def due_deliveries(*, now: datetime, receivers: Collection[str]) -> QuerySet[Delivery]:
    """Return what is due for these receivers, the longest due first.

    An event waits for the earlier ones of its post to the same receiver (webhooks.order).
    """
    earlier = open_deliveries().filter(receiver=OuterRef("receiver"), post=OuterRef("post"), pk__lt=OuterRef("pk"))
    due = open_deliveries().filter(next_attempt_at__lte=now, receiver__in=receivers)
    return due.exclude(Exists(earlier.order_by())).order_by("next_attempt_at", "pk")


def shown_deliveries() -> QuerySet[Delivery]:
    """Return what waits and what was given up, the latter first, for the desk."""
    shown = Delivery.objects.filter(Q(next_attempt_at__isnull=False) | Q(dead_at__isnull=False))
    return shown.order_by(F("dead_at").desc(nulls_last=True), "-pk")


@dataclass(frozen=True, slots=True)
class OutboxState:
    """The state of the outbox, for the doctor."""

    waiting: int
    dead: int
    without_receiver: int
    """Those that wait for a receiver that the settings no longer have."""
    oldest_due: datetime | None
    """Since when the event is due that is due longest."""


def outbox_state(*, now: datetime) -> OutboxState:
    """Return how many events wait, how many were given up, and since when the oldest one is due; two queries."""
    keys = [receiver.key for receiver in configured_receivers()]
    is_open = Q(next_attempt_at__isnull=False)
    counts = Delivery.objects.filter(is_open | Q(dead_at__isnull=False)).aggregate(
        waiting=Count("pk", filter=is_open),
        dead=Count("pk", filter=Q(dead_at__isnull=False)),
        without_receiver=Count("pk", filter=is_open & ~Q(receiver__in=keys)),
    )
    due = due_deliveries(now=now, receivers=keys).order_by().aggregate(oldest=Min("next_attempt_at"))
    return OutboxState(**counts, oldest_due=due["oldest"])
