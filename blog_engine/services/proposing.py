"""Proposing an edit: it is made, undone, and recorded with its result."""

import json
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from blog_engine import signals
from blog_engine.actor import Actor, Call, Scope
from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.enums import EventType
from blog_engine.errors import ChangeTypeRequired, ImageNotPermitted, ValidationFailed
from blog_engine.inputs.posts import PostFields, UpdatePost
from blog_engine.models import Post, Revision, Tag
from blog_engine.queries.images import is_own_media
from blog_engine.queries.posts import faq_rows, read_post
from blog_engine.queries.proposals import MOST_UNDECIDED, number_undecided, present_values
from blog_engine.queries.versions import present_payload
from blog_engine.rules.proposals import (
    EDITED_BODY,
    HISTORY_FIELDS,
    PROPOSABLE_FIELDS,
    PROPOSABLE_STATUSES,
    proposable_values,
)
from blog_engine.rules.revision import revision_text
from blog_engine.services._assign import assign_fields
from blog_engine.services._body_edits import edit_body, with_edited_body
from blog_engine.services._edit import begin_edit, find_post, gather_images
from blog_engine.services._events import note_event
from blog_engine.services._gates import body_is_kept, correction_has_note
from blog_engine.services._history import record_proposal, record_proposed_revision
from blog_engine.services._prepared import Prepared, renders_first
from blog_engine.services._transaction import roll_back, savepoint, write_transaction
from blog_engine.services._versions import require_expected
from blog_engine.services.outcome import Stored, Written, dry_run, finish_write, result_of
from blog_engine.services.rendering import derive
from blog_engine.services.write_log import note_post

_OF_THE_CALL: Final = frozenset({"id", "propose", "expected_revision", "expected_version", "dry_run"})
_MOST_BODIES: Final = 2
"""The fields of a proposal have as many bytes as so many bodies of ``max_body_bytes``."""


def propose_edit(data: UpdatePost, *, actor: Actor, now: datetime, base_url: str = "") -> Written:
    """Record an edit of a public or scheduled post as a proposal, which changes nothing of the post.

    ``proposal`` of the outcome is its id. Raises ``ScopeRequired`` (``write``), ``ValidationFailed`` for a post or a
    field that takes no proposals, for an edit that changes nothing and over the limits, ``ImageNotPermitted`` for an
    image that is not stored, and what checks of an edit raise.
    """
    actor.require(Scope.WRITE)
    _require_fields(data)
    with dry_run(data):
        return _propose(data, Call(actor, now, base_url))


def _require_fields(data: UpdatePost) -> None:
    others = [name for name in data.model_fields_set if name not in {*PROPOSABLE_FIELDS, *_OF_THE_CALL}]
    if others:
        in_order = [name for name in type(data).model_fields if name in others]
        raise ValidationFailed(in_order, hint="A proposal does not take them: leave them out, or edit the post itself.")
    for image in (data.cover_image, data.social_image):
        if image and (image.signed_id is not None or (image.url is not None and not is_own_media(image.url))):
            raise ImageNotPermitted(
                hint="A proposal takes stored images only: upload the image first, and send its image_id."
            )


def _require_status(post: Post) -> None:
    if post.status not in PROPOSABLE_STATUSES:
        hint = f"The post is {post.status}, which nothing public depends on: leave propose out and edit it directly."
        raise ValidationFailed(["propose"], hint=hint)


