"""Proposals: edits of a post that somebody with the scope ``publish`` applies or rejects."""

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from blog_engine.enums import ProposalEventKind
from blog_engine.models.base import AppendOnly, ByActor, ExactDateTimeField, choices, one_of
from blog_engine.models.history import Publication, Revision
from blog_engine.models.post import Post

DECIDING = (ProposalEventKind.APPLIED, ProposalEventKind.REJECTED, ProposalEventKind.WITHDRAWN)
"""The events that end a proposal."""


class Proposal(ByActor, AppendOnly):
    """An edit that was proposed, as it was sent; what became of it is in its events."""

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="proposals")
    base_revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    """The content of the post when it was proposed."""
    base_version = models.PositiveBigIntegerField()
    """The version of the post at that time."""
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="proposals")
    """The content that it made of that."""
    fields = models.JSONField()
    """What was sent, without the fields that change nothing."""
    base = models.JSONField()
    """The values that the post had for the fields that it changes, and the body that its edits made of that one."""
    actor = models.CharField(max_length=255)
    made_by_ai = models.BooleanField(null=True)
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.pk} for post {self.post_id}"


class ProposalEvent(ByActor, AppendOnly):
    """Something that happened to a proposal; the state of the proposal follows from all of them."""

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="+")
    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="events")
    kind = models.CharField(max_length=20, choices=choices(ProposalEventKind))
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="proposal_events")
    """The content that it made of the post at that time."""
    publish_at = ExactDateTimeField(null=True)
    """When a scheduled proposal is going to be applied."""
    reason = models.TextField(null=True)
    """Why it was rejected."""
    publication = models.ForeignKey(Publication, on_delete=models.PROTECT, null=True, related_name="+")
    """The publication that an applied proposal made."""
    actor = models.CharField(max_length=255, null=True)
    """Null for what happened on schedule."""
    occurred_at = ExactDateTimeField()
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("event of a proposal")
        verbose_name_plural = _("events of proposals")
        ordering: ClassVar = ["id"]
        indexes: ClassVar = [
            models.Index(
                fields=["publish_at"],
                condition=Q(kind=ProposalEventKind.SCHEDULED.value),
                name="blog_engine_proposal_due",
            )
        ]
        constraints: ClassVar = [
            one_of("kind", ProposalEventKind, name="blog_engine_proposal_event_kind"),
            UniqueConstraint(
                fields=["proposal"],
                condition=Q(kind__in=[kind.value for kind in DECIDING]),
                name="blog_engine_proposal_event_one_end",
            ),
            CheckConstraint(
                condition=~Q(kind=ProposalEventKind.SCHEDULED.value) | Q(publish_at__isnull=False),
                name="blog_engine_proposal_event_has_time",
            ),
            CheckConstraint(
                condition=~Q(kind=ProposalEventKind.REJECTED.value) | Q(reason__isnull=False) & ~Q(reason=""),
                name="blog_engine_proposal_event_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.proposal_id}"
