"""The label for AI involvement, the notices that readers see, and why a post waits for a review."""

from collections.abc import Collection
from typing import Final, NamedTuple, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from blog_engine.conf import get_settings
from blog_engine.content.options import ImageOrigin
from blog_engine.content.source_types import is_ai_source
from blog_engine.enums import AiDisclosure, Label, MarkKind, PostStatus, Provenance, ReviewReason
from blog_engine.models import ConnectionDeclaration, Post


class Labelled(Protocol):
    """The columns that a label follows from: of a post that ``with_review`` has annotated, or of a row."""

    @property
    def status(self) -> str: ...
    @property
    def provenance(self) -> str: ...
    @property
    def images_verified(self) -> bool: ...
    @property
    def is_reviewed(self) -> bool: ...
    @property
    def current_revision_identifier(self) -> str: ...
    @property
    def public_revision_identifier(self) -> str | None: ...


def label_of(post: Labelled, *, has_responsible_party: bool) -> Label:
    """Return the label of a post (``label.cleared``).

    Only a facts-checked approval of exactly the governing revision, on a blog that names a responsible
    party, with every image known by its digest, clears it.
    """
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return Label.NONE
    notice = Label.AI_ASSISTED if post.provenance == Provenance.AI_ASSISTED else Label.AI_UNKNOWN
    if notice is Label.AI_ASSISTED and get_settings().ai_label == "always":
        return notice
    cleared = has_responsible_party and post.images_verified and post.is_reviewed and _governs(post)
    return Label.NONE if cleared else notice


def _governs(post: Labelled) -> bool:
    """Return whether the current content decides the label: of a published post, only its public revision does."""
    if post.status != PostStatus.PUBLISHED:
        return True
    return post.public_revision_identifier == post.current_revision_identifier


def disclosure_of(post: Labelled) -> AiDisclosure | None:
    """Return what machines learn about the part of AI in a post, or ``None`` if it is not known (``label.disclosure``).

    Unlike the label, it asks for no responsible party and follows no setting, and an approval changes the word only.
    """
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return AiDisclosure.HUMAN_ONLY
    if post.provenance != Provenance.AI_ASSISTED:
        return None
    is_checked = post.is_reviewed and _governs(post)
    return AiDisclosure.AI_ASSISTED if is_checked else AiDisclosure.AI_AUTONOMOUS


def image_notice(source_type: str | None) -> str:
    """Return the notice for an image of an IPTC source type in the active language; empty if AI has no part in it.

    No approval of a post clears it: what is checked is a text.
    """
    if not is_ai_source(source_type):
        return ""
    return gettext("Image made with AI") if source_type == _MADE_BY_AI else gettext("Image made partly with AI")


def image_note(image: ImageOrigin) -> str:
    """Return the credit of an image and the notice about AI, as far as there are any, in the active language."""
    return " · ".join(text for text in (image.credit, image_notice(image.source_type)) if text)


_MADE_BY_AI: Final = "trainedAlgorithmicMedia"


PAID = _("A third party paid for this article.")

_ABOUT_AI: dict[Label, str | Promise] = {
    Label.AI_ASSISTED: _("AI helped to make this article."),
    Label.AI_UNKNOWN: _("It is not known whether AI helped to make this article."),
}


def ai_notice(label: Label) -> str | None:
    """Return the notice for a label in the active language, or ``None``."""
    sentence = _ABOUT_AI.get(label)
    return str(sentence) if sentence else None


def paid_notice(declaration: ConnectionDeclaration | None) -> str | None:
    """Return the notice for an article that the declaration calls paid, or ``None``."""
    return str(PAID) if declaration and declaration.third_party_paid else None


def notices_of(label: Label, declaration: ConnectionDeclaration | None) -> tuple[str, ...]:
    """Return the notices that readers see above an article: about AI, and about a payment."""
    return tuple(notice for notice in (ai_notice(label), paid_notice(declaration)) if notice)


class Mark(NamedTuple):
    """A mark of a post in lists."""

    kind: MarkKind
    """``ai`` or ``paid``."""
    word: str
    """What readers see."""
    sentence: str
    """What the mark means."""


def marks_of(label: Label, *, is_paid: bool) -> tuple[Mark, ...]:
    """Return the marks of a post in lists: about AI where it is known to have helped, and about a payment."""
    marks = []
    if label is Label.AI_ASSISTED:
        marks.append(Mark(MarkKind.AI, pgettext("seal", "AI"), str(_ABOUT_AI[Label.AI_ASSISTED])))
    if is_paid:
        marks.append(Mark(MarkKind.PAID, pgettext("notice", "Paid"), str(PAID)))
    return tuple(marks)


def review_reason(post: Post, *, checked: Collection[str], made_by_ai: bool) -> ReviewReason | None:
    """Return the most urgent reason why a post waits for a review, or ``None`` (desk.queue).

    ``checked`` are the identifiers of its revisions with a facts-checked approval; ``made_by_ai`` says whether AI made
    its present content.
    """
    if post.status == PostStatus.ARCHIVED or post.current_revision_identifier in checked:
        return None
    if post.review_requested_at is not None:
        return ReviewReason.REQUESTED
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return None
    if post.status == PostStatus.SCHEDULED:
        return ReviewReason.SCHEDULED
    if post.review_returned_at is not None:
        return None
    if checked:
        return ReviewReason.CHANGED
    is_by_ai = made_by_ai or post.provenance == Provenance.AI_ASSISTED
    return ReviewReason.AI_DRAFT if post.status == PostStatus.DRAFT and is_by_ai else None
