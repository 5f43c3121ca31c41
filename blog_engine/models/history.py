"""The append-only history of posts, the chain of its records and the checkpoints over it."""

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from blog_engine.enums import ApprovalKind, EntryType, PostStatus, Provenance, RecordKind
from blog_engine.inputs.history import LONGEST_REASON
from blog_engine.models.base import AppendOnly, ByActor, EngineModel, ExactDateTimeField, choices, one_of
from blog_engine.models.post import Post


class Revision(ByActor, AppendOnly):
    """The exact content of a post at one time; ``identifier`` is the SHA-256 of ``payload``."""

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="revisions")
    identifier = models.CharField(max_length=64)
    payload = models.TextField()
    actor = models.CharField(max_length=255, null=True)
    made_by_ai = models.BooleanField(null=True)
    is_proposed = models.BooleanField(default=False, db_default=False)
    """Whether a proposal recorded it; the revision that a post has of the same content is a row of its own."""
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            UniqueConstraint(fields=["post", "identifier", "is_proposed"], name="blog_engine_revision_once")
        ]

    def __str__(self) -> str:
        return self.identifier


class Baseline(ByActor, AppendOnly):
    """Facts about an article when it was adopted from another system."""

    post = models.OneToOneField(Post, on_delete=models.PROTECT, related_name="baseline")
    adopted_at = ExactDateTimeField()
    adopted_revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    provenance = models.CharField(max_length=20, choices=choices(Provenance))
    provenance_evidence = models.TextField(null=True)
    first_published_at = ExactDateTimeField(null=True)
    first_published_evidence = models.TextField(null=True)
    declared_first_published_at = ExactDateTimeField(null=True)
    last_modified_at = ExactDateTimeField(null=True)
    last_modified_evidence = models.TextField(null=True)
    source_system = models.CharField(max_length=255)
    source_id = models.CharField(max_length=255)
    source_body_sha256 = models.CharField(max_length=64, null=True)
    adopted_by = models.CharField(max_length=255, null=True)
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("baseline")
        verbose_name_plural = _("baselines")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            one_of("provenance", Provenance, name="blog_engine_baseline_provenance"),
            UniqueConstraint(fields=["source_system", "source_id"], name="blog_engine_baseline_source"),
            CheckConstraint(
                condition=Q(first_published_at__isnull=True) | Q(declared_first_published_at__isnull=True),
                name="blog_engine_baseline_one_first_date",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source_system} {self.source_id}"


class Approval(ByActor, AppendOnly):
    """A person's review of one revision."""

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="approvals")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="approvals")
    kind = models.CharField(max_length=20, choices=choices(ApprovalKind))
    reviewer_name = models.CharField(max_length=255)
    facts_checked = models.BooleanField()
    approved_at = ExactDateTimeField()
    declared_on = models.DateField(null=True)
    declared_by = models.CharField(max_length=255, null=True)
    confirmed_by = models.CharField(max_length=255, null=True)
    evidence = models.TextField(null=True)
    recorded_by = models.CharField(max_length=255, null=True)
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("approval")
        verbose_name_plural = _("approvals")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            one_of("kind", ApprovalKind, name="blog_engine_approval_kind"),
            CheckConstraint(
                condition=~Q(kind=ApprovalKind.DECLARED.value)
                | Q(declared_on__isnull=False, declared_by__isnull=False) & ~Q(declared_by=""),
                name="blog_engine_approval_declared",
            ),
            CheckConstraint(
                condition=~Q(kind=ApprovalKind.IMPORTED.value)
                | Q(confirmed_by__isnull=False, evidence__isnull=False) & ~Q(confirmed_by="") & ~Q(evidence=""),
                name="blog_engine_approval_imported",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.reviewer_name}"

    @property
    def is_signed(self) -> bool:
        """Whether a passkey signed it; read its signature with it."""
        return hasattr(self, "signature")

    @property
    def revision_identifier(self) -> str:
        """The identifier of the reviewed revision."""
        return self.revision.identifier


class Publication(ByActor, AppendOnly):
    """The publication of a revision."""

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="publications")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="publications")
    entry_type = models.CharField(max_length=20, choices=choices(EntryType))
    occurred_at = ExactDateTimeField()
    released_by = models.CharField(max_length=255, null=True)
    description = models.TextField(null=True)
    note = models.TextField(null=True)
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("publication")
        verbose_name_plural = _("publications")
        ordering: ClassVar = ["id"]
        indexes: ClassVar = [
            models.Index(fields=["post", "occurred_at"], name="blog_engine_publication_time"),
            models.Index(fields=["occurred_at"], name="blog_engine_publication_next"),
        ]
        constraints: ClassVar = [
            one_of("entry_type", EntryType, name="blog_engine_publication_type"),
            UniqueConstraint(
                fields=["post"], condition=Q(entry_type=EntryType.FIRST.value), name="blog_engine_publication_one_first"
            ),
            CheckConstraint(
                condition=~Q(entry_type=EntryType.CORRECTION.value) | Q(note__isnull=False) & ~Q(note=""),
                name="blog_engine_publication_correction_note",
            ),
        ]

    def __str__(self) -> str:
        return self.entry_type

    @property
    def revision_identifier(self) -> str:
        """The identifier of the revision that was made public."""
        return self.revision.identifier


