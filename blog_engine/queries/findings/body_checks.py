"""Findings about headings and images in the body (records.md section 14)."""

from urllib.parse import urlsplit

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


def image_alt_absent(subject: Subject) -> Finding | None:
    message = "Describe the image in words for readers who cannot see it."
    if subject.post.cover_image_id and not subject.post.cover_alt.strip():
        return Finding("image_alt_absent", "T13", message, "cover_alt")
    for index, image in enumerate(stored_facts(subject.post.body_facts)["images"]):
        if not image["alt"].strip():
            return Finding("image_alt_absent", "T13", message, f"body.images[{index}].alt")
    return None


def image_external(subject: Subject) -> Finding | None:
    base = get_settings().public_base_url
    own_host = urlsplit(base).hostname if base else None
    for index, image in enumerate(stored_facts(subject.post.body_facts)["images"]):
        host = urlsplit(image["src"]).hostname
        if host and host != own_host:
            message = "The image is fetched from another site, which can change or lose it; upload it instead."
            return Finding("image_external", "E19", message, f"body.images[{index}]")
    return None
