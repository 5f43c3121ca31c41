"""The body that the edits of a write, or a proposal, make."""

from collections.abc import Callable
from functools import partial

from blog_engine.conf import get_settings, markdown_plugins
from blog_engine.content.edits import EditDoesNotApply, EditedTextTooLong, edited
from blog_engine.enums import BodyFormat
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.edits import text_edit
from blog_engine.inputs.posts import PostFields
from blog_engine.models import Post, Proposal
from blog_engine.rules.proposals import RebasedBody, rebased_body
from blog_engine.services._prepared import Prepared, body_too_long, refusing_too_much_markup


def edit_body(data: PostFields, post: Post | None, prepared: Prepared) -> PostFields:
    """Return the fields of a write with the whole body that its ``edits`` make (posts.edits).

    Raises ``ValidationFailed`` for edits that do not apply to the body of the post, for those of a new post, and for
    edits beside a body. Call it outside of a transaction.
    """
    return _with_body(data, post, prepared.make)


def with_edited_body(data: PostFields, post: Post | None, prepared: Prepared) -> PostFields:
    """Return what ``edit_body`` made; raises ``NotPrepared`` when the post has another body now."""
    return _with_body(data, post, prepared.made)


def _with_body(data: PostFields, post: Post | None, make: Callable[..., str]) -> PostFields:
    if data.edits is None:
        return data
    if data.body is not None:
        raise ValidationFailed(["body", "edits"], hint="Send the whole body, or edits of the stored one.")
    if post is None:
        raise ValidationFailed(["edits"], hint="A new post has no body that can be edited: send body.")
    body = make((post.body, post.body_format), partial(_edited, data, post.body, post.body_format))
    return data.model_copy(update={"body": body})


def body_of_proposal(proposal: Proposal, post: Post, make: Callable[..., RebasedBody]) -> RebasedBody | None:
    """Return what a proposal makes of the body of its post, by ``Prepared.make`` or ``made``.

    ``None`` if it does not change the body.
    """
    if "body" not in proposal.base:
        return None
    return make((proposal.pk, post.body), partial(rebased_body, proposal, post.body))


def _edited(data: PostFields, body: str, body_format: str) -> str:
    try:
        with refusing_too_much_markup():
            return edited(
                body,
                [text_edit(one) for one in data.edits or ()],
                body_format=BodyFormat(body_format),
                most_bytes=get_settings().max_body_bytes,
                plugins=markdown_plugins(),
            )
    except EditedTextTooLong as fault:
        raise body_too_long() from fault
    except EditDoesNotApply as fault:
        raise ValidationFailed(["edits"], hint=str(fault)) from fault
