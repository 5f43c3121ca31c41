"""The body that the edits of a write make."""

from collections.abc import Iterable

from blog_engine.conf import markdown_plugins
from blog_engine.content.edits import EditDoesNotApply, edited
from blog_engine.enums import BodyFormat
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.edits import BodyEdit, text_edit
from blog_engine.inputs.posts import PostFields
from blog_engine.models import Post
from blog_engine.services._prepared import Prepared


def with_edited_body(data: PostFields, post: Post | None, prepared: Prepared) -> PostFields:
    """Return the fields of a write with the whole body that its ``edits`` make (posts.edits).

    Raises ``ValidationFailed`` for edits that do not apply to the body of the post, for those of a new post, and for
    edits beside a body.
    """
    if data.edits is None:
        return data
    if data.body is not None:
        raise ValidationFailed(["body", "edits"], hint="Send the whole body, or edits of the stored one.")
    if post is None:
        raise ValidationFailed(["edits"], hint="A new post has no body that can be edited: send body.")
    # Finding a heading renders the body, which is not done again while the post is locked.
    body = prepared.edited_bodies.get(post.body)
    if body is None:
        body = prepared.edited_bodies[post.body] = _edited(post, data.edits)
    return data.model_copy(update={"body": body})


def _edited(post: Post, edits: Iterable[BodyEdit]) -> str:
    wanted = [text_edit(one) for one in edits]
    try:
        return edited(post.body, wanted, body_format=BodyFormat(post.body_format), plugins=markdown_plugins())
    except EditDoesNotApply as fault:
        raise ValidationFailed(["edits"], hint=str(fault)) from fault
