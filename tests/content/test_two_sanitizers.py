"""bleach and nh3, two sanitisers of different origin, agree about what is dangerous and what is not."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

import nh3
import pytest

from blog_engine.content.html import write_html
from blog_engine.content.sanitize import ATTRIBUTES, EVERYWHERE, PROTOCOLS, TAGS, _is_listed, sanitize_sent
from blog_engine.content.urls import is_allowed
from tests.content.bodies import HTML, PAYLOAD_SCHEMES

SAMPLE = 1_000
WHOLE = 100_000

INLINE = ["a", "strong", "em", "del", "code", "sup", "sub", "span", "kbd", "mark"]
BLOCKS = ["p", "h2", "blockquote", "div", "section", "ul", "pre", "figure", "details", "summary", "dl", "dt", "dd"]
FOREIGN = [
    *("b", "script", "style", "svg", "math", "iframe", "form", "object", "template", "noscript", "textarea", "x-a"),
    *("mi", "mtext", "mglyph", "annotation-xml"),
]
TEXTS = [
    "x",
    " ",
    "\n",
    "&lt;",
    "&amp;",
    "&quot;",
    "&#60;",
    "<",
    "&",
    '"',
    "'",
    "=",
    ">",
    "<!-- x -->",
    "<!x>",
    "<?x>",
    "é",
    "\0",
    "]]>",
]
VALUES = [
    "",
    "1",
    "a b",
    '"',
    "'",
    "<",
    "&lt;",
    "x' onload='y",
    "checkbox",
    "-7",
    "9999999999",
    *PAYLOAD_SCHEMES,
    "/a",
    "#a",
    "//b",
    "http://c.example/?d=e&f=g",
    "mailto:h@i.example",
]
NAMES = [
    "href",
    "src",
    "alt",
    "title",
    "lang",
    "align",
    "width",
    "start",
    "type",
    "rel",
    "id",
    "class",
    "style",
    "onclick",
    "onerror",
    "srcset",
    "xlink:href",
    "formaction",
    "data-x",
    "open",
    "name",
]


def by_bleach(html: str) -> str:
    return write_html(sanitize_sent(html))


def by_nh3(html: str) -> str:
    return nh3.clean(
        html,
        tags=set(TAGS),
        clean_content_tags=set(),
        attributes={"*": set(EVERYWHERE)} | {tag: set(names) for tag, names in ATTRIBUTES.items()},
        attribute_filter=lambda tag, name, value: value if _is_listed(tag, name, value) else None,
        url_schemes=set(PROTOCOLS),
        link_rel=None,
    )


class Reader(HTMLParser):
    """Records the elements with their attributes, and the text without white space."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: Counter[tuple[str, frozenset[tuple[str, str]]]] = Counter()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag, frozenset((name, value or "") for name, value in attrs)] += 1

    def handle_data(self, data: str) -> None:
        self.text += "".join(data.split())

    def kept(self) -> "Counter[tuple[str, frozenset[tuple[str, str]]]]":
        """Return the elements without the URLs that rendering removes after sanitising.

        bleach refuses URLs with characters that are no part of a scheme but look so, nh3 those that cannot be parsed;
        our own rule refuses both kinds.
        """
        found: Counter[tuple[str, frozenset[tuple[str, str]]]] = Counter()
        for (tag, attrs), count in self.elements.items():
            found[tag, frozenset(pair for pair in attrs if not is_refused(*pair))] += count
        return found

    def images(self) -> "set[tuple[str, frozenset[tuple[str, str]]]]":
        return {element for element in self.kept() if element[0] == "img"}


def is_refused(name: str, value: str) -> bool:
    return name in {"href", "src"} and not is_allowed(value, schemes=PROTOCOLS)


def dangers(html: Reader) -> list[str]:
    """Return what no sanitiser must let through, parsed by the standard library."""
    found = []
    for tag, attrs in html.elements:
        found += [] if tag in TAGS else [tag]
        for name, value in attrs:
            seen = re.sub("[\t\n\r]", "", value).lstrip("".join(map(chr, range(33)))).lower()
            scheme = re.match("([a-z][a-z0-9+.-]*):", seen)
            if not _is_listed(tag, name, value) or (name in {"href", "src"} and scheme and scheme[1] not in PROTOCOLS):
                found.append(f"{tag} {name}={value!r}")
    return found


