"""Whatever a body contains, its HTML is safe."""

from hypothesis import given
from hypothesis import strategies as st

from tests.requirements import requirement
from tests.support.content import faults, render_markdown, render_rich_text

RICH_TEXT_PARTS = [
    *("x", "<a href=/x>", "<img src=i>", "<br>", "<li>", "<tr>", "<td>", "<h2>", "</p>", "</a>", "</li>", "</table>"),
    *(f"<{slash}{name}>" for name in ("p", "em", "ul", "pre", "code", "figure", "div", "span") for slash in ("", "/")),
    *("<table>", "<figcaption>", "</h2>", "</td>", "<blockquote>", "</ul>"),
]


@requirement("rendering.safe")
@given(st.text(alphabet=st.sampled_from("ab*_[]()!<>`~#|-+1.:\n \t\\&;^\"'/@xhtps"), max_size=200))
def test_any_markdown_gives_safe_html(body: str) -> None:
    assert faults(render_markdown(body).html) == []


@requirement("rendering.safe")
@given(st.lists(st.sampled_from(RICH_TEXT_PARTS), max_size=30))
def test_any_rich_text_gives_safe_html(parts: list[str]) -> None:
    assert [fault for fault in faults(render_rich_text("".join(parts)).html) if "in <p>" not in fault] == []
