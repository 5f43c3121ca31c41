"""The words of the desk for states, labels, kinds of change, times, refusals, and the results of checks."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from blog_engine.enums import Change, CheckStatus, Label, PostStatus, ReportResult, ReviewReason
from blog_engine.errors import NameOfAnother, NameOfUser, PersonMustApprove, Refusal, SignatureNeeded, WriterApproves
from blog_engine.rules.dates import date_and_time

STATES: Final[Mapping[str, Promise]] = {
    PostStatus.DRAFT: pgettext_lazy("status of a post", "Draft"),
    PostStatus.SCHEDULED: pgettext_lazy("status of a post", "Scheduled"),
    PostStatus.PUBLISHED: pgettext_lazy("status of a post", "Public"),
    PostStatus.ARCHIVED: pgettext_lazy("status of a post", "Archived"),
}

LABELS: Final[Mapping[str, Promise]] = {
    Label.NONE: _("No notice"),
    Label.AI_ASSISTED: _("AI helped"),
    Label.AI_UNKNOWN: _("Not known whether AI helped"),
}
"""What the notice of a post tells readers about AI."""

REVIEW_REASONS: Final[Mapping[str, Promise]] = {
    ReviewReason.REQUESTED: _("Review requested"),
    ReviewReason.SCHEDULED: _("Scheduled without approval"),
    ReviewReason.CHANGED: _("Changed since the approval"),
    ReviewReason.AI_DRAFT: _("Draft made with AI"),
}

SHORT_LABELS: Final[Mapping[str, Promise]] = {
    Label.NONE: _("No notice"),
    Label.AI_ASSISTED: _("AI helped"),
    Label.AI_UNKNOWN: pgettext_lazy("AI notice", "AI unknown"),
}
SHORT_REVIEW_REASONS: Final[Mapping[str, Promise]] = {
    ReviewReason.REQUESTED: pgettext_lazy("mark of a post", "Asked for"),
    ReviewReason.SCHEDULED: pgettext_lazy("mark of a post", "Not approved"),
    ReviewReason.CHANGED: pgettext_lazy("mark of a post", "Changed"),
    ReviewReason.AI_DRAFT: pgettext_lazy("mark of a post", "Made with AI"),
}
"""The words of lists, in which a post has two lines."""

KINDS_OF_CHANGE: Final[tuple[tuple[str, Promise], ...]] = (
    (Change.SUBSTANTIVE.value, _("Update: readers learn something new")),
    (Change.CORRECTION.value, _("Correction: something was wrong, and readers see a note")),
    (Change.MAINTENANCE.value, _("Maintenance: spelling, links or layout; the meaning stays")),
)
"""The choices for a change that readers see."""


def status_name(status: str) -> str:
    """Return the name of a status; of another word that word."""
    return str(STATES.get(status, status))


def shown_moment(moment: datetime | None) -> str:
    """Return a time in the words of the language, in the site's time zone."""
    return gettext("an unknown time") if moment is None else date_and_time(moment)


_REFUSALS_OF_FIELDS: Final[dict[tuple[str, str], Promise]] = {
    ("identity_conflict", "slug"): _("Another post has this URL."),
    ("slug_reserved", "slug"): _("This path is reserved or already in use."),
    ("validation_failed", "name"): _("Another record has this name."),
    ("validation_failed", "slug"): _("Another record has this URL."),
    ("validation_failed", "user"): _("Another author belongs to this user."),
    ("validation_failed", "target"): _("Choose another one."),
    ("validation_failed", "language"): _("Another version of the post has this language."),
    ("validation_failed", "translation_of"): _("No other post has this last part of the URL."),
    ("validation_failed", "posts"): _("The series has other posts or another order by now. Nothing was saved."),
    ("validation_failed", "old_path"): _("This path cannot have a redirect."),
    ("validation_failed", "new_path"): _("This leads back to the old path: enter another target."),
    ("validation_failed", "redirect_to"): _("This leads back to this post: enter another target."),
    ("validation_failed", "review"): _(
        "The post is approved or removed by now, or its conversation is too long. Nothing was saved."
    ),
    ("validation_failed", "review.passage"): _("The text does not have this passage. Quote it exactly."),
    ("validation_failed", "review.person"): _("This person cannot sign reviews any more. Choose another one."),
    ("validation_failed", "text"): _("This is too long, or has characters that cannot be stored. Nothing was saved."),
    ("validation_failed", "remark"): _("This remark does not exist any more. Nothing was saved."),
    ("validation_failed", "review.remark"): _("This remark does not exist any more. Nothing was saved."),
    ("slug_not_supported", "slug"): _("Use lower-case letters, digits and single hyphens."),
}
"""Sentences for a code and the field that the refusal names."""

