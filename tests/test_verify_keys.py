"""Evidence of other releases, with other keys, values and kinds, and evidence of long histories."""

import json
from itertools import permutations
from pathlib import Path

import pytest

from blog_engine.rules.content_fields import REVISION_TEXTS
from tests.requirements import requirement
from tests.support.costs import takes_at_most
from tests.support.integrity import (
    AFTER,
    Document,
    Kept,
    Read,
    add_content,
    append,
    entry_of,
    keep_evidence,
    replace_payload,
    seal,
    verdict_on,
)


@pytest.fixture
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    return keep_evidence(request, tmp_path)


def verdict_on_sealed(evidence: Document, kept: Kept, capsys: Read) -> tuple[int, str]:
    """Return what the verifier says about evidence of a blog that wrote these records, with its checkpoint."""
    seal(evidence)
    kept.published.write_text(json.dumps(evidence["checkpoint"]))
    return verdict_on(json.dumps(evidence).encode(), kept.published, folder=kept.folder, capsys=capsys)


def changed_in(words: str, position: int) -> list[str]:
    """Return the lines about what a publication changed."""
    _, _, rest = "\n".join(entry_of(words, position)).partition("\n     changed ")
    return [line.strip() for line in f"changed {rest}".partition("\n     approved ")[0].splitlines()]


def with_contents(kept: Kept, before: Document, after: Document) -> Document:
    """Return evidence whose record 4 published a content, and record 7 another one."""
    evidence: Document = json.loads(kept.evidence)
    for number, content in enumerate((before, after)):
        replace_payload(evidence, number, json.dumps(content))
    return evidence


VALUES: list[tuple[object, str]] = [
    *(("", ': ""'), ("Neu", ': "Neu"'), ("1", ': "1"')),
    *((1, ' as JSON: "1"'), (True, ' as JSON: "true"'), (None, ' as JSON: "null"'), ([], ' as JSON: "[]"')),
    ([{"alt": "A quay"}], ' as JSON: "[{\\"alt\\":\\"A quay\\"}]"'),
]
"""Values of a key of the content, with their lines after the word before or after."""


@requirement("proof.verify.keys")
@pytest.mark.parametrize("key", [*REVISION_TEXTS, "body", "faq", "images", "version", "a key of the future"])
def test_a_key_of_the_content_can_appear_and_disappear(kept: Kept, key: str, capsys: Read) -> None:
    content = json.loads(json.loads(kept.evidence)["payloads"][0]["payload"])
    without = {name: content[name] for name in content if name != key}

    for value, shown in VALUES:
        appeared = verdict_on_sealed(with_contents(kept, without, without | {key: value}), kept, capsys)
        disappeared = verdict_on_sealed(with_contents(kept, without | {key: value}, without), kept, capsys)

        assert (appeared[0], disappeared[0]) == (0, 0)
        assert changed_in(appeared[1], 7) == [f'changed "{key}"', 'before (absent): ""', f"after{shown}"]
        assert changed_in(disappeared[1], 7) == [f'changed "{key}"', f"before{shown}", 'after (absent): ""']


@requirement("proof.verify.keys")
def test_a_value_of_another_type_is_a_change(kept: Kept, capsys: Read) -> None:
    for (before, shown_before), (after, shown_after) in permutations(VALUES, 2):
        evidence = with_contents(kept, {"title": "T", "more": before}, {"title": "T", "more": after})

        changed = changed_in(verdict_on_sealed(evidence, kept, capsys)[1], 7)

        assert changed == ['changed "more"', f"before{shown_before}", f"after{shown_after}"]


@requirement("proof.verify.keys")
def test_the_same_content_written_in_another_way_is_no_change_of_it(kept: Kept, capsys: Read) -> None:
    evidence = with_contents(kept, {"title": "T", "body": "B"}, {"body": "B", "title": "T"})

    assert changed_in(verdict_on_sealed(evidence, kept, capsys)[1], 7) == [
        "changed only how the content is written as JSON"
    ]


NEEDED = {"kind", "post", "created_at", "identifier"}
"""Without these keys a record says nothing; so do those that need a revision without it."""
REFERRING = {"baseline", "approval", "publication"}


