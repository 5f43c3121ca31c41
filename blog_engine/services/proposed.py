"""The post that a proposal makes of the present one, in memory; nothing is written or fetched."""

import json
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Model

from blog_engine.content.faq import FaqPair
from blog_engine.content.text import fold
from blog_engine.enums import Label, PostStatus, ProposalState
from blog_engine.errors import ValidationFailed
from blog_engine.findings import Finding, WriteContext
from blog_engine.inputs.posts import PublishPost
from blog_engine.inputs.proposals import ProposalRef
from blog_engine.models import (
    Author,
    Category,
    Faq,
    Image,
    NamedAuthor,
    Post,
    PostTag,
    Proposal,
    ProposalEvent,
    Revision,
    Series,
    Tag,
)
from blog_engine.queries.posts import is_content_reviewed, keep_related, tag_names
from blog_engine.queries.previews import PreviewedProposal
from blog_engine.queries.proposal_memory import note_body, note_content
from blog_engine.queries.proposals import post_to_compare, proposal_with_id, rebased_on
from blog_engine.queries.records import authors_named, lists_named, tags_named
from blog_engine.rules.proposals import (
    PLAIN_FIELDS,
    Conflict,
    Rebased,
    RebasedBody,
    body_conflict,
    decision_on,
    proposal_state,
    proposed_body,
    schedule_of,
)
from blog_engine.rules.slugs import slug_for_record
from blog_engine.services._derive import derive
from blog_engine.services._edit import begin_edit
from blog_engine.services._prepared import PostImages, Prepared, body_of_proposal
from blog_engine.services._taxonomy import MadeRecords
from blog_engine.services.outcome import Stored, Written, result_of


@dataclass(frozen=True)
class ProposedContent:
    """A proposal, and what it makes of its post now."""

    proposal: Proposal
    state: ProposalState
    schedule: ProposalEvent | None
    decision: ProposalEvent | None
    conflicts: tuple[Conflict, ...]
    post: Post
    """The post with the proposed content, which is not stored. Its FAQ and its tags are loaded."""
    stored: Post
    """The post as it is."""
    before: str
    """The payload that the proposal is compared with: of the present content, or of what it started from."""
    after: str
    """The payload of the proposed content."""
    changed: frozenset[str]
    """The names of the fields that differ from what it is compared with."""
    now: datetime
    """When the proposal was read."""
    made: MadeRecords
    """The records that applying an undecided proposal makes because it names them."""

    @cached_property
    def _judged(self) -> Written:
        return result_of(Stored(self.post, context=WriteContext(made=self.made)), now=self.now)

    @property
    def label(self) -> Label:
        """The label that the proposed content would have."""
        return self._judged.label

    @property
    def findings(self) -> list[Finding]:
        """The findings of the proposed content; at most four queries, once."""
        return self._judged.findings


def read_proposal(data: ProposalRef, *, now: datetime, prepared: Prepared | None = None) -> ProposedContent:
    """Return a proposal with what it makes of its post now. Raises ``NotFound``.

    An undecided one that fits is compared with the present content, any other with what it started from. ``prepared``
    are the bodies that are rendered already.
    """
    proposal = proposal_with_id(data)
    events = list(proposal.events.all())
    decision = decision_on(events)
    post = post_to_compare(proposal.post_id)
    ready = _ready_for(proposal, post, prepared)
    found = _rebased_now(proposal, post, ready) if decision is None else None
    conflicts = found.conflicts if found is not None else ()
    faq = list(post.faqs.all())
    edit = begin_edit(copy(post), PublishPost(id=str(post.pk)), ready, actor=None, now=now, faq=faq)
    shown, made = edit.post, MadeRecords()
    if found is not None and not conflicts:
        before = edit.payload
        made = _set_fields(shown, found.fields)
        derive(edit)
        after = edit.payload
        note_content(proposal, shown.current_revision_identifier)
    else:
        revision = decision.revision if decision is not None else proposal.revision
        _set_fields(shown, {**proposal.fields, **_proposed_body(proposal, revision, post)})
        derive(edit)
        before, after = proposal.base_revision.payload, revision.payload
        shown.current_revision_identifier = revision.identifier
    # Judged by its own content: the status of a public post would ask for what is public.
    shown.status = PostStatus.SCHEDULED.value
    identifier = shown.current_revision_identifier
    shown.is_reviewed = shown.is_approved = is_content_reviewed(post.pk, identifier)
    return ProposedContent(
        proposal=proposal,
        state=proposal_state(events, is_outdated=bool(conflicts)),
        schedule=schedule_of(events),
        decision=decision,
        conflicts=conflicts,
        post=shown,
        stored=post,
        before=before,
        after=after,
        changed=frozenset(found.fields if found is not None and not conflicts else proposal.base),
        now=now,
        made=made,
    )


