"""The fixed words of the domain, shared by inputs, tables and answers (service.md sections 2 and 3)."""

from enum import StrEnum


class PostStatus(StrEnum):
    """Where a post stands; only published posts are public."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLISHED = "published"
    ARCHIVED = "archived"


class BodyFormat(StrEnum):
    """How the text of a body is written."""

    MARKDOWN = "markdown"
    RICH_TEXT = "rich_text"


class Provenance(StrEnum):
    """Who wrote the content, as far as the editors say."""

    AI_ASSISTED = "ai_assisted"
    HUMAN_WRITTEN = "human_written"
    UNKNOWN = "unknown"


class Label(StrEnum):
    """The AI-involvement label of a post (records.md section 14)."""

    NONE = "none"
    AI_ASSISTED = "ai_assisted"
    AI_UNKNOWN = "ai_unknown"


class Change(StrEnum):
    """How a client describes a change to public content."""

    SUBSTANTIVE = "substantive"
    CORRECTION = "correction"
    MAINTENANCE = "maintenance"


class EntryType(StrEnum):
    """The kind of a publication record."""

    FIRST = "first"
    SUBSTANTIVE = "substantive"
    CORRECTION = "correction"
    MAINTENANCE = "maintenance"
    ADOPTED = "adopted"


class ApprovalKind(StrEnum):
    """How the engine learned of an approval."""

    SENT = "sent"
    IMPORTED = "imported"
    DECLARED = "declared"


class RedirectSource(StrEnum):
    """What made a redirect row."""

    SLUG_CHANGE = "slug_change"
    REMOVAL = "removal"
    UNPUBLISH = "unpublish"
    ADOPTION = "adoption"
    MANUAL = "manual"


class PolicyKind(StrEnum):
    """The four policy pages (service.md section 4.1)."""

    RESPONSIBLE_PARTY = "responsible_party"
    CORRECTIONS = "corrections"
    EDITORIAL = "editorial"
    AI_USE = "ai_use"


class PolicyStatus(StrEnum):
    """Whether a policy page is public."""

    DRAFT = "draft"
    PUBLISHED = "published"


class ListKind(StrEnum):
    """The records that have a page of their posts; the names are those of ``route_segments``."""

    CATEGORY = "category"
    TAG = "tag"
    AUTHOR = "author"
    SERIES = "series"


class FeedFormat(StrEnum):
    """The formats of feeds, as their addresses end."""

    ATOM = "xml"
    JSON = "json"


class AuthorType(StrEnum):
    """Whether an author is a person or an organization."""

    PERSON = "person"
    ORGANIZATION = "organization"


class CheckStatus(StrEnum):
    """What a check of the doctor found."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class ReportScope(StrEnum):
    """What a surface report looks at (records.md section 16)."""

    SITE = "site"
    POST = "post"
    ALL = "all"


class ReportRows(StrEnum):
    """Which results a surface report lists."""

    PROBLEMS = "problems"
    ALL = "all"


class ReportResult(StrEnum):
    """What a check of the surface report found (records.md section 16)."""

    PASS = "pass"  # noqa: S105  # the report's own word
    FAIL = "fail"
    NOT_APPLICABLE = "not applicable"
    NOT_VERIFIED = "not verified"


class FaqClass(StrEnum):
    """What to do with the FAQ that was found in a body (records.md section 13)."""

    NONE = "none"
    CLEAN = "clean"
    REVIEW = "review"


class FaqReason(StrEnum):
    """Why a person should look at an extracted FAQ (records.md section 13)."""

    FAQ_HEADING_IN_CODE = "faq_heading_in_code"
    MULTIPLE_FAQ_HEADINGS = "multiple_faq_headings"
    STANDALONE_QUESTION = "standalone_question"
    MARKDOWN_IN_QUESTION = "markdown_in_question"
    QUESTION_WITHOUT_QUESTION_MARK = "question_without_question_mark"
    ANSWER_ABSENT = "answer_absent"
    MULTILINE_BOLD_ANSWER = "multiline_bold_answer"
    HEADING_IN_ANSWER = "heading_in_answer"
    MARKDOWN_IN_ANSWER = "markdown_in_answer"
    DUPLICATE_QUESTION = "duplicate_question"
    LEFTOVER_TEXT = "leftover_text"
    QUESTIONS_ABSENT = "questions_absent"
