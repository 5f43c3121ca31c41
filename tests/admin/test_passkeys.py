"""Passkeys at the desk: registered, revoked, and asked for when their person signs."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import Settings

from blog_engine.admin import challenge as challenge_page
from blog_engine.admin import passkeys, reviews, signature
from blog_engine.models import Approval, Passkey, Post
from blog_engine.services.passkeys import revoke_passkey
from tests.admin.desk import EDITOR, WRITER, desk, nothing_written, text_of, url
from tests.requirements import requirement
from tests.support.factories import NOW, propose, save
from tests.support.hosts import blog_settings
from tests.support.passkeys import Device, signer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def ed() -> Client:
    return desk(*EDITOR, name="Ed Editor")


def options_of(client: Client) -> dict[str, Any]:
    """What the page asks the browser for when a passkey is registered."""
    answer = client.post(url("post_passkey_options"))
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    found: dict[str, Any] = answer.json()["publicKey"]
    return found


def register(client: Client, device: Device, *, name: str = "Laptop", **changes: Any) -> Any:
    """Register a passkey as a browser does."""
    answer = device.made(options_of(client), **changes)
    return client.post(url("post_passkeys"), {"name": name, "answer": answer})


def challenge(client: Client, post: Post, **fields: Any) -> Any:
    """What the page asks the browser for when a signature is sent; ``None`` to sign without a passkey."""
    answer = client.post(url("post_challenge", post.pk), _review(post) | fields)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return answer.json()["publicKey"]


def _review(post: Post) -> dict[str, Any]:
    identifier = post.public_revision_identifier or post.current_revision_identifier
    return {"revision_identifier": identifier, "name": "Ed Editor", "facts_checked": "yes"}


def sign(client: Client, post: Post, answer: str, **fields: Any) -> Any:
    """Send the form of a review with what a passkey answered."""
    return client.post(url("post_review", post.pk), _review(post) | {"answer": answer} | fields)


@requirement("approvals.signed.register")
def test_a_person_registers_and_names_passkeys(ed: Client) -> None:
    assert "You have none" in text_of(ed.get(url("post_passkeys")))

    done = register(ed, Device(), name=" Laptop ")

    assert (done.status_code, done["Location"]) == (302, url("post_passkeys"))
    passkey = Passkey.objects.get()
    assert (passkey.name, passkey.person, passkey.transports) == (
        "Laptop",
        f"user:{get_user_model().objects.get().pk}",
        ["internal"],
    )
    page = text_of(ed.get(url("post_passkeys")))
    assert "Laptop" in page
    assert "Signed nothing yet." in page
    assert LogEntry.objects.count() == 1


@requirement("approvals.signed.register")
def test_the_options_name_the_host_and_what_is_registered(ed: Client) -> None:
    device = Device()
    register(ed, device)

    options = options_of(ed)

    assert options["rp"]["id"] == "testserver"
    assert options["pubKeyCredParams"] == [{"type": "public-key", "alg": -7}]
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert [one["id"] for one in options["excludeCredentials"]] == [Passkey.objects.get().credential_id]
    assert options["user"]["id"] not in json.dumps(Passkey.objects.get().person)


@requirement("approvals.signed.register")
@pytest.mark.parametrize("flaw", ["no answer", "no challenge", "again", "late", "another person", "another origin"])
def test_an_answer_to_no_challenge_of_the_session_registers_nothing(ed: Client, flaw: str) -> None:
    device, client = Device(), ed
    answer = "" if flaw == "no answer" else device.made(options_of(ed))
    match flaw:
        case "no challenge":
            ed.cookies.clear()
            client = desk(*EDITOR, name="Ines Editor")
        case "again":
            ed.post(url("post_passkeys"), {"name": "Laptop", "answer": answer})
            Passkey.objects.all().delete()
        case "another person":
            client = desk(*EDITOR, name="Ines Editor")
            options_of(client)
        case "another origin":
            answer = device.made(options_of(ed), origin="https://evil.example")
    moment = NOW + timedelta(minutes=6 if flaw == "late" else 1)

    with time_machine.travel(moment, tick=False):
        answered = client.post(url("post_passkeys"), {"name": "Laptop ", "answer": answer})

    assert answered.status_code == 200
    assert "Nothing was registered" in text_of(answered)
    assert not Passkey.objects.exists()


@requirement("approvals.signed.register")
def test_a_passkey_needs_a_name(ed: Client) -> None:
    answered = register(ed, Device(), name=" ")

    assert list(answered.context["form"].errors) == ["name"]
    assert not Passkey.objects.exists()


@requirement("approvals.signed.keys")
def test_a_person_revokes_own_passkeys_and_sees_no_other(ed: Client) -> None:
    register(ed, Device())
    passkey = Passkey.objects.get()
    ines = desk(*EDITOR, name="Ines Editor")

    assert "Laptop" not in text_of(ines.get(url("post_passkeys")))
    for method in ("get", "post"):
        with nothing_written():
            assert getattr(ines, method)(url("post_passkey_revoke", passkey.pk)).status_code == 404
    assert "never signs again" in text_of(ed.get(url("post_passkey_revoke", passkey.pk)))
    ed.post(url("post_passkey_revoke", passkey.pk))

    assert Passkey.objects.get().revoked_at == NOW
    page = text_of(ed.get(url("post_passkeys")))
    assert "revoked" in page
    assert "was revoked on" in text_of(ed.get(url("post_passkey_revoke", passkey.pk)))


@requirement("approvals.signed.desk")
def test_a_person_signs_with_the_passkey(ed: Client) -> None:
    device, post = Device(), save(publish=True).post
    register(ed, device)

    done = sign(ed, post, device.signed(challenge(ed, post)))

    assert (done.status_code, done["Location"]) == (302, url("post_review", post.pk))
    approval = Approval.objects.get()
    assert (approval.reviewer_name, approval.approved_at) == ("Ed Editor", NOW)
    assert approval.signature.key.actor_id == Passkey.objects.get().person
    assert "Signed 1 approval" in text_of(ed.get(url("post_passkeys")))
    assert "Signed with a passkey." in text_of(ed.get(url("post_review", post.pk)))


@requirement("approvals.signed.release")
def test_a_release_is_signed_with_the_passkey(ed: Client) -> None:
    device, post = Device(), save(provenance="ai_assisted").post
    register(ed, device)
    then = {"then": "publish", "expected_version": post.version, "seen_status": post.status}

    refused = sign(ed, post, "", **then)
    assert "allow scripts" in text_of(refused)
    assert (Approval.objects.count(), Post.objects.get().status) == (0, "draft")
    done = sign(ed, post, device.signed(challenge(ed, post, **then)), **then)

    assert done.status_code == 302
    assert Approval.objects.get().signature.key.credential_id == Passkey.objects.get().credential_id
    assert Post.objects.get().status == "published"


@requirement("approvals.signed.proposals")
def test_a_proposal_is_signed_with_the_passkey(ed: Client) -> None:
    device, post = Device(), save(publish=True, body="One.").post
    register(ed, device)
    page = url("post_proposal", post.pk, propose(post, body="Two.", change="maintenance"))
    identifier = ed.get(page).context["identifier"]
    assert "data-passkey" in ed.get(page).content.decode()
    said = {"revision_identifier": identifier, "name": "Ed Editor", "facts_checked": "yes"}
    options = ed.post(url("post_challenge", post.pk), said).json()["publicKey"]

    with nothing_written():
        assert "allow scripts" in text_of(ed.post(page, said))
    assert ed.post(page, said | {"answer": device.signed(options)}).status_code == 302

    assert Approval.objects.get().signature.approval.revision.identifier == identifier


@requirement("approvals.signed.desk")
def test_a_person_without_a_passkey_signs_without_one(ed: Client) -> None:
    post = save(publish=True).post

    assert challenge(ed, post) is None
    assert sign(ed, post, "").status_code == 302

    assert not hasattr(Approval.objects.get(), "signature")


@requirement("approvals.signed.desk")
def test_the_form_itself_says_what_is_wrong_with_it(ed: Client) -> None:
    device, post = Device(), save(publish=True).post
    register(ed, device)

    assert challenge(ed, post, facts_checked="") is None
    assert challenge(ed, post, name="") is None
    assert list(sign(ed, post, "", facts_checked="").context["form"].errors) == ["facts_checked"]


FLAWS = {
    "no script": "allow scripts",
    "nonsense": "Too much time",
    "no challenge": "Too much time",
    "too late": "Too much time",
    "of another post": "does not belong",
    "another name": "does not belong",
    "other facts": "does not belong",
    "another origin": "does not belong",
    "a revoked passkey": "is revoked",
    "a passkey of another person": "not one of your passkeys",
}


@requirement("approvals.signed.exact", "approvals.signed.desk")
@pytest.mark.parametrize("flaw", FLAWS)
def test_what_is_no_signature_is_refused_in_words(ed: Client, flaw: str) -> None:
    device, post = Device(), save(publish=True).post
    other = save(title="Other", publish=True).post
    register(ed, device)
    register(ed, Device(), name="Phone")
    options = challenge(ed, post)
    answer, fields, minutes = device.signed(options), {}, 1
    match flaw:
        case "no script":
            answer = ""
        case "nonsense":
            answer = "nonsense"
        case "no challenge":
            answer = device.signed(options | {"challenge": "A" * 43})
        case "too late":
            minutes = 6
        case "of another post":
            answer = device.signed(challenge(ed, other))
        case "another name":
            fields = {"name": "Somebody Else"}
        case "other facts":
            fields = {"facts_checked": "no"}
        case "another origin":
            answer = device.signed(options, origin="https://evil.example")
        case "a revoked passkey":
            passkey = Passkey.objects.order_by("pk")[0]
            Passkey.objects.filter(pk=passkey.pk).update(revoked_at=NOW)
        case "a passkey of another person":
            Passkey.objects.order_by("pk")[:1].get()
            Passkey.objects.filter(name="Laptop").update(person="user:999")

    with time_machine.travel(NOW + timedelta(minutes=minutes), tick=False), nothing_written():
        answered = sign(ed, post, answer, **fields)

        assert answered.status_code == 200
        assert FLAWS[flaw] in text_of(answered)
        assert "Nothing was signed" in text_of(answered)


@requirement("approvals.signed.fixed")
def test_an_answer_is_used_once_also_when_it_was_refused(ed: Client) -> None:
    device, post = Device(), save(publish=True).post
    register(ed, device)
    answer = device.signed(challenge(ed, post))

    sign(ed, post, answer, name="Somebody Else")
    again = sign(ed, post, answer)

    assert "Too much time" in text_of(again)
    assert not Approval.objects.exists()


@requirement("approvals.signed.fixed")
def test_several_pages_can_wait_for_a_signature(ed: Client) -> None:
    device = Device()
    posts = [save(title=f"Post {number}", publish=True).post for number in range(6)]
    register(ed, device)
    answers = [device.signed(challenge(ed, post)) for post in posts]

    done = [sign(ed, post, answer).status_code for post, answer in zip(posts, answers, strict=True)]

    assert done == [200, 302, 302, 302, 302, 302]


@requirement("approvals.signed.keys")
def test_an_open_session_of_a_deactivated_account_signs_nothing(ed: Client) -> None:
    device, post = Device(), save(publish=True).post
    register(ed, device)
    answer = device.signed(challenge(ed, post))
    get_user_model().objects.update(is_active=False)

    assert sign(ed, post, answer).status_code == 302

    assert not Approval.objects.exists()


@requirement("approvals.signed.desk")
def test_public_base_url_stands_for_a_proxy_that_hides_its_scheme(ed: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://testserver:8443")
    device, post = Device(origin="https://testserver:8443"), save(publish=True).post
    register(ed, device)

    assert sign(ed, post, device.signed(challenge(ed, post))).status_code == 302


@requirement("approvals.signed.desk")
def test_a_forged_host_is_refused(ed: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]

    assert ed.post(url("post_passkey_options"), HTTP_HOST="evil.example").status_code == 400


@requirement("approvals.signed.extra")
def test_without_the_extra_there_are_no_pages(ed: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    device, post = Device(), save(publish=True).post
    register(ed, device)
    for module in (passkeys, reviews, signature, challenge_page):
        monkeypatch.setattr(module, "CAN_SIGN", False)

    assert ed.get(url("post_passkeys")).status_code == 404
    assert ed.post(url("post_passkey_options")).status_code == 404
    page = ed.get(url("post_review", post.pk)).content.decode()
    assert "data-passkey" not in page
    assert "post/passkeys/" not in page
    assert challenge(ed, post) is None
    assert sign(ed, post, "").status_code == 302


@requirement("approvals.signed.register")
def test_a_writer_has_no_passkeys() -> None:
    assert desk(*WRITER).get(url("post_passkeys")).status_code == 403


@requirement("approvals.signed.required")
def test_the_desk_says_that_a_passkey_is_needed(ed: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(approvals_signed=True)
    post = save(publish=True).post

    with nothing_written():
        answered = sign(ed, post, "")

        assert "register a passkey first" in text_of(answered)


def test_revoking_twice_keeps_the_first_time() -> None:
    rosa = signer()
    passkey = Passkey.objects.create(
        person=rosa.id, name="Laptop", credential_id="a", x="0" * 64, y="0" * 64, created_at=NOW
    )

    revoke_passkey(passkey.pk, actor=rosa, now=NOW)
    revoke_passkey(passkey.pk, actor=rosa, now=NOW + timedelta(days=1))

    assert Passkey.objects.get().revoked_at == NOW
