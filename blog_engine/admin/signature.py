"""Signatures with a passkey: what a session keeps of their challenges, and the answers to them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from blog_engine.actor import Actor
from blog_engine.conf import get_settings
from blog_engine.conf.extras import CAN_SIGN
from blog_engine.errors import Refusal
from blog_engine.queries.passkeys import has_passkeys
from blog_engine.services.passkeys import (
    SignedAnswer,
    SigningSite,
    challenge_in,
    read_answer,
    refusal_of_signature,
)

_PENDING: Final = "blog_engine_signing"
_MOST_PENDING: Final = 5
"""Pages on which a person can begin a signature before finishing one."""

SIGNATURE_WORDS: Final[Mapping[str, Promise]] = {
    "signature.missing": gettext_lazy(
        "You have a passkey, so this needs your passkey, and a script for it. Nothing was signed: allow scripts on "
        "this page, and sign again."
    ),
    "signature.required": gettext_lazy(
        "This blog takes only signatures with a passkey. Nothing was signed: register a passkey first."
    ),
    "signature.expired": gettext_lazy(
        "Too much time passed before your passkey answered. Nothing was signed: sign again."
    ),
    "signature.used": gettext_lazy("Your passkey signed this once already. Nothing was signed again."),
    "signature.unknown": gettext_lazy("This is not one of your passkeys. Nothing was signed."),
    "signature.revoked": gettext_lazy("This passkey is revoked. Nothing was signed: use another one."),
    "signature.person": gettext_lazy("Your account is not active any more. Nothing was signed."),
    "signature.count": gettext_lazy(
        "This passkey counts fewer signatures than it made, as a copy of it would. Nothing was signed: revoke it."
    ),
    "signature.failed": gettext_lazy("The answer of the passkey does not belong to this version. Nothing was signed."),
}
"""What a form says about a signature that does not count, by the detail of the refusal."""


def signing_site(request: HttpRequest) -> SigningSite:
    """Return the site for which passkeys work on this page, by the host that was requested.

    ``public_base_url`` adds its scheme and port where it has the same host, for a proxy that does not pass them on.
    """
    host = request.get_host()
    name = split_domain_port(host)[0].lower()
    public = get_settings().public_base_url or ""
    origins = [f"{request.scheme}://{host.lower()}", *([public] if urlsplit(public).hostname == name else [])]
    return SigningSite(name, tuple(dict.fromkeys(origins)))


def keep_challenge(request: HttpRequest, digest: str, *, at: datetime, actor: Actor) -> None:
    """Keep in the session what was fixed for a challenge; the oldest make room."""
    kept: dict[str, Any] = request.session.get(_PENDING, {})
    newest = sorted(kept.items(), key=lambda one: str(one[1]["at"]))[1 - _MOST_PENDING :]
    request.session[_PENDING] = {**dict(newest), digest: {"at": at.isoformat(), "person": actor.id}}


def answer_sent(request: HttpRequest, actor: Actor) -> SignedAnswer | None:
    """Return what a passkey answered to a challenge of this session, which is used up; ``None`` without passkeys.

    Raises ``ApprovalIncomplete`` for an answer to no challenge of this session, and for none at all of a person who has
    a passkey; one query then.
    """
    text = request.POST.get("answer", "")
    if not text:
        if CAN_SIGN and has_passkeys(actor.id):
            raise refusal_of_signature("missing")
        if get_settings().approvals_signed:
            raise refusal_of_signature("required")
        return None
    pending: dict[str, Any] = request.session.get(_PENDING, {})
    kept = pending.pop(challenge_in(text), None)
    request.session[_PENDING] = pending
    if kept is None or kept["person"] != actor.id:
        raise refusal_of_signature("expired")
    return read_answer(text, at=datetime.fromisoformat(kept["at"]), site=signing_site(request))


def sentence_about_signature(refusal: Refusal) -> str:
    """Return what a form says about a refused signature, empty for another refusal."""
    return next((str(SIGNATURE_WORDS[one]) for one in refusal.details if one in SIGNATURE_WORDS), "")
