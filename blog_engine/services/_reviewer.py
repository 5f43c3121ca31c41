"""The reviewer: the person behind an approval that is sent, and the name under which it is recorded."""

from dataclasses import dataclass, replace

from blog_engine.actor import Actor, RecordedActor
from blog_engine.content.text import fold
from blog_engine.enums import ActorKind
from blog_engine.errors import ApprovalIncomplete, NameOfAnother, PersonMustApprove, SignatureNeeded, WriterApproves
from blog_engine.inputs.posts import ApproveRevision, InlineApproval
from blog_engine.models import Revision
from blog_engine.queries.reviewers import user_of_actor
from blog_engine.rules.approvals import only_people_approve, only_signed_count
from blog_engine.rules.review_place import ReviewPlace
from blog_engine.rules.writers import recorder_of, signs_own_version
from blog_engine.services.passkeys import SignedAnswer

_NO_ACCOUNT = "The account of this person does not exist or is not active."


@dataclass(frozen=True, slots=True)
class Review:
    """An approval that may be recorded; only ``admitted_review`` makes one."""

    name: str
    """Of the reviewer."""
    facts_checked: bool
    actor: RecordedActor
    signed: SignedAnswer | None = None
    """What a passkey answered to its challenge, which is checked when it is recorded."""


def admitted_review(
    sent: InlineApproval | ApproveRevision, *, actor: Actor, place: ReviewPlace, signed: SignedAnswer | None = None
) -> Review:
    """Return the approval that was sent, if it may be recorded (approvals.people, approvals.signed.required).

    Call it under the lock of the post. Raises ``ApprovalIncomplete``.
    """
    review = reviewed_by(sent, actor=actor, place=place)
    if signed is None and only_signed_count():
        raise SignatureNeeded(hint=place.hand_over())
    return replace(review, signed=signed)


def reviewed_by(sent: InlineApproval | ApproveRevision, *, actor: Actor, place: ReviewPlace) -> Review:
    """Return the approval that was sent, under the name with which it is recorded (approvals.people.name).

    Where only people approve, the account is read, so that call it under the lock of the post. Raises
    ``ApprovalIncomplete``.
    """
    if not only_people_approve():
        if sent.name is None:
            raise ApprovalIncomplete(hint="name must be sent.")
        return Review(sent.name, sent.facts_checked, actor.recorded)
    if actor.kind is not ActorKind.PERSON:
        raise PersonMustApprove(hint=place.hand_over())
    account = user_of_actor(actor.id)
    if account is None:
        raise PersonMustApprove(hint=_NO_ACCOUNT)
    if sent.name is not None and fold(sent.name) != fold(account.name):
        raise NameOfAnother(hint=f"Leave name out, or send {account.name}.")
    return Review(account.name, sent.facts_checked, actor.recorded)


def require_other_writer(revision: Revision, reviewer: RecordedActor) -> None:
    """Raise ``WriterApproves`` where ``distinct_reviewer`` refuses the actor who wrote a revision.

    Kind and id decide; of a revision from before they were recorded, the name does.
    """
    if signs_own_version(recorder_of(revision), reviewer):
        raise WriterApproves(hint="Have another person review it.")
