"""Deleting categories, series and tags, and merging them into others of their kind."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from blog_engine import services
from blog_engine.admin.records import EmptyForm, RecordFormView, RecordText
from blog_engine.content.text import fold
from blog_engine.inputs.records import MergeTags
from blog_engine.inputs.types import SHORT_TEXT
from blog_engine.models import Category, Series, Tag

_MOST_SUGGESTIONS = 100


class TargetForm(forms.Form):
    """The record that takes the posts, by its name or slug."""

    target = RecordText(
        label=gettext_lazy("Merge into"),
        max_length=SHORT_TEXT,
        help_text=gettext_lazy("Its name or its slug."),
        widget=forms.TextInput(attrs={"list": "targets", "autocomplete": "off", "class": "vTextField"}),
    )

    def __init__(self, *args: Any, record: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.record = record

    def clean_target(self) -> Any:
        """Return the record that was named."""
        return self.found(self.cleaned_data["target"])

    def found(self, sent: str) -> Any:
        """Return the record with this slug or name; raises ``ValidationError``."""
        model = type(self.record)
        name = Q(key=fold(sent)) if model is Tag else Q(name=sent)
        rows = list(model._default_manager.filter(name | Q(slug=sent))[:3])
        rows = [row for row in rows if row.slug == sent] or rows
        if not rows:
            raise forms.ValidationError(_("There is none with this name or slug."))
        if len(rows) > 1:
            raise forms.ValidationError(_("Several have this name: enter the slug."))
        if rows[0] == self.record:
            raise forms.ValidationError(_("This is the one that is deleted: choose another one."))
        return rows[0]


class DeletionForm(TargetForm):
    """The record that takes the posts and the page of a deleted one."""

    choice = forms.ChoiceField(
        label=gettext_lazy("Where its posts and its page go"),
        choices=[
            ("target", gettext_lazy("To another one, entered below")),
            ("gone", gettext_lazy("Nowhere: its posts stay without one, and its page is gone (410)")),
        ],
        widget=forms.RadioSelect,
    )
    target = RecordText(
        label=gettext_lazy("The other one"),
        required=False,
        max_length=SHORT_TEXT,
        help_text=gettext_lazy("Its name or its slug."),
        widget=forms.TextInput(attrs={"list": "targets", "autocomplete": "off", "class": "vTextField"}),
    )
    field_order = ("choice", "target")

    def clean_target(self) -> Any:
        """Return the record that was named, or ``None`` if there will be none."""
        if self.cleaned_data.get("choice") != "target":
            return None
        if not self.cleaned_data["target"]:
            raise forms.ValidationError(_("Enter the name or the slug of the other one."))
        return self.found(self.cleaned_data["target"])


class _RemovalView(RecordFormView):
    """Base of pages after which the record is no longer there."""

    is_destructive = True

    def rows(self) -> QuerySet[Any]:
        # With the number of posts.
        return self.model_admin.get_queryset(self.request)

    def make_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return self.form_class(data, files, record=self.record)  # type: ignore[call-arg]  # a TargetForm

    def show(self, form: forms.Form, **context: Any) -> HttpResponse:
        return super().show(form, suggestions=self.suggestions(), **context)

    def suggestions(self) -> Sequence[str]:
        """Return names of other records, for the completion of the browser."""
        rows = type(self.record)._default_manager.exclude(pk=self.record.pk)
        if isinstance(self.record, Tag):
            # Those with the most public posts, which an index finds.
            rows = rows.filter(list_count__isnull=False).order_by("-list_count__posts")
        return list(rows.values_list("name", flat=True)[:_MOST_SUGGESTIONS])

    def count(self) -> str:
        """Return how many posts the record has, in words."""
        number = int(self.record.posts_count)
        return ngettext("It has %(number)s post.", "It has %(number)s posts.", number) % {"number": number}

    def answer(self, saved: Any) -> HttpResponse:
        name, target = str(self.record), saved
        if target is None:
            return self.done(_("“%(name)s” was deleted.") % {"name": name})
        self.log(target, _("Took the posts and the page of “%(name)s”.") % {"name": name})
        return self.done(_("“%(name)s” was merged into “%(target)s”.") % {"name": name, "target": target})


_DELETE: dict[type[Any], Callable[..., None]] = {
    Category: services.delete_category,
    Series: services.delete_series,
}


class DeleteTaxonomyView(_RemovalView):
    """Delete a category or a series: its posts and its page go to another one, or nowhere (taxonomy.deletion)."""

    form_class: ClassVar[type[forms.Form]] = DeletionForm
    submit_label = pgettext_lazy("admin", "Delete")

    def save(self, form: forms.Form) -> Any:
        target = form.cleaned_data["target"]
        target_id = target.pk if target is not None else None
        delete = _DELETE[type(self.record)]
        deleted = [self.record]
        delete(self.record.pk, target_id=target_id, actor=self.actor, now=self.now)
        self.model_admin.log_deletions(self.request, deleted)  # type: ignore[arg-type]  # only iterated
        return target

    def heading(self) -> str:
        return _("Delete “%(name)s”") % {"name": self.record}

    def explanation(self) -> str:
        return f"{self.count()} " + _(
            "Posts are never deleted here. With another one, its posts move there, and its page and its feeds redirect "
            "there. This cannot be undone."
        )


class MergeTaxonomyView(DeleteTaxonomyView):
    """Merge a category or a series into another one."""

    form_class = TargetForm
    submit_label = gettext_lazy("Merge")

    def heading(self) -> str:
        return _("Merge “%(name)s” into another one") % {"name": self.record}

    def explanation(self) -> str:
        return f"{self.count()} " + _(
            "Its posts move to the other one, its page and its feeds redirect there, and it is deleted. "
            "This cannot be undone."
        )


class MergeTagView(MergeTaxonomyView):
    """Replace a tag by another one."""

    def save(self, form: forms.Form) -> Any:
        target = form.cleaned_data["target"]
        deleted = [self.record]
        services.merge_tags(MergeTags(id=self.record.pk, target=target.pk), actor=self.actor, now=self.now)
        self.model_admin.log_deletions(self.request, deleted)  # type: ignore[arg-type]  # only iterated
        return target

    def explanation(self) -> str:
        return f"{self.count()} " + _(
            "They get the other tag instead, its page and its feeds redirect there, and it is deleted. "
            "This cannot be undone."
        )


class DeleteTagView(_RemovalView):
    """Delete a tag that no post has."""

    form_class = EmptyForm
    submit_label = pgettext_lazy("admin", "Delete")

    def make_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return EmptyForm(data)

    def suggestions(self) -> Sequence[str]:
        return []

    def save(self, form: forms.Form) -> Any:
        deleted = [self.record]
        services.delete_tag(self.record.pk, actor=self.actor, now=self.now)
        self.model_admin.log_deletions(self.request, deleted)  # type: ignore[arg-type]  # only iterated

    def heading(self) -> str:
        return _("Delete “%(name)s”") % {"name": self.record}

    def may_submit(self) -> bool:
        return not self.record.posts_count

    def links(self) -> list[tuple[str, str]]:
        return [(self.url("merge", self.record.pk), _("Merge into another tag"))]

    def explanation(self) -> str:
        if self.record.posts_count:
            return f"{self.count()} " + _("A tag that posts have cannot be deleted: merge it into another tag instead.")
        return _("No post has this tag. Its page and its feeds are gone (410) afterwards. This cannot be undone.")
