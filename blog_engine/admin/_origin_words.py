"""The one question of the editor about AI, and what its answer stores: the provenance, and who made this version."""

from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from blog_engine.enums import Provenance
from blog_engine.models import Post

MADE_BY_AI: Final = "made_by_ai"
"""The answer that AI wrote it: the provenance is ``ai_assisted``, and AI made this version."""

ORIGINS: Final = [
    (Provenance.HUMAN_WRITTEN.value, _("By a person")),
    (Provenance.AI_ASSISTED.value, _("By a person with AI")),
    (MADE_BY_AI, _("By AI")),
    (Provenance.UNKNOWN.value, _("Not known")),
]
"""The answers, with their words."""

ASK_FOR_ORIGIN: Final = _("Until somebody says it, readers are told that it is not known whether AI helped.")


def answer_about_ai(post: Post) -> str:
    """Return the answer that a post shows."""
    is_by_ai = post.provenance == Provenance.AI_ASSISTED and post.unrecorded_made_by_ai
    return MADE_BY_AI if is_by_ai else post.provenance


def stored_origin(answer: str) -> dict[str, Any]:
    """Return the fields of an input for an answer."""
    if answer == MADE_BY_AI:
        return {"provenance": Provenance.AI_ASSISTED.value, "made_by_ai": True}
    if answer == Provenance.HUMAN_WRITTEN:
        return {"provenance": answer, "made_by_ai": False}
    return {"provenance": answer, "made_by_ai": None}


def origin_fault(post: Post | None, answer: str) -> str:
    """Return why a post cannot have an answer: text that AI made stays so until the history records it."""
    if post is None or not post.unrecorded_made_by_ai or answer in {MADE_BY_AI, Provenance.UNKNOWN}:
        return ""
    return gettext(
        "AI made this version. Another answer is possible once a signature or a publication has recorded it."
    )