def preview_proposal(bound: PreviewedProposal, *, now: datetime) -> ProposedContent | None:
    """Return what the proposal of a link makes of its post; ``None`` when the link expired or it was decided."""
    if bound.is_expired or not Proposal.objects.filter(pk=bound.id).exists():
        return None
    content = read_proposal(ProposalRef(proposal=bound.id), now=now)
    return content if content.decision is None else None


def _rebased_now(proposal: Proposal, post: Post, prepared: Prepared) -> Rebased:
    """Return what an undecided proposal changes in its post now, whose body is rendered then."""
    faq = [FaqPair(question=row.question, answer=row.answer) for row in post.faqs.all()]
    body = body_of_proposal(proposal, post, prepared.make)
    if body is not None and post.body != proposal.base["body"]:
        if body.body is not None:
            # Both sides were within the limits, which what is made of them need not be.
            try:
                prepared.require_checked(body.body, post.body_format, proposal.fields.get("language", post.language))
            except ValidationFailed as refusal:
                body = RebasedBody(None, (body_conflict(refusal.hint),))
        note_body(proposal, post.body, body)
    return rebased_on(proposal, post, faq=faq, tags=tag_names(post), body=body)


def _proposed_body(proposal: Proposal, made: Revision, post: Post) -> dict[str, str]:
    """Return the body of a decided proposal, or of one that does not fit the present one."""
    if "body" not in proposal.base:
        return {}
    if made.identifier == post.current_revision_identifier:
        return {"body": post.body}
    body = proposed_body(proposal) if made.pk == proposal.revision_id else None
    return {"body": json.loads(made.payload)["body"] if body is None else body}


def _ready_for(proposal: Proposal, post: Post, ready: Prepared | None) -> Prepared:
    prepared = Prepared(ready)
    prepared.works_at_once = True
    prepared.images = PostImages(body_digests=known_digests(proposal, post))
    return prepared


def known_digests(proposal: Proposal, post: Post) -> dict[str, str]:
    """Return the digests of external images that the proposal and the post have in their bodies, by URL.

    Nothing is fetched again, so that the content that was approved is the one that is applied.
    """
    images = [*json.loads(proposal.revision.payload)["images"], *post.body_image_manifest]
    return {image["url"]: image["sha256"] for image in images if image["sha256"]}


def _set_fields(post: Post, fields: dict[str, Any]) -> MadeRecords:
    """Set proposed values on a post that is not stored; return the records that do not exist yet, which are made up."""
    made = MadeRecords()
    for name in PLAIN_FIELDS:
        if name in fields:
            setattr(post, name, fields[name])
    images = [name for name in ("cover_image", "social_image") if name in fields]
    stored = Image.objects.in_bulk({fields[name]["image_id"] for name in images if fields[name]})
    for name in images:
        setattr(post, name, stored.get(fields[name]["image_id"]) if fields[name] else None)
    lists: dict[str, type[Category] | type[Series]] = {"category": Category, "series": Series}
    names: dict[type[Model], str] = {lists[name]: fields[name] for name in lists if fields.get(name) is not None}
    found = lists_named(names)
    for name in lists:
        if name in fields:
            setattr(post, name, found.get(lists[name]) or _made_up(lists[name], fields[name], made))
    if "faq" in fields:
        post.faq = [FaqPair(**pair) for pair in fields["faq"]]
        keep_related(post, "faqs", [Faq(post=post, question=pair.question, answer=pair.answer) for pair in post.faq])
    if "coauthors" in fields:
        _set_coauthors(post, [one["name"] for one in fields["coauthors"]], made)
    if "tags" in fields:
        known = {tag.key: tag for tag in tags_named(fields["tags"])}
        named = (known.get(fold(name)) or _made_up(Tag, name, made, key=fold(name)) for name in fields["tags"])
        keep_related(post, "taggings", [PostTag(post=post, tag=tag) for tag in named])
    return made


def _set_coauthors(post: Post, names: list[str], made: MadeRecords) -> None:
    """Set the further authors as a write does: a name of the byline stays, others are those of stored authors."""
    stored = {one.name: one.author for one in post.coauthors}
    found = authors_named(set(names) - stored.keys())
    authors = [(name, stored.get(name) or found.get(name) or _made_up(Author, name, made)) for name in names]
    post.coauthors = tuple(NamedAuthor(name, author) for name, author in authors if author.pk != post.author_id)
    post.coauthor_ids = [one.author.pk for one in post.coauthors]
    post.coauthor_names = "\n".join(one.name for one in post.coauthors)


def _made_up(model: Any, name: str | None, made: MadeRecords, **others: str) -> Any:
    if name is None:
        return None
    made.note(model, name)
    return model(name=name, slug=slug_for_record(name, kind=model._meta.model_name), **others)
