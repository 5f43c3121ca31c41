"""What lists, pages, feeds and texts say of AI and of payments."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.factories import LATER, approve, declare, save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor
from tests.support.tables import undone

AI, PAID = ("AI", "AI helped to make this article."), ("Paid", "A third party paid for this article.")
LISTS = ["/", "/category/garden", "/tag/roots", "/author/ada-example", "/series/ground", "/search?q=soil"]


def publish(title: str = "Soil", **fields: object) -> Post:
    written = {"category": "Garden", "tags": ["roots"], "series": "Ground", "provenance": "ai_assisted"}
    return save(title=title, publish=True, **(written | fields)).post


def marks(page: Element) -> list[tuple[str, str]]:
    """Return the word and the accessible name of each mark of a page."""
    return [(mark.text, mark.attrs["aria-label"]) for mark in page.all("span", data_blog_mark="")]


@pytest.fixture(autouse=True)
def _party() -> Iterator[None]:
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={"responsible_party": "/about"})):
        yield


@requirement("pages.cards.marks")
@pytest.mark.parametrize("path", LISTS)
def test_every_list_marks_ai_and_payments(visitor: Visitor, path: str) -> None:
    post = publish()
    unmarked = declare(publish("Soil of people", provenance="human_written")).post
    publish("Soil of nobody knows", provenance="unknown")
    before = marks(visitor.page(path))
    declare(post, third_party_paid=True)
    both = marks(visitor.page(path))
    approve(post)
    checked = marks(visitor.page(path))
    declare(post, third_party_paid=False)
    declare(unmarked, third_party_paid=True)
    update(post, body="New words.", change="substantive")

    assert (before, both, checked) == ([AI], [AI, PAID], [PAID])
    assert sorted(marks(visitor.page(path))) == [AI, PAID]


@requirement("pages.cards.marks")
def test_other_cards_have_the_marks_too(visitor: Visitor) -> None:
    publish(featured=True)
    publish("Stone", series="Other", provenance="human_written")

    assert marks(visitor.page("/")) == [AI]
    assert marks(visitor.page("/stone")) == [AI]
    assert marks(visitor.page("/none", status=404)) == [AI]


@requirement("pages.cards.marks")
def test_the_mark_follows_the_label(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for changed, expected in [({}, []), ({"policy_urls": {}}, [AI]), ({"ai_label": "always"}, [AI])]:
        with subtests.test(changed=changed), undone():
            approve(publish(), now=LATER)
            given = {"policy_urls": {"responsible_party": "/about"}} | changed
            with override_settings(BLOG_ENGINE=blog_settings(**given)):
                assert marks(visitor.page("/")) == expected
