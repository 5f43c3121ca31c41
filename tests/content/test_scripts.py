# ruff: noqa: RUF001 - the texts are in the scripts that the rules are about
"""Emphasis, bare URLs, and lengths in scripts that are written without spaces."""

import unicodedata
from itertools import product

import pytest
from markdown_it.rules_inline import StateInline

from blog_engine.content._markdown import _InlineState, fresh_env, page_parser
from blog_engine.content.scripts import text_length
from blog_engine.content.urls import bare_url
from tests.content.bodies import render_markdown
from tests.requirements import requirement

# Forty sentences of our own for each script, from ten of each with a place for the marked words and four ways to mark.
SENTENCES = {
    "Chinese": [
        "这是{}的地方。",
        "他说：{}",
        "{}她回答。",
        "请看（{}）这一段",
        "第一，{}；第二，别的。",
        "“{}”是标题",
        "今天{}，明天再说",
        "价格：{}元",
        "用Python写{}程序",
        "结尾是{}",
    ],
    "Japanese": [
        "これは{}です。",
        "彼は言った。{}",
        "{}と彼女は答えた。",
        "下の（{}）を見てください",
        "まず、{}、次に別のこと。",
        "「{}」という題",
        "今日は{}！明日も",
        "値段：{}円",
        "Pythonで{}を書く",
        "最後は{}",
    ],
    "Korean": [
        "이것은 {}입니다.",
        "그가 말했다. {}",
        "{}라고 답했다.",
        "아래({})를 보세요",
        "먼저, {}, 그다음.",
        "「{}」라는 제목",
        "오늘은 {}! 내일도",
        "가격: {}원",
        "Python으로 {}를 쓴다",
        "끝은 {}",
    ],
    "Thai": [
        "นี่คือ{}ครับ",
        "เขาพูดว่า{}",
        "{}เธอตอบ",
        "ดูที่({})ข้างล่าง",
        "แรก {} แล้วต่อ",
        "ชื่อ“{}”นะ",
        "วันนี้{}พรุ่งนี้",
        "ราคา:{}บาท",
        "ใช้Pythonเขียน{}",
        "ท้าย{}",
    ],
}
MARKED = {
    "Chinese": ["重点。", "「重点」", "（重点）", "重点"],
    "Japanese": ["重要。", "「強調」", "（強調）", "強調！"],
    "Korean": ["강조(x)", "「강조」", "강조.", "강조"],
    "Thai": ["“เน้น”", "(เน้น)", "เน้น!", "เน้น"],
}
MARKS = {"*": "em", "**": "strong", "~~": "del", "==": "mark"}
CASES = [
    pytest.param(sentence, words, id=f"{script} {number}")
    for script, sentences in SENTENCES.items()
    for number, (sentence, words) in enumerate(product(sentences, MARKED[script]))
]


@requirement("rendering.emphasis")
@pytest.mark.parametrize(("sentence", "words"), CASES)
def test_emphasis_ends_beside_a_letter_whatever_punctuation_it_contains(sentence: str, words: str) -> None:
    for mark, element in MARKS.items():
        html = render_markdown(sentence.format(f"{mark}{words}{mark}")).html

        assert f"<{element}>{words}</{element}>" in html
        assert mark not in html


@requirement("rendering.emphasis")
@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("**真，**她说。**「重点」**内容", "<strong>真，</strong>她说。<strong>「重点」</strong>内容"),
        ("これは_「斜体」_です", "これは<em>「斜体」</em>です"),
        ("_「斜体」_です", "<em>「斜体」</em>です"),
        ("***「両方」***です", "<em><strong>「両方」</strong></em>です"),
        ("**太字の*斜体。*です**よ", "<strong>太字の<em>斜体。</em>です</strong>よ"),
        ("変数_名_前", "変数_名_前"),
        ("snake_変数_name", "snake_変数_name"),
        ("2 * 3 * 4と5", "2 * 3 * 4と5"),
        ("値** 太くない **です", "値** 太くない **です"),
        ("a==b と c==d", "a==b と c==d"),
        ("**\u3000全角空白。**次", "**\u3000全角空白。**次"),
        ("العربية **مهم،** ثم", "العربية <strong>مهم،</strong> ثم"),
        ("यह **ज़रूरी।** है", "यह <strong>ज़रूरी।</strong> है"),
        ("זה **חשוב.** מאוד", "זה <strong>חשוב.</strong> מאוד"),
    ],
)
def test_marks_beside_letters(source: str, html: str) -> None:
    assert _without_direction(render_markdown(source).html) == f"<p>{html}</p>\n"


