"""The gates: what must hold before a post is stored, scheduled or released."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from blog_engine.conf import before_publish_hook, get_settings
from blog_engine.content.plain_text import is_blank
from blog_engine.enums import Change, PostStatus, Provenance
from blog_engine.errors import (
    ApprovalRequired,
    ChangeTypeRequired,
    CorrectionNoteRequired,
    RefusedByHost,
    RevisionMismatch,
    ValidationFailed,
)
from blog_engine.inputs.posts import InlineApproval
from blog_engine.queries.posts import is_content_reviewed
from blog_engine.queries.versions import is_named
from blog_engine.rules.approvals import only_people_approve, only_signed_count
from blog_engine.services._assign import check_identity
from blog_engine.services._derive import derive
from blog_engine.services._edit import Edit, refuse_expired
from blog_engine.services._prepared import check_body_size
from blog_engine.services._reviewer import Review, admitted_review

_OF_THE_CALL = {"id", "edits", "expected_revision", "expected_version", "dry_run", "propose", "restore"}
"""Fields of an input that are no attributes of the post."""

Gate = Callable[[Edit], None]

_TO_APPROVE_FIRST = (
    "Save a draft, show a person its preview, record that person's approval of its revision_identifier, then publish."
)
_TO_SEND_AGAIN = (
    "Show a person the final version and send it again with that person's approval: "
    "name, and facts_checked true if the facts were checked."
)
_IN_PLACE = (PostStatus.SCHEDULED, PostStatus.PUBLISHED)
"""States in which no new version can be stored and approved before it replaces the present one."""


def body_is_kept(edit: Edit) -> None:
    """Raise ``ValidationFailed`` when a write takes the body of a scheduled or public post away."""
    post, stored = edit.post, edit.stored
    if edit.before.status not in _IN_PLACE or (post.body, post.body_format) == (stored["body"], stored["body_format"]):
        return
    if is_blank(post.body_html) and not is_blank(stored["body_html"]):
        raise ValidationFailed(
            ["body"],
            hint=f"The post is {edit.before.status}, and this leaves nothing of its body: send the whole body, leave "
            "body out to keep it, or unpublish or remove the post.",
        )


def correction_has_note(edit: Edit) -> None:
    """Raise ``CorrectionNoteRequired`` for a correction without a note, on a draft too."""
    if edit.data.change is Change.CORRECTION and not edit.data.note:
        raise CorrectionNoteRequired


def approval_fits_content(edit: Edit) -> None:
    """Raise ``RevisionMismatch`` when an inline approval names another revision than this write makes."""
    approval = edit.data.approval
    if approval is None or approval.revision_identifier is None:
        return
    if not is_named(approval.revision_identifier, edit.post.current_revision_identifier, post=edit.post):
        raise RevisionMismatch(
            hint="Read the post again, have that content reviewed and send its revision_identifier; "
            "send none when this call changes the content."
        )


def reviewer_is_admitted(edit: Edit) -> None:
    """Raise ``ApprovalIncomplete`` for an inline approval that this actor cannot give."""
    if edit.data.approval is not None:
        admitted_in(edit, edit.data.approval)


def admitted_in(edit: Edit, approval: InlineApproval) -> Review:
    """Return the inline approval of an edit as it is recorded; raises ``ApprovalIncomplete``."""
    assert edit.actor is not None, "a schedule approves nothing"  # noqa: S101  # for the type checker
    return admitted_review(approval, actor=edit.actor, place=edit.review_place, signed=edit.signed)


def change_is_named(edit: Edit) -> None:
    """Raise ``ChangeTypeRequired`` when public content changes without ``change`` (``posts.change.required``)."""
    if edit.changes_public_content and edit.data.change is None:
        raise ChangeTypeRequired


def approval_is_given(edit: Edit) -> None:
    """Raise ``ApprovalRequired`` where ``require_approval`` needs a facts-checked approval of this content."""
    post = edit.post
    if not get_settings().require_approval or post.provenance == Provenance.HUMAN_WRITTEN:
        return
    if edit.data.approval is not None and edit.data.approval.facts_checked:
        return
    identifier = post.current_revision_identifier
    if edit.is_new or not is_content_reviewed(post.pk, identifier):
        raise ApprovalRequired(hint=_way_to_approval(edit))


def _way_to_approval(edit: Edit) -> str:
    if only_people_approve() or only_signed_count():
        return edit.review_place.hand_over()
    return _TO_SEND_AGAIN if edit.before.status in _IN_PLACE else _TO_APPROVE_FIRST


def end_is_ahead(edit: Edit) -> None:
    """Raise ``ValidationFailed`` for a post that would have expired when it becomes public."""
    refuse_expired(edit.post, at=edit.post.publish_at or edit.now)


_GATES: dict[PostStatus, tuple[Gate, ...]] = {
    PostStatus.DRAFT: (approval_fits_content,),
    PostStatus.ARCHIVED: (approval_fits_content,),
    PostStatus.SCHEDULED: (approval_fits_content, end_is_ahead, approval_is_given),
    PostStatus.PUBLISHED: (approval_fits_content, end_is_ahead, change_is_named, approval_is_given),
}
"""What is checked for each status. A schedule names no change: its release records ``substantive``."""


def pass_gates(edit: Edit, status: PostStatus) -> None:
    """Check what must hold before a post gets this status.

    The host is asked before a post is scheduled or released, and what its hook changed is checked again.
    """
    _check(edit, status)
    if status in (PostStatus.SCHEDULED, PostStatus.PUBLISHED) and _ask_host(edit):
        _check(edit, status)


def _check(edit: Edit, status: PostStatus) -> None:
    for gate in (body_is_kept, correction_has_note, reviewer_is_admitted, *_GATES[status]):
        gate(edit)


def _ask_host(edit: Edit) -> bool:
    """Call the ``before_publish`` hook, and return whether there is one; its objections raise ``RefusedByHost``."""
    hook = before_publish_hook()
    if hook is None:
        return False
    images = edit.post.body_image_manifest
    attributes = edit.data.model_dump(mode="json", exclude_unset=True, exclude=_OF_THE_CALL)
    body = edit.post.body
    objections = _objections(hook(edit.post, {"actor": edit.actor, "now": edit.now, "attributes": attributes}))
    if objections:
        raise RefusedByHost(objections)
    check_body_size(edit.post.body)
    if edit.post.body != body:
        edit.prepared.require_checked(edit.post.body, edit.post.body_format)
    check_identity(edit)
    # Nothing is fetched under the lock: the images that the hook leaves in the body keep their digests.
    edit.images = replace(edit.images, body_digests={image["url"]: image["sha256"] for image in images})
    derive(edit)
    if edit.post.body_image_manifest != images:
        raise ValidationFailed(
            ["body"],
            hint="The site's own publication check changed the images of the body: tell a person who runs the blog.",
        )
    return True


def _objections(answer: object) -> list[str]:
    """Return the objections in a hook's answer: none when it is ``None`` or empty, else the answer as text."""
    if answer is None or answer == "":
        return []
    if isinstance(answer, str) or not isinstance(answer, Iterable):
        return [str(answer)]
    return [str(one) for one in answer]
