"""Pages do not depend on how a host formats numbers and missing values."""

import pytest
from django.conf import settings as host
from django.template.loader import render_to_string
from pytest_django import Settings

from blog_engine.reader.page import page_links
from tests.support.blogs import make_blog
from tests.support.pages import Visitor, parse, text_of

MISSING = "NOTHING-UNDER-%s"


@pytest.mark.usefixtures("storage")
def test_no_page_asks_for_a_value_that_it_was_not_given(visitor: Visitor, settings: Settings) -> None:
    paths = make_blog()
    engine = host.TEMPLATES[0]
    settings.TEMPLATES = [{**engine, "OPTIONS": {**engine["OPTIONS"], "string_if_invalid": MISSING}}]

    pages = {name: text_of(visitor.get(path)) for name, path in paths.items()}

    assert [name for name, page in pages.items() if MISSING.removesuffix("%s") in page] == []


def test_page_numbers_are_not_grouped(settings: Settings) -> None:
    settings.USE_THOUSAND_SEPARATOR = True

    page = parse(render_to_string("blog_engine/_pagination.html", {"pages": page_links("/", current=1000, count=1001)}))

    last = page.one("a", aria_label="Page 1001")
    assert [page.one("span").text, last.text] == ["1000", "1001"]
