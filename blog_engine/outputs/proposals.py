"""Outputs of proposals."""

import json
from typing import Any, Final

from blog_engine.actor import Call
from blog_engine.enums import Change, Label, PostStatus, ProposalEventKind, ProposalState
from blog_engine.inputs.proposals import ProposalRef
from blog_engine.models import Post, ProposalEvent
from blog_engine.outputs.base import AnswerContext, Output, UTCMilliseconds, UTCSeconds
from blog_engine.outputs.differences import shown_difference
from blog_engine.outputs.posts import FindingObject, WriteEnvelope
from blog_engine.queries.previews import proposal_preview_token
from blog_engine.queries.proposals import ListedProposal
from blog_engine.queries.records import Listed
from blog_engine.rules.proposals import PROPOSABLE_FIELDS, Conflict, proposed_changes
from blog_engine.rules.revision import revision_text
from blog_engine.services import ProposedContent, Written, read_proposal


def revision_difference(old: str, new: str, *, names: tuple[str, str], by_words: bool = False) -> tuple[str, bool]:
    """Return the difference of two payloads under these names, and whether it was cut off."""
    return shown_difference(revision_text(old), revision_text(new), names=names, by_words=by_words)


LONGEST_PASSAGE: Final = 2_000
"""Characters of each value of a conflict."""


class ProposedPost(Output):
    """The post of a proposal."""

    id: int
    slug: str
    title: str
    status: PostStatus
    url: str


class ProposalCard(Output):
    """A proposal in a list."""

    id: int
    post: ProposedPost
    state: ProposalState
    changes: list[str]
    change: Change | None
    change_description: str | None
    note: str | None
    actor: str
    made_by_ai: bool | None
    created_at: UTCMilliseconds
    base_version: int
    base_revision_identifier: str
    publish_at: UTCSeconds | None
    decided_at: UTCMilliseconds | None
    decided_by: str | None
    reason: str | None

    @classmethod
    def of_row(cls, listed: ListedProposal, context: AnswerContext) -> "ProposalCard":
        """Return the card of a listed proposal."""
        return cls.from_attributes(
            listed.proposal, **_of_both(listed, listed.post, context), **_of_events(listed.schedule, listed.decision)
        )


def _of_both(listed: ListedProposal | ProposedContent, post: Post, context: AnswerContext) -> dict[str, Any]:
    proposal = listed.proposal
    return {
        "post": ProposedPost.from_attributes(post, url=context.urls.post_url(post.slug)),
        "state": listed.state,
        "changes": proposed_changes(proposal),
        "base_revision_identifier": proposal.base_revision.identifier,
        **{name: proposal.fields.get(name) for name in ("change", "change_description", "note")},
    }


def _of_events(schedule: ProposalEvent | None, decision: ProposalEvent | None) -> dict[str, Any]:
    return {
        "publish_at": schedule.publish_at if schedule else None,
        "decided_at": decision.occurred_at if decision else None,
        "decided_by": decision.actor if decision else None,
        "reason": decision.reason if decision else None,
    }


class ProposalList(Output):
    """One page of proposals."""

    proposals: list[ProposalCard]
    page: int
    per_page: int
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, listed: Listed[ListedProposal], context: AnswerContext) -> "ProposalList":
        """Return the cards of a page of proposals."""
        return cls(proposals=[ProposalCard.of_row(one, context) for one in listed.rows], **listed.place)


class ProposalConflict(Output):
    """A field or passage that a proposal cannot change any more, as text."""

    field: str
    base: str | None
    present: str | None
    proposed: str | None

    @classmethod
    def of(cls, conflict: Conflict) -> "ProposalConflict":
        """Return a conflict whose values are texts of bounded length."""
        shown = {name: _as_text(getattr(conflict, name)) for name in ("base", "present", "proposed")}
        return cls(field=conflict.field, **shown)


def _as_text(value: Any) -> str | None:
    text = value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if text is None or len(text) <= LONGEST_PASSAGE else f"{text[: LONGEST_PASSAGE - 1]}…"


class ProposalEventObject(Output):
    """Something that happened to a proposal."""

    kind: ProposalEventKind
    occurred_at: UTCMilliseconds
    actor: str | None
    revision_identifier: str
    publish_at: UTCSeconds | None
    reason: str | None


class FullProposal(ProposalCard):
    """A proposal with everything that a decision needs."""

    fields: dict[str, Any]
    revision_identifier: str
    approved: bool
    label: Label
    difference: str
    truncated: bool
    conflicts: list[ProposalConflict]
    findings: list[FindingObject]
    preview_url: str | None
    events: list[ProposalEventObject]

    @classmethod
    def of(cls, content: ProposedContent, context: AnswerContext) -> "FullProposal":
        """Return a proposal with what it makes of its post now."""
        proposal, is_undecided = content.proposal, content.decision is None
        old = "present" if is_undecided and not content.conflicts else "base"
        difference, truncated = revision_difference(
            content.before, content.after, names=(old, "proposed"), by_words=context.by_words
        )
        token = proposal_preview_token(proposal.pk, now=context.now) if is_undecided else None
        return cls.from_attributes(
            proposal,
            **_of_both(content, content.stored, context),
            **_of_events(content.schedule, content.decision),
            fields={name: proposal.fields[name] for name in PROPOSABLE_FIELDS if name in proposal.fields},
            revision_identifier=content.post.current_revision_identifier,
            approved=content.post.is_reviewed,
            label=content.label,
            difference=difference,
            truncated=truncated,
            conflicts=[ProposalConflict.of(conflict) for conflict in content.conflicts],
            findings=content.findings,
            preview_url=context.urls.preview_url(token.token) if token else None,
            events=[
                ProposalEventObject.from_attributes(event, revision_identifier=event.revision.identifier)
                for event in proposal.events.all()
            ],
        )


class ProposalEnvelope(WriteEnvelope):
    """The answer to a write that made, decided or approved a proposal."""

    proposal: FullProposal


def proposal_envelope_of(written: Written, call: Call) -> WriteEnvelope | ProposalEnvelope:
    """Return the answer to a write; with ``proposal`` only if the write was about one."""
    context = AnswerContext.of(call)
    envelope = WriteEnvelope.of(written, context)
    if written.proposal is None:
        return envelope
    content = read_proposal(ProposalRef(proposal=written.proposal), now=context.now, prepared=written.prepared)
    return ProposalEnvelope.with_keys(vars(envelope) | {"proposal": FullProposal.of(content, context)})
