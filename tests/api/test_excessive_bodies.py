"""Bodies that would take too long or too much memory to render, over the API: refused, or shown flat."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Post
from blog_engine.rendering.stored import rendered_body
from tests.requirements import requirement
from tests.support import factories
from tests.support.clients import client_with, refusal_in
from tests.support.factories import ARTICLE
from tests.support.hosts import blog_settings
from tests.support.tables import stored_beside_tokens

pytestmark = pytest.mark.django_db

API = "/blog/api/v1"
BODY = (422, "validation_failed", ["body"])

# 1.45 kB each: a row of 256 cells for every line of one character.
TABLE = "|a" * 256 + "\n" + "|-" * 256 + "\n" + "x\n" * 255 + "\n"
TABLES = {
    "one": TABLE,
    "after 9,999 cells": "|a|b|\n|-|-|\n" + "|a|\n" * 4_999 + "\n|b|c|\n|-|-|\n",
    "in a quote": "".join(f"> {line}\n" for line in TABLE.splitlines()),
    "in a list": "- a\n" + "".join(f"  {line}\n" for line in TABLE.splitlines()),
    "in a list in a quote": "> - a\n" + "".join(f">   {line}\n" for line in TABLE.splitlines()),
    "with carriage returns": TABLE.replace("\n", "\r"),
}


def send(client: Client, method: str, path: str, **fields: Any) -> Any:
    return getattr(client, method)(API + path, fields, content_type="application/json")


@requirement("limits.bodies.cells")
@pytest.mark.parametrize(
    "name",
    [
        name if name in {"one", "in a list in a quote"} else pytest.param(name, marks=pytest.mark.heavy)
        for name in TABLES
    ],
)
def test_more_than_10000_table_cells_are_refused(editor: Client, name: str) -> None:
    response = send(editor, "post", "/posts", title="Tides", body=TABLES[name])

    assert refusal_in(response) == BODY
    assert "at most 10000 cells" in response.json()["error"]["message"]
    assert not Post.objects.exists()


def test_10000_table_cells_are_accepted(editor: Client) -> None:
    response = send(editor, "post", "/posts", title="Tides", body="|a|b|\n|-|-|\n" + "|a|\n" * 4_999)

    assert response.status_code == 201
    assert Post.objects.get().body_html.count("<td") == 9_998


@requirement("limits.bodies.cells")
def test_every_way_into_the_blog_refuses_the_cells(editor: Client) -> None:
    post = factories.save(body="Ebb.").post
    before = stored_beside_tokens()

    answers = [
        send(editor, "patch", f"/posts/{post.pk}", body=TABLE),
        send(editor, "post", f"/posts/{post.pk}/publish", body=TABLE),
        send(editor, "put", "/pages/ai_use", title="AI", body=TABLE),
        send(editor, "post", "/adoptions", **ARTICLE | {"body": TABLE}),
        send(client_with("read"), "post", "/faq_extractions", body=TABLE),
    ]

    assert [refusal_in(answer)[0] for answer in answers] == [422] * 5
    assert ["body" in refusal_in(answer)[2] for answer in answers] == [True] * 5
    assert stored_beside_tokens() == before


MARKUP = {
    "paragraphs": "a\n\n" * 17_000,
    "line breaks": "a\n" * 26_000,
    "emphasis": "*a* " * 26_000,
    "code blocks": "```\na\n```\n" * 9_000,
    "images": "![a](b) " * 13_000,
}


@requirement("limits.bodies.markup")
@pytest.mark.parametrize(
    "name",
    [name if name in {"paragraphs", "code blocks"} else pytest.param(name, marks=pytest.mark.heavy) for name in MARKUP],
)
def test_more_markup_than_a_text_can_need_is_refused(editor: Client, name: str) -> None:
    response = send(editor, "post", "/posts", title="Tides", body=MARKUP[name])

    assert refusal_in(response) == BODY
    assert "at most 50000 pieces of markup" in response.json()["error"]["message"]


@requirement("limits.bodies.markup")
def test_more_tags_than_a_text_can_need_are_refused(editor: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])

    answers = [
        send(editor, "post", "/posts", title="Tides", body_format="rich_text", body="<p>a</p>" * count)
        for count in (10_000, 10_001)
    ]

    assert answers[0].status_code == 201
    assert refusal_in(answers[1]) == BODY


@requirement("limits.bodies.markup")
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(TABLE, id="cells"),
        pytest.param(MARKUP["line breaks"], id="markup", marks=pytest.mark.heavy),
    ],
)
def test_a_post_that_was_stored_before_the_limits_stays_readable_and_editable(editor: Client, body: str) -> None:
    post = factories.save(body="Ebb.").post
    post.body, post.rendered_with = body, ""
    post.store(update_fields=["body", "rendered_with"])

    shown = rendered_body(post).html
    edited = send(editor, "patch", f"/posts/{post.pk}", featured=True)

    assert shown
    assert shown.count("<td") + shown.count("<th") <= 10_000
    assert edited.status_code == 200


DEEP = {
    "strong": "**" * 1000 + "a" + "**" * 1000,
    "struck": "~~a " * 500 + "a~~ " * 500,
    "mixed": "**_~~" * 500 + "a" + "~~_**" * 500,
    "quotes": "> " * 1000 + "a",
    "links in emphasis": "*[" * 500 + "a" + "](b)*" * 500,
    "unfinished Delphi": "```delphi\nasm\n  mov eax, [ebx\n",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_markup_is_shown_flat(editor: Client, name: str) -> None:
    response = send(editor, "post", "/posts", title="Tides", body=DEEP[name], publish=True)

    assert response.status_code == 201
    # Not asked as a reader: these tests also run in a host with a login wall.
    shown = rendered_body(Post.objects.get()).html
    # Quotes deeper than the parser goes show none of their text.
    assert {"unfinished Delphi": "eax", "quotes": "<blockquote"}.get(name, "a") in shown
