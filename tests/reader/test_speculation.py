"""Pages that browsers load before a reader opens them."""

import re
from typing import Any

import pytest
from django.test import override_settings
from django.views.generic.base import ContextMixin

from blog_engine.blog_urls import BlogURLs
from blog_engine.reader.documents import speculation_rules
from tests.reader.conftest import preview_path
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import Place, blog_settings
from tests.support.pages import Visitor, person, views


@requirement("pages.prefetch")
def test_pages_name_the_rules(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", category="Garden", publish=True)

    for path in ["/", "/soil", "/category/garden", "/archive", "/subscribe", "/tag"]:
        with subtests.test(path=path):
            response = visitor.get(path)

            assert response["Speculation-Rules"] == '"/blog/speculation-rules.json"'
            with override_settings(BLOG_ENGINE=blog_settings(prefetch=False)):
                assert "Speculation-Rules" not in visitor.get(path)


class Metering(ContextMixin):
    """A host's parent class, which may count requests."""


@requirement("pages.prefetch")
@pytest.mark.parametrize(("wanted", "is_on"), [(None, False), (True, True), (False, False)])
def test_a_host_with_a_parent_class_decides_itself(visitor: Visitor, wanted: bool | None, is_on: bool) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(parent_controller=Metering, prefetch=wanted)):
        assert ("Speculation-Rules" in visitor.get("/").headers) is is_on


@requirement("pages.prefetch", "host.mount")
def test_the_rules_are_below_the_mount(place: Place) -> None:
    named = place.get("/")["Speculation-Rules"].strip('"')
    answer = place.get(named.removeprefix(place.prefix))

    assert named == f"{place.prefix}/speculation-rules.json"
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/speculationrules+json")
    assert answer["Cache-Control"] == "max-age=86400, private"
    (rule,) = answer.json()["prefetch"]
    assert rule["eagerness"] == "moderate"
    pattern = rule["where"]["and"][0]["href_matches"]
    assert re.sub(r"\\(.)", r"\1", pattern) == f"{place.prefix}/*"


@requirement("pages.prefetch")
def test_what_is_no_page_is_excluded() -> None:
    (rule,) = speculation_rules(BlogURLs(origin="", prefix="/a(b)/blog"))["prefetch"]

    inside, outside, parts = rule["where"]["and"]
    assert inside == {"href_matches": r"/a\(b\)/blog/*"}
    excluded = {path.removeprefix(r"/a\(b\)/blog") for path in outside["not"]["href_matches"]}
    assert {"/api/*", "/mcp", "/media/*", "/preview/*", "/search", "/*.md", "/*.xml", "/*.json"} <= excluded
    assert ".blog-card a" in parts["selector_matches"].split(", ")


@requirement("pages.prefetch")
def test_previews_and_dead_ends(visitor: Visitor) -> None:
    path = preview_path(save(title="Soil").post)

    assert "Speculation-Rules" not in visitor.get(path)
    with override_settings(BLOG_ENGINE=blog_settings(prefetch=False)):
        assert visitor.get("/speculation-rules.json").status_code == 404


@requirement("pages.prefetch.views")
@pytest.mark.parametrize("headers", [{}, {"Cache-Control": "no-cache"}])
def test_a_prefetched_article_is_counted_when_it_is_opened(db: None, headers: dict[str, Any]) -> None:
    save(title="Soil", publish=True)
    reader = person()
    loaded = reader.get("/soil", **{"Sec-Purpose": "prefetch"})
    assert views() == []

    # What the script of the page sends once it is open.
    opened = reader.get("/soil", **{"If-None-Match": loaded["ETag"]}, **headers)

    assert opened.status_code == 304
    assert [(slug, number) for slug, _, number in views()] == [("soil", 1)]
