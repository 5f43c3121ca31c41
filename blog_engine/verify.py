"""Check the evidence of a post: ``python verify.py FILE [CHECKPOINT]``, with any Python since 3.11 and nothing else.

FILE is what ``GET /posts/:id/evidence`` or ``blog_evidence`` returned, or ``history/evidence.json`` of an article.
CHECKPOINT is a copy of the published checkpoint from before somebody may have changed the blog, or ``-`` to read it
from standard input. Exits with 0 if the evidence is verified, 1 if it is not, 2 if a file cannot be read. The engine
computes its hashes with the functions of this file.
"""

import base64
import hashlib
import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias

EVIDENCE_FORMAT: Final = "blog_engine.evidence/1"
PUBLIC_EVIDENCE_FORMAT: Final = "blog_engine.public-evidence/1"
"""Evidence that readers get: of the records that are not public it has the links alone."""
CHECKPOINT_FORMAT: Final = "blog_engine.checkpoint/1"
ADOPTED_KINDS: Final = ("revision", "baseline", "approval", "publication")
"""The kinds of records that a repeated adoption replaces, in the order in which an adoption makes them."""
_MOST_BYTES, _MOST_KEYS = 256 * 1024 * 1024, 1000
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
    return hashlib.sha256(b"\0" + canonical_json({"post": post, "position": position, "hash": hash})).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node of a tree (RFC 6962, 2.1)."""
    return hashlib.sha256(b"\1" + left + right).digest()


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


_P: Final = 2**256 - 2**224 + 2**192 + 2**96 - 1
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_B: Final = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
_BASE: Final = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
"""The curve P-256: field, order, equation and base point (SEC 2, 2.4.2)."""
_Point: TypeAlias = tuple[int, int, int]
"""A point as X, Y and Z, with x = X/Z² and y = Y/Z³; Z is 0 for the point at infinity."""
_INFINITY: Final = (0, 1, 0)


def is_on_curve(x: int, y: int) -> bool:
    """Return whether two whole numbers are a point of P-256."""
    return 0 <= x < _P and 0 <= y < _P and (y * y - (x * x - 3) * x - _B) % _P == 0


def _doubled(point: _Point) -> _Point:
    x, y, z = point
    square = y * y % _P
    slope, middle = 3 * (x - z * z) * (x + z * z) % _P, 4 * x * square % _P
    new = (slope * slope - 2 * middle) % _P
    return new, (slope * (middle - new) - 8 * square * square) % _P, 2 * y * z % _P


def _sum(one: _Point, other: _Point) -> _Point:
    (x1, y1, z1), (x2, y2, z2) = one, other
    if not z1 or not z2:
        return other if not z1 else one
    a, b, c, d = x1 * z2 * z2 % _P, x2 * z1 * z1 % _P, y1 * z2 * z2 * z2 % _P, y2 * z1 * z1 * z1 % _P
    if a == b:
        return _doubled(one) if c == d else _INFINITY
    run, rise = b - a, d - c
    square = run * run % _P
    cube, middle = square * run % _P, square * a % _P
    x = (rise * rise - cube - 2 * middle) % _P
    return x, (rise * (middle - x) - c * cube) % _P, run * z1 * z2 % _P


def _der_numbers(signature: bytes) -> tuple[int, int] | None:
    """Return r and s of an ECDSA signature in DER; ``None`` for other bytes, also for DER with a shorter form."""
    parts, rest = [], signature[2:]
    if signature[:1] != b"\x30" or signature[1:2] != bytes([len(rest) & 0xFF]) or len(rest) > 70:
        return None
    for _ in range(2):
        length = rest[1] if len(rest) > 1 and rest[0] == 2 else 0
        number, rest = rest[2 : 2 + length], rest[2 + length :]
        is_shortest = number[:1] != b"\0" or number[1:2] > b"\x7f"
        if not 0 < length == len(number) <= 33 or number[0] > 0x7F or not is_shortest:
            return None
        parts.append(int.from_bytes(number, "big"))
    return None if rest else (parts[0], parts[1])


def is_signed(message: bytes, signature: bytes, *, x: int, y: int) -> bool:
    """Return whether an ES256 signature in DER is one of a message by the owner of a public key on P-256.

    Of each such signature, the one with the negated s is another (FIPS 186-5, 6.4.2).
    """
    numbers = _der_numbers(signature)
    if numbers is None or not all(0 < one < _ORDER for one in numbers) or not is_on_curve(x, y):
        return False
    r, s = numbers
    inverse, digest = pow(s, -1, _ORDER), int.from_bytes(hashlib.sha256(message).digest(), "big")
    u, v = digest * inverse % _ORDER, r * inverse % _ORDER
    base, key = (*_BASE, 1), (x, y, 1)
    both, total = _sum(base, key), _INFINITY
    for place in reversed(range(256)):
        total = _doubled(total)
        of_base, of_key = u >> place & 1, v >> place & 1
        if of_base or of_key:
            total = _sum(total, both if of_base and of_key else base if of_base else key)
    return bool(total[2]) and (total[0] * pow(total[2], -2, _P) - r) % _P % _ORDER == 0


_BASE64URL: Final = re.compile("[A-Za-z0-9_-]*")
_COORDINATE: Final = re.compile("[0-9a-f]{64}")
_LEAST_AUTHENTICATOR_DATA, _PRESENT, _VERIFIED = 37, 1, 4


def base64url(data: bytes) -> str:
    """Return bytes in Base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: object) -> bytes:
    """Return the bytes of a text that ``base64url`` makes. Raises ``ValueError``."""
    if not isinstance(text, str) or not _BASE64URL.fullmatch(text):
        raise ValueError("not Base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64url(data) != text:
        raise ValueError("not the shortest Base64url")
    return data


def assertion_fault(assertion: Mapping[str, Any], *, digest: str, key: Mapping[str, Any]) -> str:
    """Return why a WebAuthn assertion is no signature of the record with a digest by a key; empty if it is one.

    ``assertion`` has ``client_data``, ``authenticator_data`` and ``signature``, ``key`` has ``x`` and ``y``, as the
    records of their kinds. The person must have been present and identified by the device (flags UP and UV).
    """
    try:
        text, data = assertion["client_data"], from_base64url(assertion["authenticator_data"])
        signed, signature = text.encode(), from_base64url(assertion["signature"])
        client, coordinates = _parsed(text), (key["x"], key["y"])
        x, y = (int(one, 16) for one in coordinates if _COORDINATE.fullmatch(one))
        challenge = base64url(bytes.fromhex(digest))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "has another form than the format says"
    if (
        type(client) is not dict
        or client.get("type") != "webauthn.get"
        or client.get("crossOrigin") not in (None, False)
    ):
        return "was made for something else than signing on this site"
    if client.get("challenge") != challenge:
        return "is one of another record"
    if len(data) < _LEAST_AUTHENTICATOR_DATA or not data[32] & _PRESENT or not data[32] & _VERIFIED:
        return "was made without the device identifying the person"
    if not is_signed(data + hashlib.sha256(signed).digest(), signature, x=x, y=y):
        return "was not made with the passkey that it names"
    return ""


class Unreadable(ValueError):
    """A file is no evidence or checkpoint; the message names what is wrong with it."""


def read_json_file(name: str) -> Any:
    """Return the JSON value of a file, ``-`` for standard input. Raises ``Unreadable``."""
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES} bytes")
        return _parsed(data.decode())
    except OSError as fault:
        raise Unreadable(f"{name}: {fault.strerror or fault}") from fault
    except (ValueError, RecursionError, MemoryError) as fault:
        raise Unreadable(f"{name} is not JSON as the blog writes it: {str(fault) or type(fault).__name__}") from fault


