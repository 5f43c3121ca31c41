"""Renderings of outdated bodies, which a process keeps."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from blog_engine.models.image import set_origin
from blog_engine.rendering import renewed
from blog_engine.services import render_posts
from tests.requirements import requirement
from tests.support import hosts
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor
from tests.support.tables import execute, new_image

pytestmark = pytest.mark.django_db

_parsed: list[str] = []


def counting(parser: MarkdownIt) -> None:
    """A plugin of a host that notes each parsed body."""

    def note(state: StateCore) -> None:
        _parsed.append(state.src)

    parser.core.ruler.push("counting", note)


@pytest.fixture
def parsed() -> Iterator[list[str]]:
    """Make all stored renderings outdated, and return the bodies that are parsed."""
    posts = [save(title=title, body=f"{title}\n*again*", publish=True) for title in ("Soil", "Stone")]
    assert posts
    with override_settings(BLOG_ENGINE=blog_settings(markdown_plugins=[counting], feed_content="full")):
        _parsed.clear()
        yield _parsed


def overwrite(body: str) -> None:
    """Write the body of all posts past the services."""
    execute("UPDATE blog_engine_post SET body = %s, rendered_with = ''", body)


def shown(visitor: Visitor, path: str = "/soil") -> str:
    return visitor.get(path).content.decode()


@requirement("rendering.outdated.kept")
def test_an_outdated_body_is_rendered_once_by_a_process(visitor: Visitor, parsed: list[str]) -> None:
    first = shown(visitor)
    assert len(parsed) == 1

    assert shown(visitor) == first
    assert shown(visitor, "/feed.xml") == shown(visitor, "/feed.xml")
    assert len(parsed) == 2


@requirement("rendering.outdated.kept")
def test_each_change_of_the_body_shows(visitor: Visitor, parsed: list[str]) -> None:
    assert "<em>again</em>" in shown(visitor)

    overwrite("Soil\n*anew*")

    assert "<em>anew</em>" in shown(visitor)
    assert "&lt;em&gt;anew&lt;/em&gt;" in shown(visitor, "/feed.xml")
    with override_settings(BLOG_ENGINE=blog_settings(markdown_hardbreaks=False)):
        assert "Soil\n<em>anew</em>" in shown(visitor)


@requirement("rendering.outdated.kept")
def test_each_change_of_its_images_shows(visitor: Visitor, parsed: list[str]) -> None:
    image = new_image(width=640, height=480)
    path = f"/blog/media/{image.sha256}/{image.filename}"
    overwrite(f"![Clay]({path})")
    assert 'width="640"' not in shown(visitor)

    image.save()
    assert 'width="640"' in shown(visitor)

    set_origin(image, digital_source_type="trainedAlgorithmicMedia")
    assert "AI" in visitor.page("/soil").one("", data_blog_body="").text


def test_what_was_rendered_before_takes_the_same_queries_however_many_posts(
    visitor: Visitor, parsed: list[str]
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            shown(visitor, "/feed.xml")
        return len(queries)

    image = new_image()
    image.save()
    overwrite(f"![Clay](/blog/media/{image.sha256}/{image.filename})")
    count()
    few = count()
    for number in range(4):
        save(title=f"Clay {number}", publish=True)
    overwrite(f"![Clay](/blog/media/{image.sha256}/{image.filename})")
    count()

    assert count() == few


@requirement("rendering.plugins.failing")
def test_a_rendering_without_plugins_is_not_kept(visitor: Visitor, parsed: list[str]) -> None:
    overwrite("*again*")
    with override_settings(BLOG_ENGINE=blog_settings(markdown_plugins=[hosts.failing_rule])):
        assert "<em>again</em>" in shown(visitor)
        assert not renewed._memory().by_key


def test_a_process_keeps_so_many_characters(
    visitor: Visitor, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renewed, "_MOST_CHARACTERS", 40)

    for path in ("/soil", "/stone", "/soil"):
        shown(visitor, path)

    assert len(parsed) == 3
    assert renewed._memory().characters <= 40


def test_what_is_stored_again_is_no_longer_rendered(visitor: Visitor, parsed: list[str]) -> None:
    before = shown(visitor)
    render_posts()
    renewed._memory().by_key.clear()
    parsed.clear()

    assert shown(visitor) == before
    assert parsed == []
