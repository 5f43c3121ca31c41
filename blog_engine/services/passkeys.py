"""Passkeys: registered and revoked by the person, and checked when one signs an approval."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any, Final, Protocol, cast

from django.db import IntegrityError
from django.utils.crypto import salted_hmac

from blog_engine.actor import Actor
from blog_engine.errors import ApprovalIncomplete, NotFound, ValidationFailed
from blog_engine.models import Passkey
from blog_engine.models.signing import LONGEST_CREDENTIAL_ID, LONGEST_PASSKEY_NAME
from blog_engine.queries.checkpoints import newest_checkpoint
from blog_engine.queries.passkeys import MOST_PASSKEYS, is_used, working_passkeys
from blog_engine.queries.reviewers import user_of_actor
from blog_engine.services._transaction import savepoint, write_transaction
from blog_engine.verify import assertion_fault, base64url, from_base64url, is_on_curve

CHALLENGE_LASTS: Final = timedelta(minutes=5)
_LONGEST_CLIENT_DATA, _LONGEST_AUTHENTICATOR_DATA, _LONGEST_SIGNATURE = 2000, 2000, 100
_MOST_TRANSPORTS, _LONGEST_TRANSPORT = 10, 20
_ES256: Final = -7
_COUNT: Final = slice(33, 37)
"""Where authenticator data count the signatures (WebAuthn, 6.1)."""


class _Library(Protocol):
    """The functions of ``_webauthn``, which is loaded when a passkey has answered."""

    def key_of_registration(
        self, response: dict[str, Any], *, challenge: bytes, rp_id: str, origins: list[str]
    ) -> tuple[bytes, bytes, bytes, int]: ...

    def check_answer(
        self, response: dict[str, Any], *, challenge: bytes, rp_id: str, origins: list[str], x: bytes, y: bytes
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class SigningSite:
    """The site for which a passkey works, in the words of WebAuthn the relying party."""

    rp_id: str
    """The host name of the desk."""
    origins: tuple[str, ...]
    """The origins from which it is used, such as ``https://example.com``."""


@dataclass(frozen=True, slots=True)
class SignedAnswer:
    """The answer of a passkey to the challenge of an approval, as the browser sent it."""

    credential_id: str
    client_data: str
    authenticator_data: str
    signature: str
    at: datetime
    """The time of the approval, which was fixed when the challenge was made."""
    site: SigningSite


def registration_options(
    *, challenge: bytes, site: SigningSite, title: str, login: str, actor: Actor
) -> dict[str, Any]:
    """Return what ``navigator.credentials.create`` takes, with bytes in Base64url; one query.

    The device asks for a PIN, a finger or a face, makes a key for ES256, and does not offer the passkey for signing in.
    """
    return {
        "rp": {"id": site.rp_id, "name": title},
        "user": {"id": base64url(_handle(actor)), "name": login, "displayName": actor.name},
        "challenge": base64url(challenge),
        "pubKeyCredParams": [{"type": "public-key", "alg": _ES256}],
        "timeout": int(CHALLENGE_LASTS.total_seconds() * 1000),
        "attestation": "none",
        "authenticatorSelection": {"residentKey": "discouraged", "userVerification": "required"},
        "excludeCredentials": [_described(one) for one in working_passkeys(actor.id)],
    }


def _handle(actor: Actor) -> bytes:
    """Return what a device knows a person by: the same each time, and nothing that names the person."""
    return salted_hmac("blog_engine.passkeys", actor.id, algorithm="sha256").digest()


def signing_options(passkeys: list[Passkey], *, digest: str, site: SigningSite) -> dict[str, Any]:
    """Return what ``navigator.credentials.get`` takes, with bytes in Base64url; the challenge is a digest."""
    return {
        "rpId": site.rp_id,
        "challenge": base64url(bytes.fromhex(digest)),
        "timeout": int(CHALLENGE_LASTS.total_seconds() * 1000),
        "userVerification": "required",
        "allowCredentials": [_described(one) for one in passkeys],
    }


def _described(passkey: Passkey) -> dict[str, Any]:
    return {"type": "public-key", "id": passkey.credential_id, "transports": passkey.transports}


