"""Events for webhooks, stored by the transaction of the write that they report."""

from datetime import datetime
from uuid import uuid4

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json, in_utc
from blog_engine.enums import EntryType, EventType, PolicyKind, PostStatus
from blog_engine.models import Delivery, Post
from blog_engine.queries.deliveries import configured_receivers
from blog_engine.queries.policies import find_policy_url
from blog_engine.rules.label import label_of


def note_event(
    event: EventType,
    post: Post,
    *,
    now: datetime,
    change: EntryType | None = None,
    note: str | None = None,
    previous_slug: str | None = None,
) -> None:
    """Store an event about a post for each receiver that wants it; call it inside the transaction of the write.

    ``post`` comes from ``read_post``. ``note`` says what a correction corrects. ``previous_slug`` is that of a public
    post that moved. Without such a receiver nothing is queried or stored. A post that readers have never seen is named
    by its id alone.
    """
    receivers = [receiver for receiver in configured_receivers() if event in receiver.events]
    if not receivers:
        return
    urls = BlogURLs.on(get_settings().public_base_url or "")
    was_seen = post.status == PostStatus.PUBLISHED or event in (EventType.WITHDRAWN, EventType.REMOVED)
    has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    seen = {
        "slug": post.slug,
        "url": urls.post_url(post.slug),
        "title": post.title,
        "revision_identifier": post.current_revision_identifier,
        "label": label_of(post, has_responsible_party=has_responsible_party).value,
    }
    payload = {
        "type": event.value,
        "timestamp": in_utc(now, "milliseconds"),
        "data": {
            "id": post.pk,
            "status": post.status,
            **(seen if was_seen else dict.fromkeys(seen)),
            "previous_url": urls.post_url(previous_slug) if previous_slug else None,
            "change": change.value if change else None,
            "note": note,
        },
    }
    event_id, text = f"msg_{uuid4().hex}", compact_json(payload)
    Delivery.objects.bulk_create(
        Delivery(
            event_id=event_id,
            receiver=receiver.key,
            type=event.value,
            post=None if receiver.takes_all_together else post.pk,
            payload=text,
            created_at=now,
            next_attempt_at=now,
        )
        for receiver in receivers
    )
