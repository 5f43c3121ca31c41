"""The words of the desk for the states of a post, its label, the reasons of a review and the kinds of change."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from blog_engine.enums import Change, Label, PostStatus, ReviewReason

STATES: Final[dict[PostStatus, Promise]] = {
    PostStatus.DRAFT: pgettext_lazy("status of a post", "Draft"),
    PostStatus.SCHEDULED: pgettext_lazy("status of a post", "Scheduled"),
    PostStatus.PUBLISHED: pgettext_lazy("status of a post", "Public"),
    PostStatus.ARCHIVED: pgettext_lazy("status of a post", "Archived"),
}

LABELS: Final[dict[Label, Promise]] = {
    Label.NONE: _("No notice"),
    Label.AI_ASSISTED: _("AI helped"),
    Label.AI_UNKNOWN: _("Not known whether AI helped"),
}
"""What the notice of a post tells readers about AI."""

REVIEW_REASONS: Final[dict[ReviewReason, Promise]] = {
    ReviewReason.REQUESTED: _("Review requested"),
    ReviewReason.SCHEDULED: _("Scheduled without approval"),
    ReviewReason.CHANGED: _("Changed since the approval"),
    ReviewReason.AI_DRAFT: _("Draft made with AI"),
}

KINDS_OF_CHANGE: Final[tuple[tuple[str, Promise], ...]] = (
    (Change.SUBSTANTIVE.value, _("Update: readers learn something new")),
    (Change.CORRECTION.value, _("Correction: something was wrong, and readers see a note")),
    (Change.MAINTENANCE.value, _("Maintenance: spelling, links or layout; the meaning stays")),
)
"""The choices for a change that readers see."""
