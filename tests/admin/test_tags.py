"""Tags at the desk."""

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.models import Tag
from tests.admin.desk import faults, logged, nothing_written, page_of, sent, url
from tests.support.factories import save, update
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def soil() -> Tag:
    save(title="One", tags=["Soil"], publish=True)
    save(title="Two", tags=["Earth"], publish=True)
    return Tag.objects.get(name="Soil")


def test_the_list_counts_only_the_posts_of_its_page(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(admin.site._registry[Tag]), "list_per_page", 2)
    save(title="One", tags=["Soil", "Bark", "Ants", "Clay"])
    save(title="Two", tags=["Soil", "Clay"])

    with CaptureQueriesContext(connection) as queries:
        second = editor.get(url("tag_changelist"), {"p": 2}).context["cl"]

    assert [(tag.name, tag.posts_count) for tag in second.result_list] == [("Clay", 2), ("Soil", 2)]
    counting = [one["sql"] for one in queries if '"posts_count"' in one["sql"]]
    assert len(counting) == 1
    assert '"blog_engine_tag"."id" ' in counting[0].partition("WHERE")[2]
    assert "LIMIT" not in counting[0]


def test_a_tag_is_renamed(editor: Client, soil: Tag) -> None:
    sent(editor, "tag_change", soil.pk, name="Ground", slug="ground")

    soil.refresh_from_db()
    assert (soil.name, soil.key, soil.slug) == ("Ground", "ground", "ground")
    assert editor.get("/blog/tag/soil")["Location"] == "/blog/tag/ground"
    assert logged() == [(2, "Ground")]


@pytest.mark.parametrize(("name", "slug", "wrong"), [("EARTH", "soil", "name"), ("Soil", "earth", "slug")])
def test_the_name_of_another_tag_is_refused_at_its_field(
    editor: Client, soil: Tag, name: str, slug: str, wrong: str
) -> None:
    with nothing_written():
        assert faults(sent(editor, "tag_change", soil.pk, name=name, slug=slug)) == [wrong]


def test_a_tag_is_merged_into_another_one(editor: Client, soil: Tag) -> None:
    page = page_of(editor, "tag_merge", soil.pk)
    answer = sent(editor, "tag_merge", soil.pk, target="earth")

    assert "It has 1 post." in page
    assert '<option value="Earth">' in page
    assert answer["Location"] == url("tag_changelist")
    assert list(Tag.objects.values_list("name", flat=True)) == ["Earth"]
    assert editor.get("/blog/tag/soil")["Location"] == "/blog/tag/earth"
    assert logged() == [(3, "Soil"), (2, "Earth")]


@pytest.mark.parametrize("target", ["", "Nothing", "soil"])
def test_a_merge_needs_another_tag(editor: Client, soil: Tag, target: str) -> None:
    with nothing_written():
        assert faults(sent(editor, "tag_merge", soil.pk, target=target)) == ["target"]


def test_a_tag_that_posts_have_is_not_deleted(editor: Client, soil: Tag) -> None:
    before = everything_stored()

    assert faults(sent(editor, "tag_delete", soil.pk)) == ["__all__"]
    assert everything_stored() == before
    assert url("tag_merge", soil.pk) in page_of(editor, "tag_delete", soil.pk)


def test_a_tag_without_posts_is_deleted(editor: Client, soil: Tag) -> None:
    update(soil.posts.get(), tags=[])

    sent(editor, "tag_delete", soil.pk)

    assert not Tag.objects.filter(name="Soil").exists()
    assert editor.get("/blog/tag/soil").status_code == 410


def test_tags_are_found_by_name_and_counted(editor: Client, soil: Tag) -> None:
    page = editor.get(url("tag_changelist"), {"q": "soi"}).content.decode()

    assert "Soil" in page
    assert ">Earth<" not in page
    assert '<td class="field-number_of_posts">1 <span class="list-unit">post</span></td>' in page
