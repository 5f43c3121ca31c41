"""The history of a post in the order of time, a page at a time, and its revisions."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, Final, TypeAlias

from django.db.models import F, Field, IntegerField, JSONField, Q, QuerySet, Value
from django.db.models.functions import JSONObject

from blog_engine.models import (
    Approval,
    ApprovalSignature,
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
from blog_engine.queries.database import engine_connection

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
_LEFT_OUT: Final = {EventKind.REVISION: {"payload"}, EventKind.PROPOSAL: {"fields", "base"}}
"""The columns that the history does not show, and that can be long."""
_RELATED: Final = {
    EventKind.APPROVAL: ("revision", "identifier"),
    EventKind.PUBLICATION: ("revision", "identifier"),
    EventKind.PROPOSAL: ("revision", "identifier"),
    EventKind.PROPOSAL_EVENT: ("proposal", "actor"),
}
"""What is read of another record beside it: its relation and column."""
_SIGNATURE: Final = "signature__id"


def timeline_of(post: Post, *, number: int, newest: Iterable[Revision] = ()) -> TimelinePage:
    """Return a page of the records of a post, the newest first; two queries.

    A revision that was only proposed is left out, because its proposal has it. The revisions of the first page are
    usually among the ``newest``: those are not read again.
    """
    start = (number - 1) * EVENTS_PER_PAGE
    found = list(_places(post)[start : start + EVENTS_PER_PAGE + 1])
    shown = [(EventKind(kind), pk) for kind, pk, _ in found[:EVENTS_PER_PAGE]]
    rows: dict[tuple[EventKind, int], HistoryRecord] = {(EventKind.REVISION, one.pk): one for one in newest}
    rows |= _records([one for one in shown if one not in rows])
    events = [TimelineEvent(kind, rows[kind, pk]) for kind, pk in shown if (kind, pk) in rows]
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


def _records(wanted: Iterable[tuple[EventKind, int]]) -> dict[tuple[EventKind, int], HistoryRecord]:
    """Return records by kind and id, in one statement: each as one JSON value, since kinds have other columns."""
    ids: defaultdict[EventKind, list[int]] = defaultdict(list)
    for kind, pk in wanted:
        ids[kind].append(pk)
    if not ids:
        return {}
    first, *others = (_as_json(kind, of_kind) for kind, of_kind in ids.items())
    found = first.union(*others, all=True) if others else first
    return {(EventKind(kind), pk): _record(EventKind(kind), columns) for kind, pk, columns in found}


def _as_json(kind: EventKind, ids: list[int]) -> QuerySet[Any, Any]:
    names = [*_columns(kind), *(["__".join(_RELATED[kind])] if kind in _RELATED else [])]
    if kind is EventKind.APPROVAL:
        names.append(_SIGNATURE)
    columns = JSONObject(**{name: F(name) for name in names})
    records = _MODELS[kind]._default_manager.filter(pk__in=ids).order_by()
    shown = records.annotate(event_kind=Value(kind.value, IntegerField()), event_columns=columns)
    return shown.values_list("event_kind", "pk", "event_columns")


def _columns(kind: EventKind) -> "dict[str, Field[Any, Any]]":
    fields = {field.attname: field for field in _MODELS[kind]._meta.concrete_fields}
    return {name: field for name, field in fields.items() if name not in _LEFT_OUT.get(kind, ())}


def _record(kind: EventKind, columns: dict[str, Any]) -> HistoryRecord:
    """Return the record with these columns; what was left out is read when it is asked for."""
    model, alias = _MODELS[kind], engine_connection().alias
    values = {name: _value(field, columns[name]) for name, field in _columns(kind).items()}
    record = model.from_db(alias, list(values), list(values.values()))
    if kind in _RELATED:
        relation, column = _RELATED[kind]
        other: Any = model._meta.get_field(relation).related_model
        known = {"id": values[f"{relation}_id"], column: columns[f"{relation}__{column}"]}
        setattr(record, relation, other.from_db(alias, list(known), list(known.values())))
    if isinstance(record, Approval):
        # As ``select_related`` does, so that an approval without a signature does not ask for one.
        signature = columns[_SIGNATURE]
        record._state.fields_cache["signature"] = signature and ApprovalSignature.from_db(alias, ["id"], [signature])
    return record


def _value(field: "Field[Any, Any]", value: Any) -> Any:
    """Return the value of a column as a model has it. SQLite stores times in UTC without a zone, and JSON as text."""
    if isinstance(field, JSONField):
        return json.loads(value) if isinstance(value, str) else value
    value = field.to_python(value)
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value


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
