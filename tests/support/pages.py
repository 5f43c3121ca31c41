"""Pages and feeds as the programs of readers parse them, and pages from the page cache."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from jsonschema import Draft202012Validator
from lxml import etree

from blog_engine.models import PageView, Post
from blog_engine.reader import page_cache
from tests.support.databases import replayed
from tests.support.factories import save
from tests.support.hosts import blog_settings

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass(eq=False)
class Element:
    """An element with its attributes and children; ``parent`` is None at the top."""

    name: str
    attrs: dict[str, str]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text below, white space collapsed."""
        return " ".join("".join(self._texts()).split())

    @property
    def classes(self) -> list[str]:
        return self.attrs.get("class", "").split()

    def walk(self) -> Iterator[Element]:
        """Every element below, in document order."""
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.walk()

    def all(self, name: str = "", /, **attrs: str) -> list[Element]:
        """The elements below of this name with these attributes (``_`` for ``-``); ``class_`` asks for one class."""
        return [element for element in self.walk() if element.matches(name, **attrs)]

    def one(self, name: str = "", /, **attrs: str) -> Element:
        """The only such element."""
        found = self.all(name, **attrs)
        assert len(found) == 1, f"{len(found)} elements <{name} {attrs}>"
        return found[0]

    def has(self, name: str = "", /, **attrs: str) -> bool:
        return bool(self.all(name, **attrs))

    def matches(self, name: str = "", /, **attrs: str) -> bool:
        class_ = attrs.pop("class_", "")
        return (
            name in {"", self.name}
            and (not class_ or class_ in self.classes)
            and all(self.attrs.get(key.replace("_", "-")) == value for key, value in attrs.items())
        )

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.top = Element("", {})
        self._open = self.top

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"<{tag}> repeats an attribute"
        element = Element(tag, {name: value or "" for name, value in attrs}, self._open)
        self._open.children.append(element)
        if tag not in _VOID:
            self._open = element

    def handle_endtag(self, tag: str) -> None:
        assert self._open.name == tag, f"</{tag}> closes <{self._open.name}>"
        assert self._open.parent is not None
        self._open = self._open.parent

    def handle_data(self, data: str) -> None:
        self._open.children.append(data)

    def finish(self) -> Element:
        self.close()
        assert self._open is self.top, f"<{self._open.name}> is left open"
        return self.top


def parse(markup: str) -> Element:
    """The page; fails for tags that are not closed in order and for attributes given twice."""
    builder = _Builder()
    builder.feed(markup)
    return builder.finish()


@dataclass(frozen=True)
class Visitor:
    """Requests paths below the mount, and parses the responses."""

    client: Client
    mount: str = "/blog"

    def get(self, path: str = "/", **headers: str) -> Any:
        """Return the response to GET; ``path`` is below the mount."""
        return self.client.get(f"{self.mount}{path}", headers=headers)

    def page(self, path: str = "/", *, status: int = 200) -> Element:
        """Return the page at a path as a tree."""
        response = self.get(path)
        assert response.status_code == status
        return parse(text_of(response))

    def graph(self, path: str = "/", *, status: int = 200) -> list[dict[str, Any]]:
        """The structured data of the page."""
        return graph_of(self.page(path, status=status))


def text_of(response: HttpResponse) -> str:
    return response.content.decode()


def graph_of(page: Element) -> list[dict[str, Any]]:
    """The structured data of a page."""
    data = json.loads("".join(map(str, page.one("script", type="application/ld+json").children)))
    assert data["@context"] == "https://schema.org"
    graph: list[dict[str, Any]] = data["@graph"]
    return graph


def meta(page: Element, name: str) -> str:
    """The content of the only ``meta`` of this name or property."""
    kind = "property" if name.startswith(("og:", "article:")) else "name"
    return page.one("meta", **{kind: name}).attrs["content"]


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


def person(browser: str = FIREFOX) -> Visitor:
    """Somebody whose views count: the test client alone names no browser."""
    return Visitor(Client(headers={"User-Agent": browser}))


def views() -> list[tuple[str, date, int]]:
    """Slug, day and number of all that was counted."""
    rows = PageView.objects.order_by("day", "post_id")
    return list(rows.values_list("post__slug", "day", "views"))


def total() -> int:
    """All views together."""
    return sum(number for _, _, number in views())


_JAR = Path(__file__).parents[2] / ".venv" / "html-checker" / "vnu.jar"


