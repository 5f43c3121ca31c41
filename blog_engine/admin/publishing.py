"""Publishing a post and scheduling it: a page of confirmation for each."""

from datetime import UTC, datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from blog_engine import services
from blog_engine.admin._comparison import differences_between
from blog_engine.admin._confirming import ConfirmForm, ConfirmView
from blog_engine.admin._release_facts import release_facts
from blog_engine.admin.post_fields import OWN_DIRECTION
from blog_engine.admin.words import KINDS_OF_CHANGE
from blog_engine.enums import PostStatus
from blog_engine.http.zones import known_zones, moment_in_words, remember_zone, zone_names, zone_of
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import PublishPost
from blog_engine.models import Post
from blog_engine.queries.versions import present_payload
from blog_engine.rules.isolation import isolated
from blog_engine.services import Written


class ScheduleForm(ConfirmForm):
    """A time in a time zone, which the cleaned data have as ``moment``."""

    date = forms.DateField(
        label=gettext_lazy("Date"),
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    time = forms.TimeField(
        label=pgettext_lazy("admin", "Time"),
        input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    zone = forms.CharField(
        label=gettext_lazy("Time zone"),
        max_length=100,
        help_text=gettext_lazy("A name such as Europe/Berlin or UTC. Yours is filled in, or else that of the site."),
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, data: Any, *, initial: dict[str, Any], now: datetime) -> None:
        super().__init__(data, initial=initial)
        self._now = now

    def clean_zone(self) -> str:
        name: str = self.cleaned_data["zone"].strip()
        if name not in known_zones():
            raise forms.ValidationError(_("There is no time zone with this name. Choose one from the list."))
        return name

    def clean(self) -> dict[str, Any]:
        sent = self.cleaned_data
        if not {"date", "time", "zone"} <= sent.keys():
            return sent
        local, zone = datetime.combine(sent["date"], sent["time"]), ZoneInfo(sent["zone"])
        try:
            moment = local.replace(tzinfo=zone).astimezone(UTC)
            is_skipped = moment.astimezone(zone).replace(tzinfo=None) != local
            again = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
            today = self._now.astimezone(zone).date()
        except OverflowError:
            self.add_error("date", _("This date is out of range."))
            return sent
        if is_skipped:
            self.add_error("time", _("This time does not exist on that day: the clocks skip it. Choose another one."))
        elif moment != again:
            message = _(
                "This time occurs twice on that day, because the clocks are set back: at %(first)s and at %(second)s "
                "in UTC. Choose one of these with the time zone UTC, or another time."
            )
            self.add_error("time", message % {"first": f"{moment:%H:%M}", "second": f"{again:%H:%M}"})
        elif moment <= self._now:
            field = "date" if sent["date"] < today else "time"
            self.add_error(field, _("This time is in the past. Choose a time in the future."))
        return {**sent, "moment": moment}


def schedule_values(planned: datetime | None, zone: str) -> dict[str, Any]:
    """Return what a form of a time shows at first; ``planned`` is the time that is chosen already."""
    values: dict[str, Any] = {"zone": zone}
    if planned is not None:
        local = timezone.localtime(planned, ZoneInfo(zone))
        values |= {"date": local.date(), "time": local.time()}
    return values


class RepublishForm(ConfirmForm):
    """The kind of change of a post that was public with another text."""

    change = forms.ChoiceField(
        label=gettext_lazy("Kind of change"),
        choices=KINDS_OF_CHANGE,
        widget=forms.RadioSelect,
    )
    change_description = forms.CharField(
        label=gettext_lazy("What changed, for the history"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, **OWN_DIRECTION}),
    )
    note = forms.CharField(
        label=gettext_lazy("Note for readers"),
        required=False,
        help_text=gettext_lazy("For a correction: what was wrong, and what is right."),
        widget=forms.Textarea(attrs={"rows": 3, **OWN_DIRECTION}),
    )

    def kind_of_change(self) -> dict[str, str | None]:
        """Return the fields of a valid form as a publication takes them."""
        return {name: self.cleaned_data[name] or None for name in ("change", "change_description", "note")}


def differs_from_public(post: Post) -> bool:
    """Return whether publishing shows readers another text than the one that was public."""
    return post.public_revision is not None and post.public_revision.identifier != post.current_revision_identifier


class ScheduleView(ConfirmView):
    """Base of the pages on which a time is chosen; a second button only shows what time that is."""

    template = "schedule.html"
    form_class: ClassVar[type[ScheduleForm]] = ScheduleForm
    announcement: ClassVar[Any]
    """The sentence with the title and the chosen time, before anything is done."""
    scheduled: ClassVar[Any]
    """The same afterwards."""

    def planned(self) -> datetime | None:
        """Return the time that is chosen already."""
        raise NotImplementedError

    def make_form(self, data: Any = None, initial: dict[str, Any] | None = None) -> ConfirmForm:
        values = schedule_values(self.planned(), zone_of(self.request))
        return self.form_class(data, initial=values | (initial or {}), now=self.now)

    def shown(self, form: ConfirmForm, **context: Any) -> HttpResponse:
        return super().shown(form, zones=zone_names(), site_zone=timezone.get_default_timezone_name(), **context)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        response, zone = super().post(request, **kwargs), request.POST.get("zone", "").strip()
        if zone in known_zones():
            remember_zone(response, zone, request=request)
        return response

    def preview(self, form: ConfirmForm) -> str:
        return str(self.announcement % _chosen(self.record, form)) if "check" in self.request.POST else ""

    def done(self, written: Written, form: ConfirmForm) -> str:
        return str(self.scheduled % _chosen(written.post, form))


def _chosen(post: Post, form: ConfirmForm) -> dict[str, str]:
    time = moment_in_words(form.cleaned_data["moment"], form.cleaned_data["zone"])
    return {"title": post.title, "time": time}


class ReleaseView(ConfirmView):
    """Base of the pages that call ``publish_post``."""

    def publish(self, form: ConfirmForm, raw: dict[str, Any]) -> Written:
        """Publish the post that the person saw with these fields."""
        expected = {"expected_version": form.cleaned_data["expected_version"]}
        data = parse(PublishPost, raw, fixed={"id": str(self.record.pk)} | expected)
        return services.publish_post(data, actor=self.actor, now=self.now, base_url=self.base_url)


class PublishPostView(ReleaseView):
    """Publish a post now."""

    page_name = "publish"
    button = gettext_lazy("Publish now")

    @property
    def heading(self) -> str:
        return _("Publish again") if self.record.public_revision_id else _("Publish now")

    def sentence(self) -> str:
        post = self.record
        names = isolated({"title": post.title, "path": self.path, "time": self.planned_time(post.publish_at)})
        if post.status == PostStatus.SCHEDULED:
            return _("Readers see “%(title)s” at %(path)s from now on, not only from %(time)s.") % names
        if differs_from_public(post):
            return _("Readers see “%(title)s” again at %(path)s, with the text that changed since.") % names
        if post.public_revision_id:
            return _("Readers see “%(title)s” again at %(path)s, as it was.") % names
        return _("Readers see “%(title)s” at %(path)s from now on, and it appears in lists and feeds.") % names

    def obstacle(self) -> str:
        return _("This post is public already.") if self.record.status == PostStatus.PUBLISHED else ""

    def make_form(self, data: Any = None, initial: dict[str, Any] | None = None) -> ConfirmForm:
        form_class = RepublishForm if differs_from_public(self.record) else ConfirmForm
        return form_class(data, initial=initial)

    def shown(self, form: ConfirmForm, **context: Any) -> HttpResponse:
        post = self.record
        if differs_from_public(post) and post.public_revision is not None:
            context["differences"] = differences_between(post.public_revision.payload, present_payload(post))
        return super().shown(form, **release_facts(post, now=self.now), **context)

    def act(self, form: ConfirmForm) -> Written:
        return self.publish(form, form.kind_of_change() if isinstance(form, RepublishForm) else {})

    def done(self, written: Written, form: ConfirmForm) -> str:
        return _("Published. Readers see “%(title)s” now.") % isolated({"title": written.post.title})


class SchedulePostView(ScheduleView, ReleaseView):
    """Schedule the publication of a post, or move it."""

    page_name = "schedule"
    announcement = gettext_lazy("Readers see “%(title)s” from %(time)s.")
    scheduled = gettext_lazy("Scheduled. Readers see “%(title)s” from %(time)s.")

    @property
    def heading(self) -> str:
        return _("Reschedule") if self.record.status == PostStatus.SCHEDULED else _("Schedule")

    def sentence(self) -> str:
        post = self.record
        names = isolated({"title": post.title, "path": self.path, "time": self.planned_time(post.publish_at)})
        if post.status == PostStatus.SCHEDULED:
            return _("Readers see “%(title)s” at %(path)s from the new time on, instead of %(time)s.") % names
        return _("Readers see “%(title)s” at %(path)s from the time that you choose, and nothing of it before.") % names

    def obstacle(self) -> str:
        is_public = self.record.status == PostStatus.PUBLISHED
        return _("This post is public already: withdraw it first.") if is_public else ""

    def planned(self) -> datetime | None:
        return self.record.publish_at

    def shown(self, form: ConfirmForm, **context: Any) -> HttpResponse:
        return super().shown(form, **release_facts(self.record, now=self.now), **context)

    def act(self, form: ConfirmForm) -> Written:
        return self.publish(form, {"publish_at": form.cleaned_data["moment"].isoformat()})


class CancelScheduleView(ReleaseView):
    """Make a scheduled post a draft."""

    page_name = "cancel"
    heading = gettext_lazy("Cancel the schedule")

    def sentence(self) -> str:
        names = isolated({"title": self.record.title, "time": self.planned_time(self.record.publish_at)})
        return _("Readers do not see “%(title)s” on %(time)s: it becomes a draft again.") % names

    def obstacle(self) -> str:
        return "" if self.record.status == PostStatus.SCHEDULED else _("This post is not scheduled.")

    def act(self, form: ConfirmForm) -> Written:
        return self.publish(form, {"publish_at": None})

    def done(self, written: Written, form: ConfirmForm) -> str:
        return _("The schedule is cancelled. “%(title)s” is a draft.") % isolated({"title": written.post.title})
