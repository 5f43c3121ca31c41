"""A database that another writer has locked."""

import sqlite3

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.enums import PolicyKind
from blog_engine.inputs.records import RedirectRef, SavePage, SaveRedirect
from blog_engine.models import PolicyPage, Post
from blog_engine.services import add_redirect, delete_redirect, render_pages, save_page
from tests.requirements import requirement
from tests.support.clients import make_secret, refusal_in
from tests.support.factories import (
    EDITOR,
    NOW,
    adopt,
    approve,
    declare,
    edit_category,
    edit_series,
    make_category,
    make_series,
    publish,
    remove,
    save,
    store_image,
    unpublish,
    update,
)

pytestmark = pytest.mark.sqlite

POSTS = "/blog/api/v1/posts"


@requirement("api.answers.busy", "refusals.nothing-written")
@pytest.mark.django_db(transaction=True)
def test_a_database_locked_beyond_the_wait_is_busy() -> None:
    save(slug="frost", title="Frost")
    client = Client(headers={"Authorization": f"Bearer {make_secret()}"})
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 20")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    response = client.patch(f"{POSTS}/frost", {"title": "Ice"}, content_type="application/json")

    other.execute("ROLLBACK")
    other.close()
    connection.close()
    assert refusal_in(response) == (503, "busy", [])
    assert response.headers["Retry-After"] == "1"
    assert Post.objects.get().title == "Frost"


def first_of_transaction(statements: list[str]) -> str:
    """Return the first statement of the first transaction that locks or writes; earlier ones only read."""
    begun = next(place for place, sql in enumerate(statements) if sql.startswith("SAVEPOINT"))
    return next(sql for sql in statements[begun:] if not sql.startswith("SAVEPOINT"))


@requirement("api.answers.transactions")
@pytest.mark.usefixtures("own_images")
@pytest.mark.django_db
def test_every_write_begins_as_a_writer() -> None:
    post, reviewed = save(slug="frost").post, save(slug="ice").post
    row = add_redirect(SaveRedirect(old_path="/gone"), actor=EDITOR, now=NOW)
    category, series = make_category(name="Lake"), make_series(name="Waves")
    save_page(SavePage(kind=PolicyKind.EDITORIAL, title="Rules"), actor=EDITOR, now=NOW)
    PolicyPage.objects.update(rendered_with="an earlier renderer")
    writes = [
        lambda: save(title="Other"),
        lambda: update(post, title="New"),
        lambda: publish(post),
        lambda: unpublish(post),
        lambda: approve(reviewed),
        lambda: declare(reviewed),
        lambda: remove(post),
        adopt,
        render_pages,
        lambda: add_redirect(SaveRedirect(old_path="/old"), actor=EDITOR, now=NOW),
        lambda: delete_redirect(RedirectRef(id=row.pk), actor=EDITOR),
        lambda: save_page(SavePage(kind=PolicyKind.AI_USE, title="How we use AI"), actor=EDITOR, now=NOW),
        make_category,
        lambda: edit_category(category.pk, name="Sea"),
        make_series,
        lambda: edit_series(series.pk, name="Ebb"),
        store_image,
    ]

    first = []
    for write in writes:
        with CaptureQueriesContext(connection) as queries:
            write()
        first.append(first_of_transaction([query["sql"] for query in queries]))

    assert [sql.split()[0] for sql in first] == ["UPDATE"] * len(writes)
