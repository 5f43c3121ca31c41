"""How what was seen becomes a result with a reason."""

from blog_engine.surface_report.observation import LONGEST, cut, failed, folded, judged_by, not_verified, passed, quote


def test_a_fault_outweighs_doubts_and_a_doubt_what_is_well() -> None:
    assert judged_by(["A.", "B."], ["C."], well="D.") == failed("A. B.")
    assert judged_by([], ["C."], well="D.", details={"a": 1}) == not_verified("C.", details={"a": 1})
    assert judged_by([], [], well="D.") == passed("D.")


def test_a_reason_has_an_end() -> None:
    reason = judged_by([f"{number}." for number in range(13)], well="").reason

    assert reason == "0. 1. 2. 3. 4. 5. 6. 7. 8. 9. There are 3 more of this kind."


def test_a_text_is_one_line_that_can_be_encoded() -> None:
    assert quote(" a\n b\ud800\t") == "“a b?”"


def test_a_long_text_is_cut() -> None:
    assert cut("a" * LONGEST) == "a" * LONGEST
    assert cut("a" * (LONGEST + 1)) == "a" * (LONGEST - 1) + "…"
    assert cut(" " * 1_000_000 + "a") == ""


def test_case_and_spaces_do_not_matter() -> None:
    assert folded(" Große\u00a0 SOIL\n") == folded("GROSSE soil")
