"""``GET /posts``."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.services import index_posts
from tests.requirements import requirement
from tests.support import factories
from tests.support.blogs import TOMORROW, publish_crowd
from tests.support.clients import client_with, refusal_in
from tests.support.factories import LATER, approve, publish, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

POSTS = "/blog/api/v1/posts"


def save_posts(count: int, *, start: int = 0) -> None:
    for number in range(start, start + count):
        factories.save(title=f"Frost {number}", category="Garden", tags=["frost", "winter"], series="Ice")


def listed(query: str) -> Any:
    return client_with("read").get(f"{POSTS}?{query}").json()


@requirement("posts.list.answer", "posts.list.page-size")
def test_posts_are_listed_by_pages(subtests: pytest.Subtests) -> None:
    save_posts(3)

    for query, titles, page, per_page in [
        ("", ["Frost 2", "Frost 1", "Frost 0"], 1, 25),
        ("per_page=2", ["Frost 2", "Frost 1"], 1, 2),
        ("per_page=2&page=2", ["Frost 0"], 2, 2),
        ("page=2", [], 2, 25),
        ("page=999999999&per_page=101", [], 999_999_999, 100),
    ]:
        with subtests.test(query=query, titles=titles, page=page, per_page=per_page):
            body = listed(query)

            assert [post["title"] for post in body.pop("posts")] == titles
            assert bool(body.pop("next_cursor")) is (page * per_page < 3)
            assert body == {"page": page, "per_page": per_page, "total": 3}


@requirement("posts.object.card")
def test_a_card_has_exactly_the_fields_of_a_card() -> None:
    save_posts(1)

    assert list(listed("")["posts"][0]) == [
        *("id", "slug", "url", "status", "title", "description", "language", "author", "coauthors", "category"),
        *("tags", "published_at", "modified_at", "revision_identifier", "label", "review"),
        *("publish_at", "open_findings", "approval_missing", "version", "passage"),
    ]


@requirement("posts.list.filters")
def test_filters_narrow_the_list_and_its_total(subtests: pytest.Subtests) -> None:
    save_posts(2)

    for query, total in [
        ("status=draft&category=garden&tag=frost&series=Ice&author=ada-example&q=frost", 2),
        ("status=published", 0),
        ("category=other", 0),
        ("q=absent", 0),
    ]:
        with subtests.test(query=query, total=total):
            assert listed(query)["total"] == total


@requirement("api.input.query", "api.input.unstorable")
def test_a_faulty_query_is_refused(subtests: pytest.Subtests) -> None:
    for query, code, details in [
        ("status=public", "validation_failed", ["status"]),
        ("status=", "validation_failed", ["status"]),
        ("category=", "validation_failed", ["category"]),
        ("tag=%20", "validation_failed", ["tag"]),
        ("author=a%00b", "validation_failed", ["author"]),
        ("q=x", "validation_failed", ["q"]),
        ("q=", "validation_failed", ["q"]),
        ("q=a%00b", "validation_failed", ["q"]),
        (f"q=a{'%CC%81' * 31}", "validation_failed", ["q"]),
        (f"tag=a{'%CC%81' * 31}", "validation_failed", ["tag"]),
        ("page=0", "validation_failed", ["page"]),
        ("page=01", "validation_failed", ["page"]),
        ("page=1.0", "validation_failed", ["page"]),
        ("page=-1&per_page=x", "validation_failed", ["page", "per_page"]),
        ("page=1234567890", "validation_failed", ["page"]),
        ("page=%D9%A1", "validation_failed", ["page"]),
        ("page=1&page=2", "validation_failed", ["page"]),
        ("q[]=frost", "unknown_field", ["q[]"]),
        ("order=title&page=0", "unknown_field", ["order"]),
    ]:
        with subtests.test(query=query, code=code, details=details):
            response = client_with("read").get(f"{POSTS}?{query}")

            assert refusal_in(response) == (422, code, details)


@requirement("pages.queries")
@pytest.mark.parametrize("query", ["per_page=100", "per_page=100&q=frost&tag=frost&category=garden"])
def test_a_longer_list_takes_no_more_queries(query: str) -> None:
    client = client_with("read")
    client.get(POSTS)  # notes the use of the token, which no other call of this minute does
    taken = []

    for start, count in ((0, 2), (2, 20)):
        save_posts(count, start=start)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{POSTS}?{query}")
        taken.append(len(queries))

    assert taken[0] == taken[1] <= 11


@pytest.mark.parametrize(
    ("path", "tables"),
    [
        ("", ["apitoken", "policypage", "post", "post", "posttag", "post"]),
        ("/frost-0", ["apitoken", "post", "posttag", "faq", "policypage", "series"]),
    ],
)
def test_a_call_reads_few_tables_and_writes_nothing(settings: Settings, path: str, tables: list[str]) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={})
    save_posts(3)
    client = client_with("read")
    client.get(POSTS)  # notes the use of the token, which no other call of this minute does

    with CaptureQueriesContext(connection) as queries:
        client.get(f"{POSTS}{path}")

    read = [re.search(r'^SELECT .*? FROM "blog_engine_(\w+)"(?! "?U0)', query["sql"]) for query in queries]
    assert [found and found[1] for found in read] == tables


@requirement("posts.list.findings")
def test_a_list_knows_the_findings_that_a_check_of_each_post_finds(caplog: pytest.LogCaptureFixture) -> None:
    save(slug="one", title="Frost", body="# Frost\n\nTODO", publish=True, tags=["<b>x</b>"])
    save(slug="two", title="Frost", body="Text[^1].", description="D.", search_description="D.", publish=True)
    save(slug="three", title="Draft", body="")

    for card in listed("fields=slug,open_findings,finding_codes")["posts"]:
        found = client_with("read").get(f"{POSTS}/{card['slug']}/findings").json()["findings"]
        assert card["open_findings"] == len(found) > 0
        assert set(card["finding_codes"]) == {one["code"] for one in found}
    assert not caplog.records


@requirement("posts.list.findings")
def test_a_card_has_the_number_of_findings_that_the_post_has() -> None:
    save(title="Ropes", body="# One\n\n[gone](/blog/nowhere)\n", faq=[{"question": "Why?", "answer": "**So.**"}])
    save(title="Tar", body="Text.", description="All about tar.", now=LATER)
    client = client_with("read")

    counts = {card["slug"]: card["open_findings"] for card in listed("")["posts"]}

    assert counts == {slug: len(client.get(f"{POSTS}/{slug}/findings").json()["findings"]) for slug in ("ropes", "tar")}
    assert counts["ropes"] > 0


@requirement("posts.list.findings")
def test_a_check_that_fails_hides_no_card(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("a check of the host")

    monkeypatch.setattr("blog_engine.findings.counted.existing_keys", fail)
    save(title="Ropes")

    [card] = listed("")["posts"]

    assert (card["slug"], card["open_findings"]) == ("ropes", None)
    assert "could not be worked out" in caplog.text


@requirement("posts.list.approval")
@pytest.mark.parametrize("required", [True, False])
def test_a_card_says_whether_publishing_needs_an_approval(settings: Settings, required: bool) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=required)
    save(title="By hand", provenance="human_written")
    save(title="By a model", provenance="ai_assisted")
    save(title="Unknown", provenance="unknown")
    approve(save(title="Reviewed", provenance="ai_assisted").post)
    approve(save(title="Read only", provenance="ai_assisted").post, facts_checked=False)
    client = client_with("read", "publish")

    missing = {card["slug"]: card["approval_missing"] for card in listed("")["posts"]}

    assert missing == {"by-hand": False, "by-a-model": True, "unknown": True, "reviewed": False, "read-only": True}
    for slug, is_missing in missing.items() if required else ():
        answer = client.post(f"{POSTS}/{slug}/publish", {}, content_type="application/json").json()
        assert (answer.get("error", {}).get("code") == "approval_required") == is_missing, slug


@requirement("posts.object.card")
def test_a_card_has_the_time_of_its_schedule() -> None:
    publish(save(title="Regatta").post, publish_at=TOMORROW)

    [card] = listed("")["posts"]

    assert (card["status"], card["publish_at"]) == ("scheduled", TOMORROW)


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
