"""Base of the pages about one proposal."""

from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from django.http import Http404, HttpResponse

from blog_engine import services
from blog_engine.admin._post_page import PostPage
from blog_engine.admin._proposal_words import AI_WORDS, STATES_OF_PROPOSALS, kind_of_change, proposal_sentence
from blog_engine.admin.base import ANY_OF_POSTS, Permission
from blog_engine.admin.states import PostState
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.proposals import ProposalRef
from blog_engine.models import Post, Proposal
from blog_engine.services import ProposedContent


class ProposalPage(PostPage):
    """A page about the proposal that the path names; 404 if the post has none with that id."""

    permissions: ClassVar[tuple[Permission, ...]] = ANY_OF_POSTS

    @cached_property
    def content(self) -> ProposedContent:
        """The proposal with what it makes of the post now."""
        data = {"proposal": self.kwargs["proposal_id"]}
        try:
            found = services.read_proposal(parse(ProposalRef, {}, fixed=data), now=self.now)
        except (NotFound, ValidationFailed) as unknown:
            raise Http404 from unknown
        if found.stored.pk != self.kwargs["post_id"]:
            raise Http404
        return found

    @property
    def proposal(self) -> Proposal:
        """The proposal as it is stored."""
        return self.content.proposal

    @property
    def identifier(self) -> str:
        """The identifier of the content that the proposal makes of the post now."""
        return self.content.post.current_revision_identifier

    def find(self, post_id: int) -> Post | None:
        return self.content.stored

    def read_again(self) -> None:
        for name in ("record", "content"):
            vars(self).pop(name, None)

    def proposal_url(self, page: str = "proposal") -> str:
        """Return the path of a page of this proposal."""
        return self.url(page, self.record.pk, self.proposal.pk)

    def state_for_head(self) -> PostState:
        """Return the state of the post without actions on it, which are easily taken for those on the proposal."""
        return replace(super().state_for_head(), actions=())

    def post_page(self, template: str, *, title: str, **context: Any) -> HttpResponse:
        """Return a page with the state of the post at its head, and the proposal."""
        content, sent = self.content, self.proposal.fields
        shown = {
            "content": content,
            "proposal": content.proposal,
            "proposal_state": STATES_OF_PROPOSALS[content.state],
            "proposal_sentence": proposal_sentence(content),
            "reason": content.decision.reason if content.decision else None,
            "made_with": AI_WORDS[content.proposal.made_by_ai],
            "kind_of_change": kind_of_change(content.proposal),
            "note": sent.get("note"),
            "change_description": sent.get("change_description"),
            "proposals_url": self.url("proposals"),
            # The page is about one of them.
            "waiting_proposals": [],
            **context,
        }
        return super().post_page(template, title=title, **shown)
