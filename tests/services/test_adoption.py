"""What an adoption makes of an article."""

from typing import Any

import pytest

from blog_engine.actor import Actor
from blog_engine.enums import BodyFormat
from blog_engine.errors import BodyFormatNotPermitted, NotFound, ScopeRequired, ValidationFailed
from blog_engine.models import (
    UNDATED,
    Author,
    Baseline,
    Category,
    Post,
    Revision,
)
from blog_engine.queries.posts import tag_names
from blog_engine.rules.revision import revision_identifier
from tests.requirements import requirement
from tests.support.factories import AGENT, ARTICLE, DECLARATION, EDITOR, LATER, NOW, WHOLE, adopt, recorded, save
from tests.support.hosts import blog_settings
from tests.support.tables import refused

pytestmark = pytest.mark.django_db


def codes(findings: list[Any]) -> set[str]:
    return {finding.code for finding in findings}


@requirement("adoption.public")
def test_an_article_is_public_at_once_without_a_known_date() -> None:
    adopted = adopt()

    post = adopted.post
    assert (adopted.created, recorded(adopted)) == (True, ("new", "adopted", None, "new", 0))
    assert (post.status, post.slug, post.title, post.body) == (
        "published",
        "night-ferry",
        "The night ferry",
        "It leaves at ten.",
    )
    assert (post.published_at, post.modified_at, post.listed_at, post.created_at) == (None, None, UNDATED, NOW)


@requirement("adoption.fields")
def test_all_content_is_taken_over() -> None:
    post = adopt(WHOLE).post

    stored = {name: getattr(post, name) for name in WHOLE if hasattr(post, name) and name not in {"tags", "faq"}}
    named = {name: str(value) if name in {"author", "category", "series"} else value for name, value in stored.items()}
    assert named == {name: WHOLE[name] for name in named}
    assert {"author", "category", "series", "canonical_url", "external_id", "provenance_evidence"} <= named.keys()
    assert tag_names(post) == ["Sea", "Night"]
    assert [(one.question, one.answer) for one in post.faqs.all()] == [("When?", "At ten.")]
    assert (post.author_name, Category.objects.get().description) == ("Old Hand", "All about ships.")


@requirement("adoption.revision")
def test_the_revision_is_the_content() -> None:
    post = adopt(WHOLE).post

    revision = Revision.objects.get()
    assert revision_identifier(revision.payload) == revision.identifier == post.current_revision_identifier
    assert post.public_revision_id == revision.pk
    assert (revision.actor, revision.made_by_ai, revision.created_at) == (EDITOR.name, None, NOW)


@requirement("adoption.findings")
@pytest.mark.parametrize("facts_checked", [True, False])
def test_an_earlier_approval_counts_for_the_label_only_when_facts_were_checked(facts_checked: bool) -> None:
    adopted = adopt(declaration=DECLARATION | {"facts_checked": facts_checked})

    assert adopted.post.is_approved is facts_checked
    assert ("approval_incomplete" in codes(adopted.findings)) is not facts_checked
    assert ("approval_absent" in codes(adopted.findings)) is not facts_checked


@requirement("adoption.provenance")
def test_a_declaration_is_the_evidence_of_the_provenance_when_none_is_sent() -> None:
    post = adopt(provenance="ai_assisted", declaration=DECLARATION).post

    evidence = post.provenance_evidence or ""
    assert ("Mina Holt" in evidence, "2026-11-20" in evidence) == (True, True)
    assert Baseline.objects.get().provenance_evidence == evidence
    assert (
        adopt(source_id="18", slug="b", declaration=DECLARATION, provenance_evidence="A").post.provenance_evidence
        == "A"
    )


@requirement("adoption.cleared", "adoption.findings")
def test_without_an_author_the_default_one_signs() -> None:
    adopted = adopt()

    assert adopted.post.author_name == "Ada Example"
    assert "author_default_used" in codes(adopted.findings)
    assert "author_default_used" not in codes(adopt(source_id="18", slug="b", author="Old Hand").findings)


@requirement("adoption.category")
@pytest.mark.parametrize(("stored", "expected"), [("", "New."), (" ", "New."), ("Old.", "Old.")])
def test_a_category_is_described_only_if_it_has_no_description(stored: str, expected: str) -> None:
    Category.objects.create(name="Ships", slug="ships", description=stored)

    adopted = adopt(category="Ships", category_description="New.")

    assert Category.objects.get().description == expected
    assert "category_description_absent" not in codes(adopted.findings)


