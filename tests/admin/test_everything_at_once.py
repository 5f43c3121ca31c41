"""The pages of a post that has a record of every kind at once, and how many queries they take."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.conversation import AddRemark, AnswerRemark, RequestReview, ResolveRemark, ReturnReview
from blog_engine.models import DraftVersion, Post, Remark, Revision
from blog_engine.queries.timeline import EventKind, timeline_of
from tests.admin.desk import EDITOR, desk, stored, url
from tests.admin.test_every_page import MOST_QUERIES, MOST_QUERIES_FOR_PROPOSALS, ROUTES
from tests.requirements import requirement
from tests.support import factories
from tests.support.factories import AGENT, LATER, NOW, approve, declare, propose, publish, reject, save, update
from tests.support.images import plain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_day_later")]

WANDA = Actor("Wanda Writer", scopes=["read", "write"], id="user:70")


@dataclass
class Life:
    """A post through which every kind of record is made, each a minute after the one before."""

    post: Post
    minutes: int = 0

    def step(self, verb: Callable[..., Any], *, actor: Actor = AGENT, **fields: Any) -> Any:
        """Change the post."""
        self.minutes += 1
        made = verb(self.post, actor=actor, now=NOW + timedelta(minutes=self.minutes), **fields)
        self.post = stored(self.post)
        return made

    def say(self, verb: Callable[..., Any], data: type[Any], actor: Actor = WANDA, **fields: Any) -> int:
        """Add to the conversation; return the id of the entry."""
        self.minutes += 1
        written = verb(data(id=str(self.post.pk), **fields), actor=actor, now=NOW + timedelta(minutes=self.minutes))
        self.post = stored(self.post)
        return int(written.remark.pk) if written.remark is not None else 0

    def talk(self) -> None:
        """Ask, send back, remark, answer and resolve."""
        self.say(services.request_review, RequestReview, note="Please check.", person="ed.editor")
        entry = self.say(services.add_remark, AddRemark, text="Really?", passage=self.post.body.split()[0])
        self.say(services.answer_remark, AnswerRemark, remark=entry, text="Yes.")
        done = self.say(services.add_remark, AddRemark, text="A typo.", passage=self.post.body.split()[0])
        self.say(services.resolve_remark, ResolveRemark, remark=done)
        self.say(services.add_remark, AddRemark, text="Gone.", passage=self.post.body.split()[0])
        self.say(services.return_review, ReturnReview, Actor("Ed Editor", id="user:71"), note="Not yet.")


def _draft() -> Life:
    images = [factories.store_image(plain(color=color)) for color in ("red", "blue")]
    whole = {"tags": ["fog", "sea"], "category": "Quay", "series": "Boats", "provenance": "ai_assisted"}
    whole |= {"faq": [{"question": "When?", "answer": "At nine."}], "cover_alt": "A quay"}
    whole |= {"cover_image": {"image_id": images[0].pk}, "social_image": {"image_id": images[1].pk}}
    text = f"It leaves at nine.\n\n![A quay]({images[0].url})\n\n"
    life = Life(save(body=text + "Nine. " * 99, made_by_ai=True, actor=AGENT, **whole).post)
    for number in range(3):
        life.step(update, body=f"It leaves at {number}.")
        life.step(update, body=text + f"Ten {number}. " * 99, actor=WANDA)
    life.step(declare, actor=factories.EDITOR, connections=[{"party": "Quay Ltd", "relation": "customer"}])
    life.step(approve, actor=factories.EDITOR, facts_checked=False)
    life.talk()
    life.step(update, body=text + "Eleven. " * 99, tags=["sea"], cover_image=None)
    life.talk()
    life.say(services.request_review, RequestReview, note="Again.", person="ed.editor")
    assert DraftVersion.objects.filter(post=life.post.pk).count() >= 4
    assert life.post.review_requested_at is not None
    return life


def _public() -> Life:
    life = _draft()
    life.step(approve, actor=factories.EDITOR)
    life.step(publish, actor=factories.EDITOR)
    for number in range(3):
        life.step(update, actor=factories.EDITOR, body=f"Twelve {number}.", change="correction", note="Not ten.")
        life.step(approve, actor=factories.EDITOR)
    life.step(update, actor=factories.EDITOR, slug="moved", body="It sails.", change="maintenance")
    life.talk()
    reject(life.step(propose), now=LATER + timedelta(hours=1))
    life.step(propose, body="Soil.", tags=["beds"], category="Plants", series="Rows", change="maintenance")
    life.say(services.request_review, RequestReview, note="Again.", person="ed.editor")
    return life


def _withdrawn() -> Life:
    life = _public()
    life.step(factories.unpublish, actor=factories.EDITOR)
    life.step(update, body="It leaves at noon. " * 99)
    life.step(update, body="It leaves.")
    life.talk()
    life.say(services.request_review, RequestReview, note="Once more.", person="ed.editor")
    return life


def _adopted() -> Life:
    """A public post that came from another system, with every kind of record."""
    article = {**factories.WHOLE, "old_slugs": [], "provenance": "ai_assisted"}
    life = Life(factories.adopt(article).post)
    life.step(update, actor=factories.EDITOR, body="It leaves at ten.", change="correction", note="Not nine.")
    life.step(factories.unpublish, actor=factories.EDITOR)
    life.step(update, body="It leaves at noon. " * 99)
    life.talk()
    life.step(publish, actor=factories.EDITOR, change="substantive")
    life.step(approve, actor=factories.EDITOR)
    reject(life.step(propose, body="Soil.", change="maintenance"), now=LATER + timedelta(hours=1))
    return life


def _translated() -> tuple[Life, int]:
    """A public post in a series and with translations, and a proposal of all that a proposal can change."""
    for name in ("Plants", "Rows"):
        save(title=name, category=name, series=name, publish=True, tags=["beds"])
    image = factories.store_image(plain(color="green"))
    life = _public()
    for number in range(3):
        own = {"title": f"Boat {number}", "series": "Boats", "category": "Quay", "tags": ["sea"]}
        save(publish=True, now=NOW + timedelta(hours=number), **own)
    save(title="Bateau", language="fr", translation_of=str(life.post.pk), publish=True)
    body = life.post.body + f"\n\n![Green]({image.url}) [Boat](/blog/boat-1)"
    fields = {"body": body, "title": "Boats", "tags": ["beds", "New"], "category": "PLANTS", "language": "en"}
    fields |= {"cover_image": {"image_id": image.pk}, "social_image": None, "description": "Of boats."}
    proposal = life.step(propose, faq=[{"question": "Who?", "answer": "We."}], change="maintenance", **fields)
    return life, proposal


def _paths(post: Post) -> list[str]:
    """Return the paths of all pages about a draft and its versions, and of the lists of posts."""
    many = {
        "post_id": [post.pk],
        "object_id": [post.pk],
        "identifier": sorted(
            {row.identifier for kind in (DraftVersion, Revision) for row in kind.objects.filter(post=post.pk)}
        ),
        "proposal_id": [],
        "passkey_id": [],
    }
    found = []
    for route in ROUTES:
        # A draft has no public version to withhold.
        if route.model is Post and "kind" not in route.arguments and not route.name.endswith("withhold"):
            values = product(*(many[name] for name in route.arguments))
            known = [dict(zip(route.arguments, one, strict=True)) for one in values]
            found += [reverse(f"admin:{route.name}", kwargs=names) for names in known]
    versions = many["identifier"]
    compare = reverse("admin:blog_engine_post_compare", args=[post.pk])
    return [*found, reverse("admin:index"), *(f"{compare}?from={one}&to={versions[0]}" for one in versions[1:])]


@requirement("desk.queries")
def test_pages_of_a_draft_with_every_record_are_cheap(subtests: pytest.Subtests) -> None:
    client, post = desk(*EDITOR, name="Ed Editor"), _draft().post
    assert {entry.kind for entry in Remark.objects.all()} == {"request", "return", "remark", "answer"}

    for path in _paths(post):
        with subtests.test(path):
            _expect_cheap(client, path)


@requirement("desk.queries")
@pytest.mark.parametrize("made", [_public, _withdrawn])
def test_lists_and_the_pages_to_work_on_a_post_with_every_record_are_cheap(
    made: Callable[[], Life], subtests: pytest.Subtests
) -> None:
    client, post = desk(*EDITOR, name="Ed Editor"), made().post

    for name in ("change", "review", "publish", "delete", "request_review", "views", "compare"):
        with subtests.test(name):
            _expect_cheap(client, url(f"post_{name}", post.pk))
    for name in ("post_changelist", "post_queue", "post_proposals"):
        with subtests.test(name):
            _expect_cheap(client, url(name))


@requirement("desk.queries")
@pytest.mark.parametrize("made", [_public, _withdrawn, _adopted])
def test_the_history_of_a_post_with_every_record_is_cheap(
    made: Callable[[], Life], monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    client, post = desk(*EDITOR, name="Ed Editor"), made().post
    path = url("post_history", post.pk)

    with subtests.test(path):
        _expect_cheap(client, path)
    monkeypatch.setattr("blog_engine.queries.timeline.EVENTS_PER_PAGE", 8)
    for number in (1, 2, 3):
        with subtests.test(f"{path}, page {number}"):
            _expect_cheap(client, f"{path}?page={number}")


@requirement("desk.queries")
def test_the_pages_of_a_proposal_of_everything_are_cheap(subtests: pytest.Subtests) -> None:
    client, (life, proposal) = desk(*EDITOR, name="Ed Editor"), _translated()

    for route in ROUTES:
        if "proposal_id" in route.arguments:
            path = reverse(f"admin:{route.name}", args=[life.post.pk, proposal])
            with subtests.test(path):
                _expect_cheap(client, path, most=MOST_QUERIES_FOR_PROPOSALS)


@pytest.mark.parametrize("made", [_public, _withdrawn, _adopted])
def test_the_history_has_the_records_as_they_are_stored(made: Callable[[], Life]) -> None:
    desk(*EDITOR, name="Ed Editor")

    page = timeline_of(made().post, number=1)

    assert {event.kind for event in page.events} >= {*EventKind} - {EventKind.BASELINE, EventKind.STATUS}
    for event in page.events:
        names = {field.attname for field in event.record._meta.concrete_fields} - event.record.get_deferred_fields()
        as_stored = type(event.record)._default_manager.get(pk=event.record.pk)
        assert [getattr(event.record, name) for name in names] == [getattr(as_stored, name) for name in names]


def _expect_cheap(client: Client, path: str, *, most: int = MOST_QUERIES) -> None:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
        if answer.streaming:
            answer.getvalue()

    assert answer.status_code in {200, 302, 405}
    assert len(queries) <= most, [query["sql"] for query in queries]
