"""Inputs of proposals."""

from typing import Annotated

from pydantic import Field

from blog_engine.enums import LISTED_STATES, ProposalState
from blog_engine.errors import ApprovalIncomplete
from blog_engine.inputs.base import Input, RefusedAs
from blog_engine.inputs.formats import PublishAt
from blog_engine.inputs.posts import InlineApproval
from blog_engine.inputs.reports import Paged
from blog_engine.inputs.types import EnumValue, NonBlankText, Omittable, PostKey, ProposalId, RevisionDigits


class ListProposals(Paged):
    """Filters of the list of proposals."""

    state: Omittable[Annotated[ProposalState, EnumValue(*LISTED_STATES)]] = Field(
        None, description="Only proposals in this state."
    )
    post: Omittable[PostKey] = Field(None, description="Id or slug of the post.")


class ProposalRef(Input):
    """One proposal."""

    proposal: ProposalId = Field(description="Id of the proposal.")
    id: Omittable[PostKey] = Field(None, description="Id or slug of its post.")


class ApplyProposal(ProposalRef):
    """Apply a proposal, schedule it, or cancel its schedule."""

    publish_at: PublishAt = Field(None, description="ISO 8601, in the future; null cancels.")
    expected_revision: Omittable[RevisionDigits] = Field(None, description="revision_identifier as you read it.")
    approval: Annotated[Omittable[InlineApproval], RefusedAs(ApprovalIncomplete)] = Field(
        None, description="A person's real review of exactly this content."
    )


class RejectProposal(ProposalRef):
    """Reject a proposal."""

    reason: NonBlankText = Field(description="Why the proposal is rejected.")


class RejectProposalOfPost(RejectProposal):
    """Reject a proposal of a post, by a tool that always names the post."""

    id: PostKey = Field(description="Id or slug of its post.")
