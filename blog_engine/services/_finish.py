"""The last part of every post write: store, record, re-read, tell (records.md 4, order inside the write)."""

import logging
from dataclasses import replace
from datetime import datetime
from functools import partial

from django.dispatch import Signal
from django.utils.timezone import localdate

from blog_engine import signals
from blog_engine.actor import Actor
from blog_engine.inputs.history import DeclareConnections
from blog_engine.inputs.parts import ConnectionsInput
from blog_engine.models import ConnectionDeclaration, Post
from blog_engine.queries.findings import Finding, WriteContext, findings_of
from blog_engine.queries.label import label_of
from blog_engine.queries.policies import policy_url
from blog_engine.queries.posts import read_post
from blog_engine.services._edit import Edit
from blog_engine.services._redirects import move_address, return_to_address
from blog_engine.services._release import record_approval, record_release, record_revision, remember_authorship
from blog_engine.services._schedule import is_past
from blog_engine.services._search_index import index_words
from blog_engine.services._store import insert_post, store_post
from blog_engine.services._transaction import after_commit, lock_redirects
from blog_engine.services.outcome import Recorded, Stored, Written
from blog_engine.vocabulary import Label, PolicyKind, PostStatus

logger = logging.getLogger("blog_engine")


def finish(edit: Edit, *, status: PostStatus) -> Stored:
    """Store the edit with this status, with its history, declaration and redirects."""
    created = edit.is_new
    remember_authorship(edit)
    if status is PostStatus.PUBLISHED and not edit.was_public:
        # Before the row is written: a writer that holds the redirects may be waiting for one of its unique values.
        lock_redirects()
    if created:
        insert_post(edit)
    records = record_release(edit) if status is PostStatus.PUBLISHED else Recorded()
    records = _record_inline_approval(edit, records)
    store_post(edit, status=status)
    if edit.data.connections is not None:
        record_declaration(edit.post, edit.data.connections, actor_name=edit.actor_name, now=edit.now)
    moved = follow_address(edit, status=status)
    if edit.words_changed:
        index_words(edit.post)
    context = WriteContext(
        author_defaulted=edit.author_defaulted,
        facts_unchecked=edit.approval is not None and not edit.approval.facts_checked,
        slug_moved=moved,
        unrecorded=_unrecorded(edit, records),
        published_now=is_past(edit.data, now=edit.now),
    )
    released = status is PostStatus.PUBLISHED and not edit.was_public
    return Stored(
        post=read_post(edit.post.pk),
        signal=signals.post_published if released else signals.post_updated,
        records=records,
        context=context,
        created=created,
    )


def conclude(stored: Stored, *, actor: Actor | None, now: datetime) -> Written:
    """Return what a write did, with label and findings, and send its signals.

    Call it after the transaction: findings parse texts and look up links, and nobody has to wait for that.
    """
    written = describe(stored, now=now)
    if stored.signal is not None:
        announce(stored.signal, written, actor=actor)
    return written


def describe(stored: Stored, *, now: datetime) -> Written:
    """Return what a write did, with the label and the findings of the post."""
    post = stored.post
    label, findings = Label.NONE, list[Finding]()
    if post.pk is not None:
        responsible = policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
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


def announce(signal: Signal, written: Written, *, actor: Actor | None) -> None:
    """Send the signal once the write is committed, and ``approval_recorded`` too when it recorded one."""
    wanted = [signal]
    if written.records.approval is not None and signal is not signals.approval_recorded:
        wanted.append(signals.approval_recorded)
    for one in wanted:
        send = partial(one.send_robust, sender=Post, post=written.post, actor=actor, outcome=written)
        after_commit(send)


def record_declaration(
    post: Post, sent: ConnectionsInput | DeclareConnections, *, actor_name: str | None, now: datetime
) -> None:
    """Append a complete declaration of connections; its day is today where none was sent."""
    ConnectionDeclaration(
        post=post,
        connections=connections_of(sent),
        third_party_paid=sent.third_party_paid,
        declared_by=sent.declared_by,
        declared_on=sent.declared_on or localdate(now),
        recorded_by=actor_name,
        created_at=now,
    ).save()


def connections_of(sent: ConnectionsInput | DeclareConnections) -> list[dict[str, str]]:
    """The connections of a declaration as they are stored."""
    return [{"party": one.party, "relation": one.relation} for one in sent.connections]


def _unrecorded(edit: Edit, records: Recorded) -> tuple[str, ...]:
    """The fields of a publication that were sent with a write that recorded none."""
    if records.publication is not None:
        return ()
    return tuple(name for name in ("note", "change", "change_description") if getattr(edit.data, name))


def _record_inline_approval(edit: Edit, records: Recorded) -> Recorded:
    if edit.approval is None:
        return records
    revision, made = record_revision(edit)
    kind = record_approval(
        edit.post,
        revision,
        name=edit.approval.name,
        facts_checked=edit.approval.facts_checked,
        actor_name=edit.actor_name,
        now=edit.now,
    )
    return replace(records, revision=records.revision or made, approval=kind)


def follow_address(edit: Edit, *, status: PostStatus) -> bool:
    """Write the redirects of a release or a move; tells whether a public address moved."""
    if status is not PostStatus.PUBLISHED:
        return False
    old_slug = edit.before.slug if edit.was_public else None
    if old_slug is not None and old_slug != edit.post.slug:
        move_address(edit.post, old_slug=old_slug, now=edit.now)
        return_to_address(edit.post, now=edit.now)
        return True
    if not edit.was_public and not edit.is_new:
        return_to_address(edit.post, now=edit.now)
    return False
