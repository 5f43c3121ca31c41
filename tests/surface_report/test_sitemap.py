"""The sitemap as the report reads it."""

import pytest
from django.test import override_settings

from blog_engine.surface_report.documents import sitemap_urls
from blog_engine.surface_report.observation import Observation, failed, not_verified
from tests.reader.changes import blog_settings
from tests.reader.places import PLACES, at
from tests.requirements import requirement
from tests.support.factories import save
from tests.surface_report.looking import BASE, Staged, answer, asked, site

pytestmark = pytest.mark.django_db

SITEMAP = "/blog/sitemap.xml"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def index(*urls: str) -> str:
    parts = "".join(f"<sitemap><loc>{url}</loc><lastmod>2026-11-21</lastmod></sitemap>" for url in urls)
    return f'<sitemapindex xmlns="{NAMESPACE}">{parts}</sitemapindex>'


def url_set(*urls: str) -> str:
    return f'<urlset xmlns="{NAMESPACE}">{"".join(f"<url><loc>{url}</loc></url>" for url in urls)}</urlset>'


@pytest.mark.parametrize("place", PLACES)
def test_the_pages_of_the_blog_are_listed_wherever_it_stands(place: str) -> None:
    with at(place) as found:
        save(title="Soil", publish=True)

        listed = sitemap_urls(site())

    assert listed == {
        f"{BASE}{found.prefix}/": None,
        f"{BASE}{found.prefix}/soil": "2026-11-21T12:00:00+00:00",
    }


def test_the_parts_of_an_index_are_read_together() -> None:
    parts = [f"{BASE}/blog/sitemap-{number}.xml" for number in (1, 2)]
    staged: Staged = {SITEMAP: index(*parts), parts[0]: url_set("a", "b"), parts[1]: url_set("c")}

    assert sitemap_urls(site(staged)) == {"a": None, "b": None, "c": None}


def test_a_sitemap_is_fetched_and_read_once() -> None:
    place = site({SITEMAP: url_set("a")})

    assert sitemap_urls(place) is sitemap_urls(place)
    assert asked(place) == [f"{BASE}{SITEMAP}"]


@pytest.mark.parametrize(
    ("document", "listed"),
    [
        ("<urlset/>", {}),
        ("<urlset><url><loc> a </loc><lastmod>\n2026 </lastmod></url></urlset>", {"a": "2026"}),
        ("<urlset><url><loc>a</loc><lastmod> </lastmod><priority>1</priority></url></urlset>", {"a": None}),
        ("<urlset><url><lastmod>2026</lastmod></url><url><loc/></url><a><loc>b</loc></a><!-- c --></urlset>", {}),
        ("<urlset><url><loc>a&amp;b</loc></url></urlset>", {"a&b": None}),
    ],
)
def test_entries_are_read_as_written(document: str, listed: dict[str, str | None]) -> None:
    assert sitemap_urls(site({SITEMAP: document})) == listed


@requirement("surface-report.malformed-pages")
@pytest.mark.parametrize(
    "document",
    [
        *(
            "",
            "<",
            "<urlset>",
            "<urlset/><urlset/>",
            "\x00",
            "\ud800",
            "<html><p>Sorry.</html>",
            "<urlset>&nbsp;</urlset>",
        ),
        "<a>" * 100_000,
        '<!DOCTYPE urlset [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>',
        '<?xml version="1.0" encoding="nobody-knows"?><urlset/>',
        '<?xml version="1.0" encoding="idna"?><urlset/>',
    ],
)
def test_what_is_no_xml_fails(document: str) -> None:
    staged: Staged = {SITEMAP: answer(document.encode("utf-8", "surrogatepass"))}

    assert sitemap_urls(site(staged)) == failed("The sitemap is not well-formed XML without a DOCTYPE.")


PART = f"{BASE}/blog/sitemap-1.xml"


@pytest.mark.parametrize(
    ("staged", "observation"),
    [
        ({SITEMAP: None}, not_verified("The sitemap could not be fetched.")),
        ({SITEMAP: answer(status=404)}, failed("The sitemap answered 404.")),
        ({SITEMAP: "<rss/>"}, failed("The sitemap is neither a urlset nor a sitemapindex.")),
        ({SITEMAP: index(PART), PART: answer(status=410)}, failed(f"The part {PART} of the sitemap answered 410.")),
        ({SITEMAP: index(PART), PART: None}, not_verified(f"The part {PART} of the sitemap could not be fetched.")),
        ({SITEMAP: index("nowhere")}, not_verified("The part nowhere of the sitemap could not be fetched.")),
        ({SITEMAP: index(PART), PART: index(PART)}, failed(f"The part {PART} of the sitemap is not a urlset.")),
        (
            {SITEMAP: index(PART), PART: "<"},
            failed(f"The part {PART} of the sitemap is not well-formed XML without a DOCTYPE."),
        ),
    ],
)
def test_what_keeps_it_from_being_read_is_told(staged: Staged, observation: Observation) -> None:
    assert sitemap_urls(site(staged)) == observation


@override_settings(BLOG_ENGINE=blog_settings(serve_sitemap=False))
def test_a_blog_that_serves_none_has_none_to_look_at() -> None:
    assert sitemap_urls(site()) == not_verified("The blog serves no sitemap: serve_sitemap is off.")
    assert sitemap_urls(site({SITEMAP: url_set("a")})) == {"a": None}
