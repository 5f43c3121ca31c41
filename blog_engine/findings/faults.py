"""The checks for faults that language models make in texts; ``content.faults`` knows them by their signs."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.utils.translation import gettext_noop as _

from blog_engine.conf import get_settings
from blog_engine.content.fault_signs import FaultCode
from blog_engine.findings.base import Finding, Subject


def escapes_in_text(subject: Subject) -> Iterable[Finding]:
    message = _(
        "Readers see escapes as they are written: “%(shown)s”. Put real line breaks and characters in their place."
    )
    return _found(subject, FaultCode.ESCAPES, message)


def markup_in_text(subject: Subject) -> Iterable[Finding]:
    message = _(
        "Readers see markup as it is written here: “%(shown)s”. Write plain text, with & and quotes as they are."
    )
    found = _found(subject, FaultCode.MARKUP, message)
    if not subject.has_marked_tag:
        return found
    of_tags = _("Readers see markup in the name of a tag as it is written. Write plain text, with & as it is.")
    return [*found, Finding.of("markup_in_text", None, of_tags, "tags")]


def placeholder_left(subject: Subject) -> Iterable[Finding]:
    message = _("This is still to be filled in: “%(shown)s”. Write what belongs there, or take it out.")
    return _found(subject, FaultCode.PLACEHOLDER, message)


def chat_remark_left(subject: Subject) -> Iterable[Finding]:
    message = _(
        "“%(shown)s” reads like the words of a chat program to the one who asked. Take out what is not for readers."
    )
    return _found(subject, FaultCode.CHAT, message)


def citation_mark_left(subject: Subject) -> Iterable[Finding]:
    message = _("“%(shown)s” is a mark of a chat program where it cites. Link the source itself, or take the mark out.")
    of_link = _("The link says that a chat program sent the reader. Take utm_source out of it: %(shown)s")
    return _found(subject, FaultCode.CITATION, message, of_link=of_link)


def link_placeholder(subject: Subject) -> Iterable[Finding]:
    message = _("This link is an example that leads readers nowhere. Put the real URL in its place, or take it out.")
    return _found(subject, FaultCode.LINK, message)


def body_fenced(subject: Subject) -> Iterable[Finding]:
    message = _("The whole body is one block of code. Take out its first line, %(shown)s, and its last one.")
    return _found(subject, FaultCode.FENCED, message)


def front_matter_in_body(subject: Subject) -> Iterable[Finding]:
    message = (
        "Readers see metadata at the start of the body: “%(shown)s”. "
        "Send title, description, slug, tags and the like as fields, and take these lines out."
    )
    plain = _(
        "Readers see metadata at the start of the text: “%(shown)s”. "
        "Enter title, description, tags and the like in their fields, and take these lines out."
    )
    return _found(subject, FaultCode.FRONT_MATTER, message, plain=plain)


def heading_repeats_title(subject: Subject) -> Finding | None:
    if not subject.begins_with_title:
        return None
    message = _("The page shows the title above the body already. Take out the heading that repeats it.")
    return Finding.of("heading_repeats_title", "T10", message, "body.headings[0]")


def _found(
    subject: Subject, code: FaultCode, message: str, *, of_link: str = "", plain: str | None = None
) -> list[Finding]:
    return [
        Finding.of(
            code.value,
            None,
            of_link if of_link and fault.is_link else message,
            location,
            values={"shown": fault.shown},
            plain=plain,
        )
        for location, fault in subject.faults
        if fault.code is code and not (fault.is_link and _leads_to_this_blog(fault.shown))
    ]


def _leads_to_this_blog(href: str) -> bool:
    base = get_settings().public_base_url
    return (
        base is not None and href.startswith(("http://", "https://")) and urlsplit(href).netloc == urlsplit(base).netloc
    )
