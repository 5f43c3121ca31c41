"""Attacks, each made as an attacker would (docs/explanation/security.md)."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest
from django.test import Client, override_settings
from pytest_django import Settings

from blog_engine.actor import Actor
from blog_engine.models import Image, Post
from tests.requirements import requirement
from tests.support.clients import MCP, client_with
from tests.support.factories import save, store_image
from tests.support.hosts import ROOT_URLS, blog_settings
from tests.support.images import plain
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

POSTS = "/blog/api/v1/posts"
IMAGES = "/blog/api/v1/images"
FORM = "application/x-www-form-urlencoded"
ELSEWHERE = "https://evil.example"
OWN = "https://example.com"
PNG = plain()


def by_session(request: HttpRequest) -> Actor | None:
    """The hook of a host whose editors log in with Django's sessions."""
    return Actor(request.user.get_username()) if request.user.is_authenticated else None


@pytest.fixture
def browser(settings: Settings) -> Client:
    """Return the browser of a logged-in editor, which also sends the cookie from pages of other sites."""
    settings.BLOG_ENGINE = blog_settings(authenticate=by_session)
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create(username="ines"))
    return client


@pytest.fixture
def draft() -> Post:
    """The text that the attacker wants to publish."""
    return save(title="Not yet").post


@requirement("access.forged-forms")
def test_a_form_of_another_site_does_nothing_in_the_name_of_who_is_signed_in(
    browser: Client, draft: Post, subtests: pytest.Subtests
) -> None:
    for origin in [ELSEWHERE, "null", "https://evil.example.com", "http://example.com"]:
        with subtests.test(origin=origin), undone():
            sent = {"headers": {"Origin": origin}, "content_type": FORM}

            answers = [
                browser.generic("POST", f"{POSTS}/{draft.pk}/publish", b"", **sent),
                browser.generic("POST", f"{POSTS}?title=Spam", b"", **sent),
                browser.post(
                    IMAGES, {"file": SimpleUploadedFile("a.png", PNG, "image/png")}, headers={"Origin": origin}
                ),
            ]

            assert [(answer.status_code, answer.json()["error"]["details"]) for answer in answers] == [
                (403, ["origin"])
            ] * 3
            assert not Post.objects.exclude(pk=draft.pk, status="draft").exists()
            assert not Image.objects.exists()


@requirement("access.forged-forms")
@pytest.mark.parametrize("headers", [{}, {"Origin": OWN}, {"Origin": "http://testserver"}], ids=str)
def test_programs_and_pages_of_the_site_itself_go_on(browser: Client, draft: Post, headers: dict[str, str]) -> None:
    answer = browser.generic("POST", f"{POSTS}/{draft.pk}/publish", b"", headers=headers)

    assert answer.status_code == 200


@requirement("access.forged-forms")
def test_what_a_browser_asks_the_host_about_first_is_the_hosts_to_allow(browser: Client) -> None:
    headers = {"Origin": ELSEWHERE}

    answer = browser.post(POSTS, {"title": "Frost"}, content_type="application/json", headers=headers)

    assert answer.status_code == 201


@requirement("access.forged-forms")
def test_tokens_are_not_asked_where_they_come_from(draft: Post) -> None:
    answer = client_with("publish").generic("POST", f"{POSTS}/{draft.pk}/publish", headers={"Origin": ELSEWHERE})

    assert answer.status_code == 200


def test_no_path_redirects_a_reader_to_another_site(client: Client, subtests: pytest.Subtests) -> None:
    for path in [
        *("//evil.example/", "//evil.example/search/", "///evil.example/", "/%5Cevil.example/", "/%2F/evil.example/"),
        *("/https://evil.example/", "/search//evil.example/", "/preview//evil.example/", "/.//evil.example/"),
        *("/tag//evil.example/", "/%0d%0aLocation:%20https://evil.example/", "/@evil.example/"),
    ]:
        for mount in [ROOT_URLS, "example_site.urls"]:
            with subtests.test(mount=str(mount), path=path), undone(), override_settings(ROOT_URLCONF=mount):
                for prefix in ("", "/blog"):
                    answer = client.generic("GET", "/", PATH_INFO=f"{prefix}{path}")

                    location = answer.headers.get("Location", "/")
                    assert location.startswith("/") and not location.startswith(("//", "/\\"))


