"""Evidence with one lie in it: the verifier finds the lie, or prints it only as what is not proven."""

import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from blog_engine import verify
from blog_engine.models import Post
from blog_engine.services import make_checkpoint
from tests.requirements import requirement
from tests.support.factories import ARTICLE, LATER, adopt, approve, update
from tests.support.integrity import (
    AFTER,
    CHECKED,
    Document,
    Read,
    Told,
    add_content,
    append,
    chain_again,
    entry_of,
    place_of,
    proven_part,
    publish_checkpoint,
    record_of,
    replace_payload,
    sign_checkpoint,
    take_out,
    tell_of_a_post,
    verdict_on,
)

EARLY = "2019-01-01T00:00:00.000000Z"
_MADE: list[tuple[bytes, bytes, bytes]] = []
"""What all tests of one process edit."""


@dataclass(frozen=True)
class Genuine:
    """Evidence of 13 covered records and 3 later ones, the published checkpoint, and the evidence for the next one."""

    evidence: bytes
    published: Path
    later: bytes

    def verdict_on(self, evidence: object, capsys: Read) -> tuple[int, str]:
        """Return the exit status and the words of the verifier, with the published checkpoint."""
        return verdict_on(json.dumps(evidence).encode(), self.published, folder=self.published.parent, capsys=capsys)


@pytest.fixture
def genuine(request: pytest.FixtureRequest, tmp_path: Path) -> Genuine:
    if not _MADE:
        request.getfixturevalue("db")
        story = tell_of_a_post(tmp_path)
        update(story.post, body="It leaves at one.", change="maintenance", now=CHECKED)
        approve(story.post, identifier=Post.objects.get(pk=story.post.pk).current_revision_identifier, now=CHECKED)
        make_checkpoint(now=CHECKED)
        _MADE.append((story.evidence(), publish_checkpoint(tmp_path).read_bytes(), story.evidence(number=2)))
    evidence, checkpoint, later = _MADE[0]
    published = tmp_path / "published.json"
    published.write_bytes(checkpoint)
    return Genuine(evidence, published, later)


Edit = Callable[[Document], object]


def in_record(kind: str, /, *, last: bool = False, **values: object) -> Edit:
    """Change values of a record that the checkpoint covers."""
    return lambda evidence: record_of(evidence, kind, last=last).update(values)


def hashed(edit: Edit) -> Edit:
    """Edit, and compute all hashes of the chain again."""

    def edit_and_chain(evidence: Document) -> None:
        edit(evidence)
        chain_again(evidence)

    return edit_and_chain


def signed(**values: object) -> Edit:
    """Change the checkpoint and give it the right hash."""

    def edit(evidence: Document) -> None:
        evidence["checkpoint"].update(values)
        sign_checkpoint(evidence)

    return edit


def invented(kind: str, **values: object) -> Edit:
    """Append a record about the newest content, with the right hashes."""
    return lambda evidence: append(evidence, kind, **({"revision": evidence["payloads"][1]["identifier"]} | values))


APPROVAL = {"approval_kind": "sent", "facts_checked": True, "approved_at": AFTER, "recorded_by": "Ines Editor"}


def moved(evidence: Document) -> None:
    records = evidence["records"]
    records[1]["record"], records[3]["record"] = records[3]["record"], records[1]["record"]


def inserted(evidence: Document) -> None:
    position = place_of(evidence, "publication")
    for one in evidence["records"]:
        one["position"] += one["position"] >= position
    forged = record_of(evidence, "approval") | {"facts_checked": True, "reviewer_name": "Ann Doctor"}
    evidence["records"].append({"position": position, "record": forged})
    evidence["chain"].insert(position - 1, dict(evidence["chain"][position - 1]))
    evidence["inclusion"]["position"] += 1
    chain_again(evidence)


def cut(evidence: Document, *, to: int) -> None:
    evidence["chain"] = evidence["chain"][:to]
    evidence["records"] = [one for one in evidence["records"] if one["position"] <= to]


def cut_with_inclusion(evidence: Document) -> None:
    cut(evidence, to=12)
    evidence["inclusion"]["position"] = 12


def swapped_payloads(evidence: Document) -> None:
    one, other = evidence["payloads"][:2]
    one["payload"], other["payload"] = other["payload"], one["payload"]


def rewritten(evidence: Document) -> None:
    replace_payload(evidence, 0, evidence["payloads"][0]["payload"].replace("at ten", "at six"))