def _parsed(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_refuse)


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
        if not fits or (wanted is int and not 0 <= value < 1 << 63):
            raise Unreadable(f"{key} of {what} is missing, or is not what the format says")
    return found


_Content: TypeAlias = dict[str, tuple[str, str]]
"""The values of a payload by their keys, each as a note on its form and a text."""


class Evidence:
    """The evidence of a post in the form that the format prescribes, whether it is true or not."""

    def __init__(self, file: Any, *published: Any) -> None:
        form = re.compile("|".join(map(re.escape, (EVIDENCE_FORMAT, PUBLIC_EVIDENCE_FORMAT))))
        whole = _shaped(file, "the file", format=form, post=dict, payloads=list, records=list, chain=list)
        self.is_public = whole["format"] == PUBLIC_EVIDENCE_FORMAT
        self.post = _shaped(whole["post"], "post", id=int, title=str, url=str, label=str)
        payloads = [_shaped(one, "a payload", identifier=_HASH, payload=str) for one in whole["payloads"]]
        self.payloads: dict[str, str] = {one["identifier"]: one["payload"] for one in payloads}
        if len(self.payloads) < len(payloads):
            raise Unreadable("the file has two payloads with the same identifier")
        self._contents: dict[str, _Content] = {}
        hashes = {"digest": _HASH, "previous": _HASH_OR_EMPTY, "hash": _HASH, "chained_at": _TIME}
        self.chain = [_shaped(one, "a link", position=int, kind=str, **hashes) for one in whole["chain"]]
        self.records: dict[int, _Object] = {}
        self.unchained: list[_Object] = []
        for entry in whole["records"]:
            found = _shaped(entry, "an entry of records", record=dict)["record"]
            record, position = _shaped(found, "a record", kind=str, created_at=_TIME), entry.get("position")
            if type(position) is int and 0 < position <= len(self.chain) and position not in self.records:
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

    def content(self, identifier: str) -> _Content:
        """Return the content of a revision; its payload is parsed once. Raises ``Unreadable``."""
        if identifier not in self._contents:
            values = _shaped(_parsed(self.payloads[identifier]), f"the payload of revision {identifier}")
            if len(values) > _MOST_KEYS:
                raise Unreadable(f"the payload of revision {identifier} has more than {_MOST_KEYS} keys")
            self._contents[identifier] = {
                name: ("", value) if isinstance(value, str) else (" as JSON", canonical_json(value).decode())
                for name, value in values.items()
            }
        return self._contents[identifier]


