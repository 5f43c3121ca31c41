"""``POST /faq_extractions``."""

import hashlib
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.clients import assert_json, refusal_in
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

EXTRACTIONS = "/blog/api/v1/faq_extractions"
BODY = "Été.\n\n## FAQ\n\nLeft.\n\n### Why?\nSo.\n"
BOTH = (422, "validation_failed", ["body", "standalone_questions"])


def extract(client: Client, fields: Any, *, path: str = EXTRACTIONS) -> Any:
    return client.post(path, fields, content_type="application/json")


@requirement("adoption.faq.answer", "adoption.faq.offsets")
@pytest.mark.parametrize("path", [EXTRACTIONS, f"{EXTRACTIONS}/"])
def test_a_proposal_has_exactly_these_keys(reader: Client, path: str) -> None:
    response = extract(reader, {"body": BODY}, path=path)

    assert_json(response)
    assert response.status_code == 200
    assert list(response.json().items()) == [
        ("pairs", [{"question": "Why?", "answer": "So."}]),
        ("cut", [{"start": 8, "end": 36}]),
        ("body_after", "Été.\n"),
        ("leftover", ["Left."]),
        ("class", "review"),
        ("reasons", ["leftover_text"]),
        ("source_body_sha256", hashlib.sha256(BODY.encode()).hexdigest()),
    ]


@requirement("adoption.faq.input")
def test_standalone_questions_are_proposed_too(reader: Client) -> None:
    found = extract(reader, {"body": "## C#\nA note.\n", "standalone_questions": ["C#"]}).json()

    assert found["pairs"] == [{"question": "C#", "answer": "A note."}]
    assert found["reasons"] == ["standalone_question", "question_without_question_mark"]


@requirement("adoption.faq.answer")
@pytest.mark.parametrize("body", ["", " \n", "Plain.\r\n"])
def test_a_body_without_an_faq_comes_back_as_it_is(reader: Client, body: str) -> None:
    found = extract(reader, {"body": body, "standalone_questions": []}).json()

    assert found == {
        "pairs": [],
        "cut": [],
        "body_after": body,
        "leftover": [],
        "class": "none",
        "reasons": [],
        "source_body_sha256": hashlib.sha256(body.encode()).hexdigest(),
    }


@requirement("adoption.faq.faults")
def test_any_fault_of_the_input_names_both_fields(reader: Client, subtests: pytest.Subtests) -> None:
    for fields in [
        {},
        {"standalone_questions": ["Why?"]},
        *({"body": body} for body in (None, 5, True, ["## FAQ"], {}, "a\x00b", "\ud800")),
        *(
            {"body": BODY, "standalone_questions": asked}
            for asked in (None, "Why?", [None], [5], ["\x00"], ["a"] * 501)
        ),
    ]:
        with subtests.test(fields=fields):
            assert refusal_in(extract(reader, fields)) == BOTH


@requirement("adoption.faq.input")
def test_unknown_fields_come_first(reader: Client) -> None:
    assert refusal_in(extract(reader, {"body": 5, "questions": []})) == (422, "unknown_field", ["questions"])


@requirement("adoption.faq.size")
def test_a_body_is_as_large_as_that_of_a_post(reader: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(max_body_bytes=10)

    assert extract(reader, {"body": "é" * 5}).status_code == 200
    assert refusal_in(extract(reader, {"body": "é" * 5 + "x"})) == (422, "validation_failed", ["body"])


@requirement("adoption.faq.reading")
def test_nothing_is_stored_and_nothing_looked_up(reader: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        extract(reader, {"body": BODY})

    assert [query["sql"] for query in queries if "blog_engine_apitoken" not in query["sql"]] == []
