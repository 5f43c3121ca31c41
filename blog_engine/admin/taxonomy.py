"""Categories, tags and series at the desk."""

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from blog_engine import services
from blog_engine.admin.deletion import DeleteTagView, DeleteTaxonomyView, MergeTagView, MergeTaxonomyView
from blog_engine.admin.records import RecordAdmin, RecordFormView, long_text_field, name_field, slug_field
from blog_engine.admin.series import OrderSeriesView
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ListKind
from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.records import CreateCategory, CreateSeries, RenameTag, UpdateCategory, UpdateSeries
from blog_engine.inputs.types import LARGEST_INTEGER
from blog_engine.models import Category, Series, Tag
from blog_engine.queries.compiled import among
from blog_engine.queries.records import categories, series_with_counts, tags

_NEW_SLUG = gettext_lazy("The last part of the URL; made from the name when you leave it blank.")


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
    """The fields of a tag."""

    name = name_field(help_text=gettext_lazy("Posts show the new name at once."))
    slug = slug_field()


class SaveRecordView(RecordFormView):
    """The form of a new or a stored record."""

    create_input: ClassVar[type[Input]]
    update_input: ClassVar[type[Input]]
    create: ClassVar[Callable[..., Any]]
    update: ClassVar[Callable[..., Any]]
    kind: ClassVar[ListKind]

    def make_form(self, data: Any = None, files: Any = None) -> forms.Form:
        form = super().make_form(data, files)
        if self.record is None:
            form.fields["slug"].help_text = _NEW_SLUG
        return form

    def save(self, form: forms.Form) -> Any:
        sent = self.sent(form)
        if self.record is None:
            return type(self).create(parse(self.create_input, sent), actor=self.actor, now=self.now)
        data = parse(self.update_input, sent, fixed={"id": self.record.pk})
        return type(self).update(data, actor=self.actor, now=self.now)

    def sent(self, form: forms.Form) -> dict[str, Any]:
        """Return the fields for the service: of a stored record, only those that were changed."""
        names = form.fields if self.record is None else form.changed_data
        return {name: form.cleaned_data[name] for name in names}

    def links(self) -> list[tuple[str, str]]:
        if self.record is None:
            return []
        page = BlogURLs.on("").list_path(self.kind, self.record.slug)
        return [
            (page, pgettext("admin", "View on site")),
            (self.url("history", self.record.pk), pgettext("admin", "History")),
            *((self.url(name, self.record.pk), text) for name, text in self.own_links()),
        ]

    def own_links(self) -> list[tuple[str, str]]:
        """Return the names of further pages of the record, and the texts of the links there."""
        return [("merge", _("Merge into another one")), ("delete", pgettext("admin", "Delete"))]


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

    def own_links(self) -> list[tuple[str, str]]:
        return [("order", _("Order its posts")), *super().own_links()]


class RenameTagView(SaveRecordView):
    """The form of a tag, which only has a name and a slug; posts make new tags."""

    form_class = RenameTagForm
    update_input = RenameTag
    update = staticmethod(services.rename_tag)
    kind = ListKind.TAG


class CountedList(ChangeList):
    """A list of records with the numbers of their posts, which are counted for the records of the page alone."""

    def get_results(self, request: HttpRequest) -> None:
        """Read the page: its ids in the order of the list, which no index has, then the rows with their numbers."""
        counted = self.queryset
        self.queryset = counted.values_list("pk", flat=True)
        super().get_results(request)
        self.queryset, ids = counted, list(self.result_list)
        self.result_list = list(counted.filter(among("pk", ids))) if ids else []


class CountedAdmin(RecordAdmin):
    """Base of the admins of records that posts are filed under."""

    search_fields = ("name", "slug")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return CountedList

    @admin.display(description=gettext_lazy("posts"))
    def number_of_posts(self, record: Any) -> int:
        """Return the number of posts in any state."""
        return int(record.posts_count)


class CategoryAdmin(CountedAdmin):
    """Categories."""

    list_display = ("name", "slug", "position", "number_of_posts")
    ordering = ("position", "name")
    record_pages = (
        ("add/", "add", SaveCategoryView),
        ("<int:object_id>/change/", "change", SaveCategoryView),
        ("<int:object_id>/delete/", "delete", DeleteTaxonomyView),
        ("<int:object_id>/merge/", "merge", MergeTaxonomyView),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Category]:
        return categories().order_by(*self.ordering)


class TagAdmin(CountedAdmin):
    """Tags; posts make them."""

    list_display = ("name", "slug", "number_of_posts")
    ordering = ("name",)
    record_pages = (
        ("<int:object_id>/change/", "change", RenameTagView),
        ("<int:object_id>/delete/", "delete", DeleteTagView),
        ("<int:object_id>/merge/", "merge", MergeTagView),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tag]:
        return tags().order_by(*self.ordering)


class SeriesAdmin(CountedAdmin):
    """Series."""

    list_display = ("name", "slug", "number_of_posts")
    ordering = ("name",)
    record_pages = (
        ("add/", "add", SaveSeriesView),
        ("<int:object_id>/change/", "change", SaveSeriesView),
        ("<int:object_id>/order/", "order", OrderSeriesView),
        ("<int:object_id>/delete/", "delete", DeleteTaxonomyView),
        ("<int:object_id>/merge/", "merge", MergeTaxonomyView),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Series]:
        return series_with_counts().order_by(*self.ordering)
