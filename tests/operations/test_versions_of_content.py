"""Reading and comparing the versions of a post's content."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine import services
from blog_engine.errors import NotFound, Refusal, ValidationFailed
from blog_engine.inputs.posts import PostRef
from blog_engine.models import Post, Revision
from blog_engine.operations import posts
from blog_engine.outputs import differences
from blog_engine.outputs.history import PostRecords, RevisionContents
from blog_engine.rules.content_fields import OPTIONAL_TEXTS
from tests.requirements import RULES, requirement
from tests.support.clients import call_operation
from tests.support.factories import EDITOR, LATER, NOW, approve, publish, save, unpublish, update
from tests.support.tables import undone

pytestmark = pytest.mark.django_db


def read(post: Post, **sent: Any) -> dict[str, Any]:
    answer: dict[str, Any] = call_operation(posts.get_post_records, sent, id=str(post.pk))
    return answer


def public_post() -> Post:
    """Return a public post with two revisions."""
    post = save(title="Ropes", body="Four ropes.\n\nOn the quay.\n", made_by_ai=True).post
    publish(post)
    return update(post, body="Five ropes.\n\nOn the quay.\n", search_title="Rope", change="substantive").post


def identifiers(post: Post) -> list[str]:
    return [revision["identifier"] for revision in read(post)["revisions"]]


@requirement("history.object")
def test_without_a_version_the_answer_has_the_records_only() -> None:
    assert list(read(public_post())) == list(PostRecords.model_fields)


@requirement("history.version")
def test_the_page_names_the_fields_of_a_version() -> None:
    rule = next(rule.sentence for rule in RULES if rule.id == "history.version")

    named = re.findall("`([a-z_]+)`", rule.partition("the version with ")[2])

    assert sorted(named) == sorted(RevisionContents.model_fields)


@requirement("history.version")
@pytest.mark.parametrize("digits", [64, 8])
def test_a_revision_has_its_content(digits: int) -> None:
    post = save(
        title="Ropes",
        body="Four ropes.\r\n",
        description="Tar\nand hemp",
        faq=[{"question": "Why?", "answer": "So."}],
        made_by_ai=True,
    ).post
    publish(post)
    update(post, body="Five ropes.", change="substantive")
    [first, _] = read(post)["revisions"]
    for name in ("is_proposed", "actor_kind", "actor_id"):
        del first[name]

    answer = read(post, revision=first["identifier"][:digits])

    assert answer == {
        "revision": {
            **first,
            "title": "Ropes",
            "description": "Tar\nand hemp",
            "search_title": "",
            "search_description": "",
            "author": "Ada Example",
            **dict.fromkeys(OPTIONAL_TEXTS, ""),
            "images": [],
            "faq": [{"question": "Why?", "answer": "So."}],
            "body": "Four ropes.",
        }
    }


@requirement("history.version.draft")
def test_the_draft_of_a_public_post_is_what_readers_see() -> None:
    post = public_post()

    assert read(post, revision="draft") == read(post, revision="public")
    assert read(post, revision="draft")["revision"]["created_at"] is not None


@requirement("history.version.draft")
@pytest.mark.parametrize("named", ["draft", "identifier"])
def test_content_that_no_revision_records_can_be_read(named: str) -> None:
    post = save(title="Fog", body="Thick.", made_by_ai=True).post
    name = post.current_revision_identifier if named == "identifier" else named

    answer = read(post, revision=name)["revision"]

    assert not Revision.objects.exists()
    assert (answer["identifier"], answer["created_at"]) == (post.current_revision_identifier, None)
    assert (answer["actor"], answer["made_by_ai"], answer["body"]) == ("Ines Editor", True, "Thick.")


@requirement("history.compare", "history.compare.difference")
def test_two_versions_are_compared() -> None:
    post = public_post()
    [first, second] = identifiers(post)

    answer = read(post, compare=f"{first[:10]}..public")

    assert answer == {
        "compare": {
            "from": first,
            "to": second,
            "changed_fields": ["search_title", "body"],
            "difference": (
                f"--- {first[:10]}\n+++ public\n"
                "@@ -1,9 +1,9 @@\n title: Ropes\n description:\n-search_title:\n+search_title: Rope\n"
                " search_description:\n author: Ada Example\n \n-Four ropes.\n+Five ropes.\n \n On the quay.\n"
            ),
            "truncated": False,
        }
    }


@requirement("history.compare.difference")
def test_equal_versions_have_no_difference() -> None:
    answer = read(public_post(), compare="public..draft")["compare"]

    assert (answer["changed_fields"], answer["difference"], answer["truncated"]) == ([], "", False)


@requirement("history.compare.difference")
def test_a_long_difference_ends_at_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    post = public_post()
    [first, _] = identifiers(post)
    whole = read(post, compare=f"{first}..public")["compare"]["difference"]
    monkeypatch.setattr(differences, "MOST_DIFFERENCE", len(whole) - 3)

    answer = read(post, compare=f"{first}..public")["compare"]

    assert answer["truncated"] is True
    assert answer["difference"] == whole.removesuffix(" On the quay.\n")


def refusal(post: Post, **sent: Any) -> Refusal:
    with pytest.raises((NotFound, ValidationFailed)) as caught:
        read(post, **sent)
    return caught.value


@requirement("history.version.refusals")
@pytest.mark.parametrize("sent", [{"revision": "0" * 64}, {"compare": f"draft..{'0' * 8}"}])
def test_an_unknown_identifier_is_not_found(sent: dict[str, str]) -> None:
    post = public_post()

    found = refusal(post, **sent)

    assert isinstance(found, NotFound)
    assert all(identifier in str(found) for identifier in identifiers(post))


@requirement("history.version.refusals")
def test_the_revision_of_another_post_is_not_found() -> None:
    other, post = public_post(), save(title="Fog").post

    found = refusal(post, revision=identifiers(other)[0])

    assert str(found).endswith("It has no revision yet, only draft, its present content.")


@requirement("history.version.refusals")
def test_public_is_not_found_when_readers_do_not_see_the_post() -> None:
    post = public_post()
    unpublish(post)

    assert "The post is not public" in str(refusal(post, compare="public..draft"))


@requirement("history.version.refusals")
def test_another_form_is_refused(subtests: pytest.Subtests) -> None:
    for sent, fields in [
        ({"revision": "abc"}, ["revision"]),
        ({"revision": "A" * 64}, ["revision"]),
        ({"revision": "0" * 65}, ["revision"]),
        ({"revision": None}, ["revision"]),
        ({"compare": "public"}, ["compare"]),
        ({"compare": "public...draft"}, ["compare"]),
        ({"compare": "public..draft..public"}, ["compare"]),
        ({"compare": ["public", "draft"]}, ["compare"]),
        ({"compare": "public..draft", "revision": "draft"}, ["revision", "compare"]),
    ]:
        with subtests.test(sent=sent, fields=fields), undone():
            found = refusal(save(title="Fog").post, **sent)

            assert isinstance(found, ValidationFailed)
            assert found.details == fields


@requirement("history.version.refusals")
def test_a_prefix_of_several_identifiers_is_refused() -> None:
    post = save(title="Fog").post
    values = {"payload": "{}", "created_at": post.created_at}
    Revision.objects.create(post=post, identifier="a" * 64, **values)
    Revision.objects.create(post=post, identifier="a" * 63 + "b", **values)

    found = refusal(post, compare=f"draft..{'a' * 8}")

    assert (found.details, "Several versions" in str(found)) == (["compare"], True)


@requirement("history.versions")
def test_the_records_list_the_versions_of_the_draft_which_are_read_and_compared() -> None:
    post = save(title="Ropes", body="Four ropes, and more of them on the quay.").post
    update(post, body="x", now=NOW)
    services.request_review(PostRef(id=str(post.pk)), actor=EDITOR, now=LATER)

    versions = read(post)["versions"]

    first = post.current_revision_identifier
    assert versions == [
        {
            "identifier": stored_identifier(post),
            "saved_at": "2026-11-21T12:00:00Z",
            "actor": EDITOR.name,
            "actor_kind": "system",
        },
        {"identifier": first, "saved_at": "2026-11-21T12:00:00Z", "actor": EDITOR.name, "actor_kind": "system"},
    ]
    assert read(post, revision=first[:8])["revision"]["body"] == "Four ropes, and more of them on the quay."
    compared = read(post, compare=f"{first}..draft")["compare"]
    assert compared["changed_fields"] == ["body"]
    assert read(post)["revisions"] == []


def stored_identifier(post: Post) -> str:
    return Post.objects.get(pk=post.pk).current_revision_identifier


def test_the_number_of_queries_does_not_grow_with_the_history() -> None:
    post = save(title="Ropes", publish=True, faq=[{"question": "Why?", "answer": "So."}], tags=["Tar"]).post
    counts = []
    for number in range(3):
        approve(post)
        post = update(post, body=f"{number} ropes.", change="substantive").post
        with CaptureQueriesContext(connection) as queries:
            read(post, compare="draft..public")
        counts.append(len(queries))

    assert set(counts) == {6}
