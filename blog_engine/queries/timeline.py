"""The history of a post in the order of time, a page at a time, and its revisions."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, TypeAlias

from django.db.models import F, IntegerField, Q, QuerySet, Value

from blog_engine.models import (
    Approval,
    Baseline,
    ConnectionDeclaration,
    Post,
    Proposal,
    ProposalEvent,
    Publication,
    Remark,
    Revision,
    StatusChange,
)

EVENTS_PER_PAGE: Final = 50
MOST_PAGES: Final = 1_000
LISTED_REVISIONS: Final = 50
"""How many revisions a form offers."""

HistoryRecord: TypeAlias = (
    Revision
    | Approval
    | Publication
    | Baseline
    | ConnectionDeclaration
    | StatusChange
    | Proposal
    | ProposalEvent
    | Remark
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
    REMARK = 9


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One record of the history, or an entry of the conversation."""

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
    EventKind.REMARK: Remark,
}
_TIMES: Final = {EventKind.REMARK: "written_at"}
"""The columns with the time, where it is not ``created_at``."""


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
        .annotate(event_kind=Value(kind.value, IntegerField()), event_time=F(_TIMES.get(kind, "created_at")))
        .order_by()
        .values_list("event_kind", "pk", "event_time")
        for kind, model in _MODELS.items()
    )
    return first.union(*others, all=True).order_by("-event_time", "-event_kind", "-pk")


def _rows(kind: EventKind, ids: list[int], read: dict[int, HistoryRecord]) -> dict[int, HistoryRecord]:
    if read.keys() >= set(ids):
        return read
    records: QuerySet[Any] = _MODELS[kind]._default_manager.filter(pk__in=ids).order_by()
    if kind is EventKind.REVISION:
        records = records.defer("payload")
    elif kind is EventKind.APPROVAL:
        records = records.select_related("revision", "signature").defer("revision__payload")
    elif kind is EventKind.PUBLICATION:
        records = records.select_related("revision").defer("revision__payload")
    elif kind is EventKind.PROPOSAL:
        records = records.select_related("revision").defer("fields", "base", "revision__payload")
    elif kind is EventKind.PROPOSAL_EVENT:
        records = records.select_related("proposal").defer("proposal__fields", "proposal__base")
    return {record.pk: record for record in records}


def newest_revisions(post: Post) -> list[Revision]:
    """Return the newest revisions of a post without their payloads, at most ``LISTED_REVISIONS``; one query."""
    return list(Revision.objects.filter(post=post.pk).defer("payload").order_by("-id")[:LISTED_REVISIONS])


def releases_of(post_id: int, identifier: str) -> list[Publication]:
    """Return the last ten publications of a content of a post; one query."""
    same = {"post": post_id, "revision__identifier": identifier}
    return list(Publication.objects.filter(**same).order_by("-id")[:10])


def approvals_of_content(post_id: int, identifier: str) -> list[Approval]:
    """Return the last ten approvals of a content of a post; one query."""
    approvals = Approval.objects.filter(post=post_id, revision__identifier=identifier).select_related("signature")
    return list(approvals.order_by("-id")[:10])
