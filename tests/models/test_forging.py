"""Whoever may write to the tables cannot turn a post into an adoption in order to delete its records."""

from collections.abc import Callable, Iterator

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from blog_engine.models import Post
from blog_engine.models.protection import missing_protection
from blog_engine.testing import allow_flush
from tests.requirements import requirement
from tests.support.factories import approve, declare, publish, save
from tests.support.tables import (
    DELETIONS,
    FORGED_ADOPTION,
    FORGED_BASELINE,
    FORGED_REVISION,
    PERMIT,
    execute,
    insert_adoption,
    insert_history,
    is_of_a_trigger,
    new_approval,
    new_publication,
    stored,
    stored_rows,
)

allow_flush()

pytestmark = pytest.mark.django_db

NO_CONNECTIONS = {"connections": [], "third_party_paid": False, "declared_by": "Ines Editor"}


def draft() -> Post:
    return save().post


def reviewed(post: Post) -> Post:
    """The post with an approval and a declaration."""
    declare(post, **NO_CONNECTIONS)
    approve(post)
    return post


def deletions_of(post: Post) -> list[str]:
    """The statements that would delete rows which the post has."""
    counts = {"approval": post.approvals, "publication": post.publications, "connectiondeclaration": post.declarations}
    empty = {name for name, rows in counts.items() if not rows.exists()}
    return [statement for name, statement in DELETIONS.items() if name not in empty]


def assert_refused(statement: str, post: Post) -> None:
    before = stored_rows()
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        execute(statement, post.pk)
    assert is_of_a_trigger(refusal.value), statement
    assert stored_rows() == before


@requirement("history.protection.forging")
def test_a_reviewed_draft_gets_no_baseline() -> None:
    post = reviewed(draft())

    assert_refused(FORGED_BASELINE, post)


@requirement("history.protection.forging")
def test_a_published_post_gets_no_baseline() -> None:
    post = save(publish=True).post

    assert_refused(FORGED_BASELINE, post)


@requirement("history.protection.forging")
@pytest.mark.parametrize("follow", [reviewed, publish], ids=["reviewed", "published"])
def test_a_baseline_planted_before_a_review_or_a_release_opens_nothing(follow: Callable[[Post], object]) -> None:
    post = draft()
    execute(FORGED_REVISION, post.pk)
    execute(FORGED_BASELINE, post.pk)
    execute(FORGED_ADOPTION, post.pk)

    follow(post)

    for statement in (PERMIT, *deletions_of(post)):
        assert_refused(statement, post)


@requirement("history.protection.forging")
def test_a_permit_that_waits_for_a_review_deletes_nothing() -> None:
    post = draft()
    execute(FORGED_REVISION, post.pk)
    execute(FORGED_BASELINE, post.pk)
    execute(PERMIT, post.pk)

    reviewed(post)

    for statement in deletions_of(post):
        assert_refused(statement, post)
    execute("DELETE FROM blog_engine_historypermit")


@requirement("history.protection.forging")
@pytest.mark.parametrize("entry_type", ["first", "substantive", "correction", "maintenance"])
def test_a_permit_that_waits_for_a_publication_deletes_nothing(entry_type: str) -> None:
    adoption = insert_adoption()
    execute(PERMIT, adoption.post.pk)

    stored(new_publication(adoption.post, adoption.revision, entry_type=entry_type, note="Wrong."))

    for statement in DELETIONS.values():
        assert_refused(statement, adoption.post)
    execute("DELETE FROM blog_engine_historypermit")


@requirement("history.protection.forging")
def test_an_adoption_that_was_reviewed_here_gets_no_permit() -> None:
    adoption = insert_adoption()
    stored(new_approval(adoption.post, adoption.revision))

    assert_refused(PERMIT, adoption.post)


