"""The directories of categories, tags, authors and series."""

from typing import Any

import pytest
from django.test import override_settings

from blog_engine.enums import ListKind
from blog_engine.models import Category
from blog_engine.queries import listings
from tests.requirements import requirement
from tests.support.factories import make_author, make_category, make_series, save
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor, graph_of, meta
from tests.support.tables import undone


def entries(page: Element) -> list[str]:
    return [entry.text for entry in page.all("li", class_="blog-directory__entry")]


@requirement("pages.browse.directories")
def test_a_directory_lists_what_has_public_posts(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_category(name="Garden", description="What grows.")
    make_category(name="Empty")
    make_series(name="Ground", description="Four seasons.")
    make_author(name="Rosa Quay", bio="Keeps the day book.")
    save(title="Soil", category="Garden", tags=["roots"], series="Ground", publish=True)
    save(title="Stone", category="Garden", author="Rosa Quay", publish=True)
    save(title="Draft", category="Empty", tags=["leaves"])

    for path, shown, links_to in [
        ("/category", ["Garden 2 What grows."], "/blog/category/garden"),
        ("/tag", ["roots 1"], "/blog/tag/roots"),
        ("/author", ["AE Ada Example 1", "RQ Rosa Quay 1 Keeps the day book."], "/blog/author/ada-example"),
        ("/series", ["Ground 1 Four seasons."], "/blog/series/ground"),
    ]:
        with subtests.test(path=path, shown=shown, links_to=links_to), undone():
            page = visitor.page(path)

            assert entries(page) == shown
            assert page.all("a", class_="blog-directory__name")[0].attrs["href"] == links_to
            assert page.one("a", class_="blog-tag", aria_current="page").attrs["href"] == f"/blog{path}"


@requirement("pages.browse.directories")
def test_a_directory_without_entries_says_so(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for kind in ListKind:
        with subtests.test(kind=kind):
            page = visitor.page(f"/{kind}")

            assert page.one("p", class_="blog-empty__title").text == "Nothing has been published here yet."


@requirement("pages.browse.directories", "pages.browse.archive")
def test_the_head_of_a_directory(visitor: Visitor) -> None:
    save(title="Soil", tags=["roots"], publish=True)

    page = visitor.page("/tag")

    assert page.one("title").text == "Tags — The Example Journal"
    assert (meta(page, "robots"), meta(page, "description")) == ("noindex, follow", "All tags of The Example Journal.")
    assert graph_of(page)[0]["mainEntity"]["itemListElement"] == [
        {"@type": "ListItem", "position": 1, "url": "https://example.com/blog/tag/roots", "name": "roots"}
    ]


@requirement("pages.browse.order")
@pytest.mark.parametrize(
    ("locale", "order"),
    [
        ("en", ["Apfel", "Ärger", "week 2", "week 10", "zebra"]),
        ("sv", ["Apfel", "week 2", "week 10", "zebra", "Ärger"]),
    ],
)
def test_names_are_in_the_order_of_the_language(visitor: Visitor, locale: str, order: list[str]) -> None:
    save(title="Soil", tags=["zebra", "week 10", "Ärger", "week 2", "Apfel"], publish=True)

    with override_settings(BLOG_ENGINE=blog_settings(locale=locale)):
        page = visitor.page("/tag")

    assert [entry.one("bdi").text for entry in page.all("li", class_="blog-directory__entry")] == order


@requirement("pages.browse.order")
def test_categories_are_ordered_by_position(visitor: Visitor) -> None:
    for name in ("Beans", "Apples", "Cabbage"):
        save(title=name, category=name, publish=True)
    Category.objects.filter(name="Cabbage").update(position=-1)

    assert entries(visitor.page("/category")) == ["Cabbage 1", "Apples 1", "Beans 1"]


@requirement("pages.browse.order")
@pytest.mark.parametrize(("number", "letters"), [(24, []), (25, ["#", "A", "T"])])
def test_many_tags_are_grouped_by_letter(visitor: Visitor, number: int, letters: list[str]) -> None:
    tags = ["1984", "ábaco", *(f"tag {place}" for place in range(number - 2))]
    for part in (tags[:15], tags[15:]):
        save(title="Soil", slug=f"soil-{len(part)}", tags=part, publish=True)

    assert [title.text for title in visitor.page("/tag").all("h2")] == letters


@requirement("pages.browse.order")
def test_no_letter_is_a_heading_twice(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for locale, tags, letters in [
        ("de", ["Apfel", "Ärger", "Auto", "Obst", "Öl", "Uhr", "Über"], ["A", "O", "U", "X"]),
        ("sv", ["Apfel", "Ärlig", "Auto", "Åka"], ["A", "X", "Å", "Ä"]),
        ("es", ["«A»", "¿Qué?", "1984", "ábaco", "ñandú", "nube", "oso"], ["#", "A", "N", "Ñ", "O", "X"]),
        ("ja", ["かな", "カナ", "ガム", "日本", "東京"], ["X", "か", "漢字"]),
    ]:
        with subtests.test(locale=locale, tags=tags, letters=letters), undone():
            tags = [*tags, *(f"x {place}" for place in range(24))]
            for part in (tags[:15], tags[15:]):
                save(title="Soil", slug=f"soil-{len(part)}", tags=part, publish=True)

            with override_settings(BLOG_ENGINE=blog_settings(locale=locale)):
                page = visitor.page("/tag")

            assert [title.text for title in page.all("h2")] == letters


@requirement("pages.browse.directories", "pages.browse.numbers", "limits.documented")
def test_a_directory_has_pages(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (listings.DIRECTORY_ROWS, listings.MOST_RECORDS) == (200, 5_000)
    monkeypatch.setattr("blog_engine.reader.directory.DIRECTORY_ROWS", 2)
    save(title="Soil", tags=["a", "b", "c"], publish=True)

    first, second = visitor.page("/tag"), visitor.page("/tag?page=2")

    assert (entries(first), entries(second)) == (["a 1", "b 1"], ["c 1"])
    assert [page.one("h1").text for page in (first, second)] == ["Tags", "Tags, page 2"]
    assert visitor.get("/tag?page=3").status_code == 404
    assert second.one("link", rel="canonical").attrs["href"] == "https://example.com/blog/tag?page=2"


@requirement("pages.segments", "pages.browse.directories")
def test_directories_follow_the_segments(visitor: Visitor, settings: Any) -> None:
    assert visitor.page("/category").one("h1").text == "Categories"
    assert visitor.get("/category/").status_code == 301
    assert visitor.get("/category?format=json").status_code == 404
    assert visitor.get("/topic").status_code == 404
