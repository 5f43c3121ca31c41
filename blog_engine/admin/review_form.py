"""The form of a review: the signature, and what happens to the post then."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine.admin._confirming import ConfirmForm
from blog_engine.admin.publishing import (
    RepublishForm,
    ScheduleForm,
    differs_from_public,
    schedule_values,
)
from blog_engine.admin.reviews import SignatureForm
from blog_engine.enums import PostStatus
from blog_engine.http.zones import moment_in_words, planned_moment
from blog_engine.models import Post
from blog_engine.rules.isolation import isolated


class Then(StrEnum):
    """The decision about a post that is signed."""

    NOTHING = "nothing"
    PUBLISH = "publish"
    SCHEDULE = "schedule"


_DONE: Final[dict[Then, Promise]] = {
    Then.PUBLISH: gettext_lazy("Signed and published. Readers see “%(title)s” now."),
    Then.SCHEDULE: gettext_lazy("Signed and scheduled. Readers see “%(title)s” from %(time)s."),
}


class ReviewForm(SignatureForm):
    """A signature and, for those who may publish, what happens then; a part that is not chosen is not looked at."""

    expected_version = forms.IntegerField(required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput)
    seen_status = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    then = forms.ChoiceField(
        label=gettext_lazy("What happens then?"), required=False, initial=Then.NOTHING, widget=forms.RadioSelect
    )

    def __init__(
        self,
        data: Any = None,
        *,
        account: str,
        post: Post,
        may_publish: bool,
        zone: str,
        now: datetime,
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, account=account, initial=initial)
        self._zone = zone
        self._title = post.title
        self.is_release_offered = may_publish and post.status != PostStatus.PUBLISHED
        self.schedule: ScheduleForm | None = None
        self.change: RepublishForm | None = None
        if not self.is_release_offered:
            del self.fields["then"]
            return
        self.fields["then"] = self._choices(post)
        schedule = data if self.chosen is Then.SCHEDULE else None
        self.schedule = ScheduleForm(schedule, initial=schedule_values(post.publish_at, zone), now=now)
        if differs_from_public(post):
            self.change = RepublishForm(data if self.chosen is Then.PUBLISH else None)
        for part in filter(None, (self.schedule, self.change)):
            # A browser would ask for fields of the decision that was not taken.
            part.use_required_attribute = False

    def _choices(self, post: Post) -> forms.ChoiceField:
        field = self.fields["then"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - the class says so
        nothing, at_a_time = _("Nothing else"), _("Publish it at a time")
        if post.status == PostStatus.SCHEDULED:
            time = planned_moment(post.publish_at, self._zone)
            nothing = _("Nothing else: it stays scheduled for %(time)s") % {"time": time}
            at_a_time = _("Publish it at another time")
        field.choices = [
            (Then.NOTHING.value, nothing),
            (Then.PUBLISH.value, _("Publish it now")),
            (Then.SCHEDULE.value, at_a_time),
        ]
        return field

    @property
    def chosen(self) -> Then:
        """The decision that was sent; anything unknown is nothing, and no valid choice."""
        sent = str(self.data.get("then", ""))
        return Then(sent) if sent in set(Then) else Then.NOTHING

    def clean(self) -> dict[str, Any]:
        if self.chosen is not Then.NOTHING and not self.is_release_offered:
            raise forms.ValidationError(_("This post cannot be published here. Nothing was signed."))
        if not all(part.is_valid() for part in self._parts()):
            raise forms.ValidationError(_("Nothing was signed and nothing published: correct the errors below."))
        return self.cleaned_data

    def _parts(self) -> Iterator[ConfirmForm]:
        """Yield the form of the decision that was taken, if it has one."""
        if self.chosen is Then.SCHEDULE and self.schedule is not None:
            yield self.schedule
        if self.chosen is Then.PUBLISH and self.change is not None:
            yield self.change

    @property
    def moment(self) -> datetime | None:
        """The time that a valid form schedules, if it does."""
        if self.chosen is Then.SCHEDULE and self.schedule is not None:
            chosen: datetime = self.schedule.cleaned_data["moment"]
            return chosen
        return None

    def release(self) -> dict[str, Any]:
        """Return the fields of a valid form for ``publish_post``, with the approval."""
        approval = self.signature()
        if self.moment is not None:
            return {"approval": approval, "publish_at": self.moment.isoformat()}
        kind = self.change.kind_of_change() if self.change is not None else {}
        return {"approval": approval, **kind}

    def message(self) -> str:
        if self.chosen is Then.NOTHING:
            return super().message()
        names = isolated({"title": self._title})
        if self.moment is not None and self.schedule is not None:
            names["time"] = moment_in_words(self.moment, self.schedule.cleaned_data["zone"])
        return str(_DONE[self.chosen]) % names
