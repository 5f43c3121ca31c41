"""The addresses that a host may reverse (decisions.md 1 and 9.3)."""

import pytest
from django.test import Client
from django.urls import resolve, reverse

from tests.factories import save
from tests.requirements import requirement

NAMES = {
    ("index", ()): "/blog/",
    ("post", ("winter-garden",)): "/blog/winter-garden",
    ("post_markdown", ("winter-garden",)): "/blog/winter-garden.md",
    ("preview", ("a:b-c",)): "/blog/preview/a:b-c",
    ("media", ("ab" * 32, "quay at dusk.png")): f"/blog/media/{'ab' * 32}/quay%20at%20dusk.png",
    ("policy", ("ai-use",)): "/blog/policies/ai-use",
    ("sitemap", ()): "/blog/sitemap.xml",
    ("mcp", ()): "/blog/mcp",
}


@requirement("host:url-names")
@pytest.mark.parametrize(("name", "args"), NAMES)
def test_a_public_name_is_its_address(name: str, args: tuple[str, ...]) -> None:
    path = reverse(f"blog_engine:{name}", args=args)

    assert path == NAMES[name, args]
    assert resolve(path).view_name == f"blog_engine:{name}"


@requirement("reader:trailing-slash")
@pytest.mark.django_db
def test_the_mount_without_its_slash_leads_to_the_index(client: Client) -> None:
    response = client.get("/blog")

    assert (response.status_code, response.headers["Location"]) == (301, "/blog/")


@requirement("reader:article")
@pytest.mark.django_db
def test_an_article_is_at_its_name(client: Client) -> None:
    save(title="Winter garden", publish=True)

    assert client.get(reverse("blog_engine:post", args=["winter-garden"])).status_code == 200