@requirement("rendering.emphasis")
def test_elsewhere_marks_are_read_as_in_common_mark() -> None:
    # Each pair of kinds of characters, among them those of scripts with spaces.
    signs = " \n\u00a0aZ0é\u0416\u05d0\u0639\u0928!\"'()*,-./:;<?[]_~$+=\u00a3\u201c\u2014\u2026\u20ac\U0001f600"
    parser = page_parser(False)
    for before, after, mark in product(signs, signs, ("*", "_", "**", "__")):
        if mark[0] in before + after:
            continue
        source = f"x{before}{mark}{after}y"
        ours = _InlineState(source, parser, fresh_env(source), [])
        theirs = StateInline(source, parser, {}, [])
        for in_words in (True, False):
            assert ours.scanDelims(2, in_words) == theirs.scanDelims(2, in_words), source


LINK = "https://example.com/x"


@requirement("rendering.bare-urls")
@pytest.mark.parametrize(
    "before",
    ["", *" (*\"'=,:;-—|]}+/见（「は는é،", "url=", "a,", "见：", "“", "«", "→", "✅"],
)
def test_a_url_is_linked_after_any_sign_that_is_no_letter_of_ascii(before: str) -> None:
    body = f"{before}{LINK}".replace("*", "\\*")

    assert f'<a href="{LINK}" rel="noopener">{LINK}</a>' in render_markdown(body).html


@requirement("rendering.bare-urls")
@pytest.mark.parametrize("body", [f"x{LINK}", f"0{LINK}", "x.www.example.com", "a/www.example.com", "a/me@example.com"])
def test_a_url_is_not_linked_within_a_word_or_path(body: str) -> None:
    assert "<a " not in render_markdown(body).html


@requirement("rendering.bare-urls")
@pytest.mark.parametrize(
    "after",
    [
        "。次の文",
        "、次",
        "）次",
        "，然后",
        "？好",
        "」と",
        "، ثم",
        "؛ ثم",
        *"！；：』】》〉｝،؟۔।",
        ".",
        ",",
        "!?",
        ").",
        '"',
        "'",
        "”他",
        "’s",
        "»",
        "…",
        "—und",
        "（注）次",
        "［1］",
        "．",
    ],
)
def test_a_url_ends_before_the_punctuation_of_every_script(after: str) -> None:
    assert f'<a href="{LINK}" rel="noopener">{LINK}</a>' in render_markdown(f"{LINK}{after}").html


@requirement("rendering.bare-urls")
@pytest.mark.parametrize(
    "url",
    [
        "https://ja.wikipedia.org/wiki/日本",
        "https://ja.wikipedia.org/wiki/ジョン・レノン",
        "https://ja.wikipedia.org/wiki/東京_(曖昧さ回避)",
        "https://zh.wikipedia.org/wiki/北京（消歧义）",
        "https://en.wikipedia.org/wiki/Michelson–Morley_experiment",
        "https://ar.wikipedia.org/wiki/عربي",
        "https://hi.wikipedia.org/wiki/हिन्दी",
        "https://example.com/a;b,c!d?e=f'g#h",
    ],
)
def test_letters_of_every_script_are_part_of_a_url(url: str) -> None:
    assert bare_url(f"{url}。") == bare_url(f"{url}") == url
    assert f">{url.replace('&', '&amp;')}</a>" in render_markdown(f"「{url}」").html


@requirement("rendering.word-count")
@pytest.mark.parametrize(
    ("text", "count"),
    [
        (" one\ttwo\n\u00a0three-four ", 3),
        ("今日は。" * 10, 30),
        ("用Python写程序", 5),
        ("他说“你好”，然后走了。", 8),
        ("오늘은 날씨가 좋다.", 3),
        ("สวัสดี", 6),
        ("यह एक वाक्य है", 4),
        ("", 0),
    ],
)
def test_letters_of_scripts_without_spaces_count_beside_words(text: str, count: int) -> None:
    assert text_length(text).word_count == count


@requirement("rendering.reading-time")
@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        *(("", 1), ("a " * 238, 1), ("a " * 239, 2), ("a " * 476, 2), ("字" * 450, 1), ("字" * 451, 2)),
        *(("字" * 450 + " a" * 238, 2), ("文章です。" * 1280, 12), ("ก" * 6600, 15)),
    ],
)
def test_reading_time_is_of_words_and_letters(text: str, minutes: int) -> None:
    assert text_length(text).reading_time_minutes == minutes


@requirement("rendering.reading-time")
def test_lengths_of_two_texts_are_added_before_they_are_rounded() -> None:
    assert (text_length("a " * 120) + text_length("b " * 118)).reading_time_minutes == 1
    assert (text_length("a b") + text_length("字")).word_count == 3


def test_every_script_has_its_sentences() -> None:
    for script, sentences in SENTENCES.items():
        assert len(sentences) * len(MARKED[script]) == 40
        assert any(unicodedata.category(sign) == "Lo" for sign in "".join(sentences))


def _without_direction(html: str) -> str:
    return html.replace(' dir="rtl"', "")
