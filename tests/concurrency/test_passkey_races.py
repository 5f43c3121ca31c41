"""One answer of a passkey that is sent twice at once, and a passkey that is revoked while it signs."""

from dataclasses import dataclass
from typing import Any

import pytest

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import ApprovalIncomplete
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import PublishPost
from blog_engine.models import Approval, Passkey, Post
from blog_engine.services.passkeys import SignedAnswer, revoke_passkey
from tests.concurrency.races import Held, race, slowly
from tests.requirements import requirement
from tests.support.factories import NOW, save
from tests.support.integrity import assert_history_is_chained
from tests.support.passkeys import Device, answer_to, register, reviewed, signer

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@dataclass(frozen=True)
class Signing:
    """A person with a passkey, a post, and the answer to the challenge of its approval."""

    rosa: Actor
    passkey: Passkey
    post: Post
    answer: SignedAnswer

    def sign(self) -> Any:
        """Sign the post, as a release does, which is never the same as an earlier signature."""
        data = reviewed(self.post)
        sent = {"approval": {"name": data.name, "facts_checked": data.facts_checked}}
        fixed = parse(PublishPost, sent, fixed={"id": data.id})
        return services.publish_post(fixed, actor=self.rosa, now=NOW, signed=self.answer)

    def approve(self) -> Any:
        """Sign the post without a release, so that no hook of the host stops it before."""
        return services.sign_revision(reviewed(self.post), actor=self.rosa, now=NOW, signed=self.answer)

    def revoke(self) -> Any:
        """Revoke the passkey."""
        return revoke_passkey(self.passkey.pk, actor=self.rosa, now=NOW)


@pytest.fixture
def signing() -> Signing:
    rosa, laptop = signer(), Device()
    passkey = register(laptop, actor=rosa)
    post = save(publish=True).post
    return Signing(rosa, passkey, post, answer_to(laptop, reviewed(post), actor=rosa))


@requirement("approvals.signed.once")
def test_an_answer_that_is_sent_twice_at_once_signs_once(held: Held, signing: Signing) -> None:
    outcomes = race(held, slowly(held, signing.sign), signing.sign)

    assert outcomes[1] is ApprovalIncomplete
    assert Approval.objects.count() == 1
    assert_history_is_chained()


@requirement("approvals.signed.keys")
def test_a_signature_that_waits_for_the_revocation_is_refused(held: Held, signing: Signing) -> None:
    outcomes = race(held, slowly(held, signing.revoke), signing.sign)

    assert outcomes[1] is ApprovalIncomplete
    assert not Approval.objects.exists()


@requirement("approvals.signed.keys")
def test_a_revocation_that_waits_for_a_signature_comes_after_it(held: Held, signing: Signing) -> None:
    race(held, slowly(held, signing.approve), signing.revoke)

    assert Approval.objects.get().signature.key.credential_id == signing.passkey.credential_id
    assert Passkey.objects.get().revoked_at == NOW
    assert Passkey.objects.get().last_used_at == NOW
