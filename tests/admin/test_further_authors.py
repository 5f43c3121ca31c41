"""Posts with several authors at the desk: lists, filters, earlier versions and proposals."""

import re
from html import unescape

import pytest
from django.test import Client

from blog_engine.models import Author, Post, Proposal
from tests.admin.desk import EDITOR, WRITER, desk, form_on, opened, page_of, send, stored, url
from tests.requirements import requirement
from tests.support.factories import apply, propose, save, update

pytestmark = pytest.mark.django_db


def _text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def _titles(client: Client, **query: str) -> list[str]:
    return sorted(row.post.title for row in client.get(url("post_changelist"), query).context["cl"].rows)


@pytest.fixture
def post() -> Post:
    return save(title="Quay", author="Mina Holt", coauthors=["Ben Ray", "Ute Ort"], publish=True).post


def test_the_list_names_all_and_filters_by_each(post: Post) -> None:
    client = desk(*EDITOR)
    save(title="Other", author="Mina Holt")
    save(title="Third", author="Ben Ray")

    assert "Mina Holt , Ben Ray, Ute Ort" in _text(page_of(client, "post_changelist")).replace("Holt,", "Holt ,")
    assert _titles(client, author="ben-ray") == ["Quay", "Third"]
    assert _titles(client, author="Ute Ort") == ["Quay"]


def test_a_further_author_finds_the_post_among_her_own(post: Post) -> None:
    client = desk(*WRITER)
    save(title="Other", author="Mina Holt")
    Author.objects.filter(name="Ute Ort").update(user=int(client.session["_auth_user_id"]))

    assert _titles(client, mine="yes") == ["Quay"]


def test_the_page_of_the_review_and_the_queue_name_all(post: Post) -> None:
    client = desk(*EDITOR)

    assert "Mina Holt, Ben Ray, Ute Ort" in _text(page_of(client, "post_review", post.pk))


def test_an_earlier_version_comes_back_with_its_authors(post: Post) -> None:
    client = desk(*EDITOR)
    first = post.current_revision_identifier
    update(post, coauthors=[], change="maintenance")

    form = form_on(client.get(url("post_continue", post.pk, first)))

    assert form["coauthors"] == ["Ben Ray, Ute Ort"]


@requirement("proposals.fields")
def test_a_writer_proposes_other_authors_and_an_editor_sees_them(post: Post) -> None:
    writer, editor = desk(*WRITER), desk(*EDITOR, name="Ed Itor")
    fields = opened(writer, post.pk)
    assert fields["coauthors"] == ["Ben Ray, Ute Ort"]

    send(
        writer,
        url("post_change", post.pk),
        fields,
        coauthors="Ben Ray, Ida New",
        propose="1",
        confirmed="1",
        change="maintenance",
    )

    proposal = Proposal.objects.get()
    assert proposal.fields["coauthors"] == [{"name": "Ben Ray"}, {"name": "Ida New"}]
    page = _text(page_of(editor, "post_proposal", post.pk, proposal.pk))
    assert "Further authors" in page
    assert "Ida New" in page
    apply(proposal.pk)
    assert stored(post).byline == ("Mina Holt", "Ben Ray", "Ida New")


@requirement("proposals.conflict")
def test_a_conflict_about_the_authors_shows_all_three_sides(post: Post) -> None:
    proposal = propose(post, coauthors=["Ben Ray"], change="maintenance")
    update(post, coauthors=["Ida New"], change="maintenance")

    page = _text(page_of(desk(*EDITOR), "post_proposal", post.pk, proposal))

    assert all(names in page for names in ("Ben Ray, Ute Ort", "Ida New"))