class ConnectionDeclaration(ByActor, AppendOnly):
    """The declaration of the publisher about connections to the subject of a post."""

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="declarations")
    connections = models.JSONField(default=list)
    third_party_paid = models.BooleanField()
    declared_by = models.CharField(max_length=255)
    declared_on = models.DateField()
    recorded_by = models.CharField(max_length=255, null=True)
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("connection declaration")
        verbose_name_plural = _("connection declarations")
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.declared_by} {self.declared_on}"


class StatusChange(ByActor, AppendOnly):
    """A change of the status of a post that published nothing (history.status-changes).

    A post is scheduled, moved to another time, no longer scheduled, withdrawn or archived. The rows of a post that left
    no revision are deleted with it.
    """

    post = models.ForeignKey(Post, on_delete=models.CASCADE, related_name="status_changes")
    from_status = models.CharField(max_length=20, choices=choices(PostStatus))
    to_status = models.CharField(max_length=20, choices=choices(PostStatus))
    publish_at = ExactDateTimeField(null=True)
    """When a scheduled post is going to be published."""
    redirect_to = models.CharField(max_length=2048, null=True)
    """Where the path of an archived post leads; null if it is gone."""
    actor = models.CharField(max_length=255, null=True)
    occurred_at = ExactDateTimeField()
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("change of status")
        verbose_name_plural = _("changes of status")
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            one_of("from_status", PostStatus, name="blog_engine_status_change_from"),
            one_of("to_status", PostStatus, name="blog_engine_status_change_to"),
        ]

    def __str__(self) -> str:
        return f"{self.from_status} {self.to_status}"


class WithheldVersion(ByActor, AppendOnly):
    """An act by which a public version was taken from the public history, or shown there again.

    The last one of a version decides (public-history.withheld). It names the version by its identifier, so that the
    records of the version stay as they are; no chain has it.
    """

    post = models.ForeignKey(Post, on_delete=models.PROTECT, related_name="withholdings")
    identifier = models.CharField(max_length=64)
    is_withheld = models.BooleanField()
    reason = models.CharField(max_length=LONGEST_REASON)
    """What readers are told in place of the text."""
    actor = models.CharField(max_length=255)
    created_at = ExactDateTimeField(editable=False)

    class Meta(AppendOnly.Meta):
        verbose_name = _("withheld version")
        verbose_name_plural = _("withheld versions")
        ordering: ClassVar = ["id"]
        indexes: ClassVar = [models.Index(fields=["post", "identifier", "id"], name="blog_engine_withheld_last")]

    def __str__(self) -> str:
        return self.identifier


class ChainLink(AppendOnly):
    """The place of one record in the chain of its post (proof.chain).

    The ids are no foreign keys, because links outlive the records of a draft that was deleted and of an adoption that
    was replaced.
    """

    post = models.BigIntegerField()
    position = models.PositiveBigIntegerField()
    """From 1 for each post."""
    kind = models.CharField(max_length=20, choices=choices(RecordKind))
    record = models.BigIntegerField(null=True)
    """The id of the record in the table of its kind; null for ``replaced``, which has none."""
    digest = models.CharField(max_length=64)
    previous = models.CharField(max_length=64)
    """The hash of the link before it; empty for the first one."""
    hash = models.CharField(max_length=64)
    chained_at = ExactDateTimeField()

    class Meta(AppendOnly.Meta):
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            UniqueConstraint(fields=["post", "position"], name="blog_engine_chain_link_position"),
            UniqueConstraint(fields=["kind", "record"], name="blog_engine_chain_link_record"),
            one_of("kind", RecordKind, name="blog_engine_chain_link_kind"),
            CheckConstraint(condition=Q(position__gte=1), name="blog_engine_chain_link_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.position} of post {self.post}"


class Checkpoint(AppendOnly):
    """The root of the tree over the newest link of every post at one time (proof.checkpoint)."""

    number = models.PositiveBigIntegerField(unique=True)
    """From 1."""
    created_at = ExactDateTimeField(editable=False)
    boundary = models.BigIntegerField()
    """The id of the newest link that it covers."""
    size = models.PositiveBigIntegerField()
    """How many posts it covers."""
    root = models.CharField(max_length=64)
    blocks = models.JSONField()
    """The first post and the root of each 1,024 leaves, so that the path of a post is found without the others."""
    previous = models.CharField(max_length=64)
    """The hash of the checkpoint before it; empty for the first one."""
    hash = models.CharField(max_length=64)

    class Meta(AppendOnly.Meta):
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [CheckConstraint(condition=Q(number__gte=1), name="blog_engine_checkpoint_from_1")]

    def __str__(self) -> str:
        return f"{self.number}"


class HistoryPermit(EngineModel):
    """Permission to delete the adopted history of one post inside one transaction.

    ``never`` refers to a row that cannot exist, because ids start at 1. Its foreign key is checked at commit, so a
    permit cannot be committed (``history.protection.permit``).
    """

    post = models.OneToOneField(Post, on_delete=models.CASCADE, related_name="+")
    never = models.ForeignKey("self", on_delete=models.CASCADE, default=0, related_name="+")

    class Meta(EngineModel.Meta):
        constraints: ClassVar = [
            CheckConstraint(condition=Q(id__gte=1), name="blog_engine_history_permit_id"),
            CheckConstraint(condition=Q(never=0), name="blog_engine_history_permit_never"),
        ]

    def __str__(self) -> str:
        return f"permit for post {self.post_id}"
