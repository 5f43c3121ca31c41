"""The content version changes with every committed write of what pages show, and with nothing else."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models, transaction

from blog_engine.enums import PostStatus
from blog_engine.models import (
    AppendOnly,
    Approval,
    Author,
    Baseline,
    Category,
    Coauthor,
    ConnectionDeclaration,
    ContentVersion,
    Faq,
    Image,
    ListCount,
    PageView,
    PolicyPage,
    Post,
    PostTag,
    Publication,
    Redirect,
    Revision,
    Series,
    StatusChange,
    Tag,
    WithheldVersion,
)
from blog_engine.models._triggers import shown_models
from blog_engine.models.protection import missing_version_triggers, restore_protection
from tests.requirements import requirement
from tests.support.tables import (
    NOON,
    execute,
    insert_author,
    insert_post,
    new_approval,
    new_baseline,
    new_declaration,
    new_image,
    new_publication,
    new_revision,
    new_status_change,
    new_withheld,
    stored,
)

pytestmark = pytest.mark.django_db(transaction=True)

Make = Callable[[Post, Revision], models.Model]
_MAKE: dict[type[models.Model], Make] = {
    Faq: lambda post, _: Faq(post=post, position=1, question="When?", answer="At ten."),
    Author: lambda *_: Author(name="New", slug="new", created_at=NOON, updated_at=NOON),
    Category: lambda *_: Category(name="New", slug="new", created_at=NOON, updated_at=NOON),
    Series: lambda *_: Series(name="New", slug="new", created_at=NOON, updated_at=NOON),
    Tag: lambda *_: Tag(name="New", key="new", slug="new"),
    Coauthor: lambda post, _: Coauthor(post=post, author=post.author),
    PostTag: lambda post, _: PostTag(post=post, tag=Tag.objects.get(slug="old")),
    Image: lambda *_: new_image(),
    PolicyPage: lambda *_: PolicyPage(kind="editorial", slug="new", title="New"),
    Redirect: lambda *_: Redirect(
        old_path="/new", old_key="new", source="manual", occurred_on=date(2026, 3, 4), created_at=NOON, updated_at=NOON
    ),
    ListCount: lambda post, _: ListCount(tag=Tag.objects.get(slug="old"), posts=1),
    Revision: lambda post, _: new_revision(post),
    # Before approvals and publications of the post.
    Baseline: new_baseline,
    Publication: new_publication,
    Approval: new_approval,
    ConnectionDeclaration: lambda post, _: new_declaration(post),
    StatusChange: lambda post, _: new_status_change(post),
    WithheldVersion: lambda post, _: new_withheld(post),
}
_CHANGEABLE = [model for model in _MAKE if not issubclass(model, AppendOnly)]
_NOT_SHOWN = {
    "HouseStyle",
    "ApprovalKey",
    "ApprovalSignature",
    "Passkey",
    "ApiToken",
    "ChainLink",
    "Checkpoint",
    "EmbeddedImage",
    "ContentVersion",
    "Delivery",
    "DraftVersion",
    "FindingCode",
    "HistoryPermit",
    "IdempotencyKey",
    "PageView",
    "Proposal",
    "ProposalEvent",
    "Remark",
    "RemovedDraft",
    "SearchEntry",
    "SearchWord",
    "SentForm",
    "UploadTicket",
}


@pytest.fixture(autouse=True)
def version(transactional_db: None) -> str:
    """The version of a blog with one public post and one tag."""
    Tag.objects.create(name="Old", key="old", slug="old")
    publish(insert_post())
    return stored_version()


def publish(post: Post) -> None:
    revision = stored(new_revision(post))
    execute(
        "UPDATE blog_engine_post SET status = 'published', public_revision_id = %s WHERE id = %s", revision.pk, post.pk
    )


def stored_version() -> str:
    return ContentVersion.objects.get().version


def row_of(model: type[models.Model]) -> models.Model:
    """A row that no other row refers to, not stored yet."""
    return _MAKE[model](Post.objects.earliest("pk"), Revision.objects.earliest("pk"))


def insert(row: models.Model, *, verb: str = "INSERT") -> None:
    """Store the row with SQL that the engine does not know of."""
    values = {
        field.column: field.get_db_prep_save(getattr(row, field.attname), connection)
        for field in row._meta.concrete_fields
        if getattr(row, field.attname) is not None
    }
    names, marks = ", ".join(values), ", ".join(["%s"] * len(values))
    execute(f"{verb} INTO {row._meta.db_table} ({names}) VALUES ({marks})", *values.values())


def write(row: models.Model) -> None:
    """Store the row with its model."""
    row.store() if isinstance(row, Faq) else row.save()


def test_every_table_is_shown_by_pages_or_listed_here() -> None:
    known = {model.__name__ for model in apps.get_app_config("blog_engine").get_models(include_auto_created=True)}

    # Tests of their own are below for posts, of which pages show the public ones.
    shown = {"Post"} | {model.__name__ for model in _MAKE}
    assert {model.__name__ for model in shown_models(apps)} == shown
    assert known == shown | _NOT_SHOWN


@requirement("page-cache.version")
@pytest.mark.parametrize("store", [insert, write], ids=["sql", "model"])
def test_a_new_row_changes_the_version(store: Callable[[Any], None]) -> None:
    for model in _MAKE:
        before = stored_version()

        store(row_of(model))

        assert stored_version() != before, model


@requirement("page-cache.version")
def test_a_changed_and_a_deleted_row_change_the_version() -> None:
    for model in _CHANGEABLE:
        write(row_of(model))
        before = stored_version()
        key = model._default_manager.latest("pk").pk

        execute(f"UPDATE {model._meta.db_table} SET id = id WHERE id = %s", key)  # noqa: S608
        changed = stored_version()
        execute(f"DELETE FROM {model._meta.db_table} WHERE id = %s", key)  # noqa: S608

        assert len({before, changed, stored_version()}) == 3, model


@requirement("page-cache.version")
def test_what_no_page_shows_leaves_the_version(version: str) -> None:
    PageView.objects.create(post=Post.objects.get(), day=date(2026, 3, 4), views=1)
    execute("UPDATE blog_engine_post SET title = title WHERE id < 0")

    assert stored_version() == version


@requirement("page-cache.version")
def test_a_post_that_is_not_public_leaves_the_version(version: str) -> None:
    author = Post.objects.get().author
    for status in set(PostStatus) - {PostStatus.PUBLISHED}:
        publish_at = NOON if status == PostStatus.SCHEDULED else None
        post = insert_post(author=author, status=status, publish_at=publish_at)
        execute("UPDATE blog_engine_post SET title = 'Other' WHERE id = %s", post.pk)
        execute("DELETE FROM blog_engine_post WHERE id = %s", post.pk)

    assert stored_version() == version


@requirement("page-cache.version")
def test_a_post_changes_the_version_when_it_becomes_public_is_written_and_is_withdrawn() -> None:
    post = insert_post()
    seen = []

    publish(post)
    seen.append(stored_version())
    execute("UPDATE blog_engine_post SET title = 'Other' WHERE id = %s", post.pk)
    seen.append(stored_version())
    execute("UPDATE blog_engine_post SET status = 'archived' WHERE id = %s", post.pk)
    seen.append(stored_version())
    execute("UPDATE blog_engine_post SET title = 'Archived' WHERE id = %s", post.pk)

    assert len(set(seen)) == 3
    assert stored_version() == seen[-1]


@requirement("page-cache.version")
def test_a_transaction_changes_the_version_when_it_commits(version: str) -> None:
    other = connection.copy()
    try:
        with transaction.atomic():
            Category.objects.create(name="One", slug="one")
            Category.objects.create(name="Two", slug="two")
            with other.cursor() as cursor:
                cursor.execute("SELECT version FROM blog_engine_contentversion")
                seen = cursor.fetchall()
    finally:
        other.close()

    assert seen == [(version,)]
    assert stored_version() != version


@requirement("page-cache.version")
def test_a_transaction_that_is_rolled_back_leaves_the_version(version: str) -> None:
    with pytest.raises(LookupError), transaction.atomic():
        Category.objects.create(name="New", slug="new")
        raise LookupError

    assert stored_version() == version


@requirement("page-cache.version")
@pytest.mark.postgres
def test_a_version_that_a_savepoint_undid_changes_again(version: str) -> None:
    with transaction.atomic():
        with pytest.raises(LookupError), transaction.atomic():
            Category.objects.create(name="New", slug="new")
            execute("SET CONSTRAINTS ALL IMMEDIATE")
            raise LookupError
        execute("SET CONSTRAINTS ALL DEFERRED")
        undone = stored_version()
        Category.objects.create(name="New", slug="new")

    assert undone == version
    assert stored_version() != version


@requirement("page-cache.version")
def test_the_version_comes_back_with_the_next_write(version: str) -> None:
    ContentVersion.objects.all().delete()

    insert_author()

    assert stored_version() != version


@requirement("page-cache.version")
@pytest.mark.sqlite
@pytest.mark.parametrize("verb", ["INSERT OR IGNORE", "INSERT OR REPLACE", "INSERT OR ABORT", "REPLACE"])
def test_a_conflict_clause_of_the_write_does_not_reach_the_version(verb: str, version: str) -> None:
    insert(row_of(Category), verb=verb)

    assert stored_version() != version
    assert Category.objects.get().slug == "new"


@requirement("page-cache.version.concurrency")
@pytest.mark.postgres
def test_an_open_transaction_delays_no_other_writer(version: str) -> None:
    other = connection.copy()
    try:
        with transaction.atomic():
            Category.objects.create(name="One", slug="one")
            with other.cursor() as cursor:
                cursor.execute("SET lock_timeout = '2s'")
                cursor.execute("UPDATE blog_engine_post SET title = 'Other'")
            between = stored_version()
    finally:
        other.close()

    assert len({version, between, stored_version()}) == 3


def test_missing_triggers_of_the_version_are_named_and_restored(version: str) -> None:
    name = {"postgresql": "blog_engine_tag_content_version", "sqlite": "blog_engine_tag_content_version_update"}
    on = " ON blog_engine_tag" if connection.vendor == "postgresql" else ""
    execute(f"DROP TRIGGER {name[connection.vendor]}{on}")

    missing = missing_version_triggers(connection)
    restore_protection(connection)

    assert missing == [name[connection.vendor]]
    assert missing_version_triggers(connection) == []
    assert stored_version() != version
