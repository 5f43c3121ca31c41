"""Tests of a host with a separate database for the blog; ``test_own_database.py`` runs them."""

from typing import Any

from django.contrib.auth.models import User
from django.db import connections
from django.test import TestCase, TransactionTestCase
from django.utils import timezone

from blog_engine.models import Author, Post
from blog_engine.models.protection import missing_protection
from blog_engine.services.tokens import create_token
from blog_engine.signals import post_published
from blog_engine.testing import allow_flush
from tests.support.factories import ARTICLE

allow_flush()


class _Blog:
    databases = ("default", "blog")

    def call(self, method: str, path: str, **body: Any) -> Any:
        """Return the answer of the API."""
        token = create_token("Ada", scopes=["publish", "write", "read"], now=timezone.now())
        return getattr(self.client, method)(  # type: ignore[attr-defined]
            f"/blog/api/v1/{path}",
            body,
            content_type="application/json",
            headers={"Authorization": f"Bearer {token.secret}"},
        )


class InTransactions(_Blog, TestCase):
    def test_each_table_is_in_one_database(self) -> None:
        tables = {alias: set(connections[alias].introspection.table_names()) for alias in self.databases}

        assert "blog_engine_post" in tables["blog"] - tables["default"]
        assert "auth_user" in tables["default"] - tables["blog"]
        assert missing_protection(connections["blog"]) == []

    def test_an_adoption_is_replaced(self) -> None:
        first = self.call("post", "adoptions", **ARTICLE)
        again = self.call("post", "adoptions", **ARTICLE | {"body": "It leaves at eleven."})

        assert (first.status_code, again.json()["records"]["baseline"]) == (201, "replaced"), again.content

    def test_a_user_who_is_an_author_can_be_deleted(self) -> None:
        user = User.objects.create(username="grace")
        author = Author.objects.create(name="Ada", slug="ada", user_id=user.pk)

        user.delete()

        author.refresh_from_db()
        assert author.user_id is None

    def test_a_slug_that_is_taken_is_refused(self) -> None:
        self.call("post", "posts", title="Winter", slug="winter")

        assert self.call("post", "categories", name="A").status_code == 201
        assert self.call("post", "categories", name="A").json()["error"]["code"] == "validation_failed"


class WithCommits(_Blog, TransactionTestCase):
    def test_a_post_is_published_and_read(self) -> None:
        User.objects.create(username="grace")
        heard: list[bool] = []

        def hear(**sent: Any) -> None:
            heard.append(connections["blog"].in_atomic_block)

        post_published.connect(hear)
        try:
            answer = self.call("post", "posts", title="Winter", body="Snow.", publish=True, category="Weather")
        finally:
            post_published.disconnect(hear)

        page = self.client.get("/blog/winter")
        assert (answer.status_code, page.status_code, heard) == (201, 200, [False])
        assert Post.objects.using("blog").count() == 1
