"""The structured data of every kind of page uses only terms of schema.org."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings

from tests.requirements import requirement
from tests.support.blogs import make_blog
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, graph_of, parse, text_of

URL, TEXT, NUMBER, MOMENT = "URL", "text", "number", "moment"

_PAGE = {"name": {TEXT}, "description": {TEXT}, "url": {URL}}
_LIST = {"itemListElement": {"ListItem"}}
KNOWN: dict[str, dict[str, set[str]]] = {
    "Answer": {"text": {TEXT}},
    "Blog": _PAGE | {"mainEntity": {"ItemList"}},
    "BlogPosting": {
        "articleSection": {TEXT},
        "author": {"Person", "Organization"},
        "dateModified": {MOMENT},
        "datePublished": {MOMENT},
        "description": {TEXT},
        "digitalSourceType": {URL},
        "headline": {TEXT},
        "image": {URL},
        "keywords": {TEXT},
        "mainEntityOfPage": {URL},
        "publisher": {"Organization"},
        "wordCount": {NUMBER},
    },
    "BreadcrumbList": _LIST,
    "CollectionPage": _PAGE | {"mainEntity": {"ItemList"}},
    "FAQPage": {"mainEntity": {"Question"}},
    "ImageObject": {"url": {URL}},
    "ItemList": _LIST,
    "ListItem": {"item": {URL}, "name": {TEXT}, "position": {NUMBER}, "url": {URL}},
    "Organization": {"logo": {"ImageObject"}, "name": {TEXT}, "url": {URL}},
    "Person": {"name": {TEXT}, "url": {URL}, "description": {TEXT}, "image": {URL}, "sameAs": {URL}},
    "ProfilePage": _PAGE | {"mainEntity": {"Person", "Organization"}},
    "Question": {"acceptedAnswer": {"Answer"}, "name": {TEXT}},
    "WebPage": _PAGE | {"dateModified": {MOMENT}},
}
"""Types of schema.org with their properties, as far as we use them, and what each property may be; one or several."""

PUBLISHER = {"name": "Press", "url": "https://press.example", "logo_url": "https://press.example/logo.png"}


@requirement("pages.structured-data.vocabulary")
@pytest.mark.usefixtures("storage")
@override_settings(BLOG_ENGINE=blog_settings(publisher=PUBLISHER))
def test_structured_data_has_the_terms_of_schema_org(visitor: Visitor) -> None:
    graphs = {name: graph_of(parse(text_of(visitor.get(path)))) for name, path in make_blog().items()}

    unknown = {
        name: [term for item in graph for term in terms_of(item) if not is_known(*term)]
        for name, graph in graphs.items()
    }
    assert unknown == {name: [] for name in graphs}
    assert {item["@type"] for graph in graphs.values() for item in graph} >= {"Blog", "BlogPosting", "FAQPage"}


def test_what_schema_org_does_not_know_is_noticed() -> None:
    terms = list(terms_of({"@type": "Blog", "title": "T", "url": "/blog", "mainEntity": {"@type": "List", "a": 1}}))

    assert [is_known(*term) for term in terms] == [False, False, False, False]


def terms_of(item: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield type, property and each single value, at every depth."""
    for name, value in item.items():
        if name == "@type":
            continue
        for single in value if isinstance(value, list) else [value]:
            yield item["@type"], name, single
            if isinstance(single, dict):
                yield from terms_of(single)


def is_known(kind: str, name: str, value: Any) -> bool:
    allowed = KNOWN.get(kind, {}).get(name, set())
    if isinstance(value, dict):
        return value.get("@type") in allowed
    if isinstance(value, int):
        return NUMBER in allowed
    if URL in allowed:
        return value.startswith("https://")
    if MOMENT in allowed:
        return "T" in value and value[-6] in "+-"
    return TEXT in allowed
