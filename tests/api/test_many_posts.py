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


def count_queries(client: Client, address: str) -> tuple[int, int]:
    """The number of queries, and how many posts came back."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    return len(queries), len(answer.json()["posts"])


@pytest.mark.heavy
@pytest.mark.parametrize("query", ["", "&q=crowd", "&status=published&category=garden", "&page=2"])
def test_a_page_of_a_hundred_costs_the_same_at_ten_and_at_a_thousand_posts(settings, query: str) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={})
    client = client_with("read")
    client.get("/blog/api/v1/posts")  # notes the use of the token, which no other call of this minute does
    post = save(title="Soil", category="Garden", tags=["a", "b"], publish=True).post
    address = f"/blog/api/v1/posts?per_page=100{query}"

    publish_crowd(10, like=post)
    index_posts()
    few, _ = count_queries(client, address)
    publish_crowd(990, like=post, start=10)
    index_posts()
    many, shown = count_queries(client, address)

    assert shown == 100
    assert few <= many <= LIMIT
    assert many - few <= 2, "an empty page asks for neither posts nor tags"
