"""The findings of several posts together are those of each post alone, in a fixed number of queries."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.findings import FINDINGS, Finding, Subject, findings_of, findings_of_posts
from blog_engine.models import Post
from blog_engine.queries.checked import posts_to_check
from blog_engine.queries.posts import read_post
from blog_engine.queries.previews import preview_token
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, adopt, approve, declare, remove, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.tables import new_image, stored

pytestmark = pytest.mark.django_db

WRAPPED = (
    "A line of the text that an editor wraps at a column, as in a letter, with\nanother line below it, and so on " * 4
)
LINKS = "[a](/blog/first) [b](nothing) [c](/blog/category/soil) [d](/blog/tag/none) [e](/blog/policies/x) [f](/blog/{})"


@pytest.fixture
def varied(settings: Any, own_images: None) -> list[Post]:
    """Posts of every state, with most of the faults that a stored post can have."""
    settings.BLOG_ENGINE = blog_settings(markdown_hardbreaks=True)
    image = stored(new_image(has_location=True))
    picture = f"![](/blog/media/{image.sha256}/quay.png)"
    twice = {"title": "Twice", "search_description": "The same words.", "publish": True}
    faq = [{"question": "Why?", "answer": "*So*"}, {"question": "why? ", "answer": "So."}]
    posts = [
        save(slug="first", publish=True, category="Soil", provenance="human_written", tags=["mud"]).post,
        save(**twice, slug="one").post,
        save(**twice, slug="two", provenance="ai_assisted").post,
        save(title="Twice", slug="three").post,
        save(title="Headings", body="# One\n\n#### Four\n\n<marquee>x</marquee>", faq=faq).post,
        save(title="FAQ in body", body="## FAQ\n\n### Why?\n\nSo.\n").post,
        save(title="Wrapped", body=WRAPPED, canonical_url="https://elsewhere.example/x").post,
        save(title="Pictures", body=f"{picture}\n\n![x](https://elsewhere.example/x.png)").post,
        save(title="Cover", cover_image={"image_id": image.pk}, social_image={"image_id": image.pk}).post,
        save(title="Links", body=LINKS.format("links"), slug="links").post,
        save(title="Links again", body=LINKS.format("gone"), publish=True, provenance="ai_assisted").post,
        save(title="Soon", publish=True, publish_at="2027-01-01T00:00:00Z", provenance="ai_assisted").post,
        adopt().post,
    ]
    unpublish(save(title="Gone", slug="gone", publish=True).post)
    archived = save(title="Archived", publish=True).post
    remove(archived)
    approve(posts[2])
    declare(posts[1])
    update(posts[10], body=LINKS.format("one"), change="maintenance")
    return [*posts, archived]


def alone(posts: list[Post], **context: Any) -> dict[int, list[Finding]]:
    return {post.pk: findings_of(read_post(post.pk), now=NOW, **context) for post in posts}


def together(posts: list[Post], **context: Any) -> dict[int, list[Finding]]:
    return findings_of_posts(posts_to_check([post.pk for post in posts]), now=NOW, **context)


@requirement("findings.together")
@pytest.mark.parametrize("has_responsible_party", [True, False])
def test_the_findings_together_are_those_of_each_post_alone(varied: list[Post], has_responsible_party: bool) -> None:
    found = together(varied, has_responsible_party=has_responsible_party)

    assert found == alone(varied, has_responsible_party=has_responsible_party)
    assert list(found) == [post.pk for post in varied]
    codes = {finding.code for several in found.values() for finding in several}
    assert codes >= {"title_duplicate", "description_duplicate", "link_same_site_broken", "image_location_data"}
    assert len(codes) >= 18


@requirement("findings.together")
@pytest.mark.parametrize("base", [None, "https://blog.example"])
def test_the_findings_together_follow_the_settings(varied: list[Post], settings: Any, base: str | None) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=base or ..., default_social_image_url="/card.png")

    assert together(varied, has_responsible_party=True) == alone(varied, has_responsible_party=True)


@requirement("findings.queries", "findings.together")
def test_the_queries_do_not_depend_on_the_number_of_posts(varied: list[Post]) -> None:
    few, many = varied[8:11], varied * 1
    numbers = []
    for posts in (few, many):
        with CaptureQueriesContext(connection) as queries:
            together(posts, has_responsible_party=True)
        numbers.append(len(queries))

    assert numbers == [3, 3]


def test_no_text_of_a_post_is_read(varied: list[Post]) -> None:
    with CaptureQueriesContext(connection) as queries:
        together(varied, has_responsible_party=True)

    sent = " ".join(query["sql"] for query in queries)
    for column in ('"body",', '"body_html"', '"search_text"', '"indexed_body"', '"payload"', '"outline"'):
        assert column not in sent


def test_no_posts_have_no_findings() -> None:
    with CaptureQueriesContext(connection) as queries:
        assert together([], has_responsible_party=True) == {}

    assert len(queries) == 0


def test_a_post_that_is_gone_is_left_out(varied: list[Post]) -> None:
    assert [post.pk for post in posts_to_check([varied[0].pk, 10**9])] == [varied[0].pk]


@requirement("findings.together")
def test_a_check_of_the_host_reads_what_it_likes(varied: list[Post], monkeypatch: pytest.MonkeyPatch) -> None:
    def too_short(subject: Subject) -> Finding | None:
        return Finding("too_short", None, "Short.", "body") if len(subject.post.body) < 20 else None

    monkeypatch.setitem(FINDINGS, "too_short", too_short)

    assert together(varied, has_responsible_party=True) == alone(varied, has_responsible_party=True)


@requirement("findings.together")
def test_links_of_a_preview_count_as_long_as_they_show_the_present_content(varied: list[Post]) -> None:
    shown, changed = save(title="Shown").post, save(title="Changed").post
    tokens = [preview_token(post, now=NOW) for post in (shown, changed)]
    links = " ".join(f"[x](/blog/preview/{one.token})" for one in tokens if one)
    post = save(title="Refers", body=links).post
    update(changed, body="Other words.", now=LATER)

    found = together([post], has_responsible_party=True)

    assert found == alone([post], has_responsible_party=True)
    assert sum(one.code == "link_same_site_broken" for one in found[post.pk]) == 1
