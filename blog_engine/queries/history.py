"""The history of a post: its records, the versions of its content, and its timeline."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Any, Final, TypeAlias

from django.db.models import IntegerField, Q, QuerySet, Value

from blog_engine.content.faq import FaqPair
from blog_engine.enums import NamedVersion
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.models import (
    Approval,
    Baseline,
    ConnectionDeclaration,
    Post,
    Proposal,
    ProposalEvent,
    Publication,
    Revision,
    StatusChange,
    when_public,
)
from blog_engine.queries.posts import read_post
from blog_engine.rules.revision import content_of, revision_payload


@dataclass(frozen=True, slots=True)
class History:
    """The records of a post, each list in insertion order."""

    revisions: list[Revision]
    approvals: list[Approval]
    publications: list[Publication]
    baseline: Baseline | None
    connections: list[ConnectionDeclaration]


def history_of(post_id: int) -> History:
    """Return the history of a post in five queries, without payloads."""
    return History(
        revisions=list(Revision.objects.filter(post=post_id).defer("payload").order_by("id")),
        approvals=list(Approval.objects.filter(post=post_id).select_related("revision").defer("revision__payload")),
        publications=list(
            Publication.objects.filter(post=post_id).select_related("revision").defer("revision__payload")
        ),
        baseline=Baseline.objects.filter(post=post_id).first(),
        connections=list(ConnectionDeclaration.objects.filter(post=post_id)),
    )


def is_retained(post: Post) -> bool:
    """Return whether a post has records that outlive it (posts.delete.archive)."""
    return (
        post.public_revision_id is not None
        or any(
            related.exists()
            for related in (
                post.revisions,
                post.approvals,
                post.publications,
                post.declarations,
                post.redirects,
                post.proposals,
            )
        )
        or Baseline.objects.filter(post=post).exists()
    )


def last_writer(post: Post) -> str | None:
    """Return who wrote the present content of a post, as far as it is known; one query if a revision records it."""
    if post.unrecorded_actor is not None:
        return post.unrecorded_actor
    recorded = Revision.objects.filter(post=post, identifier=post.current_revision_identifier, is_proposed=False)
    return recorded.values_list("actor", flat=True).first()


_MOST_NAMED: Final = 3
"""Revisions that a refusal names."""


@dataclass(frozen=True, slots=True)
class PostVersion:
    """The content of a post at one time."""

    identifier: str
    payload: str
    actor: str | None
    made_by_ai: bool | None
    created_at: datetime | None
    """When the revision was recorded; ``None`` for present content that no revision records."""


def present_payload(post: Post) -> str:
    """Return the revision payload of the stored content of a post read by ``read_post``."""
    faq = [FaqPair(question=row.question, answer=row.answer) for row in post.faqs.all()]
    return revision_payload(content_of(post, faq=faq))


def version_named(post_id: int, name: str, *, field: str) -> PostVersion:
    """Return the version with this identifier, or a prefix of it, or named ``public`` or ``draft``.

    ``draft`` is the stored content, recorded or not, and ``public`` what readers see. At most six queries. Raises
    ``NotFound``, and ``ValidationFailed`` of the field for a prefix of several identifiers.
    """
    if name == NamedVersion.DRAFT:
        return _stored_now(read_post(post_id))
    if name == NamedVersion.PUBLIC:
        shown = Post.objects.filter(when_public(), pk=post_id).order_by().values("public_revision")
        revision = Revision.objects.filter(pk__in=shown).first()
        if revision is None:
            raise NotFound(hint=f"The post is not public: its content is the version named draft. {_named(post_id)}")
        return _recorded(revision)
    of_name = Revision.objects.filter(post=post_id, identifier__startswith=name)
    # A proposal may have recorded the same content.
    found = list(of_name.order_by("is_proposed", "id")[:3])
    if len({revision.identifier for revision in found}) > 1:
        raise ValidationFailed([field], hint=f"Several revisions of the post start with {name}: send all 64 digits.")
    if found:
        return _recorded(found[0])
    post = read_post(post_id)
    if post.current_revision_identifier.startswith(name):
        return _stored_now(post)
    raise NotFound(hint=f"No revision of the post has the identifier {name}. {_named(post_id)}")


def _recorded(revision: Revision) -> PostVersion:
    return PostVersion(revision.identifier, revision.payload, revision.actor, revision.made_by_ai, revision.created_at)


def _stored_now(post: Post) -> PostVersion:
    identifier = post.current_revision_identifier
    recorded = Revision.objects.filter(post=post.pk, identifier=identifier, is_proposed=False).first()
    if recorded is not None:
        return _recorded(recorded)
    actor, made_by_ai = post.unrecorded_actor, post.unrecorded_made_by_ai
    return PostVersion(identifier, present_payload(post), actor, made_by_ai, created_at=None)


def _named(post_id: int) -> str:
    """Return the sentence of a refusal that names some versions."""
    newest = Revision.objects.filter(post=post_id).order_by("-id").values_list("identifier", flat=True)[:_MOST_NAMED]
    named = ", ".join(newest)
    return f"Its newest revisions are {named}." if named else "It has no revision yet, only draft, its present content."


EVENTS_PER_PAGE: Final = 50
MOST_PAGES: Final = 1_000
LISTED_REVISIONS: Final = 50
"""How many revisions a form offers."""

HistoryRecord: TypeAlias = (
    Revision | Approval | Publication | Baseline | ConnectionDeclaration | StatusChange | Proposal | ProposalEvent
)


class EventKind(IntEnum):
    """The kinds of records, in the order in which one write makes them."""

    REVISION = 1
    BASELINE = 2
    DECLARATION = 3
    APPROVAL = 4
    STATUS = 5
    PUBLICATION = 6
    PROPOSAL = 7
    PROPOSAL_EVENT = 8


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One record of the history."""

    kind: EventKind
    record: HistoryRecord


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """A page of events, the newest first."""

    events: list[TimelineEvent]
    number: int
    has_older: bool

    @property
    def newer(self) -> int | None:
        """The number of the page with newer events, if there is one."""
        return self.number - 1 if self.number > 1 else None

    @property
    def older(self) -> int | None:
        """The number of the page with older events, if there is one."""
        return self.number + 1 if self.has_older else None


