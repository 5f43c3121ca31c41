"""Headings of a body: levels, ids, texts, and the table of contents."""

import re

import pytest

from blog_engine.content.headings import Heading, SourceHeading, TocItem, free_id, table_of_contents
from tests.content.bodies import render_markdown
from tests.requirements import requirement


@requirement("rendering.headings.levels")
@pytest.mark.parametrize(
    ("levels", "expected"),
    [([1, 2, 3], [2, 3, 4]), ([3, 4], [2, 3]), ([2, 6], [2, 6]), ([1, 6], [2, 6]), ([3, 1, 6], [4, 2, 6])],
)
def test_headings_shift_so_that_the_smallest_is_the_second_level(levels: list[int], expected: list[int]) -> None:
    rendered = render_markdown("\n\n".join(f"{'#' * level} T" for level in levels))

    assert [heading.level for heading in rendered.headings] == expected
    assert [int(level) for level in re.findall(r"<h([1-6])", rendered.html)] == expected
    assert [heading.level for heading in rendered.source_headings] == levels


@requirement("rendering.headings.ids")
def test_a_heading_gets_an_id_and_an_anchor() -> None:
    rendered = render_markdown('# Été & *"sea"* `x_y`')

    assert rendered.headings == (Heading(2, 'Été & "sea" x_y', "été-sea-x_y", "ete-sea-x_y"),)
    assert rendered.source_headings == (SourceHeading(1, 'Été & "sea" x_y'),)
    assert rendered.html == (
        '<h2 id="été-sea-x_y"><span id="ete-sea-x_y"></span>Été &amp; <em>"sea"</em> <code>x_y</code> '
        '<a class="blog-heading-anchor" href="#%C3%A9t%C3%A9-sea-x_y" '
        'aria-label="Link to Été &amp; &quot;sea&quot; x_y"></a></h2>\n'
    )


@requirement("rendering.headings.unique-ids")
def test_heading_ids_are_unique_in_the_body_and_on_the_page() -> None:
    source = "# A\n# A\n# A-1\n# A\n# !!!\n# ???\n# Blog main\n# fn 7 1\n\nx[^1]\n\n[^1]: y"

    ids = [heading.id for heading in render_markdown(source).headings]

    assert ids == ["a", "a-1", "a-1-1", "a-2", "section", "section-1", "blog-main-1", "fn-7-1-1"]


@requirement("rendering.headings.empty")
def test_a_heading_without_text_is_removed_from_the_page_only() -> None:
    rendered = render_markdown("#\n\n## A")

    assert rendered.headings == (Heading(2, "A", "a"),)
    assert rendered.source_headings == (SourceHeading(1, ""), SourceHeading(2, "A"))
    assert rendered.html.count("<h") == 1


def test_the_text_of_a_heading_has_image_texts_and_no_footnote_marks() -> None:
    rendered = render_markdown("# The ![quay](q.png) at dawn[^1]\n\n[^1]: x")

    assert rendered.headings == (Heading(2, "The quay at dawn", "the-quay-at-dawn"),)
    assert "<figure" not in rendered.html


A, B, DEEP = Heading(2, "A", "a"), Heading(3, "B", "b"), Heading(4, "C", "c")


def test_the_contents_list_levels_two_and_three_and_the_faq_last() -> None:
    items = table_of_contents([A, B, DEEP], faq_title="Questions", faq_id="faq-1")

    assert items == (TocItem(2, "A", "a"), TocItem(3, "B", "b"), TocItem(2, "Questions", "faq-1"))


@requirement("pages.contents.threshold")
@pytest.mark.parametrize(
    ("headings", "faq_title"), [([], "Questions"), ([A, B], None), ([A], "Questions"), ([A, B, DEEP], None)]
)
def test_fewer_than_three_items_are_no_contents(headings: list[Heading], faq_title: str | None) -> None:
    assert table_of_contents(headings, faq_title=faq_title, faq_id="faq") == ()


@pytest.mark.parametrize(
    ("ids", "expected"), [([], "faq"), (["a"], "faq"), (["faq"], "faq-1"), (["faq", "faq-1", "faq-3"], "faq-2")]
)
def test_the_faq_section_gets_a_free_id(ids: list[str], expected: str) -> None:
    assert free_id("faq", ids) == expected
