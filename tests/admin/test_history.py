"""The timeline of a post, its revisions, and the comparison of two of them."""

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.enums import ActorKind
from blog_engine.models import Post, Publication, Revision
from blog_engine.queries.timeline import EVENTS_PER_PAGE, LISTED_REVISIONS
from tests.admin.desk import desk, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import (
    AGENT,
    CONNECTIONS,
    DECLARATION,
    IMPORTED,
    LATER,
    NOW,
    adopt,
    approve,
    declare,
    publish,
    remove,
    save,
    store_image,
    unpublish,
    update,
)

pytestmark = pytest.mark.django_db

NEXT_WEEK = NOW + timedelta(days=7)


@pytest.fixture
def reader() -> Client:
    return desk("view_post")


def life_of_a_post() -> Post:
    """A post with every kind of event, an hour after the other."""
    post = save(title="Ferry", body="It leaves at nine.", made_by_ai=True, actor=AGENT).post
    approve(post, now=NOW + timedelta(hours=1))
    publish(post, publish_at=NEXT_WEEK.isoformat(), now=NOW + timedelta(hours=2))
    publish(post, publish_at=(NEXT_WEEK + timedelta(days=1)).isoformat(), now=NOW + timedelta(hours=3))
    publish(post, publish_at=None, now=NOW + timedelta(hours=4))
    publish(post, now=NOW + timedelta(hours=5))
    declare(post, connections=[{"party": "Quay Ltd", "relation": "customer"}], now=NOW + timedelta(hours=6))
    update(
        post,
        body="It leaves at ten.",
        change="correction",
        note="It was nine.",
        made_by_ai=False,
        now=NOW + timedelta(hours=7),
    )
    unpublish(post, now=NOW + timedelta(hours=8))
    publish(post, now=NOW + timedelta(hours=9))
    remove(post, redirect_to="/about", now=NOW + timedelta(hours=10))
    return stored(post)


@requirement("desk.timeline")
def test_the_timeline_tells_it_all_the_newest_first(reader: Client) -> None:
    page = text_of(reader.get(url("post_history", life_of_a_post().pk)))

    sentences = [
        "Ines Editor removed this post; its URL leads to /about.",
        "Ines Editor published this post again, unchanged.",
        "Ines Editor withdrew this post.",
        "Ines Editor published a correction.",
        "It was nine.",
        "Ines Editor wrote this version without AI.",
        "Ines Editor declared connections on Nov. 21, 2026: Quay Ltd: customer",
        "Ines Editor published this post for the first time.",
        "Ines Editor cancelled the schedule.",
        "Ines Editor moved the publication to Nov. 29, 2026, 12:00 (UTC).",
        "Ines Editor scheduled this post for Nov. 28, 2026, 12:00 (UTC).",
        "Rosa Reviewer checked the facts of this version and approved it. Recorded by Ines Editor.",
        "Drafting agent wrote this version with the help of AI.",
        "The post was created.",
    ]
    places = [page.find(sentence) for sentence in sentences]
    assert -1 not in places, sentences[places.index(-1)]
    assert places == sorted(places)


def test_a_substantive_change_and_its_description(reader: Client) -> None:
    post = save(publish=True, body="One.").post
    update(post, body="Two.", change="substantive", change_description="A second <thing>.")
    update(post, body="Three.", change="maintenance", now=LATER + timedelta(hours=1))

    page = text_of(reader.get(url("post_history", post.pk)))

    assert "Ines Editor published a substantive change. A second <thing>." in page
    assert "Ines Editor published a change of spelling, links or layout; the meaning stayed." in page


def test_a_scheduled_release_has_no_name(reader: Client) -> None:
    post = save().post
    publish(post, publish_at=NEXT_WEEK.isoformat())
    services.publish_due(now=NEXT_WEEK)

    page = text_of(reader.get(url("post_history", post.pk)))

    assert "This post was published for the first time, as scheduled." in page


@pytest.mark.parametrize(
    ("approval", "sentences"),
    [
        (
            {"imported_approval": IMPORTED},
            [
                "before it came to this blog.",
                "Imported from the other system, confirmed by Mina Holt.",
                "Workflow entry 4",
            ],
        ),
        (
            {"declaration": DECLARATION},
            ["before it came to this blog.", "Declared by Mina Holt on Nov. 20, 2026."],
        ),
    ],
    ids=["imported", "declared"],
)
def test_an_adopted_post(reader: Client, approval: dict[str, Any], sentences: list[str]) -> None:
    post = adopt(**approval, connections=CONNECTIONS).post

    page = text_of(reader.get(url("post_history", post.pk)))

    assert "Ines Editor brought this post over from oldpress, where its id is 17." in page
    assert [sentence for sentence in sentences if sentence not in page] == []


def test_a_draft_that_no_revision_records(reader: Client) -> None:
    post = save(made_by_ai=True, actor=AGENT).post

    page = text_of(reader.get(url("post_history", post.pk)))

    assert "Drafting agent wrote this version with the help of AI." in page
    assert "This draft is not in the history yet" in page


@requirement("desk.timeline")
def test_a_long_history_is_paged_and_each_page_is_cheap(reader: Client) -> None:
    post = save(publish=True, body="Text 0.").post
    for number in range(1, 60):
        moment = NOW + timedelta(hours=number)
        update(post, body=f"Text {number}.", change="correction", note=f"Note {number}.", now=moment)

    pages = []
    for number in (1, 2, 3):
        with CaptureQueriesContext(connection) as queries:
            pages.append(text_of(reader.get(url("post_history", post.pk), {"page": number})))
        assert len(queries) <= 12

    total = Publication.objects.count() + Revision.objects.count()
    assert total == 120
    assert [page.count("published a correction") for page in pages] == [25, 25, 9]
    assert "The post was created." in pages[2]
    assert "The post was created." not in pages[0]
    assert reader.get(url("post_history", post.pk), {"page": 4}).status_code == 404
    assert reader.get(url("post_history", post.pk), {"page": 10**6}).status_code == 404
    options = reader.get(url("post_history", post.pk)).content.decode().count("<option")
    assert options == 2 * (LISTED_REVISIONS + 2)
    assert EVENTS_PER_PAGE == 50