_REFUSALS: Final[dict[str, Promise]] = {
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


_REFUSALS_OF_KIND: Final[dict[type[Refusal], Promise]] = {
    NameOfUser: _("A user of this site has this name. Choose one that says which program it is."),
    PersonMustApprove: _("Only a person with an active account of this site signs here."),
    SignatureNeeded: _("This blog takes only signatures with a passkey. Nothing was signed: register a passkey first."),
    NameOfAnother: _("A signature has the name of your account. Load the page again."),
    WriterApproves: _("You wrote this version: on this blog another person signs it."),
}
"""Sentences for refusals that share their code with others."""


def sentence_for(refusal: Refusal, field: str | None) -> str:
    """Return what a form says about a refusal at a field, or in general; without own words, the engine's English."""
    own = (
        _REFUSALS_OF_KIND.get(type(refusal))
        or _REFUSALS_OF_FIELDS.get((refusal.code, field or ""))
        or _REFUSALS.get(refusal.code)
    )
    return str(own) if own else refusal.hint or str(refusal)


STATUS_WORDS: Final[dict[CheckStatus, Promise]] = {
    CheckStatus.OK: pgettext_lazy("result of a check", "In order"),
    CheckStatus.WARNING: pgettext_lazy("result of a check", "Warning"),
    CheckStatus.ERROR: pgettext_lazy("result of a check", "Error"),
}

RESULT_WORDS: Final[dict[ReportResult, Promise]] = {
    ReportResult.PASS: pgettext_lazy("result of a check", "Passed"),
    ReportResult.FAIL: pgettext_lazy("result of a check", "Failed"),
    ReportResult.NOT_VERIFIED: pgettext_lazy("result of a check", "Not verified"),
    ReportResult.NOT_APPLICABLE: pgettext_lazy("result of a check", "Does not apply"),
}

RESULT_KINDS: Final[dict[ReportResult, CheckStatus | None]] = {
    ReportResult.PASS: CheckStatus.OK,
    ReportResult.FAIL: CheckStatus.ERROR,
    ReportResult.NOT_VERIFIED: CheckStatus.WARNING,
    ReportResult.NOT_APPLICABLE: None,
}
"""The results that look like a status of the doctor."""

PROBE_WORDS: Final[dict[str, Promise]] = {
    "Configuration": _("Settings"),
    "Migrations": _("Database tables"),
    "Route": _("URLs of the blog"),
    "Templates": pgettext_lazy("admin", "Templates"),
    "Theme": _("Theme"),
    "Static files": _("Styles and scripts"),
    "Authentication": _("Sign-in of programs"),
    "Rate limit": _("Rate limit"),
    "Schedule": _("Scheduled posts"),
    "Storage": _("Storage of images"),
    "Policy pages": _("Policy pages"),
    "Records": _("Records and history"),
    "Social pictures": _("Pictures of shared links"),
    "Declarations": _("Declared connections"),
}

PREDICATE_WORDS: Final[dict[str, Promise]] = {
    "E1": _("Author on the page"),
    "E3": _("Link of the author"),
    "E4": _("Responsible party"),
    "E5": _("Date of publication"),
    "E6": _("Date of the last change"),
    "E7": _("Corrections"),
    "E8": _("Policy on corrections"),
    "E16": _("Editorial policy"),
    "E17": _("Policy on the use of AI"),
    "E18": _("Review of the facts"),
    "E19": _("Page shows the approved content"),
    "E20": _("Notice about AI"),
    "E21": _("Declared connections"),
    "E22": _("Notice of payment"),
    "T1": _("Open to search engines"),
    "T2": _("Secure connection"),
    "T3": _("Canonical URL"),
    "T4": pgettext_lazy("admin", "Redirects"),
    "T5": _("Sitemap"),
    "T6": _("Feeds"),
    "T7": _("Title for search engines"),
    "T8": _("Description for search engines"),
    "T9": _("Levels of headings"),
    "T10": _("Main heading"),
    "T11": _("Language of the page"),
    "T12": _("Width on phones"),
    "T13": _("Texts of images"),
    "T14": _("Links of the page"),
    "T15": _("Structured data of the article"),
    "T16": _("Structured data as on the page"),
    "T17": _("Preview of shared links"),
    "T21": _("List pages"),
}
