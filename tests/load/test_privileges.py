"""The roles of docs/how-to/several-hosts.md: its SQL is run with other names."""

import os
import random
import re
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.load.clients import Agent, Api, Ledger, Owner, Reader, client_of, doctor_says, errors_in
from tests.requirements import requirement
from tests.support.programs import Environment
from tests.support.servers import ROOT, environment_of, free_port, gunicorn, manage, origin_at
from tests.support.tables import DELETIONS, FORGED_BASELINE, FORGED_REVISION, PERMIT

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

_STEPS = 40


@dataclass(frozen=True, slots=True)
class Journal:
    """A database with the tables of the app, as its owner and as the application role see it."""

    owner: str
    application: str


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """A database that its tests leave as the engine would."""
    with _journal(tmp_path_factory.mktemp("journal")) as made:
        yield made


@pytest.fixture
def own_journal(tmp_path: Path) -> Iterator[Journal]:
    """A database of one test, which leaves forged rows or those of another origin."""
    with _journal(tmp_path) as made:
        yield made


@contextmanager
def _journal(folder: Path) -> Iterator[Journal]:
    name = f"journal_{uuid.uuid4().hex[:12]}"
    server = urlsplit(os.environ["DATABASE_URL"])
    host = f"{server.hostname}:{server.port or 5432}"
    as_superuser = server._replace(path="/postgres").geturl()
    made = Journal(
        owner=f"postgres://{name}_owner:owner@{host}/{name}", application=f"postgres://{name}_app:app@{host}/{name}"
    )
    for_superuser, for_owner = _statements(name)
    try:
        _run(for_superuser, at=as_superuser)
        _run(for_owner, at=made.owner)
        manage(_environment(folder, made.owner, origin="http://127.0.0.1"), "migrate", "--verbosity", "0")
        yield made
    finally:
        gone = [f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"]
        _run([*gone, *(f"DROP ROLE IF EXISTS {name}_{role}" for role in ("app", "owner"))], at=as_superuser)


def _statements(name: str) -> list[list[str]]:
    """Return the two blocks of SQL with the passwords of this test."""
    blocks = re.findall(r"```sql\n(.*?)```", (ROOT / "docs/how-to/several-hosts.md").read_text("utf-8"), re.DOTALL)
    named = [re.sub(r"\bjournal(?=\b|_)", name, block) for block in blocks]
    known = [re.sub("'of the (owner|app)[a-z]*'", r"'\1'", block) for block in named]
    return [[line.strip() for line in block.split(";\n") if line.strip()] for block in known]


def _run(statements: list[str], *, at: str) -> None:
    with psycopg.connect(at, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def _environment(folder: Path, database: str, *, origin: str) -> Environment:
    own = environment_of(folder, settings="tests.load.site_settings", origin=origin, database=database)
    more = {"CACHE_URL": os.environ["CACHE_URL"], "KEY_PREFIX": folder.as_posix(), "STATIC_ROOT": str(folder)}
    return own | more


@requirement("host.databases.roles")
def test_a_blog_lives_as_the_role_of_the_application(journal: Journal, tmp_path: Path) -> None:
    ledger = Ledger()
    with free_port() as listener, ExitStack() as stack:
        origin = origin_at(listener)
        environment = _environment(tmp_path, journal.application, origin=origin)
        secret = manage(environment, "create_blog_token", "NAME=Ada")
        log = stack.enter_context((tmp_path / "log").open("wb"))
        stack.enter_context(gunicorn(listener, environment, workers=2, log=log))
        http = stack.enter_context(client_of(origin, secret, address="203.0.113.1"))
        reader = Reader(origin, ledger, address="203.0.113.2", chance=random.Random(0))  # noqa: S311 - no secrets
        stack.callback(reader.close)
        owners = [
            Owner(name, face, reader, chance=random.Random(name))  # noqa: S311
            for name, face in {"api": Api(http, ledger), "agent": Agent(http, ledger)}.items()
        ]

        for owner in owners:
            for _ in range(_STEPS):
                owner.step()
        planned = owners[0].face.call("save_draft", title="Soon", slug="soon", body="Soon.")["post"]["id"]
        owners[0].face.call("publish_post", id=planned, publish_at="2999-01-01T00:00:00Z")
        with psycopg.connect(journal.application, autocommit=True) as connection:
            connection.execute("UPDATE blog_engine_post SET publish_at = now() WHERE slug = 'soon'")
        released = manage(environment, "publish_due_posts")
        checkpoint = manage(environment, "make_checkpoint")
        for owner in owners:
            owner.look_back()
        said = doctor_says(environment)

    assert released == "Published soon"
    assert checkpoint.startswith("Made checkpoint 1 of ")
    assert not ledger.failures()
    assert [one for one in said.values() if one.startswith("error")] == []
    assert "Records" not in said
    assert errors_in(tmp_path / "log") == []


@requirement("host.databases.roles")
@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE blog_engine_revision CASCADE",
        "DROP TABLE blog_engine_approval CASCADE",
        "ALTER TABLE blog_engine_publication DISABLE TRIGGER ALL",
        "DROP TRIGGER blog_engine_revision_no_update ON blog_engine_revision",
        "SET session_replication_role = replica",
        "CREATE TABLE mine (id integer)",
        "CREATE TEMPORARY TABLE mine (id integer)",
    ],
)
def test_the_application_cannot_get_at_the_history(journal: Journal, statement: str) -> None:
    with (
        psycopg.connect(journal.application, autocommit=True) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement)


