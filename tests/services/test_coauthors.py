"""Posts with several authors: their names, the revision, lists and numbers."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine import services
from blog_engine.errors import NotFound, ProposalOutdated, ValidationFailed
from blog_engine.models import Author, Coauthor, ListCount, Post
from blog_engine.operations import posts, proposals
from blog_engine.queries.listings import number_of_posts
from blog_engine.queries.records import authors
from blog_engine.services.counts import recount_lists
from tests.requirements import requirement
from tests.support.clients import call_operation
from tests.support.factories import AGENT, EDITOR, LATER, NOW, apply, make_author, remove, save, unpublish, update

pytestmark = pytest.mark.django_db


def _names(post: Post) -> list[str]:
    answer: dict[str, Any] = call_operation(posts.get_post, id=str(post.pk))
    return [one["name"] for one in answer["coauthors"]]


def _total(name: str) -> int:
    row = ListCount.objects.filter(author__name=name).first()
    return row.length if row else 0


@requirement("posts.names.coauthors")
def test_coauthors_are_found_or_created_in_the_order_sent() -> None:
    known = make_author(name="Ben Ray")

    post = save(author="Mina Holt", coauthors=["Ute Ort", str(known.pk), {"name": "Quay Ltd", "type": "organization"}])

    assert _names(post.post) == ["Ute Ort", "Ben Ray", "Quay Ltd"]
    assert post.post.byline == ("Mina Holt", "Ute Ort", "Ben Ray", "Quay Ltd")
    assert Author.objects.filter(name="Ben Ray").count() == 1


@requirement("posts.names.coauthors")
def test_a_coauthor_counts_once_and_never_beside_the_same_first_author() -> None:
    post = save(author="Mina Holt", coauthors=["Ben Ray", "ben ray", "Mina Holt"]).post
    assert _names(post) == ["Ben Ray"]

    update(post, author="Ben Ray")

    assert _names(post) == []
    assert not Coauthor.objects.exists()


@requirement("posts.edit.lists")
def test_coauthors_that_are_left_out_stay_and_an_empty_list_clears_them() -> None:
    post = save(coauthors=["Ben Ray"]).post

    update(post, title="Other")
    assert _names(post) == ["Ben Ray"]

    update(post, coauthors=[])
    assert _names(post) == []


@pytest.mark.parametrize("sent", [[f"Name {n}" for n in range(21)], "Ben Ray", [""], [7], None])
def test_coauthors_of_another_shape_are_refused_by_name(sent: Any) -> None:
    with pytest.raises(ValidationFailed) as refused:
        save(coauthors=sent)

    assert refused.value.details[0].partition(".")[0] == "coauthors"
    assert not Post.objects.exists()


def test_a_coauthor_of_digits_that_nothing_has_is_not_found() -> None:
    with pytest.raises(NotFound):
        save(coauthors=["404404"])

    assert not Author.objects.exists()


@requirement("history.identifier.payload")
def test_only_a_post_with_coauthors_has_them_in_its_identifier() -> None:
    alone = save(title="Quay", slug="a", author="Mina Holt", coauthors=[]).post
    before = save(title="Quay", slug="b", author="Mina Holt").post
    together = save(title="Quay", slug="c", author="Mina Holt", coauthors=["Ben Ray", "Ute Ort"]).post
    turned = save(title="Quay", slug="d", author="Mina Holt", coauthors=["Ute Ort", "Ben Ray"]).post

    identifiers = [one.current_revision_identifier for one in (alone, before, together, turned)]
    assert identifiers[0] == identifiers[1]
    assert len(set(identifiers)) == 3


@requirement("posts.names.byline")
def test_the_byline_keeps_the_names_of_then(client: Client) -> None:
    post = save(author="Mina Holt", coauthors=["Ben Ray"], publish=True).post
    Author.objects.filter(name="Ben Ray").update(name="Benjamin Ray")

    assert "Ben Ray" in client.get(f"/blog/{post.slug}").content.decode()
    assert Post.objects.get(pk=post.pk).byline == ("Mina Holt", "Ben Ray")


def test_an_earlier_version_brings_its_coauthors_back() -> None:
    post = save(coauthors=["Ben Ray", "Ute Ort"], publish=True).post
    first = post.current_revision_identifier
    update(post, coauthors=[], change="maintenance")

    update(post, now=LATER + timedelta(hours=1), restore=first, change="maintenance")

    assert _names(post) == ["Ben Ray", "Ute Ort"]


def test_a_removed_draft_comes_back_with_those_who_still_exist(client: Client) -> None:
    post = save(coauthors=["Ben Ray", "Ute Ort"]).post
    remove(post)
    Author.objects.filter(name="Ben Ray").delete()

    returned = services.bring_back(post.pk, actor=EDITOR, now=LATER)

    assert _names(post) == ["Ute Ort"]
    assert tuple(returned.missing) == ("coauthors",)


def test_a_writer_who_keeps_a_renamed_coauthor_makes_no_second_one() -> None:
    post = save(author="Mina Holt", coauthors=["Ben Ray"]).post
    Author.objects.filter(name="Ben Ray").update(name="Benjamin Ray")

    update(post, coauthors=[{"name": "Ben Ray"}, {"name": "Ute Ort"}])

    assert Post.objects.get(pk=post.pk).byline == ("Mina Holt", "Ben Ray", "Ute Ort")
    assert _names(post) == ["Benjamin Ray", "Ute Ort"]


@requirement("proposals.fields", "proposals.untouched")
def test_a_proposal_changes_the_further_authors_once_it_is_applied() -> None:
    post = save(author="Mina Holt", coauthors=["Ben Ray"], publish=True).post

    written = update(post, actor=AGENT, propose=True, coauthors=["Ben Ray", "Ute Ort"], change="maintenance")
    proposal = call_operation(proposals.get_proposal, proposal=str(written.proposal))

    assert proposal["fields"]["coauthors"] == [{"name": "Ben Ray"}, {"name": "Ute Ort"}]
    assert "+    Ute Ort" in proposal["difference"]
    assert [one["code"] for one in proposal["findings"] if one["location"] == "author"] == ["author_created"]
    assert (_names(post), Author.objects.filter(name="Ute Ort").exists()) == (["Ben Ray"], False)
    apply(written.proposal, now=LATER)
    assert _names(post) == ["Ben Ray", "Ute Ort"]
    assert Coauthor.objects.filter(post=post).count() == 2


@requirement("proposals.conflict")
def test_a_proposal_does_not_overwrite_a_byline_that_changed_meanwhile() -> None:
    post = save(author="Mina Holt", coauthors=["Ben Ray"], publish=True).post
    written = update(post, actor=AGENT, propose=True, coauthors=[], change="maintenance")

    update(post, coauthors=["Ute Ort"], change="maintenance")

    with pytest.raises(ProposalOutdated) as refused:
        apply(written.proposal, now=LATER)
    assert list(refused.value.details) == ["coauthors"]


def test_the_proposed_restoration_of_a_version_brings_its_coauthors_back() -> None:
    post = save(coauthors=["Ben Ray"], publish=True).post
    first = post.current_revision_identifier
    update(post, coauthors=[], change="maintenance")

    written = update(post, actor=AGENT, propose=True, restore=first, change="maintenance")
    apply(written.proposal, now=LATER + timedelta(hours=1))

    assert _names(post) == ["Ben Ray"]


@requirement("pages.lists.coauthors")
def test_the_pages_and_the_numbers_of_an_author_have_both_kinds_of_posts(client: Client) -> None:
    save(title="Alone", author="Ben Ray", publish=True)
    both = save(title="Together", author="Mina Holt", coauthors=["Ben Ray"], publish=True).post
    save(title="Draft", author="Mina Holt", coauthors=["Ben Ray"])

    for path in ("/blog/author/ben-ray", "/blog/author/ben-ray/feed.xml"):
        page = client.get(path).content.decode()
        assert ("Alone" in page, "Together" in page, "Draft" in page) == (True, True, False)
    assert (_total("Ben Ray"), _total("Mina Holt"), number_of_posts()) == (2, 1, 2)
    listed = call_operation(posts.list_posts, {"author": "Ben Ray"})
    assert sorted(one["title"] for one in listed["posts"]) == ["Alone", "Draft", "Together"]

    update(both, coauthors=[], change="maintenance")
    assert _total("Ben Ray") == 1
    update(both, now=LATER + timedelta(hours=1), coauthors=["Ben Ray"], change="maintenance")
    recount_lists()
    assert (_total("Ben Ray"), number_of_posts()) == (2, 2)
    unpublish(both, now=LATER + timedelta(hours=2))
    assert (_total("Ben Ray"), number_of_posts()) == (1, 1)


@requirement("taxonomy.posts-count")
def test_posts_count_counts_further_authors() -> None:
    save(author="Mina Holt", coauthors=["Ben Ray"])
    save(title="Two", author="Ben Ray")

    assert {one.name: one.posts_count for one in authors()} == {"Mina Holt": 1, "Ben Ray": 2}


@requirement("pages.byline.coauthors", "feeds.coauthors")
def test_every_reader_is_shown_all_authors(client: Client) -> None:
    post = save(title="Quay", author="Mina Holt", coauthors=["Ben Ray", "<Ute>"], publish=True).post

    page = client.get(f"/blog/{post.slug}").content.decode()
    assert page.index("Mina Holt</a>, <a") < page.index('/blog/author/ben-ray" dir="auto">Ben Ray</a>, <a')
    assert "&lt;Ute&gt;</a>" in page
    assert '"author":[{"@type":"Person","name":"Mina Holt"' in page
    assert "Ben Ray</a>" in client.get("/blog/").content.decode()
    assert "Mina Holt, Ben Ray, " in client.get(f"/blog/{post.slug}.md").content.decode()
    feed = client.get("/blog/feed.xml").content.decode()
    assert feed.count("<author><name>", feed.index("<entry>")) == 3
    items = client.get("/blog/feed.json").json()["items"]
    assert [one["name"] for one in items[0]["authors"]] == ["Mina Holt", "Ben Ray", "<Ute>"]


def test_the_page_of_a_post_needs_no_query_more_for_its_coauthors(client: Client) -> None:
    numbers = []
    for slug, further in (("alone", []), ("together", ["Ben Ray", "Ute Ort"])):
        save(title=slug, slug=slug, coauthors=further, publish=True, now=NOW)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/blog/{slug}")
        numbers.append(len(queries))

    assert numbers[1] <= numbers[0] + 1, "the second one has a neighbour"
