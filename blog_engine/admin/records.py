"""Base views and forms for categories, authors, redirects and the other supporting records."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import Error
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from blog_engine.actor import Scope
from blog_engine.admin.base import DeskView, Permission, add_refusal
from blog_engine.admin.post_fields import OWN_DIRECTION
from blog_engine.content.text import MAX_SLUG_LENGTH, MOST_MARKS, has_long_mark_run
from blog_engine.errors import Refusal
from blog_engine.findings import Finding
from blog_engine.inputs.types import LONGEST_TEXT, SHORT_TEXT
from blog_engine.models.base import slug_shaped
from blog_engine.queries.database import refusal_of_database
from blog_engine.rules.isolation import isolated

SLUG_HELP = gettext_lazy("Its old URL and its feeds redirect to the new ones.")
_NAME = gettext_lazy("Name")
_DESCRIPTION = pgettext_lazy("admin", "Description")


def storable(text: str) -> None:
    """Raise ``ValidationError`` for a text that no field of the blog accepts."""
    if has_long_mark_run(text):
        raise ValidationError(_("At most %(most)s combining marks in a row."), params={"most": MOST_MARKS})


class RecordText(forms.CharField):
    """A text with the line ends of the blog, which forms send as CR LF."""

    default_validators = (storable,)  # type: ignore[assignment]  # a list in the stubs

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")

    def has_changed(self, initial: Any, data: Any) -> bool:
        # A text that was stored with CR LF is the same one.
        stored = initial.replace("\r\n", "\n") if isinstance(initial, str) else initial
        return super().has_changed(stored, data)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return the attributes of the control; one of a line is as wide as those of Django's admin."""
        wide = {"class": "vTextField"} if type(widget) is forms.TextInput else {}
        return OWN_DIRECTION | wide | super().widget_attrs(widget)


def name_field(label: Any = _NAME, **options: Any) -> RecordText:
    """Return the field for the name of a record."""
    return RecordText(label=label, max_length=SHORT_TEXT, **options)


def slug_field(help_text: Any = SLUG_HELP) -> RecordText:
    """Return the field for a slug, which can be blank."""
    return RecordText(
        label=gettext_lazy("Last part of the URL"),
        required=False,
        max_length=MAX_SLUG_LENGTH,
        validators=[slug_shaped],
        help_text=help_text,
    )


def long_text_field(label: Any = _DESCRIPTION, *, rows: int = 5, **options: Any) -> RecordText:
    """Return the field for a text of several lines, which can be blank and keeps its white space."""
    area = forms.Textarea(attrs={"rows": rows, "cols": 80, "class": "vLargeTextField"})
    return RecordText(label=label, required=False, strip=False, max_length=LONGEST_TEXT, widget=area, **options)


def day_field(label: Any, help_text: Any) -> forms.DateField:
    """Return the field for a date, which can be blank."""
    return forms.DateField(
        label=label,
        required=False,
        help_text=help_text,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
    )


class RecordView(DeskView):
    """A page of one supporting record."""

    permissions: ClassVar[tuple[Permission, ...]] = (Permission.MANAGE_SUPPORTING,)
    grants: ClassVar[tuple[Scope, ...]] = (Scope.WRITE, Scope.PUBLISH)

    @cached_property
    def record(self) -> Any:
        """The record that the URL names, or ``None`` on the page of a new one."""
        record_id = self.kwargs.get("object_id")
        if record_id is None:
            return None
        return get_object_or_404(self.model_admin.get_queryset(self.request), pk=record_id)

    def done(
        self, message: str, page: str = "changelist", *args: object, findings: Iterable[Finding] = ()
    ) -> HttpResponse:
        """Redirect to a page that shows what was done, and the advice on it."""
        advice = [finding.translated for finding in findings]
        level = messages.WARNING if advice else messages.SUCCESS
        messages.add_message(self.request, level, " ".join([message, *advice]))
        return redirect(self.url(page, *args))


class RecordFormView(RecordView):
    """A form over a service: a page that shows it, and a POST that calls the service.

    The template reads what the page says from the view.
    """

    form_class: ClassVar[type[forms.Form]] = forms.Form
    template: ClassVar[str] = "record_form.html"
    submit_label: ClassVar[Any] = pgettext_lazy("admin", "Save")
    is_destructive: ClassVar[bool] = False
    explanation: Any = ""
    """The text above the form."""
    may_submit: Any = True
    """Whether the page has the button that sends the form."""
    suggestions: Any = ()
    """The names that complete a control of the form."""

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        return self.show(self.make_form())

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        form = self.make_form(request.POST, request.FILES)
        if not form.is_valid():
            return self.show(form)
        try:
            saved = self.save(form)
        except (Refusal, Error) as fault:
            refusal = refusal_of_database(fault)
            if refusal is None:
                raise
            self.add_refusal(form, refusal)
            return self.show(form)
        return self.answer(saved)

    def make_form(self, data: Any = None, files: Any = None) -> forms.Form:
        """Return the form, filled with what was sent or with the record."""
        return self.form_class(data, files, initial=self.initial())

    def initial(self) -> dict[str, Any]:
        """Return the values that the form shows first."""
        return {name: getattr(self.record, name) for name in self.form_class.base_fields if hasattr(self.record, name)}

    def save(self, form: forms.Form) -> Any:
        """Call the service and return its result; refusals become errors of the form."""
        raise NotImplementedError

    def answer(self, saved: Any) -> HttpResponse:
        """Answer a POST that was saved."""
        self.log_saved(saved)
        text = _("“%(name)s” was added.") if self.record is None else _("“%(name)s” was saved.")
        return self.done(text % isolated({"name": saved}))

    def log_saved(self, saved: Model) -> None:
        """Note in the log of the admin that the record was added or saved."""
        if self.record is None:
            self.model_admin.log_addition(self.request, saved, [{"added": {}}])
        else:
            self.log(saved, _("Saved."))

    def add_refusal(self, form: forms.Form, refusal: Refusal) -> None:
        """Show a refusal in the form."""
        add_refusal(form, refusal)

    def heading(self) -> str:
        """Return the title of the page."""
        kind = self.model_admin.opts.verbose_name
        if self.record is None:
            return _("Add %(kind)s") % {"kind": kind}
        return _("Change %(kind)s “%(name)s”") % {"kind": kind, "name": self.record}

    def links(self) -> list[tuple[str, str]]:
        """Return the URL and the text of links to other pages of the record."""
        return []

    def show(self, form: forms.Form, **context: Any) -> HttpResponse:
        """Return the page with the form."""
        return self.page(
            self.template,
            title=self.heading(),
            form=form,
            view=self,
            links=self.links(),
            back_url=self.url("changelist"),
            **context,
        )


class DeleteRecordView(RecordFormView):
    """Base of the pages that ask whether a record is to be deleted, and note it in the log of the admin."""

    is_destructive = True
    submit_label = pgettext_lazy("admin", "Delete")

    def save(self, form: forms.Form) -> Any:
        deleted = [self.record]
        result = self.delete(form)
        self.model_admin.log_deletions(self.request, deleted)  # type: ignore[arg-type]  # only iterated
        return result

    def delete(self, form: forms.Form) -> Any:
        """Call the service, and return what the answer names."""
        raise NotImplementedError

    def answer(self, saved: Any) -> HttpResponse:
        return self.done(_("“%(name)s” was deleted.") % isolated({"name": self.record}))

    def heading(self) -> str:
        return _("Delete “%(name)s”") % isolated({"name": self.record})
