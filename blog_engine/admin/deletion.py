"""Deleting categories, series and tags, and merging them into others of their kind."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from blog_engine import services
from blog_engine.admin.records import DeleteRecordView, RecordText
from blog_engine.inputs.records import MergeTags
from blog_engine.inputs.types import SHORT_TEXT
from blog_engine.models import Category, Series
from blog_engine.queries.records import names_of_others, records_with_name_or_slug
from blog_engine.rules.isolation import isolated

_MOST_SUGGESTIONS: Final = 100


class TargetForm(forms.Form):
    """The record that takes the posts, by its name or slug."""

    target = RecordText(
        label=gettext_lazy("Merge into"),
        max_length=SHORT_TEXT,
        help_text=gettext_lazy("Its name, or the last part of its URL."),
        widget=forms.TextInput(attrs={"list": "targets", "autocomplete": "off", "class": "vTextField"}),
    )

    def __init__(self, *args: Any, record: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.record = record

    def clean_target(self) -> Any:
        """Return the record that was named."""
        rows = records_with_name_or_slug(type(self.record), self.cleaned_data["target"], limit=3)
        if not rows:
            raise forms.ValidationError(_("There is none with this name."))
        if len(rows) > 1:
            raise forms.ValidationError(_("Several have this name: enter the last part of the URL."))
        if rows[0] == self.record:
            raise forms.ValidationError(_("This is the one that is deleted: choose another one."))
        return rows[0]


class DeletionForm(TargetForm):
    """The record that takes the posts and the page of a deleted one, if one does."""

    choice = forms.ChoiceField(
        label=gettext_lazy("Where its posts and its page go"),
        choices=[
            ("target", gettext_lazy("To another one, entered below")),
            ("gone", gettext_lazy("Nowhere: its posts stay without one, and its page is gone (410)")),
        ],
        widget=forms.RadioSelect,
    )
    field_order = ("choice", "target")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["target"].label, self.fields["target"].required = _("The other one"), False

    def clean_target(self) -> Any:
        """Return the record that was named, or ``None`` if there will be none."""
        if self.cleaned_data.get("choice") != "target":
            return None
        if not self.cleaned_data["target"]:
            raise forms.ValidationError(_("Enter the name of the other one."))
        return super().clean_target()


_DELETE: dict[type[Any], Callable[..., None]] = {
    Category: services.delete_category,
    Series: services.delete_series,
}


def _number_of_posts(record: Any) -> str:
    number = int(record.posts_count)
    return ngettext("It has %(number)s post.", "It has %(number)s posts.", number) % {"number": number}


class DeleteTaxonomyView(DeleteRecordView):
    """Delete a category or a series: its posts and its page go to another one, or nowhere (taxonomy.deletion)."""

    form_class: ClassVar[type[forms.Form]] = DeletionForm
    consequence: ClassVar[Any] = gettext_lazy(
        "Posts are never deleted here. With another one, its posts move there, and its page and its feeds redirect "
        "there. This cannot be undone."
    )

    def make_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return self.form_class(data, files, record=self.record, initial=self.initial())  # type: ignore[call-arg]  # a TargetForm

    def delete(self, form: forms.Form) -> Any:
        target = form.cleaned_data["target"]
        target_id = target.pk if target is not None else None
        _DELETE[type(self.record)](self.record.pk, target_id=target_id, actor=self.actor, now=self.now)
        return target

    def initial(self) -> dict[str, Any]:
        return {"target": self.request.GET.get("target", "")}

    def answer(self, saved: Any) -> HttpResponse:
        if saved is None:
            return super().answer(saved)
        names = isolated({"name": self.record, "target": saved})
        self.log(saved, _("Took the posts and the page of “%(name)s”.") % names)
        return self.done(_("“%(name)s” was merged into “%(target)s”.") % names)

    def explanation(self) -> str:
        """Return how many posts the record has, and what happens to them."""
        return f"{_number_of_posts(self.record)} {self.consequence}"

    def suggestions(self) -> Sequence[str]:
        """Return names of other records, for the completion of the browser."""
        return names_of_others(self.record, limit=_MOST_SUGGESTIONS)


class MergeTaxonomyView(DeleteTaxonomyView):
    """Merge a category or a series into another one."""

    form_class = TargetForm
    submit_label = gettext_lazy("Merge")
    consequence = gettext_lazy(
        "Its posts move to the other one, its page and its feeds redirect there, and it is deleted. "
        "This cannot be undone."
    )

    def heading(self) -> str:
        return _("Merge “%(name)s” into another one") % isolated({"name": self.record})


class MergeTagView(MergeTaxonomyView):
    """Replace a tag by another one."""

    consequence = gettext_lazy(
        "They get the other tag instead, its page and its feeds redirect there, and it is deleted. "
        "This cannot be undone."
    )

    def delete(self, form: forms.Form) -> Any:
        target = form.cleaned_data["target"]
        services.merge_tags(MergeTags(id=self.record.pk, target=target.pk), actor=self.actor, now=self.now)
        return target


class DeleteTagView(DeleteRecordView):
    """Delete a tag that no post has."""

    def delete(self, form: forms.Form) -> None:
        services.delete_tag(self.record.pk, actor=self.actor, now=self.now)

    def may_submit(self) -> bool:
        """Return whether no post has the tag."""
        return not self.record.posts_count

    def links(self) -> list[tuple[str, str]]:
        return [(self.url("merge", self.record.pk), _("Merge into another tag"))]

    def explanation(self) -> str:
        """Return what happens, or why the tag stays."""
        if self.record.posts_count:
            stays = _("A tag that posts have cannot be deleted: merge it into another tag instead.")
            return f"{_number_of_posts(self.record)} {stays}"
        return _("No post has this tag. Its page and its feeds are gone (410) afterwards. This cannot be undone.")
