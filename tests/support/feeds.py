"""Feeds, checked against the schemas of their formats."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from lxml import etree

from tests.support.pages import Visitor

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