def register_passkey(
    answer: str, *, name: str, challenge: bytes, site: SigningSite, actor: Actor, now: datetime
) -> Passkey:
    """Store the passkey that answered a challenge to register one.

    Raises ``ValidationFailed`` naming ``name`` (blank, or over 100 characters), ``passkeys`` (the person has too many)
    or ``passkey`` (another answer, a key for something else than ES256, or one that is registered already).
    """
    name = name.strip()
    if not name or len(name) > LONGEST_PASSKEY_NAME or "\0" in name:
        raise ValidationFailed(["name"])
    response = _sent(answer)
    try:
        library = cast(_Library, import_module("blog_engine.services._webauthn"))
        credential_id, x, y, count = library.key_of_registration(
            response, challenge=challenge, rp_id=site.rp_id, origins=list(site.origins)
        )
    except ValueError as fault:
        raise ValidationFailed(["passkey"], hint=f"The answer of the passkey does not fit: {fault}") from fault
    identifier, point = base64url(credential_id), (int.from_bytes(x, "big"), int.from_bytes(y, "big"))
    if not 0 < len(identifier) <= LONGEST_CREDENTIAL_ID or not is_on_curve(*point):
        raise ValidationFailed(["passkey"], hint="The passkey has a key or an id that no device makes.")
    with write_transaction():
        if len(working_passkeys(actor.id)) >= MOST_PASSKEYS:
            raise ValidationFailed(["passkeys"], hint=f"At most {MOST_PASSKEYS}: revoke one first.")
        passkey = Passkey(
            person=actor.id,
            name=name,
            credential_id=identifier,
            x=f"{point[0]:064x}",
            y=f"{point[1]:064x}",
            sign_count=count,
            transports=_transports(response),
            created_at=now,
        )
        try:
            with savepoint():
                passkey.save()
        except IntegrityError as fault:
            raise ValidationFailed(["passkey"], hint="This passkey is registered already.") from fault
    return passkey


def _sent(answer: str) -> dict[str, Any]:
    """Return the JSON object that a script sent; raises ``ValidationFailed``."""
    try:
        found = json.loads(answer)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ValidationFailed(["passkey"], hint="The answer of the passkey is no JSON object.")
    return found


def _transports(response: Mapping[str, Any]) -> list[str]:
    inner = response.get("response")
    found = inner.get("transports") if isinstance(inner, dict) else None
    texts = [one for one in found if isinstance(one, str) and one.isascii()] if isinstance(found, list) else []
    return [one for one in texts if 0 < len(one) <= _LONGEST_TRANSPORT][:_MOST_TRANSPORTS]


def revoke_passkey(passkey_id: int, *, actor: Actor, now: datetime) -> Passkey:
    """Revoke a passkey of the actor for good; the time of an earlier revocation stays. Raises ``NotFound``."""
    with write_transaction():
        own = Passkey.objects.filter(pk=passkey_id, person=actor.id)
        own.filter(revoked_at=None).update(revoked_at=now)
        passkey = own.first()
    if passkey is None:
        raise NotFound
    return passkey


def read_answer(text: str, *, at: datetime, site: SigningSite) -> SignedAnswer:
    """Return what a passkey answered; raises ``ApprovalIncomplete`` for anything else."""
    try:
        found = _sent(text)
        inner = found["response"]
        parts = [found["id"], inner["authenticatorData"], inner["signature"]]
        client_data = from_base64url(inner["clientDataJSON"]).decode()
        data, signature = (from_base64url(part) for part in parts[1:])
        from_base64url(parts[0])
    except (ValidationFailed, ValueError, KeyError, TypeError) as fault:
        raise refusal_of_signature("failed") from fault
    longest = ((client_data, _LONGEST_CLIENT_DATA), (parts[1], _LONGEST_AUTHENTICATOR_DATA))
    if any(len(part) > most for part, most in (*longest, (parts[2], _LONGEST_SIGNATURE))) or not data or not signature:
        raise refusal_of_signature("failed")
    return SignedAnswer(parts[0], client_data, parts[1], parts[2], at, site)