def _checkpoint(found: Any, what: str) -> _Object:
    form = {"format": re.compile(re.escape(CHECKPOINT_FORMAT)), "created_at": _TIME, "root": _HASH, "hash": _HASH}
    return _shaped(found, what, number=int, boundary=int, size=int, previous=_HASH_OR_EMPTY, **form)


_KINDS: Final = (*ADOPTED_KINDS, "declaration", "status", "proposal", "proposal_event", "key", "signature", "replaced")
_ADOPTION: Final = re.compile("(?:status )*revision baseline (?:approval )?publication (.*)")
_MOST_FAULTS: Final = 50


def faults_of(evidence: Evidence) -> Iterator[str]:
    """Yield why the evidence is not verified; nothing if it is. No text of the file is in it, only hashes and times."""
    yield from _faults_of_chain(evidence)
    yield from _faults_of_content(evidence)
    yield from _faults_of_signatures(evidence)
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
            if found is None or found[1] or record or link["digest"] != digest_of_json(replaced_record(since)):
                yield f"Link {number} names records as replaced that are not an adoption which nothing followed."
            since, is_replacement = [], True
            adopted.clear()
            continue
        since.append((number, kind))
        if record is None:
            (adopted if kind in ADOPTED_KINDS else missing)[number] = kind
        elif digest_of_json(record) != link["digest"] or (record["kind"], record.get("post")) != (kind, post):
            yield f"The {_kind(kind)} of position {number} is not the one that was chained: it was changed."
    if is_replacement and not _ADOPTION.fullmatch(_kinds(since)):
        yield "The chain names records as replaced, but no adoption replaced them."
    removed = {} if evidence.is_public else missing | adopted
    yield from (f"The {_kind(kind)} of position {number} was removed." for number, kind in removed.items())
    for record in evidence.unchained:
        yield f"A {_kind(record['kind'])} that claims to be of {record['created_at']} is in no link of the chain."
    if not evidence.chain:
        yield "The post has no history, so there is nothing to prove."


def _kind(kind: str) -> str:
    return kind if kind in _KINDS else "record of an unknown kind"


def _kinds(since: Iterable[tuple[int, str]]) -> str:
    return "".join(f"{kind} " for _, kind in since if kind != "declaration")


def _faults_of_content(evidence: Evidence) -> Iterator[str]:
    known = {record.get("identifier") for record in evidence.records.values() if record["kind"] == "revision"}
    for identifier, payload in evidence.payloads.items():
        if hashlib.sha256(payload.encode()).hexdigest() != identifier or identifier not in known:
            yield f"The content of revision {identifier} is not the one that was recorded."
    for number, record in sorted(evidence.records.items()):
        kind = record["kind"]
        name = record.get("identifier" if kind == "revision" else "revision") if kind in _KINDS else None
        if (name or kind in ADOPTED_KINDS) and (name not in known or name not in evidence.payloads):
            yield f"The content that the {kind} of position {number} refers to is missing."


