"""The outcome of a write: its result for the caller, and signals."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Literal

from django.dispatch import Signal

from blog_engine import signals
from blog_engine.actor import Actor
from blog_engine.content.differences import unified_diff
from blog_engine.enums import ApprovalKind, EntryType, Label, PolicyKind
from blog_engine.findings import (
    Finding,
    FoundWhenStored,
    Subject,
    WriteContext,
    findings_to_keep,
    lasting_codes,
    run_checks,
)
from blog_engine.images.fetched import keeping_fetched_images
from blog_engine.images.files import without_files
from blog_engine.inputs.edits import WithDryRun
from blog_engine.models import Post, Remark
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import described_post
from blog_engine.rules.label import label_of
from blog_engine.services._prepared import Prepared
from blog_engine.services._transaction import after_commit, roll_back
from blog_engine.services.finding_codes import keep_own_findings, note_codes
from blog_engine.services.redirects import MadeRedirect
from blog_engine.services.shared_copies import keep_social_picture
from blog_engine.services.write_log import note_dry_run

logger = logging.getLogger("blog_engine")


@dataclass(frozen=True, slots=True)
class Recorded:
    """The records of the history that a write made; ``None`` where it made none."""

    revision: Literal["new", "same"] | None = None
    publication: EntryType | None = None
    approval: ApprovalKind | None = None


@dataclass(slots=True)
class Stored:
    """The state that a transaction leaves for the work after it."""

    post: Post
    """The post as it was read inside the transaction; its ``pk`` is ``None`` when it was deleted."""
    signal: Signal | None = None
    """Sent once the write is committed."""
    records: Recorded = field(default_factory=Recorded)
    context: WriteContext = field(default_factory=WriteContext)
    created: bool = False
    proposal: int | None = None
    """The id of the proposal that was made, decided or approved."""
    prepared: Prepared | None = None
    """The bodies that the write rendered."""
    remark: Remark | None = None
    """The entry of the conversation that was written or resolved."""
    changed: tuple[str, ...] = ()
    """Names of the fields that changed."""
    redirected: tuple[MadeRedirect, ...] = ()
    found: FoundWhenStored | None = None
    """The findings that follow from its row and FAQ alone, as far as they were worked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The outcome of a write, or with ``dry_run`` of the write that was undone."""

    post: Post
    """The post as the write left it."""
    created: bool
    records: Recorded
    label: Label
    findings: list[Finding]
    dry_run: bool = False
    compared: tuple[str, str] = ("", "")
    """The post before and after as texts, of a dry run of a post write."""
    compared_as: tuple[str, str] = ("stored", "with this call")
    """The names of both."""
    is_deleted: bool = False
    """Whether the write of a dry run deletes the row."""
    proposal: int | None = None
    """The id of the proposal that was made, decided or approved."""
    prepared: Prepared | None = None
    """The bodies that the write rendered, for the answer about a proposal."""
    remark: Remark | None = None
    """The entry of the conversation that was written or resolved (reviews.signals)."""
    changed: tuple[str, ...] = ()
    """Names of the fields of a stored post that changed."""
    redirected: tuple[MadeRedirect, ...] = ()
    """The redirects that it made, of a path that moved or is gone."""
    known_codes: frozenset[str] | None = None
    """The codes of findings by which lists know the post; ``None`` if its findings could not be worked out."""
    own_findings: str | None = None
    """What is to be kept with the post after all, because another process had just changed the house style."""

    @property
    def difference(self) -> str:
        """A unified diff of the post before and after, worked out when no lock is held any more."""
        (old, new), (old_name, new_name) = self.compared, self.compared_as
        return unified_diff(old, new, old_name=old_name, new_name=new_name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted(Written):
    """The outcome of an adoption, or with ``dry_run`` of the one that was undone."""

    baseline: Literal["new", "replaced"] | None
    redirects: int
    """How many redirects it wrote for old slugs."""


def finish_write(stored: Stored, *, actor: Actor | None, now: datetime) -> Written:
    """Return what a write did, with label and findings, and send its signals.

    Call it after the transaction: findings parse texts and look up links, and no other writer must wait for that.
    """
    written = result_of(stored, now=now)
    note_findings(written)
    announce(stored.signal, written, actor=actor)
    if stored.signal in {signals.post_published, signals.post_updated}:
        after_commit(partial(keep_social_picture, stored.post))
    return written


def note_findings(written: Written) -> None:
    """Note for lists which findings the post of a committed write has; no query if these are known."""
    if written.own_findings is not None:
        keep_own_findings(written.post, written.own_findings)
    if written.known_codes is not None:
        note_codes(written.post, lasting_codes(written.findings), known=written.known_codes)


@contextmanager
def dry_run(data: WithDryRun) -> Iterator[None]:
    """Prepare a write that may be a dry run: no file is stored, and fetched images are kept for the write to come."""
    if not data.dry_run:
        yield
        return
    note_dry_run()
    with without_files(), keeping_fetched_images():
        yield


def dry_run_result(stored: Stored, before: Post | None, *, now: datetime) -> Written:
    """Return what a write would have done, and make its transaction roll back; call it inside (posts.dry-run).

    ``before`` is the post as it was, ``None`` for a new one. No signal is sent.
    """
    is_deleted = stored.post.pk is None
    written = result_of(replace(stored, post=before) if is_deleted and before else stored, now=now)
    old = described_post(before) if before else ""
    after = "" if is_deleted else described_post(stored.post)
    roll_back()
    return replace(
        written,
        dry_run=True,
        is_deleted=is_deleted,
        compared=(old, after),
    )


def result_of(stored: Stored, *, now: datetime) -> Written:
    """Return what a write did, with the label and the findings of the post."""
    post = stored.post
    label, findings, known, own = Label.NONE, list[Finding](), None, None
    if post.pk is not None:
        responsible = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
        label = label_of(post, has_responsible_party=responsible)
        findings, known, own = _findings(stored, has_responsible_party=responsible, now=now)
    return Written(
        post=post,
        created=stored.created,
        records=stored.records,
        label=label,
        findings=findings,
        proposal=stored.proposal,
        prepared=stored.prepared,
        remark=stored.remark,
        changed=stored.changed,
        redirected=stored.redirected,
        known_codes=known,
        own_findings=own,
    )


def _findings(
    stored: Stored, *, has_responsible_party: bool, now: datetime
) -> tuple[list[Finding], frozenset[str] | None, str | None]:
    """Return the findings of a post, the codes by which lists know it, and what is to be kept with it after all.

    None of these if a check failed.
    """
    subject = Subject(stored.post, stored.context, has_responsible_party, now, found=stored.found)
    try:
        findings, others = run_checks(subject), subject.other_rows
        is_outdated = stored.found is not None and stored.found.style_version != (others.style_version or "")
        return findings, others.codes, findings_to_keep(subject) if is_outdated else None
    except Exception:
        # The write is committed. A check that fails, such as one of the host's, must not make it look refused.
        logger.exception("The findings of the post %s could not be worked out.", stored.post.pk)
        return [], None, None


def announce(signal: Signal | None, written: Written, *, actor: Actor | None) -> None:
    """Send the signal, if any, once the write is committed; also ``approval_recorded`` when it recorded an approval."""
    if signal is None:
        return
    wanted = [signal]
    if written.records.approval is not None and signal is not signals.approval_recorded:
        wanted.append(signals.approval_recorded)
    for one in wanted:
        after_commit(partial(one.send_robust, sender=Post, post=written.post, actor=actor, outcome=written))