_MODELS: Final[dict[EventKind, type[HistoryRecord]]] = {
    EventKind.REVISION: Revision,
    EventKind.BASELINE: Baseline,
    EventKind.DECLARATION: ConnectionDeclaration,
    EventKind.APPROVAL: Approval,
    EventKind.STATUS: StatusChange,
    EventKind.PUBLICATION: Publication,
    EventKind.PROPOSAL: Proposal,
    EventKind.PROPOSAL_EVENT: ProposalEvent,
}
_WITH_REVISION: Final = (EventKind.APPROVAL, EventKind.PUBLICATION)


def timeline_of(post: Post, *, number: int, newest: Iterable[Revision] = ()) -> TimelinePage:
    """Return a page of the records of a post, the newest first; one query, and one for each kind on the page.

    A revision that was only proposed is left out, because its proposal has it. The revisions of the first page are
    usually among the ``newest``: with these it needs no query for them.
    """
    start = (number - 1) * EVENTS_PER_PAGE
    found = list(_places(post)[start : start + EVENTS_PER_PAGE + 1])
    shown = [(EventKind(kind), pk) for kind, pk, _ in found[:EVENTS_PER_PAGE]]
    wanted: defaultdict[EventKind, list[int]] = defaultdict(list)
    for kind, pk in shown:
        wanted[kind].append(pk)
    read: dict[EventKind, dict[int, HistoryRecord]] = {EventKind.REVISION: {one.pk: one for one in newest}}
    rows = {kind: _rows(kind, ids, read.get(kind, {})) for kind, ids in wanted.items()}
    events = [TimelineEvent(kind, rows[kind][pk]) for kind, pk in shown if pk in rows[kind]]
    return TimelinePage(events, number, has_older=len(found) > EVENTS_PER_PAGE)


def _places(post: Post) -> QuerySet[Any, Any]:
    """Return kind, id and time of all records of a post, in one statement."""
    # What was only proposed is told by its proposal.
    left_out = {EventKind.REVISION: Q(is_proposed=True)}
    first, *others = (
        model._default_manager.filter(~left_out[kind] if kind in left_out else Q(), post=post.pk)
        .annotate(event_kind=Value(kind.value, IntegerField()))
        .order_by()
        .values_list("event_kind", "pk", "created_at")
        for kind, model in _MODELS.items()
    )
    return first.union(*others, all=True).order_by("-created_at", "-event_kind", "-pk")


def _rows(kind: EventKind, ids: list[int], read: dict[int, HistoryRecord]) -> dict[int, HistoryRecord]:
    if read.keys() >= set(ids):
        return read
    records: QuerySet[Any] = _MODELS[kind]._default_manager.filter(pk__in=ids).order_by()
    if kind is EventKind.REVISION:
        records = records.defer("payload")
    elif kind in _WITH_REVISION:
        records = records.select_related("revision").defer("revision__payload")
    elif kind is EventKind.PROPOSAL:
        records = records.select_related("revision").defer("fields", "base", "revision__payload")
    elif kind is EventKind.PROPOSAL_EVENT:
        records = records.select_related("proposal").defer("proposal__fields", "proposal__base")
    return {record.pk: record for record in records}


def newest_revisions(post: Post) -> list[Revision]:
    """Return the newest revisions of a post without their payloads, at most ``LISTED_REVISIONS``; one query."""
    return list(Revision.objects.filter(post=post.pk).defer("payload").order_by("-id")[:LISTED_REVISIONS])


def releases_of(revision: Revision) -> list[Publication]:
    """Return the last ten publications of the content of a revision; one query."""
    same = {"post": revision.post_id, "revision__identifier": revision.identifier}
    return list(Publication.objects.filter(**same).order_by("-id")[:10])


def approvals_of_content(post_id: int, identifier: str) -> list[Approval]:
    """Return the last ten approvals of a content of a post; one query."""
    approvals = Approval.objects.filter(post=post_id, revision__identifier=identifier)
    return list(approvals.order_by("-id")[:10])
