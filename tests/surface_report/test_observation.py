"""How what was seen becomes one result."""

from blog_engine.surface_report.observation import failed, judged_by, not_verified, passed


def test_a_fault_outweighs_doubts_and_a_doubt_what_is_well() -> None:
    assert judged_by(["A.", "B."], ["C."], well="D.") == failed("A. B.")
    assert judged_by([], ["C."], well="D.", details={"a": 1}) == not_verified("C.", details={"a": 1})
    assert judged_by([], [], well="D.") == passed("D.")


def test_a_reason_has_an_end() -> None:
    reason = judged_by([f"{number}." for number in range(13)], well="").reason

    assert reason == "0. 1. 2. 3. 4. 5. 6. 7. 8. 9. There are 3 more of this kind."
