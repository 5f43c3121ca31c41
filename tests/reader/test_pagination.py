"""The pagination of long lists."""

import pytest
from django.template.loader import render_to_string

from blog_engine.reader.page import PageLink, PageLinks, page_links
from tests.requirements import requirement
from tests.support.pages import parse

GAP = "…"


def shown(*, current: int, count: int) -> str:
    page = parse(
        render_to_string("blog_engine/_pagination.html", {"pages": page_links("/", current=current, count=count)})
    )
    return " ".join(entry.text for entry in page.one("ol").all("li"))


@requirement("pages.pagination")
@pytest.mark.parametrize(
    ("current", "count", "entries"),
    [
        (1, 2, "1 2"),
        (2, 5, "1 2 3 4 5"),
        (1, 5, "1 2 3 … 5"),
        (1, 9, "1 2 3 … 9"),
        (4, 9, "1 2 3 4 5 6 … 9"),
        (5, 9, "1 … 3 4 5 6 7 … 9"),
        (6, 9, "1 … 4 5 6 7 8 9"),
        (9, 9, "1 … 7 8 9"),
        (5000, 10_000, "1 … 4998 4999 5000 5001 5002 … 10000"),
    ],
)
def test_pages_far_away_are_left_out(current: int, count: int, entries: str) -> None:
    assert shown(current=current, count=count) == entries


@requirement("pages.pagination")
@pytest.mark.parametrize("count", [2, 7, 8, 9, 100, 1_000_000])
def test_the_number_of_links_does_not_grow(count: int) -> None:
    for current in {1, 2, count // 2 or 1, count - 1, count}:
        links = page_links("/", current=current, count=count)

        assert links is not None
        assert len(links.links) <= 7
        assert [link.number for link in links if link.is_current] == [current]


def test_gaps_are_hidden_from_who_listens_and_lead_nowhere() -> None:
    page = parse(render_to_string("blog_engine/_pagination.html", {"pages": page_links("/", current=5, count=9)}))

    gaps = page.all("li", class_="blog-pagination__gap")

    assert [(gap.text, gap.attrs["aria-hidden"], gap.has("a")) for gap in gaps] == [(GAP, "true", False)] * 2


def test_a_single_page_has_no_navigation() -> None:
    assert page_links("/", current=1, count=1) is None


def test_links_and_steps_are_told_by_their_paths() -> None:
    first, second = PageLink(1, "/", is_current=False), PageLink(2, "/?page=2", is_current=True)

    assert page_links("/", current=2, count=2) == PageLinks((first, second), previous=first, next=None)
