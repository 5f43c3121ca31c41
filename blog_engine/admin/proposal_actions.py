"""Actions on a proposal, each confirmed on a page of its own."""

from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine import services
from blog_engine.admin._confirming import ConfirmForm, ConfirmView
from blog_engine.admin._proposal_words import proposal_differences, proposal_sentence
from blog_engine.admin.base import Permission, may
from blog_engine.admin.post_fields import LinesField
from blog_engine.admin.proposals import ProposalPage
from blog_engine.admin.publishing import ScheduleForm, ScheduleView
from blog_engine.enums import PostStatus
from blog_engine.errors import Refusal
from blog_engine.http.zones import zone_of
from blog_engine.inputs.base import parse
from blog_engine.inputs.proposals import ApplyProposal, ProposalRef, RejectProposal
from blog_engine.rules.isolation import isolated
from blog_engine.services import Written


class DecideForm(ConfirmForm):
    """The state that the person saw, with the content that the proposal makes."""

    expected_revision = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


class DecideView(ProposalPage, ConfirmView):
    """Base of the pages of a step; each says in one sentence what readers are going to see."""

    permissions = (Permission.PUBLISH,)
    form_class: ClassVar[type[ConfirmForm]] = DecideForm
    back_label = gettext_lazy("Back to the proposal")

    @property
    def back_url(self) -> str:
        return self.proposal_url()

    def seen(self) -> dict[str, object]:
        return {**super().seen(), "expected_revision": self.identifier}

    def obstacle(self) -> str:
        return self.proposal_state() if self.content.decision is not None else ""

    def proposal_state(self) -> str:
        """Return what became of the proposal, or what it waits for."""
        return proposal_sentence(self.content, zone_of(self.request))

    def next_step(self, refusal: Refusal) -> tuple[str, str] | None:
        if refusal.code == "approval_required" and may(self.request, Permission.APPROVE):
            return _("Open the signature"), f"{self.proposal_url()}#signature"
        return super().next_step(refusal)

    def names(self) -> dict[str, str]:
        """Return the words that the sentences are about."""
        return isolated(
            {
                "title": self.record.title,
                "path": self.path,
                "name": self.proposal.actor,
                "time": self.planned_time(self.record.publish_at),
            }
        )

    def apply(self, form: ConfirmForm, raw: dict[str, Any]) -> Written:
        """Call ``apply_proposal`` for the content that the person saw."""
        fixed = {"proposal": self.proposal.pk, "expected_revision": form.cleaned_data["expected_revision"]}
        data = parse(ApplyProposal, raw, fixed=fixed)
        return services.apply_proposal(data, actor=self.actor, now=self.now, base_url=self.base_url)


class FittingProposalView(DecideView):
    """Base of the steps that are closed to an outdated proposal, which show what it changes."""

    def obstacle(self) -> str:
        return super().obstacle() or (self.proposal_state() if self.content.conflicts else "")

    def shown(self, form: ConfirmForm, **context: Any) -> HttpResponse:
        return super().shown(form, differences=proposal_differences(self.content), **context)


class ApplyProposalView(FittingProposalView):
    """Apply a proposal now."""

    heading = gettext_lazy("Apply the proposal")
    button = gettext_lazy("Apply now")

    def sentence(self) -> str:
        if self.record.status == PostStatus.SCHEDULED:
            return (
                _("“%(title)s” stays scheduled for %(time)s, and readers see it with this change then.") % self.names()
            )
        return _("Readers see “%(title)s” at %(path)s with this change from now on.") % self.names()

    def act(self, form: ConfirmForm) -> Written:
        return self.apply(form, {})

    def done(self, written: Written, form: ConfirmForm) -> str:
        if written.post.status == PostStatus.SCHEDULED:
            return _("Applied. “%(title)s” has the change and stays scheduled.") % isolated(
                {"title": written.post.title}
            )
        return _("Applied. Readers see the change of “%(title)s” now.") % isolated({"title": written.post.title})


