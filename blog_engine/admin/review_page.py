"""The review of a post: all that a reviewer needs to see, and the form that signs it and releases it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _

from blog_engine import services
from blog_engine.actor import Scope
from blog_engine.admin._comparison import differences_between
from blog_engine.admin._confirming import changes_since
from blog_engine.admin._history_words import authorship, evidence_in_words, provenance_name, signatures_in_words
from blog_engine.admin._release_facts import release_facts
from blog_engine.admin.base import Permission, may, signed_in_actor
from blog_engine.admin.review_form import ReviewForm, Then
from blog_engine.admin.review_talk import TalkPage
from blog_engine.admin.reviews import SignatureForm
from blog_engine.admin.signature import answer_sent
from blog_engine.enums import PostStatus
from blog_engine.errors import Refusal, RevisionMismatch
from blog_engine.http.zones import zone_names, zone_of
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import PublishPost
from blog_engine.queries.conversation import conversation_of
from blog_engine.queries.reviews import reviewed_content
from blog_engine.queries.versions import present_payload, version_with
from blog_engine.rules.writers import recorder_of, signs_own_version, writer_of


class ReviewPostView(TalkPage):
    """A post as a reviewer needs to see it, and the form that signs its present content, and releases it if wanted."""

    permissions = (Permission.APPROVE,)
    page_name = "review"

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        step = self.step_form()
        if step is not None:
            return self.take_step(step)
        form = self.review_form(request.POST)
        is_valid = form.is_valid()
        is_release = form.chosen is not Then.NOTHING
        if is_release and form.data.get("expected_version") != str(self.record.version):
            return self.shown_as_changed(form)
        if form.data.get("revision_identifier") != self.signed_identifier():
            return self.shown_as_changed(form)
        if not is_valid:
            return self.shown(form)
        return self._release(form) if is_release else self.sign(form)

    def review_form(self, data: Any = None, initial: dict[str, Any] | None = None) -> ReviewForm:
        """Return the form about the post as it is."""
        may_publish = may(self.request, Permission.PUBLISH)
        zone = zone_of(self.request)
        return ReviewForm(
            data,
            account=self.actor.name,
            post=self.record,
            may_publish=may_publish,
            zone=zone,
            now=self.now,
            initial=initial,
        )

    def new_form(self, name: str = "") -> ReviewForm:
        post = self.record
        seen = {"expected_version": post.version, "seen_status": post.status}
        return self.review_form(initial=self.initial(name) | seen)

    def _release(self, form: ReviewForm) -> HttpResponse:
        """Sign and publish, or schedule, in one write: if a part of it is refused, nothing of it is stored."""
        post, actor = self.record, signed_in_actor(self.request, grants=(Scope.PUBLISH,))
        fixed = {"id": str(post.pk), "expected_version": post.version}
        try:
            data, signed = parse(PublishPost, form.release(), fixed=fixed), answer_sent(self.request, actor)
            written = services.publish_post(data, actor=actor, now=self.now, base_url=self.base_url, signed=signed)
        except RevisionMismatch:
            self.read_again()
            if self.record.version != post.version:
                return self.shown_as_changed(form)
            form.add_error(
                None,
                _(
                    "The site changes this text when it is published, so that readers would see another one than you "
                    "read. Nothing was signed: publish it first, and sign what readers see."
                ),
            )
            return self.shown(form)
        except Refusal as refusal:
            self.read_again()
            self.add_fault(form, refusal)
            form.add_error(None, _("Nothing was signed, and nothing was published."))
            return self.shown(form, objections=refusal.details if refusal.code == "refused_by_host" else [])
        self.log(written.post, form.message())
        messages.success(self.request, form.message())
        return HttpResponseRedirect(self.request.path)

    def signed_identifier(self) -> str:
        post = self.record
        if post.status == PostStatus.PUBLISHED and post.public_revision is not None:
            return post.public_revision.identifier
        return post.current_revision_identifier

    def shown_as_changed(self, form: forms.Form, **context: Any) -> HttpResponse:
        self.read_again()
        post = self.record
        seen = str(form.data.get("revision_identifier", ""))[:64]
        read = version_with(post, seen) if seen and seen != post.current_revision_identifier else None
        what = {"seen_status": str(form.data.get("seen_status") or post.status), "seen_revision": seen}
        return self.shown(
            self.new_form(self.name_in(form)),
            is_changed=True,
            changes=list(changes_since(what, post, planned=self.planned_time(post.publish_at))),
            is_other_text=seen != self.signed_identifier(),
            since_read=differences_between(read.payload, present_payload(post)) if read else None,
            **context,
        )

    def shown(self, form: SignatureForm, **context: Any) -> HttpResponse:
        post = self.record
        remarks = conversation_of(post)
        reviewed = reviewed_content(post, by=self.actor.name, remarks=remarks)
        compared, known, recorded = reviewed.compared, reviewed.known, reviewed.recorded
        writer = recorder_of(recorded) if recorded else writer_of(post)
        made_by_ai = recorded.made_by_ai if recorded else post.unrecorded_made_by_ai
        present = present_payload(post)
        return self.post_page(
            "review.html",
            title=_("Review"),
            form=form,
            article_url=f"{self.url('article', post.pk)}?revision={post.current_revision_identifier}",
            compared=compared,
            is_public_compared=compared is not None and compared.pk == post.public_revision_id,
            differences=differences_between(compared.payload if compared else None, present),
            known=known,
            since_known=differences_between(known.payload, present) if known else [],
            approvals=signatures_in_words(reviewed.approvals),
            authorship=authorship(writer.name, made_by_ai),
            is_own_version=signs_own_version(writer, self.actor.recorded),
            provenance=provenance_name(post.provenance),
            evidence=evidence_in_words(post.provenance_evidence or ""),
            identifier=self.signed_identifier(),
            zones=zone_names(),
            site_zone=timezone.get_default_timezone_name(),
            **release_facts(post, now=self.now),
            **self.passkey_urls(),
            **(self.talk(remarks) | context),
        )
