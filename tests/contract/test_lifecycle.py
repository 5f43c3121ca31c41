"""Random lives of a few posts that share their slugs: every answer, every record and every address is as promised."""

import json
import os
import random
from typing import Any

import pytest
from django.test import Client

from tests.callers import client_with
from tests.contract.lifecycle import FUTURE, PAST, Blog, Life, Refused
from tests.unchanged import everything_stored

pytestmark = pytest.mark.django_db

POSTS = "/blog/api/v1/posts"
LIVES = int(os.environ.get("BLOG_ENGINE_LIVES", "3"))
SEED = int(os.environ.get("BLOG_ENGINE_SEED", "0"))
STEPS = 50

IDS = ["one", "two", "three"]
SLUGS = ["a", "b", "c", "d"]
WRONG = "0" * 64


def some_fields(chance: random.Random) -> dict[str, Any]:
    """Fields of a write, each now and then."""
    offers: dict[str, tuple[float, list[Any]]] = {
        "title": (0.3, ["T1", "T2"]),
        "body": (0.4, ["", "Text.", "Other *text*."]),
        "slug": (0.3, SLUGS),
        "change": (0.4, ["substantive", "correction", "maintenance"]),
        "note": (0.5, ["It was wrong."]),
        "change_description": (0.1, ["Said more."]),
        "publish_at": (0.25, [None, PAST, FUTURE]),
        "approval": (0.2, [{"name": "Rosa", "facts_checked": True}]),
        "tags": (0.2, [[], ["x"], ["y", "x"]]),
        "featured": (0.1, [True, False]),
    }
    sent = {name: chance.choice(values) for name, (often, values) in offers.items() if chance.random() < often}
    if "approval" in sent and chance.random() < 0.1:
        sent["approval"] = sent["approval"] | {"revision_identifier": WRONG}
    return sent


