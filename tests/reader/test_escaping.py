"""Text of any field is escaped on pages."""

import pytest
from django.test import override_settings

from blog_engine.content.formulas import MATH_ATTRIBUTES, MATH_TAGS
from blog_engine.models import Author
from tests.content.bodies import HTML, MARKDOWN, PAYLOAD_SCHEMES
from tests.requirements import requirement
from tests.support.factories import save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor

PAYLOADS = [
    *HTML[2 * len(PAYLOAD_SCHEMES) :],
    *MARKDOWN[4 * len(PAYLOAD_SCHEMES) :],
    *PAYLOAD_SCHEMES[:3],
    "{{ 7|add:7 }}{% now 'Y' %}",
]
LINKS = frozenset({"href", "src", "action", "formaction", "srcset", "xlink:href"})
ELEMENTS = frozenset({"iframe", "object", "embed", "svg", "math", "style", "base", "form", "template", "marquee"})


def is_icon(element: Element) -> bool:
    """Return whether the element is an icon of the engine's own templates: a drawing of paths and nothing else."""
    return (
        element.name == "svg"
        and element.attrs.get("aria-hidden") == "true"
        and element.attrs.keys() <= {"viewbox", "aria-hidden"}
        and bool(element.children)
        and all(isinstance(child, Element) and child.name == "path" for child in element.children)
        and not any(isinstance(child, Element) and child.children for child in element.children)
    )


def is_formula(element: Element) -> bool:
    """Return whether the element is a formula of the body: MathML out of the allow list and text."""
    return element.name == "math" and all(
        part.name in MATH_TAGS and part.attrs.keys() <= {*MATH_ATTRIBUTES, "class", "lang", "dir"}
        for part in element.walk()
    )


def dangers(page: Element) -> list[str]:
    """Return the parts of a page that could run foreign code."""
    ours = page.all("form", role="search", action="/blog/search")
    found = [
        e.name for e in page.walk() if e.name in ELEMENTS and e not in ours[:1] and not is_icon(e) and not is_formula(e)
    ]
    found += [
        str(e.attrs)
        for e in page.all("script")
        if e.attrs.get("type") != "application/ld+json" and not e.attrs.get("src", "").startswith("/static/")
    ]
    found += [
        f"{name}={value}"
        for e in page.walk()
        for name, value in e.attrs.items()
        if name.startswith("on")
        or name == "style"
        or (name in LINKS and value.strip().lower().startswith(("javascript:", "data:", "vbscript:")))
    ]
    return found


def test_the_search_for_dangers_finds_them() -> None:
    page = Element("", {})
    page.children = [
        Element("svg", {}),
        Element("script", {"src": "https://evil.example/x.js"}),
        Element("a", {"href": "JavaScript:alert(1)", "onclick": "x"}),
    ]

    assert len(dangers(page)) == 4


SETTINGS_WITH = {
    "site_name": "S {}",
    "blog_title": "T {}",
    "blog_tagline": "G {}",
    "publisher": {"name": "P {}"},
    "call_to_action": {"title": "C {}", "text": "X {}", "label": "L {}", "url": "/safe"},
}


def filled(value: object, payload: str) -> object:
    if isinstance(value, dict):
        return {key: filled(inner, payload) for key, inner in value.items()}
    return str(value).replace("{}", payload)


@pytest.mark.heavy
@requirement("rendering.safe", "pages.csp")
@pytest.mark.parametrize("payload", PAYLOADS)
def test_texts_stay_texts(visitor: Visitor, payload: str) -> None:
    short = payload.replace("\x00", "")[:200]
    declared = {"connections": [{"party": short, "relation": short}], "third_party_paid": True, "declared_by": "Ines"}
    post = save(
        slug="soil",
        title=f"Title {short}",
        description=f"Description {short}",
        search_title=f"Search {short}",
        search_description=short,
        body=payload.replace("\x00", ""),
        category=f"Category {short}",
        tags=[f"Tag {short}"],
        author={"name": f"Author {short}"},
        faq=[{"question": f"Q {short}", "answer": f"A {short}"}],
        connections=declared,
        publish=True,
    ).post
    update(post, title=f"Titled {short}", change="correction", note=f"Note {short}")
    Author.objects.update(bio=short)
    settings = {key: filled(value, short) for key, value in SETTINGS_WITH.items()}

    with override_settings(BLOG_ENGINE=blog_settings(**settings)):
        pages = [visitor.page(path, status=status) for path, status in (("/soil", 200), ("/", 200), ("/none", 404))]

    assert [dangers(page) for page in pages] == [[], [], []]
    assert pages[0].one("h1").text == " ".join(f"Titled {short}".split())