def wild(chosen: random.Random, *, foreign: Sequence[str] = FOREIGN, texts: Sequence[str] = TEXTS) -> str:
    """Return a fragment of any pieces in any order."""
    return "".join(piece(chosen, foreign, texts) for _ in range(chosen.randint(1, 12)))


def piece(chosen: random.Random, foreign: Sequence[str], texts: Sequence[str]) -> str:
    kind = chosen.randrange(5)
    name = chosen.choice([*INLINE, *BLOCKS, *foreign, "img", "br", "table", "tr", "td", "li", "input"])
    if kind == 0:
        return chosen.choice(texts)
    return f"</{name}>" if kind == 1 else start(name, chosen)


def start(name: str, chosen: random.Random) -> str:
    names = chosen.sample(NAMES, chosen.randrange(3))
    attrs = "".join(f' {key}="{quoted(chosen.choice(VALUES))}"' for key in names)
    return f"<{name}{attrs}>"


def quoted(value: str) -> str:
    return value.replace('"', "&quot;")


def tidy(chosen: random.Random) -> str:
    """Return blocks with inline content, every element closed."""
    return "".join(block(chosen) for _ in range(chosen.randint(1, 3)))


def block(chosen: random.Random) -> str:
    name = chosen.choice(["p", "h2", "blockquote", "div", "section"])
    return f"{start(name, chosen)}{inline(chosen, outer=())}</{name}>"


def inline(chosen: random.Random, *, outer: tuple[str, ...]) -> str:
    out = ""
    for _ in range(chosen.randint(1, 3)):
        kind = chosen.randrange(4)
        if kind == 0 or len(outer) > 2:
            out += chosen.choice(["x", " y ", "&lt;", "&amp;", "é", "<!-- z -->"])
        elif kind == 1:
            out += start("img", chosen) if chosen.random() < 0.5 else "<br>"
        else:
            # HTML takes none of these into itself.
            name = chosen.choice([one for one in ("a", "strong", "em", "del", "sup", "x-a") if one not in outer])
            out += f"{start(name, chosen)}{inline(chosen, outer=(*outer, name))}</{name}>"
    return out


def fragments(count: int) -> Iterator[tuple[str, str, str]]:
    """Yield wild fragments, those without foreign elements and tags that never end, and tidy ones."""
    ended = [text for text in TEXTS if text != "<"]
    chosen = random.Random(13)  # noqa: S311
    for _ in range(count):
        yield wild(chosen), wild(chosen, foreign=["x-a"], texts=ended), tidy(chosen)


def compare(count: int) -> None:
    for any_pieces, known_pieces, balanced in fragments(count):
        read(any_pieces)
        one, other = read(balanced)
        assert (one.kept(), one.text) == (other.kept(), other.text), balanced
        one, other = read(known_pieces)
        # Each moves text out of tables to a place of its own.
        assert (one.images(), sorted(one.text)) == (other.images(), sorted(other.text)), known_pieces


def read(html: str) -> tuple[Reader, Reader]:
    """Return what bleach and nh3 leave of a fragment; nothing of it is dangerous."""
    one, other = Reader(by_bleach(html)), Reader(by_nh3(html))
    assert (dangers(one), dangers(other)) == ([], []), html
    return one, other


@pytest.mark.parametrize("payload", HTML)
def test_neither_lets_a_payload_through(payload: str) -> None:
    read(payload)


def test_both_agree_about_generated_fragments() -> None:
    compare(SAMPLE // 3)


@pytest.mark.heavy
def test_both_agree_about_many_generated_fragments() -> None:
    compare(WHOLE // 3 + 1)


@pytest.mark.parametrize(
    "html", ["<script>x</script>", "<p onclick=x>", "<a href=' java\tscript:x'>", "<p id=x>", "<img src=data:x>"]
)
def test_the_reader_of_these_tests_sees_a_danger(html: str) -> None:
    assert len(dangers(Reader(html))) == 1