class Pair:
    """The API and the model of it, told the same things."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.blog = Blog()
        self.client = client_with("read", "write", "publish")
        self.ids: dict[str, int] = {}
        self.story: list[str] = []

    def call(self, method: str, path: str, sent: dict[str, Any] | None) -> Any:
        self.story.append(f"{method} {path} {json.dumps(sent)}")
        body = "" if sent is None else json.dumps(sent)
        return self.client.generic(method, POSTS + path, body, content_type="application/json")

    def step(self) -> None:
        """One random call, compared."""
        external_id = self.chance.choice(IDS)
        post = self.blog.posts.get(external_id)
        if post is None or self.chance.random() < 0.15:
            self.save(external_id)
        else:
            self.touch(post)

    def save(self, external_id: str) -> None:
        sent = some_fields(self.chance) | {"external_id": external_id}
        sent |= {"publish": True} if self.chance.random() < 0.5 else {}
        if self.chance.random() < 0.8:
            sent.setdefault("title", "T" + external_id)
        self.compare("POST", "", sent, lambda: self.blog.save(sent))

    def touch(self, post: Life) -> None:
        sent, here = some_fields(self.chance), f"/{self.ids[post.external_id]}"
        verb = self.chance.choice(
            ["edit", "edit", "edit", "publish", "publish", "unpublish", "remove", "approve", "connect"]
        )
        if verb == "edit":
            self.compare("PATCH", here, sent, lambda: self.blog.edit(post, sent))
        elif verb == "publish":
            sent = sent if self.chance.random() < 0.5 else {}
            self.compare("POST", f"{here}/publish", sent, lambda: self.blog.publish(post, sent))
        elif verb == "unpublish":
            self.compare("POST", f"{here}/unpublish", None, lambda: self.blog.unpublish(post))
        elif verb == "remove":
            to = self.chance.choice([None, None, *SLUGS])
            self.compare("DELETE", here, {"redirect_to": to} if to else None, lambda: self.blog.remove(post, to))
        elif verb == "connect":
            none = {"connections": [], "third_party_paid": False, "declared_by": "Rosa"}
            self.compare("POST", f"{here}/connections", none, lambda: self.blog.declare(post))
        else:
            self.approve(post, here)

    def approve(self, post: Life, here: str) -> None:
        stored = self.client.get(POSTS + here).json()
        which = self.chance.choice(["revision_identifier", "public_revision_identifier"])
        reviewed = post.content if which == "revision_identifier" else post.public
        sent = {"name": "Rosa", "facts_checked": True, "revision_identifier": stored[which]}
        self.compare("POST", f"{here}/approvals", sent, lambda: self.blog.approve(post, reviewed or ("", "never")))

    def compare(self, method: str, path: str, sent: dict[str, Any] | None, expect: Any) -> None:
        before = everything_stored()
        response = self.call(method, path, sent)
        told = response.json() if response.content else {}
        try:
            (status, _, _), records = expect()
        except Refused as refused:
            error = told["error"]
            assert (response.status_code, error["code"], error["details"]) == refused.answer, self.told()
            # A used token says when; nothing else may move.
            assert without_use(everything_stored()) == without_use(before), self.told()
            return
        assert response.status_code == status, f"{self.told()}\n{told}"
        if status != 204:
            assert told["records"] == records, self.told()
            self.ids[told["post"]["external_id"]] = told["post"]["id"]
        self.look()

    def look(self) -> None:
        """All posts, their history and what readers get."""
        assert self.client.get(POSTS).json()["total"] == len(self.blog.posts), self.told()
        for post in self.blog.posts.values():
            self.look_at(post)
        for slug in [*SLUGS, *("t" + name for name in IDS), "t1", "t2"]:
            response = Client().get(f"/blog/{slug}.md")
            status, target = self.blog.read(slug)
            assert (response.status_code, response.headers.get("Location")) == (status, self.as_twin(target)), (
                self.told()
            )

    def as_twin(self, target: str | None) -> str | None:
        """Where ``.md`` of a moved post leads: to the target's own ``.md`` if it is public."""
        is_public = target and self.blog.read(target.removeprefix("/blog/"))[0] == 200
        return f"{target}.md" if is_public else target

    def look_at(self, post: Life) -> None:
        here = f"{POSTS}/{self.ids[post.external_id]}"
        told, records = self.client.get(here).json(), self.client.get(f"{here}/records").json()
        digest = {made: row["identifier"] for made, row in zip(post.revisions, records["revisions"], strict=True)}
        assert {
            "slug": told["slug"],
            "status": told["status"],
            "title": told["title"],
            "body": told["body"],
            "publish_at": told["publish_at"],
            "public": told["public_revision_identifier"],
            "approved": told["approved"],
            "is_dated": told["published_at"] is not None,
            "has_preview": told["preview_url"] is not None,
            "shows_public": told["revision_identifier"] == told["public_revision_identifier"],
        } == {
            "slug": post.slug,
            "status": post.status,
            "title": post.title,
            "body": post.body,
            "publish_at": post.publish_at,
            "public": digest.get(post.public) if post.public else None,
            "approved": post.public in post.approvals,
            "is_dated": bool(post.publications),
            "has_preview": post.status in {"draft", "scheduled"},
            "shows_public": post.public == post.content,
        }, self.told()
        assert [(p["entry_type"], p["revision_identifier"], p["description"]) for p in records["publications"]] == [
            (entry, digest[content], description) for entry, content, description in post.publications
        ], self.told()
        assert [a["revision_identifier"] for a in records["approvals"]] == [digest[c] for c in post.approvals]
        assert len(records["connections"]) == post.declarations
        assert dates_follow(told, records["publications"]), self.told()

    def told(self) -> str:
        """The calls so far, to try again by hand."""
        return "\n".join(self.story)


def without_use(stored: dict[str, Any]) -> dict[str, Any]:
    return {name: rows for name, rows in stored.items() if name != "ApiToken"}


def dates_follow(post: dict[str, Any], publications: list[dict[str, Any]]) -> bool:
    """Whether the public dates are those that records.md 5.2 derives from the history."""
    first = [p["occurred_at"] for p in publications if p["entry_type"] == "first"]
    moved = [p["occurred_at"] for p in publications if p["entry_type"] in {"substantive", "correction"}]
    wanted = (first or [None])[0], ([*first, *moved] or [None])[-1]
    return (post["published_at"], post["modified_at"]) == tuple(w and w[:19] + "Z" for w in wanted)


@pytest.mark.parametrize("life", range(SEED, SEED + LIVES))
def test_a_random_life_is_as_the_rules_say(life: int, settings: Any) -> None:
    settings.RATELIMIT_ENABLE = False
    pair = Pair(random.Random(life))  # noqa: S311  repeatable, not secret

    for _ in range(STEPS):
        pair.step()

    assert pair.story