@requirement("proof.verify.keys")
@pytest.mark.parametrize("number", range(13))
def test_each_key_of_a_record_can_be_missing_and_others_can_be_there(kept: Kept, number: int, capsys: Read) -> None:
    genuine = json.loads(kept.evidence)
    record = genuine["records"][number]["record"]

    for key in record.keys() - NEEDED - ({"revision"} if record["kind"] in REFERRING else set()):
        evidence = json.loads(kept.evidence)
        del evidence["records"][number]["record"][key]
        status, words = verdict_on_sealed(evidence, kept, capsys)
        assert (status, f'"{key}":' in "\n".join(entry_of(words, number + 1))) == (0, False), key

    genuine["records"][number]["record"] |= {"actor_kind": "person", "signature": {"by": ["Ann", None]}}
    status, words = verdict_on_sealed(genuine, kept, capsys)
    entry = "\n".join(entry_of(words, number + 1))
    assert (status, '     "actor_kind": "person"\n' in entry) == (0, True)
    assert '     "signature":\n       "by":\n         1: "Ann"\n         2: null' in entry


@requirement("proof.verify.keys")
def test_a_record_of_a_kind_of_the_future_is_shown_as_unknown(kept: Kept, capsys: Read) -> None:
    evidence = json.loads(kept.evidence)
    append(evidence, "credential", revision={"of": 3}, identifier=[], occurred_at=7, actor="Ann")

    status, words = verdict_on_sealed(evidence, kept, capsys)

    assert status == 0
    assert entry_of(words, 14) == [
        "  14. 2026-11-21T16:00:00.711000Z record of an unknown kind",
        *('     "kind": "credential"', '     "revision":', '       "of": 3', '     "identifier": []'),
        *('     "occurred_at": 7', '     "actor": "Ann"'),
    ]


@requirement("proof.verify.keys")
def test_further_keys_of_the_file_change_nothing(kept: Kept, capsys: Read) -> None:
    evidence = json.loads(kept.evidence)
    plain = verdict_on_sealed(evidence, kept, capsys)
    for one in (evidence, evidence["post"], evidence["payloads"][0], evidence["chain"][0], evidence["records"][0]):
        one["more"] = "Proven"
    evidence["checkpoint"]["more"] = evidence["inclusion"]["more"] = ["Proven"]

    assert verdict_on_sealed(evidence, kept, capsys) == plain


@requirement("proof.verify.words")
def test_the_last_nine_approvals_are_shown(kept: Kept, capsys: Read) -> None:
    evidence = json.loads(kept.evidence)
    identifier = evidence["payloads"][1]["identifier"]
    for number in range(20):
        append(evidence, "approval", revision=identifier, approval_kind="sent", reviewer_name=f"Reviewer {number}")

    entry = entry_of(verdict_on_sealed(evidence, kept, capsys)[1], 7)

    assert "     approved 21 times, the last ones" in entry
    assert [line.strip() for line in entry if "reviewer_name" in line] == [
        f'reviewer_name: "Reviewer {number}"' for number in range(11, 20)
    ]


@requirement("proof.verify.cost")
@pytest.mark.parametrize("contents", [2, 41])
def test_a_long_history_of_long_contents_is_cheap(kept: Kept, contents: int, capsys: Read) -> None:
    evidence = json.loads(kept.evidence)
    text = "a" * (400_000 // contents)
    identifiers = [
        add_content(evidence, json.dumps({"title": "T", "body": f"{text}{number}"})) for number in range(contents)
    ]
    shown = 0
    for number in range(1500):
        # Of 41 contents nearly every pair.
        shown = (shown + 1 + number // contents % (contents - 1)) % contents
        record = {"kind": "publication", "created_at": AFTER, "revision": identifiers[shown]}
        evidence["records"].append(
            {"position": len(evidence["chain"]) + 1, "record": record | {"post": evidence["post"]["id"]}}
        )
        evidence["chain"].append({"chained_at": AFTER})
    seal(evidence)

    with takes_at_most(2):
        status, words = verdict_on(json.dumps(evidence).encode(), folder=kept.folder, capsys=capsys)

    assert (status, words.count('     changed "body"')) == (0, 1501)
