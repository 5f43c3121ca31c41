"""Lists of supporting records need as many queries for three rows as for thirty."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.actor import Call
from blog_engine.operations import records
from blog_engine.operations.base import Operation, execute
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, save
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

CALL = Call(actor=EDITOR, now=NOW, base_url="https://example.com")


def save_posts(count: int, *, start: int = 0) -> None:
    for number in range(start, start + count):
        names = {"category": f"C {number}", "series": f"S {number}", "tags": [f"t {number}", "all"]}
        save(title=f"One {number}", series_position=1, **names)
        save(title=f"Two {number}", series_position=2, **names)


def count_queries(op: Operation[Any, Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        execute(op, {"per_page": 100}, CALL)
    return len(queries)


@requirement("api.lists.queries")
def test_a_longer_list_takes_no_more_queries(subtests: pytest.Subtests) -> None:
    save_posts(3)

    for op, most in [(records.list_categories, 2), (records.list_tags, 2), (records.list_series, 3)]:
        with subtests.test(op=op, most=most), undone():
            few = count_queries(op)
            save_posts(6, start=3)

            many = count_queries(op)

            assert few == many == most
