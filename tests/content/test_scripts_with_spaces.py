# ruff: noqa: RUF001 - the texts are in the scripts that the rules are about
"""Emphasis, bare URLs, lengths, headings, slugs and search of sentences in Arabic, Hebrew and Hindi."""

import re
from html import unescape

import pytest

from blog_engine.content.headings import id_base
from blog_engine.content.scripts import text_length
from blog_engine.content.search_query import parse_query
from blog_engine.content.search_text import folded_words
from blog_engine.content.text import is_slug, slug_from_title
from tests.content.bodies import render_markdown
from tests.content.sentences import SENTENCES, sentences
from tests.requirements import requirement

SENTENCE = pytest.mark.parametrize(
    ("language", "sentence", "words"),
    [
        pytest.param(language, sentence, words, id=f"{language} {number}")
        for language in SENTENCES
        for number, (sentence, words) in enumerate(sentences(language))
    ],
)
MARKS = {"*": "em", "**": "strong", "_": "em", "__": "strong", "~~": "del", "==": "mark"}
LINK = "https://example.com/x"


def test_every_script_has_forty_sentences() -> None:
    assert {language: len({*sentences(language)}) for language in SENTENCES} == {"ar": 40, "he": 40, "hi": 40}


@requirement("rendering.emphasis")
@SENTENCE
def test_marked_words_are_marked_and_no_sign_is_left(language: str, sentence: str, words: str) -> None:
    for mark, element in MARKS.items():
        html = unescape(render_markdown(sentence.format(f"{mark}{words}{mark}")).html)

        assert f"<{element}>{words}</{element}>" in html
        assert mark not in re.sub("<[^>]*>", "", html)


@requirement("rendering.bare-urls")
@SENTENCE
def test_a_url_is_linked_and_the_paragraph_has_its_direction(language: str, sentence: str, words: str) -> None:
    linked = f'<a href="{LINK}" rel="noopener">'

    assert f"{linked}{LINK}</a>" in render_markdown(sentence.format(LINK)).html
    html = unescape(render_markdown(sentence.format(f"[{words}]({LINK})")).html)
    assert f"{linked}{words}</a>" in html
    assert ('<p dir="rtl">' in html) == (language != "hi")


@requirement("rendering.word-count")
@SENTENCE
def test_words_are_counted_between_spaces(language: str, sentence: str, words: str) -> None:
    whole = sentence.format(words)

    assert text_length(whole) == text_length(" ".join(["x"] * len(whole.split())))


@requirement("rendering.headings.ids", "posts.slug.language")
@SENTENCE
def test_a_word_stays_one_word_in_ids_and_slugs(language: str, sentence: str, words: str) -> None:
    whole = sentence.format(words)

    assert f'id="{id_base(whole)}"' in unescape(render_markdown(f"## {whole}").html)
    assert is_slug(slug_from_title(whole, language=language))
    for word in re.split(r"[^\w\u0591-\u05bd\u05f3\u05f4\u0610-\u065f\u0900-\u094f]+", whole):
        assert "-" not in id_base(re.sub("[\u05f3\u05f4]", "", word)), word
        # A letter that Latin does not write, such as ayn, is left out: it does not end the word.
        assert "-" not in slug_from_title(word, language=language).removeprefix("post-"), word


@requirement("search.folding", "search.all-words")
@SENTENCE
def test_every_word_of_a_sentence_is_found_without_its_optional_marks(language: str, sentence: str, words: str) -> None:
    whole = sentence.format(words)
    bare = re.sub("[\u0591-\u05bd\u05bf-\u05c7\u064b-\u0652\u0640]", "", whole)
    indexed = folded_words(whole)

    assert folded_words(bare) == indexed
    for word in re.findall(r"[^\s,.:;!?()\"'“”«»،؛؟…।॥॰—–/%٪-]+", bare):
        query = parse_query(word)
        assert all(f" {term.word} " in indexed for term in query.terms), word


@requirement("search.folding")
@pytest.mark.parametrize("typed", ["צה״ל", 'צה"ל', "צה”ל"])
def test_an_acronym_is_found_with_the_quotation_mark_of_a_keyboard(typed: str) -> None:
    query = parse_query(f"{typed} הודיע")

    assert [term.word for term in query.terms] == ["צה", "ל", "הודיע"]
    assert (query.phrases, query.excluded) == ((), ())


@pytest.mark.parametrize(
    ("title", "language", "slug"),
    [
        ("نعم، رأيته", "ar", "nm-rayth"),
        ("دانشگاه تهران", "fa", "danshgah-thran"),
        ("צה״ל וג׳ירפה", "he", "tshl-vgyrfh"),
        ("पढ़ना ज़रूरी है", "hi", "pdhna-jruri-hai"),
        ("Больше объём", "ru", "bolshe-obem"),
    ],
)
@requirement("posts.slug.language")
def test_slugs_have_no_break_within_a_word(title: str, language: str, slug: str) -> None:
    assert slug_from_title(title, language=language) == slug
