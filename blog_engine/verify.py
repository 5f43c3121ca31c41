"""Check the evidence of a post: ``python verify.py FILE [CHECKPOINT]``, with any Python since 3.11 and nothing else.

FILE is what ``GET /posts/:id/evidence`` or ``blog_evidence`` returned. CHECKPOINT is a copy of the published checkpoint
from before somebody may have changed the blog, or ``-`` to read it from standard input. Exits with 0 if the evidence
is verified, 1 if it is not, 2 if a file cannot be read. The engine computes its hashes with the functions of this file.
"""

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

EVIDENCE_FORMAT: Final = "blog_engine.evidence/1"
CHECKPOINT_FORMAT: Final = "blog_engine.checkpoint/1"
ADOPTED_KINDS: Final = ("revision", "baseline", "approval", "publication")
"""The kinds of records that a repeated adoption replaces, in the order in which an adoption makes them."""
_MOST_BYTES: Final = 256 * 1024 * 1024
_Object: TypeAlias = dict[str, Any]


def canonical_json(value: object) -> bytes:
    """Return JSON in UTF-8 with sorted keys, without spaces and without escapes for letters."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def digest_of_json(value: object) -> str:
    """Return the lower-case hexadecimal SHA-256 of the canonical JSON of a value."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def link_hash(link: Mapping[str, Any], *, post: int) -> str:
    """Return the hash of a link of the chain of a post."""
    names = ("position", "kind", "digest", "chained_at", "previous")
    return digest_of_json({"post": post} | {name: link[name] for name in names})


def checkpoint_hash(checkpoint: Mapping[str, Any]) -> str:
    """Return the hash of a checkpoint."""
    names = ("number", "created_at", "boundary", "size", "root", "previous")
    return digest_of_json({name: checkpoint[name] for name in names})


def replaced_record(kinds: Iterable[tuple[int, str]]) -> _Object:
    """Return the record that a repeated adoption replaced earlier ones; ``kinds`` are all earlier positions and kinds.

    It names the positions of the records that the earlier adoption left, and none that was replaced before.
    """
    positions: list[int] = []
    for position, kind in kinds:
        if kind == "replaced":
            positions.clear()
        elif kind in ADOPTED_KINDS:
            positions.append(position)
    return {"kind": "replaced", "positions": positions}


