"""The blog at any mount, and behind a server that strips a prefix."""

import re
from urllib.parse import quote

import pytest
from django.test import Client, override_settings

from blog_engine.helpers import sitemap_entries
from blog_engine.inputs.base import parse as parse_input
from blog_engine.inputs.records import SavePage
from blog_engine.queries.previews import preview_token
from blog_engine.services import save_page
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import EDITOR, save, unpublish, update
from tests.support.hosts import Place, blog_settings
from tests.support.pages import parse, text_of


@requirement("host.mount")
def test_every_address_is_under_the_mount(place: Place) -> None:
    save(title="Stone", publish=True)
    save(title="Soil", publish=True, featured=True)

    index, article = (parse(text_of(place.get(path))) for path in ("/", "/soil"))

    assert index.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/"
    assert article.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/soil"
    assert {link.attrs["href"] for link in index.one("main").all("a")} == {
        f"{place.prefix}{path}" for path in ("/", "/soil", "/stone", "/author/ada-example", "/feed.xml", "/feed.json")
    }
    assert index.one("form").attrs["action"] == f"{place.prefix}/search"
    assert article.one("nav", aria_label="Breadcrumbs").one("a").attrs["href"] == f"{place.prefix}/"
    assert article.one("p", class_="blog-responsible").one("a").attrs["href"] == f"{quote(place.script_name)}/about"


@requirement("host.mount")
def test_moves_and_removals_work(place: Place) -> None:
    post = save(title="Soil", slug="old", publish=True).post
    update(post, slug="new")

    assert place.get("/old")["Location"] == f"{place.prefix}/new"
    assert place.get("/old.md")["Location"] == f"{place.prefix}/new.md"
    assert place.get("/new/")["Location"] == f"{place.prefix}/new"
    unpublish(post)
    assert place.get("/new").status_code == 410
    assert place.get("/none/at/all").status_code == 404


@requirement("host.mount")
def test_previews_work(place: Place) -> None:
    post = save(title="Soil").post
    issued = preview_token(post, now=TODAY)
    assert issued is not None

    page = parse(text_of(place.get(f"/preview/{issued.token}")))

    assert page.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/soil"


@requirement("host.mount")
def test_policy_pages_work(place: Place) -> None:
    fields = {"title": "How we use AI", "body": "Sparingly.", "status": "published"}
    save_page(parse_input(SavePage, fields, fixed={"kind": "ai_use"}), actor=EDITOR, now=TODAY)

    page = parse(text_of(place.get("/policies/ai-use")))

    assert page.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/policies/ai-use"
    assert page.one("footer").one("a", href=f"{place.prefix}/policies/ai-use").text == "AI use policy"


@requirement("host.mount", "sitemap.entries")
def test_the_sitemap_works(place: Place) -> None:
    save(title="Soil", category="Garden", publish=True)

    found = re.findall("<loc>(.*?)</loc>", text_of(place.get("/sitemap.xml")))

    assert found == [f"https://example.com{place.prefix}{path}" for path in ("/", "/soil", "/category/garden")]
    assert [entry["loc"] for entry in sitemap_entries()] == found


@requirement("host.mount", "pages.theme-colors")
def test_the_hosts_colours_work(place: Place) -> None:
    changed = blog_settings(theme_colors={"accent": "#7a1f5c"})
    with override_settings(BLOG_ENGINE=changed):
        (link,) = re.findall('href="([^"]+/theme-[^"]+|/theme-[^"]+)"', text_of(place.get("/")))
        answer = place.get(link.removeprefix(place.prefix))

    assert link.startswith(f"{place.prefix}/theme-")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/css; charset=utf-8")


@override_settings(ROOT_URLCONF="tests.support.urlconfs.root")
@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example", "/\\evil.example/", "//"])
def test_no_address_sends_readers_to_another_host(client: Client, db: None, path: str) -> None:
    response = client.get(path)

    assert response.get("Location", "/") == "/"


@requirement("host.mount")
def test_searches_work(place: Place) -> None:
    save(title="Soil", publish=True)

    page = parse(text_of(place.get("/search?q=soil")))

    form = page.one("form", role="search")
    assert form.attrs["action"] == f"{place.prefix}/search"
    assert form.attrs["data-blog-search"] == f"{place.prefix}/search.json"
    assert page.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/search?q=soil"
    assert place.get("/search.json?q=soil").json()[0]["url"] == f"https://example.com{place.prefix}/soil"
