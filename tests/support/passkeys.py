"""A device with passkeys that exists in memory only, and what it signs."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth import get_user_model
from webauthn.helpers import encode_cbor

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.enums import ActorKind
from blog_engine.inputs.posts import ApproveRevision
from blog_engine.models import Passkey, Post
from blog_engine.services import Written
from blog_engine.services.passkeys import (
    SignedAnswer,
    SigningSite,
    read_answer,
    register_passkey,
    registration_options,
    signing_options,
)
from blog_engine.services.reviews import approval_digest
from blog_engine.verify import base64url, from_base64url
from tests.support.factories import NOW

SITE = SigningSite("testserver", ("http://testserver",))
PRESENT, VERIFIED, ATTESTED = 1, 4, 64


@dataclass
class Device:
    """A device that made one passkey for ES256."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    credential_id: bytes = b""
    count: int = 0
    origin: str = "http://testserver"
    flags: int = PRESENT | VERIFIED

    def __post_init__(self) -> None:
        numbers = self.key.public_key().public_numbers()
        self.x, self.y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        self.credential_id = self.credential_id or hashlib.sha256(self.x).digest()

    def made(self, options: dict[str, Any], **changes: Any) -> str:
        """Return the JSON of a new passkey, as a script sends what ``navigator.credentials.create`` returned."""
        cose = encode_cbor({1: 2, 3: -7, -1: 1, -2: self.x, -3: self.y} | changes.pop("cose", {}))
        place = bytes(16) + len(self.credential_id).to_bytes(2, "big") + self.credential_id
        data = self._data(options["rp"]["id"], flags=self.flags | ATTESTED) + place + cose
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"], **changes)
        response = {"clientDataJSON": base64url(client), "attestationObject": base64url(attestation)}
        return self._answer(response | {"transports": ["internal"]})

    def signed(self, options: dict[str, Any], **changes: Any) -> str:
        """Return the JSON of a signature, as a script sends what ``navigator.credentials.get`` returned."""
        self.count += 1 if self.count else 0
        data = self._data(options["rpId"], flags=self.flags)
        client = self._client("webauthn.get", options["challenge"], **changes)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        response = {"clientDataJSON": client, "authenticatorData": data, "signature": signature}
        return self._answer({name: base64url(part) for name, part in response.items()})

    def _data(self, rp_id: str, *, flags: int) -> bytes:
        return hashlib.sha256(rp_id.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, verb: str, asked: str, **changes: Any) -> bytes:
        said = {"type": verb, "challenge": asked, "origin": self.origin, "crossOrigin": False} | changes
        return json.dumps(said, separators=(",", ":")).encode()

    def _answer(self, response: dict[str, Any]) -> str:
        name = base64url(self.credential_id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def signer(name: str = "Rosa Reviewer") -> Actor:
    """Return a person who signs at the desk, with an account in the host."""
    first, _, last = name.partition(" ")
    login = name.lower().replace(" ", ".")
    user = get_user_model().objects.create_user(login, first_name=first, last_name=last, is_staff=True)
    return Actor(name, kind=ActorKind.PERSON, user_id=user.pk)


def register(device: Device, *, actor: Actor, name: str = "Laptop", now: datetime = NOW) -> Passkey:
    """Register a passkey of a person."""
    challenge = hashlib.sha256(device.x).digest()
    options = registration_options(challenge=challenge, site=SITE, title="Blog", login="rosa", actor=actor)
    return register_passkey(device.made(options), name=name, challenge=challenge, site=SITE, actor=actor, now=now)


def reviewed(post: Post, *, facts_checked: bool = True, name: str = "Rosa Reviewer") -> ApproveRevision:
    """Return the review of the present content of a post."""
    identifier = post.public_revision_identifier or post.current_revision_identifier
    return ApproveRevision(id=str(post.pk), revision_identifier=identifier, name=name, facts_checked=facts_checked)


def answer_to(
    device: Device, data: ApproveRevision, *, actor: Actor, at: datetime = NOW, **changes: Any
) -> SignedAnswer:
    """Return what the device answers to the challenge of an approval; ``changes`` are of what the browser says."""
    digest = approval_digest(int(data.id), data, actor=actor, at=at)
    options = signing_options(list(Passkey.objects.all()), digest=digest, site=SITE)
    return read_answer(device.signed(options, **changes), at=at, site=SITE)


def sign(
    post: Post,
    *,
    actor: Actor,
    device: Device,
    now: datetime = NOW,
    change: Callable[[SignedAnswer], SignedAnswer] = lambda answer: answer,
    **fields: Any,
) -> Written:
    """Sign the present content of a post at the desk with a passkey."""
    data = reviewed(post, **fields)
    answer = change(answer_to(device, data, actor=actor, at=now))
    return services.sign_revision(data, actor=actor, now=now, signed=answer)


def bytes_of(text: str) -> bytes:
    """Return the bytes of a text in Base64url."""
    return from_base64url(text)
