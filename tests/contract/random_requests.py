"""Requests and messages from a seed that are nearly right, nearly wrong, or garbage."""

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any, TypeAlias
from urllib.parse import quote

from blog_engine.enums import LISTED_STATES
from blog_engine.rules.proposals import PROPOSABLE_FIELDS
from tests.support.images import animation, gif_and_tar, gif_of_dots, gif_with_larger_frame, photo, plain, png_of

Chance: TypeAlias = random.Random


@dataclass
class Known:
    """Ids of earlier answers, so that requests meet stored records, and URLs of pictures."""

    gallery: str = "http://127.0.0.1:1"
    posts: list[str] = field(default_factory=list)
    identifiers: list[str] = field(default_factory=list)
    ids: dict[str, list[int]] = field(default_factory=dict)
    """Ids of records and images by collection."""
    media: list[str] = field(default_factory=list)
    """URLs of stored images."""
    uploads: list[str] = field(default_factory=list)
    """URLs of upload tickets."""
    is_tidy: bool = False
    """Whether the current request is meant to be valid."""

    def id_of(self, chance: Chance, collection: str) -> int:
        """Return the id of a record of this kind, mostly of an existing one."""
        ids = self.ids.get(collection, [])
        return chance.choice(ids) if ids and chance.random() < 0.9 else UNKNOWN_ID


Make: TypeAlias = Callable[[Chance, Known], Any]
"""Returns one value."""

UNKNOWN_ID = 999_999
"""An id that no record has."""

