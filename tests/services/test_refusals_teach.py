"""What a refused write teaches beside its code: the names and the next step that correct the call."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model

from blog_engine.errors import (
    ApprovalRequired,
    BodyFormatNotPermitted,
    IdentityConflict,
    NotFound,
    Refusal,
    SlugReserved,
    ValidationFailed,
)
from blog_engine.images.inspect import inspect_image
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Author, Category, Post, Series
from blog_engine.queries.records import row_of
from blog_engine.services import save_draft
from tests.support.factories import EDITOR, NOW, adopt, publish, save, update
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

TOMORROW = (NOW + timedelta(days=1)).isoformat()


@pytest.fixture
def approval_required(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)


def told(refusal: type[Refusal], write: Callable[[], object]) -> list[str]:
    """The words of the hint with which a write must be refused; a slug is one word."""
    with pytest.raises(refusal) as caught:
        write()
    return re.findall(r"[\w-]+", caught.value.hint)


def test_a_taken_slug_that_was_sent_is_named() -> None:
    save(slug="frost")
    other = save(slug="thaw").post

    hint = told(IdentityConflict, lambda: update(other, slug="frost"))

    assert "frost" in hint
    assert "title" not in hint


def test_a_taken_slug_that_a_title_made_is_named_with_its_origin() -> None:
    save(title="Winter garden")

    hint = told(IdentityConflict, lambda: save(title="Winter garden"))

    assert {"winter-garden", "title"} <= set(hint)


@pytest.mark.parametrize(
    ("fields", "name"),
    [({"author": "999"}, "author"), ({"cover_image": {"image_id": 999}}, "image_id")],
)
def test_of_several_records_the_missing_one_is_named(fields: dict[str, Any], name: str) -> None:
    assert name in told(NotFound, lambda: save(**fields))


@pytest.mark.parametrize(("model", "name"), [(Category, "category"), (Series, "series"), (Author, "author")])
def test_a_missing_record_is_called_what_it_is_in_every_locale(settings: Any, model: type[Model], name: str) -> None:
    settings.LANGUAGE_CODE = "de"

    assert name in told(NotFound, lambda: row_of(model._default_manager.all(), 999))


@pytest.mark.parametrize("sent", [{"slug": "winter-gadren"}, {"external_id": "a-2"}])
def test_who_misspells_a_post_learns_that_it_would_be_a_new_one(sent: dict[str, str]) -> None:
    nothing_sent = told(ValidationFailed, lambda: save_draft(parse(SavePost, {}), actor=EDITOR, now=NOW))

    hint = told(ValidationFailed, lambda: save_draft(parse(SavePost, sent), actor=EDITOR, now=NOW))

    assert "title" in hint
    assert hint != nothing_sent


@pytest.mark.parametrize("title", ["Feed", "Search"])
def test_a_reserved_slug_that_a_title_made_is_named(title: str) -> None:
    assert title.lower() in told(SlugReserved, lambda: save(title=title))


def test_the_taken_ones_of_many_old_slugs_are_named() -> None:
    save(slug="ferry")

    hint = told(SlugReserved, lambda: adopt(old_slugs=["boat", "ferry", "feed", "ship"]))

    assert [slug for slug in ("boat", "ferry", "feed", "ship") if slug in hint] == ["ferry", "feed"]


@pytest.mark.parametrize(("count", "more"), [(3, []), (5, ["2"])])
def test_three_taken_old_slugs_are_named_and_the_others_counted(count: int, more: list[str]) -> None:
    taken = ["boat", "dinghy", "ferry", "raft", "ship"][:count]
    for slug in taken:
        save(slug=slug)

    hint = told(SlugReserved, lambda: adopt(old_slugs=taken))

    assert [slug for slug in taken if slug in hint] == taken[:3]
    assert [word for word in hint if word.isdigit()] == more


def test_the_formats_of_this_blog_are_named() -> None:
    hint = told(BodyFormatNotPermitted, lambda: save(body_format="rich_text"))

    assert "markdown" in hint
    assert "rich_text" not in hint


def test_the_steps_to_an_approved_release_are_told_in_their_order(approval_required: None) -> None:
    draft = save().post

    for write in (lambda: publish(draft), lambda: save(title="New", publish=True)):
        hint = told(ApprovalRequired, write)
        steps = [hint.index(step) for step in ("draft", "preview", "approval", "publish")]
        assert steps == sorted(steps)


@pytest.mark.parametrize("when", [None, TOMORROW])
def test_a_version_that_cannot_wait_as_a_draft_is_sent_again_with_its_approval(
    approval_required: None, when: str | None
) -> None:
    checked = {"name": "Rosa Reviewer", "facts_checked": True}
    post: Post = save(publish=True, publish_at=when, approval=checked).post

    hint = told(ApprovalRequired, lambda: update(post, body="New.", change="maintenance"))

    assert {"approval", "name", "facts_checked"} <= set(hint)
    assert "preview" not in hint


def test_the_limit_and_the_types_of_images_are_told(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=5000, image_content_types=["image/png"])

    too_large = told(Refusal, lambda: inspect_image(b"x" * 5001, filename="quay.png"))
    cut = told(Refusal, lambda: inspect_image(b"\x89PNG\r\n\x1a\n", filename="quay.png"))

    assert "5000" in too_large
    assert {"image", "png", "url"} <= set(cut)
    assert "jpeg" not in cut
