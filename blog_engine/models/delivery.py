"""The outbox of webhooks: what is to be sent to whom, and how that went."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from blog_engine.enums import EventType
from blog_engine.models.base import choices
from blog_engine.models.reading import EngineManager


class Delivery(models.Model):
    """One event for one receiver, stored by the transaction of the write that it reports (webhooks.outbox).

    ``next_attempt_at`` is null once the event was delivered or given up. While an attempt runs it is the end of the
    lease: a worker that was killed leaves the event to another one from then on.
    """

    event_id = models.CharField(max_length=40)
    receiver = models.CharField(max_length=40)
    """The key of the receiver, which is not in its URL and survives another secret."""
    type = models.CharField(max_length=30, choices=choices(EventType))
    post = models.BigIntegerField(null=True)
    """The id of the post whose events are sent in order; null for receivers that take all together."""
    payload = models.TextField()
    created_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True)
    last_status = models.PositiveIntegerField(null=True)
    """The HTTP status of the last attempt; null without an answer."""
    last_error = models.CharField(max_length=300, default="")
    delivered_at = models.DateTimeField(null=True)
    dead_at = models.DateTimeField(null=True)

    objects = EngineManager()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event_id", "receiver"], name="blog_engine_delivery_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["next_attempt_at", "id"],
                condition=Q(next_attempt_at__isnull=False),
                name="blog_engine_delivery_due",
            ),
            models.Index(
                fields=["receiver", "post", "id"],
                condition=Q(next_attempt_at__isnull=False),
                name="blog_engine_delivery_order",
            ),
            models.Index(
                fields=["delivered_at"], condition=Q(delivered_at__isnull=False), name="blog_engine_delivery_done"
            ),
            models.Index(fields=["dead_at"], condition=Q(dead_at__isnull=False), name="blog_engine_delivery_dead"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.event_id}"