TRAVERSALS = [
    *("../secret.txt", "..%2f..%2fsecret.txt", "%2e%2e/secret.txt", "..\\secret.txt", "%00secret.txt"),
    *("....//secret.txt", "/etc/passwd", "%2fetc%2fpasswd", "w480/../../secret.txt"),
]
"""File names that try to leave the directory of images."""


def content_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@pytest.mark.usefixtures("storage")
@pytest.mark.parametrize("name", TRAVERSALS)
def test_no_path_of_an_image_reads_another_file(client: Client, settings: Settings, tmp_path: Path, name: str) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy")
    (tmp_path / "secret.txt").write_text("secret")
    image = store_image()

    for address in (f"/blog/media/{image.sha256}/{name}", f"/blog/media/{'0' * 64}/{name}", f"/blog/media/{name}"):
        answer = client.get(address)
        found = content_of(answer)
        assert answer.status_code in {301, 404} or found == PNG
        assert "Location" not in answer.headers or answer.headers["Location"].startswith("/blog/")


@pytest.mark.usefixtures("storage")
@pytest.mark.parametrize(
    "name", ['a"; x=".png', "a\r\nSet-Cookie: a=b.png", "a\nb.png", "\u202egnp.exe.png", "é;\u2028.png", "a\x85b.png"]
)
def test_the_name_of_a_file_stays_inside_its_header(client: Client, settings: Settings, name: str) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy")
    image = store_image(filename=name)

    answer = client.get(f"/blog/media/{image.sha256}/a.png")

    assert (answer.status_code, content_of(answer)) == (200, PNG)
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Content-Disposition"].isprintable()
    assert "filename" in answer.headers["Content-Disposition"]


UNKEYED = {
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "nonsense",
    "X-Forwarded-Prefix": "/evil",
    "X-Host": "evil.example",
    "X-Original-URL": "/evil",
    "X-Rewrite-URL": "/evil",
    "Forwarded": "host=evil.example",
    "Accept-Language": "de",
    "X-HTTP-Method-Override": "POST",
}


def test_no_header_that_caches_do_not_look_at_changes_a_page(client: Client, subtests: pytest.Subtests) -> None:
    save(title="Harbour", publish=True)

    for page in [
        "",
        "harbour",
        "harbour.md",
        "feed.xml",
        "feed.json",
        "sitemap.xml",
        "llms-full.txt",
        "search",
        "none",
    ]:
        with subtests.test(page=page), undone():
            usual, poisoned = (client.get(f"/blog/{page}", headers=headers) for headers in ({}, UNKEYED))

            assert (poisoned.status_code, poisoned.content) == (usual.status_code, usual.content)


@pytest.mark.parametrize("page", ["/blog/", "/blog/feed.xml", POSTS, MCP])
def test_a_forged_host_gets_no_page(page: str, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=...)
    client: Any = client_with("read")

    answer = client.get(page, headers={"Host": "evil.example"})

    assert answer.status_code in {400, 405}
    assert b"evil.example" not in answer.content


@requirement("pages.forged-host")
@pytest.mark.parametrize("path", ["feed.xml", "feed.json", "sitemap.xml", "llms.txt", "llms-full.txt", "api/v1/schema"])
def test_what_shared_caches_keep_names_no_forged_host(path: str, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["blog.example"]
    client = Client()

    kept = client.get(f"/blog/{path}", headers={"Host": "blog.example:6666"})
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)
    told = client.get(f"/blog/{path}", headers={"Host": "blog.example:6666"})

    assert b"6666" not in kept.content
    assert "public" not in told.headers["Cache-Control"]
    assert {"private", "no-store"} & set(told.headers["Cache-Control"].split(", "))