@pytest.mark.postgres
@requirement("history.protection.search-path")
@pytest.mark.parametrize(
    "shadow",
    [
        "CREATE FUNCTION shadow.format(text, name) RETURNS text LANGUAGE sql AS $$SELECT 'SELECT true'$$",
        "CREATE FUNCTION shadow.same(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true';"
        "CREATE OPERATOR shadow.= (leftarg = bigint, rightarg = bigint, function = shadow.same)",
        "CREATE FUNCTION shadow.differ(varchar, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';"
        "CREATE OPERATOR shadow.<> (leftarg = varchar, rightarg = text, function = shadow.differ)",
    ],
    ids=["format", "=", "<>"],
)
def test_functions_and_operators_of_another_schema_open_nothing(shadow: str) -> None:
    history, opened = insert_history(), insert_adoption()
    execute("CREATE SCHEMA shadow")
    for statement in shadow.split(";"):
        execute(statement)
    execute(PERMIT, opened.post.pk)
    execute("SET LOCAL search_path = shadow, public, pg_catalog")

    for statement in (PERMIT, *DELETIONS.values()):
        assert_refused(statement, history.post)
    execute("SET LOCAL search_path = public")
    execute("DELETE FROM blog_engine_historypermit")


@pytest.mark.postgres
@requirement("history.protection.search-path")
def test_temporary_tables_open_nothing() -> None:
    history = insert_history()
    for table in ("historypermit", "approval", "publication", "baseline"):
        execute(f"CREATE TEMPORARY TABLE blog_engine_{table} (LIKE public.blog_engine_{table}) ON COMMIT DROP")
    execute("ALTER TABLE pg_temp.blog_engine_historypermit ALTER id DROP NOT NULL, ALTER never_id DROP NOT NULL")
    execute("INSERT INTO pg_temp.blog_engine_historypermit (post_id) VALUES (%s)", history.post.pk)

    for name in DELETIONS:
        with pytest.raises(IntegrityError) as refusal, transaction.atomic():
            execute(f"DELETE FROM public.blog_engine_{name} WHERE post_id = %s", history.post.pk)  # noqa: S608
        assert is_of_a_trigger(refusal.value), name


@pytest.mark.postgres
@requirement("history.protection.search-path")
@pytest.mark.parametrize(
    "change",
    [
        "ALTER FUNCTION blog_engine_approval_no_delete() RESET search_path",
        "ALTER FUNCTION blog_engine_approval_no_delete() SET search_path = shadow",
        "ALTER FUNCTION blog_engine_approval_no_delete() SECURITY DEFINER",
        "ALTER FUNCTION blog_engine_approval_no_delete() SET SCHEMA shadow",
    ],
)
def test_a_function_with_another_search_path_or_schema_is_named(change: str) -> None:
    execute("CREATE SCHEMA shadow")

    execute(change)

    assert missing_protection(connection) == ["blog_engine_approval_no_delete"]


@pytest.fixture
def another_schema(transactional_db: None) -> Iterator[None]:
    """A blog in a schema whose name needs quotes; the connection finds it before ``public``."""
    execute('CREATE SCHEMA "The blog"')
    execute('SET search_path = "The blog"')
    try:
        executor = MigrationExecutor(connection)
        executor.migrate([key for key in executor.loader.graph.leaf_nodes() if key[0] == "blog_engine"])
        yield
    finally:
        execute("SET search_path = public")
        execute('DROP SCHEMA "The blog" CASCADE')


@pytest.mark.postgres
@requirement("history.protection.search-path")
def test_a_blog_in_another_schema_is_protected(another_schema: None) -> None:
    missing = missing_protection(connection)
    history = insert_history()

    with connection.cursor() as cursor:
        cursor.execute("SELECT schemaname FROM pg_tables WHERE tablename = 'blog_engine_revision' ORDER BY 1")
        schemas = cursor.fetchall()
    assert (missing, schemas) == ([], [("The blog",), ("public",)])
    for statement in (PERMIT, *DELETIONS.values()):
        assert_refused(statement, history.post)
    execute("SET search_path = public")
    try:
        for name in DELETIONS:
            with pytest.raises(IntegrityError) as refusal, transaction.atomic():
                execute(f'DELETE FROM "The blog".blog_engine_{name} WHERE post_id = %s', history.post.pk)  # noqa: S608
            assert is_of_a_trigger(refusal.value), name
    finally:
        execute('SET search_path = "The blog"')
