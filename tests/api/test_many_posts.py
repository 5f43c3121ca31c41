"""The list of posts takes as many queries for a thousand posts as for ten."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.services import index_posts
from tests.support.blogs import publish_crowd
from tests.support.clients import client_with
from tests.support.factories import save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

LIMIT = 11
"""As for a page (``pages.queries``); three of them are for the findings of the cards."""

QUERIES = ["", "&q=crowd", "&status=published&category=garden", "&page=2"]


def measured(client: Client, *, per_page: int) -> dict[str, tuple[int, int]]:
    """Return the number of database queries and of posts of each page of the list."""
    client.get("/blog/api/v1/posts")  # notes the use of the token, which no other call of this minute does
    found = {}
    for query in QUERIES:
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(f"/blog/api/v1/posts?per_page={per_page}{query}")
        found[query] = (len(queries), len(answer.json()["posts"]))
    return found


@pytest.mark.heavy
def test_a_page_costs_the_same_at_ten_and_at_a_thousand_posts(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={})
    client = client_with("read")
    post = save(title="Soil", category="Garden", tags=["a", "b"], publish=True).post

    publish_crowd(10, like=post)
    index_posts()
    few = measured(client, per_page=5)
    publish_crowd(990, like=post, start=10)
    index_posts()
    many = measured(client, per_page=100)

    assert {shown for _, shown in few.values()} == {5}
    assert many == {query: (count, 100) for query, (count, _) in few.items()}
    assert max(count for count, _ in many.values()) <= LIMIT
