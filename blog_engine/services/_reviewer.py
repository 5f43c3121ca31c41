"""Who approves: the person behind an approval that is sent, and the name under which it is recorded."""

from dataclasses import dataclass

from blog_engine.actor import Actor, RecordedActor
from blog_engine.blog_urls import desk_url
from blog_engine.conf import get_settings
from blog_engine.content.text import fold
from blog_engine.enums import ActorKind, PostStatus
from blog_engine.errors import ApprovalIncomplete, NameOfAnother, PersonMustApprove, WriterApproves
from blog_engine.inputs.posts import ApproveRevision, InlineApproval
from blog_engine.models import Post, Revision
from blog_engine.queries.reviewers import user_of_actor
from blog_engine.rules.approvals import only_people_approve

_NO_DESK = (
    "The desk, where people sign, has no URLs on this site: a person who runs it has to include the URLs of Django's "
    "admin, or to have the authenticate hook return actors of the kind person."
)
_NO_ACCOUNT = "The account of this person does not exist or is not active."


@dataclass(frozen=True, slots=True)
class Review:
    """An approval that may be recorded; only ``admitted_review`` makes one."""

    name: str
    """Of the reviewer."""
    facts_checked: bool
    actor: RecordedActor


@dataclass(frozen=True, slots=True)
class ReviewPlace:
    """The place at which a person can sign what an approval was sent for."""

    post: Post | None
    """``None`` or unsaved for a post that this call makes."""
    proposal: int | None = None
    base_url: str = ""

    @property
    def url(self) -> str:
        """The URL of the page at the desk; empty for a new post, and where the desk has no URLs."""
        if self.post is None or self.post.pk is None:
            return ""
        if self.proposal is not None:
            return desk_url("proposal", self.post.pk, self.proposal, base_url=self.base_url)
        return desk_url("review", self.post.pk, base_url=self.base_url)

    def hand_over(self) -> str:
        """Return the sentence that tells an agent what to give to a person."""
        if not desk_url("queue"):
            return _NO_DESK
        if not self.url:
            return "Save it as a draft without approval, and give a person the URL of its review at the desk."
        to_person = f"Give this URL to a person, who signs there: {self.url}"
        if self.proposal is None and self.post is not None and self.post.status in _IN_PLACE:
            return (
                f"{to_person} For an edit send propose: true without approval, and give a person the URL of the "
                "proposal at the desk."
            )
        return f"Save it without approval. {to_person}" if self.proposal is None else to_person


_IN_PLACE = (PostStatus.SCHEDULED, PostStatus.PUBLISHED)


def admitted_review(sent: InlineApproval | ApproveRevision, *, actor: Actor, place: ReviewPlace) -> Review:
    """Return the approval that was sent, under the name with which it is recorded (approvals.people).

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
    if get_settings().distinct_reviewer and is_writer(
        RecordedActor(revision.actor, revision.actor_kind, revision.actor_id), reviewer
    ):
        raise WriterApproves(hint="Have another person review it.")


def is_writer(writer: RecordedActor, reviewer: RecordedActor) -> bool:
    """Return whether the writer of a content is the reviewer, as far as it was recorded."""
    if writer.id is None:
        return writer.name is not None and fold(writer.name) == fold(reviewer.name or "")
    return (writer.kind, writer.id) == (reviewer.kind, reviewer.id)
