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
from tests.support.factories import make_author, propose, save, store_image, update
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.pages import Visitor, atom_at, graph_of, json_at, meta, parse

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


_PAGES = [f"https://example.com/blog/author/{slug}" for slug in ("mina-holt", "ben-ray", "ute-ort")]


@pytest.fixture
def known() -> None:
    """Two of the authors with more than a name, the last one with a picture too."""
    make_author(name="Mina Holt", bio="Grows <leeks>.", profile_urls=["https://mina.example/"])
    avatar = store_image(plain(size=(160, 160)))
    make_author(name="Ute Ort", profile_urls=["https://ute.example/@ute"], avatar={"image_id": avatar.pk})


@requirement("pages.article.author")
@pytest.mark.usefixtures("storage", "known", "post")
def test_each_author_of_whom_more_is_known_has_a_box(visitor: Visitor) -> None:
    mina, ute = visitor.page("/quay").one("footer", class_="blog-after").all("span", class_="blog-author")

    names = [box.one("a", class_="blog-author__name") for box in (mina, ute)]
    assert [(name.text, name.attrs["href"]) for name in names] == [
        ("Mina Holt", "/blog/author/mina-holt"),
        ("Ute Ort", "/blog/author/ute-ort"),
    ]
    assert mina.one("span", class_="blog-author__bio").text == "Grows <leeks>."
    assert (mina.one("span", class_="blog-avatar").text, mina.has("img")) == ("MH", False)
    assert ute.one("img", class_="blog-avatar").attrs["alt"] == "Ute Ort"
    assert not ute.has(class_="blog-author__bio")
    assert [box.one(rel="me noopener").text for box in (mina, ute)] == ["mina.example", "ute.example/@ute"]


@requirement("pages.byline.coauthors", "pages.microformats", "feeds.coauthors")
@pytest.mark.usefixtures("storage", "known")
def test_programs_learn_of_the_page_of_each_author(post: Post, visitor: Visitor) -> None:
    article, index = visitor.page("/quay"), visitor.page("/")

    (posting,) = (one for one in graph_of(article) if one["@type"] == "BlogPosting")
    assert [(one["name"], one["url"], one.get("sameAs")) for one in posting["author"]] == [
        ("Mina Holt", _PAGES[0], ["https://mina.example/"]),
        ("Ben Ray", _PAGES[1], None),
        ("Ute Ort", _PAGES[2], ["https://ute.example/@ute"]),
    ]
    for page in (article, index):
        cards = page.one(class_="h-entry").all("a", class_="h-card")
        assert [(card.text, f"https://example.com{card.attrs['href']}") for card in cards] == list(
            zip(post.byline, _PAGES, strict=True)
        )
        assert all("p-author" in card.classes for card in cards)
    (item,) = json_at(visitor)["items"]
    assert [one["url"] for one in item["authors"]] == _PAGES
    uris = atom_at(visitor).findall("{*}entry/{*}author/{*}uri")
    assert [uri.text for uri in uris] == _PAGES


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
