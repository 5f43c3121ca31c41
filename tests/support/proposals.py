"""Proposals, made and decided through the services."""

from datetime import datetime
from typing import Any

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.base import parse
from blog_engine.inputs.proposals import ApplyProposal, ProposalRef, RejectProposal
from blog_engine.models import Post, Proposal
from blog_engine.services import ProposedContent, Written
from tests.support.factories import AGENT, EDITOR, LATER, save, update

BODY = "One.\n\nTwo.\n\nThree."


def propose(post: Post, *, actor: Actor = AGENT, now: datetime = LATER, **fields: Any) -> int:
    """``PATCH /posts/:id`` with ``propose``; return the id of the proposal."""
    sent = fields or {"body": "One!\n\nTwo.\n\nThree.", "change": "maintenance"}
    made = update(post, actor=actor, now=now, propose=True, **sent).proposal
    assert made is not None
    return made


def proposed_for(**fields: Any) -> tuple[Post, int]:
    """Return a public post, and the id of a proposal for it."""
    post = save(publish=True, body=BODY).post
    return post, propose(post, **fields)


def apply(proposal: int, *, actor: Actor = EDITOR, now: datetime = LATER, **fields: Any) -> Written:
    """``POST /proposals/:id/apply``."""
    return services.apply_proposal(parse(ApplyProposal, {"proposal": proposal} | fields), actor=actor, now=now)


def reject(proposal: int, *, actor: Actor = EDITOR, now: datetime = LATER, **fields: Any) -> Written:
    """``POST /proposals/:id/reject``."""
    data = parse(RejectProposal, {"proposal": proposal, "reason": "Not true."} | fields)
    return services.reject_proposal(data, actor=actor, now=now)


def withdraw(proposal: int, *, actor: Actor = AGENT, now: datetime = LATER) -> Written:
    """``POST /proposals/:id/withdraw``."""
    return services.withdraw_proposal(ProposalRef(proposal=proposal), actor=actor, now=now)


def seen(proposal: int, *, now: datetime = LATER) -> ProposedContent:
    """``GET /proposals/:id``."""
    return services.read_proposal(ProposalRef(proposal=proposal), now=now)


def events_of(proposal: int) -> list[str]:
    """Return what happened to a proposal."""
    return [event.kind for event in Proposal.objects.get(pk=proposal).events.all()]
