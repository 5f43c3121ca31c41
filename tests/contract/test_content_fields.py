"""Every field of a post is everywhere where the table of content fields says: a change of it is seen there."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine.admin._comparison import differences_between
from blog_engine.admin.post_form import PostForm, field_label
from blog_engine.blog_urls import BlogURLs
from blog_engine.content.faq import FaqPair
from blog_engine.exporting.content import Pages
from blog_engine.exporting.posts import exported_posts
from blog_engine.exporting.targets import open_target
from blog_engine.importing.source import ImageUse
from blog_engine.inputs.posts import PostFields
from blog_engine.models import Post
from blog_engine.operations import posts
from blog_engine.queries.posts import described_post, read_post, tag_names
from blog_engine.queries.versions import present_payload
from blog_engine.rules.content_fields import CONTENT_FIELDS, METADATA_TEXTS, ContentField, FieldKind, FieldPlace
from blog_engine.rules.proposals import PROPOSABLE_FIELDS, proposable_values
from blog_engine.services._derive import SEARCHED_COLUMNS
from tests.admin.desk import EDITOR, desk, opened, send, url
from tests.importing.markdown.sites import read_post as read_markdown
from tests.importing.old_blogs import draft, run_import
from tests.support.clients import call_operation
from tests.support.factories import NOW, save, store_image
from tests.support.hosts import blog_settings
from tests.support.images import plain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

TABLE = {one.name: one for one in CONTENT_FIELDS}
OF_THE_CALL = {
    *("edits", "approval", "change", "change_description", "note", "publish_at"),
    *("expected_revision", "expected_version", "dry_run"),
}
"""Fields of a write that are no content of the post."""
ONLY_IN_THE_FORM = {"version", "opened", "base", "cover_image_file", "social_image_file"}
NAMES = sorted(
    {*PostFields.model_fields, *TABLE, *PostForm.base_fields}
    - OF_THE_CALL
    - ONLY_IN_THE_FORM
    - {control for one in CONTENT_FIELDS for control in one.controls[1:]}
)

STORED: dict[str, Any] = {
    "title": "Night ferry",
    "body": "It leaves.",
    "author": "Mina Holt",
    "coauthors": ["Ben Ray"],
    "faq": [{"question": "When?", "answer": "At ten."}],
    "category": "Ships",
    "tags": ["Sea"],
    "series": "Crossings",
    "series_position": 1,
    "featured": False,
    "canonical_url": "https://elsewhere.example/a",
    "language": "de",
    "slug": "night-ferry",
    "external_id": "cms-1",
    "provenance": "human_written",
    "connections": {"connections": [], "third_party_paid": False, "declared_by": "Mina Holt"},
}
TYPED: dict[str, dict[str, Any]] = {
    "faq": {"faq_question": ["Why?"], "faq_answer": ["So."]},
    "series_position": {"series_position": "3"},
    "featured": {"featured": "on"},
    "canonical_url": {"canonical_url": "https://elsewhere.example/b"},
    "noindex": {"noindex": "on"},
    "expires_at": {"expires_at": "2099-05-01T10:00"},
    "language": {"language": "fr"},
    "translation_of": {"translation_of": "other"},
    "slug": {"slug": "other-ferry"},
    "provenance": {"provenance": "ai_assisted"},
    "connections": {"connection_party": ["Quay"], "connection_relation": ["customer"], "declared_by": "Ines"},
}
"""What a person types to change a field, if it is not another text."""
SENT = {"body_format": "rich_text", "external_id": "cms-2", "made_by_ai": True}
"""What a client sends to change a field that the form does not have."""
IN_THE_SOURCE: dict[str, dict[str, Any]] = {
    "cover_alt": {"cover": ImageUse("https://old.example/quay.png", alt="An old text")},
    "series": {"series": "An old text"},
    "series_position": {"series": "Crossings", "series_position": 7},
    "tags": {"tags": ("An old text",)},
    "coauthors": {"coauthors": ("An old text",)},
    "featured": {"is_featured": True},
    "noindex": {"is_unlisted": True},
    "expires_at": {"expires_at": datetime(2099, 5, 1, tzinfo=UTC)},
    "canonical_url": {"canonical_url": "https://elsewhere.example/b"},
    "language": {"language": "fr"},
}
"""What another blog has to change a field, if it is not another text under the name of the field."""
IN_OTHER_TESTS = {"cover_image", "social_image", "translation_of", "slug", "body_format"}
"""Fields whose import takes several entries or files: see ``tests/importing``."""
ANSWERED = {"translation_of": "translations", "series_position": "series"}
CONTROLS = {"faq": "faq_question", "connections": "connection_party"}
"""The first control of fields that the form shows in rows."""


@pytest.fixture
def editor(settings: Settings) -> Client:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])
    return desk(*EDITOR)


@pytest.mark.parametrize("name", NAMES)
def test_a_field_is_everywhere_where_the_table_says(name: str, editor: Client, tmp_path: Path) -> None:
    if name not in TABLE:
        pytest.fail(f"{name} is not in: the table of content fields (blog_engine/rules/content_fields.py)")
    if name not in PostFields.model_fields:
        pytest.fail(f"{name} is not in: the inputs of posts (blog_engine/inputs/posts.py)")
    field, post = TABLE[name], _stored_post()
    seen = {place.value: place not in field.absent for place in FieldPlace} | {
        "revisions": field.is_revised,
        "comparisons of revisions": field.is_revised,
        "answers about revisions": field.is_revised,
        "the search": field.is_searched,
    }

    found = {FieldPlace.AUTOSAVE.value: False, FieldPlace.IMPORT.value: _is_imported(field, tmp_path)}
    before = _observed(post, field, editor, tmp_path / "before")
    if field.in_form:
        sent = TYPED.get(name) or {name: str(_other_image()) if name.endswith("_image") else "Another text"}
        fields = opened(editor, post.pk)
        found[FieldPlace.PAGE.value] = _preview(editor, post, fields) != _preview(editor, post, fields, **sent)
        send(editor, url("post_autosave", post.pk), fields, **sent)
        after = _observed(post, field, editor, tmp_path / "autosaved")
        found[FieldPlace.AUTOSAVE.value] = _differing(before, after) != []
        if not found[FieldPlace.AUTOSAVE.value]:
            send(editor, url("post_change", post.pk), fields, save="1", **sent)
    else:
        shown = _preview(editor, post, opened(editor, post.pk))
        save(title=post.title, slug=post.slug, **{name: SENT.get(name, "Another text")})
        found[FieldPlace.PAGE.value] = shown != _preview(editor, post, opened(editor, post.pk))
        seen[FieldPlace.AUTOSAVE.value] = False
    after = _observed(post, field, editor, tmp_path / "after")
    found |= {place: before[place] != after[place] for place in before}
    found["comparisons of revisions"] = _is_compared(before["revisions"], after["revisions"], field)

    missing = [place for place, is_seen in seen.items() if is_seen and not found[place]]
    assert not missing, f"{name} is not in: {', '.join(missing)}"
    unsaid = [place for place, is_seen in seen.items() if not is_seen and found[place]]
    assert not unsaid, f"{name} is in these places, against the table: {', '.join(unsaid)}"


def _stored_post() -> Post:
    images = {name: {"image_id": store_image(plain(size=(30, width))).pk} for name, width in _IMAGES.items()}
    texts = {one.name: f"A text for {one.name}" for one in CONTENT_FIELDS if one.kind is FieldKind.TEXT}
    save(title="Other", slug="other", series="Crossings", series_position=2, publish=True)
    return save(**(texts | images | STORED)).post


_IMAGES = {"cover_image": 20, "social_image": 21}


def _other_image() -> int:
    return store_image(plain(size=(30, 22))).pk


def _observed(post: Post, field: ContentField, editor: Client, target: Path) -> dict[str, Any]:
    """Return what each place has of the field now."""
    stored, name = read_post(post.pk), field.name
    fields, payload = opened(editor, post.pk), present_payload(stored)
    version = call_operation(posts.get_post_records, {"revision": "draft"}, id=str(post.pk))["revision"]
    return {
        FieldPlace.ANSWERS.value: call_operation(posts.get_post, id=str(post.pk)).get(ANSWERED.get(name, name)),
        FieldPlace.FORM.value: fields.get(CONTROLS.get(name, name)),
        FieldPlace.PROPOSALS.value: _proposable(stored).get(name) if name in PROPOSABLE_FIELDS else None,
        FieldPlace.DRY_RUNS.value: described_post(stored),
        FieldPlace.EXPORT.value: _exported(post, target),
        "revisions": payload,
        "answers about revisions": version.get(field.recorded_as) if field.is_revised else None,
        "the search": [getattr(stored, column) for column in sorted(SEARCHED_COLUMNS)],
    }


def _proposable(post: Post) -> dict[str, Any]:
    faq = [FaqPair(row.question, row.answer) for row in post.faqs.all()]
    return proposable_values(post, faq=faq, tags=tag_names(post)) | {"made_by_ai": post.unrecorded_made_by_ai}


def _exported(post: Post, target: Path) -> tuple[str, str]:
    """Return the name and the text of the exported file of a post."""
    (found,) = [one for one in exported_posts("default") if one.post.pk == post.pk]
    with open_target(target) as files:
        Pages(files, "default", BlogURLs.on("https://example.com"), NOW)._write_post(found, has_responsible_party=False)
    (file,) = target.glob("content/posts/*")
    return file.name, file.read_text("utf-8")


def _preview(editor: Client, post: Post, fields: dict[str, list[Any]], **changes: Any) -> str:
    """Return the article page as the desk shows what the form has."""
    return send(editor, url("post_preview", post.pk), fields, **changes).content.decode()


def _is_compared(before: str, after: str, field: ContentField) -> bool:
    label = field_label(field.name) if field.recorded_as == field.name else "Images"
    return label in [one.label for one in differences_between(before, after)]


def _differing(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [place for place in before if before[place] != after[place]]


def _is_imported(field: ContentField, folder: Path) -> bool:
    """Return whether a later import brings another value, and front matter has a text under the name of its field."""
    name = field.name
    if name in IN_OTHER_TESTS or FieldPlace.IMPORT in field.absent:
        return FieldPlace.IMPORT not in field.absent
    default = {"texts": {name: "An old text"}} if name in METADATA_TEXTS else {name: "An old text"}
    if name in METADATA_TEXTS and read_markdown(folder, f"---\n{name}: An old text\n---\n").texts != default["texts"]:
        return False
    (folder / "media").mkdir()
    (folder / "media" / "quay.png").write_bytes(plain())
    first = draft(1, author="Ann Bell", cover=ImageUse("https://old.example/quay.png"), series="Crossings")
    answers = []
    for entry in (first, replace(first, **IN_THE_SOURCE.get(name, default)), first):
        run_import(entry, media=folder / "media")
        post = Post.objects.get(external_id__contains="old.example")
        answers.append(call_operation(posts.get_post, id=str(post.pk)).get(ANSWERED.get(name, name)))
    return answers[0] != answers[1] and answers[0] == answers[2]