SLUGS = ["alpha", "beta", "gamma", "delta"]
ODD_SLUGS = ["feed", "category", "10000007", "été", "A b", "a--b", "x" * 200, "x" * 201, "", None]
TITLES = ["Alpha", "Beta", "Gamma!", "été"]
ODD_TITLES = [
    *("北京", "\u202eabc", " ", "x" * 255, "x" * 256, "feed", "a\nb", "\U0001f600", "a\x00", "\ud800", "", None)
]
TEXTS = [
    *("", " ", "Plain text.", "Other text.", "# One\n\n### Three\n\n- a\n- b", "a\r\nb\r", "\u2028\ufeff\u0301"),
    *("|a|b|\n|-|-|\n|1|2|", "<script>alert(1)</script>", "![](http://[) [x](//[y])", "[^1]\n\n[^1]: note"),
    *("![a](https://x.example/i.png)", "> [!NOTE]\n> hi", "```python\nprint(1)\n```", "`" * 300),
    *("*" * 300 + "a" + "_" * 300, "[" * 200, ">" * 200 + "x", "%s %d {} \\ ' \"; --"),
    *("\x01\x1f\x7f\x85", "é" * 3000, "[a](/blog/alpha) [b](/blog/nope.md) [c](../x) ![d](/blog/media/x/y.png)"),
]
ODD_TEXTS = ["a\x00b", "\ud800", "x" * 300_000, None, 3]
FAQ_TEXTS = [
    "## FAQ\n\n### Q?\n\nA.",
    "Été ⛵.\r\n\r\n## Common questions\r\n\r\n#### Who?\r\nMe.\r\n\r\n## End\r\nBye.",
    "## FAQ\n\n**Is it?** Yes.\nNo.\n\n**And?**\n",
    "```\n## FAQ\n```\n\n## Q&A ##\n\nOnly text.",
    "## FAQ\n\n### a\n### b?\n- *c*\n\n#### d?\n\n## FAQ again\n\n### a?\n",
    "## C#\nA note.\n\n## Is it late?\nNot yet.",
    "    ## FAQ\n\t## FAQ\n   ## FAQ\n\n### \n\n### ?\n\u2028\u0085",
    "## FAQ\n" + "### Q?\nA.\n" * 300,
    "## FAQ\n" + "**Q?** " * 300,
    "#" * 500 + "\n## FAQ",
    "> ## FAQ\n- ## FAQ\n\n## *FAQ*\n\n### `a`?\n&amp; \\* <b>",
]
TIMES = ["2999-01-01T00:00:00Z", "2001-01-01T00:00:00+02:00"]
ODD_TIMES = [
    *("2999-01-01T10:00", "2999-02-30T00:00:00Z", "2999-01-01", "now", ""),
    *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2020-01-02T03:04:05.1234567Z"),
]
DAYS = ["2026-01-31", "2026-02-28"]
ODD_DAYS = ["2026-02-30", "20260131", "0001-01-01", "9999-12-31", "2026-1-1", "", None]
URLS = ["https://x.example/a", "http://[::1]:80/"]
ODD_URLS = [
    *("//x", "https://a\u2100b/", " ", "javascript:1", "https://u:p@x/", "https://[/", "https://x.example:0/", None),
    *("https://x.example:99999/", "http://127.0.0.1:1/x.png", "https://x.example/" + "é" * 3000, "file:///etc/passwd"),
]
PATHS = [
    *(
        "/old",
        "/older",
        "/oldest",
        "/blog/old",
        "/blog/older",
        "/blog/alpha",
        "/blog/beta",
        "/blog/gamma",
        "/blog/delta",
    ),
]
ODD_PATHS = [
    *("/old/", "/%6Fld", "/OLD", "/blog/alpha/", "/blog/alpha.md", "/blog/beta.html", "/blog/%62eta", "/blog/old.md"),
    *("/blog/old/", "/blog/%6Fld", "/blog//old", "/blog", "/blog/", "/", "/blog/feed.xml", "/blog/policies/who"),
    *("/blog/policies/responsible-party", "/blog/category/news", "/blog/category/none", "/blog/series/none/feed.xml"),
    *(
        "/blog/media/x/y.png",
        "/blog/media/" + "0" * 64 + "/old.png",
        "/blog/search",
        "/blog/api/v1/posts",
        "/blog/api/nope",
        "/blog/mcp",
        "/blog/preview/x",
    ),
    *("/blog/sitemap.xml", "/blog/été", "/blog/%C3%A9t%C3%A9", "/a b", "/a?b", "/a#b", "//x", "/../x", "/blog/./x"),
    *("/%2e%2e/x", "/%00", "/blog/%00", "/%ff", "/blog/%ff", "/é", "/a%2Fb", "/blog/a%2Fb", "/\\x", "/a\nb", "/%0a"),
    *(
        "/blog/%0a",
        "/%",
        "/blog/%",
        "/%zz",
        "/\U0001f600",
        "/blog/\U0001f600",
        "/a;b=c",
        "/blog/a;b=c",
        "/a:b",
        "/\u202e",
    ),
    *("/blog/x\u2028", "/blog/" + "x" * 2000, "/" + "x" * 2100, "/blog/" + "é" * 900, "", "x", "\x00", "/blog/%25"),
    *("/%2Fexample.com", "/blog/%2F%2Fexample.com", "/%3Fa", "/blog/%3Fa", "/blog/%23", "/blog/%5C", "/blog/%2e%2e/x"),
    *("/blog/.well-known/x", "/blog/\ue000", "/blog/a+b", "/blog/a&b='\"<", None, 3),
]
TARGETS = ["alpha", "beta", "gamma", "delta", *PATHS, "https://x.example/é", None, None]
ODD_TARGETS = [
    *(*ODD_PATHS, "/blog/alpha?a=b#c", "/?x", "//x", "https://example.com/blog/beta", "https://example.com//x"),
    *("https://example.com:443/old", "http://example.com", "javascript:1", "/\\x", "https://x.example/\r\nX: y", " "),
    *("https://u@x.example/", "/../alpha", "HTTPS://X.y", "https://example.com/blog/%61lpha.md?a#b", "été", "x" * 200),
    *("/blog/beta.md", "/blog/gamma.html", "/blog/delta/", "/blog/%64elta"),
]
KINDS = ["responsible_party", "corrections", "editorial", "ai_use"]
GARBAGE: list[Any] = [
    *(None, True, False, 0, -1, UNKNOWN_ID, 1.5, 1e308, 2**31, 2**63 - 1, -(2**63), 2**63, "", "x", "\x00", "\ud800"),
    *([], {}, [None], [[]], [{}], {"a": 1}, {"": {}}, "true", "null", "[]", "٣", "1_0", [UNKNOWN_ID, "a", None]),
    *({"name": None}, ["x"] * 400, "x" * 70_000, [[[[[["deep"]]]]]], {"a": {"b": {"c": {}}}}, "\U0001f600", " \t"),
]
RAW = [
    *(b"", b"{", b"[]", b"[1]", b"null", b'"x"', b"\xff\xfe{}", b'{"title":"a","title":"b"}', b'{"title": NaN}'),
    *(b"{}{}", b'{"title":1e999}', b'{"\\ud800":1}', b"[" * 100, b'{"a":' * 70, b'{"title":"\\u0000"}', b"\x00"),
    *(b'{"series_position":' + b"9" * 400 + b"}", '{"title":"a"}'.encode("utf-16"), b"\xef\xbb\xbf{}", b"{" * 99_999),
    *(b'{"title":"' + b"x" * (3 * 1024 * 1024) + b'"}', b'{"title":"\xed\xa0\x80"}', b'{"slug":-0,"body":.5}'),
]


def one_of(values: list[Any], odd: list[Any] | None = None) -> Make:
    """Return one of these values, one time in ten an odd one."""
    return lambda chance, known: chance.choice(odd if odd and not known.is_tidy and chance.random() < 0.1 else values)


def several(make: Make, most: int) -> Make:
    """Return a list, sometimes a long one."""
    return lambda chance, known: [
        make(chance, known) for _ in range(chance.randint(0, most) if chance.random() < 0.98 else 150)
    ]


def object_of(fields: dict[str, Make], *, left_out: float = 0.05) -> Make:
    """Return an object with most of these fields."""
    return lambda chance, known: {
        name: make(chance, known) for name, make in fields.items() if known.is_tidy or chance.random() > left_out
    }


def mostly(make: Make, other: Make) -> Make:
    """Use the first generator nine times in ten."""
    return lambda chance, known: (make if known.is_tidy or chance.random() < 0.9 else other)(chance, known)


