"""Refusals of services in the language of the page."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from blog_engine.errors import Refusal

_OF_FIELDS: Final[dict[tuple[str, str], Promise]] = {
    ("identity_conflict", "slug"): _("Another post has this slug."),
    ("slug_reserved", "slug"): _("This path is reserved or already in use."),
    ("validation_failed", "name"): _("Another record has this name, or the slug made from it."),
    ("validation_failed", "slug"): _("Another record has this slug."),
    ("validation_failed", "target"): _("Choose another one."),
    ("validation_failed", "language"): _("Another version of the post has this language."),
    ("validation_failed", "translation_of"): _("Enter the slug of another post."),
    ("validation_failed", "posts"): _("The series has other posts or another order by now. Nothing was saved."),
    ("validation_failed", "old_path"): _(
        "Enter a path that starts with one / and has no space. Each path has one redirect: delete the other one first."
    ),
    ("validation_failed", "new_path"): _("Enter a slug, a path or a URL that does not lead back to the old path."),
    ("validation_failed", "redirect_to"): _("Enter a slug, a path or a URL that does not lead back to this post."),
    ("slug_not_supported", "slug"): _("Use lower-case letters, digits and single hyphens."),
}
"""Sentences for a code and the field that the refusal names."""

_OF_CODES: Final[dict[str, Promise]] = {
    "not_found": _("This record does not exist any more. Nothing was saved."),
    "scope_required": _("You do not have the permission to do this. Nothing was saved."),
    "revision_mismatch": _("The post was changed in the meantime. Nothing was saved."),
    "change_type_required": _("This changes what readers see: choose the kind of change."),
    "correction_note_required": _("A correction needs a note that says what was wrong."),
    "approval_required": _(
        "This blog publishes such a post only once a reviewer has checked the facts of exactly this version."
    ),
    "approval_incomplete": _("Enter the name of the reviewer, and say whether the facts were checked."),
    "post_is_public": _("The post is public: it cannot be saved as a draft."),
    "proposal_decided": _("Somebody has decided about this proposal already. Nothing was done."),
    "proposal_outdated": _("The post was changed, and the proposal does not fit any more. Nothing was done."),
    "busy": _("The database is busy. Nothing was saved: try again in a moment."),
    "unavailable": _("A service that this needs is out of reach. Nothing was saved: try again later."),
}


def sentence_for(refusal: Refusal, field: str | None) -> str:
    """Return what a form says about a refusal at a field, or in general; without own words, the engine's English."""
    own = _OF_FIELDS.get((refusal.code, field or "")) or _OF_CODES.get(refusal.code)
    return str(own) if own else refusal.hint or str(refusal)
