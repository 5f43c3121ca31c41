"""bleach and nh3, two sanitisers of different origin, agree about what is dangerous, and nh3 has the last word."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html.parser import HTMLParser

import nh3
import pytest
from markdown_it import MarkdownIt

from blog_engine.content import rendering
from blog_engine.content.formulas import dress_formulas
from blog_engine.content.html import Element, StartTag, parse_html, tokenize, walk, write_html
from blog_engine.content.options import RenderLabels
from blog_engine.content.rendering import Rendered
from blog_engine.content.sanitize import (
    ADDED_ATTRIBUTES,
    ADDED_EVERYWHERE,
    ADDED_TAGS,
    ATTRIBUTES,
    EVERYWHERE,
    PROTOCOLS,
    TAGS,
    _is_listed,
    sanitize_sent,
    write_clean_html,
)
from blog_engine.content.syndication import syndicated_html
from blog_engine.content.urls import is_allowed
from blog_engine.enums import EmbedProvider
from blog_engine.exporting.content import _safe_html
from tests.content.bodies import (
    HTML,
    MARKDOWN,
    PAYLOAD_SCHEMES,
    random_bodies,
    render_markdown,
    render_options,
    render_rich_text,
)
from tests.requirements import requirement

SAMPLE = 1_000
WHOLE = 100_000

INLINE = ["a", "strong", "em", "del", "code", "sup", "sub", "span", "kbd", "mark"]
BLOCKS = ["p", "h2", "blockquote", "div", "section", "ul", "pre", "figure", "details", "summary", "dl", "dt", "dd"]
FOREIGN = [
    *("b", "script", "style", "svg", "math", "iframe", "form", "object", "template", "noscript", "textarea", "x-a"),
    *("mi", "mtext", "mglyph", "annotation-xml"),
]
TEXTS = [
    *("x", " ", "\n", "&lt;", "&amp;", "&quot;", "&#60;", "<", "&", '"', "'", "=", ">", "<!-- x -->", "<!x>"),
    *("<?x>", "é", "\0", "]]>"),
]
VALUES = [
    *("", "1", "a b", '"', "'", "<", "&lt;", "x' onload='y", "checkbox", "-7", "9999999999"),
    *PAYLOAD_SCHEMES,
    *("/a", "#a", "//b", "http://c.example/?d=e&f=g", "mailto:h@i.example"),
]
NAMES = [
    *("href", "src", "alt", "title", "lang", "align", "width", "start", "type", "rel", "id", "class", "style"),
    *("onclick", "onerror", "srcset", "xlink:href", "formaction", "data-x", "open", "name"),
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


COUNTS = [SAMPLE // 3, pytest.param(WHOLE // 3 + 1, marks=pytest.mark.heavy)]


@pytest.mark.parametrize("count", COUNTS)
def test_both_agree_about_generated_fragments(count: int) -> None:
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


def test_neither_lets_a_payload_through() -> None:
    for payload in HTML:
        read(payload)


@pytest.mark.parametrize(
    "html", ["<script>x</script>", "<p onclick=x>", "<a href=' java\tscript:x'>", "<p id=x>", "<img src=data:x>"]
)
def test_the_reader_of_these_tests_sees_a_danger(html: str) -> None:
    assert len(dangers(Reader(html))) == 1


LISTED = TAGS | ADDED_TAGS
WHOLE_PAGE = replace(
    render_options(), embeds=frozenset(EmbedProvider), diagrams=frozenset({"mermaid"}), direction="rtl"
)
EVERYTHING = (
    """# A "title" & more

Text\N{NO-BREAK SPACE}with *a* **b** ~~c~~ `d` ==e== it's, [f](/g?h=i&j=k "l's <m>"), $x^2 < \\frac{1}{2}$
and a note[^1].

- [x] one
- two

3. three

> [!NOTE]
> Read =\"\".

| a | b |
| - | -: |
| c | =\"\" |

