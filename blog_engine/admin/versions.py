"""Versions of drafts and revisions, to go on from: at once, or in the editor."""

from datetime import datetime

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from blog_engine import services
from blog_engine.admin.base import Permission, may
from blog_engine.admin.post_form import PostForm
from blog_engine.admin.words import sentence_for
from blog_engine.admin.writing import ChangePostView
from blog_engine.errors import Refusal, RevisionMismatch, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import UpdatePost
from blog_engine.models import Post
from blog_engine.queries.articles import latest_declaration
from blog_engine.queries.restored import content_to_restore
from blog_engine.queries.versions import PostVersion, version_with
from blog_engine.rules.dates import date_and_time
from blog_engine.rules.proposals import PROPOSABLE_STATUSES

LONGEST_IDENTIFIER = 64


def version_title(version: PostVersion) -> str:
    """Return what people call a version."""
    if version.created_at is None:
        return _("Present version")
    return saved_title(version.created_at, version.actor)


def saved_title(time: datetime, actor: str | None) -> str:
    """Return what people call a version that was recorded or saved at a time by an actor."""
    names = {"time": date_and_time(time), "name": actor}
    return _("Version of %(time)s by %(name)s") % names if actor else _("Version of %(time)s") % names


def found_version(post: Post, identifier: str) -> PostVersion:
    """Return the revision or the version of a draft with this identifier; raises ``Http404``."""
    version = version_with(post, identifier) if len(identifier) == LONGEST_IDENTIFIER else None
    if version is None:
        raise Http404
    return version


def may_continue(request: HttpRequest, post: Post) -> bool:
    """Return whether the user may write to the post in its state, or propose a change."""
    is_released = post.status in PROPOSABLE_STATUSES
    return may(request, Permission.WRITE, *([Permission.PUBLISH] if is_released else []))


class ContinueView(ChangePostView):
    """The editor of a scheduled or public post with the content of an earlier version, which nothing has saved.

    Its form is that of the post. A draft takes the content at once, by POST: what it had before becomes a version.
    """

    def get(self, request: HttpRequest, post_id: int, identifier: str) -> HttpResponse:  # type: ignore[override]
        post = self.stored_post(post_id)
        version = found_version(post, identifier)
        if not may_continue(request, post):
            raise PermissionDenied
        if post.status not in PROPOSABLE_STATUSES:
            return HttpResponseRedirect(self.url("revision", post.pk, identifier))
        try:
            form = self._form_with(version, post)
        except ValidationFailed as refusal:
            messages.error(request, sentence_for(refusal, "restore"))
            return HttpResponseRedirect(self.url("revision", post.pk, identifier))
        names = {"version": version_title(version)}
        messages.info(request, _("%(version)s: nothing is saved yet. Read it, change it, and save.") % names)
        # Advice is on the stored text.
        return self.form_page(form, findings=())

    def post(self, request: HttpRequest, post_id: int, identifier: str) -> HttpResponse:  # type: ignore[override]
        if "continue" not in request.POST:
            return super().post(request, post_id)
        post = self.stored_post(post_id)
        version = found_version(post, identifier)
        if not self.may_change(post):
            raise PermissionDenied
        if post.status in PROPOSABLE_STATUSES:
            return HttpResponseRedirect(request.path)
        try:
            sent = {"expected_version": int(request.POST.get("expected_version", ""))}
            data = parse(UpdatePost, sent | {"restore": identifier}, fixed={"id": str(post.pk)})
            written = services.update_post(data, actor=self.actor, now=self.now, base_url=self.base_url)
        except (ValueError, RevisionMismatch):
            messages.warning(request, _("The text was changed in the meantime. Nothing was done: look at it first."))
            return HttpResponseRedirect(f"{self.url('compare', post.pk)}?from={identifier}&to=draft")
        except Refusal as refusal:
            messages.error(request, sentence_for(refusal, next(iter(refusal.details), None)))
            return HttpResponseRedirect(self.url("revision", post.pk, identifier))
        title = version_title(version)
        self.log(written.post, _("Continued from: %(version)s") % {"version": title})
        names = {"version": title}
        messages.success(request, _("%(version)s is the text again. The one before is kept in the history.") % names)
        return HttpResponseRedirect(self.url("change", post.pk))

    def _form_with(self, version: PostVersion, post: Post) -> PostForm:
        """Return the form of the post as if a person had written this content into it."""
        declared, proposes = latest_declaration(post), self.may_only_propose(post)
        form = PostForm(post=post, declared=declared, proposes=proposes)
        data = form.data_with_stored(PostForm.EDITED)
        for name in ("version", "opened"):
            data[name] = str(form.initial[name])
        for name, value in content_to_restore(version, post).items():
            if name == "faq":
                data.setlist("faq_question", [pair["question"] for pair in value])
                data.setlist("faq_answer", [pair["answer"] for pair in value])
            elif name in {"cover_image", "social_image"}:
                data[name] = str(value["image_id"]) if value else ""
            elif name == "coauthors":
                data[name] = form.fields[name].prepare_value(tuple(one["name"] for one in value))
            else:
                data[name] = value["name"] if name == "author" else value
        return PostForm(data, post=post, declared=declared, proposes=proposes)
