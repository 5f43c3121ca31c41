"""When a post is to be public (records.md 5.1, decisions.md 3.4 and 9.17)."""

from datetime import datetime

from django.utils.timezone import is_naive, make_aware

from blog_engine.errors import ValidationFailed
from blog_engine.inputs.posts import PostFields
from blog_engine.services._edit import Edit
from blog_engine.vocabulary import PostStatus


def is_past(data: PostFields, *, now: datetime) -> bool:
    """Return whether `publish_at` was sent and has come: such a write publishes, whichever call it is."""
    time = _sent_time(data)
    return time is not None and time <= now


def keep_state(edit: Edit) -> PostStatus:
    """Take over a sent ``publish_at``, and give the status the post keeps.

    A scheduled post is moved, or becomes a draft when null was sent; a time that has come publishes. Elsewhere a
    future time raises ``ValidationFailed(["publish_at"])``: only publishing makes a schedule.
    """
    status = edit.before.status or PostStatus.DRAFT
    if not edit.sent("publish_at"):
        return status
    if is_past(edit.data, now=edit.now):
        return release_state(edit)
    time = _sent_time(edit.data)
    if status is PostStatus.SCHEDULED:
        edit.post.publish_at = time
        return PostStatus.DRAFT if time is None else PostStatus.SCHEDULED
    _refuse_future(edit, time)
    edit.post.publish_at = None
    return status


def release_state(edit: Edit) -> PostStatus:
    """The status that publishing gives: public now, scheduled for a sent future time, or draft when null cancels.

    A public post cannot be scheduled: ``ValidationFailed(["publish_at"])``.
    """
    time = _sent_time(edit.data)
    if edit.was_public:
        _refuse_future(edit, time)
        return PostStatus.PUBLISHED
    cancelled = edit.before.status is PostStatus.SCHEDULED and edit.sent("publish_at") and time is None
    is_future = time is not None and time > edit.now
    edit.post.publish_at = time if is_future else None
    if cancelled:
        return PostStatus.DRAFT
    return PostStatus.SCHEDULED if is_future else PostStatus.PUBLISHED


def _refuse_future(edit: Edit, time: datetime | None) -> None:
    if time is not None and time > edit.now:
        is_public = "The post is public already, so no time can be set: leave publish_at out."
        hint = is_public if edit.was_public else "Publish the post with this publish_at to schedule it."
        raise ValidationFailed(["publish_at"], hint=hint)


def _sent_time(data: PostFields) -> datetime | None:
    time = data.publish_at
    return make_aware(time) if time is not None and is_naive(time) else time
