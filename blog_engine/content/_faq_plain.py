"""Markdown questions and answers as the plain text that FAQ entries are (records.md 13)."""

from collections.abc import Iterator, Sequence
from typing import Final

from blog_engine.content._faq_pairs import WrittenPair
from blog_engine.content._markdown import has_footnote_mark, parse_plain_inline, parse_plain_part
from blog_engine.content._references import BoundedReferences
from blog_engine.content.faq import FaqPair, question_key
from blog_engine.content.plain_text import text_of_tokens
from blog_engine.vocabulary import FaqReason

_PLAIN_TOKENS: Final = frozenset({"paragraph_open", "inline", "paragraph_close", "text", "softbreak"})


def plain_pairs(
    written: Sequence[WrittenPair], *, references: BoundedReferences
) -> tuple[list[FaqPair], list[FaqReason]]:
    """The pairs as plain text, and what a person should look at; ``references`` are the links of the whole body."""
    pairs: list[FaqPair] = []
    reasons: list[FaqReason] = []
    asked: set[str] = set()
    for pair in written:
        question = text_of_tokens(parse_plain_inline(pair.question, references=references))
        answer, doubts = _plain_answer(pair.answer, references=references)
        pairs.append(FaqPair(question=question, answer=answer))
        reasons += _doubts_about_question(question, pair.question)
        reasons += [FaqReason.ANSWER_ABSENT] if not answer else []
        reasons += [FaqReason.MULTILINE_BOLD_ANSWER] if pair.is_bold and "\n" in pair.answer else []
        reasons += doubts
        reasons += [FaqReason.DUPLICATE_QUESTION] if question_key(question) in asked else []
        asked.add(question_key(question))
    return pairs, reasons


def _doubts_about_question(question: str, written: str) -> Iterator[FaqReason]:
    if question != written:
        yield FaqReason.MARKDOWN_IN_QUESTION
    if not question.endswith("?"):
        yield FaqReason.QUESTION_WITHOUT_QUESTION_MARK


def _plain_answer(written: str, *, references: BoundedReferences) -> tuple[str, list[FaqReason]]:
    tokens = parse_plain_part(written, references=references)
    kinds = {token.type for block in tokens for token in (block, *(block.children or ()))}
    plain = text_of_tokens(tokens)
    doubts = [FaqReason.HEADING_IN_ANSWER] if "heading_open" in kinds else []
    # What only a whole body shows, a footnote, and what is no node at all, an entity, a definition of a link.
    if kinds <= _PLAIN_TOKENS and _lines(plain) == _lines(written) and not has_footnote_mark(written):
        return written, doubts
    return plain, [*doubts, FaqReason.MARKDOWN_IN_ANSWER]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]
