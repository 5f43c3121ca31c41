"""Random writes to a few posts that share their slugs, compared with a model of the contract.

Posts are written, adopted, withdrawn and removed while redirects and policy pages are created and deleted.
``BLOG_ENGINE_LIVES`` is the number of rounds of 50 calls, ``BLOG_ENGINE_SEED`` the number of the first one.
"""

import os
import random
from functools import partial
from typing import Any

import pytest
from pytest_django import Settings

from tests.contract.lives import (
    API,
    REDIRECT_TO,
    VERBS,
    Compared,
    Life,
    adoption,
    changed_adoption,
    page_fields,
    post_fields,
    redirect,
)
from tests.contract.random_requests import Chance
from tests.support.factories import store_image
from tests.support.hosts import blog_settings
from tests.support.images import png
from tests.support.integrity import assert_all_is_well

pytestmark = [pytest.mark.django_db, pytest.mark.heavy]

LIVES = int(os.environ.get("BLOG_ENGINE_LIVES", "8"))
SEED = int(os.environ.get("BLOG_ENGINE_SEED", "0"))
STEPS = 50
STEPS_PER_LOOK = 17
"""Calls between two full comparisons; one costs as much as all the calls before it."""


class RandomLife:
    """Make random calls and compare them."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.pair = Compared()
        self.blog = self.pair.blog
        self.images = [store_image(png(colour)).pk for colour in ("teal", "red")]
        self.adopted: list[dict[str, Any]] = []
        often = {self.touch: 12, self.save: 3, self.adopt: 6, self.redirect: 3, self.forget: 1, self.write_page: 2}
        # Each round has its own weights: some import a lot, others write many redirects.
        self.kinds = {kind: weight * chance.choice([0.1, 0.3, 1, 6]) for kind, weight in often.items()}

    def step(self) -> None:
        """Make one call of any kind."""
        (kind,) = self.chance.choices(list(self.kinds), list(self.kinds.values()))
        kind()

    def save(self) -> None:
        sent = post_fields(self.chance, self.images)
        sent |= {"publish": True} if self.chance.random() < 0.5 else {}
        external_id = self.chance.choice(["one", "two", "three", None])
        sent |= {"external_id": external_id} if external_id else {}
        if self.chance.random() < 0.8:
            sent.setdefault("title", f"T{external_id or 1}")
        self.pair.call("POST", "/posts", sent, partial(self.blog.save, sent))

    def touch(self) -> None:
        """Make a call about a stored post."""
        if not self.blog.posts:
            return
        post, sent = self.chance.choice(self.blog.posts), post_fields(self.chance, self.images)
        here = f"/posts/{self.chance.choice([post.number, post.slug])}"
        verb = self.chance.choice(VERBS)
        if verb == "edit":
            self.pair.call("PATCH", here, sent, partial(self.blog.edit, post, sent))
        elif verb == "publish":
            sent = sent if self.chance.random() < 0.5 else {}
            self.pair.call("POST", f"{here}/publish", sent, partial(self.blog.publish, post, sent))
        elif verb == "unpublish":
            self.pair.call("POST", f"{here}/unpublish", None, partial(self.blog.unpublish, post))
        elif verb == "remove":
            to = self.chance.choice(REDIRECT_TO)
            self.pair.call("DELETE", here, {"redirect_to": to} if to else None, partial(self.blog.remove, post, to))
        elif verb == "connect":
            by = self.chance.choice(["Rosa", "Mina"])
            none = {"connections": [], "third_party_paid": False, "declared_by": by}
            self.pair.call("POST", f"{here}/connections", none, partial(self.blog.declare, post, by))
        else:
            self.approve(post, here)

    def approve(self, post: Life, here: str) -> None:
        stored = self.pair.client.get(API + here).json()
        which = self.chance.choice(["revision_identifier", "public_revision_identifier"])
        reviewed = post.content if which == "revision_identifier" else post.public
        checked = self.chance.random() < 0.7
        sent = {"name": "Rosa", "facts_checked": checked, "revision_identifier": stored[which] or "0" * 64}
        self.pair.call("POST", f"{here}/approvals", sent, partial(self.blog.approve, post, reviewed, checked=checked))

    def adopt(self) -> None:
        """Adopt a new article, or one again with or without a change."""
        sent = adoption(self.chance, self.images)
        if self.adopted and self.chance.random() < 0.7:
            sent = self.chance.choice(self.adopted[-3:])
            sent = changed_adoption(self.chance, self.images, sent) if self.chance.random() < 0.6 else sent
        if self.pair.call("POST", "/adoptions", sent, partial(self.blog.adopt, sent)):
            self.adopted.append(sent)

    def redirect(self) -> None:
        sent = redirect(self.chance, [post.number for post in self.blog.posts if post.number])
        self.pair.call("POST", "/redirects", sent, partial(self.blog.redirect, sent))

    def forget(self) -> None:
        """Delete a redirect, whatever created it."""
        listed = self.pair.look_at_redirects()
        if listed:
            row = self.chance.choice(listed)
            self.pair.call("DELETE", f"/redirects/{row['id']}", None, partial(self.blog.forget, row["old_path"]))

    def write_page(self) -> None:
        kind, sent = self.chance.choice(["responsible_party", "ai_use"]), page_fields(self.chance)
        may_publish = self.chance.random() < 0.8
        expect = partial(self.blog.write_page, kind, sent, may_publish=may_publish)
        self.pair.call("PUT", f"/pages/{kind}", sent, expect, as_writer=not may_publish)


@pytest.fixture(autouse=True)
def a_blog_of_its_own(own_images: None, settings: Settings) -> None:
    """A blog whose own policy pages decide about labels, and which serves redirects outside the blog."""
    settings.RATELIMIT_ENABLE = False
    settings.BLOG_ENGINE = blog_settings(policy_urls={})
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "blog_engine.middleware.RedirectMiddleware"]


@pytest.mark.parametrize("number", range(SEED, SEED + LIVES))
def test_a_random_life_is_as_the_rules_say(number: int) -> None:
    life = RandomLife(random.Random(number))  # noqa: S311  repeatable, not secret

    for step in range(1, STEPS + 1):
        life.step()
        if step % STEPS_PER_LOOK == 0:
            life.pair.look()

    life.pair.look()
    assert_all_is_well()
