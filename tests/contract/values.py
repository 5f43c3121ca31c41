"""Hostile values for random requests: texts, times, numbers, structures and whole bodies."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

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
