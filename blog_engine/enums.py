"""The enumerations of the API, shared by inputs, models and answers."""

from enum import StrEnum


class PostStatus(StrEnum):
    """The status of a post; only published posts are public."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLISHED = "published"
    ARCHIVED = "archived"


class AnswerExtent(StrEnum):
    """The extent of the answer to a write."""

    FULL = "full"
    SHORT = "short"


class BodyFormat(StrEnum):
    """The format of a body."""

    MARKDOWN = "markdown"
    RICH_TEXT = "rich_text"


class Provenance(StrEnum):
    """The origin of the content, as declared by the editors."""

    AI_ASSISTED = "ai_assisted"
    HUMAN_WRITTEN = "human_written"
    UNKNOWN = "unknown"


class Label(StrEnum):
    """The label of a post for the involvement of AI (label.values)."""

    NONE = "none"
    AI_ASSISTED = "ai_assisted"
    AI_UNKNOWN = "ai_unknown"


class AiDisclosure(StrEnum):
    """The part of AI in a text, as the head of an article tells it to machines (label.disclosure)."""

    HUMAN_ONLY = "human-only"
    AI_ASSISTED = "ai-assisted"
    AI_AUTONOMOUS = "ai-autonomous"


class MarkKind(StrEnum):
    """The subject of a mark of a post in lists (pages.cards.marks)."""

    AI = "ai"
    PAID = "paid"


class Change(StrEnum):
    """The kind of a change to public content, as declared by the client."""

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


class ImageUseKind(StrEnum):
    """The use of an image: a field of a post or of an author."""

    COVER_IMAGE = "cover_image"
    SOCIAL_IMAGE = "social_image"
    BODY = "body"
    AVATAR = "avatar"


class ActorKind(StrEnum):
    """The kinds of actors (history.actors)."""

    PERSON = "person"
    """A signed-in user of the host."""
    TOKEN = "token"  # noqa: S105 - a word
    SYSTEM = "system"
    """A command, a task or an import."""


class ApprovalKind(StrEnum):
    """The source of an approval."""

    SENT = "sent"
    IMPORTED = "imported"
    DECLARED = "declared"


class RecordKind(StrEnum):
    """The kinds of records in the chain of a post (proof.records)."""

    REVISION = "revision"
    BASELINE = "baseline"
    DECLARATION = "declaration"
    KEY = "key"
    APPROVAL = "approval"
    SIGNATURE = "signature"
    STATUS = "status"
    PUBLICATION = "publication"
    PROPOSAL = "proposal"
    PROPOSAL_EVENT = "proposal_event"
    REPLACED = "replaced"


class ProposalState(StrEnum):
    """The state of a proposal (proposals.states); outdated is worked out when it is read."""

    OPEN = "open"
    SCHEDULED = "scheduled"
    OUTDATED = "outdated"
    APPLIED = "applied"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


LISTED_STATES = tuple(state for state in ProposalState if state is not ProposalState.OUTDATED)
"""The states that lists filter by: an outdated proposal is listed by the state that it has otherwise."""


class ProposalEventKind(StrEnum):
    """An event of a proposal; the last three decide it."""

    REBASED = "rebased"
    SCHEDULED = "scheduled"
    UNSCHEDULED = "unscheduled"
    APPLIED = "applied"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class NamedVersion(StrEnum):
    """A version of a post that callers can name without an identifier."""

    PUBLIC = "public"
    DRAFT = "draft"


class ReviewReason(StrEnum):
    """The reason for which a post waits for a review, the most urgent first (desk.queue)."""

    REQUESTED = "requested"
    SCHEDULED = "scheduled"
    CHANGED = "changed"
    AI_DRAFT = "ai_draft"


class ReviewState(StrEnum):
    """The turn of a post under review: of a reviewer, or of its writers (reviews.object)."""

    REQUESTED = "requested"
    RETURNED = "returned"


class RemarkKind(StrEnum):
    """The kind of an entry in the conversation about a post."""

    REQUEST = "request"
    RETURN = "return"
    REMARK = "remark"
    ANSWER = "answer"


class RedirectSource(StrEnum):
    """The event that created a redirect."""

    SLUG_CHANGE = "slug_change"
    REMOVAL = "removal"
    UNPUBLISH = "unpublish"
    ADOPTION = "adoption"
    MANUAL = "manual"


class PolicyKind(StrEnum):
    """The kinds of policy pages."""

    RESPONSIBLE_PARTY = "responsible_party"
    CORRECTIONS = "corrections"
    EDITORIAL = "editorial"
    AI_USE = "ai_use"


class SitePage(StrEnum):
    """The pages of the blog that callers read: the policies, and the house style."""

    RESPONSIBLE_PARTY = "responsible_party"
    CORRECTIONS = "corrections"
    EDITORIAL = "editorial"
    AI_USE = "ai_use"
    HOUSE_STYLE = "house_style"


class PolicyStatus(StrEnum):
    """The status of a policy page."""

    DRAFT = "draft"
    PUBLISHED = "published"


class ListKind(StrEnum):
    """The records with a page of posts; the values are keys of ``route_segments``."""

    CATEGORY = "category"
    TAG = "tag"
    AUTHOR = "author"
    SERIES = "series"


class FeedFormat(StrEnum):
    """The formats of feeds; the values are the suffixes of their URLs."""

    ATOM = "xml"
    JSON = "json"


class AuthorType(StrEnum):
    """The type of an author: a person or an organization."""

    PERSON = "person"
    ORGANIZATION = "organization"


class CheckStatus(StrEnum):
    """The result of a check of the doctor."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class EventType(StrEnum):
    """The type of an event that webhooks report (webhooks.types)."""

    PUBLISHED = "post.published"
    UPDATED = "post.updated"
    CORRECTED = "post.corrected"
    WITHDRAWN = "post.withdrawn"
    REMOVED = "post.removed"
    PROPOSED = "proposal.made"
    REVIEW_REQUESTED = "review.requested"
    REVIEW_RETURNED = "review.returned"


class ReportScope(StrEnum):
    """The scope of a surface report."""

    SITE = "site"
    POST = "post"
    ALL = "all"


class ReportRows(StrEnum):
    """The results that a surface report lists."""

    PROBLEMS = "problems"
    ALL = "all"


class ReportResult(StrEnum):
    """The result of a check of the surface report."""

    PASS = "pass"  # noqa: S105  # the report's own word
    FAIL = "fail"
    NOT_APPLICABLE = "not applicable"
    NOT_VERIFIED = "not verified"


class FaqClass(StrEnum):
    """The class of an FAQ that was extracted from a body."""

    NONE = "none"
    CLEAN = "clean"
    REVIEW = "review"


class FaqReason(StrEnum):
    """A reason for a person to review an extracted FAQ."""

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


class EmbedProvider(StrEnum):
    """Sites whose content readers can load in an article."""

    YOUTUBE = "youtube"
    VIMEO = "vimeo"
    SPOTIFY = "spotify"
    CODEPEN = "codepen"


class ShareTarget(StrEnum):
    """A service where the reader of an article can share it."""

    LINK = "link"
    EMAIL = "email"
    MASTODON = "mastodon"
    BLUESKY = "bluesky"
    LINKEDIN = "linkedin"
    X = "x"


class SourceTypeFrom(StrEnum):
    """The source of the digital source type of an image: its file, or a caller."""

    FILE = "file"
    SENT = "sent"
