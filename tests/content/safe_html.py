"""Check rendered HTML with the standard library."""

import re
from html.parser import HTMLParser

ELEMENTS = frozenset(
    [
        *("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "a", "strong", "em", "del", "code", "pre"),
        *("blockquote", "br", "hr", "img", "figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td"),
        *("sup", "sub", "section", "div", "span", "input", "button", "picture", "source"),
    ]
)
ATTRIBUTES = frozenset(
    [
        *("href", "rel", "src", "srcset", "sizes", "alt", "title", "width", "height", "lang", "type", "checked"),
        *("disabled", "start", "class", "id", "role", "tabindex", "loading", "hidden", "data-lang", "data-blog-copy"),
        *("aria-label", "aria-hidden"),
    ]
)
VOID = frozenset({"br", "hr", "img", "input", "source"})
BLOCKS = ELEMENTS - VOID - {"a", "strong", "em", "del", "code", "sup", "sub", "span", "button", "picture"}
SCHEMES = frozenset({"http", "https", "mailto"})
CLASS = re.compile(r"blog-[a-z-]+( blog-[a-z-]+)*|[a-z][a-z0-9]{0,2}")


def faults(html: str) -> list[str]:
    """Return what is not allowed, badly nested or duplicated in the HTML."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [*reader.faults, *(f"<{name}> is not closed" for name in reader.open)]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.open: list[str] = []
        self._ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ELEMENTS:
            self.faults.append(f"<{tag}>")
        if "p" in self.open and tag in BLOCKS:
            self.faults.append(f"<{tag}> in <p>")
        for name, value in attrs:
            self._look_at(tag, name, value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_comment(self, data: str) -> None:
        self.faults.append("comment")

    def handle_decl(self, decl: str) -> None:
        self.faults.append("declaration")

    def handle_pi(self, data: str) -> None:
        self.faults.append("processing instruction")

    def _look_at(self, tag: str, name: str, value: str) -> None:
        if name not in ATTRIBUTES:
            self.faults.append(f"{tag}.{name}")
        if name == "id":
            if value in self._ids:
                self.faults.append(f"id {value} twice")
            self._ids.add(value)
        if name == "class" and not CLASS.fullmatch(value):
            self.faults.append(f"class {value}")
        if name in {"href", "src"}:
            seen = re.sub(r"[\x00-\x20\x7f-\xa0]", "", value).lower()
            scheme = re.match(r"([^/?#:]*):", seen)
            if scheme and scheme[1] not in SCHEMES:
                self.faults.append(f"{name} {value}")
