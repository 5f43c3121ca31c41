"""What a write did, and how its caller and the receivers of signals learn of it."""

import logging
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Literal

from django.dispatch import Signal

from blog_engine import signals
from blog_engine.actor import Actor
from blog_engine.enums import ApprovalKind, EntryType, Label, PolicyKind
from blog_engine.findings import Finding, WriteContext, findings_of
from blog_engine.models import Post
from blog_engine.queries.policies import find_policy_url
from blog_engine.rules.label import label_of
from blog_engine.services._transaction import after_commit

logger = logging.getLogger("blog_engine")


@dataclass(frozen=True, slots=True)
class Recorded:
    """The records of the history that a write made; ``None`` where it made none."""

    revision: Literal["new", "same"] | None = None
    publication: EntryType | None = None
    approval: ApprovalKind | None = None


@dataclass(slots=True)
class Stored:
    """What a transaction left behind."""

    post: Post
    """The post as it was read inside the transaction; its ``pk`` is ``None`` when it was deleted."""
    signal: Signal | None = None
    """Sent once the write is committed."""
    records: Recorded = field(default_factory=Recorded)
    context: WriteContext = field(default_factory=WriteContext)
    created: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What a write did."""

    post: Post
    """The post as the write left it."""
    created: bool
    records: Recorded
    label: Label
    findings: list[Finding]


@dataclass(frozen=True, slots=True)
class Adopted(Written):
    """What an adoption did, or with ``dry_run`` would do."""

    baseline: Literal["new", "replaced"] | None
    redirects: int
    """How many redirects it wrote for old slugs."""
    dry_run: bool


def conclude(stored: Stored, *, actor: Actor | None, now: datetime) -> Written:
    """Return what a write did, with label and findings, and send its signals.

    Call it after the transaction: findings parse texts and look up links, and no other writer must wait for that.
    """
    written = describe(stored, now=now)
    announce(stored.signal, written, actor=actor)
    return written


def describe(stored: Stored, *, now: datetime) -> Written:
    """Return what a write did, with the label and the findings of the post."""
    post = stored.post
    label, findings = Label.NONE, list[Finding]()
    if post.pk is not None:
        responsible = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
        label = label_of(post, has_responsible_party=responsible)
        findings = _findings(stored, has_responsible_party=responsible, now=now)
    return Written(post=post, created=stored.created, records=stored.records, label=label, findings=findings)


def _findings(stored: Stored, *, has_responsible_party: bool, now: datetime) -> list[Finding]:
    try:
        return findings_of(stored.post, has_responsible_party=has_responsible_party, now=now, write=stored.context)
    except Exception:
        # The write is committed. A check that fails, such as one of the host's, must not make it look refused.
        logger.exception("The findings of the post %s could not be worked out.", stored.post.pk)
        return []


def announce(signal: Signal | None, written: Written, *, actor: Actor | None) -> None:
    """Send the signal, if any, once the write is committed; also ``approval_recorded`` when it recorded an approval."""
    if signal is None:
        return
    wanted = [signal]
    if written.records.approval is not None and signal is not signals.approval_recorded:
        wanted.append(signals.approval_recorded)
    for one in wanted:
        after_commit(partial(one.send_robust, sender=Post, post=written.post, actor=actor, outcome=written))
