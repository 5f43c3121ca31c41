"""Whom a page names as the author of its article, for readers to see."""

from collections.abc import Iterator
from itertools import chain

from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ListKind
from blog_engine.report.surface.html import Element, HtmlPage
from blog_engine.report.surface.inspection import Article
from blog_engine.report.surface.own_elements import elements_of_content, elements_of_page
from blog_engine.report.surface.targets import target_of


def visible_author(article: Article, *, urls: BlogURLs) -> str:
    """The name in the byline as readers see it, or several; empty when there is none or they are hidden.

    Where a host's template has no byline like ours, whatever is marked as author counts, else a link to the author's
    page here.
    """
    for elements in _ways(article, urls=urls):
        if elements:
            return ", ".join(dict.fromkeys(text for one in elements if (text := one.visible_text())))
    return ""


def author_link(article: Article, *, urls: BlogURLs) -> Element | None:
    """The first link that readers can follow from there."""
    for elements in _ways(article, urls=urls):
        link = next((link for one in elements for link in _links_of(one) if link.visible_text()), None)
        if link:
            return link
    return None


def _ways(article: Article, *, urls: BlogURLs) -> Iterator[list[Element]]:
    elements = list(_own(article.page.html))
    yield [one for one in elements if "blog-byline__author" in one.attrs.get("class", "").split()]
    yield [one for one in elements if _is_marked(one)]
    home = urls.absolute(urls.list_path(ListKind.AUTHOR, article.record.post.author.slug))
    yield [one for one in elements if _links(one) and target_of(article.page, one.attrs["href"]) == home]


def _own(html: HtmlPage) -> Iterator[Element]:
    # Those of the content come first, and then again with all of the page, which does no harm.
    return chain(elements_of_content(html), elements_of_page(html))


def _is_marked(element: Element) -> bool:
    attrs = element.attrs
    is_link = element.name == "a" and "author" in attrs.get("rel", "").lower().split()
    return is_link or "author" in attrs.get("itemprop", "").split()


def _links_of(element: Element) -> Iterator[Element]:
    """The links in an element, or the one it stands in."""
    yield from (one for one in (element, *element.all("a")) if _links(one))
    around = element.parent
    while around is not None:
        if _links(around):
            yield around
        around = around.parent


def _links(element: Element) -> bool:
    return element.name == "a" and "href" in element.attrs