def spoiled(chance: Chance, tree: Any) -> Any:
    """Return the value with one error, at any depth."""
    if isinstance(tree, dict) and tree and chance.random() < 0.75:
        name = chance.choice(list(tree))
        return tree | {name: spoiled(chance, tree[name])}
    if isinstance(tree, list) and tree and chance.random() < 0.75:
        at = chance.randrange(len(tree))
        return [*tree[:at], spoiled(chance, tree[at]), *tree[at + 1 :]]
    if isinstance(tree, dict) and chance.random() < 0.4:
        return tree | {chance.choice(["titel", "id", "status", "", "a.b", "name", "\x00"]): chance.choice(GARBAGE)}
    if isinstance(tree, str) and chance.random() < 0.3:
        return tree + chance.choice(["\x00", "\ud800", " ", "x" * 3000, "\n", "\U0001f600"])
    return chance.choice(GARBAGE)


def _image(chance: Chance, known: Known) -> Any:
    by_id = {"image_id": known.id_of(chance, "images")}
    if known.is_tidy or chance.random() < 0.6:
        return chance.choice([None, by_id, by_id, {"url": f"{known.gallery}/{chance.choice(['quay', 'wall'])}.png"}])
    return chance.choice(
        [
            {"url": f"{known.gallery}/{chance.choice(['page', 'loop', 'moved', 'cut', 'large', 'gone'])}.png"},
            {"url": chance.choice([*URLS, *ODD_URLS])},
            {"signed_id": chance.choice(["", "x", "a:b:c"])},
            {"image_id": True},
            by_id | {"url": "https://x.example/i.png"},
            {},
        ]
    )


def _body(chance: Chance, known: Known) -> Any:
    pictures = [f"![a]({url})" for url in [*known.media, f"{known.gallery}/wall.png"]]
    if not known.is_tidy and chance.random() < 0.03:
        return chance.choice(ODD_TEXTS)
    return chance.choice([*TEXTS[:5], *TEXTS, *FAQ_TEXTS, *pictures, " ".join(pictures)])


def _owner(chance: Chance, known: Known) -> Any:
    ids = [int(key) for key in known.posts if key.isdigit() and key != "10000007"]
    return chance.choice([None, None, UNKNOWN_ID, *ids, *ids])


_TITLE = one_of(TITLES, ODD_TITLES)
_TEXT = one_of(TEXTS, ODD_TEXTS)
_SLUG = one_of(SLUGS, ODD_SLUGS)
_DAY = one_of(DAYS, ODD_DAYS)
_URL = one_of(URLS, ODD_URLS)
_WORDS = one_of(["News", "news", "NEWS", "Été", "Straße", "STRASSE", " a ", "c++", "c#"], ["!!!", "x" * 255, "", None])
_TAG = one_of(["News", "news", "NEWS", "Été", "Straße", "STRASSE", " a ", "c++", "c#", "!!!"], ["", None, "x" * 256])
_TIME = one_of(["2019-05-06T07:08:09.123456Z", "2020-06-07T08:09:10+01:00", None], ODD_TIMES)
_EVIDENCE = one_of(["Database dump", "Database dump", "", " ", None])
_REVIEW: dict[str, Make] = {
    "reviewer_name": one_of(["Rosa"], [" ", None]),
    "facts_checked": one_of([True, True, False], ["true"]),
    "approved_at": one_of(["2020-01-02T03:04:05Z"], ["2020-01-02T03:04:05", *ODD_TIMES]),
}
_CONNECTION = object_of({"party": one_of(["Acme"], ["", 3]), "relation": one_of(["owner"], [" ", None])}, left_out=0.02)