```python title="n.py" showLineNumbers
def o(p="", *, q='\N{NO-BREAK SPACE}') -> None: ...
```

```mermaid
a --> b
```

$$
\\begin{matrix} a & b \\\\ c & d \\end{matrix} \\sqrt[3]{x} \\quad \\overline{y} \\text{it's}
$$

![](/blog/media/"""
    f"{'a' * 64}"
    """/quay.png "A quay")

https://www.youtube.com/watch?v=dQw4w9WgXcQ

<details open>
<summary>r</summary>

s

</details>

Term
: Definition

---

\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET} text

[^1]: The note.
"""
)


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [line.getMessage() for line in caplog.records if line.getMessage().startswith("nh3 changed")]


def pair(html: str) -> Reader:
    """Return what the pair leaves of a fragment; nothing of it is dangerous."""
    cleaned = Reader(write_clean_html(sanitize_sent(html)))
    assert dangers(cleaned) == [], html
    return cleaned


@pytest.mark.parametrize("count", COUNTS)
def test_generated_fragments_pass_the_pair(count: int) -> None:
    for any_pieces, known_pieces, balanced in fragments(count):
        for html in (any_pieces, known_pieces):
            pair(html)
        assert (found := pair(balanced)).kept() == Reader(by_bleach(balanced)).kept(), balanced
        assert found.text == Reader(by_bleach(balanced)).text, balanced


@requirement("rendering.safe.twice")
@pytest.mark.parametrize("body", [EVERYTHING, *random_bodies(40, seed=5)])
def test_nh3_leaves_every_byte_of_an_article(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = render_markdown(body, WHOLE_PAGE).html
    monkeypatch.setattr(rendering, "write_clean_html", write_html)
    written = render_markdown(body, WHOLE_PAGE).html

    # nh3 refuses the hosts of some random URLs, which no browser can open.
    assert without_addresses(found) == without_addresses(written)
    if body == EVERYTHING:
        assert found == written


def without_addresses(html: str) -> list[tuple[str, dict[str, str]] | str]:
    return [
        (token.name, {key: value for key, value in token.attrs if key not in {"href", "src"}})
        if isinstance(token, StartTag)
        else str(token)
        for token in tokenize(html.removeprefix("\ufeff"))
    ]


def test_the_article_has_everything_that_rendering_adds() -> None:
    found = parse_html(render_markdown(EVERYTHING, WHOLE_PAGE).html, tags=LISTED, keep=lambda tag, name, value: True)
    names = {name for element in walk(found) for name in element.attrs}

    assert {"math", "mfrac", "mtable", "button", "figure", "details", "dl"} <= {element.name for element in walk(found)}
    assert names >= ADDED_EVERYWHERE | ADDED_ATTRIBUTES["button"] | {"data-lang", "data-blog-diagram", "loading"}


@pytest.mark.parametrize(
    "html",
    [
        "<p>a&nbsp;b \N{NO-BREAK SPACE}</p>",
        '<p title="it\'s &lt;&gt;&amp;&quot; =&quot;&quot;">="" it\'s &amp;nbsp; &amp;#x27; &lt;i&gt;</p>',
        '<img src="/a" alt="">',
        '<input type="checkbox" checked disabled>',
        "a&#13;b&#13;&#10;c",
        "\ufeff<p>a</p>",
        "<table><tr><td>a</td></tr></table>",
        '<a href="mailto:a@b.example">a</a><a href="?a=b#c">b</a><a href="//c.example">d</a>',
    ],
)
def test_what_the_two_write_differently_is_no_change(html: str, caplog: pytest.LogCaptureFixture) -> None:
    tree = sanitize_sent(html)

    assert write_clean_html(tree) == write_html(tree)
    assert logged(caplog) == []


SMUGGLED = {
    "<script>": Element("script", {}, ["alert(1)"]),
    "<iframe>": Element("iframe", {"src": "https://x.example/"}),
    "onclick of <p>": Element("p", {"onclick": "alert(1)"}, ["a"]),
    "style of <span>": Element("span", {"style": "color: red"}, ["a"]),
    "href of <a>": Element("a", {"href": "javascript:alert(1)"}, ["a"]),
    "srcset of <img>": Element("img", {"src": "/a", "alt": "", "srcset": "/b 2w"}),
    "formaction of <button>": Element("button", {"type": "button", "formaction": "/x"}, ["a"]),
    "<svg>": Element("svg", {}, [Element("a", {"href": "/x"}, ["a"])]),
    "<mglyph>": Element("math", {}, [Element("mtext", {}, [Element("mglyph")])]),
}


@requirement("rendering.safe.twice")
@pytest.mark.parametrize("name", SMUGGLED)
def test_what_a_transform_smuggles_in_is_taken_out_and_logged(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def smuggle(tree: Element, *, labels: RenderLabels) -> tuple[str, ...]:
        tree.children.append(SMUGGLED[name])
        return dress_formulas(tree, labels=labels)

    monkeypatch.setattr(rendering, "dress_formulas", smuggle)

    for html in (render_markdown("secret *b*").html, render_rich_text("<p>secret <em>b</em></p>").html):
        assert html.startswith("<p>secret <em>b</em></p>")
        assert "alert" not in html
        assert unlisted(html) == []
    first, second = logged(caplog)
    assert name in first
    assert name in second
    assert "secret" not in first


def unlisted(html: str) -> list[str]:
    """Return the elements and attributes that are in neither list."""
    allowed = {tag: EVERYWHERE | ADDED_EVERYWHERE | ATTRIBUTES.get(tag, set()) for tag in LISTED}
    return [
        f"{tag} {key}"
        for tag, attrs in Reader(html).elements
        for key in ["", *(key for key, _ in attrs)]
        if tag not in LISTED or (key and key not in allowed[tag] | ADDED_ATTRIBUTES.get(tag, frozenset()))
    ]


@requirement("rendering.safe.twice", "rendering.plugins")
def test_what_a_plugin_gets_past_bleach_is_taken_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def plugin(parser: MarkdownIt) -> None:
        parser.add_render_rule("em_open", lambda self, tokens, idx, options, env: '<em onclick="x()" style="y">')

    def hole(html: str, *, footnote_prefix: str) -> Element:
        return parse_html(html, tags=TAGS, keep=lambda tag, name, value: True)

    monkeypatch.setattr(rendering, "sanitize_compiled", hole)

    html = render_markdown("a *b*", replace(render_options(), plugins=(plugin,))).html

    assert html == "<p>a <em>b</em></p>\n"
    assert logged(caplog) == ["nh3 changed sanitised HTML. Taken out or moved: onclick of <em>, style of <em>."]


@requirement("rendering.safe.twice")
def test_feeds_and_exports_pass_nh3_too(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    assert syndicated_html('<p onclick="x()">a</p>', url="https://a.example/twice/") == "<p>a</p>"

    def hole(html: str) -> Element:
        return parse_html(html, tags=TAGS | {"form"}, keep=lambda tag, name, value: True)

    monkeypatch.setattr("blog_engine.exporting.content.sanitize_sent", hole)
    assert _safe_html("<form>a</form>") == "a"
    assert len(logged(caplog)) == 2


def test_a_long_line_of_the_log_is_cut(caplog: pytest.LogCaptureFixture) -> None:
    write_clean_html(Element("", {}, [Element(f"x{number}-{'y' * 900}") for number in range(90)]))

    (line,) = logged(caplog)
    assert len(line) < 600


@pytest.mark.parametrize("render", [render_markdown, render_rich_text])
def test_a_payload_meets_a_list_that_both_share(render: Callable[..., Rendered]) -> None:
    for payload in [*HTML, *MARKDOWN]:
        html = render(payload, WHOLE_PAGE).html

        assert unlisted(html) == [], payload
        assert unlisted(syndicated_html(html, url="https://a.example/")) == [], payload
