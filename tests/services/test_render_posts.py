"""Stored renderings after an upgrade or a change of settings."""

from typing import Any

import pytest

from blog_engine.findings import findings_of
from blog_engine.models import Post
from blog_engine.queries.posts import read_post
from blog_engine.rendering.stored import rendered_body
from blog_engine.services import render_posts
from tests.support.factories import NOW, save
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db


def test_a_changed_setting_is_seen_at_once_and_stored_by_the_command(settings: Any) -> None:
    post = save(body="One\ntwo").post
    assert "<br" in post.body_html
    settings.BLOG_ENGINE = blog_settings(markdown_hardbreaks=False)
    stale = Post.objects.get()
    assert "<br" not in rendered_body(stale).html

    assert render_posts() == 1

    assert "<br" not in Post.objects.get().body_html


def test_a_rendering_that_is_right_is_left_alone() -> None:
    save()
    before = everything_stored()

    assert render_posts() == 0
    assert everything_stored() == before


def test_rendering_again_changes_neither_content_nor_times(settings: Any) -> None:
    post = save(publish=True, body="One\ntwo").post
    settings.BLOG_ENGINE = blog_settings(markdown_hardbreaks=False)

    render_posts()

    again = Post.objects.get()
    assert (again.updated_at, again.current_revision_identifier) == (post.updated_at, post.current_revision_identifier)
    assert again.publications.count() == 1


def test_rendering_again_brings_the_findings_up_to_date() -> None:
    post = save(body="# A first level").post
    post.body_facts, post.rendered_with = {"headings": [], "images": [], "links": []}, "an earlier renderer"
    post.store(update_fields=["body_facts", "rendered_with"])

    render_posts()

    fresh = read_post(post.pk)
    codes = {finding.code for finding in findings_of(fresh, has_responsible_party=True, now=NOW)}
    assert "heading_h1_in_body" in codes
