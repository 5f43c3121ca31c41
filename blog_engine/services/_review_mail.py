"""E-mails about reviews to the person concerned, by Django's mail (reviews.mail)."""

import logging
from functools import partial

from django.core.mail import EmailMessage
from django.utils.translation import gettext as _
from django.utils.translation import override

from blog_engine.actor import Actor
from blog_engine.blog_urls import desk_url
from blog_engine.conf import get_settings
from blog_engine.enums import RemarkKind
from blog_engine.models import Post, Remark
from blog_engine.queries.reviewers import user_of_actor
from blog_engine.services._transaction import after_commit

logger = logging.getLogger("blog_engine")


def mail_about(entry: Remark, post: Post, *, actor: Actor) -> None:
    """Mail the person concerned by a request or a return once it is committed, if the host wants it."""
    is_request = entry.kind == RemarkKind.REQUEST
    to = f"user:{entry.person}" if is_request and entry.person else "" if is_request else post.review_requester
    if get_settings().notify.review_mail and to and to != actor.id:
        after_commit(partial(_send, entry, post, to=to))


def _send(entry: Remark, post: Post, *, to: str) -> None:
    try:
        user = user_of_actor(to)
        if user is None or not user.email:
            return
        with override(get_settings().catalogue):
            message = EmailMessage(_subject(entry, post), _text(entry, post), to=[user.email])
        message.send()
    except Exception:
        # The write is committed: whatever is wrong with the mail must not make it look refused.
        logger.exception("The mail about the review of the post %s was not sent.", post.pk)


def _subject(entry: Remark, post: Post) -> str:
    names = {"name": entry.actor, "title": post.title}
    if entry.kind == RemarkKind.REQUEST:
        subject = _("%(name)s asks you to review “%(title)s”") % names
    else:
        subject = _("%(name)s sent “%(title)s” back to you") % names
    # A line end would begin another header.
    return " ".join(subject.split())


def _text(entry: Remark, post: Post) -> str:
    parts = (f"{_subject(entry, post)}.", entry.text.strip(), _url(entry, post))
    return "\n\n".join(part for part in parts if part) + "\n"


def _url(entry: Remark, post: Post) -> str:
    """Return the URL of the page of the desk, empty if the desk has no URLs or the blog does not know its own."""
    page = "review" if entry.kind == RemarkKind.REQUEST else "change"
    return desk_url(page, post.pk) if get_settings().public_base_url else ""
