"""Places beside the byline that name the authors of a post: all of them, for readers, hosts and programs."""

from typing import Any

import pytest
from django.db import connection
from django.template import Context, Template
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.images.social import picture_of_post
from blog_engine.models import Post
from blog_engine.operations import posts
from blog_engine.public import latest_posts
from blog_engine.queries.previews import proposal_preview_token
from blog_engine.queries.search import matches
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.clients import call_operation
from tests.support.factories import propose, save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, meta, parse

pytestmark = pytest.mark.django_db


@pytest.fixture
def post() -> Post:
    return save(title="Quay", author="Mina Holt", coauthors=["Ben Ray", "Ute Ort"], publish=True).post


@requirement("media.social")
def test_the_drawn_picture_names_all(post: Post, visitor: Visitor) -> None:
    picture = picture_of_post(post)

    assert picture
    assert picture.author == "Mina Holt, Ben Ray, Ute Ort"
    page = visitor.page("/quay")
    assert meta(page, "og:image:alt") == "Quay — Mina Holt, Ben Ray, Ute Ort — The Example Journal"
    assert visitor.get(meta(page, "og:image").partition("/blog")[2]).status_code == 200


@requirement("pages.head.topics")
def test_the_head_links_to_each_author(post: Post, visitor: Visitor) -> None:
    page = visitor.page("/quay")

    assert [one.attrs["content"] for one in page.all("meta", property="article:author")] == [
        f"https://example.com/blog/author/{slug}" for slug in ("mina-holt", "ben-ray", "ute-ort")
    ]


@requirement("host.latest-posts")
def test_hosts_learn_of_all(post: Post) -> None:
    (latest,) = latest_posts()

    assert (latest.author, latest.coauthors) == ("Mina Holt", ("Ben Ray", "Ute Ort"))
    assert latest.authors == post.byline
    shown = "{% load blog_engine %}{% latest_posts 1 as posts %}{{ posts.0.authors|join:', ' }}"
    assert Template(shown).render(Context()) == "Mina Holt, Ben Ray, Ute Ort"


@requirement("posts.object.card")
def test_the_card_of_a_list_has_the_further_authors(post: Post) -> None:
    save(title="Alone", author="Mina Holt")

    with CaptureQueriesContext(connection) as queries:
        (alone,) = call_operation(posts.list_posts, {"status": "draft"})["posts"]
    with CaptureQueriesContext(connection) as more:
        (card,) = call_operation(posts.list_posts, {"status": "published"})["posts"]

    whole: dict[str, Any] = call_operation(posts.get_post, id=str(post.pk))
    assert (card["coauthors"], alone["coauthors"]) == (whole["coauthors"], [])
    assert [one["name"] for one in card["coauthors"]] == ["Ben Ray", "Ute Ort"]
    assert len(more) <= len(queries) + 1
    (found,) = call_operation(posts.list_posts, {"q": "quay", "fields": ["coauthors"]})["posts"]
    assert found["coauthors"] == card["coauthors"]


@requirement("search.names")
@pytest.mark.parametrize("words", ["Ben Ray", "ute", "quay ort"])
def test_a_search_finds_a_post_by_each_author(post: Post, words: str) -> None:
    save(title="Other", author="Mina Holt", publish=True)

    assert matches(Post.objects.all(), words, then_by=("-pk",)).ids == [post.pk]


def test_earlier_versions_and_their_differences_name_all(post: Post, visitor: Visitor, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_history="full")
    first = post.current_revision_identifier
    update(post, coauthors=["Ben Ray"], change="maintenance")
    second = Post.objects.get().current_revision_identifier

    version = visitor.page(f"/quay/history/{first}")
    changes = visitor.get(f"/quay/history/{first}/{second}").content.decode()

    assert version.one("p", class_="blog-history__of").text == "Mina Holt, Ben Ray, Ute Ort"
    assert "Ute Ort" in parse(changes).text


@requirement("proposals.preview")
def test_the_preview_of_a_proposal_names_all(post: Post, visitor: Visitor) -> None:
    named = propose(post, coauthors=["Ben Ray", "Ida New"], change="maintenance")
    other = propose(post, title="Harbour", change="maintenance")

    shown = [
        visitor.page(f"/preview/{proposal_preview_token(one, now=TODAY).token}").one("p", data_blog_author="").text
        for one in (named, other)
    ]

    assert shown == ["Mina Holt, Ben Ray, Ida New", "Mina Holt, Ben Ray, Ute Ort"]
