"""Every finding of stage 1: what triggers it, and what does not (records.md section 14)."""

from typing import Any

import pytest

from blog_engine.models import Category
from blog_engine.queries.findings import CHECKS, Finding, findings_of
from blog_engine.queries.posts import read_post
from tests.factories import NOW, approve, declare, publish, save, update
from tests.requirements import requirement

pytestmark = pytest.mark.django_db


def found(post: Any, *, has_responsible_party: bool = True) -> dict[str, tuple[str | None, str | None]]:
    findings = findings_of(read_post(post.pk), has_responsible_party=has_responsible_party)
    return {finding.code: (finding.rule, finding.location) for finding in findings}


def complete(**fields: Any) -> Any:
    """A draft that nothing can be said about."""
    Category.objects.get_or_create(name="Soil", slug="soil", defaults={"description": "Earth."})
    none = {"connections": [], "third_party_paid": False, "declared_by": "Ines"}
    clean = {"description": "What winter does.", "category": "soil", "author": "Mina", "provenance": "human_written"}
    return save(**(clean | {"connections": none} | fields)).post


@pytest.fixture(autouse=True)
def _default_social_image(settings: Any) -> None:
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"default_social_image_url": "/card.png"}


@requirement("object:finding")
def test_a_complete_post_has_no_findings() -> None:
    assert found(complete()) == {}


BODIES = {
    "## One\n\n#### Three": {"heading_level_skipped": ("T9", "body.headings[1]")},
    "### First may be deep\n\n#### Next": {},
    "## A\n\n# B": {"heading_h1_in_body": ("T10", "body.headings[1]")},
    "```\n# code\n```": {},
    "## FAQ\n\nText": {"faq_in_body": (None, "body")},
    "![](https://example.com/a.png)": {"image_alt_absent": ("T13", "body.images[0].alt")},
    "![a](/a.png) ![b](https://img.example/b.png)": {"image_external": ("E19", "body.images[1]")},
    "![a](//img.example/b.png)": {"image_external": ("E19", "body.images[0]")},
    "![a](https://example.com:443/a.png)": {},
    "`![](x.png)`": {},
}


@requirement("object:finding-positions")
@pytest.mark.parametrize("body", list(BODIES))
def test_findings_of_a_body(body: str) -> None:
    assert found(complete(body=body)) == BODIES[body]


FIELDS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"description": " "}, {"description_absent": ("T8", "description")}),
    ({"description": "", "search_description": "For search."}, {}),
    ({"description": "Real.", "search_description": " "}, {}),
    ({"category": None}, {"category_absent": ("T21", "category")}),
    ({"category": "No words"}, {"category_description_absent": ("T21", "category.description")}),
    (
        {"faq": [{"question": "Why?", "answer": "A"}, {"question": " WHY? ", "answer": "B"}]},
        {"faq_question_duplicate": (None, "faq[1].question")},
    ),
    ({"faq": [{"question": "Why?", "answer": "So *true*."}]}, {"faq_markup_in_answer": ("E19", "faq[0].answer")}),
    ({"faq": [{"question": "Where?", "answer": "At https://a.example."}]}, {}),
    ({"provenance": "unknown"}, {"provenance_unknown": ("E18", "provenance")}),
    ({"provenance": "ai_assisted"}, {}),
    ({"canonical_url": "https://other.example/x"}, {"canonical_off_site": ("T5", "canonical_url")}),
    ({"canonical_url": "https://EXAMPLE.com:443/x"}, {}),
    ({"canonical_url": "http://example.com/x"}, {"canonical_off_site": ("T5", "canonical_url")}),
]


@requirement("object:finding", "object:finding-positions")
@pytest.mark.parametrize(("fields", "expected"), FIELDS, ids=[str(fields) for fields, _ in FIELDS])
def test_findings_of_a_field(fields: dict[str, Any], expected: dict[str, Any]) -> None:
    assert found(complete(**fields)) == expected


def test_equal_titles_and_descriptions_of_published_posts_are_found() -> None:
    post = complete(title="One", slug="one")
    complete(title="One", slug="two")
    assert found(post) == {}

    complete(title="One", slug="three", description="", search_description="What winter does.", publish=True)

    assert found(post) == {
        "title_duplicate": ("T7", "title"),
        "description_duplicate": ("T8", "search_description"),
    }


def test_a_public_post_that_nobody_checked_is_found() -> None:
    post = complete(provenance="ai_assisted")
    assert "approval_absent" not in found(post)

    publish(post)
    assert found(post) == {"approval_absent": ("E18", "approval")}
    approve(post)
    assert found(post) == {}


def test_a_scheduled_post_is_judged_by_its_present_content() -> None:
    post = complete(provenance="ai_assisted")
    approve(post)
    publish(post, publish_at="2027-01-01T00:00:00Z", now=NOW)
    assert found(post) == {}

    update(post, body="Not reviewed.")

    assert found(post) == {"approval_absent": ("E18", "approval")}


def test_a_missing_declaration_is_found_until_it_is_made() -> None:
    post = save(description="x", category="soil", provenance="human_written").post
    assert found(post)["connections_not_declared"] == ("E21, E22", "connections")

    declare(post)

    assert "connections_not_declared" not in found(post)


def test_a_blog_without_a_responsible_party_is_told() -> None:
    assert found(complete(), has_responsible_party=False) == {"responsible_party_absent": ("E4", None)}


def test_a_post_without_any_social_image_is_found(settings) -> None:
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"default_social_image_url": None}

    assert found(complete()) == {"social_image_absent": ("T17", "social_image")}


def test_a_blog_of_tags_asks_for_no_category(settings) -> None:
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"primary_list_type": "tags"}

    assert found(complete(category=None)) == {}


def test_findings_of_the_write_are_not_repeated_by_a_reading() -> None:
    written = save(approval={"name": "R", "facts_checked": False})

    of_write = {finding.code for finding in written.findings}
    assert {"author_default_used", "approval_incomplete"} <= of_write
    assert of_write - found(written.post).keys() == {"author_default_used", "approval_incomplete"}


def test_a_host_can_add_a_check(monkeypatch) -> None:
    monkeypatch.setitem(CHECKS, "too_short", lambda subject: Finding("too_short", None, "Short.", "body"))

    assert found(complete())["too_short"] == (None, "body")
