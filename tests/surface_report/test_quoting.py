"""Texts of pages in a report."""

from blog_engine.surface_report.observation import LONGEST, cut, folded, quote


def test_a_text_is_one_line_that_can_be_encoded() -> None:
    assert quote(" a\n b\ud800\t") == "“a b?”"


def test_a_long_text_is_cut() -> None:
    assert cut("a" * LONGEST) == "a" * LONGEST
    assert cut("a" * (LONGEST + 1)) == "a" * (LONGEST - 1) + "…"
    assert cut(" " * 1_000_000 + "a") == ""


def test_case_and_spaces_do_not_matter() -> None:
    assert folded(" Große\u00a0 SOIL\n") == folded("GROSSE soil")
