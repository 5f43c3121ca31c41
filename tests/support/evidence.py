"""Evidence as somebody edits it who knows how the hashes are made, and the parts of what the verifier prints."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from blog_engine import verify
from tests.support.tampering import tell_of_a_post

Document: TypeAlias = dict[str, Any]

AFTER = "2026-11-21T16:00:00.711000Z"
"""A time after the checkpoint of the story."""
_UNPROVEN = re.compile(r"NOT covered|, not proven:$")


_KEPT: list[tuple[bytes, bytes]] = []


@dataclass(frozen=True)
class Kept:
    """Evidence that was made once, and the folder with its published checkpoint."""

    evidence: bytes
    folder: Path

    @property
    def published(self) -> Path:
        return self.folder / "checkpoint-1.json"


def keep_evidence(request: pytest.FixtureRequest, folder: Path) -> Kept:
    """Return the evidence of the story and its checkpoint, which all tests of one process edit."""
    if not _KEPT:
        request.getfixturevalue("db")
        story = tell_of_a_post(folder)
        _KEPT.append((story.evidence(), story.published.read_bytes()))
    found = Kept(_KEPT[0][0], folder)
    found.published.write_bytes(_KEPT[0][1])
    return found


def chain_again(evidence: Document) -> None:
    """Make every digest and hash of the chain those of the records, in the order of the links."""
    records = {one["position"]: one["record"] for one in evidence["records"]}
    previous = ""
    for position, link in enumerate(evidence["chain"], start=1):
        link |= {"position": position, "previous": previous}
        if position in records:
            link |= {"kind": records[position]["kind"], "digest": verify.digest_of_json(records[position])}
        link["hash"] = previous = verify.link_hash(link, post=evidence["post"]["id"])


def seal(evidence: Document) -> None:
    """Chain the records again, and make a checkpoint over all of them: evidence of a blog that wrote such records."""
    chain_again(evidence)
    end = evidence["chain"][-1]
    root = verify.leaf_hash(evidence["post"]["id"], end["position"], end["hash"])
    evidence["inclusion"] = {"position": end["position"], "index": 0, "path": []}
    evidence["checkpoint"] |= {"size": 1, "root": root.hex()}
    sign_checkpoint(evidence)


def sign_checkpoint(evidence: Document) -> None:
    """Give the checkpoint the hash of its content."""
    evidence["checkpoint"]["hash"] = verify.checkpoint_hash(evidence["checkpoint"])


def append(evidence: Document, kind: str, **values: Any) -> None:
    """Append a record with a link whose hashes are right; both claim to be made after the checkpoint."""
    record = {"kind": kind, "post": evidence["post"]["id"], "created_at": AFTER} | values
    position = len(evidence["chain"]) + 1
    evidence["records"].append({"position": position, "record": record})
    evidence["chain"].append({"chained_at": AFTER})
    chain_again(evidence)


def take_out(evidence: Document, position: int) -> None:
    """Remove a record and its link, move the others up, and chain them again."""
    evidence["records"] = [one for one in evidence["records"] if one["position"] != position]
    for one in evidence["records"]:
        one["position"] -= one["position"] > position
    del evidence["chain"][position - 1]
    evidence["inclusion"]["position"] -= 1
    chain_again(evidence)


def place_of(evidence: Document, kind: str, *, last: bool = False) -> int:
    """Return the position of the first or last record of a kind."""
    places = [one["position"] for one in evidence["records"] if one["record"]["kind"] == kind]
    return int(places[-1 if last else 0])


def record_of(evidence: Document, kind: str, *, last: bool = False) -> Document:
    """Return the first or last record of a kind."""
    place = place_of(evidence, kind, last=last)
    return next(one["record"] for one in evidence["records"] if one["position"] == place)


def add_content(evidence: Document, payload: str) -> str:
    """Append a revision with a payload; return its identifier."""
    identifier = hashlib.sha256(payload.encode()).hexdigest()
    evidence["payloads"].append({"identifier": identifier, "payload": payload})
    append(evidence, "revision", identifier=identifier, actor="Ines Editor", made_by_ai=None)
    return identifier


def replace_payload(evidence: Document, number: int, payload: str) -> None:
    """Replace a payload and its identifier, also wherever records name it."""
    old = evidence["payloads"][number]["identifier"]
    text = json.dumps(evidence).replace(old, hashlib.sha256(payload.encode()).hexdigest())
    evidence |= json.loads(text)
    evidence["payloads"][number]["payload"] = payload


def entry_of(words: str, position: int) -> list[str]:
    """Return the lines about a record in the history that the verifier prints."""
    return next(lines for lines in _blocks(words.splitlines()) if lines[0].startswith(f"  {position}. "))


def proven_part(words: str) -> str:
    """Return what the verifier prints without saying that it is not proven."""
    lines = iter(words.splitlines())
    kept, above = list[str](), None
    for line in lines:
        depth = len(line) - len(line.lstrip())
        above = None if above is not None and depth <= above else above
        if above is None and _UNPROVEN.search(line):
            above = depth
        kept += [line] if above is None else []
    return "\n".join(kept)


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Yield the entries of the history with the lines below them."""
    block: list[str] = []
    for line in [*lines, ""]:
        if not line.startswith("   "):
            if block:
                yield block
            block = []
        block.append(line)