@renders_first
def _propose(prepared: Prepared, data: UpdatePost, call: Call) -> Written:
    if prepared.images is None:
        post = find_post(data.id)
        note_post(post.pk)
        _require_status(post)
        require_expected(post, data)
        gather_images(edit_body(data, post, prepared), post, prepared=prepared)
    with write_transaction():
        post = find_post(data.id, lock=True)
        _require_status(post)
        require_expected(post, data)
        if number_undecided(post.pk) >= MOST_UNDECIDED:
            hint = f"The post has {MOST_UNDECIDED} undecided proposals: have one applied or rejected, or withdraw one."
            raise ValidationFailed(["propose"], hint=hint)
        edited = _edit_result(post, with_edited_body(data, post, prepared), prepared, call)
        revision = _record_base(post, call)
        proposal = record_proposal(
            post,
            base_revision=revision,
            revision=record_proposed_revision(
                post,
                identifier=edited.identifier,
                payload=edited.payload,
                actor_name=call.actor.name,
                made_by_ai=data.made_by_ai,
                now=call.now,
            ),
            fields=edited.fields,
            base=edited.base,
            actor_name=call.actor.name,
            now=call.now,
        )
        stored = Stored(read_post(post.pk), signals.proposal_made, proposal=proposal.pk, prepared=prepared)
        note_event(EventType.PROPOSED, stored.post, now=call.now)
        if data.dry_run:
            written = replace(
                result_of(stored, now=call.now),
                proposal=None,
                dry_run=True,
                compared=(revision_text(revision.payload), revision_text(edited.payload)),
                compared_as=("stored", "proposed"),
            )
            roll_back()
            return written
    return finish_write(stored, actor=call.actor, now=call.now)


@dataclass(frozen=True, slots=True)
class _EditResult:
    """The change that an edit would make."""

    fields: dict[str, Any]
    base: dict[str, Any]
    identifier: str
    payload: str


def _edit_result(post: Post, data: PostFields, prepared: Prepared, call: Call) -> _EditResult:
    """Make the edit with the checks of a write, except approval and hook, and undo it."""
    base = present_values(post, faq=[FaqPair(row.question, row.answer) for row in faq_rows(post.pk)])
    with savepoint():
        edit = begin_edit(copy(post), data, prepared, actor=call.actor, now=call.now, base_url=call.base_url)
        assign_fields(edit)
        derive(edit)
        body_is_kept(edit)
        correction_has_note(edit)
        if edit.post.current_revision_identifier != post.current_revision_identifier and data.change is None:
            raise ChangeTypeRequired
        values = proposable_values(edit.post, faq=edit.post.faq, tags=_tag_names(edit.tags, base["tags"]))
        payload = edit.payload
        roll_back()
    changed = [name for name in base if values[name] != base[name]]
    if not changed:
        names = data.model_fields_set - {*HISTORY_FIELDS, "made_by_ai", "body" if data.edits is not None else "edits"}
        sent = [name for name in PROPOSABLE_FIELDS if name in names]
        raise ValidationFailed(sent or ["propose"], hint="The post has all of that already: propose what differs.")
    of_history = data.model_dump(mode="json", include={*HISTORY_FIELDS, "made_by_ai"}, exclude_none=True)
    fields = {name: values[name] for name in changed} | of_history
    kept = {name: base[name] for name in changed} | ({"body_format": base["body_format"]} if "body" in changed else {})
    if data.edits is not None and "body" in changed:
        # As sent: they fit a body that was changed elsewhere. What they made is not worked out again.
        kept[EDITED_BODY] = fields.pop("body")
        fields |= data.model_dump(mode="json", include={"edits"}, exclude_unset=True)
    _require_size(fields)
    return _EditResult(fields, kept, edit.post.current_revision_identifier, payload)


def _tag_names(ids: list[int] | None, stored: list[str]) -> list[str]:
    if ids is None:
        return stored
    found = Tag.objects.in_bulk(ids)
    return [found[pk].name for pk in ids]


def _require_size(fields: dict[str, Any]) -> None:
    most = _MOST_BODIES * get_settings().max_body_bytes
    if len(json.dumps(fields, ensure_ascii=False).encode()) > most:
        raise ValidationFailed(
            ["propose"], hint=f"The fields of a proposal have at most {most} bytes as JSON: make several of it."
        )


def _record_base(post: Post, call: Call) -> Revision:
    """Return the revision of the present content; that of a scheduled post may have to be recorded."""
    return record_proposed_revision(
        post,
        identifier=post.current_revision_identifier,
        payload=present_payload(post),
        actor_name=post.unrecorded_actor,
        made_by_ai=post.unrecorded_made_by_ai,
        now=call.now,
    )