_SAVED = """
from tests.support.factories import approve, declare, save
post = save(title="{title}").post
{review}
print(post.pk)
"""
_REVIEW = """
declare(post, connections=[], third_party_paid=False, declared_by="Ada")
approve(post)
"""


def _draft(environment: Environment, title: str, *, review: str = "") -> int:
    """Return the id of a draft that the services stored, as the application role."""
    said = manage(environment, "shell", "--verbosity", "0", "-c", _SAVED.format(title=title, review=review))
    return int(said.splitlines()[-1])


def _review(environment: Environment, post: int) -> None:
    found = f"""
from blog_engine.models import Post
from tests.support.factories import approve, declare
post = Post.objects.get(pk={post})
"""
    manage(environment, "shell", "--verbosity", "0", "-c", found + _REVIEW)


def _refused(connection: psycopg.Connection[Any], statement: str, post: int) -> bool:
    """Return whether a trigger refuses a statement that would change rows."""
    try:
        with connection.transaction():
            return connection.execute(statement, [post]).rowcount == 0
    except psycopg.errors.RestrictViolation:
        return True


@requirement("history.protection.forging", "host.databases.roles")
def test_the_application_cannot_forge_an_adoption_to_delete_a_review(own_journal: Journal, tmp_path: Path) -> None:
    environment = _environment(tmp_path, own_journal.application, origin="http://127.0.0.1")
    reviewed = _draft(environment, "Reviewed", review=_REVIEW)
    planted = _draft(environment, "Planted")
    with psycopg.connect(own_journal.application) as connection:
        connection.execute(FORGED_REVISION, [planted])
        connection.execute(FORGED_BASELINE, [planted])
        connection.commit()
        connection.execute(PERMIT, [planted])
        # The permit of this transaction is older than the review.
        _review(environment, planted)

        refused = [
            _refused(connection, statement, post)
            for post in (reviewed, planted)
            for statement in (FORGED_BASELINE, PERMIT, *DELETIONS.values())
        ]
        connection.execute("DELETE FROM blog_engine_historypermit")

    assert refused == [True] * 14


@requirement("history.protection.search-path", "host.databases.roles")
def test_a_role_that_can_create_functions_cannot_shadow_those_of_the_triggers(
    own_journal: Journal, tmp_path: Path
) -> None:
    environment = _environment(tmp_path, own_journal.application, origin="http://127.0.0.1")
    post = _draft(environment, "Shadowed", review=_REVIEW)
    own = urlsplit(own_journal.application).username
    _run([f"CREATE SCHEMA {own} AUTHORIZATION {own}"], at=_as_superuser(own_journal))
    database = urlsplit(own_journal.owner).path[1:]
    _run([f"GRANT TEMPORARY ON DATABASE {database} TO {own}"], at=own_journal.owner)
    try:
        with psycopg.connect(own_journal.application, autocommit=True) as connection:
            # The schema with the name of the role is the first of the default search path.
            connection.execute(
                "CREATE FUNCTION format(text, name) RETURNS text LANGUAGE sql AS $$SELECT 'SELECT $1 IS NOT NULL'$$"
            )
            connection.execute("CREATE TEMPORARY TABLE blog_engine_historypermit (post_id bigint)")
            connection.execute("INSERT INTO blog_engine_historypermit VALUES (%s)", [post])
            assert connection.execute("SELECT format('', 'public'::name)").fetchone() == ("SELECT $1 IS NOT NULL",)

            refused = [_refused(connection, statement, post) for statement in DELETIONS.values()]
    finally:
        _run([f"REVOKE TEMPORARY ON DATABASE {database} FROM {own}"], at=own_journal.owner)
        _run([f"DROP SCHEMA {own} CASCADE"], at=_as_superuser(own_journal))

    assert refused == [True] * len(DELETIONS)


def _as_superuser(journal: Journal) -> str:
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=urlsplit(journal.owner).path).geturl()
