"""What the API answers."""

from tests.requirements.rule import R

RULES = [
    R("object:card", "service.md 2", "A post card has exactly its 13 fields."),
    R("object:full-post", "service.md 2", "Single reads and write responses hold the full post, 35 fields."),
    R("object:status", "service.md 2", "status is one of draft, scheduled, published, archived."),
    R(
        "object:revision-identifier",
        "service.md 2",
        "The hexadecimal digest of the current revision; the public one is null for a draft.",
    ),
    R("object:approved", "service.md 2", "Whether the public revision has a facts-checked approval."),
    R(
        "object:preview",
        "service.md 2",
        "{preview_url, revision_identifier, expires_at} for drafts and scheduled posts; null for public and archived.",
    ),
    R("object:stored-text", "service.md 2", "Stored text is returned unchanged; faq is a list of {question, answer}."),
    R("object:timestamps", "decisions.md 4", "UTC with Z, seconds in post objects, milliseconds in history objects."),
    R("object:embedded", "service.md 2", "Author, category and series are embedded in their shapes, or null."),
    R(
        "object:write-envelope",
        "service.md 2",
        "Every post write returns {post, created, records, label, findings}; created is a boolean.",
    ),
    R(
        "object:records",
        "service.md 2",
        "records is {revision, publication, approval}; revision is new, same or null; a value is null when no record "
        "was made, and all three are for a plain draft save.",
    ),
    R("object:label", "service.md 2", "label is one of none, ai_assisted, ai_unknown; every post carries it."),
    R("object:label-cleared", "records.md 14", "A facts-checked approval of exactly this revision clears the label."),
    R(
        "object:finding",
        "service.md 2",
        "A finding is {code, rule, message, location}, listed as {findings: [...]}, "
        "such as description_absent (T8) and provenance_unknown (E18).",
    ),
    R("object:finding-positions", "decisions.md 8.2", "Finding locations count from 0."),
    R("object:findings-advise", "service.md 1", "Every write returns findings. Findings never block a write."),
    R(
        "object:history",
        "service.md 2",
        "{revisions, approvals, publications, baseline, connections}, in insertion order; an absent baseline is null.",
    ),
    R("object:history-rows", "service.md 2", "Revisions, approvals, publications and declarations have their fields."),
]
