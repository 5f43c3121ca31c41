"""The records that earlier releases stored are chained by the migration."""

from typing import Any

import pytest
from django.db import connection

from blog_engine.enums import RecordKind
from blog_engine.models import ChainLink, Post
from blog_engine.models.protection import missing_protection
from blog_engine.queries.chain_audit import faults_in_chains, posts_without_links
from blog_engine.rules.chain import CHAINED_MODELS, canonical_record
from blog_engine.services import make_checkpoint
from blog_engine.testing import allow_flush
from blog_engine.verify import digest_of_json
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
    save,
    unpublish,
    update,
)
from tests.upgrade.old_releases import first_release, migrate, one_row_of_each_kind, tables_of, to_the_latest

allow_flush()

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.heavy]

BEFORE = "0019_desk_indexes"


def links() -> list[tuple[int, int, str, int | None, str]]:
    found = ChainLink.objects.order_by("post", "position")
    return list(found.values_list("post", "position", "kind", "record", "digest"))


@requirement("proof.chain.upgrade")
def test_the_history_of_the_first_release_is_chained() -> None:
    with first_release():
        to_the_latest()

        assert (posts_without_links(), faults_in_chains(newest_links=None)) == ([], {})
        assert (
            ChainLink.objects.count() == sum(model._default_manager.count() for model in CHAINED_MODELS.values()) == 26
        )
        post = Post.objects.get(slug="winter-garden")
        update(post, body="Changed after the upgrade.", change="maintenance")
        assert make_checkpoint(now=LATER).is_new
        assert faults_in_chains(newest_links=None) == {}


def without_actor(link: ChainLink) -> dict[str, Any]:
    record = CHAINED_MODELS[RecordKind(link.kind)]._default_manager.get(pk=link.record)
    version_2 = {"version", "actor_kind", "actor_id"}
    return {name: value for name, value in canonical_record(record).items() if name not in version_2}


@requirement("proof.chain.upgrade")
def test_every_kind_of_record_is_chained_as_a_write_would() -> None:
    post = adopt(ARTICLE, declaration=DECLARATION, connections=CONNECTIONS).post
    update(post, body="It leaves at eleven.", change="correction", note="It left at ten.", now=LATER)
    approve(post, identifier=Post.objects.get().current_revision_identifier, now=LATER)
    unpublish(post, now=LATER)
    declare(save(title="Other", slug="other").post, now=NOW)
    # The tables of that time have no kind of actor, without which records are of version 1.
    written = {
        (link.post, link.kind, link.record, digest_of_json(without_actor(link))) for link in ChainLink.objects.all()
    }
    kinds = list(CHAINED_MODELS)

    migrate(BEFORE)
    migrate("0020_chain")

    assert {(post, kind, record, digest) for post, _, kind, record, digest in links()} == written
    of_post = [kind for post_id, _, kind, *_ in links() if post_id == post.pk]
    first = ["revision", "baseline", "declaration", "approval", "publication"]
    assert of_post == [*first, "revision", "approval", "status", "publication"]
    stored = ["revision", "baseline", "declaration", "approval", "status", "publication"]
    assert [kind for kind in map(str, kinds) if kind not in {"key", "signature"}] == [
        *stored,
        "proposal",
        "proposal_event",
    ]
    assert [position for post_id, position, *_ in links() if post_id == post.pk] == list(range(1, 10))
    to_the_latest()
    assert (posts_without_links(), faults_in_chains(newest_links=None), missing_protection(connection)) == ([], {}, [])


@requirement("proof.chain.late", "proof.chain.upgrade")
def test_a_process_of_the_previous_version_goes_on_after_the_migration() -> None:
    with tables_of(BEFORE) as models:
        migrate("0020_chain")
        one_row_of_each_kind(models)
        # What is written now needs the tables of now.
        to_the_latest()

        (post,) = posts_without_links()
        assert make_checkpoint(now=LATER).chained == 5
        assert (posts_without_links(), faults_in_chains(newest_links=None)) == ([], {})
        assert ChainLink.objects.filter(post=post, chained_at=LATER).count() == 5
