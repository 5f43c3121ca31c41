"""Requests that are nearly right, nearly wrong, or garbage, from a seed."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

API = "/blog/api/v1"

SLUGS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "feed",
    "category",
    "10000007",
    "été",
    "A b",
    "a--b",
    "x" * 200,
    "x" * 201,
    "",
]
TITLES = [
    "Alpha",
    "Beta",
    "Gamma!",
    "été",
    "北京",
    "\u202eabc",
    " ",
    "x" * 255,
    "x" * 256,
    "feed",
    "a\nb",
    "\U0001f600",
]
TEXTS = [
    *(
        "",
        " ",
        "Plain text.",
        "# One\n\n### Three\n\n- a\n- b",
        "a\r\nb\r",
        "\u2028\ufeff\u0301",
        "|a|b|\n|-|-|\n|1|2|",
    ),
    *("<script>alert(1)</script>", "![](http://[) [x](//[y])", "![a](https://x.example/i.png)", "[^1]\n\n[^1]: note"),
    *(
        "> [!NOTE]\n> hi",
        "```python\nprint(1)\n```",
        "`" * 300,
        "*" * 300 + "a" + "_" * 300,
        "[" * 200,
        ">" * 200 + "x",
    ),
    *("## FAQ\n\n### Q?\n\nA.", "%s %d {} \\ ' \"; --", "a\x00b", "\ud800", "\x01\x1f\x7f\x85", "é" * 3000),
]
TIMES = [
    *("2999-01-01T00:00:00Z", "2001-01-01T00:00:00+02:00", "2999-01-01T10:00", "2999-02-30T00:00:00Z", "2999-01-01"),
    *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "now", ""),
]
DAYS = ["2026-01-31", "2026-02-30", "20260131", "0001-01-01", "9999-12-31", ""]
GARBAGE: list[Any] = [
    *(None, True, False, 0, 1, -1, 7, 1.5, 1e308, 2**31, 2**63 - 1, -(2**63), "", "x", "\x00", "\ud800", [], {}),
    *([None], [[]], [{}], {"a": 1}, {"": {}}, "true", "null", "[]", "٣", "1_0", [1, "a", None], {"name": None}),
]

Chance = random.Random


@dataclass
class Request:
    """One request to the API."""

    method: str
    path: str
    body: bytes
    content_type: str


def _one_of(values: list[Any]) -> Callable[[Chance], Any]:
    return lambda chance: chance.choice(values)


def _several(make: Callable[[Chance], Any], most: int) -> Callable[[Chance], Any]:
    return lambda chance: [make(chance) for _ in range(chance.randint(0, most))]


def _object(fields: dict[str, Callable[[Chance], Any]], *, left_out: float = 0.15) -> Callable[[Chance], Any]:
    return lambda chance: {name: make(chance) for name, make in fields.items() if chance.random() > left_out}


_WORDS = _one_of(["News", "news", "NEWS", "Été", "Straße", "STRASSE", "!!!", " a ", "c++", "c#", "x" * 255, "", None])
_CONNECTION = _object({"party": _one_of(["Acme", "", 3]), "relation": _one_of(["owner", " ", None])}, left_out=0.05)
_CONNECTIONS = {
    "connections": _several(_CONNECTION, 2),
    "third_party_paid": _one_of([True, False, 0]),
    "declared_by": _one_of(["Rosa", "Rosa", ""]),
    "declared_on": _one_of(DAYS),
}
_APPROVAL = {
    "name": _one_of(["Rosa", "Rosa", "Rosa", " ", None]),
    "facts_checked": _one_of([True, True, False, "true"]),
    "revision_identifier": _one_of(["0" * 64, None, "", 3]),
}
_FIELDS: dict[str, Callable[[Chance], Any]] = {
    "title": _one_of(TITLES),
    "description": _one_of([*TEXTS, None]),
    "search_title": _one_of(TITLES),
    "search_description": _one_of(TEXTS),
    "body": _one_of([*TEXTS, *TEXTS, None]),
    "body_format": _one_of(["markdown", "markdown", "rich_text", "html"]),
    "author": _one_of(
        ["Ada Example", "ada-example", "Zoë", "999999", {"name": "Org", "type": "organization"}, "!!!", ""]
    ),
    "cover_image": _one_of([None, None, {"image_id": 1}, {"url": "https://x.example/i.png"}, {"signed_id": ""}]),
    "cover_alt": _one_of(TITLES),
    "social_image": _one_of([None, None, {"image_id": True}]),
    "faq": _several(_object({"question": _one_of(["Why?", "why?", " "]), "answer": _one_of(TEXTS)}, left_out=0.05), 3),
    "category": _WORDS,
    "tags": _several(_WORDS, 4),
    "series": _WORDS,
    "series_position": _one_of([1, 2, None, 0, 2**31]),
    "featured": _one_of([True, False]),
    "canonical_url": _one_of(["https://x.example/a", "http://[::1]:80/", "//x", "https://a\u2100b/", " ", None]),
    "slug": _one_of(SLUGS),
    "external_id": _one_of(["e1", "e2", "e3", " ", None, "x" * 256]),
    "provenance": _one_of(["ai_assisted", "human_written", "unknown", "AI"]),
    "provenance_evidence": _one_of([*TITLES, None]),
    "made_by_ai": _one_of([True, False, None]),
    "approval": _object(_APPROVAL, left_out=0.3),
    "change": _one_of(["substantive", "correction", "maintenance", "first"]),
    "change_description": _one_of(TITLES),
    "note": _one_of(TITLES),
    "connections": _object(_CONNECTIONS, left_out=0.05),
    "publish_at": _one_of([*TIMES, None]),
    "publish": _one_of([True, True, False]),
}
_QUERY = {
    "status": ["draft", "published", "x"],
    "category": ["news", "News", "1", "9" * 30, " "],
    "tag": ["strasse", "\x00", "1"],
    "author": ["ada-example", "Ada Example"],
    "series": ["News", ""],
    "q": ["text", 'été "a b" -x', "%_\\", "a", "'&|!():*", "\x00"],
    "page": ["1", "2", "0", "01", "999999999", "x"],
    "per_page": ["1", "100", "1000", "-1"],
    "format": ["json"],
}
_RAW = [
    *(
        b"",
        b"{",
        b"[]",
        b"[1]",
        b"null",
        b'"x"',
        b"\xff\xfe{}",
        b'{"title":"a","title":"b"}',
        b'{"title": NaN}',
        b"{}{}",
    ),
    *(b'{"title":1e999}', b'{"\\ud800":1}', b"[" * 100, b'{"a":' * 70, b'{"title":"a"}'.decode().encode("utf-16")),
    *(b'{"series_position":' + b"9" * 400 + b"}", b"\x00", b'{"title":"\\u0000"}'),
]
_WRITES = [
    *(("POST", "/publish"), ("POST", "/publish"), ("PATCH", ""), ("PATCH", ""), ("PATCH", ""), ("POST", "/unpublish")),
    *(("DELETE", ""), ("POST", "/approvals"), ("POST", "/connections")),
]
_READS = [("GET", ""), ("GET", "/records"), ("GET", "/findings"), ("GET", "/preview"), ("HEAD", "")]


def random_request(chance: Chance, keys: list[str], identifiers: list[str]) -> Request:
    """A request about one of the posts ``keys``, whose revisions are ``identifiers``, or about none."""
    kind = chance.random()
    if kind < 0.35:
        return _write(chance, "POST", "/posts", _fields(chance, always=["title"] if chance.random() < 0.9 else []))
    if kind < 0.75:
        return _write_to_a_post(chance, keys, identifiers)
    if kind < 0.85:
        method, rest = chance.choice(_READS)
        return Request(method, f"{API}/posts/{_key(chance, keys)}{rest}{_query(chance, rarely=True)}", b"", "")
    if kind < 0.93:
        return Request("GET", f"{API}/posts{_query(chance)}", b"", "")
    return _nonsense(chance, keys)


def _write_to_a_post(chance: Chance, keys: list[str], identifiers: list[str]) -> Request:
    method, rest = chance.choice(_WRITES)
    path = f"/posts/{_key(chance, keys)}{rest}"
    fields: dict[str, Any] = {}
    if rest == "/approvals":
        fields = _object(_APPROVAL)(chance) | {"revision_identifier": chance.choice([*identifiers, "0" * 64])}
    elif rest == "/connections":
        fields = _object(_CONNECTIONS, left_out=0.05)(chance)
    elif method == "DELETE":
        targets = [
            None,
            "alpha",
            "/blog/beta",
            "/blog/alpha/",
            "https://x.example/é",
            "//x",
            "javascript:1",
            "/é?a#b",
            3,
        ]
        fields = {"redirect_to": chance.choice(targets)} if chance.random() < 0.6 else {}
    elif rest != "/unpublish":
        fields = _fields(chance)
        fields.pop("publish", None)
    return _write(chance, method, path, fields)


def _fields(chance: Chance, always: list[str] | None = None) -> dict[str, Any]:
    often = chance.choice([0.03, 0.1, 0.3])
    names = [name for name in _FIELDS if name in (always or []) or chance.random() < often]
    return {name: _FIELDS[name](chance) for name in names}


def _write(chance: Chance, method: str, path: str, fields: dict[str, Any]) -> Request:
    spoil = chance.random()
    if spoil < 0.05:
        fields = {**fields, chance.choice(["titel", "id", "status", "", "a.b", "name"]): chance.choice(GARBAGE)}
    elif spoil < 0.2 and fields:
        fields = {**fields, chance.choice(list(fields)): chance.choice(GARBAGE)}
    elif spoil < 0.25:
        fields = {**fields, chance.choice(list(_FIELDS)): chance.choice(GARBAGE)}
    body = chance.choice(_RAW) if chance.random() < 0.04 else json.dumps(fields).encode()
    kinds = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "a/b; charset=utf-16",
    ]
    content_type = chance.choice(kinds) if chance.random() < 0.02 else "application/json"
    return Request(method, API + path + _query(chance, rarely=True), body, content_type)


def _query(chance: Chance, *, rarely: bool = False) -> str:
    if rarely and chance.random() < 0.97:
        return ""
    pairs = [(name, chance.choice(values)) for name, values in _QUERY.items() if chance.random() < 0.2]
    return "?" + "&".join(f"{name}={quote(value)}" for name, value in pairs) if pairs else ""


def _key(chance: Chance, keys: list[str]) -> str:
    garbage = ["0", "999999", "9" * 25, "nope", "alpha", "%00", "%ff", "a%2Fb", "..", "٣", "-1", "%0A"]
    return chance.choice(garbage) if not keys or chance.random() < 0.06 else chance.choice(keys)


def _nonsense(chance: Chance, keys: list[str]) -> Request:
    method = chance.choice(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO"])
    rest = chance.choice(
        ["", "/", "/posts", "/posts/", "//posts", "/posts//", "/nope", f"/posts/{_key(chance, keys)}/nope"]
    )
    return Request(method, API + rest, chance.choice(_RAW), chance.choice(["application/json", "", "text/html"]))