def can_check() -> bool:
    """Whether Java and the checker are here."""
    return shutil.which("java") is not None and _JAR.exists()


def check_pages(pages: Mapping[str, str], *, folder: Path) -> list[str]:
    """What the checker says of the pages, one line a message; they are written into ``folder``, a new one."""
    folder.mkdir()
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, "utf-8")
    # One call: starting Java takes longer than any page.
    command = ["java", "-jar", str(_JAR), "--format", "json", "--exit-zero-always", str(folder)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    messages = json.loads(said.stderr)["messages"]
    return [_line(message) for message in messages]


def _line(message: dict[str, str]) -> str:
    kind = message.get("subType", message["type"])
    return f"{unquote(Path(message.get('url', '')).stem)}: {kind}: {message['message']} {message.get('extract', '')!r}"


ATOM = "{http://www.w3.org/2005/Atom}"

_SCHEMAS = Path(__file__).parent / "schemas"
_GRAMMAR = etree.RelaxNG(etree.parse(_SCHEMAS / "atom.rng"))
_JSON_FEED = Draft202012Validator(
    json.loads((_SCHEMAS / "json_feed.json").read_text("utf-8")), format_checker=Draft202012Validator.FORMAT_CHECKER
)


def valid_atom(document: bytes) -> Any:
    """The root of an Atom document; fails for one that the grammar, or a rule of RFC 4287's prose, refuses."""
    root = etree.fromstring(document, etree.XMLParser(resolve_entities=False))
    _GRAMMAR.assertValid(root)
    assert root.find(f"{ATOM}author") is not None
    ids = [one.text for one in root.iter(f"{ATOM}id")]
    assert len(ids) == len(set(ids))
    return root


def valid_json_feed(document: bytes) -> Any:
    """The content of a JSON Feed; fails for one that the schema refuses."""
    content = json.loads(document)
    _JSON_FEED.validate(content)
    return content


def atom_at(visitor: Visitor, path: str = "/feed.xml") -> Any:
    """Return the Atom feed at a path."""
    return valid_atom(visitor.get(path).content)


def json_at(visitor: Visitor, path: str = "/feed.json") -> Any:
    """Return the JSON Feed at a path."""
    return valid_json_feed(visitor.get(path).content)


def slugs_at(visitor: Visitor, path: str = "/feed.json") -> list[str]:
    """Which posts the JSON Feed has, in order."""
    return [item["url"].rpartition("/")[2] for item in json_at(visitor, path)["items"]]


def plain(element: Any) -> Any:
    """An element as nested lists: its name, its attributes, its text or children."""
    name = etree.QName(element).localname
    content = [plain(child) for child in element] or element.text
    return [name, dict(element.attrib), content] if element.attrib else [name, content]


@dataclass(frozen=True)
class Asked:
    """A response and the number of queries that it took."""

    response: Any
    queries: int

    @property
    def was_kept(self) -> bool:
        """Whether only the version was read."""
        return self.queries == 1

    @property
    def whole(self) -> tuple[int, dict[str, str], bytes]:
        """Everything that the reader gets."""
        return self.response.status_code, dict(self.response.headers), self.response.content


def ask(path: str, *, client: Client | None = None, method: str = "get", **more: Any) -> Asked:
    """Ask for a path, without cookies unless a client is given; ``more`` is for Django's test client."""
    with CaptureQueriesContext(connection) as queries:
        response = getattr(client or Client(), method)(path, **more)
    return Asked(response, len(queries))


def shown(path: str = "/blog/quay") -> str:
    """What readers get now."""
    text: str = ask(path).response.content.decode()
    return text


@replayed
def save_kept() -> Post:
    """Save the posts whose pages are kept, and return the one with a tag and a FAQ at ``/blog/quay``."""
    faq = [{"question": "When?", "answer": "At ten."}]
    save(title="Harbour", category="Garden", publish=True)
    return save(title="Quay", body="Text.", category="Garden", tags=["soil"], faq=faq, publish=True).post


def kept_paths() -> set[str]:
    """The paths of all kept pages, with their query strings."""
    memory = page_cache._state().memory
    assert memory is not None
    return {f"{path}?{query}" if query else path for _, path, query, *_ in memory._pages}


def rendered(path: str, *, method: str = "get", **more: Any) -> Asked:
    """Ask for a path while no page is kept."""
    with override_settings(BLOG_ENGINE=blog_settings(page_cache={"enabled": False})):
        return ask(path, method=method, **more)
