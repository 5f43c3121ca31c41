"""Actions on several posts of the list: one call of a service for each post; each refusal is shown with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final, cast

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.admin.base import DeskAdmin, signed_in_actor
from blog_engine.admin.once import answered_once
from blog_engine.admin.words import STATES, sentence_for
from blog_engine.content.text import fold
from blog_engine.enums import Change, PostStatus
from blog_engine.errors import Refusal, RefusedByHost
from blog_engine.findings import about_made_records
from blog_engine.http.requests import origin_of
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import PublishPost, UnpublishPost, UpdatePost
from blog_engine.models import Post
from blog_engine.queries.database import refusal_of_database
from blog_engine.queries.desk_lists import TaggedPost, posts_with_tags


@dataclass(frozen=True, slots=True)
class Run:
    """The actor and time of an action, with the values of its form."""

    actor: Actor
    now: datetime
    base_url: str
    sent: dict[str, Any]
    notices: list[str] = field(default_factory=list)
    """Sentences about the records that the action made."""


class BulkVerb:
    """Base of the actions on several posts."""

    name: str
    title: str | Promise
    consequence: str | Promise
    button: str | Promise
    log: str
    form: type[forms.Form] = forms.Form

    def done(self, number: int) -> str:
        """Return what was done with so many posts."""
        raise NotImplementedError

    def needless(self, post: TaggedPost, sent: Mapping[str, Any]) -> str:
        """Return why nothing is to be done with a post, or an empty text; ``sent`` is empty before the form is."""
        raise NotImplementedError

    def change(self, post: TaggedPost, run: Run) -> None:
        """Call the service."""
        raise NotImplementedError


class PublishVerb(BulkVerb):
    """Publish posts now."""

    name = "publish_selected"
    title = _("Publish these posts")
    consequence = _(
        "Readers see these posts at once, on the blog and in its feeds. A scheduled post does not wait for its time."
    )
    button = _("Publish them now")
    log = "Published from the list."

    def done(self, number: int) -> str:
        text = ngettext("%(number)s post is public now.", "%(number)s posts are public now.", number)
        return text % {"number": number}

    def needless(self, post: TaggedPost, sent: Mapping[str, Any]) -> str:
        return gettext("It is public already.") if post.status == PostStatus.PUBLISHED else ""

    def change(self, post: TaggedPost, run: Run) -> None:
        data = PublishPost(id=str(post.id), expected_version=post.version)
        services.publish_post(data, actor=run.actor, now=run.now, base_url=run.base_url)


class WithdrawVerb(BulkVerb):
    """Make public and scheduled posts drafts."""

    name = "withdraw_selected"
    title = _("Withdraw these posts")
    consequence = _(
        "Readers no longer find these posts: their pages say that they are gone. "
        "The posts become drafts, and their history stays."
    )
    button = _("Withdraw them")
    log = "Withdrawn from the list."

    def done(self, number: int) -> str:
        text = ngettext("%(number)s post was withdrawn.", "%(number)s posts were withdrawn.", number)
        return text % {"number": number}

    def needless(self, post: TaggedPost, sent: Mapping[str, Any]) -> str:
        is_out = post.status in (PostStatus.PUBLISHED, PostStatus.SCHEDULED)
        return "" if is_out else gettext("It is neither public nor scheduled.")

    def change(self, post: TaggedPost, run: Run) -> None:
        data = UnpublishPost(id=str(post.id), expected_version=post.version)
        services.unpublish_post(data, actor=run.actor, now=run.now)


class AddedTagForm(forms.Form):
    """The tag to add."""

    tag = forms.CharField(
        label=_("Tag"), max_length=255, help_text=_("A new tag is made if the blog does not have it yet.")
    )


class TagVerb(BulkVerb):
    """Add a tag to posts."""

    name = "tag_selected"
    title = _("Add a tag to these posts")
    consequence = _("Readers see the tag on public posts at once. The history records it there as maintenance.")
    button = _("Add the tag")
    log = "Tagged from the list."
    form = AddedTagForm

    def done(self, number: int) -> str:
        text = ngettext("%(number)s post has the tag now.", "%(number)s posts have the tag now.", number)
        return text % {"number": number}

    def needless(self, post: TaggedPost, sent: Mapping[str, Any]) -> str:
        has = "tag" in sent and fold(sent["tag"]) in {fold(tag) for tag in post.tags}
        return gettext("It has the tag already.") if has else ""

    def change(self, post: TaggedPost, run: Run) -> None:
        sent: dict[str, Any] = {"tags": [*post.tags, run.sent["tag"]]}
        if post.status == PostStatus.PUBLISHED:
            sent["change"] = Change.MAINTENANCE
        data = parse(UpdatePost, sent, fixed={"id": str(post.id), "expected_version": post.version})
        written = services.update_post(data, actor=run.actor, now=run.now, base_url=run.base_url)
        run.notices.extend(about_made_records(written.findings))


def _reason(refusal: Refusal) -> str:
    if isinstance(refusal, RefusedByHost) and refusal.details:
        return gettext("The check of the site refused it: %(reasons)s") % {"reasons": "; ".join(refusal.details)}
    return sentence_for(refusal, None)


_VERBS: Final = {verb.name: verb for verb in (PublishVerb(), WithdrawVerb(), TagVerb())}


def run_verb(desk: DeskAdmin, request: HttpRequest, name: str) -> HttpResponse:
    """Ask whether to run an action on the chosen posts, or run it when that is confirmed."""
    verb = _VERBS[name]
    posts = posts_with_tags([int(one) for one in request.POST.getlist(ACTION_CHECKBOX_NAME)])
    if not posts:
        desk.message_user(request, gettext("These posts do not exist. Nothing was changed."), messages.WARNING)
        return redirect(request.get_full_path())
    form = verb.form(request.POST if "confirmed" in request.POST else None)
    if not form.is_valid():
        return _ask(desk, request, verb, posts, form)
    answer = partial(_run, desk, request, verb, posts, form)
    # When only a part could be done, a second click leads to the list, which shows it.
    return cast("HttpResponse", answered_once(request, answer, leads_to=request.get_full_path()))


def _run(
    desk: DeskAdmin, request: HttpRequest, verb: BulkVerb, posts: Sequence[TaggedPost], form: forms.Form
) -> HttpResponse:
    run = Run(signed_in_actor(request), timezone.now(), origin_of(request), form.cleaned_data)
    reasons = [(post, _change(desk, request, verb, post, run)) for post in posts]
    done = [post for post, reason in reasons if not reason]
    not_done = [(post, reason, desk.url_of("change", post.id)) for post, reason in reasons if reason]
    if done:
        desk.message_user(request, verb.done(len(done)), messages.SUCCESS)
    for notice in run.notices:
        desk.message_user(request, notice, messages.INFO)
    if not not_done:
        return redirect(request.get_full_path())
    title = gettext("Not all of it was done") if done else gettext("Nothing was changed")
    return desk.page(
        request, "bulk_summary.html", title=title, done=done, not_done=not_done, list_url=request.get_full_path()
    )


def _ask(
    desk: DeskAdmin, request: HttpRequest, verb: BulkVerb, posts: Sequence[TaggedPost], form: forms.Form
) -> HttpResponse:
    rows = [(post, STATES[post.status], verb.needless(post, {})) for post in posts]
    return desk.page(
        request,
        "bulk_confirm.html",
        title=verb.title,
        verb=verb,
        form=form,
        rows=rows,
        checkbox=ACTION_CHECKBOX_NAME,
        list_url=request.get_full_path(),
    )


def _change(desk: DeskAdmin, request: HttpRequest, verb: BulkVerb, post: TaggedPost, run: Run) -> str:
    """Change one post, and return why not, or an empty text."""
    if request.POST.get(f"version_{post.id}") != str(post.version):
        return gettext("The post was changed in the meantime. Look at it again.")
    if needless := verb.needless(post, run.sent):
        return needless
    try:
        verb.change(post, run)
    except (Refusal, Error) as fault:
        refusal = refusal_of_database(fault)
        if refusal is None:
            raise
        return _reason(refusal)
    desk.log_change(request, Post(pk=post.id, title=post.title), verb.log)
    return ""
