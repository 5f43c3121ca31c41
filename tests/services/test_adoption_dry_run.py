"""A dry run works everything out and keeps nothing; signals tell what was kept."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction

from blog_engine import signals
from blog_engine.errors import AlreadyChangedInGem, SlugReserved
from blog_engine.models import Post
from blog_engine.services import Adopted
from tests.requirements import requirement
from tests.support.factories import DECLARATION, LATER, WHOLE, adopt, save, update
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db

commits = pytest.mark.django_db(transaction=True)
"""Signals are sent after real commits only."""


@pytest.fixture
def heard() -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The signals sent so far, with what they carried."""
    found: list[tuple[str, dict[str, Any]]] = []
    names = ("post_published", "post_updated", "approval_recorded")
    receivers = {name: lambda signal, name=name, **sent: found.append((name, sent)) for name in names}
    for name, receiver in receivers.items():
        getattr(signals, name).connect(receiver, weak=False)
    yield found
    for name, receiver in receivers.items():
        getattr(signals, name).disconnect(receiver)


def shown(adopted: Adopted) -> dict[str, Any]:
    """What an adoption answers, without what differs between a rehearsal and the real one."""
    keys = {"id", "author_id", "category_id", "series_id", "public_revision_id", "cover_image_id", "body_html"}
    keys |= {"feed_id"}  # names the id of the post
    columns = {name: value for name, value in vars(adopted.post).items() if name not in keys and name[0] != "_"}
    rest = replace(adopted, dry_run=False)
    return columns | {name: getattr(rest, name) for name in ("created", "records", "baseline", "redirects", "findings")}


@requirement("adoption.dry-run")
@commits
def test_a_dry_run_of_a_new_article_keeps_nothing(heard: list[Any]) -> None:
    before = everything_stored()

    adopted = adopt(WHOLE, dry_run=True)

    assert everything_stored() == before
    assert heard == []
    assert (adopted.dry_run, adopted.created, adopted.post.status) == (True, True, "published")


@requirement("adoption.dry-run")
def test_a_dry_run_shows_what_the_adoption_then_makes() -> None:
    rehearsed = adopt(WHOLE, dry_run=True)
    adopted = adopt(WHOLE)

    assert shown(rehearsed) == shown(adopted)


@requirement("adoption.dry-run")
@commits
@pytest.mark.parametrize("fields", [{"body": "New", "slug": "new"}, {}], ids=["changed", "the same"])
def test_a_dry_run_of_a_repeat_leaves_the_stored_article(heard: list[Any], fields: dict[str, Any]) -> None:
    adopt(WHOLE)
    heard.clear()
    before = everything_stored()

    rehearsed = adopt(WHOLE, now=LATER, dry_run=True, **fields)

    assert everything_stored() == before
    assert heard == []
    assert shown(rehearsed) == shown(adopt(WHOLE, now=LATER, **fields))


@requirement("adoption.dry-run")
def test_a_dry_run_leaves_the_draft_that_it_would_take_over() -> None:
    save(slug="night-ferry", title="Mine")
    before = everything_stored()

    rehearsed = adopt(dry_run=True, now=LATER)

    assert (rehearsed.created, rehearsed.post.title) == (False, "The night ferry")
    assert everything_stored() == before


@requirement("adoption.dry-run.refusals")
def test_a_dry_run_is_refused_like_the_adoption() -> None:
    with refused(SlugReserved, []):
        adopt(dry_run=True, slug="feed")
    update(adopt().post, title="Changed here", change="maintenance")
    with refused(AlreadyChangedInGem, []):
        adopt(dry_run=True)


@commits
def test_a_dry_run_inside_a_transaction_of_the_host_takes_back_only_itself(heard: list[Any]) -> None:
    with transaction.atomic():
        save(slug="mine")
        adopt(dry_run=True)
        save(slug="mine-too")

    assert sorted(Post.objects.values_list("slug", flat=True)) == ["mine", "mine-too"]
    assert [name for name, _ in heard] == ["post_updated", "post_updated"]


@requirement("adoption.signals", "host.signals")
@commits
def test_hosts_hear_of_an_adoption_as_of_a_publication(heard: list[Any]) -> None:
    adopted = adopt(declaration=DECLARATION)

    assert [name for name, _ in heard] == ["post_published", "approval_recorded"]
    assert heard[0][1]["outcome"] is adopted
    assert (heard[0][1]["post"], heard[0][1]["sender"]) == (adopted.post, Post)


@requirement("adoption.signals")
@commits
def test_hosts_hear_of_a_draft_that_became_an_article(heard: list[Any]) -> None:
    save(slug="night-ferry")
    heard.clear()

    adopt()

    assert [name for name, _ in heard] == ["post_published"]


@requirement("adoption.signals")
@commits
def test_hosts_hear_of_a_replacement_and_not_of_a_repeat(heard: list[Any]) -> None:
    adopt()
    heard.clear()

    adopt(now=LATER)
    adopt(body="New", now=LATER)

    assert [name for name, _ in heard] == ["post_updated"]
