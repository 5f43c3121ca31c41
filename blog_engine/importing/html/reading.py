"""Read the HTML of another blog into a tree of the elements that a body can have."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from blog_engine.content.html import Element, EndTag, StartTag, Token, build_tree, tokenize, walk
from blog_engine.content.sanitize import ATTRIBUTES, EVERYWHERE, TAGS
from blog_engine.content.urls import IMAGE_SCHEMES, LINK_SCHEMES, is_allowed
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts

_SAME: Final = {
    **{"b": "strong", "i": "em", "cite": "em", "dfn": "em", "s": "del", "strike": "del"},
    **{"tt": "code", "tfoot": "tbody", "listing": "pre", "xmp": "pre", "menu": "ul", "dir": "ul", "center": "div"},
    **{"address": "div", "article": "div", "aside": "div", "body": "div", "caption": "p", "fieldset": "div"},
    **{"footer": "div", "form": "div", "header": "div", "hgroup": "div", "html": "div", "main": "div", "nav": "div"},
    **{"blocks": "div", "dialog": "div", "legend": "p", "search": "div"},
}
"""Elements that look the same as another one, or only group others."""

_CHANGED: Final = {
    **{"samp": "code", "var": "em"},
    **dict.fromkeys(["u", "ins", "small", "big", "abbr", "acronym", "ruby", "rt", "bdo", "font"], "span"),
    "blink": "span",
    "marquee": "div",
}
"""Elements that readers see otherwise than there; each is a loss."""

_SHOWN_AS: Final = {
    **{"span": "only its text is kept", "div": "only its content is kept", "code": "shown as code"},
    "em": "shown as emphasis",
}

_WITHOUT_MEANING: Final = frozenset(
    {"time", "data", "label", "bdi", "picture", "source", "track", "colgroup", "col", "wbr", "rp", "rb", "nobr"}
    | {"head", "meta", "base", "link", "param", "figure", "hr", "br"}
)
_DROPPED: Final = frozenset(
    {"script", "style", "noscript", "template", "svg", "math", "canvas", "select", "textarea", "button", "map", "title"}
    | {"meter", "progress", "datalist", "frameset", "applet", "output"}
)
"""Elements whose content is left out as well."""
_KNOWN: Final = TAGS | _SAME.keys() | _CHANGED.keys() | _WITHOUT_MEANING | {"q"}
_PLAYERS: Final = {"iframe": "src", "object": "data", "audio": "src", "video": "src"}
_VOID_PLAYERS: Final = {"embed": "src", "frame": "src"}
_VOID_CONTROLS: Final = frozenset({"input", "area", "keygen"})

LINE: Final = "data-line"
"""The attribute with the line of an element; ``without_marks`` removes it."""

ANCHOR: Final = "data-anchor"
"""The attribute with the id that an element had."""
MATH: Final = "math"
"""The class of a formula, which is code with the text of its TeX."""
_SHOWN_TWICE: Final = frozenset({"katex-html", "MathJax_Preview"})
"""Classes of what shows a formula besides its MathML."""
_MARKS: Final = frozenset({LINE, ANCHOR})
_REPLACED: Final = _MARKS | {"align"}
_SWITCHES: Final = frozenset({"checked", "disabled", "open"})
"""Attributes that count without a value."""

_LANGUAGE: Final = re.compile(r"(?:^|\s)(?:language-|lang-|lang:|brush:\s?)([\w+#.-]{1,40})")
_LINE_ENDS: Final = re.compile(r"[ \t\r]*\n\s*")
_ALIGNED: Final = re.compile(r"text-align\s*:\s*(left|center|right|justify)", re.IGNORECASE)
_ALIGN_CLASS: Final = re.compile(r"(?:^|\s)has-text-align-(left|center|right)(?:\s|$)")
_SEEN_STYLE: Final = re.compile(
    r"(?:^|[;\s])(?:color|background[a-z-]*|font[a-z-]*|text-decoration[a-z-]*|text-transform|border[a-z-]*"
    r"|list-style[a-z-]*|letter-spacing|text-shadow)\s*:",
    re.IGNORECASE,
)
_HIDDEN: Final = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_SHOWN_ATTRIBUTES: Final = {
    "ol": ("reversed", "type"),
    "ul": ("type",),
    "li": ("value",),
    "td": ("rowspan", "colspan"),
    "th": ("rowspan", "colspan"),
}
"""Attributes that change what readers see, and that no body can have."""
_WITH_URL: Final = {"a": "href", "area": "href", "img": "src"}
_PLACEHOLDERS: Final = ("data-src", "data-lazy-src", "data-original")
_EVERYDAY_RELATION: Final = re.compile("noopener|noreferrer|external|bookmark|attachment|tag|wp-att-.*", re.IGNORECASE)
_TEX: Final = "application/x-tex"

Resolve = Callable[[str, bool, int], str | None]
"""Takes the URL of a link or an image, whether it is an image, and the line; returns the new URL, or ``None``."""


def read_html(html: str, *, losses: Losses, resolve: Resolve) -> Element:
    """Return the tree of HTML; elements that no body can have become others or are left out, and are named."""
    reader = _HtmlReader(html, losses, resolve)
    tree = build_tree(reader.tokens(), tags=TAGS, keep=_keep)
    reader.name_counted()
    _move_languages(tree)
    _unwrap_terms(tree)
    return tree


def without_marks(tree: Element) -> Element:
    """Return a copy of a tree without the lines and anchors of its source."""
    attrs = {name: value for name, value in tree.attrs.items() if name not in _MARKS}
    return Element(
        tree.name, attrs, [without_marks(child) if isinstance(child, Element) else child for child in tree.children]
    )


def _keep(tag: str, name: str, value: str) -> bool:
    if name == "class":
        # Written here; those of the source are left out.
        return value == MATH
    if name == "start" and not re.fullmatch(r"-?[0-9]{1,9}", value):
        return False
    return name in _MARKS or name in EVERYWHERE or name in ATTRIBUTES.get(tag, ()) or (tag == "pre" and name == "lang")


class _HtmlReader:
    """Maps the tokens of a source, and names what it leaves out."""

    def __init__(self, html: str, losses: Losses, resolve: Resolve) -> None:
        self._html = html
        self._losses = losses
        self._resolve = resolve
        self._lines = LineStarts(html)
        self._counted: dict[str, tuple[int, int]] = {}
        self._pre = 0
        self._code = 0
        self._is_pre_start = self._is_line_start = False
        self._skipping: list[str] = []
        self._player: tuple[str, str, int] | None = None
        self._formula: _MathElement | None = None

    def tokens(self) -> Iterator[Token]:
        for token in map(self._resolved, captions_first(tokenize(self._html))):
            if self._skipping:
                yield from self._skip(token)
            elif isinstance(token, str):
                # The first line end of a block of code is none of its text.
                text = (
                    token.removeprefix("\r").removeprefix("\n") if self._is_pre_start or self._is_line_start else token
                )
                yield _LINE_ENDS.sub(" ", text) if self._code and not self._pre else text
                self._is_pre_start = self._is_line_start = False
            elif isinstance(token, EndTag):
                yield from self._end(token.name)
            else:
                yield from self._start(token)
        yield from self._end_player()

    def _resolved(self, token: Token) -> Token:
        """Return a token whose link or image has its new URL, also inside an element that is left out."""
        if not isinstance(token, StartTag) or token.name not in _WITH_URL:
            return token
        attrs = _first_values(token)
        name, is_image = _WITH_URL[token.name], token.name == "img"
        url = attrs.get(name, "").strip()
        if is_image and (not url or url.startswith("data:")):
            url = next((attrs[key].strip() for key in _PLACEHOLDERS if attrs.get(key)), url)
        if not url:
            return token
        new = self._resolve(url, is_image, self._lines.number_at(token.position)) or url
        return replace(token, attrs=[*((attrs if name in attrs else {name: new, **attrs}) | {name: new}).items()])

    def name_counted(self) -> None:
        """Name what was counted over the whole source: one loss for each kind, with its first line."""
        for message, (count, line) in self._counted.items():
            self._losses.add(LossKind.HTML, f"{message} ({count} times)" if count > 1 else message, line)

    def _count(self, message: str, line: int) -> None:
        count, first = self._counted.get(message, (0, line))
        self._counted[message] = (count + 1, first)

    def _skip(self, token: Token) -> Iterator[Token]:
        """Leave out what is inside an element that is left out, until it ends."""
        name = self._skipping[0]
        if self._formula:
            self._formula.add(token)
        if isinstance(token, StartTag):
            if token.name == name and not token.is_self_closing:
                self._skipping.append(name)
            elif token.name == "source" and self._player and not self._player[1]:
                self._player = (self._player[0], dict(token.attrs).get("src", ""), self._player[2])
        elif isinstance(token, EndTag) and token.name == name:
            self._skipping.pop()
            if not self._skipping:
                yield from self._end_formula()
                yield from self._end_player()

    def _end_formula(self) -> Iterator[Token]:
        formula, self._formula = self._formula, None
        if formula is None:
            return
        if not (tex := formula.tex()):
            self._losses.add(LossKind.HTML, "<math> without its TeX was left out", formula.line)
            return
        mark = [("class", MATH), (LINE, str(formula.line))]
        if formula.is_block:
            yield StartTag("div", mark)
        yield from (StartTag("code", mark), tex, EndTag("code"))
        if formula.is_block:
            yield EndTag("div")

    def _end_player(self) -> Iterator[Token]:
        if self._player is None:
            return
        (name, url, line), self._player = self._player, None
        if name in {"audio", "video"}:
            self._losses.add(LossKind.FILE, f"<{name}> is a link now: {url}", line)
        elif url:
            self._losses.add(LossKind.EMBED, f"<{name}> is a link now: {url}", line)
        else:
            self._losses.add(LossKind.EMBED, f"<{name}> without a URL was left out", line)
        if url:
            shown = f"https:{url}" if url.startswith("//") else url
            yield StartTag("p", [(LINE, str(line))])
            yield StartTag("a", [("href", shown), (LINE, str(line))])
            yield shown
            yield EndTag("a")
            yield EndTag("p")

    def _end(self, name: str) -> Iterator[Token]:
        if name == "q":
            yield "\u201d"
        elif name == "pre" or _SAME.get(name) == "pre":
            self._pre = max(0, self._pre - 1)
            yield EndTag("pre")
        elif name == "code" or _SAME.get(name, _CHANGED.get(name)) == "code":
            self._code = max(0, self._code - 1)
            yield EndTag("code")
        else:
            yield EndTag(_SAME.get(name) or _CHANGED.get(name, name))

    def _start(self, token: StartTag) -> Iterator[Token]:
        name, line = token.name, self._lines.number_at(token.position)
        attrs = _first_values(token)
        if name == "span" and _SHOWN_TWICE & set(attrs.get("class", "").split()):
            self._skipping.append(name)
        elif name in _DROPPED or name in _PLAYERS:
            self._begin_skipping(token, attrs, line)
        elif name in _VOID_PLAYERS:
            self._player = (name, attrs.get(_VOID_PLAYERS[name], ""), line)
            yield from self._end_player()
        elif name in _VOID_CONTROLS and not (attrs.get("type", "").lower() == "checkbox" and "disabled" in attrs):
            if attrs.get("type", "").lower() != "hidden":
                self._count(f"<{name}> was left out", line)
        else:
            yield from self._shown(name, attrs, line)

    def _begin_skipping(self, token: StartTag, attrs: dict[str, str], line: int) -> None:
        name = token.name
        if name in _PLAYERS:
            url = attrs.get(_PLAYERS[name], "") or attrs.get("data-src", "")
            self._player = (name, url.strip(), line)
        elif name == "math":
            self._formula = _MathElement(line, is_block=attrs.get("display") == "block", alt=attrs.get("alttext", ""))
        else:
            self._losses.add(LossKind.HTML, f"<{name}> was left out with its content", line)
        if not (token.is_self_closing and name in {"svg", "math"}):
            self._skipping.append(name)

    def _shown(self, name: str, attrs: dict[str, str], line: int) -> Iterator[Token]:
        self._name_changes(name, attrs, line)
        if name == "q":
            yield "\u201c"
            return
        if name == "br" and (self._pre or self._code):
            # In code outside of a block, no other line end is one.
            self._is_line_start = not self._pre
            if not self._pre:
                self._count("<br> in <code>: its lines are a block of code, or code each", line)
            yield "\n"
            return
        element = _SAME.get(name) or _CHANGED.get(name, name)
        if (self._pre or self._code) and element not in {"code", "span", "br", "div", "p"}:
            self._count(f"<{name}> inside code: only its text is kept", line)
        if element == "pre":
            self._pre += 1
        if element == "code":
            self._code += 1
        kept = self._attributes(name, element, attrs, line)
        anchor = attrs.get("id") or (attrs.get("name", "") if name == "a" else "")
        yield StartTag(element, [*kept.items(), (LINE, str(line)), *([(ANCHOR, anchor)] if anchor else [])])
        self._is_pre_start = element == "pre"

    def _name_changes(self, name: str, attrs: dict[str, str], line: int) -> None:
        if name in _CHANGED and not (name in {"abbr", "acronym"} and not attrs.get("title")):
            self._count(f"<{name}>: {_SHOWN_AS[_CHANGED[name]]}", line)
        elif name == "tfoot":
            self._count("<tfoot>: its rows are ordinary rows now", line)
        elif name == "form":
            self._losses.add(LossKind.HTML, "<form>: only its text is kept", line)
        elif name not in _KNOWN:
            self._count(f"<{name}> is not known: only its text is kept", line)
        for attribute in _SHOWN_ATTRIBUTES.get(name, ()):
            if attribute in attrs and attrs[attribute] != "1":
                self._count(f'<{name} {attribute}="{attrs[attribute][:40]}">: the attribute is lost', line)
        style = attrs.get("style", "")
        if _HIDDEN.search(style) or "hidden" in attrs:
            self._count(f"<{name}> was hidden and is shown now", line)
        elif _SEEN_STYLE.search(style):
            self._count("Colours, fonts or borders of the attribute style are lost", line)
        if name == "a" and attrs.get("href") and not is_allowed(attrs["href"], schemes=LINK_SCHEMES):
            self._losses.add(LossKind.LINK, f"A link to {attrs['href'][:80]} is not possible: its text is kept", line)
        if name == "img" and attrs.get("title") and attrs["title"] != attrs.get("alt"):
            self._count("The tooltip (title) of an image is lost", line)

    def _attributes(self, name: str, element: str, attrs: dict[str, str], line: int) -> dict[str, str]:
        kept = {key: value for key, value in attrs.items() if key not in _REPLACED and (value or key in _SWITCHES)}
        kept.pop("hreflang", None)
        kept.pop("class", None)
        if "alt" in attrs:
            kept["alt"] = attrs["alt"]
        if element == "a":
            words = attrs.get("rel", "").split()
            relations = [one for one in words if not _EVERYDAY_RELATION.fullmatch(one)]
            kept.pop("rel", None)
            if relations:
                kept["rel"] = " ".join(relations)
        if element == "img":
            for key in ("title", "width", "height", "lang"):
                kept.pop(key, None)
            src = attrs.get("src", "")
            if not is_allowed(src, schemes=IMAGE_SCHEMES) or not src.strip():
                shown = f"at {src[:40]} cannot be shown" if src else "has no URL"
                self._losses.add(LossKind.IMAGE, f"An image {shown}", line)
        if element in {"pre", "code"}:
            kept.pop("lang", None)
            found = _LANGUAGE.search(attrs.get("class", ""))
            language = found[1] if found else attrs.get("data-enlighter-language", "") or attrs.get("data-lang", "")
            if language and language != "generic":
                kept["lang"] = language
        if name in {"abbr", "acronym"}:
            kept.pop("title", None)
        alignment = self._alignment(name, attrs)
        if alignment:
            kept["align"] = alignment
        return kept

    def _alignment(self, name: str, attrs: dict[str, str]) -> str:
        if name == "center":
            return "center"
        found = _ALIGNED.search(attrs.get("style", "")) or _ALIGN_CLASS.search(attrs.get("class", ""))
        written = found[1] if found else attrs.get("align", "") or attrs.get("data-align", "")
        return "" if name in {"img", "table", "figure", "iframe"} else written.lower()


def _first_values(token: StartTag) -> dict[str, str]:
    """Return the attributes of a tag; of several with one name, the first counts."""
    attrs: dict[str, str] = {}
    for name, value in token.attrs:
        attrs.setdefault(name, value)
    return attrs


def _unwrap_terms(tree: Element) -> None:
    """Take terms and definitions out of the groups that HTML allows around them."""
    for element in walk(tree):
        if element.name == "dl":
            groups = [
                child.children if isinstance(child, Element) and child.name == "div" else [child]
                for child in element.children
            ]
            element.children = [child for group in groups for child in group]


def _move_languages(tree: Element) -> None:
    """Give each block of code the language of the element inside it, where the sanitiser keeps it."""
    for element in walk(tree):
        if element.name == "pre" and "lang" not in element.attrs:
            inner = next((e.attrs["lang"] for e in walk(element) if e.name == "code" and "lang" in e.attrs), "")
            if inner:
                element.attrs["lang"] = inner
        elif element.name == "code":
            element.attrs.pop("lang", None)


class _MathElement:
    """Collects the TeX of a ``math`` element."""

    def __init__(self, line: int, *, is_block: bool, alt: str) -> None:
        self.line, self.is_block = line, is_block
        self._alt = alt
        self._parts: list[str] = []
        self._is_tex = False

    def add(self, token: Token) -> None:
        if isinstance(token, str):
            self._parts += [token] if self._is_tex else []
        elif token.name == "annotation":
            self._is_tex = isinstance(token, StartTag) and dict(token.attrs).get("encoding", "").lower() == _TEX

    def tex(self) -> str:
        """Return the TeX, else the text that the element has for it."""
        return ("".join(self._parts) or self._alt).strip()


def captions_first(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens with each caption before its table."""
    table: StartTag | None = None
    in_caption = False
    for token in tokens:
        if isinstance(token, StartTag) and token.name == "table" and table is None:
            table = token
            continue
        if table is not None and not in_caption and not (isinstance(token, str) and not token.strip()):
            if isinstance(token, StartTag) and token.name == "caption":
                in_caption = True
            else:
                yield table
                table = None
        yield token
        if table is not None and in_caption and isinstance(token, EndTag) and token.name == "caption":
            in_caption = False
            yield table
            table = None
    if table is not None:
        yield table
