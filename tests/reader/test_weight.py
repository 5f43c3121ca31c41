"""The size of a first visit: HTML, CSS and scripts together, without images."""

import gzip
import re
from pathlib import Path

import pytest
from django.test import override_settings

import blog_engine
from tests.requirements import requirement
from tests.support.blogs import CALL, make_blog
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor

STATIC = Path(blog_engine.__file__).parent / "static" / "blog_engine"
LINKED = re.compile(r'(?:href|src)="/static/blog_engine/([a-z-]+\.(?:css|js))"')

COMPRESSED = 27_000
"""The bytes that a server sends which compresses pages too, as in docs/how-to/one-server.md."""
SENT = 45_000
"""The bytes with compressed files and uncompressed pages, as on the example site; 60 kB are allowed."""
SENT_WITH_EVERYTHING = 50_000
"""Those of an article that has every part at once."""
UNCOMPRESSED = 100_000
"""Bytes where nothing is compressed: a limit of our own, so that growth is noticed."""


@pytest.mark.usefixtures("storage")
@requirement("pages.weight")
@override_settings(BLOG_ENGINE=blog_settings(call_to_action=CALL))
def test_a_first_visit_is_light(visitor: Visitor) -> None:
    pages = {name: visitor.get(path).content for name, path in make_blog().items()}

    sent = {name: weigh(page, *map(gzip.compress, linked(page))) for name, page in pages.items()}
    compressed = {name: weigh(*map(gzip.compress, [page, *linked(page)])) for name, page in pages.items()}
    uncompressed = {name: weigh(page, *linked(page)) for name, page in pages.items()}
    assert all(linked(page) for page in pages.values())
    assert {name: weight for name, weight in compressed.items() if weight > COMPRESSED} == {}
    assert sent.pop("article") <= SENT_WITH_EVERYTHING
    assert {name: weight for name, weight in sent.items() if weight > SENT} == {}
    assert {name: weight for name, weight in uncompressed.items() if weight > UNCOMPRESSED} == {}


def linked(page: bytes) -> list[bytes]:
    """Return the stylesheets and scripts that the page loads."""
    return [(STATIC / name).read_bytes() for name in LINKED.findall(page.decode())]


def weigh(*parts: bytes) -> int:
    return sum(map(len, parts))
