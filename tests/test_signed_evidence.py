"""Evidence with signed approvals: verified by ``verify.py`` alone, and what it says about each lie."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from blog_engine import verify
from blog_engine.models import ApprovalKey, ApprovalSignature, Post
from blog_engine.queries.chain_audit import faults_in_chains
from blog_engine.rules.chain import canonical_record
from blog_engine.services import make_checkpoint
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, save, update
from tests.support.integrity import (
    CHECKED,
    Document,
    Read,
    Told,
    entry_of,
    past_the_engine,
    place_of,
    publish_checkpoint,
    record_of,
    seal,
    verdict_on,
)
from tests.support.passkeys import Device, register, sign, signer
from tests.support.tables import execute

pytestmark = pytest.mark.django_db
AT_ONCE = timedelta(milliseconds=1)


@pytest.fixture
def told(tmp_path: Path) -> Told:
    """A post that was approved without a passkey, then signed with one passkey, changed, and signed with another."""
    rosa, vera = signer(), signer("Vera Voss")
    laptop, phone = Device(), Device()
    register(laptop, actor=rosa)
    register(phone, actor=vera, name="Phone")
    post = save(publish=True, body="One.").post
    approve(post)
    sign(post, actor=rosa, device=laptop, now=NOW + AT_ONCE)
    changed = update(post, body="Two.", change="maintenance").post
    sign(changed, actor=vera, device=phone, name="Vera Voss", now=LATER)
    sign(changed, actor=rosa, device=laptop, now=LATER + AT_ONCE, facts_checked=False)
    make_checkpoint(now=CHECKED)
    return Told(post, publish_checkpoint(tmp_path), tmp_path)


@requirement("proof.verify.signatures", "proof.verify.alone")
def test_signed_evidence_is_verified_by_the_file_alone(told: Told, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(verify.__file__, alone / "verify.py")
    (alone / "evidence.json").write_bytes(told.evidence())
    program = [sys.executable, "-I", "-S", "verify.py", "evidence.json", str(told.published)]

    done = subprocess.run(program, cwd=alone, capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Verified: ")
    assert b"signed with the passkey" in done.stdout


@requirement("proof.verify.signed")
def test_it_says_who_signed_and_with_what(told: Told, capsys: Read) -> None:
    status, words = told.verdict(capsys)

    assert status == 0
    keys = list(ApprovalKey.objects.order_by("pk"))
    assert [line for line in entry_of(words, 2)[2:] if "pprove" in line or "signed" in line or " of" in line] == [
        "     approved in record 3; facts checked",
        '       approved_at: "2026-11-21T12:00:00.711000Z"',
        "     approved in record 5; facts checked",
        '       approved_at: "2026-11-21T12:00:00.712000Z"',
        "       signed in record 6",
        f'       signed with the passkey: "{keys[0].credential_id}"',
        f'       of: "{keys[0].actor_id}"',
    ]
    assert f'       signed with the passkey: "{keys[1].credential_id}"' in entry_of(words, 8)
    (last,) = [line for line in entry_of(words, 6) if "made on the site" in line]
    assert last == f"     made on the site whose name has the SHA-256 {_sha256('testserver')}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@requirement("proof.records.signed")
def test_the_records_name_each_other_by_their_hashes(told: Told) -> None:
    evidence = json.loads(told.evidence())
    digests = {link["position"]: link["digest"] for link in evidence["chain"]}

    assert [link["kind"] for link in evidence["chain"]][2:7] == [
        *("approval", "key", "approval", "signature"),
        "revision",
    ]
    signature = record_of(evidence, "signature")
    assert (signature["approval"], signature["key"]) == (digests[5], digests[4])
    assert json.loads(signature["client_data"])["challenge"] == verify.base64url(bytes.fromhex(digests[5]))
    assert signature.keys() == {
        *("kind", "post", "created_at", "version", "actor_kind", "actor_id"),
        *("approval", "key", "client_data", "authenticator_data", "signature"),
    }
    key = record_of(evidence, "key")
    assert key.keys() == {
        *("kind", "post", "created_at", "version", "actor_kind", "actor_id"),
        *("credential_id", "x", "y", "registered_at"),
    }
    assert verify.is_on_curve(int(key["x"], 16), int(key["y"], 16))


def test_a_record_has_every_column_of_its_row(told: Told) -> None:
    for model in (ApprovalKey, ApprovalSignature):
        row: Any = model._default_manager.all()[:1].get()
        columns = {field.name for field in model._meta.concrete_fields} - {"id"}
        assert canonical_record(row).keys() == columns | {"kind", "version"}, model


Lie = Callable[[Document], None]


def _signed_approval(evidence: Document) -> Document:
    digest = record_of(evidence, "signature")["approval"]
    place = next(link["position"] for link in evidence["chain"] if link["digest"] == digest)
    return next(one["record"] for one in evidence["records"] if one["position"] == place)


def _approval(**values: Any) -> Lie:
    def lie(evidence: Document) -> None:
        _signed_approval(evidence).update(values)
        _named_anew(evidence)

    return lie


def _signature(**values: Any) -> Lie:
    def lie(evidence: Document) -> None:
        record_of(evidence, "signature").update(values)
        seal(evidence)

    return lie


def _named_anew(evidence: Document) -> None:
    """Give each signature the digests of its approval and its key as they are now, and seal all of it."""
    records = {one["position"]: one["record"] for one in evidence["records"]}
    old = {link["digest"]: link["position"] for link in evidence["chain"]}
    for record in records.values():
        if record["kind"] == "signature":
            for name in ("approval", "key"):
                record[name] = verify.digest_of_json(records[old[record[name]]])
    seal(evidence)


def _change(kind: str, **values: Any) -> Lie:
    def lie(evidence: Document) -> None:
        record_of(evidence, kind).update(values)
        _named_anew(evidence)

    return lie


def _client(**values: Any) -> Lie:
    def lie(evidence: Document) -> None:
        record = record_of(evidence, "signature")
        record["client_data"] = json.dumps(json.loads(record["client_data"]) | values, separators=(",", ":"))
        seal(evidence)

    return lie


def _swap_signatures(evidence: Document) -> None:
    first, last = record_of(evidence, "signature"), record_of(evidence, "signature", last=True)
    for name in ("client_data", "authenticator_data", "signature"):
        first[name], last[name] = last[name], first[name]
    seal(evidence)


def _signed_by_another(evidence: Document) -> None:
    """Claim that the person of one approval signed with the passkey of another person."""
    keys = [link["digest"] for link in evidence["chain"] if link["kind"] == "key"]
    record_of(evidence, "signature")["key"] = keys[1]
    _moved(evidence, place_of(evidence, "key", last=True), 1)


def _moved(evidence: Document, position: int, to: int) -> None:
    """Move a record to another position, with its link, and seal the chain."""
    records = sorted(evidence["records"], key=lambda one: int(one["position"]))
    moved = records.pop(position - 1)
    records.insert(to - 1, moved)
    for number, one in enumerate(records, start=1):
        one["position"] = number
    evidence["records"] = records
    seal(evidence)


def _key_afterwards(evidence: Document) -> None:
    _moved(evidence, place_of(evidence, "key"), len(evidence["chain"]))


def _approval_afterwards(evidence: Document) -> None:
    _moved(evidence, place_of(evidence, "signature") - 1, len(evidence["chain"]))


def _signed_twice(evidence: Document) -> None:
    signature = record_of(evidence, "signature")
    evidence["records"].append({"position": len(evidence["chain"]) + 1, "record": deepcopy(signature)})
    evidence["chain"].append({"chained_at": evidence["chain"][-1]["chained_at"]})
    seal(evidence)


def _other_flags(flags: int) -> Lie:
    def lie(evidence: Document) -> None:
        record = record_of(evidence, "signature")
        data = verify.from_base64url(record["authenticator_data"])
        record["authenticator_data"] = verify.base64url(data[:32] + bytes([flags]) + data[33:])
        seal(evidence)

    return lie


ANOTHER_RECORD, ANOTHER_PASSKEY = "is one of another record", "was not made with the passkey that it names"
ANOTHER_FORM, NOT_IDENTIFIED = "has another form than the format says", "was made without the device identifying"
LIES: dict[str, tuple[Lie, str]] = {
    "the name of the reviewer": (_approval(reviewer_name="Mina Holt"), ANOTHER_RECORD),
    "the facts": (_approval(facts_checked=False), ANOTHER_RECORD),
    "the time": (_approval(approved_at="2026-11-20T12:00:00.000000Z"), ANOTHER_RECORD),
    "another key": (_change("key", x="0" * 64), ANOTHER_PASSKEY),
    "a key of another form": (_change("key", y="1"), ANOTHER_FORM),
    "a key of another person": (_change("key", actor_id="user:999"), "of another person than its approval names"),
    "a key of a token": (_change("key", actor_kind="token"), "of another person than its approval names"),
    "the challenge": (_client(challenge="AAAA"), ANOTHER_RECORD),
    "the origin": (_client(origin="https://example.org"), ANOTHER_PASSKEY),
    "a registration": (_client(type="webauthn.create"), "was made for something else"),
    "in another site": (_client(crossOrigin=True), "was made for something else"),
    "no JSON": (_signature(client_data="{"), ANOTHER_FORM),
    "a number in the client data": (_signature(client_data="1"), "was made for something else"),
    "deep client data": (_signature(client_data="[" * 100_000), ANOTHER_FORM),
    "no signature": (_signature(signature=""), ANOTHER_PASSKEY),
    "a number as signature": (_signature(signature=7), ANOTHER_FORM),
    "padding": (_signature(authenticator_data="AA=="), ANOTHER_FORM),
    "short data of the device": (_signature(authenticator_data="AAAA"), NOT_IDENTIFIED),
    "no person present": (_other_flags(4), NOT_IDENTIFIED),
    "no person identified": (_other_flags(1), NOT_IDENTIFIED),
    "other flags": (_other_flags(13), ANOTHER_PASSKEY),
    "signatures swapped": (_swap_signatures, ANOTHER_RECORD),
    "a passkey of another person": (_signed_by_another, "of another person than its approval names"),
    "the key afterwards": (_key_afterwards, "was made with a passkey that is not before it in the chain"),
    "the approval afterwards": (_approval_afterwards, "is of no approval that is before it in the chain"),
    "signed twice": (_signed_twice, "is of no approval that is before it in the chain and not signed yet"),
    "of no approval": (_signature(approval="0" * 64), "is of no approval"),
    "of a list": (_signature(approval=[], key={}), "is of no approval"),
}


@requirement("proof.verify.signatures", "approvals.signed.challenge")
@pytest.mark.parametrize(("lie", "reason"), LIES.values(), ids=LIES)
def test_a_lie_about_a_signature_is_named(told: Told, lie: Lie, reason: str, tmp_path: Path, capsys: Read) -> None:
    evidence = json.loads(told.evidence())
    lie(evidence)

    # Without the published checkpoint, whose hash would name the lie too: the signature alone does.
    status, words = verdict_on(json.dumps(evidence).encode(), folder=tmp_path, capsys=capsys)

    assert status == 1, words
    assert f"{reason}" in words
    assert "The signature of position" in words.splitlines()[1]


def test_the_same_without_a_lie_is_verified(told: Told, tmp_path: Path, capsys: Read) -> None:
    evidence = json.loads(told.evidence())
    _named_anew(evidence)

    assert verdict_on(json.dumps(evidence).encode(), folder=tmp_path, capsys=capsys)[0] == 0


@requirement("proof.tampering", "proof.doctor")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE blog_engine_approvalkey SET x = y",
        "UPDATE blog_engine_approvalkey SET actor_id = 'user:999'",
        "UPDATE blog_engine_approvalsignature SET client_data = '{}'",
        "DELETE FROM blog_engine_approvalsignature",
        "UPDATE blog_engine_approval SET facts_checked = NOT facts_checked",
    ],
)
def test_a_change_past_the_engine_is_found(told: Told, statement: str, capsys: Read) -> None:
    with past_the_engine():
        execute(statement)

    status, words = told.verdict(capsys)

    assert status == 1
    assert words.startswith("NOT VERIFIED")
    assert faults_in_chains(newest_links=None) != {}


@requirement("proof.verify.uncovered")
def test_a_signature_after_the_checkpoint_says_so(told: Told, capsys: Read) -> None:
    rosa, tablet = signer("Tea Tern"), Device()
    register(tablet, actor=rosa, now=CHECKED)
    sign(Post.objects.get(pk=told.post.pk), actor=rosa, device=tablet, name="Tea Tern", now=CHECKED + AT_ONCE)

    status, words = told.verdict(capsys)

    assert status == 0
    assert "       signed in record 16; NOT covered by the checkpoint" in words.splitlines()
