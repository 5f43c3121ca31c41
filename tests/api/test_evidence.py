"""``GET /posts/:id/evidence``."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.models import ChainLink, Checkpoint, Post, Revision
from blog_engine.operations import posts
from blog_engine.rules.chain import described_checkpoint
from blog_engine.services import make_checkpoint
from tests.requirements import requirement
from tests.support.clients import client_with, refusal_in
from tests.support.factories import (
    ARTICLE,
    CONNECTIONS,
    DECLARATION,
    LATER,
    NOW,
    adopt,
    approve,
    propose,
    publish,
    reject,
    save,
    update,
    withdraw,
)
from tests.support.integrity import CHECKED
from tests.support.tables import undone

pytestmark = pytest.mark.django_db


def evidence(key: object, **query: object) -> dict[str, Any]:
    response = client_with("read").get(f"/blog/api/v1/posts/{key}/evidence", query)
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


@requirement("proof.evidence")
def test_the_evidence_has_everything_that_proves_a_history() -> None:
    post = adopt(ARTICLE, declaration=DECLARATION, connections=CONNECTIONS).post
    make_checkpoint(now=CHECKED)
    update(post, body="It leaves at eleven.", change="correction", note="It left at ten before.", now=CHECKED)

    found = evidence("night-ferry")

    assert list(found) == [
        *("format", "blog", "post", "payloads", "records", "chain", "checkpoint", "inclusion", "since"),
    ]
    assert (found["format"], found["blog"]) == ("blog_engine.evidence/1", "https://example.com/blog/")
    assert found["post"] == {
        "id": post.pk,
        "slug": "night-ferry",
        "title": "The night ferry",
        "url": "https://example.com/blog/night-ferry",
        "status": "published",
        "label": "ai_unknown",
    }
    assert [one["identifier"] for one in found["payloads"]] == list(
        Revision.objects.order_by("pk").values_list("identifier", flat=True)
    )
    kinds = ["revision", "baseline", "approval", "publication", "declaration", "revision", "publication"]
    assert [(one["position"], one["record"]["kind"]) for one in found["records"]] == list(enumerate(kinds, start=1))
    assert [(one["position"], one["kind"]) for one in found["chain"]] == list(enumerate(kinds, start=1))
    assert found["checkpoint"] == described_checkpoint(Checkpoint.objects.get())
    assert found["inclusion"] == {"position": 5, "index": 0, "path": []}
    assert found["since"] == {name: found["checkpoint"][name] for name in ("number", "created_at", "hash")}


@requirement("proof.evidence")
def test_a_post_in_any_state_has_evidence(subtests: pytest.Subtests) -> None:
    for fields in [{}, {"publish": True}, {"publish": True, "publish_at": "2027-01-01T00:00:00Z"}]:
        with subtests.test(fields=fields), undone():
            post = save(**fields).post

            found = evidence(post.pk)

            assert found["post"]["status"] == post.status
            assert (found["checkpoint"], found["inclusion"], found["since"]) == (None, None, None)
            assert len(found["chain"]) == len(found["records"]) == ChainLink.objects.count()


@requirement("proof.evidence.unpublished")
def test_the_evidence_has_what_readers_never_saw_but_no_draft_that_was_not_reviewed() -> None:
    post = save(body="A draft that was never reviewed.").post
    update(post, body="A draft that was reviewed.")
    approve(Post.objects.get(pk=post.pk))
    update(post, body="What readers see.")
    publish(post)
    propose(post, body="An open proposal.", change="maintenance")
    reject(propose(post, body="A rejected proposal.", change="maintenance"), reason="It is libel.")
    withdraw(propose(post, body="A withdrawn proposal.", change="maintenance"))

    found = evidence(post.pk)

    contents = [json.loads(one["payload"])["body"] for one in found["payloads"]]
    proposals = ["An open proposal.", "A rejected proposal.", "A withdrawn proposal."]
    assert contents == ["A draft that was reviewed.", "What readers see.", *proposals]
    sent = [one["record"]["fields"]["body"] for one in found["records"] if one["record"]["kind"] == "proposal"]
    assert sent == proposals
    assert [one["record"]["reason"] for one in found["records"] if one["record"].get("event") == "rejected"] == [
        "It is libel."
    ]


@requirement("proof.evidence.command")
def test_the_command_returns_the_same(tmp_path: Path) -> None:
    save(slug="quay", publish=True)
    make_checkpoint(now=LATER)
    told = StringIO()

    call_command("blog_evidence", "POST=quay", stdout=told)
    call_command("blog_evidence", "POST=quay", "CHECKPOINT=1", f"OUTPUT={tmp_path}/quay.json", stdout=StringIO())

    assert json.loads(told.getvalue()) == evidence("quay")
    assert json.loads((tmp_path / "quay.json").read_text("utf-8")) == evidence("quay", checkpoint=1)
    assert list(json.loads(told.getvalue())) == list(evidence("quay"))


@requirement("proof.evidence.command")
def test_the_command_overwrites_no_file_and_names_what_is_missing(tmp_path: Path) -> None:
    save(slug="quay", publish=True)
    (tmp_path / "kept.txt").write_text("Kept.")

    for given in ([], ["POST=nowhere"], ["POST=quay", "CHECKPOINT=7"], ["POST=quay", f"OUTPUT={tmp_path}/kept.txt"]):
        with pytest.raises(CommandError):
            call_command("blog_evidence", *given, stdout=StringIO())
    assert (tmp_path / "kept.txt").read_text() == "Kept."


@requirement("proof.evidence.checkpoint")
def test_the_checkpoint_can_be_named() -> None:
    post = save(publish=True).post
    make_checkpoint(now=NOW)
    update(post, body="New.", change="substantive")
    make_checkpoint(now=LATER)
    save(title="Other", slug="other", publish=True)
    make_checkpoint(now=CHECKED)

    assert [evidence(post.pk, checkpoint=number)["inclusion"]["position"] for number in (1, 2, 3)] == [2, 4, 4]
    assert [evidence(post.pk, checkpoint=number)["since"]["number"] for number in (1, 2, 3)] == [1, 2, 2]
    assert evidence(post.pk)["checkpoint"]["number"] == 3
    client = client_with("read")
    path = "/blog/api/v1/posts/other/evidence?checkpoint="
    assert refusal_in(client.get(f"{path}1")) == (422, "validation_failed", ["checkpoint"])
    assert refusal_in(client.get(f"{path}4")) == (404, "not_found", [])
    assert refusal_in(client.get(f"{path}0")) == (422, "validation_failed", ["checkpoint"])
    assert refusal_in(client.get("/blog/api/v1/posts/nowhere/evidence")) == (404, "not_found", [])


@requirement("proof.evidence.size")
def test_a_history_that_is_too_large_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(body="Clay. " * 50, publish=True).post
    approve(post)
    monkeypatch.setattr(posts, "MOST_EVIDENCE", 1_000)

    with CaptureQueriesContext(connection) as queries:
        response = client_with("read").get(f"/blog/api/v1/posts/{post.pk}/evidence")

    assert refusal_in(response) == (422, "validation_failed", ["id"])
    assert f"manage.py blog_evidence POST={post.pk}" in response.json()["error"]["message"]
    assert not [query["sql"] for query in queries.captured_queries if '"payload" FROM' in query["sql"]]
    told = StringIO()
    call_command("blog_evidence", f"POST={post.pk}", stdout=told)
    assert len(json.loads(told.getvalue())["records"]) == 3


def test_the_queries_do_not_grow_with_the_history() -> None:
    short = save(slug="short", publish=True, approval={"name": "Rosa", "facts_checked": True}).post
    long = save(slug="long", publish=True, approval={"name": "Rosa", "facts_checked": True}).post
    for number in range(5):
        update(long, body=f"Text {number}.", change="maintenance")
    make_checkpoint(now=CHECKED)
    client, counted = client_with("read"), []

    for post in (long, short, long):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/blog/api/v1/posts/{post.pk}/evidence").status_code == 200
        counted.append(len(queries.captured_queries))

    # The first call also notes that the token was used.
    assert counted[1] == counted[2]


@requirement("proof.published.slug")
def test_no_post_can_take_the_path_of_the_checkpoints() -> None:
    client = client_with("write")
    sent = {"title": "Checkpoints"}

    response = client.post("/blog/api/v1/posts", sent, content_type="application/json")

    assert refusal_in(response) == (409, "slug_reserved", [])
