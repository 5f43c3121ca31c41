"""Findings in the language of the reader; the message of the API stays English."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import trans_real

import blog_engine.findings
from blog_engine.findings import FINDINGS, Finding, findings_of, findings_of_redirects
from blog_engine.models import Redirect
from blog_engine.outputs.posts import FindingObject
from blog_engine.queries.posts import read_post
from tests.requirements import requirement
from tests.support.factories import NOW, save
from tests.support.hosts import blog_settings

HTML = "Readers do not see this HTML: %(html)s and %(others)s more. Write it in the markup that the body format allows."
IN_GERMAN = {
    HTML: "Verborgen: %(html)s, dazu %(others)s.",
    "Another published post has the same title.": "Der Titel ist vergeben.",
}


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with translation.override("de"), monkeypatch.context() as changed:
        catalogue = trans_real.catalog()
        before = catalogue.gettext
        changed.setattr(catalogue, "gettext", lambda text: IN_GERMAN.get(text) or before(text))
        yield


@requirement("findings.translated")
def test_a_finding_is_read_in_the_active_language(german: None) -> None:
    found = Finding.of("title_duplicate", "T7", "Another published post has the same title.", "title")

    assert (found.translated, found.message) == (
        "Der Titel ist vergeben.",
        "Another published post has the same title.",
    )


@requirement("findings.translated")
def test_the_values_of_a_finding_stay_as_they_are(german: None) -> None:
    found = Finding.of("html_dropped", None, HTML, "body", values={"html": "<b>100 %</b>", "others": 2})

    assert found.translated == "Verborgen: <b>100 %</b>, dazu 2."
    assert found.message.startswith("Readers do not see this HTML: <b>100 %</b> and 2 more.")


def test_people_read_plain_words_where_the_message_has_names_of_the_api() -> None:
    found = Finding.of("provenance_unknown", "E18", "provenance is ai_assisted", None, plain="With AI or without?")

    assert (found.message, found.translated) == ("provenance is ai_assisted", "With AI or without?")


@requirement("findings.translated")
def test_a_finding_of_the_host_has_its_message_alone(german: None) -> None:
    found = Finding("too_short", None, "100% too short.", "body")

    assert found.translated == found.message == "100% too short."
    assert found == Finding(code="too_short", rule=None, message="100% too short.", location="body")
    assert hash(found) == hash(Finding("too_short", None, "100% too short.", "body"))


@requirement("findings.object")
def test_the_answer_of_the_api_has_the_four_fields_alone() -> None:
    found = Finding.of("x", None, "%(number)s words.", "body", values={"number": 3}, plain="Short.")

    assert FindingObject.from_attributes(found).model_dump() == {
        "code": "x",
        "rule": None,
        "message": "3 words.",
        "location": "body",
    }


@requirement("findings.translated")
@pytest.mark.django_db
def test_the_message_is_english_whatever_the_language(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(markdown_hardbreaks=True)
    body = "# One\n\n### Three\n\n<marquee>x</marquee> <blink>y</blink> <u>1</u> <center>2</center> [x](/blog/nothing)"
    post = read_post(save(body=body, faq=[{"question": "Why?", "answer": "*So*"}]).post.pk)
    english = findings_of(post, has_responsible_party=False, now=NOW)

    with translation.override("de"):
        german = findings_of(post, has_responsible_party=False, now=NOW)

    assert len(english) > 8
    assert [one.message for one in german] == [one.message for one in english]
    assert all("%(" not in one.message + one.translated for one in english)


@pytest.mark.django_db
def test_the_finding_of_a_redirect_names_the_middleware_in_every_language(german: None) -> None:
    (found,) = findings_of_redirects([Redirect(old_path="/elsewhere", new_path="/blog/")], now=NOW)

    assert [("blog_engine.middleware" in one.message, "blog_engine.middleware" in one.translated) for one in found] in (
        [],
        [(True, True)],
    )


def test_every_check_marks_its_words_for_translation() -> None:
    """``Finding(…)`` itself is the host's way, whose words no catalogue of the engine has."""
    folder = Path(blog_engine.findings.__file__).parent
    sources = {path.name: path.read_text("utf-8") for path in folder.glob("*.py")}

    unmarked = {name for name, text in sources.items() if re.search(r"(?<!class )\bFinding\(", text)}

    assert unmarked == set()
    assert len(FINDINGS) == sum(text.count("(subject: Subject) -> ") for text in sources.values()) - 1
