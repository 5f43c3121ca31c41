"""API tokens at the desk: made, shown once, revoked."""

from datetime import datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables

from blog_engine.actor import Scope
from blog_engine.admin.base import Permission
from blog_engine.admin.lists import state_of_token
from blog_engine.admin.once import form_key
from blog_engine.admin.records import RecordFormView, RecordView, day_field, name_field
from blog_engine.models import ApiToken
from blog_engine.oauth.words import SCOPE_WORDS
from blog_engine.rules.isolation import isolated
from blog_engine.services.tokens import create_token, revoke_token

_SHOWN: Final = timedelta(minutes=10)
"""How long a second click shows the secret of the first."""


class TokenForm(forms.Form):
    """The fields of a new token."""

    name = name_field(
        gettext_lazy("Name of the agent or program"),
        help_text=gettext_lazy("The history of posts names it for all that this token does."),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it is allowed to do"),
        choices=[(scope.value, words) for scope, words in SCOPE_WORDS.items()],
        initial=[Scope.READ.value, Scope.WRITE.value],
        widget=forms.CheckboxSelectMultiple,
    )
    last_day = day_field(
        gettext_lazy("Last day"),
        gettext_lazy("It stops working at the end of this day. Leave it blank for a token without an end."),
    )

    def clean_last_day(self) -> datetime | None:
        """Return the end of the day in the zone of the site."""
        day = self.cleaned_data["last_day"]
        if day is None:
            return None
        end = datetime.combine(day, time(23, 59, 59), tzinfo=timezone.get_current_timezone())
        if end <= timezone.now():
            raise forms.ValidationError(_("This day has passed."))
        return end


class AddTokenView(RecordFormView):
    """The form of a new token; the answer to its POST alone shows the secret."""

    permissions = (Permission.MANAGE_TOKENS,)
    grants = ()
    form_class = TokenForm
    submit_label = gettext_lazy("Make the token")
    explanation = gettext_lazy(
        "With a token, an agent or a program uses the API of the blog. You see the token once, on the next page."
    )

    @sensitive_variables()
    def save(self, form: forms.Form) -> Any:
        sent = form.cleaned_data
        return create_token(
            sent["name"],
            scopes=sent["scopes"],
            expires_at=sent["last_day"],
            now=self.now,
            form=form_key(self.request),
        )

    @sensitive_variables()
    def answer(self, saved: Any) -> HttpResponse:
        if saved.is_new:
            self.model_admin.log_addition(self.request, saved.token, [{"added": {}}])
        elif self.now - saved.token.created_at > _SHOWN:
            return self.done(_("This token was made before. Its secret was shown then."), "change", saved.token.pk)
        response = self.page(
            "token_secret.html",
            title=_("The token for “%(name)s”") % isolated({"name": saved.token.name}),
            token=saved.token,
            secret=saved.secret,
            back_url=self.url("changelist"),
        )
        response.headers["Cache-Control"] = "no-store"
        return response


class TokenView(RecordView):
    """The details of a token, without its secret."""

    permissions = (Permission.MANAGE_TOKENS,)
    grants = ()

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        token: ApiToken = self.record
        return self.page(
            "token.html",
            title=str(token),
            token=token,
            state=state_of_token(token, now=self.now),
            revoke_url=None if token.revoked_at else self.url("revoke", token.pk),
            history_url=self.url("history", token.pk),
        )


class RevokeTokenView(RecordFormView):
    """Ask whether a token is to be revoked."""

    permissions = (Permission.MANAGE_TOKENS,)
    grants = ()
    is_destructive = True
    submit_label = gettext_lazy("Revoke")
    explanation = gettext_lazy(
        "The agent or program that uses this token is refused at once. A revoked token never works again."
    )

    def heading(self) -> str:
        return _("Revoke “%(token)s”") % isolated({"token": self.record})

    def save(self, form: forms.Form) -> Any:
        revoke_token(self.record, now=self.now)
        return self.record

    def answer(self, saved: Any) -> HttpResponse:
        self.log(saved, _("Revoked."))
        return self.done(_("“%(token)s” was revoked.") % isolated({"token": saved}))