CONNECTIONS: dict[str, Make] = {
    "connections": several(_CONNECTION, 2),
    "third_party_paid": one_of([True, False], [0]),
    "declared_by": one_of(["Rosa"], [""]),
    "declared_on": _DAY,
}
APPROVAL: dict[str, Make] = {
    "name": one_of(["Rosa"], [" ", None]),
    "facts_checked": one_of([True, True, False], ["true"]),
    "revision_identifier": lambda chance, known: chance.choice([*known.identifiers * 3, "0" * 64, None, "", 3]),
}
CONTENT: dict[str, Make] = {
    "title": _TITLE,
    "description": _TEXT,
    "search_title": _TITLE,
    "search_description": _TEXT,
    "body": _body,
    "body_format": one_of(["markdown"], ["rich_text", "html", ""]),
    "author": one_of(
        ["Ada Example", "ada-example", "Zoë", {"name": "Org", "type": "organization"}, "!!!"],
        [str(UNKNOWN_ID), "", 3, {}],
    ),
    "cover_image": _image,
    "cover_alt": _TITLE,
    "social_image": _image,
    "faq": several(
        object_of({"question": one_of(["Why?", "why?"], [" "]), "answer": one_of(TEXTS[2:], ODD_TEXTS)}, left_out=0.02),
        3,
    ),
    "category": _WORDS,
    "tags": several(_TAG, 4),
    "series": _WORDS,
    "series_position": one_of([1, 2, None], [0, 2**31, True]),
    "featured": one_of([True, False], [None]),
    "coauthors": several(one_of(["Ada Example", "zoë", "mina"], ["", "404404", 7, {"name": "X", "x": 1}]), 3),
    "noindex": one_of([True, False], [None, "yes"]),
    "expires_at": one_of(["2099-01-01T10:00:00Z", None], ODD_TIMES),
    "canonical_url": _URL,
    "language": one_of(["de", "pt-BR", "", None], ["x-private", "i-klingon", "d", 7]),
    "translation_of": one_of([1, "fog", "", None], [0, "no-such-post", []]),
    "slug": _SLUG,
    "external_id": one_of(["e1", "e2", "e3"], [" ", None, "x" * 256]),
    "provenance": one_of(["ai_assisted", "human_written", "unknown"], ["AI", None]),
    "provenance_evidence": _TITLE,
}
RECORD: dict[str, Make] = {
    "made_by_ai": one_of([True, False, None], ["no"]),
    "approval": object_of(APPROVAL | {"revision_identifier": one_of([None], ["0" * 64, "", 3])}),
    "change": one_of(["substantive", "correction", "maintenance"], ["first", None]),
    "change_description": _TITLE,
    "note": _TITLE,
    "connections": object_of(CONNECTIONS),
    "publish_at": one_of([*TIMES, None], ODD_TIMES),
}
POST: dict[str, Make] = CONTENT | RECORD | {"publish": one_of([True, True, False], [1])}
ADOPTION: dict[str, Make] = CONTENT | {
    "source_system": one_of(["oldpress"], ["newpress", "Oldpress", "", "x" * 256]),
    "source_id": one_of(["1", "2", "3"], ["4", " ", "x" * 255, "é", 1]),
    # Two that no other write takes first.
    "slug": one_of([*SLUGS, "adopted", "imported"], ODD_SLUGS),
    "body": mostly(one_of(TEXTS[2:4]), _body),
    "provenance": one_of(["unknown"], ["ai_assisted", "human_written", "AI"]),
    "source_body_sha256": one_of(["a" * 64, None], ["A" * 64, ""]),
    "old_slugs": several(
        mostly(
            one_of(["old", "older", "oldest", *SLUGS]),
            object_of({"slug": one_of(["old", "older", "feed", "A"]), "moved_on": _DAY}),
        ),
        2,
    ),
    "feed_id": one_of(["https://old.example/?p=1", "urn:x:2", "tag:old.example,2019:3"], ["17", "", None, "a b:c"]),
    "category_description": _TEXT,
    "first_published_at": _TIME,
    "first_published_evidence": _EVIDENCE,
    "last_modified_at": _TIME,
    "last_modified_evidence": _EVIDENCE,
    "declaration": object_of(
        _REVIEW | {"declared_by": one_of(["Mina"], [""]), "declared_on": _DAY, "declared_first_published_at": _TIME},
        left_out=0.02,
    ),
    "imported_approval": object_of(
        _REVIEW | {"evidence": one_of(["Entry 4"], [" "]), "confirmed_by": one_of(["Mina"], [None])}, left_out=0.02
    ),
    "connections": object_of(CONNECTIONS),
    "dry_run": one_of([True, False, False], ["true"]),
}
CATEGORY: dict[str, Make] = {
    "name": mostly(_WORDS, _TITLE),
    "slug": one_of(["news", "sea", *SLUGS, None], ODD_SLUGS),
    "description": _TEXT,
    "position": one_of([0, 1, -5, 2**31 - 1, -(2**31)], [2**31, None, 1.0]),
}
SERIES: dict[str, Make] = {name: CATEGORY[name] for name in ("name", "slug", "description")}
AUTHOR: dict[str, Make] = {
    "name": one_of(["Ada Example", "Zoë", "Mina Holt", *TITLES], ODD_TITLES),
    "slug": one_of(["ada-example", "mina", *SLUGS, None], ODD_SLUGS),
    "type": one_of(["person", "organization"], ["robot", None]),
    "bio": _TEXT,
    "url": _URL,
    "profile_urls": several(_URL, 3),
    "fediverse": one_of(["@mina@a.example", "mina@A.example", ""], ["mina", "@a@b@c.example", 7, "@@"]),
    "avatar": _image,
    "host_reference": _TITLE,
}
REDIRECT: dict[str, Make] = {
    "old_path": mostly(one_of(PATHS), one_of(ODD_PATHS)),
    "new_path": one_of(TARGETS, ODD_TARGETS),
    "post_id": _owner,
    "occurred_on": _DAY,
}
EDIT: dict[str, Make] = {name: POST[name] for name in POST if name != "publish"}
PROPOSALS: dict[str, Make] = {
    "state": one_of(list(LISTED_STATES), ["outdated", "x", ""]),
    "post": one_of(SLUGS, [str(UNKNOWN_ID), " ", "9" * 30]),
}
APPLICATION: dict[str, Make] = {
    "publish_at": RECORD["publish_at"],
    "expected_revision": APPROVAL["revision_identifier"],
    "approval": RECORD["approval"],
}
REJECTION: dict[str, Make] = {"reason": one_of(["Out of date.", "été"], ODD_TITLES)}
REMOVAL: dict[str, Make] = {"redirect_to": one_of(TARGETS, ODD_TARGETS)}
PAGE: dict[str, Make] = {
    "title": one_of(["About", *TITLES], ODD_TITLES),
    "body": _body,
    "status": one_of(["published", "published", "draft"], ["scheduled", None]),
    "slug": one_of(["who", "ai-use", "corrections", *SLUGS], ODD_SLUGS),
    "approved_by": one_of(["Rosa", "", None], ["x" * 256, 3]),
    "approved_on": one_of([*DAYS, None], ODD_DAYS),
}
FAQ_EXTRACTION: dict[str, Make] = {
    "body": mostly(one_of(FAQ_TEXTS + TEXTS), one_of([*ODD_TEXTS, "## FAQ\n" * 40_000])),
    "standalone_questions": several(one_of(["Is it late?", "C#", "FAQ", "", "x" * 9000], ["\x00", "\ud800"]), 3),
}
UPLOAD: dict[str, Make] = {
    "url": lambda chance, known: (_image(chance, known) or {}).get("url", chance.choice(GARBAGE)),
}
PAGED: dict[str, Make] = {
    "page": one_of(["1", "1", "2", "999999999"], ["0", "01", "x"]),
    "per_page": one_of(["1", "100", "1000"], ["-1", "", "1.0"]),
}
POSTS: dict[str, Make] = PAGED | {
    "status": one_of(["draft", "published", "scheduled", "archived"], ["x", ""]),
    "category": one_of(["news", "News", str(UNKNOWN_ID), "9" * 30], [" "]),
    "tag": one_of(["strasse", str(UNKNOWN_ID), "c#"], ["\x00"]),
    "author": one_of(["ada-example", "Ada Example"], [""]),
    "series": one_of(["News"], [""]),
    "q": one_of(["text", 'été "a b" -x', "%_\\", "ab", "'&|!():*", "x" * 100, "xy"], ["\x00"]),
}
IMAGES: dict[str, Make] = PAGED | {
    "q": one_of(["quay", "%_\\", "É", ""], ["\x00", "x" * 256]),
    "unused": one_of(["true", "false"], ["yes", "1", ""]),
}
ORIGIN: dict[str, Make] = {
    "credit": one_of(["Ann Lee / Quay", "", "É" * 500, None], ["\x00", "x" * 501, 7, ["a"]]),
    "digital_source_type": one_of(
        ["trainedAlgorithmicMedia", "DIGITALCAPTURE", None, "", "http://cv.iptc.org/newscodes/digitalsourcetype/print"],
        ["painted", "digitalArt", 7, True, {"a": 1}, "/" * 9_000],
    ),
}
TICKET: dict[str, Make] = ORIGIN | {
    "filename": one_of(["quay.png", "a/b.jpg"], ["", " ", "\x00", None]),
    "content_type": one_of(["image/png", "image/png", "image/jpeg"], ["image/svg+xml", "x", "", None]),
    "byte_size": one_of([len(plain()), len(plain()), 1_000], [0, -1, 2**40, "68", None]),
    "sha256": one_of([sha256(plain()).hexdigest(), "0" * 64], ["0" * 63, "G" * 64, None]),
}
VIEWS: dict[str, Make] = {"from": _DAY, "to": _DAY}
EVIDENCE: dict[str, Make] = {"checkpoint": one_of(["1", "999999999"], ["0", "01", "x", ""])}
TOP: dict[str, Make] = {
    "days": one_of(["1", "30", "36500"], ["36501", "0", "x", "٣"]),
    "limit": one_of(["1", "100"], ["101", "", "1_0"]),
}
REPORT: dict[str, Make] = {
    "scope": one_of(["site", "all"], ["post", "blog", ""]),
    "page": one_of(["1", "2", "1000000"], ["0", "1000001", "x"]),
    "reach": one_of(["false", "true"], ["yes", "1"]),
    "format": one_of(["json"], ["html", ""]),
}
KIND = one_of(KINDS, ["terms", "AI_USE", "%00", "%ff", "1", "..", "responsible_party%20"])