def public_lie(evidence: Document, *, payload: str) -> None:
    append(evidence, "publication", revision=add_content(evidence, payload), entry_type="correction")


@dataclass(frozen=True)
class Found:
    """A lie that is found, with words of the reason, by default also without the published checkpoint."""

    edit: Edit
    words: str
    status: int = 1
    status_alone: int | None = None


@dataclass(frozen=True)
class Shown:
    """A lie that does no harm: its text, as it is printed, is in nothing that is proven."""

    edit: Edit
    words: str


_OTHER_CHAIN = "covers another chain"
_CHANGED = "is not the one that was chained"

LIES: dict[str, Found | Shown] = {
    # Content
    "text": Found(lambda e: e["payloads"][0].update(payload='{"body":"x"}'), "is not the one that was recorded"),
    "text with all hashes": Found(hashed(rewritten), _OTHER_CHAIN),
    "payloads swapped": Found(swapped_payloads, "is not the one that was recorded"),
    "payload missing": Found(lambda e: e["payloads"].pop(0), "refers to is missing"),
    "payload of another post": Found(
        lambda e: e["payloads"].append({"identifier": verify.hashlib.sha256(b"{}").hexdigest(), "payload": "{}"}),
        "is not the one that was recorded",
    ),
    "payload twice, first a false one": Found(
        lambda e: e["payloads"].insert(0, e["payloads"][0] | {"payload": "{}"}), "two payloads", 2
    ),
    "payload empty": Found(lambda e: e["payloads"][0].update(payload=""), "is not the one that was recorded"),
    "payload that is a list": Found(lambda e: public_lie(e, payload="[]"), "is not an object", 2),
    "payload of very many keys": Found(
        lambda e: public_lie(e, payload=json.dumps(dict.fromkeys(map(str, range(1001)), ""))), "more than 1000 keys", 2
    ),
    "payload that says a title twice": Found(
        lambda e: public_lie(e, payload='{"title":"A","title":"B"}'), "the same key twice", 2
    ),
    "later content": Shown(lambda e: public_lie(e, payload='{"title":"It sank"}'), '"It sank"'),
    # What only the file states
    "title": Shown(lambda e: e["post"].update(title="The mayor resigned"), '"The mayor resigned"'),
    "url": Shown(lambda e: e["post"].update(url="https://times.example/mayor"), '"https://times.example/mayor"'),
    "label": Shown(lambda e: e["post"].update(label="proven by a court"), '"proven by a court"'),
    "another post": Found(lambda e: e["post"].update(id=1), "was changed"),
    "another post with all hashes": Found(hashed(lambda e: e["post"].update(id=1)), _CHANGED),
    # Names, times and values of records
    "name of the reviewer": Found(in_record("approval", reviewer_name="Ann Doctor"), _CHANGED),
    "facts": Found(in_record("approval", last=True, facts_checked=False), _CHANGED),
    "facts with all hashes": Found(hashed(in_record("approval", facts_checked=1)), _OTHER_CHAIN),
    "kind of approval": Found(hashed(in_record("approval", approval_kind="sent")), _OTHER_CHAIN),
    "approved earlier": Found(in_record("approval", approved_at=EARLY), _CHANGED),
    "published earlier": Found(hashed(in_record("publication", occurred_at=EARLY)), _OTHER_CHAIN),
    "created earlier": Found(hashed(in_record("revision", created_at=EARLY)), _OTHER_CHAIN),
    "chained earlier": Found(lambda e: e["chain"][4].update(chained_at=EARLY), "Link 5 of the chain was changed"),
    "chained earlier with all hashes": Found(hashed(lambda e: e["chain"][4].update(chained_at=EARLY)), _OTHER_CHAIN),
    "note": Found(hashed(in_record("publication", last=False, note="Nothing was wrong.")), _OTHER_CHAIN),
    "author": Found(in_record("revision", actor="Somebody else"), _CHANGED),
    "made by a person": Found(hashed(in_record("revision", made_by_ai="no")), _OTHER_CHAIN),
    "first date": Found(in_record("baseline", first_published_at=EARLY), _CHANGED),
    "connections": Found(hashed(in_record("declaration", connections=[])), _OTHER_CHAIN),
    "paid": Found(in_record("declaration", third_party_paid=True), _CHANGED),
    "withdrawal": Found(hashed(in_record("status", to_status="published")), _OTHER_CHAIN),
    "proposed text": Found(hashed(in_record("proposal", fields={"title": "Other"})), _OTHER_CHAIN),
    "reason": Found(in_record("proposal_event", reason="True."), _CHANGED),
    "key more": Found(in_record("approval", confirmed_by_court=True), _CHANGED),
    "key less": Found(lambda e: record_of(e, "approval").pop("facts_checked"), _CHANGED),
    "kind of a record": Found(in_record("baseline", kind="declaration"), _CHANGED),
    "post of a record": Found(hashed(in_record("status", post=1)), _CHANGED),
    # Records that are missing, too many or elsewhere
    "record missing": Found(lambda e: e["records"].pop(7), "was removed"),
    "record and link missing": Found(lambda e: e["chain"].pop(7), "does not follow"),
    "record missing with all hashes": Found(lambda e: take_out(e, 8), _OTHER_CHAIN),
    "first record missing with all hashes": Found(lambda e: take_out(e, 1), _OTHER_CHAIN),
    "record twice": Found(lambda e: e["records"].append(e["records"][7]), "is in no link of the chain"),
    "records swapped": Found(moved, _CHANGED),
    "records swapped with all hashes": Found(hashed(moved), _OTHER_CHAIN),
    "link of another kind": Found(lambda e: e["chain"][4].update(kind="replaced"), "Link 5 of the chain was changed"),
    "links swapped": Found(lambda e: e["chain"].insert(2, e["chain"].pop(4)), "does not follow"),
    "approval without link": Found(
        lambda e: e["records"].append({"position": None, "record": record_of(e, "approval")}), "is in no link"
    ),
    "approval at a position beyond the chain": Found(
        lambda e: e["records"].append({"position": 10**30, "record": record_of(e, "approval")}), "is in no link"
    ),
    "approval in between with all hashes": Found(inserted, _OTHER_CHAIN),
    "chain cut": Found(lambda e: cut(e, to=12), "which the chain does not have"),
    "chain cut with its inclusion": Found(cut_with_inclusion, _OTHER_CHAIN),
    "no chain": Found(lambda e: cut(e, to=0), "no history"),
    "adoption replaced later": Found(
        hashed(lambda e: e["chain"].append({"kind": "replaced", "digest": "0" * 64, "chained_at": AFTER})),
        "replaced records after checkpoint 1",
    ),
    # Records after the checkpoint, with all hashes
    "later approval": Shown(invented("approval", **APPROVAL, reviewer_name="Ann Doctor"), '"Ann Doctor"'),
    "later approval that claims an earlier import": Shown(
        invented("approval", **APPROVAL | {"approval_kind": "imported", "approved_at": EARLY}, reviewer_name="Bob B"),
        '"Bob B"',
    ),
    "later approval of an unknown kind": Shown(
        invented("approval", **APPROVAL | {"approval_kind": "by a court"}, reviewer_name="Bob B"), '"Bob B"'
    ),
    "later approval that names no person": Shown(invented("approval", approval_kind="none"), "reviewer_name: null"),
    "backdated approval": Found(
        invented("approval", **APPROVAL | {"approved_at": EARLY}), f"claims to be of {EARLY}, but checkpoint 1"
    ),
    "backdated record": Found(invented("status", created_at=EARLY), "does not cover it: it came later"),
    "record of a time in words": Found(
        invented("status", occurred_at="(long ago)\nVerified: all"), "of a time in an unknown form, but"
    ),
    "later declaration": Shown(
        invented("declaration", connections=[{"party": "None at all", "relation": "x"}]), '"None at all"'
    ),
    "later record of an unknown kind": Shown(invented("judgment", court="Proven"), '"Proven"'),
    "later withdrawal": Shown(invented("status", redirect_to="/it-sank"), '"/it-sank"'),
    "later publication of earlier content": Shown(
        lambda e: append(e, "publication", revision=e["payloads"][0]["identifier"], note="It was right."),
        '"It was right."',
    ),
    # Checkpoint
    "another checkpoint": Found(
        lambda e: e["checkpoint"].update(number=2), "get the evidence for the published one with CHECKPOINT=1"
    ),
    "another checkpoint with its hash": Found(signed(root="0" * 64), "is not the one that was published"),
    "earlier checkpoint": Found(lambda e: e["checkpoint"].update(created_at=EARLY), "another hash"),
    "earlier checkpoint with its hash": Found(
        signed(created_at=EARLY), "is not the one that was published", status_alone=0
    ),
    "larger tree": Found(signed(size=4), "is not the one that was published", status_alone=0),
    "no checkpoint": Found(lambda e: e.update(checkpoint=None), "no checkpoint"),
    "no inclusion": Found(lambda e: e.update(inclusion=None), "covers the position 0"),
    "inclusion of later records": Found(lambda e: e["inclusion"].update(position=16), _OTHER_CHAIN),
    "inclusion of fewer records": Found(lambda e: e["inclusion"].update(position=9), _OTHER_CHAIN),
    "place of another post": Found(lambda e: e["inclusion"].update(index=0), _OTHER_CHAIN),
    "place beyond the tree": Found(lambda e: e["inclusion"].update(index=10**9), _OTHER_CHAIN),
    "another root": Found(lambda e: e["checkpoint"].update(root="0" * 64), "another hash"),
    "another size": Found(lambda e: e["checkpoint"].update(size=2), "another hash"),
    "no path": Found(lambda e: e["inclusion"].update(path=[]), _OTHER_CHAIN),
    "path too long": Found(lambda e: e["inclusion"]["path"].append("0" * 64), _OTHER_CHAIN),
    # Forms
    "title that is null": Found(lambda e: e["post"].update(title=None), "title of post is missing", 2),
    "no url": Found(lambda e: e["post"].pop("url"), "url of post is missing", 2),
    "label that is a list": Found(lambda e: e["post"].update(label=["none"]), "label of post is missing", 2),
    "id that is true": Found(lambda e: e["post"].update(id=True), "id of post is missing", 2),
    "id that is huge": Found(lambda e: e["post"].update(id=10**400), "id of post is missing", 2),
    "position that is huge": Found(lambda e: e["chain"][0].update(position=1 << 63), "position of a link", 2),
    "size that is negative": Found(lambda e: e["checkpoint"].update(size=-3), "size of the checkpoint", 2),
    "records that are an object": Found(lambda e: e.update(records={}), "records of the file", 2),
    "record that is null": Found(lambda e: e["records"][0].update(record=None), "record of an entry", 2),
    "kind that is a number": Found(lambda e: e["records"][0]["record"].update(kind=1), "kind of a record", 2),
    "time and a line": Found(
        lambda e: e["records"][0]["record"].update(created_at=f"{AFTER}\n"), "created_at of a record", 2
    ),
    "time in other digits": Found(
        lambda e: e["chain"][0].update(chained_at=AFTER.replace("2", "\uff12")), "chained_at of a link", 2
    ),
    "hash in capitals": Found(lambda e: e["checkpoint"].update(hash="A" * 64), "hash of the checkpoint", 2),
    "identifier that is a list": Found(hashed(in_record("revision", identifier=[])), "Unreadable: ", 2),
    "no format": Found(lambda e: e.pop("format"), "format of the file", 2),
    "another format": Found(lambda e: e.update(format="blog_engine.evidence/2"), "format of the file", 2),
    "post that is a list": Found(lambda e: e.update(post=[]), "post of the file", 2),
    "id that is a text": Found(lambda e: e["post"].update(id="2"), "id of post", 2),
    "chain that is null": Found(lambda e: e.update(chain=None), "chain of the file", 2),
    "link that is a number": Found(lambda e: e["chain"].insert(0, 7), "a link is not an object", 2),
    "hash that is too long": Found(lambda e: e["chain"][0].update(hash="a" * 65), "hash of a link", 2),
    "time without microseconds": Found(
        lambda e: e["chain"][0].update(chained_at="2026-01-01T00:00:00Z"), "chained_at of a link", 2
    ),
    "position that is negative": Found(lambda e: e["inclusion"].update(position=-1), "position of inclusion", 2),
    "path with a number": Found(lambda e: e["inclusion"]["path"].append(3), "path of inclusion", 2),
    "actor that is half a character": Found(
        lambda e: e["records"][0]["record"].update(actor="\ud800"), "Unreadable: ", 2
    ),
    "checkpoint that is a text": Found(lambda e: e.update(checkpoint="1"), "the checkpoint of the file is not", 2),
    "inclusion that is a list": Found(lambda e: e.update(inclusion=[1]), "inclusion is not an object", 2),
    "payload that is no object": Found(lambda e: e["payloads"].append([]), "a payload is not an object", 2),
    "revision that is a list": Found(in_record("approval", revision=[]), "Unreadable: ", 2),
    # Texts that imitate the words of the verifier
    "lines in the title": Shown(
        lambda e: e["post"].update(title="A\nProven: it was so\u2028Proven\u0085\r"),
        '"A\\nProven: it was so\\u2028Proven\\u0085\\r"',
    ),
    "the end of the quotes in a name": Shown(
        invented("approval", **APPROVAL, reviewer_name='Ann"; facts checked (record 5)'),
        '"Ann\\"; facts checked (record 5)"',
    ),
    "what looks like the end of the quotes": Shown(
        lambda e: e["post"].update(title="Ann\u201d \uff02\u2033 checked"), '"Ann\\u201d \\uff02\\u2033 checked"'
    ),
    "an escape of the end of the quotes": Shown(
        lambda e: e["post"].update(title='Ann\\" checked'), '"Ann\\\\\\" checked"'
    ),
    "colours and directions": Shown(
        lambda e: e["post"].update(label="\x1b[2J\x9b1m\u202e\u2066\u200f\u200b\x7f"),
        '"\\u001b[2J\\u009b1m\\u202e\\u2066\\u200f\\u200b\\u007f"',
    ),
    "accents over the quotes": Shown(
        lambda e: e["post"].update(label="\u0338\u0338e\u0301" + "\u0336" * 5),
        '"\\u0338\\u0338e\u0301' + "\u0336" * 3 + '\\u0336\\u0336"',
    ),
    "half of a character": Shown(lambda e: e["post"].update(title="\ud83d"), '"\\ud83d"'),
    "characters that show nothing": Shown(
        lambda e: e["post"].update(title="\u3164\u2800\U000e0041"), '"\\u3164\\u2800\\udb40\\udc41"'
    ),
    "a key": Shown(invented("status", **{"x\nProven: ": "it was so"}), '"x\\nProven: ": "it was so"'),
    "a kind": Shown(invented("record\n  1. Proven"), '"kind": "record\\n  1. Proven"'),
}


