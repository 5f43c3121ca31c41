"""Each record that a write stores gets its link in the chain of its post."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.models import (
    Approval,
    Baseline,
    ChainLink,
    ConnectionDeclaration,
    Post,
    Publication,
    Revision,
    StatusChange,
)
from blog_engine.queries.chain_audit import faults_in_chains, posts_without_links
from blog_engine.rules.chain import canonical_record, chained_moment
from blog_engine.services import publish_due
from blog_engine.verify import digest_of_json, link_hash
from tests.requirements import requirement
from tests.support.factories import (
    ARTICLE,
    CONNECTIONS,
    DECLARATION,
    LATER,
    NOW,
    adopt,
    approve,
    declare,
    propose,
    publish,
    remove,
    save,
    unpublish,
    update,
)

pytestmark = pytest.mark.django_db

APPROVAL = {"name": "Rosa Reviewer", "facts_checked": True}


def kinds_of(post: Post) -> list[str]:
    return [str(kind) for kind in ChainLink.objects.filter(post=post.pk).order_by("id").values_list("kind", flat=True)]


def assert_chained() -> None:
    assert posts_without_links() == []
    assert faults_in_chains(newest_links=None) == {}


@requirement("proof.chain")
def test_a_life_is_chained_in_the_order_of_its_records() -> None:
    post = save(publish=True, approval=APPROVAL, connections=CONNECTIONS).post
    update(post, body="Changed.", change="substantive")
    approve(post, identifier=Post.objects.get().current_revision_identifier, now=LATER)
    declare(post, now=LATER)
    unpublish(post)

    assert kinds_of(post) == [
        *("revision", "publication", "approval", "declaration"),
        *("revision", "publication", "approval", "declaration", "status"),
    ]
    positions = ChainLink.objects.filter(post=post.pk).order_by("id").values_list("position", flat=True)
    assert list(positions) == list(range(1, 10))
    assert_chained()


@requirement("proof.chain", "proof.chain.hash")
def test_a_link_is_hashed_over_its_record_and_the_link_before() -> None:
    post = save(publish=True).post

    first, second = ChainLink.objects.order_by("id")
    revision, publication = Revision.objects.get(), Publication.objects.get()
    moment = "2026-11-21T12:00:00.711000Z"
    for link, record, previous in ((first, revision, ""), (second, publication, first.hash)):
        digest = digest_of_json(canonical_record(record))
        assert (link.post, link.record, link.chained_at) == (post.pk, record.pk, NOW)
        assert (link.digest, link.previous) == (digest, previous)
        described = {"position": link.position, "kind": link.kind, "digest": digest, "previous": previous}
        assert link.hash == digest_of_json(described | {"post": post.pk, "chained_at": moment})
        assert link.hash == link_hash(described | {"chained_at": moment}, post=post.pk)


@requirement("proof.records")
def test_a_record_has_every_column_of_its_row() -> None:
    adopt(ARTICLE, declaration=DECLARATION, connections=CONNECTIONS)
    post = save(title="Planned", publish=True, publish_at="2026-12-01T10:00:00Z").post
    renamed = {"id": None, "post": "post", "adopted_revision": "revision", "payload": None}

    assert StatusChange.objects.get().post_id == post.pk
    for model in (Revision, Baseline, ConnectionDeclaration, Approval, StatusChange, Publication):
        row: Any = model._default_manager.all()[:1].get()
        known = renamed | ({"kind": "approval_kind"} if model is Approval else {})
        columns = {known.get(field.name, field.name) for field in model._meta.concrete_fields} - {None, "is_proposed"}
        assert canonical_record(row).keys() == columns | {"kind", "version"}, model


@requirement("proof.records")
def test_the_revision_of_a_proposal_says_so() -> None:
    propose(save(publish=True).post)

    own, proposed = Revision.objects.order_by("id")

    assert canonical_record(proposed) == canonical_record(own) | {
        "identifier": proposed.identifier,
        "actor": proposed.actor,
        "actor_id": proposed.actor_id,
        "created_at": chained_moment(proposed.created_at),
        "is_proposed": True,
    }


@requirement("proof.records")
def test_a_record_is_the_same_before_and_after_it_is_stored() -> None:
    adopt(ARTICLE, declaration=DECLARATION, connections=CONNECTIONS, first_published_at="2019-05-06T07:08:09+02:00")
    save(title="Planned", publish=True, publish_at="2026-12-01T10:00:00Z", approval=APPROVAL, made_by_ai=True)

    assert ChainLink.objects.count() == 8
    assert_chained()


WRITES: dict[str, Callable[[Post], object]] = {
    "approve": approve,
    "declare": declare,
    "unpublish": unpublish,
    "publish with all": lambda post: update(
        post, body="New.", change="substantive", approval=APPROVAL, connections=CONNECTIONS
    ),
}


@requirement("proof.chain.queries")
@pytest.mark.parametrize("write", WRITES)
def test_a_write_reads_the_end_of_the_chain_once_and_adds_to_it_once(write: str) -> None:
    post = save(publish=True).post

    with CaptureQueriesContext(connection) as queries:
        WRITES[write](post)

    of_chain = [query["sql"] for query in queries.captured_queries if "chainlink" in query["sql"]]
    assert [sql.split()[0] for sql in of_chain] == ["SELECT", "INSERT"]


@requirement("proof.chain.queries")
def test_a_write_that_records_nothing_asks_for_no_chain() -> None:
    post = save().post

    with CaptureQueriesContext(connection) as queries:
        update(post, body="Another draft.")

    assert not [query["sql"] for query in queries.captured_queries if "chainlink" in query["sql"]]
    assert kinds_of(post) == []


@requirement("proof.chain")
def test_a_scheduled_release_is_chained() -> None:
    post = save(publish=True, publish_at=(LATER + timedelta(hours=1)).isoformat()).post

    publish_due(now=LATER + timedelta(hours=2))

    assert kinds_of(post) == ["status", "revision", "publication"]
    assert_chained()


@requirement("proof.chain.replaced")
def test_a_repeated_adoption_names_the_records_that_it_replaced() -> None:
    post = adopt(ARTICLE, declaration=DECLARATION, connections=CONNECTIONS).post
    adopt(ARTICLE, body="Another text.", now=LATER)
    adopt(ARTICLE, body="A third text.", now=LATER)

    first = ["revision", "baseline", "approval", "publication", "declaration"]
    assert kinds_of(post) == [*first, *["replaced", "revision", "baseline", "publication"] * 2]
    digests = dict(ChainLink.objects.filter(kind="replaced").values_list("position", "digest"))
    assert digests == {
        6: digest_of_json({"kind": "replaced", "positions": [1, 2, 3, 4]}),
        10: digest_of_json({"kind": "replaced", "positions": [7, 8, 9]}),
    }
    assert_chained()


def test_an_adoption_that_repeats_itself_chains_nothing() -> None:
    post = adopt(ARTICLE).post
    before = kinds_of(post)

    adopt(ARTICLE, now=LATER)

    assert kinds_of(post) == before


def test_a_dry_run_chains_nothing() -> None:
    adopt(ARTICLE, dry_run=True)

    assert not ChainLink.objects.exists()


@requirement("proof.chain.discarded")
def test_the_links_of_a_deleted_draft_outlive_it() -> None:
    post = save(publish=True, publish_at="2026-12-01T10:00:00Z").post
    pk = post.pk

    remove(post)

    assert not Post.objects.exists()
    assert list(ChainLink.objects.values_list("post", "kind")) == [(pk, "status")]
    assert_chained()


def test_posts_have_chains_of_their_own() -> None:
    one, other = save(title="One", publish=True).post, save(title="Other").post
    publish(other)

    assert kinds_of(one) == kinds_of(other) == ["revision", "publication"]
    assert ChainLink.objects.filter(position=1, previous="").count() == 2
