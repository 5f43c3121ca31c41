"""Writing at the desk: a form for a post, whose values reach the services and nothing else."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.admin.post_form import PostForm
from blog_engine.models import Category, ConnectionDeclaration, Image, Post, Publication
from blog_engine.queries.posts import read_post, tag_names
from tests.admin.desk import (
    WRITER,
    address,
    desk,
    form_on,
    nothing_written,
    opened,
    save_post,
    send,
    stored,
    url,
)
from tests.requirements import requirement
from tests.support import factories
from tests.support.factories import declare, publish, save
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.tables import everything_stored, undone

pytestmark = pytest.mark.django_db


def errors_at(answer: Any) -> set[str]:
    return set(answer.context["form"].errors)


def test_a_new_post_is_a_draft_by_its_writer() -> None:
    answer = save_post(desk(*WRITER), title="Night ferry", body="It leaves at *ten*.\n\nSharp.", tags="Sea, Night, sea")

    post = read_post(Post.objects.get().pk)
    assert (answer.status_code, answer["Location"]) == (302, url("post_change", post.pk))
    assert (post.status, post.title, post.slug, post.body) == (
        "draft",
        "Night ferry",
        "night-ferry",
        "It leaves at *ten*.\n\nSharp.",
    )
    assert (tag_names(post), post.unrecorded_actor) == (["Sea", "Night"], "Wanda Writer")


def test_each_field_is_stored_and_shown_again(writer: Client, subtests: pytest.Subtests) -> None:
    post = save().post
    fields = opened(writer, post.pk)

    for sent, field, expected in [
        ({"title": "Other"}, "title", "Other"),
        ({"description": "Two\nlines"}, "description", "Two\nlines"),
        ({"body": "  indented\n\n"}, "body", "  indented\n\n"),
        ({"cover_alt": "A quay"}, "cover_alt", "A quay"),
        ({"provenance": "ai_assisted"}, "provenance", "ai_assisted"),
        ({"provenance_evidence": "I was there."}, "provenance_evidence", "I was there."),
        ({"slug": "other-slug"}, "slug", "other-slug"),
        ({"canonical_url": "https://old.example/a"}, "canonical_url", "https://old.example/a"),
        ({"language": "pt-BR"}, "language", "pt-BR"),
        ({"featured": "on"}, "featured", True),
        ({"search_title": "For engines"}, "search_title", "For engines"),
        ({"search_description": "For engines, long"}, "search_description", "For engines, long"),
        ({"author": "Mina Holt"}, "author_name", "Mina Holt"),
        ({"category": "Ships"}, "category.name", "Ships"),
        ({"series": "Crossings", "series_position": "3"}, "series.name", "Crossings"),
        ({"series": "Crossings", "series_position": "3"}, "series_position", 3),
    ]:
        with subtests.test(field=field, expected=expected), undone():
            answer = send(writer, address(post.pk), fields, **sent)

            value: Any = stored(post)
            for step in field.split("."):
                value = getattr(value, step)
            shown = opened(writer, post.pk)
            assert answer.status_code == 302
            assert value == expected
            assert {name: shown[name] for name in sent} == {name: [text] for name, text in sent.items()}


def test_every_field_can_be_cleared(writer: Client) -> None:
    image = factories.store_image().pk
    whole = {
        "description": "Ten at night.",
        "body": "Text",
        "category": "Ships",
        "tags": ["Sea"],
        "series": "Crossings",
        "series_position": 2,
        "canonical_url": "https://old.example/ferry",
        "cover_image": {"image_id": image},
        "social_image": {"image_id": image},
        "cover_alt": "A quay",
        "faq": [{"question": "When?", "answer": "At ten."}],
        "featured": True,
        "search_title": "Ferry",
        "search_description": "Ferries",
    }
    post = save(**whole).post

    answer = save_post(
        writer,
        post.pk,
        **dict.fromkeys({*whole} - {"faq", "featured"}, ""),
        featured=None,
        faq_question="",
        faq_answer="",
    )

    kept = stored(post)
    assert answer.status_code == 302
    assert (kept.description, kept.body, kept.category, kept.series, kept.series_position) == ("", "", None, None, None)
    assert (kept.canonical_url, kept.cover_image, kept.social_image, kept.cover_alt) == (None, None, None, "")
    assert (tag_names(kept), list(kept.faqs.all()), kept.featured) == ([], [], False)


@requirement("desk.form")
def test_saving_what_was_not_changed_writes_nothing(writer: Client) -> None:
    post = save(
        title=" Two  spaces\n",
        description="a\r\nb",
        body="x\ry\r\nz\n",
        tags=["A b"],
        canonical_url="https://a.example/",
        faq=[{"question": " Why?\r\n", "answer": "So."}],
        category="Ships",
    ).post
    declare(post)

    with nothing_written():
        answer = save_post(writer, post.pk)

    assert answer.status_code == 302


@requirement("desk.form")
def test_a_field_that_is_not_sent_is_not_cleared(writer: Client) -> None:
    faq = [{"question": "Why?", "answer": "So."}]
    post = save(
        body="Text", tags=["A"], category="Ships", faq=faq, featured=True, canonical_url="https://a.example/"
    ).post

    writer.post(address(post.pk), {"title": "Other"})
    writer.post(url("post_autosave", post.pk), {"title": "Another"})

    kept = stored(post)
    assert (kept.title, kept.body, tag_names(kept), str(kept.category)) == ("Another", "Text", ["A"], "Ships")
    assert (len(kept.faqs.all()), kept.featured, kept.canonical_url) == (1, True, "https://a.example/")


def test_a_list_without_rows_clears_the_questions(writer: Client) -> None:
    post = save(faq=[{"question": "Why?", "answer": "So."}]).post

    save_post(writer, post.pk, faq_question=[""], faq_answer=[""])

    assert not stored(post).faqs.all()


@requirement("desk.form")
def test_only_changed_fields_are_sent(writer: Client) -> None:
    post = save(body="x\r\ny", category="Ships", author="Mina Holt", tags=["A"]).post
    fields = opened(writer, post.pk)
    Category.objects.update(name="Boats")

    answer = send(writer, address(post.pk), fields, description="New")

    kept = stored(post)
    assert answer.status_code == 302
    assert (kept.description, kept.body, str(kept.category), Category.objects.count()) == ("New", "x\r\ny", "Boats", 1)


def test_questions_are_rows_and_blank_ones_are_left_out(writer: Client) -> None:
    post = save(faq=[{"question": "Why?", "answer": "So."}]).post
    fields = opened(writer, post.pk)
    assert fields["faq_question"] == ["Why?", "", ""]

    send(writer, address(post.pk), fields, faq_question=["When?", "", "Why?"], faq_answer=["At\nten.", " ", "So."])

    assert [(row.question, row.answer) for row in stored(post).faqs.all()] == [("When?", "At\nten."), ("Why?", "So.")]


def test_connections_are_declared_only_when_they_change(writer: Client) -> None:
    post = save().post

    save_post(writer, post.pk, connection_party=["Quay Ltd"], connection_relation=["customer"], declared_by="Mina Holt")
    save_post(writer, post.pk, title="Other")

    (row,) = ConnectionDeclaration.objects.all()
    assert (row.connections, row.third_party_paid, row.declared_by) == (
        [{"party": "Quay Ltd", "relation": "customer"}],
        False,
        "Mina Holt",
    )
    assert opened(writer, post.pk)["connection_party"] == ["Quay Ltd", "", ""]


def test_that_there_are_no_connections_is_declared_with_a_name(writer: Client) -> None:
    post = save().post

    save_post(writer, post.pk, declared_by="Mina Holt")

    assert [(row.connections, row.declared_by) for row in ConnectionDeclaration.objects.all()] == [([], "Mina Holt")]


def test_a_fault_is_shown_at_its_field_and_nothing_is_saved(
    writer: Client, settings: Settings, subtests: pytest.Subtests
) -> None:
    save(title="taken", series="Full", series_position=1)
    post = save(title="Mine").post
    fields = opened(writer, post.pk)
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=50)

    for sent, field in [
        ({"title": ""}, "title"),
        ({"title": "x" * 256}, "title"),
        ({"slug": "Not a slug"}, "slug"),
        ({"slug": "taken"}, "slug"),
        ({"slug": "search"}, "slug"),
        ({"canonical_url": "javascript:alert(1)"}, "canonical_url"),
        ({"canonical_url": "nothing"}, "canonical_url"),
        ({"author": ""}, "author"),
        ({"cover_image": "0"}, "cover_image"),
        ({"cover_image": "999"}, "cover_image"),
        ({"cover_image_file": SimpleUploadedFile("quay.png", b"<svg>", "image/png")}, "cover_image_file"),
        ({"social_image_file": SimpleUploadedFile("quay.png", plain(), "image/png")}, "social_image_file"),
        ({"series": "S", "series_position": "-1"}, "series_position"),
        ({"series": "Full", "series_position": "1"}, "series_position"),
        ({"faq_question": ["Why?"], "faq_answer": [""]}, "faq"),
        ({"connection_party": ["Quay"], "connection_relation": ["x"], "declared_by": ""}, "declared_by"),
        ({"third_party_paid": "on"}, "declared_by"),
        ({"body": "x" * 262_145}, "body"),
        ({"body": "```\na\n```\n" * 9_000}, "body"),
        ({"tags": "x" * 256}, "tags"),
        ({"provenance": "angels"}, "provenance"),
        ({"title": "nul \0"}, "title"),
        ({"description": "e" + "\u0301" * 200}, "description"),
    ]:
        with subtests.test(sent=sent, field=field), nothing_written():
            answer = send(writer, address(post.pk), fields, **sent)

            assert answer.status_code == 200
            assert errors_at(answer) == {field}
            assert not LogEntry.objects.exists()


@requirement("desk.new-post")
@pytest.mark.parametrize("slug", ["taken", "also-public"])
def test_a_new_post_never_writes_to_another(editor: Client, slug: str) -> None:
    save(title="taken", body="Theirs")
    save(title="Also public", publish=True)

    with nothing_written():
        assert errors_at(save_post(editor, title="Mine", slug=slug)) == {"slug"}

    assert save_post(editor, title=slug.replace("-", " ")).status_code == 302
    assert Post.objects.order_by("-pk")[0].slug == f"{slug}-2"


def test_a_picture_is_uploaded_with_the_form(writer: Client) -> None:
    post = save().post
    file = SimpleUploadedFile("quay.png", plain(), content_type="image/png")

    answer = save_post(writer, post.pk, cover_image_file=file, cover_alt="A quay")

    image = Image.objects.get()
    assert answer.status_code == 302
    assert (stored(post).cover_image, image.filename, image.uploaded_by) == (image, "quay.png", "Wanda Writer")
    assert opened(writer, post.pk)["cover_image"] == [str(image.pk)]


def test_the_slug_of_a_draft_follows_the_title_it_was_made_from(writer: Client) -> None:
    made, chosen = save(title="How to").post, save(title="How not to", slug="own").post
    save(title="Taken")

    save_post(writer, made.pk, title="How to ferry")
    save_post(writer, chosen.pk, title="How to swim")
    assert (stored(made).slug, stored(chosen).slug) == ("how-to-ferry", "own")

    save_post(writer, made.pk, title="Taken")
    assert (stored(made).title, stored(made).slug) == ("Taken", "how-to-ferry")


@requirement("posts.slug.language")
@pytest.mark.parametrize(
    ("title", "language", "slug"),
    [
        ("Größer über Öl", "de", "groesser-ueber-oel"),
        ("Blåbær på øya", "nb", "blaabaer-paa-oeya"),
        ("さくらのにわ", "ja", "sakuranoniwa"),
        ("日本語の組版", "ja", "post-606927b72ca2"),
        ("Größer über Öl", "", "grosser-uber-ol"),
    ],
)
def test_the_desk_makes_slugs_by_the_language_of_the_post(writer: Client, title: str, language: str, slug: str) -> None:
    save_post(writer, title=title, language=language)

    assert Post.objects.get().slug == slug


@requirement("posts.slug.language")
def test_the_slug_of_a_draft_follows_its_language_with_the_next_title(writer: Client) -> None:
    save_post(writer, title="Größer")
    post = Post.objects.get()
    assert post.slug == "grosser"

    save_post(writer, post.pk, title="Größer werden", language="de")

    assert stored(post).slug == "groesser-werden"


def test_the_slug_of_a_public_post_stays(editor: Client) -> None:
    post = save(title="How to", publish=True).post

    save_post(editor, post.pk, title="How to ferry", confirmed="1", change="maintenance")

    assert (stored(post).title, stored(post).slug) == ("How to ferry", "how-to")


@requirement("desk.released")
@pytest.mark.parametrize("state", ["published", "scheduled"])
def test_a_writer_cannot_change_what_is_released(writer: Client, state: str) -> None:
    post = save().post
    publish(post, **({"publish_at": "2090-01-01T00:00:00Z"} if state == "scheduled" else {}))

    with nothing_written():
        page = writer.get(address(post.pk))
        sent = {"title": "Forged", "provenance": "unknown", "confirmed": "1", "change": "maintenance", "version": "2"}
        answers = [writer.post(address(post.pk), sent), writer.post(url("post_autosave", post.pk), sent)]

    assert page.status_code == 200
    assert b'name="propose"' in page.content
    assert b"Nothing was saved: propose the change." in answers[0].content
    assert answers[1].json()["state"] == "refused"


@requirement("desk.released")
def test_who_may_only_look_reads_what_is_released() -> None:
    client, post = desk("view_post"), save(publish=True).post

    with nothing_written():
        page = client.get(address(post.pk))
        answer = client.post(
            address(post.pk), {"title": "Forged", "propose": "1", "confirmed": "1", "change": "maintenance"}
        )

    assert b'<fieldset class="editor-frame" disabled>' in page.content
    assert answer.status_code == 403


def test_a_forged_field_has_no_effect(writer: Client, subtests: pytest.Subtests) -> None:
    post = save().post

    for field in ["status", "publish", "publish_at", "approval", "external_id", "body_format"]:
        with subtests.test(field=field), undone():
            save_post(writer, post.pk, **{field: "published", "title": "Other"})

            kept = stored(post)
            assert (kept.title, kept.status, kept.publish_at, kept.external_id) == ("Other", "draft", None, None)
            assert not Publication.objects.exists()


@requirement("posts.body.kept")
@pytest.mark.parametrize("fields", [{}, {"publish_at": "2090-01-01T00:00:00Z"}], ids=["public", "scheduled"])
def test_the_desk_does_not_take_a_public_body_away(editor: Client, fields: dict[str, str]) -> None:
    post = save(body="It leaves at ten.", publish=True, **fields).post

    with nothing_written():
        page = save_post(editor, post.pk, body="")
        if not fields:
            page = send(editor, address(post.pk), form_on(page), change="maintenance")

    assert page.status_code == 200
    assert "leaves nothing of its body" in page.content.decode()


@requirement("desk.public-change")
def test_a_public_change_is_confirmed_with_its_difference(editor: Client) -> None:
    post = save(body="It leaves at ten.", publish=True).post
    before = everything_stored()

    page = save_post(editor, post.pk, body="It leaves at eleven.")

    assert everything_stored() == before
    assert b"<del>" in page.content
    assert b"eleven" in page.content
    fields = form_on(page)
    refused = send(editor, address(post.pk), fields)
    without_note = send(editor, address(post.pk), fields, change="correction")
    assert everything_stored() == before
    assert set(refused.context["kind"].errors) == {"change"}
    assert set(without_note.context["kind"].errors) == {"note"}

    answer = send(editor, address(post.pk), fields, change="correction", note="It said ten.")

    entry = Publication.objects.order_by("-pk")[0]
    assert answer.status_code == 302
    assert (entry.entry_type, entry.note, entry.revision.actor) == ("correction", "It said ten.", "Ed Editor")
    assert stored(post).body == "It leaves at eleven."


def test_going_back_from_the_question_keeps_the_text(editor: Client) -> None:
    post = save(body="Ten.", publish=True).post
    fields = form_on(save_post(editor, post.pk, body="Eleven.\n\nSharp."))

    page = send(editor, address(post.pk), fields, back="1")

    assert form_on(page)["body"] == ["Eleven.\n\nSharp."]
    assert stored(post).body == "Ten."


def test_sorting_a_public_post_needs_no_kind_of_change(editor: Client) -> None:
    post = save(publish=True).post

    answer = save_post(editor, post.pk, tags="Sea", category="Ships", featured="on")

    assert answer.status_code == 302
    assert (tag_names(stored(post)), Publication.objects.count()) == (["Sea"], 1)


def test_an_approval_that_the_blog_demands_is_asked_for_in_words(editor: Client) -> None:
    post = save(publish=True, provenance="ai_assisted").post
    with nothing_written(), override_settings(BLOG_ENGINE=blog_settings(require_approval=True)):
        answer = save_post(editor, post.pk, body="Other", confirmed="1", change="maintenance")

    assert answer.status_code == 200
    assert "reviewer" in str(answer.context["form"].errors)


def test_findings_lead_to_their_fields(writer: Client) -> None:
    post = save(body="# Title\n\ntext").post

    page = writer.get(address(post.pk)).content.decode()

    assert 'href="#id_body">The title is the page' in page
    assert 'href="#id_description">Write a description' in page


def test_tags_with_commas_and_long_lists_stay_as_they_are(writer: Client) -> None:
    faq = [{"question": f"Why {number}?", "answer": "So."} for number in range(201)]
    post = save(tags=["a, b", "c"], faq=faq).post

    answer = save_post(writer, post.pk, title="Other", tags="forged", faq_question=["x"], faq_answer=["y"])

    kept = stored(post)
    assert answer.status_code == 302
    assert (kept.title, tag_names(kept), len(kept.faqs.all())) == ("Other", ["a, b", "c"], 201)


@pytest.mark.heavy
def test_a_body_of_the_largest_size_goes_through_the_form(writer: Client) -> None:
    post = save().post
    body = "Wörter und mehr.\n\n" * 14_000
    assert 250_000 < len(body.encode()) < 262_144 * 1.1

    answer = save_post(writer, post.pk, body=body[:200_000])

    assert answer.status_code == 302
    assert stored(post).body == body[:200_000]


def test_names_are_completed(subtests: pytest.Subtests) -> None:
    save(author="Sea Writer", category="Seaside", series="Sea tales", tags=["SEA", "Land"])
    save(title="Two", author="Land Writer", category="Landside", series="Land tales")

    writer = desk(*WRITER)

    names = {"author": "Sea Writer", "category": "Seaside", "series": "Sea tales", "tag": "SEA"}
    for kind, name in names.items():
        with subtests.test(kind=kind):
            assert writer.get(url("post_complete", kind), {"q": "sea"}).json()["names"] == [name]


def test_slugs_of_posts_are_completed(writer: Client) -> None:
    for title in ("Night ferry", "Night train", "Day ferry"):
        save(title=title)

    names = writer.get(url("post_complete", "post"), {"q": "night"}).json()["names"]

    assert names == ["night-ferry", "night-train"]


@requirement("posts.translations")
def test_a_writer_names_the_translated_post_by_its_slug_and_takes_it_back(writer: Client) -> None:
    other, post = save(title="Night ferry").post, save(title="Nachtboot").post

    save_post(writer, post.pk, language="de", translation_of="night-ferry")
    shown = opened(writer, other.pk)
    grouped = [one.slug for one in stored(other).translations]
    save_post(writer, post.pk, translation_of="")

    assert (grouped, stored(other).translations) == (["nachtboot"], [])
    assert shown["translation_of"] == ["nachtboot"]
    assert stored(post).language == "de"


@requirement("posts.translations.language", "posts.translations.target", "posts.language.tag")
def test_a_language_that_does_not_fit_is_refused_at_its_field(writer: Client, subtests: pytest.Subtests) -> None:
    save(title="Night ferry")
    post = save(title="Nachtboot").post

    for sent, field in [
        ({"translation_of": "night-ferry"}, "language"),
        ({"language": "de_DE"}, "language"),
        ({"language": "de", "translation_of": "no-such-post"}, "translation_of"),
    ]:
        with subtests.test(sent=sent, field=field), undone():
            answer = save_post(writer, post.pk, **sent)

            assert errors_at(answer) == {field}
            assert (stored(post).language, stored(post).translation_group) == ("", None)


STRANGE = ["\0", "[{"]
MORE_STRANGE = ["9" * 5000, "\u202e\u0301" * 300, "", "-1", "99999999999999999999999", ",", "%00", "x" * 300]


@pytest.mark.parametrize(
    "values", [STRANGE, pytest.param(MORE_STRANGE, marks=pytest.mark.heavy)], ids=["some", "others"]
)
def test_strange_values_of_any_field_are_refused_in_words(
    editor: Client, values: list[str], subtests: pytest.Subtests
) -> None:
    post = save(publish=True).post
    names = [*PostForm.base_fields, *("faq_question", "faq_answer", "connection_party", "connection_relation")]

    for value in values:
        with subtests.test(value=value), undone():
            for name in ("cover_image", "series_position", "slug", "canonical_url", "tags", "version", "opened"):
                assert editor.post(url("post_change", post.pk), {"title": "x", name: value}).status_code in {200, 302}
            for path in ("post_change", "post_autosave", "post_preview"):
                assert editor.post(url(path, post.pk), dict.fromkeys(names, value)).status_code in {200, 302}
            for path in ("post_add", "post_autosave_new", "post_preview_new"):
                assert editor.post(url(path), {"title": "x"} | dict.fromkeys(names, value)).status_code in {200, 302}
            for path in (url("post_complete", "tag"), url("post_complete", "author"), url("post_pick_image")):
                assert editor.get(path, {"q": value, "p": value}).status_code == 200


def test_names_of_something_else_are_not_found(writer: Client) -> None:
    assert writer.get(url("post_complete", "token")).status_code == 404


def test_pictures_are_picked_newest_first_and_by_name(writer: Client) -> None:
    images = [
        factories.store_image(data=plain(size=(30, 20 + number)), filename=f"quay-{number}.png") for number in range(26)
    ]

    first = writer.get(url("post_pick_image")).content.decode()
    second = writer.get(url("post_pick_image"), {"p": "2"}).content.decode()
    found = writer.get(url("post_pick_image"), {"q": "QUAY-7"}).content.decode()

    assert f'data-pick="{images[25].pk}"' in first
    assert f'data-pick="{images[0].pk}"' in second
    assert f'data-pick="{images[1].pk}"' not in first
    assert (found.count("data-pick="), "quay-7.png" in found) == (1, True)


def test_a_dropped_picture_is_stored_and_its_path_returned(writer: Client) -> None:
    answer = writer.post(url("post_upload"), {"file": SimpleUploadedFile("quay.png", plain(), "image/png")})
    refused = writer.post(url("post_upload"), {"file": SimpleUploadedFile("quay.png", b"text", "image/png")})

    image = Image.objects.get()
    assert (answer.status_code, answer.json()["path"], answer.json()["id"]) == (201, image.url, image.pk)
    assert (refused.status_code, writer.post(url("post_upload")).status_code) == (422, 422)
    assert refused.json()["message"]


def test_the_editor_takes_a_bounded_number_of_queries(editor: Client) -> None:
    cover, social, inline = (
        factories.store_image(plain(size=(30, 20 + number)), filename=f"{number}.png") for number in range(3)
    )
    post = save(
        faq=[{"question": "Why?", "answer": "So."}],
        category="Ships",
        series="S",
        tags=["A"],
        author="Mina Holt",
        body=f"[a](/blog/b) [c](/blog/tags/d) ![x]({inline.url})",
        cover_image={"image_id": cover.pk},
        social_image={"image_id": social.pk},
        publish=True,
    ).post
    declare(post)
    editor.get(address(post.pk))

    with CaptureQueriesContext(connection) as queries:
        editor.get(address(post.pk))

    assert len(queries) <= 13, [query["sql"][:150] for query in queries]
