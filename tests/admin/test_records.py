"""Categories, series and authors at the desk."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.models import Author, Category, Image, Post, Series
from tests.admin.desk import EDITOR, desk, faults, logged, nothing_written, page_of, sent, url
from tests.requirements import requirement
from tests.support.factories import make_author, make_category, make_series, save, store_image
from tests.support.images import png

pytestmark = pytest.mark.django_db

CATEGORY = {"name": "Soil", "slug": "", "description": "", "position": "0"}
AUTHOR = {"name": "Mina", "slug": "mina", "type": "person", "bio": "", "url": "", "profile_urls": "", "avatar": ""}


def test_a_category_is_added(editor: Client) -> None:
    answer = sent(editor, "category_add", **CATEGORY | {"description": "All of it.\r\nReally.", "position": "3"})

    category = Category.objects.get()
    assert answer["Location"] == url("category_changelist")
    assert (category.name, category.slug, category.description, category.position) == (
        *("Soil", "soil", "All of it.\nReally."),
        3,
    )
    assert logged() == [(1, "Soil")]


def test_a_category_is_changed(editor: Client) -> None:
    category = make_category(name="Soil")

    sent(editor, "category_change", category.pk, **CATEGORY | {"name": "Earth", "slug": "soil"})

    assert Category.objects.get().name == "Earth"
    assert logged() == [(2, "Earth")]


def test_only_what_was_changed_is_sent(editor: Client) -> None:
    category = make_category(name="Soil", description="Kept.\r\n")

    sent(editor, "category_change", category.pk, name="Earth", slug="soil", description="Kept.\r\n", position="0")

    assert Category.objects.get().description == "Kept.\r\n"


@requirement("taxonomy.moves")
def test_a_new_slug_of_a_category_leaves_a_redirect(editor: Client) -> None:
    category = make_category(name="Soil")

    sent(editor, "category_change", category.pk, **CATEGORY | {"slug": "earth"})

    assert editor.get("/blog/category/soil")["Location"] == "/blog/category/earth"


def test_a_fault_is_shown_at_its_field(editor: Client, subtests: pytest.Subtests) -> None:
    make_category(name="Sea")

    for fields, wrong in [
        ({"name": ""}, ["name"]),
        ({"name": "x" * 256}, ["name"]),
        ({"name": "a" + "\u0301" * 31}, ["name"]),
        ({"name": "Sea"}, ["name"]),
        ({"slug": "Bad Slug!"}, ["slug"]),
        ({"slug": "sea"}, ["slug"]),
        ({"position": "x"}, ["position"]),
        ({"position": "9999999999"}, ["position"]),
    ]:
        with subtests.test(fields=fields, wrong=wrong), nothing_written():
            answer = sent(editor, "category_add", **CATEGORY | fields)

            assert faults(answer) == wrong


@requirement("taxonomy.deletion")
def test_a_category_is_deleted_into_another_one(editor: Client) -> None:
    post = save(category="Soil", publish=True).post
    other = make_category(name="Earth")

    sent(editor, "category_delete", post.category_id, choice="target", target="Earth")

    assert Post.objects.get().category == other
    assert editor.get("/blog/category/soil")["Location"] == "/blog/category/earth"
    assert logged() == [(3, "Soil"), (2, "Earth")]


@requirement("taxonomy.deletion")
def test_a_category_is_deleted_without_another_one(editor: Client) -> None:
    post = save(category="Soil", publish=True).post

    sent(editor, "category_delete", post.category_id, choice="gone", target="")

    assert Post.objects.get().category is None
    assert editor.get("/blog/category/soil").status_code == 410


@requirement("taxonomy.deletion")
def test_a_deletion_without_a_choice_asks_again(editor: Client, subtests: pytest.Subtests) -> None:
    post = save(category="Soil").post

    for fields, wrong in [
        ({}, "choice"),
        ({"choice": "target"}, "target"),
        ({"choice": "target", "target": "Nothing"}, "target"),
        ({"choice": "target", "target": "soil"}, "target"),
        ({"choice": "elsewhere"}, "choice"),
    ]:
        with subtests.test(fields=fields, wrong=wrong), nothing_written():
            answer = sent(editor, "category_delete", post.category_id, **fields)

            assert wrong in faults(answer)


@requirement("taxonomy.deletion")
def test_categories_are_not_deleted_many_at_once(editor: Client) -> None:
    category = make_category()

    editor.post(
        url("category_changelist"), {"action": "delete_selected", "_selected_action": [category.pk], "post": "yes"}
    )

    assert Category.objects.exists()


@pytest.mark.parametrize("target", ["earth", "Earth"])
def test_a_series_is_merged_into_another_one(editor: Client, target: str) -> None:
    one = save(title="One", series="Soil", series_position=1).post
    two = save(title="Two", series="Earth", series_position=1).post

    sent(editor, "series_merge", one.series_id, target=target)

    assert dict(Post.objects.values_list("title", "series_position")) == {"One": 2, "Two": 1}
    assert Series.objects.get().pk == two.series_id


def test_a_name_that_several_series_have_needs_the_slug(editor: Client) -> None:
    one = make_series(name="Soil")
    make_series(name="Earth", slug="a")
    make_series(name="Earth", slug="b")

    assert faults(sent(editor, "series_merge", one.pk, target="Earth")) == ["target"]
    assert sent(editor, "series_merge", one.pk, target="b").status_code == 302
    assert set(Series.objects.values_list("slug", flat=True)) == {"a", "b"}


def test_names_of_others_complete_the_target(editor: Client) -> None:
    category, other = make_category(name="Soil"), make_category(name='"><b>Earth')

    page = page_of(editor, "category_merge", category.pk)

    assert '<option value="&quot;&gt;&lt;b&gt;Earth">' in page
    assert '<option value="Soil">' not in page
    assert other.name not in page


def test_a_series_is_added_and_its_list_counts_posts(editor: Client) -> None:
    sent(editor, "series_add", name="Tides", slug="", description="")
    save(series="Tides")

    page = page_of(editor, "series_changelist")

    assert Series.objects.get().slug == "tides"
    assert '<td class="field-number_of_posts">1 <span class="list-unit">post</span></td>' in page


def test_an_author_is_added(editor: Client) -> None:
    links = "https://a.example/mina\r\n\r\n https://b.example/mina?x[]=1 "

    sent(editor, "author_add", **AUTHOR | {"slug": "", "url": "https://intranet/mina_h", "profile_urls": links})

    author = Author.objects.get()
    assert (author.slug, author.url) == ("mina", "https://intranet/mina_h")
    assert author.profile_urls == ["https://a.example/mina", "https://b.example/mina?x[]=1"]


def test_an_author_is_held_to_the_rules_of_the_api(editor: Client, subtests: pytest.Subtests) -> None:
    author = make_author(name="Mina", slug="mina")
    make_author(name="Rosa", slug="rosa")

    for field, value in [
        ("slug", "Bad Slug!"),
        ("slug", "rosa"),
        ("url", "javascript:alert(1)"),
        ("profile_urls", "https://a.example/\njavascript:alert(1)"),
        ("type", "robot"),
        ("avatar", "x"),
        ("avatar_upload", SimpleUploadedFile("mina.png", b"text", "image/png")),
        ("avatar", 10**9),
    ]:
        with subtests.test(field=field, value=value), nothing_written():
            answer = sent(editor, "author_change", author.pk, **AUTHOR | {field: value})

            # An image that does not exist is a fault of the whole record.
            assert faults(answer) == ["__all__" if value == 10**9 else field]


def test_the_picture_of_an_author_is_uploaded(editor: Client) -> None:
    author = make_author(name="Mina", slug="mina")
    file = SimpleUploadedFile("mina.png", png("teal"), "image/png")

    sent(editor, "author_change", author.pk, **AUTHOR | {"avatar_upload": file})

    author.refresh_from_db()
    assert author.avatar == Image.objects.get()
    assert author.avatar.uploaded_by == "Ed Editor"


def test_the_picture_of_an_author_is_picked_and_cleared(editor: Client) -> None:
    author, image = make_author(name="Mina", slug="mina"), store_image()

    assert f'name="avatar" value="{image.pk}"' in page_of(editor, "author_change", author.pk)
    sent(editor, "author_change", author.pk, **AUTHOR | {"avatar": image.pk})
    assert Author.objects.get().avatar == image

    sent(editor, "author_change", author.pk, **AUTHOR | {"avatar": ""})
    assert Author.objects.get().avatar is None


def test_pictures_are_found_by_file_name_and_nothing_that_was_entered_is_lost(editor: Client) -> None:
    author = make_author(name="Mina", slug="mina")
    store_image(png("teal"), filename="teal.png")
    store_image(png("red"), filename="red.png")

    with nothing_written():
        answer = sent(editor, "author_change", author.pk, **AUTHOR | {"name": "Other"}, find="1", find_filename="ea")
        page = answer.content.decode()

    assert "teal.png" in page
    assert "red.png" not in page
    assert 'value="Other"' in page


def test_no_author_is_deleted(editor: Client) -> None:
    author = make_author()

    assert editor.get(f"{url('author_changelist')}{author.pk}/delete/").status_code in {302, 404}


@requirement("desk.queries")
def test_a_list_takes_as_many_queries_with_more_records() -> None:
    editor = desk(*EDITOR, "manage_tokens")

    def fill(start: int) -> None:
        for number in range(start, start + 6):
            image = store_image(png(f"rgb({number},9,9)"), filename=f"{number}.png")
            fields: dict[str, Any] = {name: f"{name} {number}" for name in ("category", "series", "author")}
            save(title=f"Post {number}", tags=[f"Tag {number}"], cover_image={"image_id": image.pk}, **fields)

    def counts() -> dict[str, int]:
        found = {}
        for page in ("category", "tag", "series", "author", "image", "redirect", "apitoken"):
            with CaptureQueriesContext(connection) as queries:
                assert editor.get(url(f"{page}_changelist")).status_code == 200
            found[page] = len(queries)
        return found

    fill(0)
    few = counts()
    fill(6)
    assert counts() == few
    assert max(few.values()) <= 12