def _faults_of_signatures(evidence: Evidence) -> Iterator[str]:
    """Yield which signatures are none of their approval, by a passkey of its actor that is earlier in the chain."""
    known, signed = dict[tuple[str, str], _Object](), set[str]()
    for number, link in enumerate(evidence.chain, start=1):
        record = evidence.records.get(number, {})
        if link["kind"] == "signature" and record:
            digest, named = str(record.get("approval")), str(record.get("key"))
            approval, key = known.get(("approval", digest)), known.get(("key", named))
            words = f"The signature of position {number}"
            if approval is None or digest in signed:
                yield f"{words} is of no approval that is before it in the chain and not signed yet."
            elif key is None:
                yield f"{words} was made with a passkey that is not before it in the chain."
            elif key.get("actor_kind") != "person" or key.get("actor_id") != approval.get("actor_id"):
                yield f"{words} was made with a passkey of another person than its approval names."
            elif fault := assertion_fault(record, digest=digest, key=key):
                yield f"{words} {fault}."
            signed.add(digest)
        known[link["kind"], link["digest"]] = record


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
            time = claim if _TIME.fullmatch(claim) else "a time in an unknown form"
            what = f"The {_kind(link['kind'])} of position {link['position']} claims to be of {time}, but checkpoint"
            yield f"{what} {checkpoint['number']} of {checkpoint['created_at']} does not cover it: it came later."


def _claim(evidence: Evidence, link: _Object) -> str:
    """Return the earliest time that a link and its record claim for themselves."""
    record = evidence.records.get(link["position"], {})
    of_kind = record.get("approved_at" if record.get("approval_kind") == "sent" else "occurred_at")
    times = [link["chained_at"], record.get("created_at"), of_kind]
    return min(time for time in times if isinstance(time, str))


_APPROVAL_KINDS: Final = {"imported": "imported, not given here", "declared": "declared at an adoption, not given here"}
_MOST_APPROVALS, _MOST_VALUES, _MOST_DEPTH, _MOST_MARKS = 9, 50, 3, 4


def report_of(evidence: Evidence) -> Iterator[str]:
    """Yield in words what verified evidence proves, what it shows, and what it does not prove.

    Each text of the file is in double quotes, on lines of its own; everything else is what this program says.
    """
    checkpoint, covered, size = evidence.checkpoint or {}, evidence.inclusion["position"], len(evidence.chain)
    premise = "Proven" if evidence.published else "Proven only if that checkpoint was published"
    if not evidence.published:
        yield f"The checkpoint comes from the file itself: compare {checkpoint['hash']} with a copy obtained elsewhere."
    yield (
        f"{premise}: since checkpoint {checkpoint['number']} of {checkpoint['created_at']} was published, none of the "
        f"first {covered} of {size} records was changed, removed, moved or invented."
    )
    absent = size - len(evidence.records) - sum(link["kind"] == "replaced" for link in evidence.chain)
    if absent and evidence.is_public:
        yield f"Of these, {absent} are not public: the file has only their hashes, and nothing says what is in them."
    elif absent:
        yield f"Of these, {absent} were replaced by a repeated adoption: the file has only their hashes."
    if covered < size:
        yield f"NOT covered by the checkpoint, so not proven: all records after record {covered}."
    yield from _title_lines(evidence)
    yield "Stated by the file, not proven:"
    for name in ("title", "url", "label"):
        yield from _text_lines(f"  {name}", evidence.post[name])
    yield "History; what is in double quotes is text of the file, with escapes for what could mislead:"
    yield from _history_lines(evidence)
    yield (
        "Not proven: that the clock of the blog was right; that the people and agents named are who they claim to be; "
        "that the blog did not show other pages to its readers; anything before the checkpoint was published."
    )


def _title_lines(evidence: Evidence) -> Iterator[str]:
    for number in range(evidence.inclusion["position"], 0, -1):
        record = evidence.records.get(number, {})
        if record.get("kind") == "publication":
            note, title = evidence.content(record["revision"]).get("title", (" (absent)", ""))
            yield from _text_lines(f"Title{note} of the newest covered publication, record {number}", title)
            return
    yield "The checkpoint covers no publication, so no title is proven."


