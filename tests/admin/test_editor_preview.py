"""The preview of the editor: the article of the sent form, from which nothing is stored or fetched."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from blog_engine.models import Post
from tests.admin.desk import desk, nothing_written, opened, send, url
from tests.requirements import requirement
from tests.support import factories
from tests.support.factories import declare, save
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored, undone

pytestmark = pytest.mark.django_db

EVERYTHING: dict[str, Any] = {
    "title": "Night ferry",
    "description": "When it leaves.",
    "body": "## Times\n\nAt **ten**.[^1]\n\n[^1]: Sharp.\n\n![far](https://nowhere.invalid/a.png)",
    "faq_question": ["When?"],
    "faq_answer": ["At ten."],
    "category": "Ships",
    "tags": "Sea, Night",
    "series": "Crossings",
    "author": "Mina Holt",
    "provenance": "ai_assisted",
    "connection_party": ["Quay Ltd"],
    "connection_relation": ["customer"],
    "third_party_paid": "on",
    "declared_by": "Mina Holt",
    "cover_alt": "A quay",
    "search_title": "Ferries",
}


@requirement("desk.preview")
def test_the_article_of_a_new_post_is_shown_and_nothing_is_written(writer: Client) -> None:
    image = factories.store_image()
    fields = opened(writer)

    with nothing_written():
        page = send(writer, url("post_preview_new"), fields, cover_image=str(image.pk), **EVERYTHING)

    text = page.content.decode()
    assert (page.status_code, page["X-Frame-Options"]) == (200, "DENY")
    assert "no-store" in page["Cache-Control"]
    for part in ("Night ferry</h1>", "When it leaves.", "<strong>ten</strong>", "When?", "Ships", "Night", "Mina Holt"):
        assert part in text
    for part in ("AI helped to make this article.", "Quay Ltd", "A third party paid", 'alt="A quay"', "<title>Ferries"):
        assert part in text
    assert 'content="noindex, nofollow"' in text


@requirement("desk.preview")
def test_the_preview_of_a_stored_post_shows_the_form_over_it(writer: Client) -> None:
    faq = [{"question": "Stored?", "answer": "Yes."}]
    post = save(body="Stored text", tags=["Sea"], category="Ships", faq=faq, cover_alt="x").post
    fields = opened(writer, post.pk)

    with nothing_written():
        text = send(writer, url("post_preview", post.pk), fields, body="Typed text").content.decode()

    assert "Typed text" in text
    assert "Stored text" not in text
    assert all(part in text for part in ("Sea", "Ships", "Stored?"))


def test_a_form_with_faults_is_shown_or_explained(writer: Client, subtests: pytest.Subtests) -> None:
    before = everything_stored()

    for sent in [
        {"title": ""},
        {"title": "x", "body": "y" * 262_145},
        {"title": "x", "body": "```\na\n```\n" * 9_000},
        {"title": "x", "cover_image": "999"},
        {"title": "x", "slug": "Not a slug", "canonical_url": "nothing"},
        {"title": "x", "tags": "," * 5000},
        {"title": "x", "author": "", "series_position": "x"},
        {},
    ]:
        with subtests.test(sent=sent), undone():
            answers = [
                writer.post(url("post_preview_new"), sent),
                writer.post(url("post_preview", save().post.pk), sent),
            ]

            assert {answer.status_code for answer in answers} == {200}
            Post.objects.get().discard()
            assert everything_stored().keys() == before.keys()


def test_scripts_of_the_text_are_not_in_the_page(writer: Client) -> None:
    page = send(writer, url("post_preview_new"), opened(writer), title="x", body="<script>alert(1)</script>")

    assert b"alert(1)</script>" not in page.content


def test_the_page_is_in_the_language_of_the_blog(writer: Client) -> None:
    fields = opened(writer)

    with override_settings(BLOG_ENGINE=blog_settings(locale="de")), translation.override("en"):
        text = send(writer, url("post_preview_new"), fields, title="x", provenance="ai_assisted").content.decode()

    assert '<html lang="de"' in text


def test_the_preview_takes_few_queries(editor: Client) -> None:
    post = save(category="Ships", series="S", tags=["A"], publish=True, faq=[{"question": "Q?", "answer": "A."}]).post
    declare(post)
    fields = opened(editor, post.pk)
    send(editor, url("post_preview", post.pk), fields)

    with CaptureQueriesContext(connection) as queries:
        send(editor, url("post_preview", post.pk), fields, body="Other")

    assert len(queries) <= 12, [query["sql"][:90] for query in queries]


def test_who_may_not_write_makes_no_previews() -> None:
    post = save().post

    assert desk("view_post").post(url("post_preview", post.pk), {"title": "x"}).status_code == 403
