import pytest

from blog_engine.content.plain_text import count_words, first_words, plain_text, reading_time_minutes
from blog_engine.enums import BodyFormat
from tests.requirements import requirement


@requirement("rendering.plain-text")
@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("", ""),
        ("# Garden **notes**", "Garden notes"),
        ("# A\n\nB\nC", "A\nB\nC"),
        ("see ![the *quay*](x.png) and [map](y)", "see the quay and map"),
        ("a `b < c` d", "a b < c d"),
        ("```python\nx = 1\n\n\n```\nafter", "x = 1\nafter"),
        ("    indented", "indented"),
        ("a<b>b</b>c\n\n<div>in <i>a</i> block</div>", "abc\nin a block"),
        ("- [x] done\n- open", "done\nopen"),
        ("|a|b|\n|-|-|\n|1|2|", "a b \n1 2"),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("~~old~~ &amp; \\*new\\*", "old & *new*"),
        ("<https://a.example> https://b.example", "https://a.example https://b.example"),
        ("[x](javascript:alert)", "x"),
        ("> [!NOTE]\n> careful", "[!NOTE]\ncareful"),
    ],
)
def test_markdown_gives_its_visible_words(body: str, text: str) -> None:
    assert plain_text(body, body_format=BodyFormat.MARKDOWN) == text


@requirement("rendering.plain-text.rich-text")
@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("", ""),
        ("<p>Let it grow</p><p>Mint</p>", "Let it growMint"),
        ("<p>a &amp; &lt;b&gt;</p><!-- c --><img alt='x'>", "a & <b>"),
    ],
)
def test_rich_text_gives_its_text_content(body: str, text: str) -> None:
    assert plain_text(body, body_format=BodyFormat.RICH_TEXT) == text


@requirement("rendering.word-count")
def test_words_are_what_white_space_separates() -> None:
    assert count_words(" one\ttwo\n\u00a0three-four ") == 3


@requirement("rendering.reading-time")
@pytest.mark.parametrize(("words", "minutes"), [(0, 1), (1, 1), (238, 1), (239, 2), (476, 2), (477, 3)])
def test_reading_time_is_rounded_up(words: int, minutes: int) -> None:
    assert reading_time_minutes(words) == minutes


@requirement("rendering.first-words")
def test_the_first_words_are_joined_by_single_spaces() -> None:
    assert first_words("a\n\nb  c d", limit=3) == "a b c"
    assert first_words("a b", limit=3) == "a b"
    assert len(first_words("word " * 100).split()) == 60


@requirement("rendering.first-words")
def test_the_first_words_of_a_text_without_spaces_are_not_the_whole_text() -> None:
    assert first_words("海" * 600) == "海" * 600
    assert first_words("海" * 601) == "海" * 599 + "…"
