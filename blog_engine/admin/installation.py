"""The doctor and the surface report as pages, whose results arrive one by one."""

from collections import Counter
from collections.abc import Generator
from itertools import chain
from typing import Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from blog_engine.admin.base import DeskView, Permission
from blog_engine.admin.streaming import Parts, page_part, streamed
from blog_engine.admin.words import PREDICATE_WORDS, PROBE_WORDS, RESULT_KINDS, RESULT_WORDS, STATUS_WORDS
from blog_engine.conf import get_settings
from blog_engine.doctor import PROBES, each_probe
from blog_engine.doctor.base import ProbeContext
from blog_engine.enums import ReportResult, ReportScope
from blog_engine.errors import NotFound, RateLimited
from blog_engine.operations.reports import MOST_POSTS, one_report_at_a_time
from blog_engine.surface_report.observation import Row
from blog_engine.surface_report.report import OpenedPage, SurfaceReport, report_steps

POSTS_AT_ONCE: Final = 20
"""The posts whose pages one request opens."""
_LAST_PAGE: Final = 1_000_000
_PROBLEMS: Final = (ReportResult.FAIL, ReportResult.NOT_VERIFIED)

_OVER_NETWORK: Final = frozenset({"T1", "T2", "T14"})
"""What only a report over the network can check, which needs another worker of the server."""

Step = OpenedPage | Row | SurfaceReport


