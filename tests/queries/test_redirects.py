"""How paths of redirects are compared."""

import pytest
from django.test import override_settings

from blog_engine.queries.redirects import is_in_blog, is_post_path, redirect_at, without_format
from tests.support.factories import save
from tests.support.hosts import ROOT_URLS
from tests.support.tables import insert_redirect


@pytest.mark.parametrize(
    "path",
    [
        "/blog/soil",
        "/blog/soil/",
        "/blog/s%6Fil",
        "/blog/soil.md",
        "/blog/soil.html/",
        "/blo%67/soil%2Emd",
        "/blog/soil//",
    ],
)
def test_every_encoding_and_format_is_a_path_of_the_post(db: None, path: str) -> None:
    save(slug="soil")

    assert is_post_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "/soil",
        "/blog/Soil",
        "/blog/soil.json",
        "/blog/soil.md.html",
        "/blog/x/soil",
        "/blogsoil",
        "/blog/",
        "/",
        "/blog/.md",
    ],
)
def test_another_path_is_not(db: None, path: str) -> None:
    save(slug="soil")

    assert not is_post_path(path)


def test_only_pages_of_the_blog_have_formats() -> None:
    assert without_format("/shop/list.html") == "/shop/list.html"
    assert without_format("/blog/2019/old.html") == "/blog/2019/old"


@pytest.mark.parametrize(
    ("path", "inside"), [("/blog", True), ("/blog/x", True), ("/%62log/x", True), ("/blogger", False), ("/", False)]
)
def test_what_is_below_the_mount_is_in_the_blog(path: str, inside: bool) -> None:
    assert is_in_blog(path) is inside


@override_settings(ROOT_URLCONF=ROOT_URLS)
def test_everything_is_in_a_blog_at_the_root() -> None:
    assert is_in_blog("/")
    assert is_in_blog("/x")


def test_the_first_path_with_a_row_decides(db: None) -> None:
    for old in ("/a", "/b/"):
        insert_redirect(old)

    found = [redirect_at(*paths) for paths in (("/b", "/a"), ("/a", "/b"), ("/none", "/b"), ("/none",), ())]

    assert [row and row.old_path for row in found] == ["/b/", "/a", "/b/", None, None]
