"""Writes with a cursor that somebody wraps, as django-debug-toolbar does: such wrappers break ``executemany``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

import blog_engine
from blog_engine.models import Post, SearchEntry
from blog_engine.services._search_index import insert_values
from tests.admin.desk import EDITOR, desk, save_post
from tests.requirements import requirement
from tests.support.clients import client_with
from tests.support.factories import adopt
from tests.support.tables import execute, wrapped_cursors

pytestmark = pytest.mark.django_db

WORDS = " ".join(f"word{number} größe{number}" for number in range(400))


def over_the_api() -> None:
    client = client_with("read", "write", "publish")
    sent = {"title": "Night ferry", "body": WORDS, "publish": True, "tags": ["Sea", "Night"]}
    made = client.post("/blog/api/v1/posts", sent, content_type="application/json")
    assert made.status_code == 201
    path = f"/blog/api/v1/posts/{made.json()['post']['id']}"
    change = {"body": f"{WORDS} more", "change": "substantive"}
    assert client.patch(path, change, content_type="application/json").status_code == 200


def over_mcp() -> None:
    arguments = {"title": "Night ferry", "body": WORDS}
    params: dict[str, Any] = {"name": "blog_publish_post", "arguments": arguments}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = client_with("read", "write", "publish").post("/blog/mcp", call, content_type="application/json")
    assert answer.json()["result"]["isError"] is False


def at_the_desk() -> None:
    assert save_post(desk(*EDITOR), title="Night ferry", body=WORDS, tags="Sea, Night").status_code == 302


def by_an_import() -> None:
    adopt(title="The night ferry", body=WORDS)


@requirement("host.databases.wrapped")
@pytest.mark.parametrize("write", [over_the_api, over_mcp, at_the_desk, by_an_import])
def test_a_write_sends_no_executemany(write: Callable[[], None]) -> None:
    with wrapped_cursors() as statements:
        write()

    words = SearchEntry.objects.filter(post=Post.objects.get()).count()
    assert words >= 800
    if connection.vendor == "sqlite":
        assert max(parameters for _, parameters in statements) <= 999


@pytest.mark.parametrize("number", [0, 1, 332, 333, 334, 1000])
def test_all_rows_are_inserted_once_and_in_order(number: int) -> None:
    execute("CREATE TEMPORARY TABLE inserted (a integer, b text, c bigint)")
    rows = [(place, f"%s {place}", 2**40 + place) for place in range(number)]

    with wrapped_cursors() as statements:
        insert_values(connection, "inserted", "a, b, c", rows)

    with connection.cursor() as cursor:
        cursor.execute("SELECT a, b, c FROM inserted ORDER BY a")
        found = cursor.fetchall()
    execute("DROP TABLE inserted")
    assert found == rows
    assert len(statements) == -(-number // 333)


def test_only_the_own_files_of_imports_are_written_with_executemany() -> None:
    package = Path(blog_engine.__file__).parent

    users = {str(path.relative_to(package)) for path in package.rglob("*.py") if ".executemany(" in path.read_text()}

    assert users == {"importing/spool.py", "importing/ghost/tables.py"}
