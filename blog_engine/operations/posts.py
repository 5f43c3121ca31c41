"""Operations on posts and adoptions."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from pydantic import create_model

from blog_engine import services
from blog_engine.actor import Actor, Call, Scope
from blog_engine.blog_urls import desk_url
from blog_engine.enums import AnswerExtent
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
    ProposalDecided,
    ProposalOutdated,
    Refusal,
    RefusedByHost,
    RevisionMismatch,
    ScopeRequired,
    SlugNotSupported,
    SlugReserved,
    ValidationFailed,
)
from blog_engine.findings import counted_findings, findings_of, listed_findings
from blog_engine.inputs.conversation import UpdateOrReview
from blog_engine.inputs.posts import (
    CorrectPost,
    EvidenceOf,
    ListPosts,
    PostRef,
    ReadPost,
    ReadRecords,
    SavePost,
    WithAnswer,
)
from blog_engine.inputs.proposals import ProposalRef
from blog_engine.inputs.unknown_names import nearest_keys
from blog_engine.models import Post
from blog_engine.operations.base import Operation, operation, operation_of, with_input
from blog_engine.operations.conversation import review_step
from blog_engine.outputs.base import AnswerContext, Output
from blog_engine.outputs.history import (
    EVIDENCE_COMMAND,
    ComparedRevisions,
    ConversationEntry,
    EvidenceDocument,
    PostRecords,
    PostRevision,
)
from blog_engine.outputs.posts import (
    AboutPost,
    Adoption,
    CardParts,
    DryRun,
    FindingList,
    FindingObject,
    FullPost,
    PostList,
    PostParts,
    PostPartsList,
    Preview,
    SectionHeading,
    SectionText,
    WriteEnvelope,
)
from blog_engine.outputs.proposals import FullProposal, ProposalCard, ProposalEnvelope, proposal_envelope_of
from blog_engine.outputs.short import ShortDryRun, ShortWrite, short_answer
from blog_engine.queries.conversation import conversation_with_id
from blog_engine.queries.database import one_snapshot
from blog_engine.queries.evidence import evidence_of, length_of_history
from blog_engine.queries.history import history_of
from blog_engine.queries.post_lists import listed_posts
from blog_engine.queries.posts import post_id_of, post_with_key, version_of_post
from blog_engine.queries.previews import preview_token
from blog_engine.queries.proposals import proposals_of
from blog_engine.queries.sections import body_sections, the_section
from blog_engine.queries.versions import version_named, versions_of

EDIT_REFUSALS = (
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


_FROM_FINDINGS: Final = frozenset({"open_findings", "finding_codes"})


@operation(scope=Scope.READ)
def list_posts(data: ListPosts, call: Call) -> PostList | PostPartsList:
    """List posts of all states, newest first; with q, search them."""
    _require_keys(data.fields, of=CardParts)
    if data.finding is not None and data.finding not in (known := listed_findings()):
        raise ValidationFailed(["finding"], hint=nearest_keys([data.finding], known=known))
    context = AnswerContext.of(call)
    listed = listed_posts(data)
    is_checked = data.fields is None or not _FROM_FINDINGS.isdisjoint(data.fields)
    found = counted_findings(
        listed.rows if is_checked else [], has_responsible_party=context.has_responsible_party, now=call.now
    )
    whole = PostList.of(listed, context, findings=found)
    if data.fields is None:
        return whole
    return PostPartsList.of_list(whole, data.fields, codes={post_id: [*numbers] for post_id, numbers in found.items()})


def _require_keys(names: Iterable[str] | None, *, of: type[Output]) -> None:
    if unknown := [name for name in names or () if name not in of.model_fields]:
        raise ValidationFailed(["fields"], hint=nearest_keys(unknown, known=of.model_fields))


@operation(scope=Scope.READ, refuses=[NotFound])
def get_post(data: ReadPost, call: Call) -> FullPost | PostParts:
    """Read one post of any state, or only some fields, a section or the outline of its body."""
    keys = data.fields or ()
    _require_keys(keys, of=FullPost)
    post = post_with_key(data.id)
    whole = FullPost.of(post, AnswerContext.of(call))
    if data.fields is None and data.section is None and not data.outline:
        return whole
    return PostParts.of_post(whole, keys, **_parts_of_body(post, data))


def version_to_read(data: ReadPost) -> int | None:
    """Return the version of a post that is read as a whole; ``None`` if only reading it tells more."""
    is_whole = data.fields is None and data.section is None and not data.outline
    return version_of_post(data.id) if is_whole else None


def _parts_of_body(post: Post, data: ReadPost) -> dict[str, object]:
    """Return the outline and the section that were asked for."""
    if data.section is None and not data.outline:
        return {}
    sections = body_sections(post)
    parts: dict[str, object] = {}
    if data.outline:
        parts["outline"] = [SectionHeading.from_attributes(section) for section in sections]
    if data.section is not None:
        section = the_section(sections, data.section)
        parts["section"] = SectionText.from_attributes(section, body=post.body[section.start : section.end])
    return parts


def _recorded(written: services.Written, call: Call) -> WriteEnvelope:
    return WriteEnvelope.of(written, AnswerContext.of(call))


def _envelope(written: services.Written, call: Call) -> WriteEnvelope | DryRun:
    return DryRun.of(written, AnswerContext.of(call)) if written.dry_run else _recorded(written, call)


def _envelope_unless_deleted(written: services.Written, call: Call) -> WriteEnvelope | DryRun | None:
    return None if written.post.pk is None else _envelope(written, call)


def _adoption(adopted: services.Adopted, call: Call) -> Adoption:
    return Adoption.of(adopted, AnswerContext.of(call))


def _choosing_answer(op: Operation[Any, Any]) -> Operation[Any, Any]:
    """Return the operation with the inputs ``answer`` and ``with_body``, how much its answer has of the post."""

    def handler(data: Any, call: Call) -> Any:
        # The service, and the host's hook, get only what is written.
        written = {name: value for name, value in vars(data).items() if name in op.input.model_fields}
        sent = data.model_fields_set & written.keys()
        answer = op.handler(op.input.model_construct(sent, **written), call)
        if answer is None or data.answer is AnswerExtent.SHORT:
            return answer and short_answer(answer)
        return answer if data.with_body else answer.without_body()

    own = create_model(op.input.__name__, __base__=(WithAnswer, op.input), __doc__=op.input.__doc__)
    short: list[type[Output]] = [ShortWrite, *([ShortDryRun] if "dry_run" in own.model_fields else [])]
    return replace(op, input=own, handler=handler, outputs=(*op.outputs, *short))


def write_of(
    service: Callable[..., services.Written],
    answer: Callable[[Any, Call], AboutPost | None],
    summary: str,
    *,
    scope: Scope | None,
    refuses: Iterable[type[Refusal]],
    name: str = "",
) -> Operation[Any, Any]:
    """Return the operation that runs a service and answers about a post, as much as ``answer`` says."""
    return _choosing_answer(operation_of(service, answer, summary, scope=scope, refuses=refuses, name=name))


@_choosing_answer
@operation(scope=None, refuses=[*EDIT_REFUSALS, ScopeRequired, PostIsPublic])
def save_post(data: SavePost, call: Call) -> WriteEnvelope | DryRun:
    """Create a post, or write to the one that external_id or slug names; publish it too when asked."""
    save = services.publish_new_post if data.publish else services.save_draft
    return _envelope(save(data, actor=call.actor, now=call.now, base_url=call.base_url), call)


def _updated(written: services.Written, call: Call) -> WriteEnvelope | DryRun | ProposalEnvelope:
    return _envelope(written, call) if written.dry_run else proposal_envelope_of(written, call)


def _update_or_review(data: UpdateOrReview, *, actor: Actor, now: datetime, base_url: str) -> services.Written:
    if data.review is not None:
        return replace(review_step(data, data.review, actor=actor, now=now), changed=("review",))
    return services.update_post(data, actor=actor, now=now, base_url=base_url)


update_post = with_input(
    write_of(
        _update_or_review,
        _updated,
        "Edit a post in the state it is in, with propose only propose it, or with review take a step of its review.",
        scope=None,
        refuses=[*EDIT_REFUSALS, ScopeRequired],
        name="update_post",
    ),
    create_model("UpdatePost", __base__=(WithAnswer, UpdateOrReview)),
)
correct_post = with_input(
    write_of(services.update_post, _updated, update_post.summary, scope=None, refuses=update_post.refuses),
    create_model("CorrectPost", __base__=(WithAnswer, CorrectPost)),
)
publish_post = write_of(
    services.publish_post,
    _envelope,
    "Make a post public, now or at publish_at.",
    scope=Scope.PUBLISH,
    refuses=EDIT_REFUSALS,
)
unpublish_post = write_of(
    services.unpublish_post,
    _envelope,
    "Withdraw a post; its history stays.",
    scope=Scope.PUBLISH,
    refuses=[NotFound, SlugReserved, RevisionMismatch],
)
remove_post = write_of(
    services.remove_post,
    _envelope_unless_deleted,
    "Delete a post that has no history, or archive one that has.",
    scope=Scope.PUBLISH,
    refuses=[NotFound, SlugReserved, RevisionMismatch],
)
approve_revision = write_of(
    services.approve_revision,
    proposal_envelope_of,
    "Record a person's review of exactly one revision.",
    scope=Scope.PUBLISH,
    refuses=[NotFound, RevisionMismatch, ApprovalIncomplete, ProposalDecided, ProposalOutdated],
)
declare_connections = write_of(
    services.declare_connections,
    _recorded,
    "Append a complete declaration of connections.",
    scope=Scope.PUBLISH,
    refuses=[NotFound, RevisionMismatch],
)
adopt_post = write_of(
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
def get_post_records(data: ReadRecords, call: Call) -> PostRecords | PostRevision | ComparedRevisions | FullProposal:
    """Get the history of a post, one version of its content (revision), a comparison of two (compare) or a proposal."""
    sent = [name for name in ("revision", "compare", "proposal") if getattr(data, name) is not None]
    if len(sent) > 1:
        raise ValidationFailed(sent, hint="Send revision, compare or proposal, not more than one.")
    if data.proposal is not None:
        one = ProposalRef(proposal=data.proposal, id=data.id)
        return FullProposal.of(services.read_proposal(one, now=call.now), AnswerContext.of(call))
    post_id = post_id_of(data.id)
    if data.revision is not None:
        return PostRevision.of(version_named(post_id, data.revision, field="revision"))
    if data.compare is not None:
        old, new = (version_named(post_id, name, field="compare") for name in data.compare)
        return ComparedRevisions.of(data.compare, old, new)
    context = AnswerContext.of(call)
    proposals = [ProposalCard.of_row(one, context) for one in proposals_of(post_id)]
    versions, conversation = versions_of(post_id), [ConversationEntry.of(one) for one in conversation_with_id(post_id)]
    return PostRecords.from_attributes(
        history_of(post_id), proposals=proposals, versions=versions, conversation=conversation
    )


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
        review_url=desk_url("review", post.pk, base_url=call.base_url) or None,
        revision_identifier=post.current_revision_identifier,
        expires_at=preview.expires_at,
    )
