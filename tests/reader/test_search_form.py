"""The search form on lists, and searches without a result."""

import pytest

from tests.requirements import requirement
from tests.support.factories import save
from tests.support.pages import Visitor
from tests.support.tables import undone


@requirement("search.form")
def test_lists_have_one_search_form(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", category="Garden", tags=["roots"], series="Ground", publish=True)

    for path in ["/", "/category/garden", "/tag/roots", "/series/ground", "/search", "/search?q=soil"]:
        with subtests.test(path=path), undone():
            form = visitor.page(path).one("form", role="search")

            assert form.attrs["action"] == "/blog/search"
            assert form.attrs.get("method", "get") == "get"
            field = form.one("input")
            assert (field.attrs["name"], field.attrs["maxlength"]) == ("q", "100")
            assert form.one("label").attrs["for"] == field.attrs["id"]


@requirement("search.form")
@pytest.mark.parametrize(
    ("query", "shown"),
    [("", ""), ("?q=%20%20orchard+notes%20", "orchard notes"), ("?q=a%00b", ""), ("?q=%22%3E", '">')],
)
def test_the_form_holds_the_trimmed_words(visitor: Visitor, query: str, shown: str) -> None:
    assert visitor.page(f"/search{query}").one("form", role="search").one("input").attrs["value"] == shown


def test_words_are_shown_as_text(visitor: Visitor) -> None:
    page = visitor.page("/search?q=%3Cscript%3Ealert(1)%3C/script%3E")

    assert page.one("div", class_="blog-empty").one("q").text == "<script>alert(1)</script>"


def test_every_empty_page_says_what_to_do(visitor: Visitor) -> None:
    pages = [visitor.page(f"/search?q={words}") for words in ("", "a", "x" * 101, "orchard")]

    for page in pages:
        assert page.one("div", class_="blog-empty__words").attrs["role"] == "status"
        assert page.one("div", class_="blog-empty").one("a").attrs["href"] == "/blog/"
    assert len({page.one("p", class_="blog-empty__title").text for page in pages}) == 4