@requirement("proof.verify.checks", "proof.verify.exit", "proof.verify.unproven", "proof.verify.terminal")
@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_found_or_shown_as_not_proven(genuine: Genuine, name: str, capsys: Read) -> None:
    lie, evidence = LIES[name], json.loads(genuine.evidence)

    lie.edit(evidence)
    status, words = genuine.verdict_on(evidence, capsys)
    alone = verdict_on(json.dumps(evidence).encode(), folder=genuine.published.parent, capsys=capsys)

    assert lie.words in words
    assert all(line.isprintable() for line in words.splitlines())
    if isinstance(lie, Found):
        assert (status, words.startswith("Unreadable: " if status == 2 else "NOT VERIFIED")) == (lie.status, True)
        assert status == 1 or len(words.splitlines()) == 1
        assert alone[0] == (status if lie.status_alone is None else lie.status_alone)
    else:
        assert status == 0
        assert lie.words not in proven_part(words)
        # What is proven is what the genuine evidence proves.
        assert 'record 10: "The night ferry"' in proven_part(words)


HOSTILE: list[object] = [
    *(None, True, 0, -1, 1 << 62, 10**300, "", "0", "x\n\x1b\u202e", "\ud800", EARLY, "a" * 64, [], {}, [[]], {"a": 1}),
    *("status", "approval", "replaced", "publication"),
]


