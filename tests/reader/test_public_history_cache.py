"""Pages of the public history are kept until what they show changes."""

import pytest
from django.test import override_settings
from pytest_django import Settings

from blog_engine import services
from blog_engine.inputs.history import PublicVersionRef, WithholdVersion
from blog_engine.models import Post, StatusChange
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, approve, save, update
from tests.support.hosts import blog_settings
from tests.support.pages import ask
from tests.support.tables import new_status_change, stored

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def versions(transactional_db: None, settings: Settings) -> list[str]:
    """The identifiers of the two versions of the post at ``/blog/bells``."""
    settings.BLOG_ENGINE = blog_settings(public_history="full")
    post = save(title="Bells", body="One.", publish=True).post
    update(post, body="Two.", change="substantive")
    return [post.current_revision_identifier, Post.objects.get().current_revision_identifier]


@requirement("public-history.cache", "page-cache.kept", "page-cache.equal")
def test_pages_and_texts_are_kept_and_the_evidence_is_not(versions: list[str]) -> None:
    old, new = versions
    kept = ["", "?page=1", ".json", f"/{old}", f"/{old}/{new}"]

    for path in kept:
        first, again = ask(f"/blog/bells/history{path}"), ask(f"/blog/bells/history{path}")
        assert (first.response.status_code, first.was_kept, again.was_kept) == (200, False, True), path
        assert first.whole == again.whole, path
        tag = first.response["ETag"]
        known = ask(f"/blog/bells/history{path}", headers={"if-none-match": tag})
        assert (known.response.status_code, known.was_kept) == (304, True), path
    assert not [ask("/blog/bells/history/evidence.json") for _ in range(2)][-1].was_kept


@requirement("public-history.cache", "page-cache.version", "page-cache.fresh")
def test_every_act_shows_at_once(versions: list[str]) -> None:
    old, _ = versions
    post = Post.objects.get()
    named = {"id": str(post.pk), "identifier": old}
    withhold = WithholdVersion(**named, reason="A court order")
    steps = {
        "a review": lambda: approve(post),
        "a correction": lambda: update(post, body="Three.", change="correction", note="It was two."),
        "withholding": lambda: services.withhold_version(withhold, actor=EDITOR, now=LATER),
        "showing again": lambda: services.show_version(PublicVersionRef(**named), actor=EDITOR, now=LATER),
        "a withdrawal past the services": lambda: stored(new_status_change(post, created_at=TODAY)),
    }
    for name, act in steps.items():
        before = {path: ask(f"/blog/bells/history{path}").response.content for path in ("", ".json", f"/{old}")}

        act()

        after = {path: ask(f"/blog/bells/history{path}").response.content for path in before}
        assert after[".json"] != before[".json"], name
        assert after == {path: rendered_full(path) for path in before}, name
    assert StatusChange.objects.count() == 1


def rendered_full(path: str) -> bytes:
    with override_settings(BLOG_ENGINE=blog_settings(public_history="full", page_cache={"enabled": False})):
        content: bytes = ask(f"/blog/bells/history{path}").response.content
    return content
