"""The disclosure report at the desk: the posts of a period, and an archive with the report."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from blog_engine.admin.base import DeskView, Permission
from blog_engine.errors import RateLimited, ValidationFailed
from blog_engine.exporting.disclosure import (
    MOST_BYTES_AT_ONCE,
    MOST_POSTS_AT_ONCE,
    DisclosureTooLarge,
    NothingDisclosed,
    disclosure_archive,
    period_of,
)
from blog_engine.exporting.disclosure_words import PostSummary, summary_of
from blog_engine.models import Post
from blog_engine.operations.reports import one_report_at_a_time
from blog_engine.queries.disclosure import DisclosedPage, disclosed_page
from blog_engine.reader.page import page_number
from blog_engine.rules.disclosure import Period

_FIELDS: Final = {"from": "first", "to": "last"}
"""The fields of the form by the names that refusals have for them."""


class _DayInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class PeriodForm(forms.Form):
    """The first and the last day of a period."""

    first = forms.DateField(label=_("First day"), input_formats=["%Y-%m-%d"], widget=_DayInput)
    last = forms.DateField(label=_("Last day"), input_formats=["%Y-%m-%d"], widget=_DayInput)

    period: Period
    """The period of a valid form."""

    def clean(self) -> dict[str, Any]:
        """Check the days as the command does."""
        cleaned = super().clean() or {}
        if not self.errors:
            sent = {name: cleaned[field].isoformat() for name, field in _FIELDS.items()}
            try:
                self.period = period_of(sent)
            except ValidationFailed as refusal:
                field = _FIELDS[refusal.details[0]]
                is_reversed = cleaned["first"] > cleaned["last"]
                self.add_error(
                    field,
                    gettext("The first day must not be after the last one.")
                    if is_reversed
                    else gettext("Choose a day of another year."),
                )
        return cleaned


@dataclass(frozen=True, slots=True)
class _DisclosureRow:
    post: Post
    url: str
    summary: PostSummary


class DisclosureView(DeskView):
    """The posts that were public in a period: AI part, review and notice; and their report as an archive.

    It is for people who sign reviews, because the evidence has drafts and proposals.
    """

    permissions = (Permission.APPROVE,)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Ask for a period, show its posts, or send the archive."""
        if "first" not in request.GET and "last" not in request.GET:
            return self._page(PeriodForm(initial={"first": date(self.now.year, 1, 1), "last": self.now.date()}))
        form = PeriodForm(request.GET)
        if not form.is_valid():
            return self._page(form)
        if "download" in request.GET:
            return self._archive(form)
        return self._list(form)

    def _list(self, form: PeriodForm) -> HttpResponse:
        number = page_number(self.request.GET.getlist("page"))
        if number is None:
            raise Http404
        listed = disclosed_page(form.period, number=number)
        rows = [_DisclosureRow(one.post, self.url("history", one.post.pk), summary_of(one)) for one in listed.found]
        return self._page(form, listed=listed, rows=rows)

    def _archive(self, form: PeriodForm) -> HttpResponse:
        try:
            with one_report_at_a_time():
                content = disclosure_archive(form.period, now=self.now, base_url=self.base_url)
        except NothingDisclosed:
            form.add_error(None, gettext("No post was public in this period."))
        except RateLimited:
            form.add_error(None, gettext("Another report is being made. Try again in a moment."))
        except DisclosureTooLarge:
            limits = {"posts": MOST_POSTS_AT_ONCE, "size": MOST_BYTES_AT_ONCE // 1024**2}
            form.add_error(
                None,
                gettext(
                    "A report that is made here has at most %(posts)s posts and %(size)s MiB of records. Choose a "
                    "shorter period, or ask the person who runs the server for the command disclosure_report, which "
                    "has no limit."
                )
                % limits,
            )
        else:
            name = f"disclosure-{form.period.first}-to-{form.period.last}.zip"
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return HttpResponse(content, content_type="application/zip", headers=headers)
        return self._page(form)

    def _page(self, form: PeriodForm, *, listed: DisclosedPage | None = None, **context: Any) -> HttpResponse:
        days = f"first={form.period.first}&last={form.period.last}" if listed else ""
        return self.page("disclosure.html", title=gettext("Disclosure"), form=form, listed=listed, days=days, **context)