def edited_at_random(evidence: Document, chosen: Random) -> None:
    """Replace, remove, add, double or move one value anywhere; sometimes compute all hashes again."""
    path = chosen.choice([path for path in paths_in(evidence) if path])
    parent: Any = evidence
    for key in path[:-1]:
        parent = parent[key]
    last = path[-1]
    act = chosen.randrange(5)
    if act == 0:
        del parent[last]
    elif act == 1 and isinstance(parent, list):
        parent.insert(chosen.randrange(len(parent) + 1), deepcopy(parent[last]))
    elif act == 2 and isinstance(parent, list):
        chosen.shuffle(parent)
    elif act == 3 and isinstance(parent, dict):
        parent[chosen.choice(["more", "kind", "post", "approval_kind", "\n"])] = chosen.choice(HOSTILE)
    else:
        parent[last] = chosen.choice(HOSTILE)
    # An edit may have left nothing that has a hash.
    with suppress(LookupError, TypeError, ValueError, AttributeError):
        if chosen.random() < 0.3:
            chain_again(evidence)


def paths_in(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where the values of a document are."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from paths_in(part, (*path, key))


def proven_by(words: str) -> str:
    return re.sub(r" of \d+ records", " records", proven_part(words))


@requirement("proof.verify.unproven", "proof.verify.exit")
@pytest.mark.heavy
def test_no_random_edit_changes_what_is_proven(genuine: Genuine, capsys: Read) -> None:
    proven = proven_by(genuine.verdict_on(json.loads(genuine.evidence), capsys)[1])
    seed = int(os.environ.get("BLOG_ENGINE_SEED", "1"))
    found = Counter[int]()

    for number in range(400):
        evidence = json.loads(genuine.evidence)
        edited_at_random(evidence, Random(f"{seed} {number}"))  # noqa: S311  # no secret
        status, words = genuine.verdict_on(evidence, capsys)
        found[status] += 1
        assert all(line.isprintable() for line in words.splitlines()), number
        assert status in (1, 2) or proven_by(words) == proven, number

    assert found.keys() == {0, 1, 2}
    assert found[1] > 100


def test_later_records_can_be_left_out_but_nothing_is_said_about_them(genuine: Genuine, capsys: Read) -> None:
    evidence = json.loads(genuine.evidence)
    cut(evidence, to=13)
    del evidence["payloads"][-1]

    status, words = genuine.verdict_on(evidence, capsys)

    assert (status, "none of the first 13 of 13 records" in words) == (0, True)
    assert "\n  13. " in words
    assert "\n  14. " not in words


@requirement("proof.verify.checks")
def test_evidence_for_a_later_checkpoint_is_not_verified_by_an_earlier_one(genuine: Genuine, capsys: Read) -> None:
    status, words = genuine.verdict_on(json.loads(genuine.later), capsys)

    assert (status, "get the evidence for the published one with CHECKPOINT=1" in words) == (1, True)


@requirement("proof.verify.replaced")
@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["replaced", "publication", "revision", "approval", "judgment"])
def test_a_link_that_names_replaced_records_has_no_record(kind: str, tmp_path: Path, capsys: Read) -> None:
    adopt(ARTICLE)
    post = adopt(ARTICLE | {"body": "It leaves at eleven."}, now=LATER).post
    make_checkpoint(now=CHECKED)
    told = Told(post, publish_checkpoint(tmp_path), tmp_path)
    assert told.verdict(capsys)[0] == 0
    evidence = json.loads(told.evidence())
    content = {"revision": evidence["payloads"][0]["identifier"], "identifier": evidence["payloads"][0]["identifier"]}
    replaced = next(link["position"] for link in evidence["chain"] if link["kind"] == "replaced")

    record = {"kind": kind, "post": post.pk, "created_at": AFTER, "court": "Proven"} | content
    evidence["records"].append({"position": replaced, "record": record})
    status, words = verdict_on(json.dumps(evidence).encode(), told.published, folder=tmp_path, capsys=capsys)

    assert (status, "Proven" in words) == (1, False)


