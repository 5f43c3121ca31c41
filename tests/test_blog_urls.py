"""The URLs and paths of the engine, at any mount path."""

from collections.abc import Iterator

import pytest
from django.urls import set_script_prefix

from blog_engine.blog_urls import BlogURLs, mount, public_path, stored_path, stored_post_path
from tests.requirements import requirement


@pytest.fixture
def script_name() -> Iterator[None]:
    """Serve the site below ``/site``."""
    set_script_prefix("/site/")
    yield
    set_script_prefix("/")


def test_the_mount_is_where_the_host_included_the_engine() -> None:
    assert mount() == "/blog"


@requirement("host.stored-paths")
def test_stored_paths_know_no_script_name(script_name: None) -> None:
    assert (mount(), stored_post_path("p")) == ("/blog", "/blog/p")


def test_urls_in_answers_have_it(script_name: None) -> None:
    urls = BlogURLs.on("https://example.com")

    assert urls.post_url("p") == "https://example.com/site/blog/p"
    assert urls.index_path() == "/site/blog/"


@pytest.mark.parametrize(
    ("stored", "public"),
    [("/blog/p", "/site/blog/p"), ("https://a.example/x", "https://a.example/x"), ("/elsewhere", "/site/elsewhere")],
)
def test_a_stored_path_becomes_public(script_name: None, stored: str, public: str) -> None:
    assert public_path(stored) == public


@pytest.mark.parametrize(("asked", "stored"), [("/site/blog/p", "/blog/p"), ("/sitemap", None), ("/other", None)])
def test_a_public_path_becomes_stored(script_name: None, asked: str, stored: str | None) -> None:
    assert stored_path(asked) == stored


def test_names_of_files_and_tokens_are_escaped() -> None:
    urls = BlogURLs.on("")

    assert urls.media_path("a" * 64, "a b/é.png") == f"/blog/media/{'a' * 64}/a%20b%2F%C3%A9.png"
    assert urls.preview_url("a:b") == "/blog/preview/a%3Ab"


def test_a_url_of_another_site_stays_absolute() -> None:
    urls = BlogURLs.on("https://example.com")

    assert urls.absolute("/x") == "https://example.com/x"
    assert urls.absolute("https://a.example/x") == "https://a.example/x"
