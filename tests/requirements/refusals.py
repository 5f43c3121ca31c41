"""What a refusal looks like, and when each code is given."""

from tests.requirements.rule import R

RULES = [
    R("refusal:envelope", "service.md 7", "{error: {code, message, details}}; details is always an array."),
    R("refusal:status", "service.md 7", "Each code has its HTTP status."),
    R(
        "refusal:internal",
        "service.md 7",
        "An unexpected exception is internal_error with status 500, a tool result in a tool call; it is logged, and "
        "the answer tells nothing of it.",
    ),
    R("refusal:nothing-written", "records.md 4", "A refused write leaves no row of any table and no file."),
    R("refusal:not-found", "service.md 7", "404 for a missing record."),
    R(
        "refusal:correction-note",
        "service.md 7",
        "correction_note_required: a correction is sent without a note.",
    ),
    R(
        "refusal:by-host",
        "service.md 7",
        "refused_by_host: the host publication hook refuses; its messages are in details.",
    ),
    R("refusal:body-format", "service.md 2", "Other formats may be refused with body_format_not_permitted."),
    R("refusal:revision-mismatch", "service.md 4.1", "revision_mismatch applies on a conflict of an approval."),
    R("refusal:post-is-public", "records.md 3", "post_is_public: a draft save whose target is published."),
    R("refusal:slug-reserved", "records.md 3", "slug_reserved: the blog's own addresses and those of other redirects."),
    R(
        "refusal:slug-not-supported",
        "decisions.md 3.1",
        "A sent post slug that is not slug-shaped: slug_not_supported.",
    ),
    R("refusal:identity-conflict", "decisions.md 3.2", "identity_conflict names the field that collides."),
    R("refusal:approval-incomplete", "records.md 3", "approval_incomplete: no object, no name, or no boolean answer."),
    R("refusal:approval-required", "records.md 5.4", "approval_required: the blog requires one for exactly this text."),
    R(
        "refusal:image-not-permitted",
        "service.md 7",
        "image_not_permitted for an image that is not accepted; null is.",
    ),
    R(
        "refusal:names",
        "decisions.md 9",
        "details name what the client sent: of a fault inside a list or object the top-level field, "
        "of a derived slug that fails the field it was derived from.",
    ),
    R("refusal:all-fields", "decisions.md 3.20", "All faulty fields are named, in the order of the input definition."),
    R(
        "refusal:precedence",
        "decisions.md 9",
        "unknown_field (all levels), validation_failed (all fields), approval_incomplete, image_not_permitted, "
        "body_format_not_permitted.",
    ),
]
