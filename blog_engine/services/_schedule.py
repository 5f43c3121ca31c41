"""When a post is to be public (records.md 5.1, decisions.md 3.4 and 9.17)."""

from datetime import datetime

from django.utils.timezone import is_naive, make_aware

from blog_engine.errors import ValidationFailed
from blog_engine.services._edit import Edit
from blog_engine.vocabulary import PostStatus


def keep_state(edit: Edit) -> PostStatus:
    """Take over a sent ``publish_at`` without releasing anything, and give the status the post keeps.

    A scheduled post is moved, or becomes a draft when null was sent. Elsewhere a future time raises
    ``ValidationFailed(["publish_at"])``: only publishing makes a schedule.
    """
    status = edit.before.status or PostStatus.DRAFT
    if not edit.sent("publish_at"):
        return status
    time = _sent_time(edit)
    if status is PostStatus.SCHEDULED:
        edit.post.publish_at = time
        return PostStatus.DRAFT if time is None else PostStatus.SCHEDULED
    _refuse_future(edit, time)
    if status is not PostStatus.PUBLISHED:
        edit.post.publish_at = time
    return status


def release_state(edit: Edit) -> PostStatus:
    """The status that publishing gives: public now, scheduled for a sent future time, or draft when null cancels.

    A public post cannot be scheduled: ``ValidationFailed(["publish_at"])``.
    """
    time = _sent_time(edit)
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


def _sent_time(edit: Edit) -> datetime | None:
    time = edit.data.publish_at
    return make_aware(time) if time is not None and is_naive(time) else time
