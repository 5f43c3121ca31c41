"""The state of a proposal, and what it makes of a post that was changed since (proposals.rebased)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from blog_engine.conf import get_settings, markdown_plugins
from blog_engine.content.edits import EditDoesNotApply, EditedTextTooLong, edited
from blog_engine.content.faq import FaqPair
from blog_engine.content.merging import CannotMerge, merged_text
from blog_engine.content.options import TooMuchMarkup
from blog_engine.enums import BodyFormat, PostStatus, ProposalEventKind, ProposalState
from blog_engine.inputs.edits import BodyEdit, text_edit
from blog_engine.models import Post, Proposal, ProposalEvent
from blog_engine.models.proposal import DECIDING
from blog_engine.rules.content_fields import CONTENT_FIELDS, FieldKind, FieldPlace

PROPOSABLE_STATUSES: Final = (PostStatus.SCHEDULED, PostStatus.PUBLISHED)
"""The statuses of a post in which it takes proposals."""

_PROPOSABLE: Final = [
    one for one in CONTENT_FIELDS if FieldPlace.PROPOSALS not in one.absent and one.name != "made_by_ai"
]
PLAIN_FIELDS: Final = tuple(one.name for one in _PROPOSABLE if one.kind is not FieldKind.ROWS)
"""The fields of a proposal whose values are columns of the post."""
HISTORY_FIELDS: Final = ("change", "change_description", "note")
"""The fields of a proposal that describe its publication."""
PROPOSABLE_FIELDS: Final = (
    *(*PLAIN_FIELDS, "edits", *(one.name for one in _PROPOSABLE if one.kind is FieldKind.ROWS)),
    *(*HISTORY_FIELDS, "made_by_ai"),
)
"""Everything that a proposal takes."""
EDITED_BODY: Final = "edited_body"
"""The key in ``base`` of the body that the edits of a proposal made of the one there."""

Values = Mapping[str, Any]
"""Values of fields as JSON, in the form in which they are sent: records by name, images by id."""


def proposable_values(post: Post, *, faq: Iterable[FaqPair], tags: Sequence[str]) -> dict[str, Any]:
    """Return the values of a post that a proposal can change, and the format of its body."""
    return {name: getattr(post, name) for name in (*PLAIN_FIELDS, "body_format")} | {
        "cover_image": {"image_id": post.cover_image_id} if post.cover_image_id else None,
        "social_image": {"image_id": post.social_image_id} if post.social_image_id else None,
        "faq": [{"question": pair.question, "answer": pair.answer} for pair in faq],
        "category": post.category.name if post.category else None,
        "series": post.series.name if post.series else None,
        "tags": list(tags),
        "coauthors": [{"name": name} for name in post.byline[1:]],
    }


def proposed_changes(proposal: Proposal) -> list[str]:
    """Return the names of the fields that a proposal changes; a database does not keep the order of stored keys."""
    return [name for name in PROPOSABLE_FIELDS if name in proposal.base]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that a proposal cannot change any more; values are as in ``Values``."""

    field: str
    base: Any
    """What the proposal started from."""
    present: Any
    proposed: Any


@dataclass(frozen=True, slots=True)
class Rebased:
    """The changes of a proposal to the present post."""

    fields: dict[str, Any]
    """What is left to send, without the fields that have their values already."""
    conflicts: tuple[Conflict, ...]
    """Why it cannot be applied; empty if it can."""


class RebasedKind(StrEnum):
    """The way in which a proposal fits a present body."""

    CHANGES = "changes"
    NOTHING = "nothing"
    """It is what the proposal makes already."""
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class RebasedBody:
    """The body that a proposal makes of a present one."""

    body: str | None
    """``None`` where it changes nothing, or does not fit."""
    conflicts: tuple[Conflict, ...] = ()


