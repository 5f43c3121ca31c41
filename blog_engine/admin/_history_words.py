"""The records of the history in plain words."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine.admin.words import shown_moment
from blog_engine.enums import ActorKind, ApprovalKind, EntryType, PostStatus, ProposalEventKind, Provenance, RemarkKind
from blog_engine.http.zones import planned_moment
from blog_engine.models import (
    Approval,
    Baseline,
    ConnectionDeclaration,
    Proposal,
    ProposalEvent,
    Publication,
    Remark,
    Revision,
    StatusChange,
)
from blog_engine.queries.timeline import EventKind, TimelineEvent
from blog_engine.rules.approvals import is_counted, only_signed_count
from blog_engine.rules.dates import day_in_words
from blog_engine.rules.isolation import isolated


@dataclass(frozen=True, slots=True)
class EventText:
    """Text of an event of the timeline."""

    kind: str
    """For the sign beside it."""
    moment: datetime
    sentence: str
    details: tuple[str, ...] = ()
    quotation: str = ""
    """A note or description in the words of the person who wrote it."""
    identifier: str = ""
    """The revision that it is about."""
    proposal: int | None = None
    """The id of the proposal that it is about."""


_AUTHORSHIP: Final[Mapping[tuple[bool | None, bool], Promise]] = {
    (None, True): gettext_lazy("%(name)s wrote this version; whether AI helped is not recorded."),
    (None, False): gettext_lazy("It is not recorded who wrote this version, nor whether AI helped."),
    (True, True): gettext_lazy("%(name)s wrote this version with the help of AI."),
    (True, False): gettext_lazy("This version was written with the help of AI; it is not recorded by whom."),
    (False, True): gettext_lazy("%(name)s wrote this version without AI."),
    (False, False): gettext_lazy("This version was written without AI; it is not recorded by whom."),
}
"""Sentences by whether AI helped, and whether the writer is known."""
_PROVENANCES: Final[Mapping[str, Promise]] = {
    Provenance.AI_ASSISTED: gettext_lazy("AI helped to make this post"),
    Provenance.HUMAN_WRITTEN: gettext_lazy("Written by people without AI"),
    Provenance.UNKNOWN: gettext_lazy("Not known whether AI helped"),
}


def authorship(name: str | None, made_by_ai: bool | None) -> str:
    """Return who wrote a version, and whether AI helped."""
    return str(_AUTHORSHIP[made_by_ai, bool(name)]) % isolated({"name": name})


def provenance_name(provenance: str) -> str:
    """Return what is declared about the origin of a post."""
    return str(_PROVENANCES.get(provenance, provenance))


_STATED: Final = re.compile(
    r"(?:Stated by (?P<name>.+)|The default of this blog, not stated by the writer,) on "
    r"(?P<day>\d{4}-\d\d-\d\d)(?:T|, )(?P<time>\d\d:\d\d)(?::\d\dZ| UTC)\."
)
"""The evidence that a write records by itself (posts.provenance.evidence)."""


def evidence_in_words(evidence: str) -> str:
    """Return how a provenance is known, with the time in words where the engine wrote it."""
    found = _STATED.fullmatch(evidence)
    if found is None:
        return evidence
    time = shown_moment(datetime.fromisoformat(f"{found['day']}T{found['time']}+00:00"))
    if found["name"] is None:
        return _("The default of this blog on %(time)s; the writer did not state it.") % {"time": time}
    return _("Stated by %(name)s on %(time)s.") % isolated({"name": found["name"], "time": time})


def event_text(event: TimelineEvent, zone: str) -> EventText:
    """Return an event in plain words; a planned time in a time zone."""
    if isinstance(event.record, StatusChange):
        text = _status_change(event.record, zone)
    elif isinstance(event.record, ProposalEvent):
        text = proposal_event_text(event.record, zone)
    else:
        text = _TEXT_OF[event.kind](event.record)
    by = _BY_KIND.get(getattr(event.record, "actor_kind", None))
    if isinstance(event.record, Approval) and event.record.actor_kind == ActorKind.PERSON:
        by = _BY_ACCOUNT
    return replace(text, details=(*text.details, str(by))) if by else text


_BY_KIND: Final[Mapping[str | None, Promise]] = {
    ActorKind.TOKEN: gettext_lazy("Sent with an API token."),
    ActorKind.SYSTEM: gettext_lazy("Done by a command or a task of the site."),
}
_BY_ACCOUNT: Final = gettext_lazy("Signed in with an account of this site.")


def approval_sentence(approval: Approval) -> str:
    """Return who approved a version and how, with a passkey if so, and that it does not count where that is so.

    The query of the approval has its signature too.
    """
    sentence = _who_approved(approval)
    if approval.is_signed:
        sentence = f"{sentence} {_BY_PASSKEY}"
    if is_counted(approval):
        return sentence
    return f"{sentence} {_UNSIGNED if only_signed_count() else _NOT_COUNTED}"


def signatures_in_words(approvals: Iterable[Approval]) -> list[tuple[str, datetime, bool]]:
    """Return for each approval who approved and how, when, and whether it counts."""
    return [(approval_sentence(one), one.approved_at, is_counted(one)) for one in approvals]


_BY_PASSKEY: Final = gettext_lazy("Signed with a passkey.")
_UNSIGNED: Final = gettext_lazy("It does not count here: it is not signed with a passkey.")
_NOT_COUNTED: Final = gettext_lazy("It does not count here: no person signed it with an account of this site.")


def _who_approved(approval: Approval) -> str:
    names = isolated({"name": approval.reviewer_name, "time": shown_moment(approval.approved_at)})
    if approval.kind == ApprovalKind.SENT:
        if approval.facts_checked:
            return _("%(name)s checked the facts of this version and approved it.") % names
        return _("%(name)s read this version, but did not check its facts.") % names
    if approval.facts_checked:
        return _("%(name)s had checked the facts of this version on %(time)s, before it came to this blog.") % names
    return _("%(name)s had read this version on %(time)s, before it came to this blog.") % names


def _approval(approval: Approval) -> EventText:
    details: list[str] = []
    if approval.kind == ApprovalKind.IMPORTED:
        details.append(
            _("Imported from the other system, confirmed by %(name)s.") % isolated({"name": approval.confirmed_by})
        )
    elif approval.kind == ApprovalKind.DECLARED:
        names = isolated({"name": approval.declared_by, "day": _day(approval.declared_on)})
        details.append(_("Declared by %(name)s on %(day)s.") % names)
    if approval.recorded_by and approval.recorded_by != approval.reviewer_name:
        details.append(_("Recorded by %(name)s.") % isolated({"name": approval.recorded_by}))
    return EventText(
        "approval" if approval.facts_checked else "read",
        approval.created_at,
        approval_sentence(approval),
        tuple(details),
        quotation=approval.evidence or "",
        identifier=approval.revision_identifier,
    )


def _revision(revision: Revision) -> EventText:
    return EventText(
        "revision",
        revision.created_at,
        authorship(revision.actor, revision.made_by_ai),
        identifier=revision.identifier,
    )


_PUBLISHED_BY: Final[Mapping[str, Promise]] = {
    EntryType.FIRST: gettext_lazy("%(name)s published this post for the first time."),
    EntryType.SUBSTANTIVE: gettext_lazy("%(name)s published a substantive change."),
    EntryType.CORRECTION: gettext_lazy("%(name)s published a correction."),
    EntryType.MAINTENANCE: gettext_lazy(
        "%(name)s published a change of spelling, links or layout; the meaning stayed."
    ),
    EntryType.ADOPTED: gettext_lazy("%(name)s adopted this post from another system; it was public there."),
    "republished": gettext_lazy("%(name)s published this post again, unchanged."),
}
_PUBLISHED: Final[Mapping[str, Promise]] = {
    EntryType.FIRST: gettext_lazy("This post was published for the first time, as scheduled."),
    EntryType.SUBSTANTIVE: gettext_lazy("A substantive change was published, as scheduled."),
    EntryType.CORRECTION: gettext_lazy("A correction was published, as scheduled."),
    EntryType.MAINTENANCE: gettext_lazy("This post was published again, as scheduled."),
    EntryType.ADOPTED: gettext_lazy("This post was adopted from another system; it was public there."),
    "republished": gettext_lazy("This post was published again, unchanged."),
}
"""Sentences about releases that no person is recorded for."""


def _publication(entry: Publication) -> EventText:
    is_again = entry.entry_type == EntryType.MAINTENANCE and entry.description == "republished"
    kind = "republished" if is_again else entry.entry_type
    sentences = _PUBLISHED_BY if entry.released_by else _PUBLISHED
    return EventText(
        kind,
        entry.created_at,
        str(sentences[kind]) % isolated({"name": entry.released_by}),
        () if is_again or not entry.description else (entry.description,),
        quotation=entry.note or "",
        identifier=entry.revision_identifier,
    )


def _declaration(declaration: ConnectionDeclaration) -> EventText:
    names = isolated({"name": declaration.declared_by, "day": _day(declaration.declared_on)})
    if declaration.connections:
        sentence = _("%(name)s declared connections on %(day)s:") % names
    else:
        sentence = _("%(name)s declared on %(day)s that there are no connections.") % names
    details = [f"{one['party']}: {one['relation']}" for one in declaration.connections]
    if declaration.third_party_paid:
        details.append(_("A third party paid for this post."))
    if declaration.recorded_by and declaration.recorded_by != declaration.declared_by:
        details.append(_("Recorded by %(name)s.") % isolated({"name": declaration.recorded_by}))
    return EventText("declaration", declaration.created_at, sentence, tuple(details))


def _baseline(baseline: Baseline) -> EventText:
    names = isolated({"name": baseline.adopted_by, "system": baseline.source_system, "id": baseline.source_id})
    by = _("%(name)s brought this post over from %(system)s, where its id is %(id)s.") % names
    sentence = by if baseline.adopted_by else _("This post came from %(system)s, where its id is %(id)s.") % names
    first = baseline.first_published_at or baseline.declared_first_published_at
    details = [_("It was first published there on %(time)s.") % {"time": shown_moment(first)}] if first else []
    return EventText("adopted", baseline.created_at, sentence, tuple(details))


def _status_change(change: StatusChange, zone: str) -> EventText:
    name = change.actor or _("Somebody whose name is not recorded")
    names = isolated({"name": name, "time": planned_moment(change.publish_at, zone), "url": change.redirect_to})
    kind, sentence = _status_words(change)
    return EventText(kind, change.created_at, sentence % names)


def _status_words(change: StatusChange) -> tuple[str, str]:
    before, after = change.from_status, change.to_status
    if after == PostStatus.SCHEDULED:
        if before == PostStatus.SCHEDULED:
            return "scheduled", _("%(name)s moved the publication to %(time)s.")
        return "scheduled", _("%(name)s scheduled this post for %(time)s.")
    if after == PostStatus.ARCHIVED:
        if before == PostStatus.ARCHIVED:
            return "archived", _("%(name)s changed where the URL of this post leads: to %(url)s.")
        if change.redirect_to:
            return "archived", _("%(name)s removed this post; its URL leads to %(url)s.")
        return "archived", _("%(name)s removed this post; its URL leads nowhere.")
    if before == PostStatus.SCHEDULED:
        return "cancelled", _("%(name)s cancelled the schedule.")
    if before == PostStatus.ARCHIVED:
        return "restored", _("%(name)s moved this post from the archive back to the drafts.")
    return "withdrawn", _("%(name)s withdrew this post.")


def proposal_text(proposal: Proposal) -> EventText:
    """Return in plain words that a change was proposed."""
    names = isolated({"name": proposal.actor})
    sentence = _("%(name)s proposed a change.") % names
    if proposal.made_by_ai:
        sentence = _("%(name)s proposed a change, made with the help of AI.") % names
    return EventText(
        "proposal", proposal.created_at, sentence, identifier=proposal.revision.identifier, proposal=proposal.pk
    )


def proposal_event_text(event: ProposalEvent, zone: str) -> EventText:
    """Return what happened to a proposal in plain words."""
    names = isolated(
        {
            "name": event.actor or _("Somebody whose name is not recorded"),
            "proposer": event.proposal.actor,
            "time": planned_moment(event.publish_at, zone),
        }
    )
    kind = ProposalEventKind(event.kind)
    sentence = _PROPOSAL_SENTENCES[kind] % names
    if kind is ProposalEventKind.WITHDRAWN and event.actor == event.proposal.actor:
        sentence = _("%(name)s withdrew the proposal.") % names
    if kind is ProposalEventKind.APPLIED and event.actor is None:
        sentence = _("The proposal of %(proposer)s was applied, as scheduled.") % names
    return EventText(
        f"proposal-{kind}", event.created_at, sentence, quotation=event.reason or "", proposal=event.proposal_id
    )


_PROPOSAL_SENTENCES: Final[dict[ProposalEventKind, Promise]] = {
    ProposalEventKind.REBASED: gettext_lazy(
        "%(name)s approved the proposal of %(proposer)s as it fits the changed post."
    ),
    ProposalEventKind.SCHEDULED: gettext_lazy("%(name)s scheduled the proposal of %(proposer)s for %(time)s."),
    ProposalEventKind.UNSCHEDULED: gettext_lazy("%(name)s cancelled the schedule of the proposal of %(proposer)s."),
    ProposalEventKind.APPLIED: gettext_lazy("%(name)s applied the proposal of %(proposer)s."),
    ProposalEventKind.REJECTED: gettext_lazy("%(name)s rejected the proposal of %(proposer)s."),
    ProposalEventKind.WITHDRAWN: gettext_lazy("%(name)s withdrew the proposal of %(proposer)s."),
}


def remark_text(remark: Remark) -> EventText:
    """Return an entry of the conversation in plain words."""
    names = {"name": remark.actor, "person": remark.person_name, "resolver": remark.resolved_by}
    kind = f"{remark.kind}-person" if remark.person_name else remark.kind
    details = [f"“{remark.passage}”"] if remark.passage else []
    if remark.resolved_at is not None:
        details.append(_("%(resolver)s resolved it.") % names)
    return EventText(
        f"said-{remark.kind}",
        remark.written_at,
        str(_SAID[kind]) % names,
        tuple(details),
        quotation=remark.text,
    )


_SAID: Final[Mapping[str, Promise]] = {
    RemarkKind.REQUEST: gettext_lazy("%(name)s asked for a review."),
    f"{RemarkKind.REQUEST}-person": gettext_lazy("%(name)s asked %(person)s for a review."),
    RemarkKind.RETURN: gettext_lazy("%(name)s sent this post back."),
    RemarkKind.REMARK: gettext_lazy("%(name)s made a remark."),
    RemarkKind.ANSWER: gettext_lazy("%(name)s answered."),
}


def _day(day: Any) -> str:
    return day_in_words(day) if day else _("an unknown day")


_TEXT_OF: Final[dict[EventKind, Callable[[Any], EventText]]] = {
    EventKind.REVISION: _revision,
    EventKind.BASELINE: _baseline,
    EventKind.DECLARATION: _declaration,
    EventKind.APPROVAL: _approval,
    EventKind.PUBLICATION: _publication,
    EventKind.PROPOSAL: proposal_text,
    EventKind.REMARK: remark_text,
}