@requirement("desk.revisions")
def test_a_revision_is_readable_as_it_was(reader: Client) -> None:
    faq = [{"question": "When <b>?", "answer": "At *nine*.\nSee https://example.org/a."}]
    post = save(
        publish=True,
        title="Old & new",
        description="A boat.",
        body="It leaves at **nine**. <script>alert(1)</script>\n\n![A quay](https://example.org/quay.png)",
        faq=faq,
        search_title="Ferries",
    ).post
    identifier = post.current_revision_identifier
    update(post, title="Another", body="It leaves at ten.", change="substantive")

    page = reader.get(url("post_revision", post.pk, identifier))

    content = page.content.decode()
    assert "It leaves at <strong>nine</strong>." in content
    assert "<script>alert" not in content
    shown = text_of(page)
    assert "Old & new" in shown
    assert "A boat." in shown
    assert "When <b>?" in shown
    assert "Ferries" in shown
    assert "Image in the text: https://example.org/quay.png, described as “A quay”" in shown
    assert f"<code>{identifier[:12]}</code>" in content
    assert f"<noscript> <code>{identifier}</code></noscript>" in content
    assert f'data-copy="{identifier}"' in content
    assert "Published on Nov. 21, 2026, 12:00." in shown


def test_the_pictures_of_a_revision_are_shown(reader: Client) -> None:
    image = store_image(filename="the quay.png")
    post = save(publish=True, cover_image={"image_id": image.pk}, cover_alt='A "quay"').post
    identifier = post.current_revision_identifier
    update(post, cover_image=None, change="substantive")

    page = reader.get(url("post_revision", post.pk, identifier)).content.decode()

    assert f'src="/blog/media/{image.sha256}/{quote(image.filename)}" alt="A &quot;quay&quot;"' in page


@pytest.mark.parametrize("identifier", ["0" * 64, "draft", "x" * 64])
def test_an_unknown_revision_is_not_found(reader: Client, identifier: str) -> None:
    post = save(publish=True).post

    assert reader.get(url("post_revision", post.pk, identifier)).status_code == 404
    assert reader.get(url("post_compare", post.pk), {"from": identifier * 2}).status_code == 404


def test_a_revision_of_another_post_is_not_found(reader: Client) -> None:
    post, other = save(publish=True).post, save(title="Other", publish=True).post

    assert reader.get(url("post_revision", post.pk, other.current_revision_identifier)).status_code == 404


@requirement("desk.revisions")
def test_any_two_versions_are_compared(reader: Client) -> None:
    post = save(publish=True, body="It leaves at nine.").post
    first = post.current_revision_identifier
    second = update(post, body="It leaves at ten.", change="substantive").post.current_revision_identifier
    unpublish(post)
    update(post, body="It leaves at eleven.")

    def compared(**names: str) -> str:
        return text_of(reader.get(url("post_compare", post.pk), names))

    assert "removed: nine added: ten" in compared(**{"from": first, "to": second})
    assert "removed: ten added: nine" in compared(**{"from": second, "to": first})
    assert "removed: ten added: eleven" in compared()
    assert "removed: nine added: eleven" in compared(**{"from": first, "to": "draft"})
    assert "removed: nine added: ten" in compared(**{"from": first, "to": "public"})
    assert "No difference." in compared(**{"from": "draft", "to": "draft"})


def test_a_post_that_was_never_public_has_no_public_version(reader: Client) -> None:
    post = save().post

    assert "No difference." in text_of(reader.get(url("post_compare", post.pk)))
    assert reader.get(url("post_compare", post.pk), {"from": "public"}).status_code == 404


def test_images_are_compared_by_their_content(reader: Client) -> None:
    post = save(publish=True, body="![A quay](https://example.org/quay.png)").post
    unpublish(post)
    update(post, body="![A wall](https://example.org/wall.png)")

    page = text_of(reader.get(url("post_compare", post.pk)))

    assert "Images Image in the text: https://example.org/ removed: quay added: wall .png" in page


@pytest.mark.parametrize("page", ["post_history", "post_compare"])
def test_nobody_without_a_permission_on_posts_reads_the_history(page: str) -> None:
    post = save(publish=True).post

    assert desk("manage_supporting").get(url(page, post.pk)).status_code == 403


@requirement("desk.timeline.actors")
@pytest.mark.parametrize(
    ("actor", "words"),
    [
        (Actor("Ann", kind=ActorKind.TOKEN, id="token:3"), ["Sent with an API token."] * 2),
        (Actor("Ann", kind=ActorKind.PERSON, user_id=7), ["Signed in with an account of this site."]),
        (Actor("Ann"), ["Done by a command or a task of the site."] * 2),
    ],
    ids=lambda value: str(getattr(value, "kind", "")),
)
def test_a_record_says_what_kind_of_actor_made_it(reader: Client, actor: Actor, words: list[str]) -> None:
    post = save(actor=actor).post
    approve(post, actor=actor)

    page = text_of(reader.get(url("post_history", post.pk)))

    said = [
        "Sent with an API token.",
        "Signed in with an account of this site.",
        "Done by a command or a task of the site.",
    ]
    assert [one for one in said for _ in range(page.count(one))] == words
