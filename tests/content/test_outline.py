import pytest

from blog_engine.content.headings import TocItem, faq_section_id, table_of_contents
from blog_engine.content.rendering import Heading
from tests.requirements import requirement

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
    assert faq_section_id(ids) == expected
