"""Findings about authorship, provenance, approvals and declarations, and about what a write did not record."""

from collections.abc import Iterable

from blog_engine.models import ConnectionDeclaration
from blog_engine.queries.findings.base import Finding, Subject
from blog_engine.vocabulary import PostStatus, Provenance


def author_default_used(subject: Subject) -> Finding | None:
    if not subject.write.author_defaulted:
        return None
    return Finding("author_default_used", "E1", "No author was sent, so the blog's default author signs.", "author")


def provenance_unknown(subject: Subject) -> Finding | None:
    if subject.post.provenance != Provenance.UNKNOWN:
        return None
    message = "Say who wrote this: provenance is ai_assisted when AI wrote or rewrote anything, else human_written."
    return Finding("provenance_unknown", "E18", message, "provenance")


def approval_absent(subject: Subject) -> Finding | None:
    post = subject.post
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return None
    checked = {PostStatus.PUBLISHED: post.is_approved, PostStatus.SCHEDULED: post.is_reviewed}
    if checked.get(PostStatus(post.status), True):
        return None
    message = "No facts-checked approval covers this revision, so the AI notice stays on the page."
    return Finding("approval_absent", "E18", message, "approval")


def approval_incomplete(subject: Subject) -> Finding | None:
    if not subject.write.facts_unchecked:
        return None
    message = "The approval says that the facts were not checked, so it does not clear the AI notice."
    return Finding("approval_incomplete", "E18", message, "approval.facts_checked")


def connections_not_declared(subject: Subject) -> Finding | None:
    if ConnectionDeclaration.objects.filter(post=subject.post).exists():
        return None
    message = "Declare relations to the subject and payments, or declare that there are none."
    return Finding("connections_not_declared", "E21, E22", message, "connections")


def responsible_party_absent(subject: Subject) -> Finding | None:
    if subject.has_responsible_party:
        return None
    message = "The blog names no responsible party, so AI notices cannot be cleared."
    return Finding("responsible_party_absent", "E4", message, None)


def note_not_recorded(subject: Subject) -> Iterable[Finding]:
    message = "This write recorded no publication, so the history does not keep it: send it with the release."
    return [Finding("note_not_recorded", None, message, name) for name in subject.write.unrecorded]


def date_not_recorded(subject: Subject) -> Iterable[Finding]:
    message = "The time was sent without evidence, so it was not kept: send the evidence too."
    return [Finding("date_not_recorded", None, message, name) for name in subject.write.undated]


def published_now(subject: Subject) -> Finding | None:
    if not subject.write.published_now:
        return None
    message = "publish_at is in the past, so no schedule was made: the post is public now."
    return Finding("published_now", None, message, "publish_at")


def redirect_target_missing(subject: Subject) -> Finding | None:
    if not subject.write.target_missing:
        return None
    message = "The blog serves nothing there, so readers of the former URL find no page: send another target."
    return Finding("redirect_target_missing", None, message, "redirect_to")
