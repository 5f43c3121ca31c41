"""Creating and editing authors."""

from typing import Any

import pytest

from blog_engine.actor import Actor
from blog_engine.errors import NotFound, ScopeRequired, ValidationFailed
from blog_engine.models import Author, Post
from tests.requirements import requirement
from tests.support.factories import NOW, edit_author, make_author, save
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db

READER = Actor("Reader", scopes=["read", "publish"])
COLUMNS = ("name", "slug", "type", "bio", "url", "profile_urls", "host_reference", "avatar_id")


def columns(author: Author) -> dict[str, Any]:
    return Author.objects.values(*COLUMNS).get(pk=author.pk)


@requirement("taxonomy.authors.defaults")
def test_a_name_is_enough() -> None:
    author = make_author(name=" Zoë Quay ")

    assert columns(author) == {
        "name": "Zoë Quay",
        "slug": "zoe-quay",
        "type": "person",
        "bio": "",
        "url": None,
        "profile_urls": [],
        "host_reference": None,
        "avatar_id": None,
    }
    assert Author.objects.get().created_at == NOW


EVERYTHING: dict[str, Any] = {
    "name": "Quay Ltd",
    "slug": "quay",
    "type": "organization",
    "bio": "Since *1920*.\r\n",
    "url": "https://quay.example/about",
    "profile_urls": ["https://social.example/@quay", "http://intranet/quay"],
    "host_reference": "company:7",
}


@requirement("taxonomy.authors.fields")
def test_every_field_is_stored() -> None:
    assert columns(make_author(**EVERYTHING)) == EVERYTHING | {"avatar_id": None}


@requirement("taxonomy.statuses")
@pytest.mark.parametrize(
    ("fields", "changed"),
    [
        ({}, {}),
        ({"name": "Quay & Sons"}, {"name": "Quay & Sons"}),
        ({"slug": " "}, {}),
        ({"slug": "sons"}, {"slug": "sons"}),
        ({"type": "person"}, {"type": "person"}),
        ({"bio": None}, {"bio": ""}),
        ({"url": None, "host_reference": ""}, {"url": None, "host_reference": None}),
        ({"profile_urls": []}, {"profile_urls": []}),
    ],
)
def test_an_edit_writes_what_was_sent_and_keeps_the_rest(fields: dict[str, Any], changed: dict[str, Any]) -> None:
    author = make_author(**EVERYTHING)

    edit_author(author.pk, **fields)

    assert columns(author) == EVERYTHING | {"avatar_id": None} | changed


@requirement("taxonomy.slugs.fallback")
def test_a_name_without_letters_has_a_slug_of_its_kind() -> None:
    assert make_author(name="!!!").slug.startswith("author-")


@requirement("taxonomy.slugs")
def test_two_authors_may_share_a_name_but_no_slug() -> None:
    make_author(name="Mina Holt")

    other = make_author(name="Mina Holt", slug="mina-2")

    with refused(ValidationFailed, ["name"]):
        make_author(name="Mina Holt")
    with refused(ValidationFailed, ["slug"]):
        make_author(name="Another", slug="mina-holt")
    with refused(ValidationFailed, ["slug"]):
        edit_author(other.pk, slug="mina-holt", bio="New.")


def test_an_author_who_does_not_exist_is_not_found() -> None:
    with refused(NotFound, []):
        edit_author(1, name="Nobody")


@requirement("taxonomy.scopes")
def test_writing_needs_the_scope_write() -> None:
    author = make_author()

    with refused(ScopeRequired, ["write"]):
        make_author(name="Other", actor=READER)
    with refused(ScopeRequired, ["write"]):
        edit_author(author.pk, actor=READER)


@requirement("taxonomy.renamed")
def test_renaming_changes_neither_bylines_nor_identifiers_of_posts() -> None:
    post = save(author="Mina Holt", publish=True).post
    before = everything_stored()

    edit_author(post.author_id, name="Mina Quay", slug="mina-quay", type="organization", url="https://mina.example")

    after = everything_stored()
    assert after.pop("Author") != before.pop("Author")
    assert after.pop("Redirect") != before.pop("Redirect")
    assert after == before
    assert (Post.objects.get().author_name, Post.objects.get().author.name) == ("Mina Holt", "Mina Quay")
