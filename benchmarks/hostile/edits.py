"""Edits and proposals that are as expensive as the limits permit."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from bodies import MARKDOWN, Case, after, fitted, numbered

EDITS: Final = 100
"""Edits of a write (``MOST_EDITS``)."""
UNDECIDED: Final = 20
"""Undecided proposals of a post (``MOST_UNDECIDED``)."""
Fields = dict[str, Any]

EMPHASIS: Final = "# h\n\n" + "a *b* c\n\n" * 5_000
BRACKETS: Final = "# h\n\n" + "[" * 200_000
PERMUTED: Final = 24_000

BODIES: Final[dict[str, Callable[[], str]]] = {
    "emphasis": lambda: EMPHASIS,
    "brackets": lambda: BRACKETS,
    "brackets of emphasis": lambda: "# h\n\n" + "[*" * 20_000 + "a" + "*](b)" * 20_000,
    "prose": lambda: "# h\n\n" + fitted(MARKDOWN["prose"])[:-50_000],
    "paragraphs": lambda: "# h\n\n" + fitted(after("", "a\n\n"))[:-5_000],
    "one paragraph": lambda: "# h\n\n" + fitted(after("", "a\n"))[:-5_000],
    "one quote": lambda: "# h\n\n" + fitted(after("", "> a\n>\n"))[:-5_000],
    "one list": lambda: "# h\n\n" + fitted(after("", "- a\n"))[:-5_000],
    "open fence": lambda: "# h\n\n" + "a\n\n" * 5_000 + "```\n" + "a\n\n" * 30_000,
    "headings of one text": lambda: "# h\n\n" + fitted(after("", "## a b c\n"))[:-15_000],
    "headings": lambda: "# h\n\n" + fitted(numbered("## a{}\n"))[:-15_000],
    "headings with markup": lambda: "# h\n\n" + fitted(numbered("## *a{}*\n"))[:-15_000],
    "headings with links": lambda: "# h\n\n" + fitted(numbered("## [a{0}][x{0}]\n"))[:-15_000],
    "headings in quotes": lambda: "# h\n\n" + fitted(after("", "> # a\n"))[:-15_000],
    "headings in footnotes": lambda: "# h\n\n" + fitted(numbered("[^{0}]\n\n[^{0}]: # a\n\n"))[:-25_000],
    "definitions": lambda: "# h [a]\n\n" + fitted(numbered("[a{}]: b\n"))[:-15_000],
    "headings before": lambda: fitted(numbered("## *a{}*\n"))[:-15_000] + "\n\n# h\n",
    "links before": lambda: fitted(numbered("## [a{0}][x{0}]\n"))[:-15_000] + "\n\n# h\n",
    "numbers before": lambda: fitted(after("", "## h 1\n"))[:-15_000] + "\n\n# h\n",
}
ADDED: Final[dict[str, str]] = {
    "text": "z",
    "headings": "## z\n\nz",
    "same heading": "# h2",
    "definitions": "[x]: /y",
    "open fence": "```",
    "list": "- z",
}


def added(new: str, count: int = EDITS) -> list[Fields]:
    """Return additions below the first heading, each a little different."""
    return [{"after_heading": "h", "new": f"{new}{number}"} for number in range(count)]


def opened_and_closed() -> list[Fields]:
    """Return edits after each of which the whole text is another."""
    one = {"old": "# h\n\n", "new": "# h\n\n```\n\n"}, {"old": "```\n\n", "new": "", "occurrence": 1}
    return [edit for _ in range(EDITS // 4) for edit in (one[0], one[1], *added("z", 2))][:EDITS]


def missing(words: str) -> list[Fields]:
    """Return edits of which the last is not there, so that the nearest passage is looked for."""
    return [{"after_heading": "h", "new": "z"}, {"old": words, "new": "y"}]


WRITES: Final[dict[str, tuple[Callable[[], str], Callable[[], list[Fields]]]]] = {
    **{f"{name}": (body, lambda: added("z")) for name, body in BODIES.items()},
    **{f"emphasis, {name}": (lambda: EMPHASIS, lambda new=new: added(new)) for name, new in ADDED.items()},
    "links, definitions": (BODIES["links before"], lambda: added("[x1]: /y")),
    "opened and closed": (lambda: EMPHASIS, opened_and_closed),
    "occurrences": (
        lambda: "a" * 250_000,
        lambda: [{"old": "a", "new": "b", "occurrence": 249_000 - number} for number in range(EDITS)],
    ),
    "occurrences of two": (
        lambda: "ab" * 120_000,
        lambda: [{"old": "ab", "new": "ba", "occurrence": 110_000 - number} for number in range(EDITS)],
    ),
    "one list, replaced": (
        BODIES["one list"],
        lambda: [edit for one in added("z", 50) for edit in (one, {"old": "- a\n", "new": "- b\n", "occurrence": 900})],
    ),
    "too long": (
        lambda: "X",
        lambda: [
            {"old": "X", "new": "X" + "a" * 2_900_000},
            *({"old": "a", "new": "a", "occurrence": 2_900_000} for _ in range(40)),
        ],
    ),
    "replacements": (
        lambda: "".join(f"w{number} " for number in range(30_000)),
        lambda: [{"old": f" w{number * 299} ", "new": " *z* "} for number in range(1, EDITS + 1)],
    ),
    "missing, one word": (lambda: "# h\n\n" + "a " * 100_000, lambda: missing("a " * 60 + "b")),
    "missing, signs": (lambda: "# h\n\n" + "! " * 100_000, lambda: missing("! " * 60 + "?")),
    "missing, misspelt": (
        lambda: "# h\n\n" + "".join(f"abcdefghijklmnopqrstuvwxyz{number} " for number in range(7_000)),
        lambda: missing("abcdefghijklmnopqrstuvwxyzyxwvut"),
    ),
    "missing heading": (BODIES["headings"], lambda: [*added("z", 99), {"after_heading": "no such", "new": "z"}]),
    "heading of several": (BODIES["headings of one text"], lambda: [{"after_heading": "a b c", "new": "z"}]),
}
"""Bodies, and edits of them."""


def stored(body: Callable[[], str], **fields: Any) -> Case:
    """Return the request for a public post with a body."""
    return Case("stored", "post", "/posts", lambda: {"title": "Long", "body": body(), "publish": True} | fields)


def changed(edits: Callable[[], list[Fields]], **fields: Any) -> Case:
    """Return the request that edits the post."""
    return Case("changed", "patch", "/posts/long", lambda: {"edits": edits(), "change": "maintenance"} | fields)


def proposed(edits: Callable[[], list[Fields]], **fields: Any) -> Case:
    """Return the request that proposes to edit the post."""
    return changed(edits, propose=True, **fields)


def cases() -> Iterator[Case]:
    """Yield every request."""
    for name, (body, edits) in WRITES.items():
        yield changed(edits)._replace(name=f"edits: {name}", before=(stored(body),))
        if name in TRIED:
            yield changed(edits, dry_run=True)._replace(name=f"edits, dry run: {name}", before=(stored(body),))
            yield proposed(edits)._replace(name=f"proposed: {name}", before=(stored(body),))
            trial = proposed(edits, dry_run=True)
            yield trial._replace(name=f"proposed, dry run: {name}", before=(stored(body),))
    for name in BODIES:
        yield Case(f"section: {name}", "get", "/posts/long", lambda: {"section": "h"}, (stored(BODIES[name]),))
    yield Case("outline", "get", "/posts/long", lambda: {"outline": "true"}, (stored(BODIES["headings"]),))
    for name in TRIED[:4]:
        yield from of_proposal(name, BODIES[name])
    for name in TRIED[:2]:
        yield from of_proposals(name, BODIES[name])
    yield from of_lines()


TRIED: Final = ("emphasis", "headings with markup", "brackets of emphasis", "prose", "missing, one word", "paragraphs")


def of_proposal(name: str, body: Callable[[], str]) -> Iterator[Case]:
    """Yield what is done with a proposal, of a post that was changed since and of one that was not."""
    made = stored(body), proposed(lambda: added("z", 90))
    for suffix, before in (("", made), (", changed since", (*made, OTHER))):
        yield Case(f"proposal, read{suffix}: {name}", "get", "/proposals/1", dict, before)
        yield Case(f"proposal, desk{suffix}: {name}", "get", f"{DESK}2/proposals/1/", dict, before)
        yield Case(f"proposal, applied{suffix}: {name}", "post", "/proposals/1/apply", dict, before)
        yield Case(f"proposal, scheduled{suffix}: {name}", "post", "/proposals/1/apply", later, before)
    yield Case(f"preview: {name}", "get", "{preview}", dict, made)


def of_proposals(name: str, body: Callable[[], str]) -> Iterator[Case]:
    """Yield what is done with as many proposals as a post can have."""
    many = stored(body), *(proposed(lambda number=number: added(f"z{number}", 90)) for number in range(UNDECIDED))
    for suffix, before in (("", many), (", changed since", (*many, OTHER))):
        yield Case(f"proposals{suffix}: {name}", "get", "/proposals", lambda: {"per_page": 100}, before)
        yield Case(f"proposals, desk{suffix}: {name}", "get", f"{DESK}proposals/", dict, before)
        yield Case(f"records{suffix}: {name}", "get", "/posts/long/records", dict, before)
    yield Case(f"approval of another: {name}", "post", "/posts/long/approvals", approval, (*many, OTHER))


DESK: Final = "/admin/blog_engine/post/"
OTHER: Final = changed(lambda: [{"old": "# h\n", "new": "# h\n\nNew.\n"}])


def later() -> Fields:
    """Return the schedule of a proposal."""
    return {"publish_at": "2099-01-01T00:00:00Z"}


def approval() -> Fields:
    """Return an approval of a content that no proposal makes."""
    return {"name": "Ann", "facts_checked": True, "revision_identifier": "0" * 64}


def of_lines() -> Iterator[Case]:
    """Yield the comparisons of a body with the same lines in another order."""
    lines = [f"{number} a\n" for number in range(PERMUTED)]
    mixed = [lines[number * 7_919 % PERMUTED] for number in range(PERMUTED)]
    third = [lines[number * 104_729 % PERMUTED] for number in range(PERMUTED)]
    body = stored(lambda: "".join(lines))

    def put(text: list[str], **fields: Any) -> Case:
        return Case(
            "put", "patch", "/posts/long", lambda: {"body": "".join(text), "change": "maintenance"} | fields, ()
        )

    proposal = put(mixed, propose=True)
    yield proposal._replace(name="permuted: proposed", before=(body,))
    yield put(mixed, dry_run=True)._replace(name="permuted: dry run", before=(body,))
    yield put(mixed, propose=True, dry_run=True)._replace(name="permuted: proposed, dry run", before=(body,))
    for suffix, before in (("", (body, proposal)), (", changed since", (body, proposal, put(third)))):
        yield Case(f"permuted: read{suffix}", "get", "/proposals/1", dict, before)
        yield Case(f"permuted: desk{suffix}", "get", f"{DESK}2/proposals/1/", dict, before)
        yield Case(f"permuted: list{suffix}", "get", "/proposals", dict, before)
        yield Case(f"permuted: applied{suffix}", "post", "/proposals/1/apply", dict, before)
    yield Case(
        "permuted: compared", "get", "/posts/long/records", lambda: {"compare": "public..draft"}, (body, put(mixed))
    )