@requirement("adoption.category")
def test_a_category_description_without_a_category_is_for_nothing() -> None:
    adopt(category_description="New.")

    assert not Category.objects.exists()


@requirement("adoption.no-gates")
def test_no_gate_and_no_hook_is_asked(settings: Any) -> None:
    def never(post: Post, context: dict[str, Any]) -> str:
        return "No."

    settings.BLOG_ENGINE = blog_settings(require_approval=True, before_publish=never)

    assert adopt().post.status == "published"


@requirement("adoption.cleared", "adoption.identity", "adoption.taken-over")
@pytest.mark.parametrize("before", [{}, {"publish": True, "publish_at": "2999-01-01T00:00:00Z"}])
@pytest.mark.parametrize("found_by", [{"slug": "night-ferry"}, {"slug": "other", "external_id": "x"}])
def test_a_post_without_records_is_taken_over_and_cleared(before: dict[str, Any], found_by: dict[str, Any]) -> None:
    rest = {name: value for name, value in WHOLE.items() if name in {"description", "search_title", "faq", "featured"}}
    places = {
        "author": "Mina",
        "category": "Ships",
        "tags": ["Sea"],
        "series": "Sea",
        "canonical_url": "https://x.example/",
    }
    post = save(body="Draft", provenance="ai_assisted", cover_alt="c", **before, **rest, **places, **found_by).post

    adopted = adopt(external_id=found_by.get("external_id", ...), now=LATER)

    taken = adopted.post
    assert (adopted.created, recorded(adopted)) == (False, ("new", "adopted", None, "new", 0))
    assert (taken.pk, taken.slug, taken.status, taken.publish_at) == (post.pk, "night-ferry", "published", None)
    assert (taken.description, taken.search_title, taken.cover_alt, taken.featured) == ("", "", "", False)
    assert (taken.category, taken.series, taken.canonical_url, tag_names(taken)) == (None, None, None, [])
    assert (taken.provenance, taken.provenance_evidence) == ("unknown", None)
    assert (taken.author_name, list(taken.faqs.all())) == ("Ada Example", [])
    assert "author_default_used" in codes(adopted.findings)


@requirement("adoption.scope")
def test_only_publish_is_needed() -> None:
    adopted = adopt(actor=Actor("Importer", scopes=["publish"]))

    assert adopted.created


@requirement("adoption.scope")
def test_without_publish_nothing_is_adopted() -> None:
    with refused(ScopeRequired, ["publish"]):
        adopt(actor=AGENT)


@requirement("adoption.all-or-nothing")
@pytest.mark.parametrize(
    ("fields", "refusal", "details"),
    [
        ({"author": "999"}, NotFound, []),
        ({"cover_image": {"image_id": 999}}, NotFound, []),
        ({"body_format": "rich_text"}, BodyFormatNotPermitted, []),
        ({"body": "x" * (256 * 1024 + 1)}, ValidationFailed, ["body"]),
        ({"series": "Taken", "series_position": 1}, ValidationFailed, ["series_position"]),
    ],
    ids=["author", "image", "format", "body", "position"],
)
def test_a_refused_adoption_leaves_nothing(fields: dict[str, Any], refusal: type[Any], details: list[str]) -> None:
    save(title="Other", series="Taken", series_position=1)

    with refused(refusal, details):
        adopt(WHOLE, **{"category": "Fresh", "tags": ["Fresh"], **fields})


def test_another_format_is_adopted_where_it_is_permitted(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])

    assert adopt(body_format="rich_text", body="<p>Ten.</p>").post.body_format == BodyFormat.RICH_TEXT


def test_authors_are_made_once() -> None:
    adopt(author={"name": "Old Press", "type": "organization", "url": "https://old.example/"})
    adopt(source_id="18", slug="b", author="Old Press")

    assert list(Author.objects.values_list("name", "type", "url")) == [
        ("Old Press", "organization", "https://old.example/")
    ]


def test_texts_are_stored_as_they_were_sent() -> None:
    post = adopt(ARTICLE, body="  Ten.\r\n\r\n", title=" Ferry ").post

    assert (post.title, post.body) == (" Ferry ", "  Ten.\r\n\r\n")
