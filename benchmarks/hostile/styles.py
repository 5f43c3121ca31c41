"""House styles that are as expensive as the limits permit, and posts that are checked against them."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from bodies import ENTRIES, FAQ, MARKDOWN, TEXT, Case, after, fitted, numbered, repeated

TERMS: Final = 200
SECTIONS: Final = 30
LONGEST: Final = 60
POSTS: Final = 100
"""The posts of a page of a list."""
IN_LISTS: Final = 29_000
"""Bytes of a body in which lists look for terms (``MOST_IN_LISTS``)."""
STYLE: Final = "/admin/blog_engine/housestyle/1/change/"
Fields = dict[str, Any]


def of_all_lengths(pattern: str) -> list[str]:
    """Return what a repeated pattern can begin and end with."""
    text = pattern * LONGEST
    return [text[first : first + length] for first in range(len(pattern)) for length in range(1, LONGEST + 1)]


TERMS_AND_TEXTS: Final[dict[str, tuple[list[str], Callable[[int], str]]]] = {
    "capitals": (of_all_lengths("A."), after("", "a.")),
    "capitals between spaces": (of_all_lengths("A."), after("", "a.  ")),
    "one capital": ([f"{term[:-1]}A" for term in of_all_lengths("a.")], after("", "a.")),
    "found": (["a."], after("", "a.")),
    "found in all lengths": (of_all_lengths("."), after("", ".")),
    "nearly found": ([f"{'.' * 58}{chr(0x430 + number)}" for number in range(TERMS)], after("", ".")),
    "words": ([f"{'a ' * 7}b{number}" for number in range(TERMS)], after("", "a ")),
    "Chinese": ([f"{'字' * 59}{chr(0x4E00 + number)}" for number in range(TERMS)], after("", "字")),
    "Chinese with letters": (of_all_lengths("字A"), after("", "字a")),
    "marks": ([term for term in of_all_lengths("x\u0301") if term[-1] == "x"], after("", "x\u0301")),
    "letters of two units": (of_all_lengths("\U00010400."), after("", "\U00010428.")),
    "commas of two bytes": ([f"{'،' * 59}{chr(0x430 + number)}" for number in range(TERMS)], after("", "،")),
    "links": ([f"word{number}" for number in range(TERMS)], numbered("<//a{}.example> ")),
    "headings": ([f"word{number}" for number in range(TERMS)], numbered("## h{}\n")),
    "code": (["a"], after("", "`b` a ")),
    "emphasis": (["a"], after("", "*a* ")),
    "prose": ([f"word{number}" for number in range(TERMS)], MARKDOWN["prose"]),
}


def style(terms: list[str]) -> Case:
    """Return the request for the house style with all rules, and these terms."""
    avoided = [term.strip() for term in terms]
    listed = [*dict.fromkeys(term for term in avoided if term)][:TERMS]
    wanted = [f"{'b' * 50}{number}" for number in range(len(listed))]
    return Case(
        "style",
        "post",
        STYLE,
        lambda: {
            "tone": repeated("*a* ", TEXT),
            "term_avoid": listed,
            "term_use": wanted,
            "term_reason": ["_a" * 127] * len(listed),
            "section_heading": [f"{'h' * 250}{number}" for number in range(SECTIONS)],
            "section_category": [""] * SECTIONS,
            **{"least_words": 10**6, "least_description": 10**4, "least_sources": 10**6, "seen": ""},
        },
    )


def stored(body: Callable[[int], str], number: int = 0, size: int | None = None) -> Case:
    """Return the request for a draft with such a body, of the largest size by default."""
    text = (lambda: fitted(body)) if size is None else (lambda: body(size))
    return Case("stored", "post", "/posts", lambda: {"title": f"Tides {number}", "body": text()})


def cases() -> Iterator[Case]:
    """Yield every request."""
    for name, (terms, body) in TERMS_AND_TEXTS.items():
        yield stored(body)._replace(name=f"style: {name}", before=(style(terms),))
    answer = repeated("a.", FAQ // ENTRIES - 9)
    faq = [{"question": f"Why {number}?", "answer": answer} for number in range(ENTRIES)]
    terms, body = TERMS_AND_TEXTS["capitals"]
    whole = stored(body)._replace(name="style: body and answers", before=(style(terms),))
    yield whole._replace(content=lambda: {"title": "Tides", "body": fitted(body), "faq": faq})
    read = Case("style: read", "get", "/pages/house_style", dict, (style(terms),))
    yield read
    yield read._replace(name="style: desk", path=STYLE)
    yield style(terms)._replace(name="style: saved")
    for name in ("capitals", "found", "emphasis", "prose"):
        terms, body = TERMS_AND_TEXTS[name]
        for suffix, size in (("", None), (", searched", IN_LISTS)):
            many = (*(stored(body, number, size) for number in range(POSTS)), style(terms))
            yield Case(f"style: list, {name}{suffix}", "get", "/posts", lambda: {"per_page": POSTS}, many)
            yield Case(f"style: desk's list, {name}{suffix}", "get", "/admin/blog_engine/post/", dict, many)