def rebased(proposal: Proposal, *, status: str, present: Values, body: RebasedBody | None = None) -> Rebased:
    """Return what an undecided proposal changes in a post with these values, and where it does not fit.

    ``body`` is the ``rebased_body`` of that post; without one, it is worked out.
    """
    conflicts, left = list[Conflict](), dict[str, Any]()
    if status not in PROPOSABLE_STATUSES:
        conflicts.append(Conflict("status", base=None, present=str(status), proposed=None))
    body_format = proposal.base.get("body_format", present["body_format"])
    if present["body_format"] != body_format:
        conflicts.append(Conflict("body_format", body_format, present["body_format"], body_format))
    for name in proposed_changes(proposal):
        base, now, wanted = proposal.base[name], present[name], proposal.fields.get(name)
        if name == "body":
            made = body or rebased_body(proposal, now)
            conflicts += made.conflicts
            if made.body is not None:
                left[name] = made.body
        elif now == wanted:
            continue
        elif now == base:
            left[name] = wanted
        else:
            conflicts.append(Conflict(name, base, now, wanted))
    if not left and not conflicts:
        names = proposed_changes(proposal)
        conflicts += [Conflict(name, proposal.base[name], present[name], present[name]) for name in names]
    left |= {name: proposal.fields[name] for name in HISTORY_FIELDS if name in proposal.fields}
    return Rebased(left, tuple(conflicts))


def rebased_body(proposal: Proposal, present: str) -> RebasedBody:
    """Return what a proposal that changes the body makes of the present one; it can take half a second."""
    try:
        body = _body_on(present, proposal)
        if present != proposal.base["body"]:
            _require_size(body)
    except CannotMerge as fault:
        overlaps = (Conflict("body", one.base, one.present, one.proposed) for one in fault.overlaps)
        return RebasedBody(None, tuple(overlaps))
    except (EditDoesNotApply, EditedTextTooLong, TooMuchMarkup) as fault:
        return RebasedBody(None, (body_conflict(str(fault)),))
    return RebasedBody(body if body != present else None)


def body_conflict(reason: str) -> Conflict:
    """Return the conflict of a body that cannot be made of the present one."""
    return Conflict("body", base=None, present=reason, proposed=None)


def proposed_body(proposal: Proposal) -> str | None:
    """Return the body that a proposal made of the one that it started from.

    ``None`` for edits that were proposed before their result was stored.
    """
    found: str | None = proposal.base.get(EDITED_BODY, proposal.fields.get("body"))
    return found


def _body_on(present: str, proposal: Proposal) -> str:
    """Return what a proposal makes of the present body; raises ``CannotMerge`` or what ``edited`` raises."""
    base: str = proposal.base["body"]
    edits = [BodyEdit.from_data(edit) for edit in proposal.fields.get("edits", ())]
    if present != base and all(edit.occurrence is None for edit in edits) and edits:
        try:
            return _edited(present, edits, proposal)
        except (EditDoesNotApply, EditedTextTooLong, TooMuchMarkup):
            # Line by line it may still fit, or shows the passages that do not.
            pass
    wanted = proposed_body(proposal)
    if wanted is None:
        # Headings can be found differently by a later version of the renderer.
        wanted = _edited(base, edits, proposal)
    return wanted if present == base else merged_text(base, wanted, present)


def _edited(text: str, edits: Iterable[BodyEdit], proposal: Proposal) -> str:
    return edited(
        text,
        list(map(text_edit, edits)),
        body_format=BodyFormat(proposal.base["body_format"]),
        most_bytes=get_settings().max_body_bytes,
        plugins=markdown_plugins(),
    )


def _require_size(body: str) -> None:
    if len(body.encode()) > get_settings().max_body_bytes:
        raise EditedTextTooLong


def decision_on(events: Iterable[ProposalEvent]) -> ProposalEvent | None:
    """Return the event that ended a proposal, or ``None`` while it is undecided."""
    return next((event for event in events if event.kind in DECIDING), None)


def schedule_of(events: Sequence[ProposalEvent]) -> ProposalEvent | None:
    """Return the event that scheduled a proposal, or ``None`` when it is not scheduled or was decided."""
    last = next((event for event in reversed(events) if event.kind != ProposalEventKind.REBASED), None)
    return last if last is not None and last.kind == ProposalEventKind.SCHEDULED else None


def proposal_state(events: Sequence[ProposalEvent], *, is_outdated: bool) -> ProposalState:
    """Return the state of a proposal with these events, in the order of their ids (proposals.states)."""
    decision = decision_on(events)
    if decision is not None:
        return ProposalState(decision.kind)
    if is_outdated:
        return ProposalState.OUTDATED
    return ProposalState.SCHEDULED if schedule_of(events) else ProposalState.OPEN
