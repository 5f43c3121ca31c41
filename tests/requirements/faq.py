"""FAQ proposals."""

from tests.requirements.rule import R

RULES = [
    R("faq:answer", "service.md 2", "pairs, cut, body_after, leftover, class, reasons, source_body_sha256."),
    R(
        "faq:input",
        "service.md 4.1",
        "It takes body and optional standalone_questions; unknown fields are refused first.",
    ),
    R("faq:faults", "records.md 13", "A fault of either field names both."),
    R(
        "faq:read",
        "service.md 4.1",
        "POST /faq_extractions needs read, and goes on without the cache as any reading does.",
    ),
    R("faq:applies-nothing", "service.md 4.1", "It returns proposed text changes and applies nothing."),
    R("faq:size", "decisions.md 3.11", "A body over max_body_bytes is refused as that of a post."),
    R(
        "faq:offsets",
        "records.md 13",
        "Offsets are UTF-8 bytes, end exclusive; the digest is that of the submitted bytes.",
    ),
    R(
        "faq:sections",
        "records.md 13",
        "A section runs from the first FAQ heading of level 2 or 3 to the next heading of level 2.",
    ),
    R("faq:code", "records.md 13", "Headings in code announce, ask and end nothing."),
    R(
        "faq:standalone",
        "records.md 13",
        "A heading of level 2 that is exactly in standalone_questions is a section of its own.",
    ),
    R(
        "faq:questions",
        "records.md 13",
        "Questions are headings of level 4, else of level 3, else bold beginnings of lines.",
    ),
    R(
        "faq:plain",
        "records.md 13",
        "Markdown in questions and answers becomes plain text; plain answers stay as written.",
    ),
    R("faq:reasons", "records.md 13", "Twelve reasons, each once, in the order of discovery."),
    R("faq:class", "records.md 13", "review if there is a reason, else clean if something was cut, else none."),
    R("faq:rest", "records.md 13", "body_after is the body without its cuts; extracting it again finds nothing more."),
    R("faq:hostile", "decisions.md 9.22", "Hostile bodies at the limit are read."),
]