def _history_lines(evidence: Evidence) -> Iterator[str]:
    approvals, changes, public = dict[str, list[_Object]](), dict[tuple[str, str], list[str]](), ""
    history = [(link, evidence.records.get(link["position"], {})) for link in evidence.chain]
    for link, record in history:
        if link["kind"] == "approval" and record:
            approvals.setdefault(record["revision"], []).append(link)
    signed = _signatures(history)
    left = 100 * sum(map(len, evidence.payloads.values()))
    for link, record in history:
        yield from _record_lines(evidence, link, record)
        if link["kind"] == "publication" and record:
            before, public = public, record["revision"]
            if before and (before, public) not in changes:
                left -= len(evidence.payloads[before]) + len(evidence.payloads[public])
                lines = _change_lines(evidence, before, public) if left > 0 else ["     changed again: not compared"]
                changes[before, public] = list(lines)
            yield from changes.get((before, public), ())
            yield from _approval_lines(evidence, approvals.get(public, []), signed)


def _signatures(history: Iterable[tuple[_Object, _Object]]) -> dict[str, tuple[_Object, _Object]]:
    """Return the link of each signature with the record of its passkey, by the digest of the approval."""
    keys, found = dict[str, _Object](), dict[str, tuple[_Object, _Object]]()
    for link, record in history:
        if link["kind"] == "key":
            keys[link["digest"]] = record
        elif link["kind"] == "signature" and record:
            found[record["approval"]] = (link, keys[record["key"]])
    return found


def _record_lines(evidence: Evidence, link: _Object, record: _Object) -> Iterator[str]:
    words = [_kind(link["kind"]), *_standing(evidence, link)]
    if not record:
        absent = "not public" if evidence.is_public else "replaced by a repeated adoption"
        words.append("it replaced an adoption" if link["kind"] == "replaced" else absent)
    yield f"  {link['position']}. {record.get('created_at', link['chained_at'])} {'; '.join(words)}"
    hidden = ("post", "created_at", *(["kind"] if link["kind"] in _KINDS else []))
    for name, value in record.items():
        if value is not None and name not in hidden:
            yield from _value_lines(f"     {_key(name)}", value)
    if record and link["kind"] == "signature":
        site = from_base64url(record["authenticator_data"])[:32].hex()
        yield f"     made on the site whose name has the SHA-256 {site}"


def _standing(evidence: Evidence, link: _Object) -> Iterator[str]:
    """Yield what a reader must know wherever a record is named: how far it is proven."""
    record = evidence.records.get(link["position"], {})
    if link["kind"] == "approval" and record and record.get("approval_kind") != "sent":
        yield _APPROVAL_KINDS.get(str(record.get("approval_kind")), "of an unknown kind")
    if _claim(evidence, link) < link["chained_at"]:
        yield f"chained only at {link['chained_at']}: nothing proves that it existed before"
    if link["position"] > evidence.inclusion["position"]:
        yield "NOT covered by the checkpoint"


def _approval_lines(evidence: Evidence, links: list[_Object], signed: Mapping[str, Any]) -> Iterator[str]:
    """Yield who approved the content of a publication, in which records; ``signed`` are those of ``_signatures``."""
    if len(links) > _MOST_APPROVALS or not links:
        yield f"     approved {f'{len(links)} times, the last ones' if links else 'by no person in this file'}"
    for link in links[-_MOST_APPROVALS:]:
        record = evidence.records[link["position"]]
        checked = "facts checked" if record.get("facts_checked") is True else "facts NOT checked"
        yield f"     approved in record {'; '.join([str(link['position']), checked, *_standing(evidence, link)])}"
        for name in ("reviewer_name", "approved_at"):
            yield from _value_lines(f"       {name}", record.get(name))
        if link["digest"] in signed:
            signature, key = signed[link["digest"]]
            yield f"       signed in record {'; '.join([str(signature['position']), *_standing(evidence, signature)])}"
            yield from _value_lines("       signed with the passkey", key.get("credential_id"))
            yield from _value_lines("       of", key.get("actor_id"))


