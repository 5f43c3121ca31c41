"""The byline of the signed-in person: the author who belongs to the user."""

from functools import cached_property
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine import services
from blog_engine.admin.base import Permission, add_refusal
from blog_engine.admin.records import RecordFormView, name_field
from blog_engine.errors import Refusal, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import CreateAuthor
from blog_engine.models import Author
from blog_engine.queries.people import author_of_user, names_of_free_authors


class BylineForm(forms.Form):
    """The name under which a person writes."""

    name = name_field(
        gettext_lazy("Your name for readers"),
        help_text=gettext_lazy("The author of this name becomes yours; a new name makes a new author."),
        widget=forms.TextInput(attrs={"list": "targets", "autocomplete": "name", "class": "vTextField"}),
    )


class BylineView(RecordFormView):
    """The page on which a person says which author she is."""

    permissions = (Permission.WRITE,)
    grants = ()
    form_class = BylineForm
    submit_label = gettext_lazy("Use this byline")

    @cached_property
    def author(self) -> Author | None:
        """The author who the person is already."""
        return author_of_user(self.request.user.pk)

    @property
    def may_submit(self) -> bool:
        """Whether the person has no byline yet."""
        return self.author is None

    @property
    def explanation(self) -> str:
        """The text that says what the page is for."""
        if self.author is not None:
            return _("Your new posts are by “%(name)s”. An editor changes that on the page of the author.") % {
                "name": self.author.name
            }
        return _("New posts of yours are by this author, unless you enter another one in a post.")

    def make_form(self, data: Any = None, files: Any = None) -> forms.Form:
        return super().make_form(data, files) if self.author is None else forms.Form(data)

    def suggestions(self) -> list[str]:
        """Return authors to choose from."""
        return names_of_free_authors()

    def initial(self) -> dict[str, Any]:
        return {"name": self.actor.name}

    def save(self, form: forms.Form) -> Any:
        if self.author is not None:
            raise ValidationFailed(["user"])
        return services.take_byline(parse(CreateAuthor, form.cleaned_data), actor=self.actor, now=self.now)

    def add_refusal(self, form: forms.Form, refusal: Refusal) -> None:
        if isinstance(refusal, ValidationFailed) and "name" in refusal.details:
            form.add_error("name", _("Somebody else writes under this name."))
        elif isinstance(refusal, ValidationFailed) and "user" in refusal.details:
            form.add_error(None, _("You have a byline already."))
        else:
            add_refusal(form, refusal)

    def answer(self, saved: Any) -> HttpResponse:
        self.log(saved, _("Changed."))
        messages.success(self.request, _("Your new posts are by “%(name)s”.") % {"name": saved})
        return HttpResponseRedirect(self._start())

    def heading(self) -> str:
        return _("Your byline")

    def _start(self) -> str:
        return reverse(f"{self.model_admin.admin_site.name}:index")
