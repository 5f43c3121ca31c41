"""Lists that are read on by cursor while rows come, change and go."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine import services
from blog_engine.inputs.records import SaveRedirect
from blog_engine.inputs.reports import Paged
from blog_engine.models import Post, Tag
from blog_engine.queries.cursors import AskedPage
from tests.requirements import requirement
from tests.support.clients import refusal_in, tool_answer
from tests.support.factories import EDITOR, NOW, make_category, make_series, propose, save, store_image
from tests.support.images import plain

pytestmark = pytest.mark.django_db

API = "/blog/api/v1/"


def add_redirect(number: int) -> None:
    sent = SaveRedirect(old_path=f"/old/{number}", new_path="/new")
    services.add_redirect(sent, actor=EDITOR, now=NOW)


def add_proposal(number: int) -> None:
    post = Post.objects.filter(slug="proposed").first() or save(slug="proposed", publish=True).post
    propose(post, title=f"Title {number}", change="substantive")


MAKE: dict[str, Callable[[int], object]] = {
    "posts": lambda number: save(title=f"Frost {number}", slug=f"frost-{number}"),
    "posts?status=draft": lambda number: save(title=f"Frost {number}", slug=f"frost-{number}"),
    "posts?tag=ice": lambda number: save(title=f"Frost {number}", slug=f"frost-{number}", tags=["ice"]),
    "proposals": add_proposal,
    "proposals?state=open": add_proposal,
    "images": lambda number: store_image(plain(color=(number, 0, 0))),
    "categories": lambda number: make_category(name=f"Category {number}"),
    "series": lambda number: make_series(name=f"Series {number}"),
    "tags": lambda number: Tag.objects.create(name=f"t{number}", key=f"t{number}", slug=f"t{number}"),
    "redirects": add_redirect,
}


def ask(client: Client, path: str, **query: Any) -> Any:
    name, _, filters = path.partition("?")
    return client.get(f"{API}{name}?{filters}&{urlencode(query)}")


def pages(client: Client, path: str, *, per_page: int = 2) -> Iterator[list[int]]:
    """The ids of each page, read one after the other."""
    cursor = ""
    while cursor is not None:
        answer = ask(client, path, per_page=per_page, cursor=cursor).json()
        name = path.partition("?")[0]
        yield [row.get("image_id", row.get("id")) for row in answer[name]]
        cursor = answer["next_cursor"]


@requirement("api.lists.cursor", "api.lists.cursor.bound")
@pytest.mark.parametrize("path", MAKE)
def test_every_row_comes_once(editor: Client, path: str) -> None:
    for number in range(5):
        MAKE[path](number)
    name = path.partition("?")[0]

    read = list(pages(editor, path))
    whole = ask(editor, path, per_page=100).json()

    assert [len(page) for page in read] == [2, 2, 1]
    assert [row for page in read for row in page] == [row.get("image_id", row.get("id")) for row in whole[name]]
    assert (whole["next_cursor"], whole["total"]) == (None, 5)


@requirement("api.lists.cursor")
@pytest.mark.parametrize("path", MAKE)
def test_rows_that_come_meanwhile_repeat_and_hide_none(editor: Client, path: str) -> None:
    for number in range(6):
        MAKE[path](number)
    there = {row for page in pages(editor, path, per_page=100) for row in page}

    read = []
    for number, page in enumerate(pages(editor, path), start=10):
        read += page
        if number < 14:
            MAKE[path](number)

    assert len(set(read)) == len(read)
    assert there <= set(read)


@requirement("api.lists.cursor")
def test_rows_that_change_and_go_hide_none(editor: Client) -> None:
    for number in range(9):
        save(title=f"Frost {number}", slug=f"frost-{number}")
    ids = list(Post.objects.order_by("-created_at", "-id").values_list("pk", flat=True))
    read, turns = [], pages(editor, "posts", per_page=3)

    read += next(turns)
    # Two that were read, of them the last one, and one that was not.
    for post_id in (ids[0], ids[2], ids[4]):
        assert editor.delete(f"{API}posts/{post_id}").status_code == 204
    editor.patch(f"{API}posts/{ids[5]}", {"title": "Other"}, content_type="application/json")
    read += [row for page in turns for row in page]

    assert read == [*ids[:4], *ids[5:]]


@requirement("api.lists.cursor")
@pytest.mark.parametrize("query", ["", "?status=draft", "?author=Ada Example"])
def test_posts_of_one_moment_come_once(editor: Client, query: str) -> None:
    for number in range(7):
        save(title=f"Frost {number}", slug=f"frost-{number}")
    QuerySet.update(Post.objects.all(), created_at=NOW)

    read = [row for page in pages(editor, f"posts{query}", per_page=3) for row in page]

    assert read == sorted(read, reverse=True)
    assert len(set(read)) == 7


@requirement("api.lists.cursor")
def test_the_page_counts_on_and_its_size_can_change(editor: Client) -> None:
    for number in range(6):
        MAKE["tags"](number)
    first = ask(editor, "tags", per_page=2).json()

    second = ask(editor, "tags", per_page=3, cursor=first["next_cursor"]).json()

    assert ([tag["name"] for tag in second["tags"]], second["page"], second["total"]) == (["t2", "t3", "t4"], 2, 6)
    third = ask(editor, "tags", per_page=3, page=1, cursor=second["next_cursor"]).json()
    assert ([tag["name"] for tag in third["tags"]], third["page"], third["next_cursor"]) == (["t5"], 3, None)


@requirement("api.lists.cursor.bound")
def test_a_cursor_of_something_else_is_refused(editor: Client, subtests: pytest.Subtests) -> None:
    for number in range(3):
        MAKE["posts?tag=ice"](number)
        MAKE["categories"](number)
    cursor = ask(editor, "posts?tag=ice", per_page=1).json()["next_cursor"]
    number, *key, mark = cursor.split("_")

    refused = [
        *("x", "1", "2_1", "_", "0", "1_1_00000000", cursor + "0", cursor.upper() + "_", f"9_{'_'.join(key)}_{mark}"),
        *(f"{number}_{key[0]}_9_{mark}", f"{number}_{'9' * 40}_1_{mark}", "2_-1_1_00000000", "a" * 300),
    ]
    for sent in refused:
        with subtests.test(sent=sent):
            answer = ask(editor, "posts?tag=ice", cursor=sent)
            assert refusal_in(answer) == (422, "validation_failed", ["cursor"])
    for path in ("posts", "posts?tag=snow", "posts?tag=ice&status=draft", "categories", "posts?q=frost"):
        with subtests.test(path=path):
            answer = ask(editor, path, cursor=cursor)
            assert refusal_in(answer) == (422, "validation_failed", ["cursor"])
    assert refusal_in(ask(editor, "posts?tag=ice", page=2, cursor=cursor)) == (422, "validation_failed", ["page"])


@requirement("api.lists.cursor.bound")
def test_a_forged_cursor_beyond_all_times_is_refused(editor: Client) -> None:
    save()
    asked = AskedPage.of(Paged(), Post)
    _, place = asked.cut([1] * 26, key=lambda _: (9 * 10**17, 1), total=26)

    answer = editor.get(f"{API}posts?cursor={place['next_cursor']}")

    assert refusal_in(answer) == (422, "validation_failed", ["cursor"])


@requirement("api.lists.cursor.bound")
def test_tools_continue_a_list_and_take_an_empty_cursor(editor: Client) -> None:
    for number in range(3):
        MAKE["posts"](number)

    first = tool_answer(editor, "blog_list_posts", {"per_page": 2, "cursor": ""})
    second = tool_answer(editor, "blog_list_posts", {"per_page": 2, "cursor": first["next_cursor"], "page": None})
    found = tool_answer(editor, "blog_search_posts", {"q": "frost", "per_page": 2})

    assert [post["slug"] for post in first["posts"] + second["posts"]] == ["frost-2", "frost-1", "frost-0"]
    assert (second["next_cursor"], found["next_cursor"], found["total"]) == (None, None, 3)


@requirement("api.lists.queries")
@pytest.mark.parametrize("path", MAKE)
def test_a_cursor_costs_no_query(editor: Client, path: str) -> None:
    for number in range(5):
        MAKE[path](number)
    cursor = ask(editor, path, per_page=2).json()["next_cursor"]
    ask(editor, path, per_page=2, cursor=cursor)

    with CaptureQueriesContext(connection) as by_page:
        ask(editor, path, per_page=2, page=2)
    with CaptureQueriesContext(connection) as by_cursor:
        ask(editor, path, per_page=2, cursor=cursor)

    assert len(by_cursor) == len(by_page)
