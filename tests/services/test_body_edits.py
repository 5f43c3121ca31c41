"""Edits of a stored body, as every write takes them."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine.errors import ChangeTypeRequired, Refusal, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.edits import MOST_EDITS
from blog_engine.inputs.posts import UpdatePost
from blog_engine.models import Post
from blog_engine.services import Written
from tests.requirements import requirement
from tests.support.factories import publish, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

BODY = "Frost is a word.\n\n## Garden\n\nA garden needs frost.\n"


WRITES: dict[str, Callable[..., Written]] = {
    "update": update,
    "publish": publish,
    "save": lambda post, **sent: save(slug=post.slug, **sent),
}


@requirement("posts.edits")
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_edits_write_what_the_whole_body_would(write: Callable[..., Written]) -> None:
    one, other = save(title="One", body=BODY).post, save(title="Two", body=BODY).post

    edited = write(one, edits=[{"old": "Frost", "new": "Snow"}, {"append": "End."}]).post
    whole = write(other, body=BODY.replace("Frost", "Snow") + "\nEnd.\n").post

    assert (edited.body, edited.body_html, edited.word_count) == (whole.body, whole.body_html, whole.word_count)
    assert "Snow is" in Post.objects.get(pk=one.pk).search_text


SNOW = {"old": "Frost", "new": "Snow"}
REFUSED: dict[str, tuple[dict[str, Any], type[Refusal], list[str]]] = {
    "one that does not apply": ({"edits": [SNOW, {"old": "Fog", "new": "Haze"}]}, ValidationFailed, ["edits"]),
    "a whole body too": ({"body": "All.", "edits": [SNOW]}, ValidationFailed, ["body", "edits"]),
    "public content without its kind": ({"edits": [SNOW]}, ChangeTypeRequired, []),
    "too long": ({"edits": [{"append": "Long. " * 20}]}, ValidationFailed, ["body"]),
    "too long between two edits": (
        {"edits": [{"old": "word", "new": "ö" * 40}, {"old": "ö" * 40, "new": "word"}]},
        ValidationFailed,
        ["body"],
    ),
}


@requirement("posts.edits", "posts.edits.all", "posts.edits.size")
@pytest.mark.parametrize(("sent", "refusal", "details"), REFUSED.values(), ids=REFUSED)
def test_edits_are_refused_all_together(
    sent: dict[str, Any], refusal: type[Refusal], details: list[str], settings: Any
) -> None:
    settings.BLOG_ENGINE = blog_settings(max_body_bytes=100)
    post = save(body=BODY, publish=True).post

    with refused(refusal, details):
        update(post, **sent)


@requirement("posts.edits")
def test_a_new_post_has_nothing_to_edit() -> None:
    with refused(ValidationFailed, ["edits"]):
        save(edits=[{"append": "End."}])


@requirement("posts.edits.forms")
@pytest.mark.parametrize(
    "edits",
    [
        [],
        [{}],
        [{"old": "Frost"}],
        [{"new": "Snow"}],
        [{"old": "", "new": "Snow"}],
        [{"old": "Frost", "new": "Snow", "append": "End."}],
        [{"append": "End.", "occurrence": 1}],
        [{"after_heading": "Garden"}],
        [{"old": "Frost", "new": "Snow", "occurrence": 0}],
        [{"append": "End."}] * (MOST_EDITS + 1),
    ],
    ids=[
        "none",
        "empty",
        "no new",
        "no old",
        "empty old",
        "two forms",
        "occurrence of nothing",
        "no text",
        "0",
        "too many",
    ],
)
def test_another_form_is_refused(edits: list[dict[str, object]]) -> None:
    with refused(ValidationFailed, ["edits"]):
        parse(UpdatePost, {"edits": edits}, fixed={"id": "1"})


@requirement("posts.edits.size")
def test_a_stored_body_that_is_too_long_by_now_can_be_shortened_in_steps(settings: Any) -> None:
    post = save(body=BODY).post
    settings.BLOG_ENGINE = blog_settings(max_body_bytes=40)

    update(post, edits=[{"old": "Frost is a word.\n\n", "new": ""}, {"old": "A garden needs", "new": "No"}])

    assert Post.objects.get(pk=post.pk).body == "## Garden\n\nNo frost.\n"
