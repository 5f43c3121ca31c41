"""The records that a write makes because it names them: findings that tell, and near names."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.errors import NotFound
from blog_engine.findings import Finding
from blog_engine.inputs.proposals import ProposalRef
from blog_engine.models import Author, Category, Series, Tag
from blog_engine.services import Written, read_proposal
from tests.requirements import requirement
from tests.support.factories import ARTICLE, NOW, adopt, save, update
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db

MODELS: dict[str, Any] = {"category": Category, "series": Series, "author": Author, "tag": Tag}


def named(kind: str, name: str) -> dict[str, Any]:
    return {"tags": [name]} if kind == "tag" else {kind: name}


def told(written: Written, kind: str) -> Finding | None:
    return next((one for one in written.findings if one.code == f"{kind}_created"), None)


@requirement("findings.made")
@pytest.mark.parametrize("kind", MODELS)
def test_a_new_record_is_told_once(kind: str) -> None:
    first = save(title="1", **named(kind, "Night Boats"))
    again = save(title="2", **named(kind, "night  BOATS"))
    kept = update(first.post, title="3")

    finding = told(first, kind)
    assert finding is not None
    assert (finding.location, finding.rule) == ("tags" if kind == "tag" else kind, None)
    assert "Night Boats" in finding.message
    assert "there is" not in finding.message
    assert told(again, kind) is told(kept, kind) is None


NEAR = [
    ("History", "Histroy"),
    ("Recipes", "Recipe"),
    ("Garden Tools", "Garden-Tools"),
    ("Café Culture", "Cafe Culture"),
    ("Howto", "How to"),
    ("Ada Example", "Ada Exampel"),
    ("Photography", "Photographi"),
    ("Кухня народов", "Кухня народав"),
]


@requirement("findings.made", "taxonomy.names.near")
@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize(("stored", "sent"), NEAR)
def test_a_misspelt_name_leads_to_the_stored_one(kind: str, stored: str, sent: str) -> None:
    save(title="1", **named(kind, stored))

    finding = told(save(title="2", **named(kind, sent)), kind)

    assert finding is not None
    assert (stored in finding.message, sent in finding.message) == (True, True)


@requirement("taxonomy.names.near")
@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize(
    ("stored", "sent"), [("Part 1", "Part 2"), ("2024", "x2025"), ("AI", "AR"), ("Soil", "Soul"), ("Water", "Fire")]
)
def test_other_words_and_numbers_are_not_near(kind: str, stored: str, sent: str) -> None:
    key = {"key": stored.lower()} if kind == "tag" else {}
    MODELS[kind].objects.create(name=stored, slug=stored.lower().replace(" ", "-"), **key)

    finding = told(save(**named(kind, sent)), kind)

    assert finding is not None
    assert stored not in finding.message


@requirement("findings.made")
def test_several_new_tags_are_one_finding() -> None:
    save(title="1", tags=["frost", "harbour"])

    finding = told(save(title="2", tags=["frosts", "harbor", "frost", "ice"]), "tag")

    assert finding is not None
    assert finding.message == (
        "These tags are new: “frosts”, “harbor”, “ice”. Others have nearly the same name: “frost” (“frosts”), "
        "“harbour” (“harbor”). Use those names if you meant them."
    )


@requirement("findings.made")
def test_of_many_new_tags_some_are_named() -> None:
    written = save(tags=[f"tag number {number}" for number in range(60)])

    finding = told(written, "tag")
    assert finding is not None
    assert (finding.message.count("“"), "…" in finding.message) == (10, True)


@requirement("findings.made")
def test_the_author_of_the_setting_is_not_told() -> None:
    assert told(save(), "author") is None
    assert told(save(title="2", author={"name": "Mina Holt"}), "author") is not None


@requirement("findings.made")
def test_a_dry_run_tells_and_makes_nothing() -> None:
    post = save(category="History").post

    before = everything_stored()

    finding = told(update(post, category="Histroy", dry_run=True), "category")

    assert everything_stored() == before
    assert finding is not None
    assert "“History”" in finding.message


@requirement("findings.made")
def test_a_proposal_tells_what_it_would_make() -> None:
    post = save(category="History", tags=["frost"], publish=True).post
    fields = {"category": "Histroy", "tags": ["frosts"], "series": "Tides", "propose": True}

    rehearsed = update(post, dry_run=True, **fields)
    written = update(post, **fields)
    content = read_proposal(ProposalRef(proposal=written.proposal), now=NOW)

    found = {one.code: one.message for one in content.findings if one.code.endswith("_created")}
    assert found.keys() == {"category_created", "series_created", "tag_created"}
    assert ("“History”" in found["category_created"], "“frost”" in found["tag_created"]) == (True, True)
    assert {one.code: one.message for one in rehearsed.findings if one.code.endswith("_created")} == found
    assert not any(one.code.endswith("_created") for one in written.findings)
    assert not Category.objects.filter(name="Histroy").exists()


@requirement("findings.made")
def test_an_adoption_tells() -> None:
    adopted = adopt(ARTICLE, category="Ferries", tags=["night"], author={"name": "Mina Holt"})

    assert {one.code for one in adopted.findings if one.code.endswith("_created")} == {
        *("author_created", "category_created", "tag_created")
    }


@requirement("taxonomy.names.near")
def test_near_names_take_one_query_for_each_kind_that_is_new() -> None:
    save(title="1", category="History", tags=["frost"])

    with CaptureQueriesContext(connection) as queries:
        save(title="2", category="Histroy", tags=["frosts", "ices", "boats"])

    lookups = [one["sql"] for one in queries.captured_queries if "json_each" in one["sql"] or "text[]" in one["sql"]]
    assert len([sql for sql in lookups if "slug" in sql]) == 2


@requirement("taxonomy.names.digits")
@pytest.mark.parametrize("kind", ["category", "series", "author"])
@pytest.mark.parametrize("digits", ["987654", "\uff19\uff18\uff17", "9" * 40])
def test_digits_in_any_width_make_no_record(kind: str, digits: str) -> None:
    post = save().post

    before = everything_stored()

    with pytest.raises(NotFound):
        update(post, **{kind: digits})

    assert everything_stored() == before


@requirement("taxonomy.names.digits")
def test_full_width_digits_are_an_id() -> None:
    category = save(title="1", category="Beds").post.category
    wide = "".join(chr(ord(digit) + 0xFEE0) for digit in str(category.pk))

    assert save(title="2", category=wide).post.category == category
    assert [tagging.tag.name for tagging in save(title="3", tags=["77"]).post.taggings.all()] == ["77"]
