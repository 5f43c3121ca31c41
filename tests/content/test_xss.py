import re
from collections.abc import Callable

import pytest

from blog_engine.content.html import parse_html
from blog_engine.content.rendering import Rendered
from blog_engine.content.sanitize import ADDED_TAGS, TAGS, write_clean_html
from tests.content.bodies import ELEMENTS, HTML, MARKDOWN, faults, render_markdown, render_rich_text
from tests.requirements import requirement

PAYLOADS = [*MARKDOWN, *HTML]
_PATH = re.compile("(href|src) (javascript\xa0|jav\ufffdascript|[\u2028\ufeff]javascript|%6Aavascript):.*")


def test_the_corpus_is_large() -> None:
    assert len(set(PAYLOADS)) > 200


@requirement("rendering.safe")
@pytest.mark.parametrize("render", [render_markdown, render_rich_text])
def test_a_payload_leaves_only_allowed_markup(render: Callable[[str], Rendered]) -> None:
    assert {payload: found for payload in PAYLOADS if (found := faults(render(payload).html))} == {}


@requirement("rendering.safe.twice")
def test_nh3_alone_leaves_only_allowed_markup() -> None:
    dangerous = frozenset({"script", "style", "svg", "iframe", "form", "object", "embed", "base", "meta", "link"})

    def faults_left(payload: str) -> list[str]:
        tree = parse_html(payload, tags=ELEMENTS | dangerous, keep=lambda tag, name, value: True)
        found = [fault for fault in faults(write_clean_html(tree)) if "in <p>" not in fault and fault != "p.align"]
        # For browsers, these URLs are paths; rendering removes them before nh3.
        return [fault for fault in found if not _PATH.fullmatch(fault)]

    assert {payload: left for payload in HTML if (left := faults_left(payload))} == {}


def test_the_list_is_the_one_that_these_tests_know() -> None:
    assert TAGS | ADDED_TAGS == ELEMENTS


def test_all_payloads_together_leave_only_allowed_markup() -> None:
    assert faults(render_markdown("\n\n".join(PAYLOADS)).html) == []
    assert faults(render_rich_text("\n".join(PAYLOADS)).html) == []


@pytest.mark.parametrize("payload", ["<script>", "<p onclick=x>", "<a href=javascript:x>", "<p><div>", "<!-- x -->"])
def test_the_reader_of_these_tests_sees_a_fault(payload: str) -> None:
    assert faults(payload) != []
