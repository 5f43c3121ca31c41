"""People who read with a browser, and how often articles were read."""

from datetime import date

from django.test import Client

from blog_engine.models import PageView
from tests.reader.visitor import Visitor

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


def person(browser: str = FIREFOX) -> Visitor:
    """Somebody whose views count: the test client alone names no browser."""
    return Visitor(Client(headers={"User-Agent": browser}))


def views() -> list[tuple[str, date, int]]:
    """Slug, day and number of all that was counted."""
    rows = PageView.objects.order_by("day", "post_id")
    return list(rows.values_list("post__slug", "day", "views"))


def total() -> int:
    """All views together."""
    return sum(number for _, _, number in views())