LIMIT = 50_000
"""The ``max_image_bytes`` of random requests."""

_IMAGES: dict[str, Callable[[], bytes]] = {
    "image/png": plain,
    "image/jpeg": photo,
    "image/gif": animation,
    "image/webp": lambda: plain("WEBP", color="red"),
    "image/avif": lambda: plain("AVIF"),
}
_HOSTILE: list[Callable[[], bytes]] = [
    *(lambda: b"", lambda: b"\x89PNG\r\n\x1a\n", lambda: b"x" * (LIMIT + 1), lambda: b"\x00" * 300),
    *(lambda: b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', lambda: b"<!doctype html><title>x"),
    *(lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n", lambda: b"\x7fELF\2\1\1" + bytes(200), lambda: plain("BMP")),
    *(lambda: plain("TIFF"), lambda: plain("ICO"), gif_and_tar, lambda: gif_of_dots(60, screen=(1_000, 1_000))),
    *(lambda: gif_with_larger_frame((7_100, 7_100)), lambda: png_of(7_100, 7_100), lambda: png_of(20_000, 20_000)),
    *(lambda: plain() + b"<script>alert(1)</script>", lambda: plain()[:-12], lambda: photo()[:-200]),
]
_NAMES = [
    *(
        b"quay.png",
        b"quay.png",
        b"../../etc/passwd",
        b"..\\..\\x.png",
        b"",
        b".",
        b"..",
        b"a\x00b.png",
        "é.png".encode(),
    ),
    *("北京.png".encode(), b"x" * 300 + b".png", b".png", b"con.txt", b"a b.png", b'a\\"b.png', b"a\rX: y.png"),
    *("\u202egnp.exe".encode(), "\U0001f600".encode(), b"%2e%2e%2f.png", b"a/b/", b"   ", b"\xff.png", b"\xed\xa0\x80"),
    *(b"a;b.png", b"a<b>.png", b"a\x7f\x1b.png", ("e\u0301" * 200).encode(), b"CON", b"a.png.", b"-", b"~", b"%00"),
]
_ENDINGS = ["whole", *(["none"] * 2), "early", "line feeds", "other", "twice", "garbage"]


@cache
def _picture(kind: str) -> bytes:
    return _IMAGES[kind]()


@cache
def _hostile(number: int) -> bytes:
    return _HOSTILE[number]()


def upload(chance: Chance) -> tuple[bytes, str]:
    """Return the body of a form and its content type."""
    boundary = chance.choice([b"x", b"x", b"----WebKit7MA4", b"x" * 70, b"x" * 300, b"a b", b"'()+_,-./:=?"])
    parts = [_file_part(chance)] if chance.random() < 0.93 else []
    while chance.random() < 0.06:
        parts.append(chance.choice([_file_part(chance), _text_part(chance)]))
    body = b"".join(b"--%s\r\n%s\r\n" % (boundary, part) for part in parts) + b"--%s--\r\n" % boundary
    if chance.random() < 0.1:
        body = _broken(chance, body, boundary)
    return body, _content_type(chance, boundary)


def _file_part(chance: Chance) -> bytes:
    kind = chance.choice(list(_IMAGES))
    data = _data(chance, kind)
    name = chance.choice(_NAMES) if chance.random() < 0.4 else b"quay.png"
    field = chance.choice([b"file"] * 20 + [b"File", b"", b"file[]", b"\xff"])
    disposition = b'form-data; name="%s"; filename="%s"' % (field, name)
    if chance.random() < 0.05:
        disposition = chance.choice(
            [
                b"form-data; name=file; filename*=UTF-8''%C3%A9.png",
                b"form-data; name=file; filename*=nope''%ff",
                b'form-data; name="file"',
                b'attachment; filename="a.png"',
                b"form-data",
                b"",
                b'form-data; name="file"; filename="' + b"x" * 3000,
            ]
        )
    lines = [b"Content-Disposition: " + disposition]
    if chance.random() < 0.9:
        odd = ["image/svg+xml", "text/html", "", "x", "image/png; charset=utf-16", "IMAGE/PNG", "image/\xff", "é" * 900]
        declared = chance.choice(odd) if chance.random() < 0.1 else kind
        lines.append(b"Content-Type: " + declared.encode("utf-8"))
    if chance.random() < 0.03:
        transfer = chance.choice([b"base64", b"8bit", b"x", b"quoted-printable"])
        lines.append(b"Content-Transfer-Encoding: " + transfer)
    return b"\r\n".join([*lines, b"", data])


def _data(chance: Chance, kind: str) -> bytes:
    luck = chance.random()
    if luck < 0.6:
        return _picture(kind)
    if luck < 0.75:
        return _hostile(chance.randrange(len(_HOSTILE)))
    damaged = bytearray(_picture(kind))
    for _ in range(chance.randint(1, 4)):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged[: chance.randrange(len(damaged))]) if chance.random() < 0.2 else bytes(damaged)


def _text_part(chance: Chance) -> bytes:
    name = chance.choice([b"file", b"url", b"url", b"alt", b"\x00", b"x" * 500])
    value = chance.choice([b"", b"https://x.example/i.png", b"\xff\xfe", b"\x00", b"x" * 5000, b"%d" % UNKNOWN_ID])
    return b'Content-Disposition: form-data; name="%s"\r\n\r\n%s' % (name, value)


def _broken(chance: Chance, body: bytes, boundary: bytes) -> bytes:
    return {
        "whole": b"preamble\r\n" + body + b"epilogue",
        "none": body.removesuffix(b"--%s--\r\n" % boundary),
        "early": body[: chance.randrange(len(body) + 1)],
        "line feeds": body.replace(b"\r\n", b"\n"),
        "other": body.replace(b"--" + boundary, b"--" + boundary + b"y", 1),
        "twice": body + body,
        "garbage": chance.choice([b"", b"\x00" * 50, b"--", b"--x--", b"x" * (2 * LIMIT + 1024 * 1024 + 1)]),
    }[chance.choice(_ENDINGS)]


def _content_type(chance: Chance, boundary: bytes) -> str:
    right = f'multipart/form-data; boundary="{boundary.decode()}"'
    odd = [
        *(
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=nope",
            "multipart/mixed",
        ),
        *(
            "multipart/form-data; boundary=\u00e9",
            "MULTIPART/form-data; boundary=x",
            "multipart/form-data; Boundary=x; a=b",
        ),
        *('multipart/form-data; boundary="x', "multipart/form-data;;;boundary=x", "application/json", "", "image/png"),
        *("multipart/form-data; charset=utf-16; boundary=x", "multipart/form-data; boundary*=UTF-8''x"),
    ]
    return chance.choice(odd) if chance.random() < 0.06 else right


API = "/blog/api/v1"

_OTHER_TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "a/b; charset=x"]
_STRANGE_KEYS = [
    *("0", "999999", "9" * 25, "nope", "alpha", "%00", "%ff", "a%2Fb", "..", "%D9%A3", "-1", "%0A", "1_0", "1.0", "+1"),
    *("x" * 300, "%25", "1%20"),
]


