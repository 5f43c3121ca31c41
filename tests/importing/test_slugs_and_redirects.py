"""Which slugs imported posts get, and which former URLs redirect to them."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from blog_engine.importing.source import Item, LossKind, SourceRedirect, SourceTerm
from blog_engine.inputs.records import SaveRedirect
from blog_engine.models import Post, Redirect
from blog_engine.services import add_redirect
from tests.importing.old_blogs import OLD, draft, entry, run_import
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, publish, save, unpublish
from tests.support.integrity import assert_redirects_answer, rows

pytestmark = pytest.mark.django_db


def redirected() -> dict[str, str | None]:
    return dict(Redirect.objects.values_list("old_path", "new_path"))


@requirement("import.slug")
@pytest.mark.parametrize(
    ("there", "here"),
    [
        ("search", "search-2"),
        ("category", "category-2"),
        ("s" * 201, "s" * 200),
        ("Über_uns!", "uber-uns"),
        ("日本", "riben"),
        ("under_score", "under_score"),
        (None, "post-1"),
    ],
)
def test_a_slug_that_is_not_possible_is_replaced_and_named(there: str | None, here: str) -> None:
    outcome = run_import(entry(slug=there))

    assert Post.objects.get().slug == here
    assert outcome.kinds() == ([] if there in (None, here) else [LossKind.SLUG])


@requirement("import.slug")
def test_posts_with_one_slug_are_numbered_by_their_dates() -> None:
    run_import(entry(3, slug="same"), entry(1, slug="same"), entry(2, slug="same"))

    assert list(Post.objects.order_by("slug").values_list("slug", "title")) == [
        ("same", "Post 1"),
        ("same-2", "Post 2"),
        ("same-3", "Post 3"),
    ]


@requirement("import.redirects")
def test_every_former_url_redirects_to_the_post(client: Client, settings: Any) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "blog_engine.middleware.RedirectMiddleware"]

    run_import(
        entry(
            former_urls=(
                f"{OLD}/?p=1",
                f"{OLD}/blog/2018/leeks",
                f"{OLD}/blog/leeks",
                f"{OLD}/caf%C3%A9/",
                f"{OLD}/2019/post-1",
            )
        )
    )

    assert redirected() == {
        "/2019/post-1/": "/blog/post-1",
        "/?p=1": "/blog/post-1",
        "/blog/2018/leeks": "/blog/post-1",
        "/blog/leeks": "/blog/post-1",
        "/caf%C3%A9/": "/blog/post-1",
    }
    for path in ("/2019/post-1", "/2019/post-1/", "/?p=1", "/blog/2018/leeks", "/blog/leeks", "/caf%C3%A9"):
        response = client.get(path)
        assert (response.status_code, response.headers.get("Location")) == (301, "/blog/post-1"), path
    assert_redirects_answer()


@requirement("import.redirects")
def test_a_url_that_stays_needs_no_redirect() -> None:
    outcome = run_import(entry(url=f"{OLD}/blog/post-1/"), draft(2, url=f"{OLD}/draft/"))

    assert (redirected(), outcome.kinds()) == ({}, [])


@requirement("import.redirects")
def test_redirects_come_back_with_a_post_that_was_withdrawn() -> None:
    run_import(entry())
    post = Post.objects.get()

    unpublish(post)
    withdrawn = redirected()
    publish(post)

    assert withdrawn == {"/2019/post-1/": None, "/blog/post-1": None}
    assert redirected() == {"/2019/post-1/": "/blog/post-1"}


@requirement("import.redirects.left")
def test_paths_that_something_else_has_are_left_and_named() -> None:
    save(slug="ours", publish=True)
    data = SaveRedirect(old_path="/manual", new_path="/elsewhere")
    add_redirect(data, actor=EDITOR, now=NOW)
    taken = ("/blog/search", "/blog/feed.xml", "/blog/ours", "/blog/ours.md", "/manual/", "/blog/post-2", "/shared")

    outcome = run_import(
        entry(1, former_urls=(*(f"{OLD}{path}" for path in taken), "https://third.example/x", "/ok")),
        entry(2, former_urls=(f"{OLD}/shared",)),
    )

    assert outcome.old_paths == {"1": ("/2019/post-1/", "/blog/feed.xml", "/shared", "/ok"), "2": ("/2019/post-2/",)}
    assert outcome.kinds("1") == [LossKind.REDIRECT] * 6
    assert outcome.kinds("2") == [LossKind.REDIRECT]
    assert redirected()["/manual"] == "/elsewhere"
    assert set(run_import(entry(1, former_urls=("/ok", *taken)), entry(2)).results.values()) == {"unchanged"}


@requirement("import.redirects.left")
@pytest.mark.parametrize("path", ["/a%20b c", "/../up", "//host/x", "/" + "x" * 2100, "/\x01"])
def test_paths_that_no_redirect_can_have_do_not_stop_the_post(path: str) -> None:
    outcome = run_import(entry(former_urls=(f"{OLD}{path}",)))

    assert outcome.results == {"1": "published"}


@requirement("import.redirects.lists")
def test_the_former_list_of_a_term_redirects(client: Client) -> None:
    entries: list[Item] = [
        entry(1, category="Garden", tags=("C++",), body=f"[all]({OLD}/category/garden/) [tag](/tag/c/)"),
        SourceTerm("category", "Garden", url=f"{OLD}/category/garden/"),
        SourceTerm("tag", "C++", url=f"{OLD}/tag/c/"),
        SourceTerm("tag", "Unused", url=f"{OLD}/tag/unused/"),
    ]

    outcome = run_import(*entries)
    before = rows()
    run_import(*entries, now=LATER)

    assert rows() == before
    assert redirected() == {
        "/2019/post-1/": "/blog/post-1",
        "/category/garden/": "/blog/category/garden",
        "/tag/c/": "/blog/tag/c-plus-plus",
    }
    assert Post.objects.get().body == "[all](/blog/category/garden) [tag](/blog/tag/c-plus-plus)"
    assert outcome.kinds() == []
    assert client.get("/blog/tag/c-plus-plus").status_code == 200


def test_a_slug_that_changed_there_keeps_the_url_here() -> None:
    post = entry()
    run_import(post)

    outcome = run_import(replace(post, slug="new", url=f"{OLD}/new/", former_urls=(str(post.url),)), now=LATER)

    assert outcome.results == {"1": "updated"}
    assert (Post.objects.get().slug, redirected()) == (
        "post-1",
        {"/2019/post-1/": "/blog/post-1", "/new/": "/blog/post-1"},
    )


@requirement("import.redirects.source")
def test_redirects_of_the_source_lead_to_the_posts_that_they_led_to() -> None:
    moved = [
        SourceRedirect(f"{OLD}/a", "/b", "conf"),
        SourceRedirect(f"{OLD}/b", f"{OLD}/2019/post-1/", "conf"),
        SourceRedirect(f"{OLD}/c", "https://other.example/", "conf"),
        SourceRedirect(f"{OLD}/2019/post-2/", f"{OLD}/2019/post-1/", "conf"),
        SourceRedirect(f"{OLD}/d", "/e", "conf"),
        SourceRedirect(f"{OLD}/e", "/d", "conf"),
    ]

    outcome = run_import(entry(1), entry(2), *moved)

    assert redirected() == {
        "/a": "/blog/post-1",
        "/b": "/blog/post-1",
        "/2019/post-1/": "/blog/post-1",
        "/2019/post-2/": "/blog/post-2",
    }
    assert outcome.omitted == [f"{OLD}/{one}" for one in "cde"]