class ProposalScheduleForm(ScheduleForm, DecideForm):
    """The time at which a proposal is applied."""


class ScheduleProposalView(ScheduleView, FittingProposalView):
    """Have a proposal applied at a time, or move that time."""

    form_class: ClassVar[type[ScheduleForm]] = ProposalScheduleForm
    button = gettext_lazy("Schedule the change")
    announcement = gettext_lazy("Readers see “%(title)s” with this change from %(time)s.")
    scheduled = gettext_lazy("Scheduled. Readers see “%(title)s” with this change from %(time)s.")

    @property
    def heading(self) -> str:
        return _("Change the time") if self.content.schedule else _("Apply at a time")

    def sentence(self) -> str:
        return (
            _(
                "Readers see “%(title)s” with this change from the time that you choose. If somebody changes the same "
                "text before, the proposal waits instead."
            )
            % self.names()
        )

    def planned(self) -> datetime | None:
        return self.content.schedule.publish_at if self.content.schedule else None

    def act(self, form: ConfirmForm) -> Written:
        return self.apply(form, {"publish_at": form.cleaned_data["moment"].isoformat()})


class CancelProposalView(DecideView):
    """Cancel the schedule of a proposal."""

    heading = gettext_lazy("Cancel the schedule")

    def sentence(self) -> str:
        time = self.planned_time(self.content.schedule.publish_at if self.content.schedule else None)
        return _("Readers do not see this change on %(time)s: the proposal waits for a decision again.") % {
            "time": time
        }

    def obstacle(self) -> str:
        return super().obstacle() or ("" if self.content.schedule else _("This proposal is not scheduled."))

    def act(self, form: ConfirmForm) -> Written:
        return self.apply(form, {"publish_at": None})

    def done(self, written: Written, form: ConfirmForm) -> str:
        return _("The schedule is cancelled. The proposal waits for a decision.")


class RejectForm(DecideForm):
    """The reason for rejecting a proposal."""

    reason = LinesField(
        gettext_lazy("Reason"),
        gettext_lazy("The proposer reads it, and the history keeps it."),
        required=True,
        rows=4,
    )

    def clean_reason(self) -> str:
        """Return the reason; raises ``ValidationError`` if it is blank."""
        reason: str = self.cleaned_data["reason"]
        if not reason.strip():
            raise forms.ValidationError(self.fields["reason"].error_messages["required"])
        return reason


class EndProposalView(DecideView):
    """Base of the steps after which the proposal is closed and the post is as it was."""

    is_dangerous = True

    def sentence(self) -> str:
        return _("For readers nothing changes: “%(title)s” stays as it is. This cannot be taken back.") % self.names()


class RejectProposalView(EndProposalView):
    """Reject a proposal with a reason."""

    form_class = RejectForm
    heading = gettext_lazy("Reject the proposal")
    button = gettext_lazy("Reject")

    def act(self, form: ConfirmForm) -> Written:
        data = parse(RejectProposal, {"reason": form.cleaned_data["reason"]}, fixed={"proposal": self.proposal.pk})
        return services.reject_proposal(data, actor=self.actor, now=self.now)

    def done(self, written: Written, form: ConfirmForm) -> str:
        return _("The proposal of %(name)s is rejected.") % self.names()


class WithdrawProposalView(EndProposalView):
    """Withdraw a proposal: one's own, or any with the permission to publish."""

    permissions = (Permission.WRITE,)
    heading = gettext_lazy("Withdraw the proposal")

    def obstacle(self) -> str:
        if self.proposal.actor != self.actor.name and not may(self.request, Permission.PUBLISH):
            return _("Only %(name)s or an editor can withdraw this proposal.") % self.names()
        return super().obstacle()

    def act(self, form: ConfirmForm) -> Written:
        return services.withdraw_proposal(ProposalRef(proposal=self.proposal.pk), actor=self.actor, now=self.now)

    def done(self, written: Written, form: ConfirmForm) -> str:
        return _("The proposal of %(name)s is withdrawn.") % self.names()