def _change_lines(evidence: Evidence, before: str, after: str) -> Iterator[str]:
    """Yield which values of the content changed, with the characters around the first difference."""
    old, new = evidence.content(before), evidence.content(after)
    names = [name for name in old | new if old.get(name) != new.get(name)]
    if not names:
        yield f"     changed {'nothing' if before == after else 'only how the content is written as JSON'}"
    for name in names[:_MOST_VALUES]:
        yield f"     changed {_key(name)}"
        pair = [content.get(name, (" (absent)", "")) for content in (old, new)]
        start = max(0, _first_difference(*(text for _, text in pair)) - 20)
        for word, (note, text) in zip(("before", "after"), pair, strict=True):
            yield from _text_lines(f"       {word}{note}", text, start, 80)
    if len(names) > _MOST_VALUES:
        yield f"     changed {len(names) - _MOST_VALUES} more values"


def _first_difference(before: str, after: str) -> int:
    """Return the length of the longest common beginning; compares halves, which costs less than letters."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        is_same = before[low:middle] == after[low:middle]
        low, high = (middle, high) if is_same else (low, middle - 1)
    return low


def _value_lines(label: str, value: Any, depth: int = 0) -> Iterator[str]:
    """Yield a value of the file with a label, each text in it on lines of its own."""
    indent = _indent(label)
    if isinstance(value, str):
        yield from _text_lines(label, value)
    elif isinstance(value, dict | list) and value:
        yield f"{label}:"
        pairs: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value, start=1)
        for key, one in islice(pairs, _MOST_VALUES if depth < _MOST_DEPTH else 0):
            yield from _value_lines(f"{indent}{_key(key) if isinstance(key, str) else key}", one, depth + 1)
        if len(value) > _MOST_VALUES or depth == _MOST_DEPTH:
            yield f"{indent}not all of {len(value)} are shown"
    else:
        text = json.dumps(value)
        yield f"{label}: {text if len(text) <= 40 else f'a number of {len(text)} digits'}"


def _text_lines(label: str, text: str, start: int = 0, most: int = 200) -> Iterator[str]:
    """Yield a part of a text with a label, in pieces that no terminal of 80 columns breaks."""
    part = text[start : start + most]
    if len(part) < len(text):
        label = f"{label}, characters {start + 1} to {start + len(part)} of {len(text)}"
    pieces = _quoted(part)
    if len(pieces) == 1 and len(f"{label}: {pieces[0]}".encode()) < 80:
        yield f"{label}: {pieces[0]}"
    else:
        yield f"{label}:"
        yield from (f"{_indent(label)}{piece}" for piece in pieces)


def _indent(label: str) -> str:
    return " " * (len(label) - len(label.lstrip()) + 2)


def _key(name: str) -> str:
    pieces = _quoted(name[:33], 32)
    return pieces[0] if len(pieces) == 1 else f"{pieces[0]}..."


_MISLEADING: Final = frozenset('"\\“”„‟″‶ʺˮ〃〝〞〟\uff02\u115f\u1160\u2800\u3164\uffa0')
"""The backslash, and characters that look like a double quotation mark or like nothing."""


def _quoted(text: str, most: int = 64) -> list[str]:
    """Return a text in double quotes, in pieces of at most so many bytes, so of at most as many columns.

    Escapes replace what could control a terminal, turn the direction, end a line or the quotes, or cover other letters:
    accents at the beginning, and more than four in a row.
    """
    pieces, size, marks = [""], 0, _MOST_MARKS
    for one in text:
        is_mark = unicodedata.category(one).startswith("M")
        marks = marks + 1 if is_mark else 0
        if marks > _MOST_MARKS or one in _MISLEADING or not one.isprintable():
            one, marks, is_mark = json.dumps(one)[1:-1], _MOST_MARKS, False
        size += len(one.encode())
        if size > most and not is_mark:
            pieces.append("")
            size = len(one.encode())
        pieces[-1] += one
    return [f'"{piece}"' for piece in pieces]


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
        words = str(fault if isinstance(fault, Unreadable) else repr(fault))
        print(f"Unreadable: {''.join(one if one.isprintable() else ' ' for one in words[:300])}")
        return 2
    verdict = "Verified" if evidence.published else "Verified, if its checkpoint is the published one"
    print(f"{'NOT VERIFIED' if faults else verdict}: post {evidence.post['id']}")
    print("\n".join(lines))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # it is a text file
    sys.exit(main(sys.argv[1:]))
