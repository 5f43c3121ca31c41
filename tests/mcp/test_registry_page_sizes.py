"""The page sizes of list tools, which must fit into an agent's context."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.clients import tool_answer, tool_refusal
from tests.support.factories import make_category
from tests.support.hosts import blog_settings

LISTS = {
    "blog_list_posts": {},
    "blog_search_posts": {"q": "winter"},
    "blog_list_categories": {},
    "blog_list_tags": {},
    "blog_list_authors": {},
    "blog_list_series": {},
    "blog_list_redirects": {},
}
"""The tools that return pages, with their required arguments."""

pytestmark = pytest.mark.django_db


def limit_pages(settings: Settings, most: int) -> None:
    settings.BLOG_ENGINE = blog_settings(mcp={"max_page_size": most})


@requirement("agents.tools.page-size")
@pytest.mark.parametrize(
    ("most", "asked", "given"),
    [
        (50, ..., 25),
        (50, 1, 1),
        (50, "7", 7),
        (50, 50, 50),
        (50, 51, 50),
        (50, "999999999", 50),
        (10, ..., 10),
        (10, 11, 10),
        (10, "3", 3),
        (1000, 101, 100),
        (1000, ..., 25),
    ],
)
def test_a_page_has_at_most_what_the_setting_allows(
    agent: Client, settings: Settings, most: int, asked: object, given: int
) -> None:
    limit_pages(settings, most)
    size = {} if asked is ... else {"per_page": asked}

    answers = {tool: tool_answer(agent, tool, required | size) for tool, required in LISTS.items()}

    found = {tool: (answer["per_page"], answer["page"], answer["total"]) for tool, answer in answers.items()}
    assert found == dict.fromkeys(LISTS, (given, 1, 0))


@requirement("agents.tools.page-size")
@pytest.mark.parametrize(
    "size", [0, -1, True, False, 1.5, [], "", "x", "0", "01", " 1", "1_0", "٣", 10**9, "1" * 10], ids=repr
)
def test_another_size_is_refused(agent: Client, size: object) -> None:
    refusals = {tool: tool_refusal(agent, tool, required | {"per_page": size}) for tool, required in LISTS.items()}

    assert refusals == dict.fromkeys(LISTS, ("validation_failed", ["per_page"]))


@requirement("agents.tools.page-size")
def test_the_cap_holds_for_the_entries_and_not_for_their_number(agent: Client, settings: Settings) -> None:
    limit_pages(settings, 2)
    for number in range(5):
        make_category(name=f"Category {number}")

    pages = [tool_answer(agent, "blog_list_categories", {"page": page, "per_page": 3}) for page in (1, 2, "3", 4)]

    assert [[row["name"][-1] for row in page["categories"]] for page in pages] == [["0", "1"], ["2", "3"], ["4"], []]
    assert [page["total"] for page in pages] == [5] * 4


@requirement("agents.tools.page-size")
def test_a_faulty_size_is_refused_with_the_other_faults(agent: Client) -> None:
    sent = {"per_page": 0, "page": 0, "status": "public"}

    assert tool_refusal(agent, "blog_list_posts", sent) == ("validation_failed", ["page", "per_page", "status"])
