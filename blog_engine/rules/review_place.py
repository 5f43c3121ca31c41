"""The place at which a person signs what an agent cannot, and the sentences that say which URL to hand over."""

from dataclasses import dataclass
from typing import Final

from blog_engine.blog_urls import desk_url
from blog_engine.enums import PostStatus
from blog_engine.models import Post

_NO_DESK: Final = (
    "The desk, where people sign, has no URLs on this site: a person who runs it has to include the URLs of Django's "
    "admin, or to have the authenticate hook return actors of the kind person."
)
_IN_PLACE: Final = (PostStatus.SCHEDULED, PostStatus.PUBLISHED)


@dataclass(frozen=True, slots=True)
class ReviewPlace:
    """The page of the desk at which a person can sign a post, or a proposal for it."""

    post: Post | None
    """``None`` or unsaved for a post that this call makes."""
    proposal: int | None = None
    base_url: str = ""

    @property
    def url(self) -> str:
        """The URL of the page; empty for a new post, and where the desk has no URLs."""
        if self.post is None or self.post.pk is None:
            return ""
        if self.proposal is not None:
            return desk_url("proposal", self.post.pk, self.proposal, base_url=self.base_url)
        return desk_url("review", self.post.pk, base_url=self.base_url)

    def hand_over(self) -> str:
        """Return what to do instead of an approval that only a person can give."""
        if not desk_url("queue"):
            return _NO_DESK
        if not self.url:
            return (
                "Save it as a draft without approval; the answer of its preview has the review_url to give to a person."
            )
        to_person = f"Give this URL to a person, who signs there: {self.url}"
        if self.proposal is not None:
            return to_person
        if self.post is not None and self.post.status in _IN_PLACE:
            return (
                f"{to_person} For an edit, send propose: true without approval, and give a person the page of the "
                "proposal at the desk."
            )
        return f"Save it without approval. {to_person}"


def to_publish(base_url: str, *, post: Post | None = None, preview_url: str = "") -> str:
    """Return what an actor without the scope ``publish`` can do for a post to be approved and published.

    ``post`` is the stored one, if the call names it, and ``preview_url`` the link to its preview, if it has one.
    """
    desk = desk_url("review", post.pk, base_url=base_url) if post else desk_url("queue", base_url=base_url)
    link = "" if post else "Save it as a draft, and give its preview_url to a person. "
    if preview_url:
        link = f"Give this preview_url to a person: {preview_url} "
    return f"{link}A person reviews and publishes it {f'at the desk: {desk}' if desk else 'then.'}"


def to_decide(base_url: str) -> str:
    """Return what an actor without the scope ``publish`` can do for a proposal to be applied."""
    proposals = desk_url("proposals", base_url=base_url)
    return f"A person decides about the proposal{f' at the desk: {proposals}' if proposals else '.'}"


def to_change_in_place(base_url: str) -> str:
    """Return what an actor with the scope ``write`` alone can do to a scheduled or public post."""
    proposals = desk_url("proposals", base_url=base_url)
    at_desk = f" at the desk: {proposals}" if proposals else ""
    return f"Send the same call with propose: true: a person decides about the proposal{at_desk}."