@dataclass
class Request:
    """One request to the API."""

    method: str
    path: str
    body: bytes = b""
    content_type: str = ""


Generator: TypeAlias = Callable[[Chance, Known], Request]


def _sends(
    method: str,
    at: str,
    fields: dict[str, Make] | None = None,
    *,
    always: Iterable[str] = (),
    often: float | None = None,
) -> Generator:
    """Yield requests with some of these fields; placeholders in the path are filled in."""

    def generate(chance: Chance, known: Known) -> Request:
        known.is_tidy = chance.random() < 0.4
        share = often or chance.choice([0.02, 0.08, 0.25])
        kept = set(always) if known.is_tidy or chance.random() < 0.95 else set()
        names = [name for name in fields or {} if name in kept or chance.random() < share]
        sent: Any = {name: (fields or {})[name](chance, known) for name in names}
        address, body, content_type = _address(chance, known, at), json.dumps(sent).encode(), "application/json"
        if known.is_tidy:
            return Request(method, address, body, content_type)
        if chance.random() < 0.2:
            body = json.dumps(spoiled(chance, sent)).encode()
        elif chance.random() < 0.05:
            body = chance.choice(RAW)
        elif chance.random() < 0.03:
            content_type = chance.choice(_OTHER_TYPES)
        return Request(method, address + _query(chance, known, POSTS, 0.05), body, content_type)

    return generate