class DoctorView(DeskView):
    """The checks of the installation."""

    permissions = (Permission.MANAGE_SUPPORTING,)
    is_once = False

    def get(self, request: HttpRequest) -> HttpResponse:
        """Offer to run the checks."""
        return self._page(is_running=False)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Run them, which changes nothing, and show each result at once."""
        return streamed(self._page(is_running=True), self._results())

    def _page(self, *, is_running: bool) -> HttpResponse:
        return self.page(
            "doctor.html", title=gettext("Doctor"), is_running=is_running, number=len(PROBES), report=self.url("report")
        )

    def _results(self) -> Parts:
        statuses: Counter[str] = Counter()
        for number, found in enumerate(each_probe(ProbeContext(now=self.now, newest_posts=MOST_POSTS)), start=1):
            statuses[found.status] += 1
            yield page_part(
                "_check.html",
                kind=found.status,
                status=STATUS_WORDS[found.status],
                name=PROBE_WORDS.get(found.name, found.name),
                text=found.message,
            )
            yield page_part("_check_progress.html", number=number, of=len(PROBES), what="checks")
        counts = [(STATUS_WORDS[status], statuses[status]) for status in STATUS_WORDS]
        yield page_part("_checks_end.html", counts=counts)


class ReportForm(forms.Form):
    """The scope of a report."""

    scope = forms.ChoiceField(
        label=_("What to check"),
        choices=[
            (ReportScope.SITE.value, _("The site: sitemap, feeds, lists, policy pages and redirects")),
            (ReportScope.ALL.value, _("The site and the public posts, page by page")),
            (ReportScope.POST.value, _("One public post")),
        ],
        initial=ReportScope.SITE.value,
        widget=forms.RadioSelect,
    )
    post = forms.CharField(label=_("Last part of the URL of the post"), max_length=200, required=False)
    everything = forms.BooleanField(label=_("Also show what is in order"), required=False)
    page = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=_LAST_PAGE, required=False)

    def clean(self) -> dict[str, object]:
        """Ask for the post only where one is meant."""
        cleaned = super().clean() or {}
        if cleaned.get("scope") != ReportScope.POST.value:
            cleaned["post"] = ""
        elif not cleaned.get("post") and "post" not in self.errors:
            self.add_error("post", gettext("Enter the last part of the URL of a public post."))
        return cleaned


class SurfaceReportView(DeskView):
    """The surface report: the public pages, compared with the records of their posts."""

    permissions = (Permission.MANAGE_SUPPORTING,)
    is_once = False

    def get(self, request: HttpRequest) -> HttpResponse:
        """Ask what to look at."""
        slug = request.GET.get("post", "")[:200]
        initial = {"scope": ReportScope.POST.value, "post": slug} if slug else {}
        return self._page(ReportForm(initial=initial), is_running=False)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Make the report, which changes nothing, and show each result at once."""
        form = ReportForm(request.POST)
        if not form.is_valid():
            return self._page(form, is_running=False)
        steps = self._steps(form)
        try:
            # Before anything is sent: the post may be missing, and another report may run.
            first = next(steps)
        except NotFound:
            form.add_error("post", gettext("No public post has this last part of the URL."))
        except RateLimited:
            form.add_error(None, gettext("Another report is being made. Try again in a moment."))
        else:
            return streamed(self._page(form, is_running=True), self._results(form, first, steps), source=steps)
        return self._page(form, is_running=False)

    def _page(self, form: ReportForm, *, is_running: bool) -> HttpResponse:
        return self.page(
            "report.html",
            title=gettext("Surface report"),
            form=form,
            is_running=is_running,
            most=POSTS_AT_ONCE,
            doctor=self.url("doctor"),
            has_no_origin=get_settings().public_base_url is None,
        )

    def _steps(self, form: ReportForm) -> Generator[Step, None, None]:
        sent = form.cleaned_data
        with one_report_at_a_time():
            yield from report_steps(
                ReportScope(sent["scope"]),
                post=sent["post"] or None,
                page=sent["page"] or 1,
                per_page=POSTS_AT_ONCE,
                reach=False,
                now=self.now,
            )

    def _results(self, form: ReportForm, first: Step, steps: Generator[Step, None, None]) -> Parts:
        titles: dict[int, str] = {}
        counts: Counter[ReportResult] = Counter()
        is_comparing = False
        shown: int | None = -1
        try:
            for step in chain([first], steps):
                if isinstance(step, OpenedPage):
                    titles[step.record.post.pk] = step.record.post.title
                    yield page_part("_check_progress.html", number=step.number, of=step.of, what="posts")
                elif isinstance(step, Row):
                    if step.predicate in _OVER_NETWORK:
                        continue
                    if not is_comparing:
                        is_comparing = True
                        yield page_part("_check_progress.html", what="comparing")
                    counts[step.observation.result] += 1
                    if not (form.cleaned_data["everything"] or step.observation.result in _PROBLEMS):
                        continue
                    if step.post_id != shown:
                        shown = step.post_id
                        yield self._heading(step, titles)
                    yield self._row(step)
                else:
                    yield self._end(form, step, counts)
        finally:
            steps.close()

    def _heading(self, row: Row, titles: dict[int, str]) -> str:
        if row.post_id is None:
            return page_part("_check_heading.html", title=gettext("The site"))
        title = titles.get(row.post_id, str(row.post_id))
        return page_part("_check_heading.html", title=title, url=self.url("change", row.post_id))

    def _row(self, row: Row) -> str:
        seen = row.observation
        return page_part(
            "_check.html",
            kind=RESULT_KINDS[seen.result] or "none",
            status=RESULT_WORDS[seen.result],
            name=PREDICATE_WORDS.get(row.predicate, row.predicate),
            code=row.predicate,
            text=seen.reason,
        )

    def _end(self, form: ReportForm, report: SurfaceReport, counts: Counter[ReportResult]) -> str:
        selected = report.selected
        has_more = report.scope is ReportScope.ALL and selected.page < selected.pages
        return page_part(
            "_checks_end.html",
            counts=[(RESULT_WORDS[result], counts[result]) for result in RESULT_WORDS],
            limitations=report.limitations,
            posts=selected if report.scope is ReportScope.ALL else None,
            next_page=str(selected.page + 1) if has_more else "",
            everything=form.cleaned_data["everything"],
            csrf_token=get_token(self.request),
        )