def challenge_in(text: str) -> str:
    """Return the digest that an answer of a passkey says it signed, empty if it says none."""
    try:
        client = json.loads(from_base64url(_sent(text)["response"]["clientDataJSON"]).decode())
        return from_base64url(client["challenge"]).hex()
    except (ValidationFailed, ValueError, KeyError, TypeError, RecursionError):
        return ""


def passkey_that_signed(answer: SignedAnswer, *, digest: str, post_id: int, person: str, now: datetime) -> Passkey:
    """Return the passkey of a person that signed a digest, and note its use; call it while the post is locked.

    Everything is read again. Raises ``ApprovalIncomplete`` with the detail ``signature.expired`` (five minutes, or a
    checkpoint meanwhile, which would say that the approval came later), ``signature.used``, ``signature.unknown``,
    ``signature.revoked``, ``signature.person`` (an account that is not active), ``signature.count`` (the device counts
    fewer signatures than it made) or ``signature.failed``.
    """
    checkpoint = newest_checkpoint()
    if not answer.at <= now <= answer.at + CHALLENGE_LASTS or (checkpoint and checkpoint.created_at > answer.at):
        raise refusal_of_signature("expired")
    own = Passkey.objects.select_for_update(no_key=True)
    passkey = own.filter(credential_id=answer.credential_id, person=person).first()
    if passkey is None:
        raise refusal_of_signature("unknown")
    if passkey.revoked_at is not None:
        raise refusal_of_signature("revoked")
    if user_of_actor(person) is None:
        raise refusal_of_signature("person")
    if is_used(post_id, answer.client_data):
        raise refusal_of_signature("used")
    with _failing():
        _check(answer, passkey, digest=digest)
    count = int.from_bytes(from_base64url(answer.authenticator_data)[_COUNT], "big")
    if max(count, passkey.sign_count) > 0 and count <= passkey.sign_count:
        raise refusal_of_signature("count")
    passkey.sign_count, passkey.last_used_at = count, now
    passkey.save(update_fields=["sign_count", "last_used_at"])
    return passkey


@contextmanager
def _failing() -> Iterator[None]:
    try:
        yield
    except ValueError as fault:
        raise refusal_of_signature("failed") from fault


def _check(answer: SignedAnswer, passkey: Passkey, *, digest: str) -> None:
    """Raise ``ValueError`` unless the answer is one of the passkey to the digest, to the library and to verifiers."""
    said = {"client_data": answer.client_data, "signature": answer.signature}
    said["authenticator_data"] = answer.authenticator_data
    fault = assertion_fault(said, digest=digest, key={"x": passkey.x, "y": passkey.y})
    if fault:
        raise ValueError(fault)
    library = cast(_Library, import_module("blog_engine.services._webauthn"))
    library.check_answer(
        {
            "id": answer.credential_id,
            "rawId": answer.credential_id,
            "type": "public-key",
            "response": {
                "clientDataJSON": base64url(answer.client_data.encode()),
                "authenticatorData": answer.authenticator_data,
                "signature": answer.signature,
            },
        },
        challenge=bytes.fromhex(digest),
        rp_id=answer.site.rp_id,
        origins=list(answer.site.origins),
        x=bytes.fromhex(passkey.x),
        y=bytes.fromhex(passkey.y),
    )


_HINTS: Final[Mapping[str, str]] = {
    "missing": "This person signs with a passkey: sign on the page of the review, in a browser with scripts.",
    "required": "This blog takes only signatures with a passkey, and this person has none.",
    "expired": "Too much time passed, or a checkpoint was made meanwhile. Sign again.",
    "used": "An approval was signed with this answer already. Sign again.",
    "unknown": "It is of a passkey that this person did not register.",
    "revoked": "The passkey is revoked.",
    "person": "The account of this person is not active.",
    "count": "The device counts fewer signatures than it made: somebody may have copied it. Revoke the passkey.",
    "failed": "It is no signature of this approval. Sign again.",
}


def refusal_of_signature(reason: str) -> ApprovalIncomplete:
    """Return the refusal for a reason, which its one detail names."""
    return ApprovalIncomplete([f"signature.{reason}"], hint=f"The signature does not count. {_HINTS[reason]}")
