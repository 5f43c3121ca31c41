"""The checks for markup of a body that readers do not see, or see as it is written."""

from django.utils.translation import gettext_noop as _

from blog_engine.conf import get_settings
from blog_engine.findings.base import Finding, Subject
from blog_engine.rendering.bodies import stored_facts


def html_dropped(subject: Subject) -> Finding | None:
    facts = stored_facts(subject.post.body_facts)
    if not facts["dropped_html"]:
        return None
    shown: dict[str, object] = {"html": ", ".join(facts["dropped_html"])}
    others = facts["dropped_html_count"] - len(facts["dropped_html"])
    if not others:
        message = _("Readers do not see this HTML: %(html)s. Write it in the markup that the body format allows.")
        return Finding.of("html_dropped", None, message, "body", values=shown)
    message = _(
        "Readers do not see this HTML: %(html)s and %(others)s more. "
        "Write it in the markup that the body format allows."
    )
    return Finding.of("html_dropped", None, message, "body", values=shown | {"others": others})


def url_unusable(subject: Subject) -> Finding | None:
    if not (found := stored_facts(subject.post.body_facts)["unusable_urls"]):
        return None
    message = _(
        "Readers do not see these images, and cannot follow these links: %(urls)s. "
        "Use a path of this site or a URL that begins with https://, and upload images that are nowhere else."
    )
    return Finding.of("url_unusable", None, message, "body", values={"urls": ", ".join(found)})


def formula_unreadable(subject: Subject) -> Finding | None:
    if not (found := stored_facts(subject.post.body_facts)["unreadable_tex"]):
        return None
    message = _("These formulas cannot be read and are shown as TeX: %(tex)s.")
    return Finding.of("formula_unreadable", None, message, "body", values={"tex": ", ".join(found)})


def footnote_unmatched(subject: Subject) -> Finding | None:
    if not (found := stored_facts(subject.post.body_facts)["lone_notes"]):
        return None
    message = _(
        "These footnotes lack their mark or their note: %(notes)s. Readers see a mark without a note as it is written, "
        "and do not see a note without a mark, or a second one of the same name."
    )
    return Finding.of("footnote_unmatched", None, message, "body", values={"notes": ", ".join(found)})


def hard_wrapped(subject: Subject) -> Finding | None:
    if not get_settings().markdown_hardbreaks or not stored_facts(subject.post.body_facts)["is_hard_wrapped"]:
        return None
    message = (
        "The lines of the body are wrapped at a column, and each line end is shown as a line break: "
        "join the lines of a paragraph, or set markdown_hardbreaks to False."
    )
    plain = _(
        "The lines of the text are wrapped at a column, and each line end is shown as a line break: "
        "join the lines of a paragraph."
    )
    return Finding.of("hard_wrapped", None, message, "body", plain=plain)
