"""The proposals of edits: the list, the page of one with its signature, and the article that it makes."""

from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.clickjacking import xframe_options_sameorigin

from blog_engine import services
from blog_engine.admin._history_words import proposal_event_text, proposal_text, signatures_in_words
from blog_engine.admin._proposal_words import (
    AI_WORDS,
    KIND_NAMES,
    STATES_OF_PROPOSALS,
    changed_labels,
    kind_of_change,
    proposal_differences,
    proposal_sentence,
    shown_conflicts,
)
from blog_engine.admin.base import ANY_OF_POSTS, DeskView, Permission, may
from blog_engine.admin.post_page import PostAction, PostPage, PostState
from blog_engine.admin.reviews import SignatureForm, SignaturePage, article_preview
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ProposalState
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.http.responses import keep_out_of_page_caches, never_stored
from blog_engine.http.zones import zone_of
from blog_engine.inputs.base import parse
from blog_engine.inputs.proposals import ProposalRef
from blog_engine.models import Post, Proposal
from blog_engine.queries.articles import surroundings_of_proposal
from blog_engine.queries.previews import proposal_preview_token
from blog_engine.queries.proposals import ListedProposal, ProposalListPage, proposal_page, proposals_by
from blog_engine.queries.timeline import approvals_of_content
from blog_engine.reader.page import page_number
from blog_engine.rules.isolation import isolated
from blog_engine.rules.writers import proposer_of, signs_own_version
from blog_engine.services import ProposedContent

_TABS: Final[tuple[tuple[str, ProposalState | None, Promise], ...]] = (
    ("", None, pgettext_lazy("proposals", "Undecided")),
    ("scheduled", ProposalState.SCHEDULED, pgettext_lazy("proposals", "Scheduled")),
    ("applied", ProposalState.APPLIED, pgettext_lazy("proposals", "Applied")),
    ("rejected", ProposalState.REJECTED, pgettext_lazy("proposals", "Rejected")),
    ("withdrawn", ProposalState.WITHDRAWN, pgettext_lazy("proposals", "Withdrawn")),
)
_AI_CHOICES: Final = {"yes": True, "no": False, "unknown": None}
_LONGEST_ID: Final = 18
_LONGEST_NAME: Final = 255


class ProposalListView(DeskView):
    """The proposals in one state, at first those that wait for a decision."""

    permissions = ANY_OF_POSTS

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        number = page_number(request.GET.getlist("page"))
        if number is None:
            raise Http404
        sent = {name: request.GET.get(name, "") for name in ("state", "post", "kind", "ai", "proposer")}
        word, state = next(((one, state) for one, state, _text in _TABS if one == sent["state"]), ("", None))
        if (filters := _filters(sent)) is None:
            page = ProposalListPage(number=1, pages=1, rows=[], total=0)
        else:
            page = proposal_page(proposals_by(state, **filters), number=number, is_oldest_first=not word)
        chosen = {name: value for name, value in sent.items() if value and name != "state"}
        kept = {**({"state": word} if word else {}), **chosen}
        return self.page(
            "proposals.html",
            title=_("Proposals"),
            tabs=[(text, f"?{urlencode({'state': one})}" if one else "?", one == word) for one, _state, text in _TABS],
            page=page,
            rows=[(row, self._row(row)) for row in page.rows],
            word=word,
            sent=sent,
            chosen=chosen,
            kinds=list(KIND_NAMES.items()),
            me=self.actor.name,
            ai_choices=[(name, AI_WORDS[value]) for name, value in _AI_CHOICES.items()],
            page_query=f"{urlencode(kept)}&" if kept else "",
        )

    def _row(self, row: ListedProposal) -> dict[str, Any]:
        proposal = row.proposal
        return isolated(
            {
                "url": self.url("proposal", row.post.pk, proposal.pk),
                "state": STATES_OF_PROPOSALS[row.state],
                "changes": changed_labels(proposal),
                "kind": kind_of_change(proposal),
                "made_with": AI_WORDS[proposal.made_by_ai],
            }
        )


