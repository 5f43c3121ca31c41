import hashlib
import json
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from blog_engine.content.faq import FaqPair
from blog_engine.rules.content_fields import OPTIONAL_TEXTS, REVISION_TEXTS
from blog_engine.rules.revision import (
    ImageEntry,
    RevisionContent,
    revision_identifier,
    revision_payload,
    revision_text,
)
from tests.requirements import RULES, requirement

KEYS = ["author", "body", "description", "faq", "images", "search_description", "search_title", "title", "version"]
A, B = "a" * 64, "b" * 64


def content(
    *, faq: tuple[FaqPair, ...] = (), images: tuple[ImageEntry, ...] = (), **texts: str | None
) -> RevisionContent:
    return RevisionContent(texts, faq=faq, images=images)


WINTER_GARDEN = content(title="Winter garden", body="Protect the young trees.", author="Ada Example")
SHORT = content(title=" Harbour log\r\n", author="Mina Holt", body="Calm sea.\r\n\r\n")
FULL = content(
    title="Harbour log",
    author="Mina Holt",
    description="Tides",
    search_title="Tide log",
    search_description="When to sail",
    body="  Low tide.  \nWait\u2028here / <b>\n",
    images=(
        ImageEntry(role="cover", url=f"/blog/media/{A}/quay.png", sha256=A, alt=" The quay "),
        ImageEntry(role="body", url="https://img.example/x.png", sha256="", alt=""),
        ImageEntry(role="social", url=f"/blog/media/{B}/card.png", sha256=B, alt=""),
    ),
    faq=(FaqPair(question=" When?\t", answer="At noon.\r\nOr later.\n"),),
)


@requirement("history.identifier.digest")
@pytest.mark.parametrize(
    ("whole", "identifier"),
    [
        (SHORT, "69a1a3e57dd5bc2117bbbb63804f215defb53b7b8d6c1bad3937cb375848f5dd"),
        (FULL, "b6598db9338f33dd00db87939b892285a8d4cfaa02c588ec7171693dfe06cd16"),
    ],
)
def test_the_identifier_equals_the_vector(whole: RevisionContent, identifier: str) -> None:
    assert revision_identifier(revision_payload(whole)) == identifier


@requirement("history.identifier.digest")
def test_the_identifier_equals_the_documented_example() -> None:
    assert revision_identifier(revision_payload(WINTER_GARDEN)).startswith("95fde1cf")


@requirement("history.identifier.payload")
def test_the_page_names_the_keys_of_the_payload_in_order() -> None:
    texts = dict.fromkeys(["body", *REVISION_TEXTS], "A text")
    rule = next(rule.sentence for rule in RULES if rule.id == "history.identifier.payload")
    keys, _, optional = rule.partition(" in this order; ")

    assert re.findall("`([a-z_]+)`", keys) == list(json.loads(revision_payload(RevisionContent(texts))))
    assert sorted(re.findall("`([a-z_]+)`", optional)) == sorted(OPTIONAL_TEXTS)


@requirement("history.identifier.payload")
def test_the_payload_is_compact_json_with_sorted_keys() -> None:
    assert revision_payload(SHORT) == (
        '{"author":"Mina Holt","body":"Calm sea.","description":"","faq":[],"images":[],'
        '"search_description":"","search_title":"","title":"Harbour log","version":"1"}'
    )


@requirement("history.identifier.digest")
@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        (None, "", ""),
        ("e\u0301", "é", "é"),
        ("a\rb\r\nc", "a\nb\nc", "a\nb\nc"),
        (" \t\n a \t\n", "a", " \t\n a \t"),
        ("\u00a0a\x0b\x0c", "\u00a0a\x0b\x0c", "\u00a0a\x0b\x0c"),
        ("\n\na\n\n", "a", "\n\na"),
        ("a \n", "a", "a "),
    ],
)
def test_values_are_normalised(text: str | None, title: str, body: str) -> None:
    payload = json.loads(revision_payload(content(title=text, body=text)))

    assert (payload["title"], payload["body"]) == (title, body)


@requirement("history.identifier.escapes")
def test_only_control_characters_quotes_and_backslashes_are_escaped() -> None:
    payload = revision_payload(content(title='é\u2028/<>&⛵\\"\x01x'))

    assert '"title":"é\u2028/<>&⛵\\\\\\"\\u0001x"' in payload


@given(st.builds(content, title=st.text(), body=st.text(), author=st.none() | st.text()))
def test_any_content_gives_a_payload_that_reads_back(whole: RevisionContent) -> None:
    payload = revision_payload(whole)

    read = json.loads(payload)
    assert list(read) == KEYS
    assert all(unicodedata.is_normalized("NFC", value) and "\r" not in value for value in (read["title"], read["body"]))
    assert revision_identifier(payload) == hashlib.sha256(payload.encode("utf-8")).hexdigest()


@given(st.text())
def test_normalising_again_changes_nothing(text: str) -> None:
    first = revision_payload(content(title=text, body=text, faq=(FaqPair(text, text),)))

    read = json.loads(first)
    pairs = tuple(FaqPair(pair["question"], pair["answer"]) for pair in read["faq"])
    again = revision_payload(content(title=read["title"], body=read["body"], faq=pairs))

    assert again == first


def test_the_text_of_a_revision_has_a_line_for_each_field_before_the_body() -> None:
    assert revision_text(revision_payload(FULL)) == (
        "title: Harbour log\n"
        "description: Tides\n"
        "search_title: Tide log\n"
        "search_description: When to sail\n"
        "author: Mina Holt\n"
        f"image: cover\n  url: /blog/media/{A}/quay.png\n  sha256: {A}\n  alt: The quay\n"
        "image: body\n  url: https://img.example/x.png\n  sha256:\n  alt:\n"
        f"image: social\n  url: /blog/media/{B}/card.png\n  sha256: {B}\n  alt:\n"
        "question: When?\n"
        "answer: At noon.\n    Or later.\n"
        "\n"
        "  Low tide.  \nWait\u2028here / <b>\n"
    )


few_texts = st.lists(st.sampled_from(["a", " ", "\n", "title: ", "question: ", "  url: ", "answer: "])).map("".join)
few_images = st.builds(ImageEntry, role=few_texts, url=few_texts, sha256=few_texts, alt=few_texts)
few_contents = st.builds(
    content,
    title=few_texts,
    description=few_texts,
    author=few_texts,
    body=few_texts,
    faq=st.lists(st.builds(FaqPair, question=few_texts, answer=few_texts), max_size=2).map(tuple),
    images=st.lists(few_images, max_size=2).map(tuple),
)


@given(few_contents, few_contents)
@example(content(title="a", author="b\ntitle: c"), content(title="a", author="b"))
def test_different_contents_have_different_texts(one: RevisionContent, other: RevisionContent) -> None:
    payloads = revision_payload(one), revision_payload(other)

    assert (revision_text(payloads[0]) == revision_text(payloads[1])) == (payloads[0] == payloads[1])
