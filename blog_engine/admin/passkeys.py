"""The passkeys of the signed-in person: registered, shown and revoked."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from blog_engine.admin.base import DeskView, Permission
from blog_engine.admin.records import RecordText
from blog_engine.admin.signature import signing_site
from blog_engine.conf import get_settings
from blog_engine.conf.extras import CAN_SIGN
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.models import Passkey
from blog_engine.models.signing import LONGEST_PASSKEY_NAME
from blog_engine.queries.passkeys import MOST_PASSKEYS, number_signed_with, passkeys_of
from blog_engine.rules.isolation import isolated
from blog_engine.services.passkeys import (
    CHALLENGE_LASTS,
    register_passkey,
    registration_options,
    revoke_passkey,
)

_PENDING: Final = "blog_engine_passkey"
_WORDS: Final[Mapping[str, Promise]] = {
    "name": gettext_lazy("Name the passkey, in at most 100 characters."),
    "passkeys": gettext_lazy("You have 20 passkeys. Nothing was registered: revoke one first."),
    "passkey": gettext_lazy(
        "The answer of the passkey does not fit, or it is registered already. Nothing was registered: try again."
    ),
}


class PasskeyForm(forms.Form):
    """The name of a new passkey, and what it answered."""

    name = RecordText(
        label=gettext_lazy("Name of the passkey"),
        max_length=LONGEST_PASSKEY_NAME,
        help_text=gettext_lazy("Such as the device that has it. Only you see it."),
    )


class PasskeyPage(DeskView):
    """Base of the pages; without the extra ``passkeys`` there are none."""

    permissions = (Permission.APPROVE,)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not CAN_SIGN:
            raise Http404
        return super().dispatch(request, *args, **kwargs)


class PasskeysView(PasskeyPage):
    """The passkeys of the person, and the form that registers one."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.shown(PasskeyForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = PasskeyForm(request.POST)
        if not form.is_valid():
            return self.shown(form)
        challenge = self._challenge()
        if challenge is None:
            form.add_error(None, _("Nothing was registered: the answer of a passkey is missing, or came too late."))
            return self.shown(form)
        try:
            passkey = register_passkey(
                request.POST.get("answer", ""),
                name=form.cleaned_data["name"],
                challenge=challenge,
                site=signing_site(request),
                actor=self.actor,
                now=self.now,
            )
        except ValidationFailed as refusal:
            (field,) = refusal.details
            form.add_error("name" if field == "name" else None, str(_WORDS[field]))
            return self.shown(form)
        self.log(passkey, _("Registered."))
        message = _("“%(name)s” is registered. From now on, signing asks for a passkey.")
        messages.success(request, message % isolated({"name": passkey.name}))
        return HttpResponseRedirect(request.path)

    def _challenge(self) -> bytes | None:
        """Return the challenge of this session, which is used up; ``None`` for none, or one from long ago."""
        kept = self.request.session.pop(_PENDING, None)
        if not self.request.POST.get("answer") or kept is None:
            return None
        is_recent = self.now - datetime.fromisoformat(kept["at"]) <= CHALLENGE_LASTS
        return bytes.fromhex(kept["challenge"]) if is_recent and kept["person"] == self.actor.id else None

    def shown(self, form: PasskeyForm) -> HttpResponse:
        """Return the page."""
        passkeys = passkeys_of(self.actor.id)
        signed = number_signed_with(passkeys) if passkeys else {}
        return self.page(
            "passkeys.html",
            title=_("Passkeys"),
            form=form,
            passkeys=[(one, signed.get(one.credential_id, 0), self.url("passkey_revoke", one.pk)) for one in passkeys],
            is_full=sum(one.revoked_at is None for one in passkeys) >= MOST_PASSKEYS,
            options_url=self.url("passkey_options"),
        )


class PasskeyOptionsView(PasskeyPage):
    """The challenge that a script asks for before a passkey is registered; the session keeps it."""

    is_once = False

    def post(self, request: HttpRequest) -> HttpResponse:
        challenge = secrets.token_bytes(32)
        kept = {"challenge": challenge.hex(), "at": self.now.isoformat(), "person": self.actor.id}
        request.session[_PENDING] = kept
        options = registration_options(
            challenge=challenge,
            site=signing_site(request),
            title=get_settings().site_name,
            login=request.user.get_username(),
            actor=self.actor,
        )
        return JsonResponse({"publicKey": options})


class RevokePasskeyView(PasskeyPage):
    """The question whether a passkey of the person is revoked, and the answer by POST."""

    def get(self, request: HttpRequest, passkey_id: int) -> HttpResponse:
        return self.page(
            "passkey_revoke.html",
            title=_("Revoke a passkey"),
            passkey=self._own(passkey_id),
            back_url=self.url("passkeys"),
        )

    def post(self, request: HttpRequest, passkey_id: int) -> HttpResponse:
        try:
            passkey = revoke_passkey(passkey_id, actor=self.actor, now=self.now)
        except NotFound as fault:
            raise Http404 from fault
        self.log(passkey, _("Revoked."))
        messages.success(request, _("“%(name)s” is revoked.") % isolated({"name": passkey.name}))
        return HttpResponseRedirect(self.url("passkeys"))

    def _own(self, passkey_id: int) -> Passkey:
        found = next((one for one in passkeys_of(self.actor.id) if one.pk == passkey_id), None)
        if found is None:
            raise Http404
        return found
