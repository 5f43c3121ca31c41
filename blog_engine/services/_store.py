"""The course of a write of content: prepare, lock, change, check, store, record, conclude."""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial

from django.db import IntegrityError
from django.dispatch import Signal
from django.utils.timezone import localdate

from blog_engine import signals
from blog_engine.actor import Actor
from blog_engine.enums import Label, PolicyKind, PostStatus
from blog_engine.images.files import image_files
from blog_engine.inputs.posts import ConnectionsInput, DeclareConnections, PostFields
from blog_engine.models import ConnectionDeclaration, Faq, Post, PostTag
from blog_engine.queries.findings import Finding, WriteContext, findings_of
from blog_engine.queries.labels import label_of
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import read_post
from blog_engine.queries.rendering import footnote_prefix
from blog_engine.services._assign import assign_fields
from blog_engine.services._bodies import Bodies
from blog_engine.services._edit import (
    Edit,
    begin_edit,
    columns_of,
    is_past,
    taken_external_id,
    taken_feed_id,
    taken_position,
    taken_slug,
)
from blog_engine.services._gates import pass_gates_of
from blog_engine.services._history import record_approval, record_release, record_revision, remember_authorship
from blog_engine.services._redirects import move_address, return_to_address
from blog_engine.services._search_index import SEARCHED_COLUMNS, index_words
from blog_engine.services._transaction import after_commit, lock_redirects, savepoint, write_transaction
from blog_engine.services.images import gather_for
from blog_engine.services.outcome import Recorded, Stored, Written
from blog_engine.services.rendering import derive
from blog_engine.services.write_log import note_post


def insert_post(edit: Edit) -> None:
    """Give a new post its row, as a draft; ``store_post`` completes it. Raises ``IdentityConflict``."""
    post = edit.post
    _write(edit)
    note_post(post.pk)
    post.body_html = post.body_html.replace(edit.bodies.footnote_prefix, footnote_prefix(post.pk))


def store_post(edit: Edit, *, status: PostStatus) -> None:
    """Write the post's row, FAQ and tags. Raises ``IdentityConflict``, or ``ValidationFailed`` for its position."""
    post = edit.post
    post.status = status.value
    post.updated_at = edit.now
    _write(edit)
    _store_faq(edit)
    if edit.tags is not None:
        _store_tags(post, edit.tags)


def _write(edit: Edit) -> None:
    """Insert the row, or update the columns that changed: the search index follows every column it is told of."""
    post = edit.post
    changed = [name for name, value in columns_of(post).items() if edit.stored.get(name, ...) != value]
    try:
        with savepoint():
            post.store(update_fields=changed if edit.stored else None)
    except IntegrityError as collision:
        raise _refusal_for(edit, collision) from collision
    edit.words_changed |= not edit.stored or not SEARCHED_COLUMNS.isdisjoint(changed)
    edit.stored = columns_of(post)


def _refusal_for(edit: Edit, collision: IntegrityError) -> Exception:
    """Which unique value another writer took since it was checked; the error itself when none did."""
    post = edit.post
    others = Post.objects.exclude(pk=post.pk)
    if post.external_id and others.filter(external_id=post.external_id).exists():
        return taken_external_id()
    if others.filter(slug=post.slug).exists():
        return taken_slug(post.slug, from_title=not edit.data.slug)
    if post.feed_id and others.filter(feed_id=post.feed_id).exists():
        return taken_feed_id()
    if post.series_id and others.filter(series=post.series_id, series_position=post.series_position).exists():
        return taken_position()
    return collision


def _store_faq(edit: Edit) -> None:
    """Rows are reused in the order of their positions, and surplus ones deleted (records.md 4)."""
    rows = list(Faq.objects.filter(post=edit.post))
    for position, pair in enumerate(edit.post.faq, start=1):
        if position <= len(rows):
            row = rows[position - 1]
            if (row.position, row.question, row.answer) == (position, pair.question, pair.answer):
                continue
        else:
            row = Faq(post=edit.post, created_at=edit.now)
        row.position, row.question, row.answer, row.updated_at = position, pair.question, pair.answer, edit.now
        row.store()
    for row in rows[len(edit.post.faq) :]:
        row.discard()


def _store_tags(post: Post, tags: list[int]) -> None:
    stored = list(PostTag.objects.filter(post=post).values_list("tag_id", flat=True))
    if stored != tags:
        PostTag.objects.filter(post=post).delete()
        PostTag.objects.bulk_create(PostTag(post=post, tag_id=tag) for tag in tags)


logger = logging.getLogger("blog_engine")


def store_and_record(edit: Edit, *, status: PostStatus) -> Stored:
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


def carry_out(
    data: PostFields,
    *,
    actor: Actor,
    now: datetime,
    base_url: str,
    find: Callable[[], Post | None],
    lock: Callable[[], Post | None],
    settle: Callable[[Edit], PostStatus],
) -> Written:
    """Carry out a write of content: fetch and render first, then lock the post, change it, check it and record it.

    ``find`` looks at the post and ``lock`` locks it, ``None`` for a new one; both raise what makes the write
    impossible. ``settle`` gives the status that the post ends in. Raises any refusal of a write; then nothing is
    written.
    """
    bodies = Bodies()
    images = gather_for(data, bodies=bodies, look_up=find)

    def write() -> Stored:
        with write_transaction(), image_files() as files:
            edit = begin_edit(lock(), data, actor=actor, now=now, bodies=bodies, images=images, base_url=base_url)
            assign_fields(edit, files=files)
            status = settle(edit)
            derive(edit)
            pass_gates_of(edit, status)
            return store_and_record(edit, status=status)

    return conclude(bodies.around(write), actor=actor, now=now)