def _filters(sent: dict[str, str]) -> dict[str, Any] | None:
    """Return the look-ups for what was sent; ``None`` for words with which no proposal is found."""
    post, kind, ai, proposer = (sent[name] for name in ("post", "kind", "ai", "proposer"))
    is_possible = (
        (not post or (post.isascii() and post.isdigit() and len(post) <= _LONGEST_ID))
        and (not kind or kind in KIND_NAMES)
        and (not ai or ai in _AI_CHOICES)
        and "\0" not in proposer
    )
    if not is_possible:
        return None
    filters: dict[str, Any] = {"post": int(post)} if post else {}
    if kind:
        filters["fields__change"] = kind
    if ai:
        filters |= {"made_by_ai__isnull": True} if _AI_CHOICES[ai] is None else {"made_by_ai": _AI_CHOICES[ai]}
    if proposer:
        filters["actor"] = proposer.strip()[:_LONGEST_NAME]
    return filters


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
        return replace(super().state_for_head(), actions=(), share_url="")

    def post_page(self, template: str, *, title: str, **context: Any) -> HttpResponse:
        """Return a page with the state of the post at its head, and the proposal."""
        content, sent = self.content, self.proposal.fields
        shown = {
            "content": content,
            "proposal": content.proposal,
            "proposal_state": STATES_OF_PROPOSALS[content.state],
            "proposal_sentence": proposal_sentence(content, zone_of(self.request)),
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


class ProposalView(ProposalPage, SignaturePage):
    """A proposal: its changes and facts, the steps that are open, and the form that signs it."""

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not may(request, Permission.APPROVE):
            raise PermissionDenied
        form = SignatureForm(request.POST, account=self.actor.name)
        if not self._is_signable():
            return self.shown(form)
        if form.data.get("revision_identifier") != self.identifier:
            return self.shown_as_changed(form)
        return self.sign(form) if form.is_valid() else self.shown(form)

    def _is_signable(self) -> bool:
        return self.content.decision is None and not self.content.conflicts

    def signed_identifier(self) -> str:
        return self.identifier

    def _edit_url(self) -> str:
        """Return the path of the editor with this proposal, to those who can write in the present state of the post."""
        if not may(self.request, Permission.WRITE, Permission.PUBLISH):
            return ""
        return f"{self.url('change', self.record.pk)}?proposal={self.proposal.pk}"

    def shown(self, form: SignatureForm, **context: Any) -> HttpResponse:
        content, post = self.content, self.record
        is_undecided, is_signable = content.decision is None, self._is_signable()
        is_own = signs_own_version(proposer_of(content.proposal), self.actor.recorded)
        token = proposal_preview_token(content.proposal.pk, now=self.now) if is_undecided else None
        urls = BlogURLs.on(self.base_url)
        zone = zone_of(self.request)
        happened = [proposal_event_text(event, zone) for event in content.proposal.events.all()]
        article_url = f"{self.proposal_url('proposal_article')}?revision={self.identifier}"
        return self.post_page(
            "proposal.html",
            title=_("Proposal by %(name)s") % isolated({"name": content.proposal.actor}),
            form=form if may(self.request, Permission.APPROVE) and is_signable and not is_own else None,
            is_own_version=is_own and is_signable,
            is_undecided=is_undecided,
            edit_url=self._edit_url(),
            conflicts=list(shown_conflicts(content)),
            differences=proposal_differences(content),
            changes=changed_labels(content.proposal),
            approvals=signatures_in_words(approvals_of_content(post.pk, self.identifier)),
            findings=content.findings if is_undecided else [],
            identifier=self.identifier,
            article_url=article_url if is_signable else "",
            preview_url=urls.preview_url(token.token) if token else "",
            preview_ends=token.expires_at if token else None,
            steps=self._steps(),
            may_publish=may(self.request, Permission.PUBLISH),
            other_proposals=[one for one in self.waiting_proposals() if one.pk != content.proposal.pk],
            happened=[proposal_text(content.proposal), *happened],
            **self.passkey_urls(),
            **context,
        )

    def _steps(self) -> list[PostAction]:
        content, request = self.content, self.request
        if content.decision is not None:
            return []
        is_scheduled, found = content.schedule is not None, list[tuple[str, str]]()
        if may(request, Permission.PUBLISH):
            if not content.conflicts:
                found.append(("proposal_apply", _("Apply now…") if is_scheduled else _("Apply…")))
                found.append(("proposal_schedule", _("Change the time…") if is_scheduled else _("Apply at a time…")))
            if is_scheduled:
                found.append(("proposal_cancel", _("Cancel the schedule…")))
            found.append(("proposal_reject", _("Reject…")))
        if may(request, Permission.WRITE) and (
            content.proposal.actor == self.actor.name or may(request, Permission.PUBLISH)
        ):
            found.append(("proposal_withdraw", _("Withdraw the proposal…")))
        return [PostAction(name, label, self.proposal_url(name)) for name, label in found]


@method_decorator(xframe_options_sameorigin, name="dispatch")
class ProposedArticleView(ProposalPage):
    """The article page of what a proposal makes of the post, for a frame of its page.

    With the identifier of another revision than it makes now, it says that the post was changed.
    """

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        keep_out_of_page_caches(request)
        content = self.content
        if content.decision is not None or content.conflicts:
            raise Http404
        if request.GET.get("revision", self.identifier) != self.identifier:
            words = gettext_lazy("This post was changed. Load the proposal again.")
            return never_stored(HttpResponse(words, status=409))
        around = surroundings_of_proposal(content.post, content.publications, now=self.now)
        return article_preview(request, content.post, now=self.now, around=around)
