"""The words of the desk for the checks of the doctor and of the surface report; their messages are English."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from blog_engine.enums import CheckStatus, ReportResult

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