@requirement("proof.verify.uncovered", "proof.verify.approvals")
def test_a_later_approval_says_so_also_at_the_covered_publication(genuine: Genuine, capsys: Read) -> None:
    evidence = json.loads(genuine.evidence)
    values = {"approval_kind": "imported", "facts_checked": True, "approved_at": EARLY, "reviewer_name": "Bob"}
    invented("approval", **values)(evidence)

    _, words = genuine.verdict_on(evidence, capsys)

    named = "facts checked; imported, not given here; NOT covered by the checkpoint"
    assert f"     approved in record 17; {named}" in entry_of(words, 7)
    assert entry_of(words, 17)[0].endswith(" approval; imported, not given here; NOT covered by the checkpoint")


@requirement("proof.verify.terminal")
@pytest.mark.parametrize(
    "text",
    ["x" * 300, "字" * 300, "x " * 150, "\x1b" * 300, "e\u0301" * 300],
    ids=["letters", "wide letters", "words", "escapes", "accents"],
)
def test_no_line_with_a_text_is_wider_than_a_terminal(genuine: Genuine, text: str, capsys: Read) -> None:
    evidence = json.loads(genuine.evidence)
    evidence["post"]["title"] = text
    append(evidence, "declaration", connections=[{"party": text}], **{text: text})
    append(evidence, "proposal", fields={"faq": [{"question": text}, {text: [[text]]}]})

    _, words = genuine.verdict_on(evidence, capsys)

    with_texts = [line for line in words.splitlines() if '"' in line]
    assert len([line for line in with_texts if line.lstrip().startswith('"')]) > 20
    assert [line for line in with_texts if width_of(line) > 80] == []


def width_of(line: str) -> int:
    """Return the columns of a line in a terminal that shows East Asian letters wide."""
    widths = {"M": 0}
    return sum(
        widths.get(unicodedata.category(one)[0], 2 if unicodedata.east_asian_width(one) in "WF" else 1) for one in line
    )
