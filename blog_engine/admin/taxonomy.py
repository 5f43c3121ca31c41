"""Categories, tags and series at the desk, and the reading order of a series."""

from collections.abc import Callable
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from blog_engine import services
from blog_engine.admin.records import RecordFormView, long_text_field, name_field, slug_field
from blog_engine.admin.words import STATES
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ListKind
from blog_engine.errors import Refusal, ValidationFailed
from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.records import (
    CreateCategory,
    CreateSeries,
    OrderSeries,
    RenameTag,
    UpdateCategory,
    UpdateSeries,
)
from blog_engine.inputs.types import LARGEST_INTEGER, LONGEST_LIST
from blog_engine.queries.records import other_of_name, parts_of_series
from blog_engine.rules.isolation import isolated


class CategoryForm(forms.Form):
    """The fields of a category."""

    name = name_field()
    slug = slug_field()
    description = long_text_field(help_text=gettext_lazy("Readers see it on the page of the category."))
    position = forms.IntegerField(
        label=gettext_lazy("Position"),
        initial=0,
        min_value=-LARGEST_INTEGER - 1,
        max_value=LARGEST_INTEGER,
        help_text=gettext_lazy("Categories with smaller numbers come first."),
    )


class SeriesForm(forms.Form):
    """The fields of a series."""

    name = name_field()
    slug = slug_field()
    description = long_text_field(help_text=gettext_lazy("Readers see it on the page of the series."))


class RenameTagForm(forms.Form):
    """The fields of a tag, which only has a name and a slug; posts make new tags."""

    name = name_field(help_text=gettext_lazy("Posts show the new name at once."))
    slug = slug_field()


class SaveRecordView(RecordFormView):
    """The form of a new or a stored record."""

    create_input: ClassVar[type[Input]]
    update_input: ClassVar[type[Input]]
    create: ClassVar[Callable[..., Any]]
    update: ClassVar[Callable[..., Any]]
    kind: ClassVar[ListKind]
    own_pages: ClassVar[tuple[tuple[str, Any], ...]] = (
        ("merge", gettext_lazy("Merge into another one")),
        ("delete", pgettext_lazy("admin", "Delete")),
    )
    """Further pages of the record, with the texts of the links there."""

    def make_form(self, data: Any = None, files: Any = None) -> forms.Form:
        form = super().make_form(data, files)
        if self.record is None:
            form.fields["slug"].help_text = _("Made from the name when you leave it blank.")
        return form

    def save(self, form: forms.Form) -> Any:
        return self.store(self.sent(form))

    def store(self, sent: dict[str, Any]) -> Any:
        """Call the service with the fields for it."""
        if self.record is None:
            return self.create(parse(self.create_input, sent), actor=self.actor, now=self.now)
        data = parse(self.update_input, sent, fixed={"id": self.record.pk})
        return self.update(data, actor=self.actor, now=self.now)

    def sent(self, form: forms.Form) -> dict[str, Any]:
        """Return the fields for the service: of a stored record, only those that were changed."""
        names = form.fields if self.record is None else form.changed_data
        return {name: form.cleaned_data[name] for name in names}

    def add_refusal(self, form: forms.Form, refusal: Refusal) -> None:
        other = None
        if isinstance(refusal, ValidationFailed) and "name" in refusal.details and "name" in form.cleaned_data:
            other = other_of_name(self.model_admin.model, form.cleaned_data["name"], than=self.record)
        if other is None:
            super().add_refusal(form, refusal)
            return
        page, words = self.url("change", other.pk), _("Another record has this name: %(link)s.")
        if self.record is not None and self.model_admin.has_page("merge"):
            page = f"{self.url('merge', self.record.pk)}?{urlencode({'target': other.slug})}"
            words = _("Another record has this name. To make one of both: %(link)s.")
            link = format_html('<a href="{}">{}</a>', page, _("Merge into “%(name)s”") % isolated({"name": other}))
        else:
            link = format_html('<a href="{}">{}</a>', page, other)
        form.add_error("name", format_html(words.replace("%(link)s", "{}"), link))

    def links(self) -> list[tuple[str, str]]:
        if self.record is None:
            return []
        page = BlogURLs.on("").list_path(self.kind, self.record.slug)
        return [
            (page, pgettext("admin", "View on site")),
            (self.url("history", self.record.pk), pgettext("admin", "History")),
            *((self.url(name, self.record.pk), text) for name, text in self.own_pages),
        ]


