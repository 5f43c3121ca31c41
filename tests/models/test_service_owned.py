"""Posts and their FAQ entries are written by the services only."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import ProtectedError

from blog_engine.models import Category, DirectWrite, Faq, Post, PostTag, Series, Tag
from tests.requirements import requirement
from tests.support.integrity import past_the_engine
from tests.support.tables import NOON, execute, insert_history, insert_post, stored_rows

pytestmark = pytest.mark.django_db

WAYS: dict[str, Callable[[Any], object]] = {
    "save": lambda row: row.save(),
    "save one column": lambda row: row.save(update_fields=["created_at"]),
    "save a new row": lambda row: type(row)().save(),
    "delete": lambda row: row.delete(),
    "create": lambda row: type(row).objects.create(),
    "get or create": lambda row: type(row).objects.get_or_create(pk=0),
    "update or create": lambda row: type(row).objects.update_or_create(pk=row.pk),
    "update": lambda row: type(row).objects.update(created_at=row.created_at),
    "update by the base manager": lambda row: type(row)._base_manager.update(created_at=row.created_at),
    "delete all": lambda row: type(row).objects.all().delete(),
    "create in bulk": lambda row: type(row).objects.bulk_create([type(row)()]),
    "update in bulk": lambda row: type(row).objects.bulk_update([row], ["created_at"]),
}


def make_faq(post: Post) -> Faq:
    faq = Faq(post=post, position=1, question="When?", answer="At noon.", created_at=NOON, updated_at=NOON)
    faq.store()
    return faq


@requirement("history.protection.services")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["post", "faq"])
def test_a_direct_write_is_refused(kind: str, way: str) -> None:
    faq = make_faq(insert_post())
    before = [list(Post.objects.values()), list(Faq.objects.values())]

    with pytest.raises(DirectWrite):
        WAYS[way](faq if kind == "faq" else faq.post)

    assert [list(Post.objects.values()), list(Faq.objects.values())] == before


@pytest.mark.parametrize("relation", ["faqs", "author"])
def test_a_related_manager_cannot_write(relation: str) -> None:
    post = make_faq(insert_post()).post
    manager = post.faqs if relation == "faqs" else post.author.posts

    for write in (manager.create, lambda: manager.update(created_at=None), lambda: manager.all().delete()):
        with pytest.raises(DirectWrite):
            write()


def test_the_services_discard_a_draft_with_what_hangs_on_it() -> None:
    post = make_faq(insert_post()).post
    PostTag.objects.create(post=post, tag=Tag.objects.create(name="Tide", key="tide", slug="tide"))

    post.discard()

    assert [model.objects.count() for model in (Post, Faq, PostTag, Tag)] == [0, 0, 0, 1]


def test_a_tag_in_use_can_be_deleted() -> None:
    post = insert_post()
    tag = Tag.objects.create(name="Tide", key="tide", slug="tide")
    PostTag.objects.create(post=post, tag=tag)

    tag.delete()

    assert list(post.tags.all()) == []


@requirement("taxonomy.kept")
@pytest.mark.parametrize("model", [Category, Series])
def test_deleting_a_category_or_series_leaves_its_posts_without_one(model: type[Category | Series]) -> None:
    row = model.objects.create(name="Sea", slug="sea")
    insert_post(**{model.__name__.lower(): row})

    row.delete()

    assert Post.objects.filter(category=None, series=None).count() == 1


@requirement("taxonomy.kept")
def test_an_author_of_posts_cannot_be_deleted() -> None:
    author = insert_post().author

    with pytest.raises(ProtectedError):
        author.delete()

    assert Post.objects.get().author == author


@pytest.mark.django_db(transaction=True)
def test_a_dump_of_a_blog_can_be_loaded_into_an_empty_database(tmp_path: Path) -> None:
    history = insert_history()
    make_faq(history.post)
    with past_the_engine():
        # Their hashes are invented, and a load checks them.
        execute("DELETE FROM blog_engine_chainlink")
        execute("DELETE FROM blog_engine_checkpoint")
    before = [stored_rows(), list(Post.objects.values()), list(Faq.objects.values())]
    dump = f"{tmp_path}/dump.json"
    call_command("dumpdata", "blog_engine", output=dump, verbosity=0)
    with past_the_engine():
        call_command("flush", interactive=False, verbosity=0)

    call_command("loaddata", dump, verbosity=0)

    assert [stored_rows(), list(Post.objects.values()), list(Faq.objects.values())] == before
