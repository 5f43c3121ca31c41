"""Operations on posts, adoptions and images."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.errors import (
    AlreadyChangedInGem,
    ApprovalIncomplete,
    ApprovalRequired,
    BodyFormatNotPermitted,
    ChangeTypeRequired,
    CorrectionNoteRequired,
    IdentityConflict,
    ImageNotPermitted,
    NotFound,
    PostIsPublic,
    RefusedByHost,
    RevisionMismatch,
    ScopeRequired,
    SlugNotSupported,
    SlugReserved,
    ValidationFailed,
)
from blog_engine.findings import findings_of
from blog_engine.inputs.posts import (
    EvidenceOf,
    ListPosts,
    PostRef,
    SavePost,
)
from blog_engine.models import Image
from blog_engine.operations.base import operation, operation_of
from blog_engine.outputs.base import AnswerContext
from blog_engine.outputs.evidence import EVIDENCE_COMMAND, EvidenceDocument
from blog_engine.outputs.history import PostRecords
from blog_engine.outputs.posts import (
    Adoption,
    FindingList,
    FindingObject,
    FullPost,
    ImageObject,
    PostList,
    Preview,
    WriteEnvelope,
)
from blog_engine.queries.database import one_snapshot
from blog_engine.queries.evidence import evidence_of, length_of_history
from blog_engine.queries.history import history_of
from blog_engine.queries.post_lists import listed_posts
from blog_engine.queries.posts import post_id_of, post_with_key
from blog_engine.queries.previews import preview_token

_WRITE_REFUSALS = (
    NotFound,
    IdentityConflict,
    SlugReserved,
    RevisionMismatch,
    SlugNotSupported,
    ApprovalIncomplete,
    ImageNotPermitted,
    BodyFormatNotPermitted,
    ChangeTypeRequired,
    CorrectionNoteRequired,
    ApprovalRequired,
    RefusedByHost,
)


@operation(scope=Scope.READ)
def list_posts(data: ListPosts, call: Call) -> PostList:
    """List posts of all states, newest first; with q, search them."""
    return PostList.of(listed_posts(data), AnswerContext.of(call))


@operation(scope=Scope.READ, refuses=[NotFound])
def get_post(data: PostRef, call: Call) -> FullPost:
    """Read one post of any state."""
    return FullPost.of(post_with_key(data.id), AnswerContext.of(call))


def _envelope(written: services.Written, call: Call) -> WriteEnvelope:
    return WriteEnvelope.of(written, AnswerContext.of(call))


def _envelope_unless_deleted(written: services.Written, call: Call) -> WriteEnvelope | None:
    return None if written.post.pk is None else _envelope(written, call)


def _adoption(adopted: services.Adopted, call: Call) -> Adoption:
    return Adoption.of(adopted, AnswerContext.of(call))


def _image(image: Image, call: Call) -> ImageObject:
    return ImageObject.from_attributes(image)


@operation(scope=None, refuses=[*_WRITE_REFUSALS, ScopeRequired, PostIsPublic])
def save_post(data: SavePost, call: Call) -> WriteEnvelope:
    """Create a post, or write to the one that external_id or slug names; publish it too when asked."""
    save = services.publish_new_post if data.publish else services.save_draft
    return _envelope(save(data, actor=call.actor, now=call.now, base_url=call.base_url), call)


update_post = operation_of(
    services.update_post,
    _envelope,
    "Edit a post in the state it is in.",
    scope=None,
    refuses=[*_WRITE_REFUSALS, ScopeRequired],
)
publish_post = operation_of(
    services.publish_post,
    _envelope,
    "Make a post public, now or at publish_at.",
    scope=Scope.PUBLISH,
    refuses=_WRITE_REFUSALS,
)
unpublish_post = operation_of(
    services.unpublish_post,
    _envelope,
    "Withdraw a post; its history stays.",
    scope=Scope.PUBLISH,
    refuses=[NotFound, SlugReserved],
)
remove_post = operation_of(
    services.remove_post,
    _envelope_unless_deleted,
    "Delete a post that has no history, or archive one that has.",
    scope=Scope.PUBLISH,
    refuses=[NotFound, SlugReserved],
)
approve_revision = operation_of(
    services.approve_revision,
    _envelope,
    "Record a person's review of exactly one revision.",
    scope=Scope.PUBLISH,
    refuses=[NotFound, RevisionMismatch, ApprovalIncomplete],
)
declare_connections = operation_of(
    services.declare_connections,
    _envelope,
    "Append a complete declaration of connections.",
    scope=Scope.PUBLISH,
    refuses=[NotFound],
)
upload_image = operation_of(
    services.store_image,
    _image,
    "Store an image, from a file or a URL; a file that is stored already gives its stored image.",
    scope=Scope.WRITE,
    refuses=[ImageNotPermitted],
    name="upload_image",
)
adopt_post = operation_of(
    services.adopt_post,
    _adoption,
    "Import an article with the evidence for its past, or with dry_run show what that would make.",
    scope=Scope.PUBLISH,
    refuses=[
        NotFound,
        IdentityConflict,
        SlugReserved,
        AlreadyChangedInGem,
        SlugNotSupported,
        ApprovalIncomplete,
        ImageNotPermitted,
        BodyFormatNotPermitted,
    ],
)


@operation(scope=Scope.READ, refuses=[NotFound])
def get_post_records(data: PostRef, call: Call) -> PostRecords:
    """Get the append-only history of a post."""
    return PostRecords.from_attributes(history_of(post_id_of(data.id)))


MOST_EVIDENCE = 8 * 1024 * 1024
"""Characters of records in an answer; the command has no limit."""


@operation(scope=Scope.READ, refuses=[NotFound])
def get_post_evidence(data: EvidenceOf, call: Call) -> EvidenceDocument:
    """Get everything that proves the history of a post to others, for a checkpoint of the blog."""
    with one_snapshot():
        if length_of_history(post_id_of(data.id)) > MOST_EVIDENCE:
            hint = "The history of this post is too large for an answer: a person who runs the blog gets it with"
            raise ValidationFailed(["id"], hint=f"{hint} {EVIDENCE_COMMAND}{data.id}.")
        return whole_evidence(data, call)


def whole_evidence(data: EvidenceOf, call: Call) -> EvidenceDocument:
    """Return the evidence of a post of any size; call it in ``one_snapshot``."""
    post = post_with_key(data.id)
    return EvidenceDocument.of(post, evidence_of(post, number=data.checkpoint), AnswerContext.of(call))


@operation(scope=Scope.READ, refuses=[NotFound])
def check_post(data: PostRef, call: Call) -> FindingList:
    """Get the advisory findings of a stored post."""
    context = AnswerContext.of(call)
    post = post_with_key(data.id)
    findings = findings_of(post, has_responsible_party=context.has_responsible_party, now=call.now)
    return FindingList(findings=[FindingObject.from_attributes(finding) for finding in findings])


@operation(scope=Scope.READ, refuses=[NotFound])
def get_preview_link(data: PostRef, call: Call) -> Preview:
    """Get a signed link to a draft or scheduled post."""
    post = post_with_key(data.id)
    preview = preview_token(post, now=call.now)
    if preview is None:
        raise NotFound(
            hint="Only drafts and scheduled posts have a preview: read the post to see its status and its url."
        )
    context = AnswerContext.of(call)
    return Preview(
        preview_url=context.urls.preview_url(preview.token),
        revision_identifier=post.current_revision_identifier,
        expires_at=preview.expires_at,
    )