def leaf_hash(post: int, position: int, hash: str) -> bytes:
    """Return the hash of the leaf for the newest link of a post (RFC 6962, 2.1)."""
    return _sha256(b"\0" + canonical_json({"post": post, "position": position, "hash": hash}))


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node of a tree (RFC 6962, 2.1)."""
    return _sha256(b"\1" + left + right)


def root_of_path(leaf: bytes, index: int, size: int, path: Iterable[bytes]) -> bytes | None:
    """Return the root to which the path of a leaf leads; ``None`` if no tree of this size has such a path."""
    root, last = leaf, size - 1
    if index > last:
        return None
    for one in path:
        if last == 0:
            return None
        if index & 1 or index == last:
            root = node_hash(one, root)
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            root = node_hash(root, one)
        index, last = index >> 1, last >> 1
    return root if last == 0 else None


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


class Unreadable(ValueError):
    """A file is no evidence or checkpoint; the message names what is wrong with it."""


def read_json_file(name: str) -> Any:
    """Return the JSON value of a file, ``-`` for standard input. Raises ``Unreadable``."""
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES} bytes")
        return json.loads(data.decode(), object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_refuse)
    except OSError as fault:
        raise Unreadable(f"{name}: {fault.strerror or fault}") from fault
    except (ValueError, RecursionError, MemoryError) as fault:
        raise Unreadable(f"{name} is not JSON as the blog writes it: {str(fault) or type(fault).__name__}") from fault


def _refuse(text: str) -> None:
    raise ValueError(f"it has the number {text[:40]}")


def _unique(pairs: list[tuple[str, Any]]) -> _Object:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has the same key twice")
    return found


_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_HASH_OR_EMPTY: Final = re.compile(r"([0-9a-f]{64})?")


def _shaped(found: Any, what: str, /, **form: type | re.Pattern[str]) -> _Object:
    """Return an object whose values have these types and forms. Raises ``Unreadable``."""
    if type(found) is not dict:
        raise Unreadable(f"{what} is not an object")
    for key, wanted in form.items():
        value: Any = found.get(key)
        fits = type(value) is wanted if isinstance(wanted, type) else type(value) is str and wanted.fullmatch(value)
        if not fits or (wanted is int and value < 0):
            raise Unreadable(f"{key} of {what} is missing, or is not what the format says")
    return found


class Evidence:
    """The evidence of a post in the form that the format prescribes, whether it is true or not."""

    def __init__(self, file: Any, *published: Any) -> None:
        form = re.compile(re.escape(EVIDENCE_FORMAT))
        whole = _shaped(file, "the file", format=form, post=dict, payloads=list, records=list, chain=list)
        self.post = _shaped(whole["post"], "post", id=int, title=str, url=str, label=str)
        payloads = [_shaped(one, "a payload", identifier=_HASH, payload=str) for one in whole["payloads"]]
        self.payloads: dict[str, str] = {one["identifier"]: one["payload"] for one in payloads}
        hashes = {"digest": _HASH, "previous": _HASH_OR_EMPTY, "hash": _HASH, "chained_at": _TIME}
        self.chain = [_shaped(one, "a link", position=int, kind=str, **hashes) for one in whole["chain"]]
        self.records: dict[int, _Object] = {}
        self.unchained: list[_Object] = []
        for entry in whole["records"]:
            found = _shaped(entry, "an entry of records", record=dict)["record"]
            record, position = _shaped(found, "a record", kind=str, created_at=_TIME), entry.get("position")
            if type(position) is int and position not in self.records:
                self.records[position] = record
            else:
                self.unchained.append(record)
        checkpoint = whole.get("checkpoint")
        self.checkpoint = None if checkpoint is None else _checkpoint(checkpoint, "the checkpoint of the file")
        self.published = _checkpoint(published[0], "the published checkpoint") if published else None
        inclusion = whole.get("inclusion") or {"position": 0, "index": 0, "path": []}
        self.inclusion = _shaped(inclusion, "inclusion", position=int, index=int, path=list)
        if not all(type(one) is str and _HASH.fullmatch(one) for one in self.inclusion["path"]):
            raise Unreadable("path of inclusion is not what the format says")


def _checkpoint(found: Any, what: str) -> _Object:
    form = {"format": re.compile(re.escape(CHECKPOINT_FORMAT)), "created_at": _TIME, "root": _HASH, "hash": _HASH}
    return _shaped(found, what, number=int, boundary=int, size=int, previous=_HASH_OR_EMPTY, **form)


_ADOPTION: Final = re.compile("(?:status )*revision baseline (?:approval )?publication (.*)")
_MOST_APPROVALS, _MOST_FAULTS = 9, 50
_NOT_NAMED: Final = ("kind", "post", "created_at", "occurred_at")


def faults_of(evidence: Evidence) -> Iterator[str]:
    """Yield why the evidence is not verified; nothing if it is."""
    yield from _faults_of_chain(evidence)
    yield from _faults_of_content(evidence)
    if evidence.checkpoint is None:
        yield "The file has no checkpoint, so it only agrees with itself."
    else:
        yield from _faults_of_checkpoint(evidence, evidence.checkpoint)


def _faults_of_chain(evidence: Evidence) -> Iterator[str]:
    previous, since, is_replacement = "", list[tuple[int, str]](), False
    missing, adopted, post = dict[int, str](), dict[int, str](), evidence.post["id"]
    for number, link in enumerate(evidence.chain, start=1):
        kind, record = link["kind"], evidence.records.get(number)
        if link["position"] != number or link["previous"] != previous:
            yield f"Link {number} of the chain does not follow the link before it: one was removed, added or moved."
        if link_hash(link, post=post) != link["hash"]:
            yield f"Link {number} of the chain was changed."
        previous = link["hash"]
        if kind == "replaced":
            found = _ADOPTION.fullmatch(_kinds(since))
            if found is None or found[1] or link["digest"] != digest_of_json(replaced_record(since)):
                yield f"Link {number} names records as replaced that are not an adoption which nothing followed."
            since, is_replacement = [], True
            adopted.clear()
            continue
        since.append((number, kind))
        if record is None:
            (adopted if kind in ADOPTED_KINDS else missing)[number] = kind
        elif digest_of_json(record) != link["digest"] or (record["kind"], record.get("post")) != (kind, post):
            yield f"The {_shown(kind)} of position {number} is not the one that was chained: it was changed."
    if is_replacement and not _ADOPTION.fullmatch(_kinds(since)):
        yield "The chain names records as replaced, but no adoption replaced them."
    yield from (f"The {_shown(kind)} of position {number} was removed." for number, kind in (missing | adopted).items())
    for number in sorted(number for number in evidence.records if not 0 < number <= len(evidence.chain)):
        yield f"A record has the position {number}, which the chain does not have."
    for record in evidence.unchained:
        yield f"A {_shown(record['kind'])} that claims to be of {record['created_at']} is in no link of the chain."
    if not evidence.chain:
        yield "The post has no history, so there is nothing to prove."


def _kinds(since: Iterable[tuple[int, str]]) -> str:
    return "".join(f"{kind} " for _, kind in since if kind != "declaration")


def _faults_of_content(evidence: Evidence) -> Iterator[str]:
    known = {record.get("identifier") for record in evidence.records.values() if record["kind"] == "revision"}
    for identifier, payload in evidence.payloads.items():
        if hashlib.sha256(payload.encode()).hexdigest() != identifier or identifier not in known:
            yield f"The content of revision {identifier} is not the one that was recorded."
    for number, record in sorted(evidence.records.items()):
        name = record.get("identifier" if record["kind"] == "revision" else "revision")
        if (name or record["kind"] in ADOPTED_KINDS) and (name not in known or name not in evidence.payloads):
            yield f"The content that the {record['kind']} of position {number} refers to is missing."


def _faults_of_checkpoint(evidence: Evidence, checkpoint: _Object) -> Iterator[str]:
    for one in filter(None, (checkpoint, evidence.published)):
        if checkpoint_hash(one) != one["hash"]:
            yield f"Checkpoint {one['number']} has another hash than its own content."
    published = evidence.published or checkpoint
    if published["number"] != checkpoint["number"]:
        wanted, found = published["number"], checkpoint["number"]
        yield f"The file is for checkpoint {found}: get the evidence for the published one with CHECKPOINT={wanted}."
    elif published["hash"] != checkpoint["hash"]:
        yield f"Checkpoint {checkpoint['number']} of the file is not the one that was published."
    covered, index = evidence.inclusion["position"], evidence.inclusion["index"]
    if not 0 < covered <= len(evidence.chain):
        yield f"Checkpoint {checkpoint['number']} covers the position {covered}, which the chain does not have."
        return
    leaf = leaf_hash(evidence.post["id"], covered, evidence.chain[covered - 1]["hash"])
    root = root_of_path(leaf, index, checkpoint["size"], map(bytes.fromhex, evidence.inclusion["path"]))
    if root is None or root.hex() != checkpoint["root"]:
        yield f"Checkpoint {checkpoint['number']} covers another chain: up to position {covered}, a record was changed."
    for link in evidence.chain[covered:]:
        if link["kind"] == "replaced":
            yield f"Link {link['position']} replaced records after checkpoint {checkpoint['number']}: use a later one."
        elif (claim := _claim(evidence, link)) < checkpoint["created_at"]:
            what = f"The {_shown(link['kind'])} of position {link['position']} claims to be of {claim}, but checkpoint"
            yield f"{what} {checkpoint['number']} of {checkpoint['created_at']} does not cover it: it came later."


def _claim(evidence: Evidence, link: _Object) -> str:
    """Return the earliest time that a link and its record claim for themselves."""
    record = evidence.records.get(link["position"], {})
    of_kind = record.get("approved_at" if record.get("approval_kind") == "sent" else "occurred_at")
    times = [link["chained_at"], record.get("created_at"), of_kind]
    return min(time for time in times if isinstance(time, str))


def _shown(value: object, most: int = 200) -> str:
    """Return a value of the file in one line that cannot control a terminal."""
    text = "".join(one if one.isprintable() else " " for one in str(value)[: most + 1])
    return text if len(text) <= most else text[:most] + "…"


def report_of(evidence: Evidence) -> Iterator[str]:
    """Yield in words what verified evidence proves, what it shows, and what it does not prove."""
    checkpoint, covered = evidence.checkpoint or {}, evidence.inclusion["position"]
    yield (
        f"Proven: since checkpoint {checkpoint['number']} of {checkpoint['created_at']} was published, none of the "
        f"first {covered} of {len(evidence.chain)} records was changed, removed, moved or invented."
    )
    if evidence.published is None:
        yield f"The checkpoint comes from the file itself: compare {checkpoint['hash']} with a copy obtained elsewhere."
    yield "History:"
    public, approvals = "", dict[str, list[str]]()
    for number, record in sorted(evidence.records.items()):
        if record["kind"] == "approval":
            checked = "checked" if record.get("facts_checked") is True else "NOT checked"
            by_whom = f"approved by {_shown(record.get('reviewer_name'))} on {_shown(record.get('approved_at'))}"
            approvals.setdefault(record["revision"], []).append(f"{by_whom}, facts {checked} (record {number})")
    for link in evidence.chain:
        record = evidence.records.get(link["position"], {})
        words = [_words_of(record) or "the records of the adoption before it were replaced"]
        if link["kind"] == "publication" and record:
            shown, public = public, evidence.payloads[record["revision"]]
            words += [_changes(shown, public)] if shown else []
            words += approvals.get(record["revision"], ["approved by no person"])[-_MOST_APPROVALS:]
        if _claim(evidence, link) < link["chained_at"]:
            words.append(f"chained only at {link['chained_at']}: nothing proves that it existed before")
        if link["position"] > covered:
            words.append("NOT covered by the checkpoint")
        when = record.get("created_at", link["chained_at"])
        yield f"  {link['position']}. {when} {_shown(link['kind'])}: {'; '.join(words)}"
    yield f"Label that the blog states (not part of the proof): {_shown(evidence.post['label'])}."
    yield (
        "Not proven: that the clock of the blog was right; that the people and agents named are who they claim to be; "
        "that the blog did not show other pages to its readers; anything before the checkpoint was published."
    )


def _words_of(record: _Object) -> str:
    named = [(name, value) for name, value in record.items() if name not in _NOT_NAMED and value not in (None, "", [])]
    return ", ".join(f"{_shown(name)}: {_shown(value)}" for name, value in named)


def _changes(before: str, after: str) -> str:
    """Return which parts of the content changed, with the words around the first difference."""
    old, new = (json.loads(payload) for payload in (before, after))
    pairs = {name: (str(old.get(name, "")), str(new.get(name, ""))) for name in old | new}
    parts = [f"{_shown(name)}: {_first_change(*pair)}" for name, pair in pairs.items() if pair[0] != pair[1]]
    return f"changed {'; '.join(parts) or 'nothing'}"


def _first_change(before: str, after: str) -> str:
    differs = (at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1])
    start = max(0, next(differs, min(len(before), len(after))) - 20)
    return f"“{_shown(before[start:], 80)}” → “{_shown(after[start:], 80)}”"


def main(arguments: list[str]) -> int:
    """Verify the evidence in a file, print the result, and return the exit status."""
    if len(arguments) not in (1, 2):
        print("Usage: python verify.py FILE [CHECKPOINT]")
        return 2
    try:
        evidence = Evidence(*[read_json_file(name) for name in arguments])
        faults = list(faults_of(evidence))
        lines = faults[:_MOST_FAULTS] or list(report_of(evidence))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError) as fault:
        print(f"Unreadable: {_shown(fault if isinstance(fault, Unreadable) else repr(fault))}")
        return 2
    verdict, post = "NOT VERIFIED" if faults else "Verified", evidence.post
    print(f"{verdict}: “{_shown(post['title'])}”, post {post['id']}, {_shown(post['url'])}")
    print("\n".join(lines))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # it is a text file
    sys.exit(main(sys.argv[1:]))
