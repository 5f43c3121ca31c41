"""Names of categories, tags, series and authors at the desk, however they are spelled."""

from typing import Any

import pytest
from django.test import Client

from blog_engine.models import Author, Category, Post, Series, Tag
from tests.admin.desk import nothing_written, opened, page_of, send, sent, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import make_author, make_category, make_series, save

pytestmark = pytest.mark.django_db


@requirement("taxonomy.names.same")
def test_a_form_takes_the_stored_records_of_names_in_another_case(writer: Client) -> None:
    save(title="First", category="Brand new", series="Night boats", author="Mina Holt", tags=["Python"])
    fields = opened(writer)

    send(
        writer,
        url("post_add"),
        fields,
        title="Second",
        category="brand NEW",
        series="night BOATS",
        author="mina  holt",
        tags="PYTHON",
    )

    post = stored(Post.objects.get(title="Second"))
    assert post.category is not None
    assert post.series is not None
    assert (post.category.name, post.series.name, post.author_name) == ("Brand new", "Night boats", "Mina Holt")
    assert [model.objects.count() for model in (Category, Series, Tag)] == [1, 1, 1]
    assert Author.objects.filter(name__iexact="mina holt").count() == 1


@requirement("taxonomy.slugs.numbered")
def test_names_that_share_a_part_of_the_url_are_two_records(writer: Client) -> None:
    save(title="First", series="Soil & Water", author="Zoë Quay")

    send(writer, url("post_add"), opened(writer), title="Second", series="Soil; Water", author="Zoe Quay")

    post = stored(Post.objects.get(title="Second"))
    assert post.series is not None
    assert (post.series.slug, post.author.slug, post.author_name) == ("soil-water-2", "zoe-quay-2", "Zoe Quay")


@requirement("taxonomy.names.digits")
@pytest.mark.parametrize("field", ["category", "series"])
def test_digits_never_are_the_number_of_a_record_at_the_desk(writer: Client, field: str) -> None:
    record = getattr(save(title="First", **{field: "Beds"}).post, field)

    with nothing_written():
        answer = send(writer, url("post_add"), opened(writer), title="Second", **{field: str(record.pk)})

    (said,) = answer.context["form"].errors[field]  # type: ignore[attr-defined]  # of a test answer
    assert said.startswith("No")


@requirement("desk.refusals")
@pytest.mark.parametrize(("page", "make"), [("category", make_category), ("tag", None)], ids=["category", "tag"])
def test_renaming_to_a_name_that_is_taken_leads_to_merging(editor: Client, page: str, make: Any) -> None:
    if make:
        one, other = make(name="Soil"), make(name="Earth")
    else:
        save(tags=["Soil", "Earth"])
        one, other = Tag.objects.get(name="Soil"), Tag.objects.get(name="Earth")

    answer = sent(editor, f"{page}_change", one.pk, name="EARTH", slug=one.slug, position="0")

    merge = f"{url(f'{page}_merge', one.pk)}?target={other.slug}"
    assert f'<a href="{merge}">Merge into “Earth”</a>' in answer.content.decode()
    assert f'value="{other.slug}"' in editor.get(merge).content.decode()
    assert "slug" not in text_of(answer)


@requirement("desk.refusals")
@pytest.mark.parametrize(("page", "make"), [("author", make_author), ("series", make_series)], ids=["author", "series"])
def test_a_new_record_of_a_name_that_is_taken_leads_to_the_stored_one(editor: Client, page: str, make: Any) -> None:
    stored_one = make(name="Night boats")

    answer = sent(editor, f"{page}_add", name="night BOATS", type="person")

    assert f'Another record has this name: <a href="{url(f"{page}_change", stored_one.pk)}">' in answer.content.decode()


@requirement("taxonomy.names.same")
def test_merging_finds_its_target_in_another_case(editor: Client) -> None:
    one, other = make_category(name="Soil"), make_category(name="Brand new")

    sent(editor, "category_merge", one.pk, target="BRAND  new")

    assert list(Category.objects.all()) == [other]


def test_lists_name_the_last_part_of_the_url(editor: Client) -> None:
    make_category(name="Soil")

    assert "Last part of the URL" in page_of(editor, "category_changelist")


@requirement("findings.made")
def test_the_desk_tells_which_records_a_save_made(writer: Client) -> None:
    save(title="First", category="History", tags=["frost"])

    answer = send(writer, url("post_add"), opened(writer), title="Second", category="Histroy", tags="frost")
    post = stored(Post.objects.get(title="Second"))
    again = send(writer, url("post_change", post.pk), opened(writer, post.pk), series="Tides")

    messages = [[str(one) for one in each.wsgi_request._messages] for each in (answer, again)]
    assert messages == [
        ["The draft was saved. The category “Histroy” is new, and there is “History”: use that name if you meant it."],
        ["The post was saved. The series “Tides” is new."],
    ]
