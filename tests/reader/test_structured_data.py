"""The structured data (JSON-LD) of every kind of page."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings

from blog_engine.models import Author
from tests.reader.conftest import write_policy
from tests.requirements import requirement
from tests.support.blogs import make_blog
from tests.support.factories import LATER, approve, save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, graph_of, parse, text_of
from tests.support.tables import undone

FAQ = [{"question": "Q <1>?", "answer": "A & b.\n\nC\u2028d."}, {"question": "Q2?", "answer": "Two."}]


@requirement("pages.faq.data")
@override_settings(
    BLOG_ENGINE=blog_settings(
        publisher={"name": "Press", "url": "https://press.example", "logo_url": "https://press.example/logo.png"},
        default_social_image_url="/card.png",
        social_pictures={"enabled": False},
    )
)
def test_an_article_with_everything(visitor: Visitor) -> None:
    post = save(
        title="Soil",
        description="What grows.",
        body="One two three.",
        category="Garden",
        tags=["roots", "earth"],
        faq=FAQ,
        provenance="human_written",
        publish=True,
    ).post
    update(post, body="One two.", change="substantive")

    article, crumbs, faq = visitor.graph("/soil")

    assert article == {
        "@type": "BlogPosting",
        "headline": "Soil",
        "description": "What grows.",
        "author": {"@type": "Person", "name": "Ada Example", "url": "https://example.com/blog/author/ada-example"},
        "publisher": {
            "@type": "Organization",
            "name": "Press",
            "url": "https://press.example",
            "logo": {"@type": "ImageObject", "url": "https://press.example/logo.png"},
        },
        "mainEntityOfPage": "https://example.com/blog/soil",
        "inLanguage": "en",
        "isPartOf": [{"@type": "Blog", "name": "Blog", "url": "https://example.com/blog/"}],
        "wordCount": 11,
        "keywords": ["roots", "earth"],
        "articleSection": "Garden",
        "datePublished": "2026-11-21T12:00:00+00:00",
        "dateModified": "2026-11-21T13:00:00+00:00",
        "image": "https://example.com/card.png",
    }
    assert crumbs == {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": 1, "name": "Blog", "item": "https://example.com/blog/"},
            {"@type": "ListItem", "position": 2, "name": "Garden", "item": "https://example.com/blog/category/garden"},
            {"@type": "ListItem", "position": 3, "name": "Soil", "item": "https://example.com/blog/soil"},
        ],
    }
    assert faq == {
        "@type": "FAQPage",
        "mainEntity": [
            {
                "@type": "Question",
                "name": pair["question"],
                "acceptedAnswer": {"@type": "Answer", "text": pair["answer"]},
            }
            for pair in FAQ
        ],
    }


@requirement("pages.structured-data.minimal")
@override_settings(BLOG_ENGINE=blog_settings(social_pictures={"enabled": False}))
def test_an_article_with_nothing(visitor: Visitor) -> None:
    save(title="Soil", provenance="human_written", publish=True)

    article, _ = visitor.graph("/soil")

    assert article == {
        "@type": "BlogPosting",
        "headline": "Soil",
        "author": {"@type": "Person", "name": "Ada Example", "url": "https://example.com/blog/author/ada-example"},
        "publisher": {"@type": "Organization", "name": "Example Press"},
        "mainEntityOfPage": "https://example.com/blog/soil",
        "inLanguage": "en",
        "isPartOf": [{"@type": "Blog", "name": "Blog", "url": "https://example.com/blog/"}],
        "wordCount": 0,
        "datePublished": "2026-11-21T12:00:00+00:00",
        "dateModified": "2026-11-21T12:00:00+00:00",
    }


@requirement("pages.structured-data.organization")
def test_an_organization_as_author(visitor: Visitor) -> None:
    save(title="Soil", author={"name": "Seeds & Co", "type": "organization"}, publish=True)
    Author.objects.update(name="Renamed")

    article = visitor.graph("/soil")[0]

    assert article["author"] == {
        "@type": "Organization",
        "name": "Seeds & Co",
        "url": "https://example.com/blog/author/seeds-co",
    }


@requirement("pages.structured-data.profiles")
@override_settings(
    BLOG_ENGINE=blog_settings(brand={"social_links": ["https://social.example/@press", "https://video.example/press"]})
)
def test_profiles_of_author_and_publisher(visitor: Visitor) -> None:
    save(title="Soil", publish=True)
    profiles = ["https://social.example/@ada", "javascript:alert(1)", "https://user@social.example/", "//x.example/a"]
    Author.objects.update(profile_urls=profiles)

    article, profile = visitor.graph("/soil")[0], visitor.graph("/author/ada-example")[0]

    assert article["author"]["sameAs"] == ["https://social.example/@ada"]
    assert profile["mainEntity"] == article["author"]
    assert article["publisher"]["sameAs"] == ["https://social.example/@press", "https://video.example/press"]


@requirement("pages.structured-data.parts")
@override_settings(BLOG_ENGINE=blog_settings(blog_title="Notebook"))
def test_an_article_is_part_of_blog_and_series(visitor: Visitor) -> None:
    save(title="Soil", series="Ground", publish=True)
    save(title="Stone", publish=True)

    assert visitor.graph("/soil")[0]["isPartOf"] == [
        {"@type": "Blog", "name": "Notebook", "url": "https://example.com/blog/"},
        {"@type": "CreativeWorkSeries", "name": "Ground", "url": "https://example.com/blog/series/ground"},
    ]
    assert [part["@type"] for part in visitor.graph("/stone")[0]["isPartOf"]] == ["Blog"]


@requirement("pages.structured-data.language")
@override_settings(BLOG_ENGINE=blog_settings(locale="pt_BR"))
def test_every_object_names_the_language(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", category="Garden", publish=True)

    for path in ["/", "/soil", "/author/ada-example", "/category/garden", "/search?q=soil"]:
        with subtests.test(path=path), undone():
            assert visitor.graph(path)[0]["inLanguage"] == "pt-BR"


@requirement("pages.structured-data.digital-source")
def test_an_approval_leaves_the_digital_source(visitor: Visitor) -> None:
    post = save(title="Soil", provenance="ai_assisted", publish=True).post
    save(title="Stone", provenance="unknown", publish=True)
    save(title="Sand", provenance="human_written", publish=True)

    labelled = visitor.graph("/soil")[0]
    approve(post)
    cleared = visitor.graph("/soil")[0]

    assert labelled["digitalSourceType"] == "https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource"
    assert cleared["digitalSourceType"] == labelled["digitalSourceType"]
    assert ["digitalSourceType" in visitor.graph(path)[0] for path in ("/stone", "/sand")] == [False, False]


@requirement("pages.structured-data.corrections")
def test_corrections_come_newest_first(visitor: Visitor) -> None:
    post = save(title="Soil", body="11 arches.", publish=True).post
    uncorrected = visitor.graph("/soil")[0]
    update(post, body="12 arches.", change="correction", note="It said 11.")
    update(post, body="13 arches.", change="correction", note='It said "12" <b>.', now=LATER + timedelta(minutes=1))
    update(post, body="14 arches.", change="substantive", now=LATER + timedelta(minutes=2))

    article = visitor.graph("/soil")[0]

    assert "correction" not in uncorrected
    assert article["correction"] == [
        {"@type": "CorrectionComment", "text": 'It said "12" <b>.', "datePublished": "2026-11-21T13:01:00+00:00"},
        {"@type": "CorrectionComment", "text": "It said 11.", "datePublished": "2026-11-21T13:00:00+00:00"},
    ]


@requirement("pages.structured-data.policies")
def test_policies_are_named_while_readers_can_open_them(visitor: Visitor) -> None:
    save(title="Soil", publish=True)
    editorial, ai_use = (f"https://example.com/blog/policies/{slug}" for slug in ("editorial-policy", "ai-use"))

    def named() -> tuple[object, object, object]:
        article = visitor.graph("/soil")[0]
        publisher = article["publisher"]
        principles = article.get("publishingPrinciples")
        return principles, publisher.get("publishingPrinciples"), publisher.get("correctionsPolicy")

    none = named()
    write_policy("ai_use")
    only_ai_use = named()
    write_policy("editorial", title="Our principles")
    write_policy("corrections", title="Corrections")
    all_three = named()
    write_policy("ai_use", status="draft")
    write_policy("corrections", status="draft")
    only_editorial = named()

    assert none == only_ai_use == (None, None, None)
    assert all_three == ([editorial, ai_use], [editorial, ai_use], "https://example.com/blog/policies/corrections")
    assert only_editorial == (editorial, editorial, None)


@requirement("pages.structured-data.policies")
@override_settings(
    BLOG_ENGINE=blog_settings(policy_urls={"editorial": "/about/ethics", "corrections": "https://press.example/errors"})
)
def test_policies_of_the_host_are_named_by_their_urls(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    article = visitor.graph("/soil")[0]

    assert article["publishingPrinciples"] == "https://example.com/about/ethics"
    assert article["publisher"]["correctionsPolicy"] == "https://press.example/errors"


@requirement("pages.structured-data.index")
def test_the_index_lists_its_cards_without_the_featured_one(visitor: Visitor) -> None:
    save(title="Favourite", featured=True, publish=True)
    save(title="One", publish=True)
    save(title="Two", publish=True)

    blog, crumbs = visitor.graph()

    assert blog == {
        "@type": "Blog",
        "name": "Blog — The Example Journal",
        "description": "The blog of The Example Journal.",
        "url": "https://example.com/blog/",
        "inLanguage": "en",
        "mainEntity": {
            "@type": "ItemList",
            "itemListElement": [
                {"@type": "ListItem", "position": 1, "url": "https://example.com/blog/two", "name": "Two"},
                {"@type": "ListItem", "position": 2, "url": "https://example.com/blog/one", "name": "One"},
            ],
        },
    }
    assert [item["name"] for item in crumbs["itemListElement"]] == ["Blog"]


@requirement("pages.structured-data.minimal")
def test_an_article_without_description_has_that_of_its_head(visitor: Visitor) -> None:
    save(title="Soil", body="What grows here.", publish=True)
    save(title="Sand", description="Ours.", search_description="For engines.", body="Text.", publish=True)

    assert visitor.graph("/soil")[0]["description"] == "What grows here."
    assert visitor.graph("/sand")[0]["description"] == "Ours."


@requirement("pages.structured-data.minimal")
@pytest.mark.parametrize("path", ["/", "/search?q=nothing", "/archive", "/tag", "/subscribe", "/none"])
def test_no_page_has_empty_values(visitor: Visitor, path: str) -> None:
    graph = visitor.graph(path, status=404 if path == "/none" else 200)

    values: list[Any] = list(graph)
    while values:
        value = values.pop()
        assert value not in ("", [], {}, None), graph
        values += value.values() if isinstance(value, dict) else value if isinstance(value, list) else []


@requirement("pages.structured-data.minimal")
def test_dead_ends_are_collections_without_crumbs(visitor: Visitor) -> None:
    save(title="One", publish=True)

    [collection] = visitor.graph("/none", status=404)

    assert collection["@type"] == "CollectionPage"
    assert [item["name"] for item in collection["mainEntity"]["itemListElement"]] == ["One"]


@requirement("pages.structured-data.escaped")
def test_no_text_can_close_the_script(visitor: Visitor) -> None:
    title = "</script><script>alert(1)</script>&\u2028<!--"
    save(title=title, slug="soil", publish=True)

    script = text_of(visitor.get("/soil")).partition('<script type="application/ld+json">')[2].partition("</script>")[0]

    assert not set(script) & {"<", ">", "&", "\u2028", "\u2029"}
    assert visitor.graph("/soil")[0]["headline"] == title


URL, TEXT, NUMBER, MOMENT = "URL", "text", "number", "moment"

_PAGE = {"name": {TEXT}, "description": {TEXT}, "inLanguage": {TEXT}, "url": {URL}}
_LIST = {"itemListElement": {"ListItem"}}
KNOWN: dict[str, dict[str, set[str]]] = {
    "Answer": {"text": {TEXT}},
    "Blog": _PAGE | {"mainEntity": {"ItemList"}},
    "BlogPosting": {
        "articleSection": {TEXT},
        "associatedMedia": {"ImageObject"},
        "author": {"Person", "Organization"},
        "correction": {"CorrectionComment"},
        "dateModified": {MOMENT},
        "datePublished": {MOMENT},
        "description": {TEXT},
        "digitalSourceType": {URL},
        "headline": {TEXT},
        "image": {URL, "ImageObject"},
        "inLanguage": {TEXT},
        "isPartOf": {"Blog", "CreativeWorkSeries"},
        "keywords": {TEXT},
        "mainEntityOfPage": {URL},
        "publisher": {"Organization"},
        "publishingPrinciples": {URL},
        "wordCount": {NUMBER},
    },
    "BreadcrumbList": _LIST,
    "CollectionPage": _PAGE | {"mainEntity": {"ItemList"}},
    "CorrectionComment": {"datePublished": {MOMENT}, "text": {TEXT}},
    "CreativeWorkSeries": {"name": {TEXT}, "url": {URL}},
    "FAQPage": {"mainEntity": {"Question"}},
    "ImageObject": {"contentUrl": {URL}, "creditText": {TEXT}, "digitalSourceType": {URL}, "url": {URL}},
    "ItemList": _LIST,
    "ListItem": {"item": {URL}, "name": {TEXT}, "position": {NUMBER}, "url": {URL}},
    "Organization": {
        "correctionsPolicy": {URL},
        "logo": {"ImageObject"},
        "name": {TEXT},
        "publishingPrinciples": {URL},
        "sameAs": {URL},
        "url": {URL},
    },
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
