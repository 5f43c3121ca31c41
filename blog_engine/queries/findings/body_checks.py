"""Findings about the headings and the markup of the body (records.md section 14)."""

from blog_engine.conf import get_settings
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


def html_dropped(subject: Subject) -> Finding | None:
    facts = stored_facts(subject.post.body_facts)
    if not facts["dropped_html"]:
        return None
    lost = ", ".join(facts["dropped_html"])
    others = facts["dropped_html_count"] - len(facts["dropped_html"])
    more = f" and {others} more" if others else ""
    message = f"Readers do not see this HTML: {lost}{more}. Write it in the markup that the body format allows."
    return Finding("html_dropped", None, message, "body")


def hard_wrapped(subject: Subject) -> Finding | None:
    if not get_settings().markdown_hardbreaks or not stored_facts(subject.post.body_facts)["is_hard_wrapped"]:
        return None
    message = (
        "The lines of the body are wrapped at a column, and each line end is shown as a line break: "
        "join the lines of a paragraph, or set markdown_hardbreaks to False."
    )
    return Finding("hard_wrapped", None, message, "body")