class SaveCategoryView(SaveRecordView):
    """The form of a category."""

    form_class = CategoryForm
    create_input, update_input = CreateCategory, UpdateCategory
    create, update = staticmethod(services.create_category), staticmethod(services.update_category)
    kind = ListKind.CATEGORY


class SaveSeriesView(SaveRecordView):
    """The form of a series."""

    form_class = SeriesForm
    create_input, update_input = CreateSeries, UpdateSeries
    create, update = staticmethod(services.create_series), staticmethod(services.update_series)
    kind = ListKind.SERIES
    own_pages = (("order", gettext_lazy("Order its posts")), *SaveRecordView.own_pages)


class RenameTagView(SaveRecordView):
    """The form of a tag."""

    form_class = RenameTagForm
    update_input = RenameTag
    update = staticmethod(services.rename_tag)
    kind = ListKind.TAG


class OrderForm(forms.Form):
    """The order of the posts of a series, as their ids."""

    posts = forms.RegexField(r"^[0-9]{1,18}(,[0-9]{1,18})*$", widget=forms.HiddenInput, required=False)

    def clean_posts(self) -> list[int]:
        """Return the ids that were sent."""
        return [int(part) for part in self.cleaned_data["posts"].split(",") if part]


_MOVES: Final = {"up": -1, "down": 1}


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
        return self._show_moved(form.cleaned_data["posts"] if form.is_valid() else [], move)

    def save(self, form: forms.Form) -> Any:
        data = parse(OrderSeries, {"id": self.record.pk, "posts": form.cleaned_data["posts"]})
        return services.order_series(data, actor=self.actor, now=self.now)

    def answer(self, saved: Any) -> HttpResponse:
        self.log(saved, _("Changed the order of its posts."))
        return self.done(_("The order of “%(name)s” was saved.") % isolated({"name": saved}), "order", self.record.pk)

    def heading(self) -> str:
        return _("Order the posts of “%(name)s”") % isolated({"name": self.record})

    def links(self) -> list[tuple[str, str]]:
        return [(self.url("change", self.record.pk), _("Change the series"))]

    def show(self, form: forms.Form, *, ids: list[int] | None = None, **context: Any) -> HttpResponse:
        """Return the page with the stored order, or with another one of the same posts."""
        parts = list(parts_of_series(self.record.pk)[: LONGEST_LIST + 1])
        if ids is not None:
            by_id = {part.pk: part for part in parts}
            parts = [by_id[pk] for pk in ids]
        rows = [(part, STATES[part.status]) for part in parts]
        order = ",".join(str(part.pk) for part in parts)
        return super().show(form, parts=rows, order=order, is_too_long=len(parts) > LONGEST_LIST, **context)

    def _show_moved(self, ids: list[int], move: str) -> HttpResponse:
        titles = {part.pk: part.title for part in parts_of_series(self.record.pk)[: LONGEST_LIST + 1]}
        if sorted(ids) != sorted(titles):
            return self.show(OrderForm(), notice=_("The series has other posts by now. This is their order."))
        direction, _colon, sent = move.partition(":")
        place = next((place for place, pk in enumerate(ids) if str(pk) == sent), None)
        other = None if place is None else place + _MOVES.get(direction, 0)
        if place is None or other is None or not 0 <= other < len(ids):
            return self.show(OrderForm(), ids=ids)
        ids[place], ids[other] = ids[other], ids[place]
        notice = _("“%(title)s” is now number %(place)s of %(all)s. The order is not saved yet.") % isolated(
            {
                "title": titles[ids[other]],
                "place": other + 1,
                "all": len(ids),
            }
        )
        return self.show(OrderForm(), ids=ids, notice=notice, moved=ids[other], direction=direction)
