"""A proposal that does not fit any more, taken over into the editor: its texts, and the post as it is, not saved."""

from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, QueryDict

from blog_engine import services
from blog_engine.admin.post_fields import RowsField
from blog_engine.admin.post_form import PostForm
from blog_engine.content.merging import merged_parts
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.proposals import ProposalRef
from blog_engine.models import Post
from blog_engine.rules.proposals import proposed_body, proposed_changes
from blog_engine.services import ProposedContent


def proposal_to_take_over(request: HttpRequest, post: Post, *, now: Any) -> ProposedContent | None:
    """Return the undecided proposal that the query names, or ``None`` without one; raises ``Http404`` for another."""
    sent = request.GET.get("proposal", "")
    if not sent:
        return None
    try:
        content = services.read_proposal(parse(ProposalRef, {"proposal": int(sent[:18])}), now=now)
    except (ValueError, NotFound, ValidationFailed) as unknown:
        raise Http404 from unknown
    if content.stored.pk != post.pk or content.decision is not None:
        raise Http404
    return content


def data_of_proposal(form: PostForm, content: ProposedContent) -> QueryDict:
    """Return the form of the present post as a browser sends it, with what the proposal changes."""
    data = form.data_with_stored(form.EDITED)
    data["version"], data["opened"] = str(form.initial["version"]), str(form.initial["opened"])
    for name, value in _proposed(content):
        field = form.fields.get(name)
        if field is None or field.disabled:
            continue
        if isinstance(field, RowsField):
            for column, key in zip(field.widget.names, ("question", "answer"), strict=True):
                data.setlist(column, [row[key] for row in value])
        elif isinstance(value, bool):
            data.pop(name, None)
            data.update({name: "on"} if value else {})
        else:
            data[name] = _as_text(value)
    return data


def _proposed(content: ProposedContent) -> Iterator[tuple[str, Any]]:
    proposal = content.proposal
    for name in proposed_changes(proposal):
        if name == "body":
            yield name, _body(content)
        elif name in proposal.fields:
            yield name, proposal.fields[name]


def _body(content: ProposedContent) -> str:
    """Return the present body with every change of the proposal, and what others changed elsewhere."""
    proposal, present = content.proposal, content.stored.body
    wanted = proposed_body(proposal)
    if wanted is None:
        return present
    parts = merged_parts(proposal.base["body"], wanted, present)
    return "".join(part if isinstance(part, str) else part.proposed for part in parts)


def _as_text(value: Any) -> str:
    if isinstance(value, dict):
        return str(value["image_id"])
    if isinstance(value, list):
        return ", ".join(value)
    return "" if value is None else str(value)
