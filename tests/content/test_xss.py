import pytest

from tests.content.bodies import HTML, MARKDOWN, faults, render_markdown, render_rich_text
from tests.requirements import requirement

PAYLOADS = [*MARKDOWN, *HTML]


def test_the_corpus_is_large() -> None:
    assert len(set(PAYLOADS)) > 200


@requirement("rendering.safe")
@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_leaves_only_allowed_markup_in_markdown(payload: str) -> None:
    assert faults(render_markdown(payload).html) == []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_leaves_only_allowed_markup_in_rich_text(payload: str) -> None:
    assert faults(render_rich_text(payload).html) == []


def test_all_payloads_together_leave_only_allowed_markup() -> None:
    assert faults(render_markdown("\n\n".join(PAYLOADS)).html) == []
    assert faults(render_rich_text("\n".join(PAYLOADS)).html) == []


@pytest.mark.parametrize("payload", ["<script>", "<p onclick=x>", "<a href=javascript:x>", "<p><div>", "<!-- x -->"])
def test_the_reader_of_these_tests_sees_a_fault(payload: str) -> None:
    assert faults(payload) != []
