"""The checks of facts that only the write itself knows (findings.of-a-write)."""

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext_noop as _

from blog_engine.findings.base import Finding, Subject

_NOT_ADDED: Final = frozenset({"note", "propose"})


def author_default_used(subject: Subject) -> Finding | None:
    if not subject.write.author_defaulted:
        return None
    message = "No author was sent, so the blog's default author signs."
    plain = _("No author was chosen, so the blog's default author signs.")
    return Finding.of("author_default_used", "E1", message, "author", plain=plain)


def approval_incomplete(subject: Subject) -> Finding | None:
    if not subject.write.facts_unchecked:
        return None
    message = _("The approval says that the facts were not checked, so it does not clear the AI notice.")
    return Finding.of("approval_incomplete", "E18", message, "approval.facts_checked")


def slug_changed(subject: Subject) -> Finding | None:
    if not subject.write.slug_moved:
        return None
    return Finding.of(
        "slug_changed", "T4", _("The path of a public post changed; the old path redirects to the new one."), "slug"
    )


def note_not_recorded(subject: Subject) -> Iterable[Finding]:
    message = "This write recorded no publication, so the history does not keep it: send it with the release."
    plain = _("Nothing was published, so the history does not keep it: enter it when you publish.")
    return [Finding.of("note_not_recorded", None, message, name, plain=plain) for name in subject.write.unrecorded]


def date_not_recorded(subject: Subject) -> Iterable[Finding]:
    message = "The time was sent without evidence, so it was not kept: send the evidence too."
    plain = _("The time came without evidence, so it was not kept.")
    return [Finding.of("date_not_recorded", None, message, name, plain=plain) for name in subject.write.undated]


def published_now(subject: Subject) -> Finding | None:
    if not subject.write.published_now:
        return None
    message = "publish_at is in the past, so no schedule was made: the post is public now."
    plain = _("The chosen time was in the past, so the post is public now and was not scheduled.")
    return Finding.of("published_now", None, message, "publish_at", plain=plain)


def redirect_target_missing(subject: Subject) -> Finding | None:
    if not subject.write.target_missing:
        return None
    message = "The blog serves nothing there, so readers of the former URL find no page: send another target."
    plain = _("The target has no page, so readers of the former URL find nothing: choose another target.")
    return Finding.of("redirect_target_missing", None, message, "redirect_to", plain=plain)


def already_recorded(subject: Subject) -> Iterable[Finding]:
    for name in subject.write.repeated:
        if name in _NOT_ADDED:
            message = _("The same was recorded in the last ten minutes, so it was not recorded again.")
        else:
            message = _("The same was recorded in the last ten minutes, and now once more. Nothing more is to be sent.")
        yield Finding.of("already_recorded", None, message, name)


def nothing_changed(subject: Subject) -> Finding | None:
    if not subject.write.unchanged:
        return None
    message = (
        "This write changes nothing of the public revision, so no publication was recorded, the dates stay, and "
        "change, change_description and note were not kept. Leave change out where only other fields change."
    )
    plain = _("Nothing changed of what the history records, so no publication was recorded and the dates stay.")
    return Finding.of("nothing_changed", None, message, "change", plain=plain)
