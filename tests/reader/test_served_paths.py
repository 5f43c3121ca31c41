"""The link check and the views agree on which paths are served."""

from typing import Any

import pytest
from django.test import override_settings

from blog_engine.models import PolicyPage
from blog_engine.queries.links import blog_path_of, served_paths
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import make_author, make_category, make_series, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor
from tests.support.tables import insert_redirect

LISTS = ["/category/garden", "/category/empty", "/tag/roots", "/author/mina-holt", "/series/tides"]
NO_LISTS = [
    "/category/lost",
    "/category/roots",
    "/tag/garden",
    "/tag/lost",
    "/author/lost",
    "/series/lost",
    "/topic/garden",
]
SUFFIXES = ["", "/", ".html", ".json", ".md", "/feed.xml", "/feed.json", "/feed.xml/", "/feed", "/feed.atom", "/more"]
FORMATS = [
    "",
    "?format=html",
    "?format=json",
    "?format=md",
    "?format=",
    "?format=html&format=json",
    "?q=soil",
    "?page=1",
]
PATHS = [
    *(list_path + suffix for list_path in [*LISTS, *NO_LISTS] for suffix in SUFFIXES),
    *(
        path + query
        for path in ("/", *LISTS, "/category/lost", "/search", "/search.json", "/feed.xml", "/sitemap.xml", "/soil")
        for query in FORMATS
    ),
    *(
        "/search/",
        "/search.html",
        "/search.xml",
        "/search.md",
        "/search.json/",
        "/search/soil",
        "/search.html?format=json",
    ),
    *(
        "/feed",
        "/feed/",
        "/feed.xml/",
        "/feed.json",
        "/feed.json/",
        "/feed.html",
        "/feed.atom",
        "/feed.xml.xml",
        "/feeds.xml",
    ),
    *(
        "/sitemap",
        "/sitemap.xml/",
        "/sitemap.html",
        "/sitemap-1.xml",
        "/sitemap-0.xml",
        "/sitemap-x.xml",
        "/sitemap.json",
    ),
    *("/soil", "/soil/", "/soil.md", "/soil.html", "/soil.json", "/soil.md/", "/withdrawn", "/before", "/before.md"),
    *("/category", "/category/", "/tag", "/policies/corrections", "/policies/corrections/", "/policies/lost", "/none"),
    *("/tag/moved", "/tag/moved/", "/tag/moved/feed.xml", "/old/feed.xml", "/theme-0123456789abcdef.css", "/preview/x"),
]


def make_records() -> None:
    """Make one record of each kind that a URL can show."""
    save(slug="soil", category="Garden", tags=["roots"], publish=True)
    unpublish(save(slug="withdrawn", publish=True).post)
    update(save(slug="before", publish=True).post, slug="after")
    make_category(name="Empty")
    make_author(name="Mina Holt")
    make_series(name="Tides")
    PolicyPage.objects.create(kind="corrections", slug="corrections", title="C", body="Text.", status="published")
    insert_redirect("/blog/tag/moved", "/blog/soil")
    insert_redirect("/blog/old/feed.xml", "/blog/feed.xml")


def accepted_by_link_check(wanted: list[str]) -> set[str]:
    """Return the paths that the link check accepts."""
    paths = {one: blog_path_of(f"/blog{one}", page="/blog/soil") for one in wanted}
    found = served_paths({path for path in paths.values() if path}, now=TODAY)
    return {one for one, path in paths.items() if path in found}


def served_by_views(visitor: Visitor, wanted: list[str]) -> set[str]:
    """Return the paths that the views answer with a page, a document or 410."""
    statuses = {one: visitor.client.get(f"/blog{one}", follow=True).status_code for one in wanted}
    assert set(statuses.values()) == {200, 404, 410}
    return {one for one, status in statuses.items() if status != 404}


@requirement("findings.links")
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"serve_sitemap": False, "policy_urls": {}},
        {"primary_list_type": "tags", "policy_urls": {"corrections": "/c"}},
    ],
)
def test_the_link_check_knows_what_the_views_answer(visitor: Visitor, changes: dict[str, Any]) -> None:
    make_records()

    with override_settings(BLOG_ENGINE=blog_settings(search_rate_limit="9999/s", **changes)):
        assert accepted_by_link_check(PATHS) == served_by_views(visitor, PATHS)