def _asks(at: str, fields: dict[str, Make] | None = None) -> Generator:
    """Yield GET requests with some of these query parameters, sometimes with others."""

    def generate(chance: Chance, known: Known) -> Request:
        known.is_tidy = chance.random() < 0.4
        method = "HEAD" if chance.random() < 0.05 else "GET"
        query = _query(chance, known, fields, 0.9) if fields else ""
        return Request(method, _address(chance, known, at) + (query or _query(chance, known, POSTS | TOP, 0.05)))

    return generate


def _edits(chance: Chance, known: Known) -> Request:
    """Yield edits, some of which are only proposed."""
    if chance.random() < 0.6:
        return _sends("PATCH", "/posts/{post}", EDIT)(chance, known)
    taken = EDIT if chance.random() < 0.1 else {name: EDIT[name] for name in EDIT if name in PROPOSABLE_FIELDS}
    fields = taken | {"propose": one_of([True], [False, None, "true"])}
    return _sends("PATCH", "/posts/{post}", fields, always=["propose"])(chance, known)


def _uploads(chance: Chance, known: Known) -> Request:
    if chance.random() < 0.25:
        return _sends("POST", "/images", UPLOAD, always=["url"])(chance, known)
    body, content_type = upload(chance)
    return Request("POST", f"{API}/images" + _query(chance, known, UPLOAD, 0.02), body, content_type)


def _fills(chance: Chance, known: Known) -> Request:
    query = chance.choice(["", "?secret=", "?secret=x", "?secret=%00&secret=x", "?other=x", "?secret=x&other=x"])
    forged = f"{API}/images/tickets/{_key(chance, ['1', '2'])}{query}"
    at = chance.choice(known.uploads) if known.uploads and chance.random() < 0.7 else forged
    data = plain() if chance.random() < 0.7 else chance.choice(RAW)
    return Request("PUT", at, data, "image/png" if chance.random() < 0.8 else chance.choice(["", "a/b"]))


