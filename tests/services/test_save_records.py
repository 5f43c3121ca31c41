"""Creating and editing categories, series and authors."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.db.models import Model

from blog_engine.actor import Actor
from blog_engine.content.text import slug_from_name
from blog_engine.errors import NotFound, ScopeRequired, ValidationFailed
from blog_engine.models import Author, Category, Post, Series
from tests.requirements import requirement
from tests.support.factories import (
    NOW,
    edit_author,
    edit_category,
    edit_series,
    make_author,
    make_category,
    make_series,
    save,
)
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db

READER = Actor("Reader", scopes=["read", "publish"])


class Kind(NamedTuple):
    """A kind of record, with its columns beside name and slug."""

    model: type[Model]
    make: Callable[..., Any]
    edit: Callable[..., Any]
    defaults: dict[str, Any]
    everything: dict[str, Any]


AUTHOR = Kind(
    Author,
    make_author,
    edit_author,
    {"type": "person", "bio": "", "url": None, "profile_urls": [], "host_reference": None, "avatar_id": None},
    {
        "name": "Quay Ltd",
        "slug": "quay",
        "type": "organization",
        "bio": "Since *1920*.\r\n",
        "url": "https://quay.example/about",
        "profile_urls": ["https://social.example/@quay", "http://intranet/quay"],
        "host_reference": "company:7",
    },
)
CATEGORY = Kind(
    Category,
    make_category,
    edit_category,
    {"description": "", "position": 0},
    {"name": "Garden", "slug": "g_1", "description": " All *of* it.\r\n", "position": -3},
)
SERIES = Kind(
    Series, make_series, edit_series, {"description": ""}, {"name": "High tide", "slug": "ht", "description": "D"}
)
of_each_kind = pytest.mark.parametrize("kind", [AUTHOR, CATEGORY, SERIES], ids=["author", "category", "series"])


def columns(kind: Kind, record: Model) -> dict[str, Any]:
    return kind.model._default_manager.values("name", "slug", *kind.defaults).get(pk=record.pk)


@requirement("taxonomy.authors.defaults", "taxonomy.categories.position", "taxonomy.series.fields")
@of_each_kind
def test_a_name_is_enough(kind: Kind) -> None:
    record = kind.make(name=" Zoë Quay ")

    assert columns(kind, record) == {"name": "Zoë Quay", "slug": "zoe-quay"} | kind.defaults
    assert record.created_at == NOW


@requirement("taxonomy.authors.fields", "taxonomy.categories.fields", "taxonomy.series.fields")
@of_each_kind
def test_every_field_is_stored(kind: Kind) -> None:
    assert columns(kind, kind.make(**kind.everything)) == kind.defaults | kind.everything


EDITS: list[tuple[Kind, dict[str, Any], dict[str, Any]]] = [
    *((kind, {}, {}) for kind in (AUTHOR, CATEGORY, SERIES)),
    *((kind, {"name": "Quay & Sons"}, {"name": "Quay & Sons"}) for kind in (AUTHOR, CATEGORY, SERIES)),
    *((kind, {"slug": slug}, {}) for kind in (AUTHOR, CATEGORY, SERIES) for slug in (None, "", " ")),
    *((kind, {"slug": "sons"}, {"slug": "sons"}) for kind in (AUTHOR, CATEGORY, SERIES)),
    *((kind, {"description": None}, {"description": ""}) for kind in (CATEGORY, SERIES)),
    (AUTHOR, {"type": "person"}, {"type": "person"}),
    (AUTHOR, {"bio": None}, {"bio": ""}),
    (AUTHOR, {"url": None, "host_reference": ""}, {"url": None, "host_reference": None}),
    (AUTHOR, {"profile_urls": []}, {"profile_urls": []}),
    (CATEGORY, {"name": "Garden", "slug": "g_1"}, {}),
    (CATEGORY, {"position": 0}, {"position": 0}),
]


@requirement("taxonomy.statuses", "taxonomy.categories.fields", "taxonomy.series.fields")
@pytest.mark.parametrize(("kind", "fields", "changed"), EDITS)
def test_an_edit_writes_what_was_sent_and_keeps_the_rest(
    kind: Kind, fields: dict[str, Any], changed: dict[str, Any]
) -> None:
    record = kind.make(**kind.everything)

    kind.edit(record.pk, **fields)

    assert columns(kind, record) == kind.defaults | kind.everything | changed


@requirement("taxonomy.slugs", "taxonomy.slugs.fallback", "posts.slug.derived")
@pytest.mark.parametrize("blank", [{}, {"slug": None}, {"slug": " "}])
@pytest.mark.parametrize("name", ["Été & Ähre", "!!!", "???"])
@of_each_kind
def test_a_blank_slug_is_made_from_the_name(kind: Kind, name: str, blank: dict[str, Any]) -> None:
    made = "ete-ahre" if name[0].isalpha() else slug_from_name(name, kind=kind.model.__name__.lower(), language="en")

    assert kind.make(name=name, **blank).slug == made
    assert made.startswith(("ete", f"{kind.model.__name__.lower()}-"))


@requirement("taxonomy.slugs")
@pytest.mark.parametrize("kind", [AUTHOR, SERIES], ids=["author", "series"])
def test_two_may_share_a_name_but_no_slug(kind: Kind) -> None:
    kind.make(name="Mina Holt")

    other = kind.make(name="Mina Holt", slug="mina-2")

    with refused(ValidationFailed, ["name"]):
        kind.make(name="Mina Holt")
    with refused(ValidationFailed, ["slug"]):
        kind.make(name="Another", slug="mina-holt")
    with refused(ValidationFailed, ["slug"]):
        kind.edit(other.pk, slug="mina-holt", name="New")


@requirement("taxonomy.slugs", "taxonomy.categories.unique")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"name": "Garden"}, ["name", "slug"]),
        ({"name": " Garden "}, ["name", "slug"]),
        ({"name": "Garden", "slug": "garden"}, ["name", "slug"]),
        ({"name": "Garden", "slug": "other"}, ["name"]),
        ({"name": "Other", "slug": "garden"}, ["slug"]),
    ],
)
def test_a_name_or_slug_of_another_category_is_refused(fields: dict[str, Any], details: list[str]) -> None:
    make_category(name="Garden")

    with refused(ValidationFailed, details):
        make_category(**fields)


@requirement("taxonomy.slugs")
@pytest.mark.parametrize(
    ("fields", "details"),
    [
        ({"name": "Garden"}, ["name"]),
        ({"slug": "garden"}, ["slug"]),
        ({"slug": "garden", "name": "Garden", "position": 5}, ["name", "slug"]),
    ],
)
def test_an_edit_takes_no_name_or_slug_of_another_category(fields: dict[str, Any], details: list[str]) -> None:
    make_category(name="Garden")
    other = make_category(name="Sea")

    with refused(ValidationFailed, details):
        edit_category(other.pk, **fields)


@requirement("taxonomy.slugs.numbered")
def test_a_new_category_gets_the_next_number_when_another_name_has_its_slug() -> None:
    make_category(name="Garden")

    assert [make_category(name=name).slug for name in ("garden!", "gärden")] == ["garden-2", "garden-3"]


@requirement("taxonomy.slugs.numbered")
@pytest.mark.parametrize("kind", [AUTHOR, SERIES], ids=["author", "series"])
def test_a_new_author_or_series_gets_the_next_number_when_another_name_has_its_slug(kind: Kind) -> None:
    kind.make(name="Zoe Quay")

    assert kind.make(name="Zoë Quay").slug == "zoe-quay-2"


@requirement("taxonomy.categories.unique", "taxonomy.names.same")
@pytest.mark.parametrize(
    "name",
    [
        "GARDEN HERBS",
        "garden  herbs",
        "\uff27\uff41\uff52\uff44\uff45\uff4e\u3000\uff28\uff45\uff52\uff42\uff53",
        "Garden\xa0herbs",
    ],
)
def test_a_category_of_the_same_name_is_refused(name: str) -> None:
    make_category(name="Garden herbs")
    other = make_category(name="Gärden herbs", slug="herbs")

    with refused(ValidationFailed, ["name"]):
        make_category(name=name, slug="capitals")
    with refused(ValidationFailed, ["name"]):
        edit_category(other.pk, name=name)


@requirement("taxonomy.categories.unique")
def test_a_category_can_change_the_case_of_its_name() -> None:
    stored = make_category(name="Garden")

    assert edit_category(stored.pk, name="GARDEN").name == "GARDEN"


@requirement("taxonomy.categories.unique")
def test_two_categories_from_before_that_differ_in_case_can_be_edited() -> None:
    stored = [Category.objects.create(name=name, slug=name) for name in ("garden", "GARDEN".lower() + "s")]
    Category.objects.filter(pk=stored[1].pk).update(name="GARDEN")

    assert edit_category(stored[1].pk, description="Herbs.").description == "Herbs."


@requirement("taxonomy.slugs.reserved")
def test_a_slug_may_be_a_word_that_posts_may_not_have() -> None:
    assert make_category(name="Feed").slug == "feed"


@of_each_kind
def test_a_record_that_does_not_exist_is_not_found(kind: Kind) -> None:
    for number in (1, 10**17):
        with refused(NotFound, []):
            kind.edit(number, name="Sea")


@requirement("taxonomy.scopes")
@of_each_kind
def test_writing_needs_the_scope_write(kind: Kind) -> None:
    record = kind.make()

    with refused(ScopeRequired, ["write"]):
        kind.make(name="Other", actor=READER)
    with refused(ScopeRequired, ["write"]):
        kind.edit(record.pk, name="Sea", actor=READER)


def test_a_post_finds_a_category_by_the_name_it_was_given() -> None:
    category = make_category(name=" Winter garden\n", slug="w")

    assert save(category="Winter garden").post.category_id == category.pk


@requirement("taxonomy.renamed")
def test_renaming_changes_neither_bylines_nor_rows_of_posts() -> None:
    post = save(author="Mina Holt", category="Garden", publish=True).post
    before = everything_stored()

    edit_author(post.author_id, name="Mina Quay", slug="mina-quay", type="organization", url="https://mina.example")
    edit_category(post.category_id, name="Earth", slug="earth", description="New.")

    after = everything_stored()
    for table in ("Author", "Category", "Redirect"):
        assert after.pop(table) != before.pop(table)
    assert after == before
    stored = Post.objects.get()
    assert (stored.author_name, stored.author.name, stored.category.name) == ("Mina Holt", "Mina Quay", "Earth")
