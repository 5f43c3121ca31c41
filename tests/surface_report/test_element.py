"""What checks may ask of an element."""

import pytest

from blog_engine.surface_report.html import HtmlPage, PageElement


def first(source: str, name: str) -> PageElement:
    return next(HtmlPage(source).all(name))


def test_elements_are_found_in_document_order() -> None:
    root = HtmlPage("<ol><li id=a><b id=b></b></li><li id=c></li></ol><b id=d></b>")

    assert [one.attrs["id"] for one in root.all("li", "b")] == ["a", "b", "c", "d"]
    assert [one.name for one in root.all()] == ["ol", "li", "b", "li", "b"]
    assert [one.attrs["id"] for one in next(root.all("ol")).all("b")] == ["b"]


def test_elements_are_found_by_attribute() -> None:
    root = HtmlPage("<p data-blog-faq id=a><i data-blog-faq id=b></i></p><p id=c><i DATA-BLOG-FAQ=x id=d></i></p>")

    assert [one.attrs["id"] for one in root.with_attr("data-blog-faq")] == ["a", "b", "d"]
    assert [one.attrs["id"] for one in root.outermost("data-blog-faq")] == ["a", "d"]


@pytest.mark.parametrize(
    "source",
    [
        "<b hidden>x</b>",
        '<b hidden="until-found">x</b>',
        "<div hidden><p><b>x</b></div>",
        '<div aria-hidden=" TRUE "><b>x</b></div>',
        '<b style="color:red; DISPLAY : NONE">x</b>',
        '<div style="visibility:hidden"><b>x</b></div>',
        "<template><b>x</b></template>",
    ],
)
def test_what_readers_are_not_shown_is_hidden(source: str) -> None:
    found = first(source, "b")

    assert (found.is_hidden(), found.visible_text(), found.text()) == (True, "", "x")


@pytest.mark.parametrize(
    "source",
    [
        "<b>x</b>",
        '<b aria-hidden="false">x</b>',
        '<b style="--display:none-of-it; color: red">x</b>',
        '<p hidden>y<div><b class="hidden">x</b></div>',
        "<details><summary>y</summary><b>x</b></details>",
    ],
)
def test_what_readers_can_reach_is_visible(source: str) -> None:
    found = first(source, "b")

    assert (found.is_hidden(), found.visible_text()) == (False, "x")


@pytest.mark.parametrize(
    ("source", "text", "visible"),
    [
        (" a \n\t b ", "a b", "a b"),
        ("a<b>b</b>c", "abc", "abc"),
        ("<p>a<p>b", "a b", "a b"),
        ("<ul><li>a<li>b</ul>", "a b", "a b"),
        ("a<br>b", "a b", "a b"),
        ("<td>a</td><td>b</td>", "a b", "a b"),
        ("a&nbsp;b&amp;c&#x41;", "a b&cA", "a b&cA"),
        ("a<span hidden>b</span>c", "abc", "ac"),
        ("a<script>b</script><style>c</style><noscript>d</noscript>e", "ae", "ae"),
    ],
)
def test_text_is_read_as_it_stands_on_the_page(source: str, text: str, visible: str) -> None:
    root = HtmlPage(source)

    assert (root.text(), root.visible_text()) == (text, visible)
