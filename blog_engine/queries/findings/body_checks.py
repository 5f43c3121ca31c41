"""Findings about the headings of the body (records.md section 14)."""

from blog_engine.queries.findings.base import Finding, Subject
from blog_engine.queries.findings.facts import stored_facts


def heading_level_skipped(subject: Subject) -> Finding | None:
    headings = stored_facts(subject.post.body_facts)["headings"]
    for index in range(1, len(headings)):
        if headings[index]["level"] > headings[index - 1]["level"] + 1:
            message = "This heading is more than one level below the one before it."
            return Finding("heading_level_skipped", "T9", message, f"body.headings[{index}]")
    return None


def heading_h1_in_body(subject: Subject) -> Finding | None:
    for index, heading in enumerate(stored_facts(subject.post.body_facts)["headings"]):
        if heading["level"] == 1:
            message = "The title is the page's level-1 heading; start the body's headings at level 2."
            return Finding("heading_h1_in_body", "T10", message, f"body.headings[{index}]")
    return None
