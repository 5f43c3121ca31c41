"""How a page that came over the network is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.surface_report.html import HtmlPage, PageElement
from tests.requirements import requirement
from tests.support.costs import takes_at_most


def outline(element: PageElement) -> str:
    """The tree below an element, such as ``p(a b(c))``."""
    parts = [one if isinstance(one, str) else f"{one.name}({outline(one)})" for one in element.children]
    return " ".join(parts)


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("<p>a<p>b", "p(a) p(b)"),
        ("<p>a<b>c<div>d</div>e", "p(a b(c)) div(d) e"),
        ("<p>a<ul><li>b<li>c</ul>d", "p(a) ul(li(b) li(c)) d"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "ul(li(a ul(li(b))) li(c))"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "dl(dt(a) dd(b) dt(c))"),
        ("<table><tr><td>a<td>b<tr><th>c</table>", "table(tr(td(a) td(b)) tr(th(c)))"),
        ("<table><tr><td><table><tr><td>a</table>b</table>", "table(tr(td(table(tr(td(a))) b)))"),
        ("<head><title>a</title><body>b", "head(title(a)) body(b)"),
        ("a<br>b<img src=x>c<hr/>d", "a br() b img() c hr() d"),
        ("<div/>a", "div(a)"),
        ("<svg><path d=x /><g/>a</svg>b", "svg(path() g() a) b"),
        ("<b><i>a</b>c</i>d", "b(i(a)) c d"),
        ("</p></div>a</nothing>", "a"),
        ("<script>a<b>c</b></script><p>d", "script(a<b>c</b>) p(d)"),
        ("a<!-- <p> -->b<!doctype html>c<?php d ?>e", "a b c e"),
        ("a<![CDATA[b]]>c<![if x]>d<![no>e", "a c d e"),
        ("<P CLASS=a Title='b'>", "p()"),
    ],
)
def test_a_tree_is_built_as_browsers_build_it(source: str, tree: str) -> None:
    assert outline(HtmlPage(source)) == tree


@pytest.mark.parametrize("source", ["", "<", "<a", "<a href='", "a <!--", "<![", "<!", "</", "&#xfffffffff;", "\x00"])
def test_broken_markup_ends_in_a_page(source: str) -> None:
    assert list(HtmlPage(source).all()) == []


@requirement("surface-report.malformed-pages")
@given(st.text(alphabet="<>/!?-[]=\"'&;# \nabpsvg\x00\ud800"))
def test_no_text_can_stop_the_reading(source: str) -> None:
    page = HtmlPage(source)

    assert (page.text(), page.title, page.structured_data()) is not None


@requirement("surface-report.malformed-pages")
def test_deep_nesting_changes_no_text_and_ends_where_it_ends() -> None:
    deep = "<div>" * 10_000 + "a" + "</div>" * 10_000

    page = HtmlPage(f"<div><main>{deep}b</main></div><p>c")

    main, paragraph = page.all("main", "p")
    assert (main.text(), main.visible_text(), paragraph.text()) == ("a b", "a b", "c")
    assert len(list(page.all())) == 10_003
    assert main.copy_without(lambda _: False).text() == "a b"


@requirement("surface-report.malformed-pages")
@pytest.mark.parametrize("ending", ["", pytest.param(">", marks=pytest.mark.heavy)])
@pytest.mark.parametrize("part", ["<a ", "<a/", "<a x='y' ", "<a\n=", "<!--x>", "<!--", "</a ", "<?", "<b></i>", "<p>"])
def test_a_long_page_of_fragments_is_read_at_once(part: str, ending: str) -> None:
    source = part * 20_000 + ending

    # Where each of the fragments is looked at from all others, this takes minutes.
    with takes_at_most(10):
        HtmlPage(source).text()


def test_of_an_attribute_that_comes_twice_the_first_counts() -> None:
    (found,) = HtmlPage("<a href=a HREF=b hidden rel='x y'>").all("a")

    assert found.attrs == {"href": "a", "hidden": "", "rel": "x y"}


HEAD = """<!doctype html><html lang="de"><head>
<title> Boden
  &amp; Humus </title><meta name="Description" content=" Erde "><meta property="og:title" content="Boden">
<meta name="robots" content="noindex"><meta name="ROBOTS" content="nofollow">
<link rel="alternate me" type="application/atom+xml" href="/feed.xml"><link rel="CANONICAL" href="/boden">
</head><body><svg><title>Bild</title></svg>"""


def test_the_head_is_read() -> None:
    page = HtmlPage(HEAD)

    assert (page.language, page.title) == ("de", "Boden & Humus")
    assert (page.metas("description"), page.metas("robots")) == (["Erde"], ["noindex", "nofollow"])
    assert (page.properties("og:title"), page.properties("og:image")) == (["Boden"], [])
    assert [link.attrs["href"] for link in page.links("alternate")] == ["/feed.xml"]
    assert [link.attrs["href"] for link in page.links("canonical")] == ["/boden"]


def test_a_page_without_a_head_says_nothing() -> None:
    page = HtmlPage("<svg><title>Bild</title></svg>")

    assert (page.language, page.title, page.metas("robots"), page.links("canonical")) == (None, "", [], [])


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('{"@type": "Article"}', [{"@type": "Article"}]),
        ('{"@graph": [{"a": 1}, "b", {"c": 2}]}', [{"a": 1}, {"c": 2}]),
        ('[{"a": 1}, {"@graph": [{"b": 2}]}, 3]', [{"a": 1}, {"b": 2}]),
        ('{"@graph": 1, "a": 2}', [{"@graph": 1, "a": 2}]),
        ('{"a": "\\u003c/script>&amp;"}', [{"a": "</script>&amp;"}]),
        ("", []),
        ("{", []),
        ("[" * 100_000, []),
        ("9" * 5_000, []),
        ("null", []),
    ],
)
def test_structured_data_is_read_as_far_as_it_is_sound(source: str, found: list[dict[str, object]]) -> None:
    page = HtmlPage(
        f'<script type="application/ld+json; charset=utf-8">{source}</script>'
        f'<script>{{"a": "script"}}</script><script type=" application/LD+JSON ">{{"last": true}}</script>'
    )

    assert page.structured_data() == [*found, {"last": True}]


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
def test_text_is_read_as_it_is_on_the_page(source: str, text: str, visible: str) -> None:
    root = HtmlPage(source)

    assert (root.text(), root.visible_text()) == (text, visible)


def test_a_copy_lacks_only_what_is_unwanted() -> None:
    root = HtmlPage("<div>a<p>b<i>c</i></p>d<i>e</i></div>")
    whole, unwanted = next(root.all("div")), next(root.all("i"))

    copy = whole.copy_without(lambda one: one is unwanted)

    assert (copy.text(), [one.name for one in copy.all()]) == ("a b de", ["p", "i"])
    assert [one.parent.name for one in copy.all() if one.parent] == ["div", "div"]
    assert (whole.text(), copy.parent) == ("a bc de", None)
