"""Posts in other languages than the blog, and the links between their versions."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import QuerySet
from django.test import override_settings

from blog_engine.models import Post
from tests.reader.conftest import count_queries, preview_path
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, publish, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.pages import ATOM, Visitor, valid_atom, valid_json_feed
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

BODY = "## Wasser\n\nEs regnet.\n\n## Erde\n\nSie ist nass.\n\n## Luft\n\nSie ist kalt."


def publish_group() -> tuple[Post, Post, Post]:
    """Publish a post in the language of the blog, a German and an Arabic version of it."""
    english = save(title="Soil", description="What grows.", publish=True).post
    german = save(
        title="Boden",
        description="Was wächst.",
        body=BODY,
        faq=[{"question": "Warum?", "answer": "Darum."}],
        language="de-AT",
        translation_of="soil",
        publish=True,
    ).post
    arabic = save(title="Turba", language="ar", translation_of="soil", publish=True).post
    return english, german, arabic


def in_languages(visitor: Visitor, path: str) -> set[tuple[str, str, str]]:
    """Return first class or name, language and text of each element below the body that has a language."""
    found = (element for element in visitor.page(path).one("main").walk() if "lang" in element.attrs)
    return {((element.classes or [element.name])[0], element.attrs["lang"], element.text[:7]) for element in found}


def alternates(visitor: Visitor, path: str) -> list[tuple[str, str]]:
    links = visitor.page(path).one("head").all("link", rel="alternate")
    return [(link.attrs["hreflang"], link.attrs["href"]) for link in links if "hreflang" in link.attrs]


def switch(visitor: Visitor, path: str) -> list[tuple[str, ...]]:
    page = visitor.page(path)
    links = page.one("nav", class_="blog-translations").all("a") if page.has("nav", class_="blog-translations") else []
    return [(link.text, link.attrs["href"], link.attrs["hreflang"], link.attrs["lang"]) for link in links]


@requirement("pages.language.posts")
def test_the_texts_of_a_post_have_its_language_and_the_page_that_of_the_blog(visitor: Visitor) -> None:
    publish_group()

    page = visitor.page("/boden")

    assert page.one("html").attrs["lang"] == "en"
    assert in_languages(visitor, "/boden") == {
        *[("blog-article__title", "de-AT", "Boden"), ("blog-article__lede", "de-AT", "Was wäc")],
        *[("a", "de-AT", "Wasser"), ("a", "de-AT", "Erde"), ("a", "de-AT", "Luft"), ("blog-prose", "de-AT", "Wasser ")],
        *[("blog-faq__summary", "de-AT", "Warum?"), ("blog-faq__answer", "de-AT", "Darum.")],
        *[("a", "en", "English"), ("a", "ar", "العربيّ")],
    }
    assert page.one(class_="blog-prose").attrs["dir"] == "ltr"
    assert visitor.page("/turba").one(class_="blog-prose").attrs["dir"] == "rtl"


@requirement("pages.language.posts")
def test_the_titles_around_an_article_have_the_language_of_their_post(visitor: Visitor) -> None:
    for place, (title, language) in enumerate([("Luft", "de"), ("Soil", ""), ("Eau", "fr")]):
        now = NOW + timedelta(hours=place)
        save(title=title, language=language, series="Ground", series_position=place + 1, publish=True, now=now)

    page = visitor.page("/soil")

    parts = page.one("nav", class_="blog-series").one("ol").all("a")
    assert [(part.text, part.attrs["lang"]) for part in parts] == [("Luft", "de"), ("Eau", "fr")]
    turned = page.one("nav", class_="blog-turn").all("bdi")
    assert [(title.text, title.attrs["lang"]) for title in turned] == [("Luft", "de"), ("Eau", "fr")]


@requirement("pages.language.words")
def test_the_word_for_copied_code_is_in_the_language_of_the_post(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for language, word in [("de-AT", "Kopiert!"), ("", "Copied!"), ("tlh", "Copied!")]:
        with subtests.test(language=language, word=word), undone():
            save(title="Boden", body="```\nx\n```", language=language, publish=True)

            assert visitor.page("/boden").one(class_="blog-prose").attrs["data-blog-copied"] == word


@requirement("pages.language.posts")
def test_a_post_in_the_language_of_the_blog_says_nothing_of_it(visitor: Visitor) -> None:
    save(title="Soil", language="en", publish=True)

    assert in_languages(visitor, "/soil") == set()
    assert "dir" not in visitor.page("/soil").one(class_="blog-prose").attrs


@requirement("pages.language.posts")
def test_titles_in_lists_have_the_language_of_their_post(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Boden", description="Was wächst.", language="de", category="Ground", publish=True)

    for path in ["/", "/category/ground", "/search?q=boden"]:
        with subtests.test(path=path), undone():
            assert {(first, tag) for first, tag, _ in in_languages(visitor, path)} == {
                ("blog-card__title", "de"),
                ("blog-result__passage" if "search" in path else "blog-card__description", "de"),
            }


@requirement("pages.language.head")
def test_the_head_names_the_language_of_the_post(visitor: Visitor) -> None:
    publish_group()

    spoken = {path: visitor.graph(path)[0]["inLanguage"] for path in ("/soil", "/boden", "/turba")}
    locales = {path: visitor.page(path).all("meta", property="og:locale") for path in ("/soil", "/boden", "/turba")}

    assert spoken == {"/soil": "en", "/boden": "de-AT", "/turba": "ar"}
    assert [meta.attrs["content"] for meta in locales["/boden"]] == ["de_AT"]
    assert (locales["/soil"], locales["/turba"]) == ([], [])


@requirement("pages.language.switch")
def test_an_article_links_its_public_translations_by_their_own_names(visitor: Visitor) -> None:
    publish_group()
    save(title="Jord", language="da", translation_of="soil")

    assert switch(visitor, "/soil") == [
        ("Deutsch (AT)", "/blog/boden", "de-AT", "de-AT"),
        ("العربيّة", "/blog/turba", "ar", "ar"),
    ]
    assert [path for _, path, *_ in switch(visitor, "/turba")] == ["/blog/boden", "/blog/soil"]


@requirement("pages.language.switch", "pages.language.alternates")
def test_a_translation_comes_and_goes_at_once(visitor: Visitor) -> None:
    _, german, arabic = publish_group()
    assert len(switch(visitor, "/soil")) == 2

    unpublish(german)
    assert [path for _, path, *_ in switch(visitor, "/soil")] == ["/blog/turba"]

    update(arabic, translation_of=None)
    assert (switch(visitor, "/soil"), alternates(visitor, "/soil")) == ([], [])


@requirement("pages.language.alternates")
def test_every_version_announces_all_versions(visitor: Visitor) -> None:
    publish_group()
    expected = [
        ("ar", "https://example.com/blog/turba"),
        ("de-AT", "https://example.com/blog/boden"),
        ("en", "https://example.com/blog/soil"),
        ("x-default", "https://example.com/blog/soil"),
    ]

    assert [alternates(visitor, path) for path in ("/soil", "/boden", "/turba")] == [expected] * 3


@requirement("pages.language.alternates")
def test_a_group_without_the_language_of_the_blog_has_no_default(visitor: Visitor) -> None:
    publish_group()

    with override_settings(BLOG_ENGINE=blog_settings(locale="fr")):
        assert [tag for tag, _ in alternates(visitor, "/boden")] == ["ar", "de-AT", "fr", "x-default"]
    save(title="Mer", language="fr", publish=True)
    save(title="Meer", language="de", translation_of="mer", publish=True)

    assert [tag for tag, _ in alternates(visitor, "/mer")] == ["de", "fr"]


@requirement("pages.language.alternates")
def test_a_version_with_an_original_elsewhere_is_left_out(visitor: Visitor) -> None:
    _, german, _ = publish_group()
    update(german, canonical_url="https://old.example/boden")

    assert [tag for tag, _ in alternates(visitor, "/soil")] == ["ar", "en", "x-default"]
    assert alternates(visitor, "/boden") == []
    assert len(switch(visitor, "/soil")) == 2


def test_a_preview_announces_no_versions(visitor: Visitor) -> None:
    english, _, _ = publish_group()
    draft = save(title="Jord", language="da", translation_of=english.pk).post
    path = preview_path(draft)

    assert alternates(visitor, path) == []
    assert len(switch(visitor, path)) == 3


@requirement("pages.article.related")
def test_related_posts_are_no_translations_and_first_in_the_same_language(visitor: Visitor) -> None:
    publish_group()
    for title, language in (("Luft", "de-AT"), ("Air", "")):
        save(title=title, language=language, publish=True)

    titles = [title.text for title in visitor.page("/boden").one(class_="blog-related").all(class_="blog-card__title")]

    assert titles[0] == "Luft"
    assert not {"Soil", "Turba"} & set(titles)


@requirement("pages.queries")
def test_a_group_costs_one_query(visitor: Visitor) -> None:
    english, german, _ = publish_group()
    save(title="Related", publish=True)

    def queries() -> int:
        update(german, featured=not Post.objects.get(pk=german.pk).featured)
        return count_queries(visitor, "/soil")

    in_group = queries()
    update(english, translation_of=None)

    assert in_group - queries() == 1


@requirement("posts.language.tag")
def test_a_stored_language_that_is_no_tag_any_more_stays(visitor: Visitor) -> None:
    post = save(title="Soil", body="> [!NOTE]\n> Wet.", language="en").post
    QuerySet.update(Post.objects.filter(pk=post.pk), language="English")
    post.refresh_from_db()

    publish(update(post, title="Good soil", description="What grows.").post)
    save(title="Boden", language="de", translation_of=post.pk, publish=True)

    assert in_languages(visitor, "/soil") >= {("blog-article__title", "English", "Good so"), ("a", "de", "Deutsch")}
    assert switch(visitor, "/boden") == [("English", "/blog/soil", "English", "English")]
    assert [visitor.get(path).status_code for path in ("/", "/feed.xml", "/feed.json", "/soil.md", "/sitemap.xml")] == [
        200
    ] * 5


@requirement("feeds.language")
def test_entries_in_another_language_name_it(visitor: Visitor) -> None:
    publish_group()

    atom = visitor.get("/feed.xml").content.decode()
    items: list[dict[str, Any]] = json.loads(visitor.get("/feed.json").content)["items"]

    assert [atom.count(f'<entry xml:lang="{tag}">') for tag in ("de-AT", "ar", "en")] == [1, 1, 0]
    assert atom.count("<entry>") == 1
    assert {item["title"]: item.get("language") for item in items} == {"Soil": None, "Boden": "de-AT", "Turba": "ar"}


def feed_links(visitor: Visitor) -> dict[str, list[tuple[str | None, str | None]]]:
    """Return language and URL of each alternate link of the entries in the Atom feed, by title, in their order."""
    root = valid_atom(visitor.get("/feed.xml").content)
    return {
        str(entry.findtext(f"{ATOM}title")): [
            (link.get("hreflang"), link.get("href")) for link in entry.findall(f"{ATOM}link[@rel='alternate']")
        ]
        for entry in root.findall(f"{ATOM}entry")
    }


def feed_translations(visitor: Visitor) -> dict[str, list[dict[str, str]] | None]:
    items: list[dict[str, Any]] = valid_json_feed(visitor.get("/feed.json").content)["items"]
    return {item["title"]: item["_blog_engine"].get("translations") for item in items}


@requirement("feeds.translations")
def test_entries_link_the_other_versions(visitor: Visitor) -> None:
    publish_group()
    save(title="Jord", language="da", translation_of="soil")
    save(title="Sol", language="fr", translation_of="soil", canonical_url="https://first.example/sol", publish=True)
    save(title="Stone", language="de", publish=True)

    arabic, german, english = (
        (tag, f"https://example.com/blog/{slug}") for tag, slug in (("ar", "turba"), ("de-AT", "boden"), ("en", "soil"))
    )
    assert feed_links(visitor) == {
        "Soil": [english, arabic, german],
        "Boden": [german, arabic, english],
        "Turba": [arabic, german, english],
        "Sol": [(None, "https://example.com/blog/sol")],
        "Stone": [(None, "https://example.com/blog/stone")],
    }
    wanted = {"Soil": (arabic, german), "Boden": (arabic, english), "Turba": (german, english)}
    assert feed_translations(visitor) == {"Sol": None, "Stone": None} | {
        title: [{"language": tag, "url": url} for tag, url in others] for title, others in wanted.items()
    }


@requirement("feeds.translations")
def test_a_version_that_is_withdrawn_leaves_the_entries_of_the_others(visitor: Visitor) -> None:
    _, german, arabic = publish_group()

    unpublish(german)
    assert feed_translations(visitor)["Soil"] == [{"language": "ar", "url": "https://example.com/blog/turba"}]
    unpublish(arabic)
    assert feed_translations(visitor) == {"Soil": None}
    assert feed_links(visitor) == {"Soil": [(None, "https://example.com/blog/soil")]}


@requirement("feeds.translations.queries")
@pytest.mark.parametrize("path", ["/feed.xml", "/feed.json"])
def test_translations_cost_a_feed_one_query(visitor: Visitor, path: str) -> None:
    save(title="Stone", publish=True)
    without = count_queries(visitor, path)
    publish_group()
    one_group = count_queries(visitor, path)
    save(title="Sea", publish=True)
    save(title="See", language="de", translation_of="sea", publish=True)

    assert (one_group, count_queries(visitor, path)) == (without + 1, without + 1)


@requirement("feeds.translations", "feeds.validators")
def test_a_feed_with_links_to_a_withdrawn_version_is_not_kept(visitor: Visitor) -> None:
    with time_machine.travel(NOW, tick=False):
        save(title="Soil", category="Ground", publish=True, now=NOW)
        german = save(title="Boden", language="de", translation_of="soil", publish=True, now=NOW).post
        before = visitor.get("/category/ground/feed.xml")
    with time_machine.travel(LATER, tick=False):
        unpublish(german, now=LATER)
        after = visitor.get("/category/ground/feed.xml", if_modified_since=before["Last-Modified"])

    assert (after.status_code, b"hreflang" in before.content, b"hreflang" in after.content) == (200, True, False)
