"""The change that a proposed edit would make of its post."""

import json
from copy import copy
from dataclasses import dataclass
from typing import Any, Final

from blog_engine.actor import Call
from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.errors import ChangeTypeRequired, ValidationFailed
from blog_engine.findings import WriteContext
from blog_engine.inputs.posts import PostFields
from blog_engine.models import Post, Tag
from blog_engine.queries.posts import faq_rows, tag_names_of
from blog_engine.rules.proposals import EDITED_BODY, HISTORY_FIELDS, PROPOSABLE_FIELDS, proposable_values
from blog_engine.services._assign import assign_fields
from blog_engine.services._derive import derive
from blog_engine.services._edit import begin_edit
from blog_engine.services._gates import body_is_kept, correction_has_note
from blog_engine.services._prepared import Prepared
from blog_engine.services._transaction import roll_back, savepoint

_MOST_BODIES: Final = 2
"""The fields of a proposal have as many bytes as so many bodies of ``max_body_bytes``."""


@dataclass(frozen=True, slots=True)
class EditResult:
    """The change that an edit would make."""

    fields: dict[str, Any]
    base: dict[str, Any]
    identifier: str
    payload: str
    context: WriteContext


def edit_result(post: Post, data: PostFields, prepared: Prepared, call: Call) -> EditResult:
    """Make the edit with the checks of a write, except approval and hook, and undo it."""
    pairs = [FaqPair(row.question, row.answer) for row in faq_rows(post.pk)]
    base = proposable_values(post, faq=pairs, tags=tag_names_of([post.pk])[post.pk])
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
    return EditResult(fields, kept, edit.post.current_revision_identifier, payload, WriteContext(made=edit.made))


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
