"""The chain of the records of each post, and the checkpoints over the newest links of all posts."""

from typing import ClassVar

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

from blog_engine.enums import RecordKind
from blog_engine.models.base import AppendOnly, choices, one_of


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
    chained_at = models.DateTimeField()

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
    created_at = models.DateTimeField(editable=False)
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
