"""The bin: removed drafts, which a person brings back."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine import services
from blog_engine.admin.base import DeskView, Permission
from blog_engine.admin.post_form import field_label
from blog_engine.admin.words import sentence_for
from blog_engine.errors import NotFound, Refusal
from blog_engine.queries.bin import BIN_DAYS, removed_drafts
from blog_engine.reader.page import page_number


class BinView(DeskView):
    """The removed drafts, the last one first."""

    permissions = (Permission.PUBLISH,)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        number = page_number(request.GET.getlist("page"))
        if number is None:
            raise Http404
        page = removed_drafts(number=number, now=self.now)
        return self.page(
            "bin.html",
            title=pgettext("admin", "Bin"),
            bin=page,
            drafts=[(draft, draft.removed_at + timedelta(days=BIN_DAYS)) for draft in page.drafts],
            days=BIN_DAYS,
        )


class BringBackView(DeskView):
    """A removed draft, which comes back by POST."""

    permissions = (Permission.PUBLISH,)

    def post(self, request: HttpRequest, post_id: int) -> HttpResponse:
        try:
            done = services.bring_back(post_id, actor=self.actor, now=self.now, base_url=self.base_url)
        except NotFound:
            messages.warning(request, _("This draft is not in the bin any more."))
            return HttpResponseRedirect(self.url("bin"))
        except Refusal as refusal:
            messages.error(request, sentence_for(refusal, next(iter(refusal.details), None)))
            return HttpResponseRedirect(self.url("bin"))
        post = done.written.post
        message = _("“%(title)s” is a draft again.") % {"title": post.title}
        self.log(post, message)
        messages.success(request, message)
        if post.slug != done.slug_before:
            names = {"slug": post.slug}
            messages.warning(request, _("Another post has its URL, which now ends with “%(slug)s”.") % names)
        if done.missing:
            fields = ", ".join(_label(name) for name in done.missing)
            messages.warning(
                request, _("Not there any more, or taken by another post: %(fields)s.") % {"fields": fields}
            )
        return HttpResponseRedirect(self.url("change", post.pk))


def _label(name: str) -> str:
    return _("Id of another program") if name == "external_id" else field_label(name)
