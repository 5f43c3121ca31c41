"""Approvals that are signed with a passkey, and what does not count as a signature."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from django.contrib.auth import get_user_model

from blog_engine import services
from blog_engine.errors import ApprovalIncomplete, ApprovalRequired, NotFound, RevisionMismatch, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import PublishPost
from blog_engine.inputs.proposals import ProposalRef
from blog_engine.models import Approval, ApprovalKey, ApprovalSignature, ChainLink, Passkey
from blog_engine.queries.posts import read_post
from blog_engine.services import make_checkpoint
from blog_engine.services.passkeys import SigningSite, register_passkey, registration_options, revoke_passkey
from blog_engine.verify import base64url
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, propose, publish, save, update
from tests.support.hosts import Settings, blog_settings
from tests.support.integrity import assert_history_is_chained
from tests.support.passkeys import SITE, VERIFIED, Device, answer_to, bytes_of, register, reviewed, sign, signer
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db
A_MINUTE = timedelta(minutes=1)


@requirement("approvals.signed.records")
def test_a_signed_approval_has_its_key_before_it_and_its_signature_after_it() -> None:
    rosa, laptop = signer(), Device()
    passkey = register(laptop, actor=rosa)
    post = save(publish=True).post

    sign(post, actor=rosa, device=laptop)
    sign(update(post, title="Other", change="maintenance").post, actor=rosa, device=laptop, now=LATER)

    kinds = [record.kind for record in _chain(post)]
    assert [kind for kind in kinds if kind in {"key", "approval", "signature"}] == [
        *("key", "approval", "signature"),
        *("approval", "signature"),
    ]
    key, first = ApprovalKey.objects.get(), ApprovalSignature.objects.order_by("pk").first()
    assert (key.credential_id, key.x, key.y) == (passkey.credential_id, passkey.x, passkey.y)
    assert (key.actor_kind, key.actor_id, key.registered_at) == ("person", rosa.id, NOW)
    assert first is not None and (first.approval, first.key) == (Approval.objects.order_by("pk").first(), key)
    assert Passkey.objects.get().last_used_at == LATER
    assert_history_is_chained()


def _chain(post: Any) -> list[Any]:
    return list(ChainLink.objects.filter(post=post.pk).order_by("position"))


@requirement("approvals.signed.fixed")
def test_the_times_of_the_approval_are_those_of_the_challenge() -> None:
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa)
    post = save(publish=True).post
    data = reviewed(post)
    answer = answer_to(laptop, data, actor=rosa, at=NOW)

    services.sign_revision(data, actor=rosa, now=NOW + A_MINUTE, signed=answer)

    approval = Approval.objects.get()
    assert (approval.approved_at, approval.created_at, approval.signature.created_at) == (NOW, NOW, NOW + A_MINUTE)


@requirement("approvals.signed.release")
def test_a_release_is_signed_with_its_approval(settings: Settings) -> None:
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa)
    post = save(provenance="ai_assisted").post
    data = reviewed(post)
    sent = {"approval": {"name": data.name, "facts_checked": True, "revision_identifier": data.revision_identifier}}

    settings.BLOG_ENGINE = blog_settings(require_approval=True, approvals_signed=True)

    services.publish_post(
        parse(PublishPost, sent, fixed={"id": str(post.pk)}),
        actor=rosa,
        now=NOW + A_MINUTE,
        signed=answer_to(laptop, data, actor=rosa, at=NOW),
    )

    assert Approval.objects.get().signature.key.credential_id == base64url(laptop.credential_id)
    assert_history_is_chained()


@requirement("approvals.signed.proposals")
def test_the_content_of_a_proposal_is_signed() -> None:
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa)
    post = save(publish=True, body="One.").post
    proposed = propose(post, body="Two.", change="maintenance")
    identifier = _proposed_identifier(proposed)
    data = reviewed(post).model_copy(update={"revision_identifier": identifier})

    services.sign_revision(data, actor=rosa, now=NOW, signed=answer_to(laptop, data, actor=rosa))

    assert Approval.objects.get().signature.approval.revision.identifier == identifier
    assert_history_is_chained()


def _another_challenge(laptop: Device, rosa: Any, post: Any) -> Any:
    return answer_to(laptop, reviewed(post, facts_checked=False), actor=rosa)


FLAWS: dict[str, tuple[str, Any]] = {
    "an answer to another approval": ("failed", lambda one: _another_challenge(*one)),
    "another kind of answer": ("failed", lambda one: _answer(*one, type="webauthn.create")),
    "inside another site": ("failed", lambda one: _answer(*one, crossOrigin=True)),
    "another site": ("failed", lambda one: _answer(*one, origin="http://evil.example")),
    "the device identified no person": ("failed", lambda one: _answer(replace(one[0], flags=1), *one[1:])),
    "another device": ("failed", lambda one: _answer(replace(Device(), credential_id=one[0].credential_id), *one[1:])),
    "a passkey that is not registered": ("unknown", lambda one: _answer(Device(), *one[1:])),
    "too late": ("expired", lambda one: replace(_answer(*one), at=NOW - timedelta(minutes=6))),
    "from the future": ("expired", lambda one: replace(_answer(*one), at=NOW + A_MINUTE)),
    "another host name": (
        "failed",
        lambda one: replace(_answer(*one), site=SigningSite("example.com", ("http://testserver",))),
    ),
    "no signature": ("failed", lambda one: replace(_answer(*one), signature="AAAA")),
    "other data of the device": ("failed", lambda one: replace(_answer(*one), authenticator_data="A" * 60)),
}


def _answer(laptop: Device, rosa: Any, post: Any, **changes: Any) -> Any:
    return answer_to(laptop, reviewed(post), actor=rosa, **changes)


@requirement("approvals.signed.exact")
@pytest.mark.parametrize(("reason", "make"), FLAWS.values(), ids=FLAWS)
def test_what_is_no_signature_of_this_approval_is_refused(reason: str, make: Any) -> None:
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa)
    post = save(publish=True).post
    answer = make((laptop, rosa, post))

    with refused(ApprovalIncomplete, [f"signature.{reason}"]):
        services.sign_revision(reviewed(post), actor=rosa, now=NOW, signed=answer)


@requirement("approvals.signed.exact")
def test_a_signature_of_another_revision_post_or_person_is_refused() -> None:
    rosa, laptop = signer(), Device()
    vera, phone = signer("Vera Voss"), Device()
    register(laptop, actor=rosa)
    register(phone, actor=vera)
    post, other = save(publish=True, body="One.").post, save(publish=True, title="Other").post
    answer = answer_to(laptop, reviewed(post), actor=rosa)
    changed = update(post, body="Two.", change="maintenance").post

    for person, about, reason in ((rosa, changed, "failed"), (rosa, other, "failed"), (vera, other, "unknown")):
        with refused(ApprovalIncomplete, [f"signature.{reason}"]):
            services.sign_revision(reviewed(about), actor=person, now=NOW, signed=answer)
    with refused(RevisionMismatch):
        services.sign_revision(reviewed(post), actor=rosa, now=NOW, signed=answer)


@requirement("approvals.signed.once")
def test_an_answer_signs_once() -> None:
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa)
    post = save(publish=True).post
    data = reviewed(post)
    answer = answer_to(laptop, data, actor=rosa)
    services.sign_revision(data, actor=rosa, now=NOW, signed=answer)
    services.sign_revision(data, actor=rosa, now=NOW, signed=answer)
    assert Approval.objects.count() == 1

    # A signature has a twin with the negated s, which is as valid.
    for again in (answer, replace(answer, signature=_negated(answer.signature))):
        with refused(ApprovalIncomplete, ["signature.used"]):
            services.publish_post(
                parse(PublishPost, {"approval": {"name": data.name, "facts_checked": True}}, fixed={"id": data.id}),
                actor=rosa,
                now=NOW,
                signed=again,
            )


def _negated(signature: str) -> str:
    r, s = decode_dss_signature(bytes_of(signature))
    return base64url(encode_dss_signature(r, 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551 - s))


@requirement("approvals.signed.once")
def test_an_approval_without_a_passkey_is_not_the_same_as_a_signed_one() -> None:
    rosa, laptop = signer(), Device()
    post = save(publish=True).post
    services.sign_revision(reviewed(post), actor=rosa, now=NOW)
    register(laptop, actor=rosa)

    sign(post, actor=rosa, device=laptop, now=NOW + A_MINUTE)
    sign(post, actor=rosa, device=laptop, now=NOW + 2 * A_MINUTE)

    assert [hasattr(one, "signature") for one in Approval.objects.order_by("pk")] == [False, True]


@requirement("approvals.signed.keys")
def test_a_revoked_passkey_signs_nothing_and_another_one_goes_on() -> None:
    rosa, laptop, phone = signer(), Device(), Device()
    first = register(laptop, actor=rosa)
    register(phone, actor=rosa, name="Phone")
    post = save(publish=True).post
    sign(post, actor=rosa, device=laptop)
    revoke_passkey(first.pk, actor=rosa, now=NOW)

    with refused(ApprovalIncomplete, ["signature.revoked"]):
        sign(post, actor=rosa, device=laptop, now=LATER)
    sign(post, actor=rosa, device=phone, now=LATER)

    assert [one.signature.key.credential_id for one in Approval.objects.order_by("pk")] == [
        base64url(device.credential_id) for device in (laptop, phone)
    ]
    assert [one.revoked_at for one in Passkey.objects.order_by("pk")] == [NOW, None]


@requirement("approvals.signed.keys")
@pytest.mark.parametrize("is_deleted", [True, False], ids=["deleted", "deactivated"])
def test_the_passkey_of_an_account_that_ended_signs_nothing(is_deleted: bool) -> None:
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa)
    post = save(publish=True).post
    user = get_user_model().objects.get(pk=rosa.user_id)
    if is_deleted:
        user.delete()
    else:
        user.is_active = False
        user.save()

    with refused(ApprovalIncomplete, ["signature.person"]):
        sign(post, actor=rosa, device=laptop)


@requirement("approvals.signed.count")
@pytest.mark.parametrize(
    ("stored", "counted", "is_refused"), [(0, 0, False), (4, 5, False), (5, 4, True), (5, 0, True)]
)
def test_a_device_that_counts_backwards_is_refused(stored: int, counted: int, is_refused: bool) -> None:
    rosa, laptop = signer(), Device()
    passkey = register(laptop, actor=rosa)
    Passkey.objects.filter(pk=passkey.pk).update(sign_count=stored)
    post = save(publish=True).post
    laptop.count = counted - 1 if counted else 0

    if is_refused:
        with refused(ApprovalIncomplete, ["signature.count"]):
            sign(post, actor=rosa, device=laptop)
    else:
        sign(post, actor=rosa, device=laptop)
        assert Passkey.objects.get().sign_count == counted


@requirement("approvals.signed.fixed")
def test_a_checkpoint_after_the_challenge_makes_it_too_late() -> None:
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa)
    post = save(publish=True).post
    answer = answer_to(laptop, reviewed(post), actor=rosa, at=NOW)
    make_checkpoint(now=NOW + A_MINUTE)

    with refused(ApprovalIncomplete, ["signature.expired"]):
        services.sign_revision(reviewed(post), actor=rosa, now=NOW + 2 * A_MINUTE, signed=answer)


@requirement("approvals.signed.required")
def test_a_blog_can_want_every_approval_signed(settings: Settings) -> None:
    rosa, post = signer(), save(publish=True).post
    proposed = propose(post, body="Two.", change="maintenance")
    draft = save(title="Draft").post
    inline = {"approval": {"name": "Rosa Reviewer", "facts_checked": True}}
    doors: list[Any] = [
        lambda: approve(post),
        lambda: save(title="New", **inline),
        lambda: save(title="New", publish=True, **inline),
        lambda: publish(draft, **inline),
        lambda: update(post, title="Other", change="maintenance", **inline),
        lambda: approve(post, identifier=_proposed_identifier(proposed)),
        lambda: services.sign_revision(reviewed(post), actor=rosa, now=NOW),
    ]

    settings.BLOG_ENGINE = blog_settings(approvals_signed=True, public_base_url="https://example.com")

    for door in doors:
        before = everything_stored()
        with pytest.raises(ApprovalIncomplete, match=r"https://example\.com/admin/blog_engine/post/[0-9]+/|review_url"):
            door()
        assert everything_stored() == before
    assert not Approval.objects.exists()


@requirement("approvals.signed.counted")
def test_where_approvals_are_signed_no_other_counts(settings: Settings) -> None:
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa)
    post = save(publish=True, provenance="ai_assisted").post
    services.sign_revision(reviewed(post), actor=rosa, now=NOW)
    assert read_post(post.pk).is_approved
    settings.BLOG_ENGINE = blog_settings(approvals_signed=True, require_approval=True)

    assert not read_post(post.pk).is_approved
    with refused(ApprovalRequired):
        update(post, title="Other", change="maintenance")
    sign(post, actor=rosa, device=laptop, now=LATER)

    assert read_post(post.pk).is_approved
    assert read_post(post.pk).is_reviewed


def _proposed_identifier(proposal: int) -> str:
    return str(services.read_proposal(ProposalRef(proposal=proposal), now=NOW).post.current_revision_identifier)


@requirement("approvals.signed.keys")
def test_a_person_revokes_only_own_passkeys() -> None:
    rosa, vera = signer(), signer("Vera Voss")
    passkey = register(Device(), actor=rosa)

    with refused(NotFound):
        revoke_passkey(passkey.pk, actor=vera, now=NOW)
    assert revoke_passkey(passkey.pk, actor=rosa, now=NOW).revoked_at == NOW
    assert revoke_passkey(passkey.pk, actor=rosa, now=LATER).revoked_at == NOW


REGISTRATIONS: dict[str, tuple[str, Any]] = {
    "no name": ("name", {"name": "  "}),
    "a long name": ("name", {"name": "n" * 101}),
    "another challenge": ("passkey", {"changes": {"challenge": base64url(bytes(32))}}),
    "another origin": ("passkey", {"changes": {"origin": "http://evil.example"}}),
    "a signature": ("passkey", {"changes": {"type": "webauthn.get"}}),
    "another algorithm": ("passkey", {"changes": {"cose": {3: -257}}}),
    "a key off the curve": ("passkey", {"changes": {"cose": {-3: bytes(32)}}}),
    "no person identified": ("passkey", {"flags": 1}),
    "no JSON": ("passkey", {"answer": "nonsense"}),
    "no object": ("passkey", {"answer": "[]"}),
    "nothing in it": ("passkey", {"answer": "{}"}),
    "deep": ("passkey", {"answer": "[" * 100_000}),
}


@requirement("approvals.signed.register")
@pytest.mark.parametrize(("field", "flaw"), REGISTRATIONS.values(), ids=REGISTRATIONS)
def test_what_is_no_new_passkey_is_refused(field: str, flaw: dict[str, Any]) -> None:
    rosa, challenge = signer(), b"c" * 32
    laptop = Device(flags=flaw.get("flags", 1 | VERIFIED))
    options = registration_options(challenge=challenge, site=SITE, title="Blog", login="rosa", actor=rosa)
    answer = flaw.get("answer") or laptop.made(options, **flaw.get("changes", {}))

    with refused(ValidationFailed, [field]):
        register_passkey(answer, name=flaw.get("name", "Laptop"), challenge=challenge, site=SITE, actor=rosa, now=NOW)


@requirement("approvals.signed.register")
def test_a_passkey_is_registered_once_and_a_person_has_at_most_twenty() -> None:
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa)

    with refused(ValidationFailed, ["passkey"]):
        register(laptop, actor=rosa)
    with refused(ValidationFailed, ["passkey"]):
        register(laptop, actor=signer("Vera Voss"))
    for _ in range(19):
        register(Device(), actor=rosa)
    with refused(ValidationFailed, ["passkeys"]):
        register(Device(), actor=rosa)
