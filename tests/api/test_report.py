"""``GET /report``: its input, its rows and their order. What checks see of pages, their own tests show."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine import __version__
from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.blogs import publish_crowd
from tests.support.clients import assert_json, refusal_in
from tests.support.factories import publish, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

REPORT = "/blog/api/v1/report"
ALL = {"show": "all"}
OF_ARTICLES = ["E1", "E3", "E5", "T3", "T7", "T8", "T9", "T10", "T11", "T12", "T13", "T15", "T16", "T17"]
OF_RECORDS = ["E6", "E7", "E18", "E19", "E20", "E21", "E22"]
OF_SITE = ["E8", "E16", "E17", "T5", "T6", "T21"]
REACH = ["T1", "T2", "T14"]


@pytest.fixture(autouse=True)
def posts() -> list[int]:
    """The ids of two public posts; there is a draft, too."""
    save(title="Draft", slug="draft")
    return [publish(save(title=name.title(), slug=name).post).post.pk for name in ("harbour", "tide")]


def predicates(answer: dict[str, Any], post_id: int | None) -> list[str]:
    return [row["predicate"] for row in answer["results"] if row.get("post_id") == post_id]


@requirement("surface-report.answer")
def test_a_report_of_the_site(reader: Client, posts: list[int]) -> None:
    response = reader.get(REPORT, ALL)

    assert response.status_code == 200
    assert_json(response)
    answer = response.json()
    results = answer.pop("results")
    assert answer.pop("date").endswith("Z")
    assert answer.pop("sentence")
    assert all(answer["declarations"].pop("field_map").values())
    assert all(one["reason"] for one in answer["not_run"])
    assert [one["predicate"] for one in answer.pop("not_run")] == ["T12_render", "T18", "T19", "T20"]
    counts = dict.fromkeys(("pass", "fail", "not applicable", "not verified"), 0)
    for row in results:
        assert row.keys() - {"details"} == {"predicate", "result", "reason", "marks"}
        counts[row["result"]] += 1
    assert answer == {
        "engine_version": __version__,
        "report_version": "1",
        "scope": "site",
        "pages_from": "application",
        "show": "all",
        "post_ids": posts,
        "pagination": {"page": 1, "per_page": 50, "total": 2, "pages": 1},
        "declarations": {
            "content_selector": "[data-blog-content]",
            "faq_selectors": ["[data-blog-faq]", "[data-blog-faq-entry]"],
            "primary_list_type": "categories",
            "sign_in_destinations": ["/admin/"],
        },
        "limitations": [],
        "counts": counts,
        "not_assessed": ["E2", "E9", "E10", "E11", "E12", "E13", "E14", "E15", "E23", "E24", "E25"],
    }
    assert [row["predicate"] for row in results] == ["E4", *OF_SITE, "T4"]


@requirement("surface-report.order")
@pytest.mark.parametrize("reach", ["false", "true"])
def test_a_report_of_one_post(reader: Client, posts: list[int], reach: str) -> None:
    answer = reader.get(REPORT, {"scope": "post", "post": "tide", "reach": reach, **ALL}).json()

    own = [*OF_ARTICLES, "E4", *OF_RECORDS, *(REACH if reach == "true" else [])]
    assert answer["post_ids"] == [posts[1]]
    assert answer["pagination"] == {"page": 1, "per_page": 1, "total": 1, "pages": 1}
    assert predicates(answer, posts[1]) == own
    assert predicates(answer, None) == [*OF_SITE, "T4", *([] if reach == "true" else REACH)]


@requirement("surface-report.order")
def test_a_report_of_everything(reader: Client, posts: list[int]) -> None:
    answer = reader.get(REPORT, {"scope": "all", **ALL}).json()

    harbour, tide = posts
    order = [(row["predicate"], row.get("post_id")) for row in answer["results"]]
    assert order == [
        *((name, harbour) for name in OF_ARTICLES),
        *((name, tide) for name in OF_ARTICLES),
        *(("E4", post) for post in posts),
        *((name, None) for name in OF_SITE),
        *((name, harbour) for name in OF_RECORDS),
        *((name, tide) for name in OF_RECORDS),
        ("T4", None),
        *((name, None) for name in REACH),
    ]


@requirement("surface-report.order")
@pytest.mark.parametrize(("reach", "found"), [("false", []), ("true", REACH)])
def test_in_the_scope_of_the_site_reach_is_that_of_the_index(reader: Client, reach: str, found: list[str]) -> None:
    answer = reader.get(REPORT, {"reach": reach}).json()

    assert [name for name in predicates(answer, None) if name in REACH] == found


@requirement("surface-report.selection")
def test_posts_come_in_pages_of_fifty(reader: Client) -> None:
    publish_crowd(50, like=Post.objects.get(slug="tide"))

    first, second, third = (reader.get(REPORT, {"page": page}).json() for page in (1, "2", 3))

    assert [len(answer["post_ids"]) for answer in (first, second, third)] == [50, 2, 0]
    assert first["post_ids"] == sorted(first["post_ids"])
    assert third["pagination"] == {"page": 3, "per_page": 50, "total": 52, "pages": 2}


@requirement("surface-report.selection")
def test_fewer_posts_a_page_can_be_asked_for(reader: Client, posts: list[int]) -> None:
    answer = reader.get(REPORT, {"scope": "all", "page": 2, "per_page": 1}).json()

    assert answer["post_ids"] == posts[1:]
    assert answer["pagination"] == {"page": 2, "per_page": 1, "total": 2, "pages": 2}


@requirement("surface-report.show")
def test_only_what_needs_attention_is_listed_unless_all_is_asked_for(reader: Client) -> None:
    short, whole = (reader.get(REPORT, {"scope": "all", **query}).json() for query in ({}, ALL))

    listed = [row for row in whole["results"] if row["result"] in ("fail", "not verified")]
    assert (short["results"], short["show"]) == (listed, "problems")
    assert short["counts"] == whole["counts"]
    assert sum(short["counts"].values()) == len(whole["results"]) > len(listed) > 0


@requirement("surface-report.unfetched")
@pytest.mark.parametrize("origin", [None, "https://blog.example"])
def test_pages_that_nobody_can_fetch_are_not_verified(reader: Client, settings: Settings, origin: str | None) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=origin)

    answer = reader.get(REPORT, {"scope": "all"}).json()

    assert {row["result"] for row in answer["results"] if row["predicate"] in OF_ARTICLES} == {"not verified"}


@requirement("surface-report.input")
def test_what_is_refused(reader: Client, subtests: pytest.Subtests) -> None:
    for query, refusal in [
        ({"scope": "post"}, (422, "validation_failed", ["post"])),
        ({"post": "tide"}, (422, "validation_failed", ["post"])),
        ({"scope": "all", "post": "tide"}, (422, "validation_failed", ["post"])),
        ({"scope": "post", "post": ""}, (422, "validation_failed", ["post"])),
        ({"scope": "everything"}, (422, "validation_failed", ["scope"])),
        ({"page": "0"}, (422, "validation_failed", ["page"])),
        ({"page": "1000001"}, (422, "validation_failed", ["page"])),
        ({"per_page": "0"}, (422, "validation_failed", ["per_page"])),
        ({"per_page": "51"}, (422, "validation_failed", ["per_page"])),
        ({"show": "some"}, (422, "validation_failed", ["show"])),
        ({"page": "1.0"}, (422, "validation_failed", ["page"])),
        ({"reach": "yes"}, (422, "validation_failed", ["reach"])),
        ({"reach": "True"}, (422, "validation_failed", ["reach"])),
        ({"format": "html"}, (422, "validation_failed", ["format"])),
        ({"format": ""}, (422, "validation_failed", ["format"])),
        ({"sort": "id"}, (422, "unknown_field", ["sort"])),
        ({"scope": "post", "post": "draft"}, (404, "not_found", [])),
        ({"scope": "post", "post": "nobody"}, (404, "not_found", [])),
        ({"scope": "post", "post": "999999"}, (404, "not_found", [])),
    ]:
        with subtests.test(query=query, refusal=refusal):
            assert refusal_in(reader.get(REPORT, query)) == refusal


@requirement("surface-report.input")
def test_a_post_by_its_number(reader: Client, posts: list[int]) -> None:
    assert reader.get(REPORT, {"scope": "post", "post": posts[0]}).json()["post_ids"] == [posts[0]]


@requirement("surface-report.text")
def test_the_form_of_the_answer(reader: Client, subtests: pytest.Subtests) -> None:
    for query, accept, is_text in [
        ({}, "*/*", False),
        ({}, "text/plain", True),
        ({}, "Text/Plain;q=0.5, application/json", True),
        ({}, "application/json, text/plain", False),
        ({"format": "text"}, "application/json", True),
        ({"format": "json"}, "text/plain", False),
    ]:
        with subtests.test(query=query, accept=accept, is_text=is_text):
            response = reader.get(REPORT, query, headers={"Accept": accept})

            assert response.headers["Content-Type"] == ("text/plain; charset=utf-8" if is_text else "application/json")
            assert response.headers["Cache-Control"] == "no-store"
            assert response.headers["RateLimit-Remaining"]


@requirement("surface-report.text")
def test_a_report_as_text(reader: Client, posts: list[int]) -> None:
    query = {"scope": "post", "post": "tide"}
    answer = reader.get(REPORT, query).json()

    text = reader.get(REPORT, {**query, "format": "text"}).content.decode()

    lines = text.splitlines()
    rows = [line for line in lines if " — " in line and not line.startswith("Not run: ")]
    assert len(rows) == len(answer["results"])
    for line, row in zip(rows, answer["results"], strict=True):
        article = f" article {row['post_id']}" if "post_id" in row else ""
        assert line == f"{row['predicate']}{article}: {row['result']} — {row['reason']}"
    assert f"Articles: 1 of 1 (ids: {posts[1]}). Page 1 of 1." in lines
    assert lines[-1] == answer["sentence"]
    assert text.endswith("\n")