GENERATORS: dict[str, Generator] = {
    "list_posts": _asks("/posts", POSTS),
    "get_post": _asks("/posts/{post}"),
    "save_post": _sends("POST", "/posts", POST, always=["title"]),
    "update_post": _edits,
    "remove_post": _sends("DELETE", "/posts/{post}", REMOVAL, often=0.6),
    "publish_post": _sends("POST", "/posts/{post}/publish", EDIT),
    "unpublish_post": _sends("POST", "/posts/{post}/unpublish"),
    "approve_revision": _sends("POST", "/posts/{post}/approvals", APPROVAL, always=APPROVAL),
    "declare_connections": _sends("POST", "/posts/{post}/connections", CONNECTIONS, always=CONNECTIONS),
    "get_post_records": _asks("/posts/{post}/records"),
    "get_post_evidence": _asks("/posts/{post}/evidence", EVIDENCE),
    "check_post": _asks("/posts/{post}/findings"),
    "get_preview_link": _asks("/posts/{post}/preview"),
    "get_post_views": _asks("/posts/{post}/views", VIEWS),
    "adopt_post": _sends(
        "POST",
        "/adoptions",
        ADOPTION,
        always=["source_system", "source_id", "slug", "title", "body_format", "body", "provenance"],
    ),
    "list_proposals": _asks("/proposals", PROPOSALS | PAGED),
    "get_proposal": _asks("/proposals/{proposals}"),
    "apply_proposal": _sends("POST", "/proposals/{proposals}/apply", APPLICATION),
    "reject_proposal": _sends("POST", "/proposals/{proposals}/reject", REJECTION, always=["reason"]),
    "withdraw_proposal": _sends("POST", "/proposals/{proposals}/withdraw"),
    "list_images": _asks("/images", IMAGES),
    "upload_image": _uploads,
    "update_image": _sends("PATCH", "/images/{images}", ORIGIN, often=0.6),
    "open_upload_ticket": _sends(
        "POST", "/images/tickets", TICKET, always=["filename", "content_type", "byte_size"], often=0.4
    ),
    "fill_upload_ticket": _fills,
    "list_categories": _asks("/categories", PAGED),
    "create_category": _sends("POST", "/categories", CATEGORY, always=["name"], often=0.4),
    "update_category": _sends("PATCH", "/categories/{categories}", CATEGORY, often=0.4),
    "list_tags": _asks("/tags", PAGED),
    "list_authors": _asks("/authors", PAGED),
    "create_author": _sends("POST", "/authors", AUTHOR, always=["name"]),
    "update_author": _sends("PATCH", "/authors/{authors}", AUTHOR),
    "list_series": _asks("/series", PAGED),
    "create_series": _sends("POST", "/series", SERIES, always=["name"], often=0.4),
    "update_series": _sends("PATCH", "/series/{series}", SERIES, often=0.4),
    "list_redirects": _asks("/redirects", PAGED),
    "save_redirect": _sends("POST", "/redirects", REDIRECT, always=["old_path"], often=0.5),
    "delete_redirect": _sends("DELETE", "/redirects/{redirects}"),
    "list_pages": _asks("/pages", PAGED),
    "get_page": _asks("/pages/{kind}"),
    "save_page": _sends("PUT", "/pages/{kind}", PAGE, always=["title", "body"], often=0.4),
    "extract_faq": _sends("POST", "/faq_extractions", FAQ_EXTRACTION, always=["body"], often=0.4),
    "get_top_views": _asks("/views/top", TOP),
    "get_surface_report": _asks("/report", REPORT),
    "doctor": _asks("/doctor"),
}
"""The generators by name of the operation."""

_OFTEN = {
    **{"save_post": 12, "update_post": 8, "publish_post": 5, "adopt_post": 9, "apply_proposal": 5},
    **{"save_redirect": 8, "upload_image": 6},
}
_WEIGHTS = [_OFTEN.get(name, 2) for name in GENERATORS]


def random_request(chance: Chance, known: Known) -> tuple[str, Request]:
    """Return a request and the name of its operation, ``""`` for none."""
    if chance.random() < 0.05:
        return "", _nonsense(chance, known)
    (name,) = chance.choices(list(GENERATORS), _WEIGHTS)
    return name, GENERATORS[name](chance, known)


def _address(chance: Chance, known: Known, at: str) -> str:
    for place in ("categories", "authors", "series", "redirects", "proposals", "images"):
        at = at.replace(f"{{{place}}}", _key(chance, [str(known.id_of(chance, place))]))
    at = at.replace("{post}", _key(chance, known.posts)).replace("{kind}", KIND(chance, known))
    return API + at + ("/" if chance.random() < 0.03 else "")


def _key(chance: Chance, keys: list[str]) -> str:
    return chance.choice(_STRANGE_KEYS) if not keys or chance.random() < 0.06 else chance.choice(keys)


def _query(chance: Chance, known: Known, fields: dict[str, Make], often: float) -> str:
    if chance.random() > often:
        return ""
    pairs = [(name, make(chance, known)) for name, make in fields.items() if chance.random() < 0.3]
    if chance.random() < 0.05:
        pairs.append(
            chance.choice([("format", "json"), ("page", "1"), ("q[]", "x"), ("", ""), ("id", "2"), ("\x00", "x")])
        )
    texts = [(name, value) for name, value in pairs if isinstance(value, str)]
    return "?" + "&".join(f"{quote(name)}={quote(value, errors='replace')}" for name, value in texts) if texts else ""


def _nonsense(chance: Chance, known: Known) -> Request:
    method = chance.choice(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO"])
    places = [
        *("", "/", "/posts", "/posts/", "//posts", "/posts//", "/nope", f"/posts/{_key(chance, known.posts)}/nope"),
        *(
            "/images/1",
            "/pages",
            "/pages/ai_use",
            "/tags/1",
            "/views",
            "/adoptions/1",
            "/schema",
            "/doctor/x",
            "/redirects",
        ),
    ]
    return Request(
        method, API + chance.choice(places), chance.choice(RAW), chance.choice(["application/json", "", "a/b"])
    )
