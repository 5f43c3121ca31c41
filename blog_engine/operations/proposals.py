"""Operations on proposals."""

from pydantic import create_model

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.errors import (
    NotFound,
    ProposalDecided,
    ProposalOutdated,
    ScopeRequired,
)
from blog_engine.inputs.posts import WithAnswer
from blog_engine.inputs.proposals import ListProposals, ProposalRef, RejectProposalOfPost
from blog_engine.operations.base import operation, with_input
from blog_engine.operations.posts import EDIT_REFUSALS, write_of
from blog_engine.outputs.base import AnswerContext
from blog_engine.outputs.proposals import FullProposal, ProposalList, proposal_envelope_of
from blog_engine.queries.proposals import listed_proposals


@operation(scope=Scope.READ, refuses=[NotFound])
def list_proposals(data: ListProposals, call: Call) -> ProposalList:
    """List proposals of edits, newest first."""
    return ProposalList.of(listed_proposals(data), AnswerContext.of(call))


@operation(scope=Scope.READ, refuses=[NotFound])
def get_proposal(data: ProposalRef, call: Call) -> FullProposal:
    """Read one proposal, with what it makes of its post now."""
    return FullProposal.of(services.read_proposal(data, now=call.now), AnswerContext.of(call))


apply_proposal = write_of(
    services.apply_proposal,
    proposal_envelope_of,
    "Make the edit of a proposal, now or at publish_at.",
    scope=Scope.PUBLISH,
    refuses=[*EDIT_REFUSALS, ProposalDecided, ProposalOutdated],
)
reject_proposal = write_of(
    services.reject_proposal,
    proposal_envelope_of,
    "Reject a proposal with a reason; its post stays as it is.",
    scope=Scope.PUBLISH,
    refuses=[NotFound, ProposalDecided],
)
reject_proposal_of_post = with_input(
    reject_proposal, create_model("RejectProposalOfPost", __base__=(WithAnswer, RejectProposalOfPost))
)
withdraw_proposal = write_of(
    services.withdraw_proposal,
    proposal_envelope_of,
    "Take back a proposal of your own, or any with the scope publish.",
    scope=Scope.WRITE,
    refuses=[NotFound, ScopeRequired, ProposalDecided],
)
