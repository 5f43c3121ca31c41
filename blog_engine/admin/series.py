"""The reading order of a series, changed by keys or by drag and drop."""

from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine import services
from blog_engine.admin.post_words import STATES
from blog_engine.admin.records import RecordFormView
from blog_engine.enums import PostStatus
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import OrderSeries
from blog_engine.inputs.types import LONGEST_LIST
from blog_engine.models import Post
from blog_engine.queries.records import parts_of_series

_SEPARATOR: Final = ","


class OrderForm(forms.Form):
    """The order of the posts, as their ids."""

    posts = forms.RegexField(r"^[0-9]{1,18}(,[0-9]{1,18})*$", widget=forms.HiddenInput, required=False)

    def ids(self) -> list[int]:
        """Return the ids that were sent."""
        sent = self.cleaned_data.get("posts") or ""
        return [int(part) for part in sent.split(_SEPARATOR) if part]


class OrderSeriesView(RecordFormView):
    """The posts of a series in their order.

    Without JavaScript, the buttons of a row send the order, and the page comes back with the post moved; the order is
    stored by the button for that alone.
    """

    form_class = OrderForm
    template = "series_order.html"
    submit_label = gettext_lazy("Save this order")

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        move = request.POST.get("move")
        if move is None:
            return super().post(request, **kwargs)
        form = self.make_form(request.POST)
        ids = form.ids() if form.is_valid() and isinstance(form, OrderForm) else []
        return self._show_moved(ids, move)

    def save(self, form: forms.Form) -> Any:
        ids = form.ids() if isinstance(form, OrderForm) else []
        return services.order_series(
            parse(OrderSeries, {"id": self.record.pk, "posts": ids}), actor=self.actor, now=self.now
        )

    def answer(self, saved: Any) -> HttpResponse:
        self.log(saved, _("Changed the order of its posts."))
        return self.done(_("The order of “%(name)s” was saved.") % {"name": saved}, "order", self.record.pk)

    def heading(self) -> str:
        return _("Order the posts of “%(name)s”") % {"name": self.record}

    def links(self) -> list[tuple[str, str]]:
        return [(self.url("change", self.record.pk), _("Change the series"))]

    def show(self, form: forms.Form, **context: Any) -> HttpResponse:
        parts = list(parts_of_series(self.record.pk)[: LONGEST_LIST + 1])
        shown: dict[str, Any] = {"parts": parts, "order": _SEPARATOR.join(str(part.pk) for part in parts)}
        shown |= {"is_too_long": len(parts) > LONGEST_LIST} | context
        for part in shown["parts"]:
            part.status_name = STATES[PostStatus(part.status)]
        return super().show(form, **shown)

    def _show_moved(self, ids: list[int], move: str) -> HttpResponse:
        by_id = {part.pk: part for part in parts_of_series(self.record.pk)[: LONGEST_LIST + 1]}
        form = OrderForm()
        if sorted(ids) != sorted(by_id):
            notice = _("The series has other posts by now. This is their order.")
            return self.show(form, notice=notice)
        direction, _colon, sent = move.partition(":")
        place = next((place for place, pk in enumerate(ids) if str(pk) == sent), None)
        other = None if place is None else place + {"up": -1, "down": 1}.get(direction, 0)
        if place is None or other is None or not 0 <= other < len(ids):
            return self.show(form, **_shown(by_id, ids))
        ids[place], ids[other] = ids[other], ids[place]
        moved = by_id[ids[other]]
        notice = _("“%(title)s” is now number %(place)s of %(all)s. The order is not saved yet.") % {
            "title": moved.title,
            "place": other + 1,
            "all": len(ids),
        }
        return self.show(form, notice=notice, moved=moved.pk, direction=direction, **_shown(by_id, ids))


def _shown(by_id: dict[int, Post], ids: list[int]) -> dict[str, Any]:
    return {"parts": [by_id[pk] for pk in ids], "order": _SEPARATOR.join(map(str, ids))}
