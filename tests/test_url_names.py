"""The URL names that hosts can reverse."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import resolve, reverse

from tests.requirements import requirement
from tests.support.factories import save

NAMES = {
    ("index", ()): "/blog/",
    ("post", ("winter-garden",)): "/blog/winter-garden",
    ("post_markdown", ("winter-garden",)): "/blog/winter-garden.md",
    ("preview", ("a:b-c",)): "/blog/preview/a:b-c",
    ("media", ("ab" * 32, "quay at dusk.png")): f"/blog/media/{'ab' * 32}/quay%20at%20dusk.png",
    ("policy", ("ai-use",)): "/blog/policies/ai-use",
    ("category", ("soil",)): "/blog/category/soil",
    ("tag", ("soil",)): "/blog/tag/soil",
    ("author", ("ada",)): "/blog/author/ada",
    ("series", ("tides",)): "/blog/series/tides",
    **{(f"{kind}_directory", ()): f"/blog/{kind}" for kind in ("category", "tag", "author", "series")},
    ("archive", ()): "/blog/archive",
    ("archive_year", ("2026",)): "/blog/archive/2026",
    ("archive_month", ("2026", "11")): "/blog/archive/2026/11",
    ("subscribe", ()): "/blog/subscribe",
    ("search", ()): "/blog/search",
    ("search_json", ()): "/blog/search.json",
    ("feed_atom", ()): "/blog/feed.xml",
    ("feed_json", ()): "/blog/feed.json",
    **{
        (f"{kind}_feed_{name}", ("soil",)): f"/blog/{kind}/soil/feed.{suffix}"
        for kind in ("category", "tag", "author", "series")
        for name, suffix in (("atom", "xml"), ("json", "json"))
    },
    ("sitemap", ()): "/blog/sitemap.xml",
    ("llms", ()): "/blog/llms.txt",
    ("llms_full", ()): "/blog/llms-full.txt",
    ("mcp", ()): "/blog/mcp",
}


@requirement("host.url-names")
@pytest.mark.parametrize(("name", "args"), NAMES)
def test_a_public_name_is_its_path(name: str, args: tuple[str, ...]) -> None:
    path = reverse(f"blog_engine:{name}", args=args)

    assert path == NAMES[name, args]
    assert resolve(path).view_name == f"blog_engine:{name}"


def test_the_names_of_pages_are_documented() -> None:
    page = Path(__file__).parent.parent / "docs" / "reference" / "python-api.md"
    table = page.read_text("utf-8").partition("## URL names\n")[2].partition("\n## ")[0]
    documented = {
        name
        for row in table.splitlines()
        for name in re.findall(r"`([a-z_]+)`", row.split("|")[2] if row.startswith("| `") else "")
    }

    assert documented == {name for name, _ in NAMES if "_feed_" not in name} | {"category_feed_atom"}


@requirement("pages.trailing-slash")
@pytest.mark.django_db
def test_the_mount_without_its_slash_leads_to_the_index(client: Client) -> None:
    response = client.get("/blog")

    assert (response.status_code, response.headers["Location"]) == (301, "/blog/")


@requirement("pages.article")
@pytest.mark.django_db
def test_an_article_is_at_its_name(client: Client) -> None:
    save(title="Winter garden", publish=True)

    assert client.get(reverse("blog_engine:post", args=["winter-garden"])).status_code == 200
