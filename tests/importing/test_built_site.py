"""``VERIFY``: former URLs compared with a built site."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from blog_engine.importing.built_site import VerifiedSource
from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.source import Item, LossKind, Omitted, SourcePost, SourceRefused
from tests.importing.markdown.sites import losses_of, write_file
from tests.requirements import requirement

HUGO = "baseURL = 'https://old.example/'\n"
POST = "---\ntitle: A post\ndate: 2024-01-02\n---\nText.\n"
REDIRECT = '<meta http-equiv="refresh" content="0; url={0}"><title>{0}</title>'


def site(folder: Path, pages: dict[str, str], *, config: str = HUGO, **posts: str) -> tuple[Path, Path]:
    """Return a site of Hugo and the folder of what was built of it."""
    write_file(folder / "site" / "hugo.toml", config)
    for name, text in posts.items():
        write_file(folder / "site" / "content" / "posts" / f"{name}.md", text)
    for name, text in pages.items():
        write_file(folder / "public" / name, text)
    return folder / "site", folder / "public"


def verified(source: Path, built: Path) -> list[Item]:
    return list(VerifiedSource(open_markdown(source, url=None, media=None), built).items())


def posts_in(items: list[Item]) -> dict[str, SourcePost]:
    return {item.title: item for item in items if isinstance(item, SourcePost)}


def left_in(items: list[Item]) -> list[tuple[str, str, str]]:
    return [(item.where, item.what, item.title) for item in items if isinstance(item, Omitted)]


@requirement("import.verify")
def test_a_url_that_the_built_site_has_is_right(tmp_path: Path) -> None:
    places = site(tmp_path, {"posts/a/index.html": "<title>A</title>", "404.html": ""}, a=POST)

    items = verified(*places)

    assert losses_of(posts_in(items)["A post"]) == []
    assert left_in(items) == []


@requirement("import.verify")
@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("/x/", "x/index.html"),
        ("/x", "x/index.html"),
        ("/x", "x.html"),
        ("/x.html", "x.html"),
        ("/x%20y/é/", "x y/é/index.html"),
        ("/x.html/", "x.html/index.html"),
    ],
)
def test_a_page_is_found_as_a_server_finds_it(tmp_path: Path, url: str, file: str) -> None:
    places = site(tmp_path, {file: "x"}, a=POST.replace("title", f"url: '{url}'\ntitle"))

    assert losses_of(posts_in(verified(*places))["A post"]) == []


@requirement("import.verify")
def test_a_site_below_a_path_is_built_without_it(tmp_path: Path) -> None:
    places = site(tmp_path, {"posts/a/index.html": "x"}, config="baseURL = 'https://old.example/blog/'\n", a=POST)

    assert losses_of(posts_in(verified(*places))["A post"]) == []


@requirement("import.verify")
def test_every_difference_is_listed(tmp_path: Path) -> None:
    pages = {
        "index.html": "<title>Home</title>",
        "2024/a/index.html": "<title>A &amp; b</title>",
        "posts/b/index.html": REDIRECT.format("https://old.example/2024/b/"),
        "old-c/index.html": REDIRECT.format("/posts/c/"),
        "posts/c/index.html": "x",
    }
    aliased = POST.replace("title: A post", "title: C\naliases: [/gone/, /old-c/]")
    places = site(tmp_path, pages, a=POST, b=POST.replace("A post", "B"), c=aliased)

    items = verified(*places)

    found = posts_in(items)
    assert losses_of(found["A post"]) == [
        (LossKind.URL, "The built site has no page at /posts/a/; it has /2024/a/.", None)
    ]
    assert losses_of(found["B"]) == [
        (LossKind.URL, "The built site redirects /posts/b/ to https://old.example/2024/b/.", None)
    ]
    assert losses_of(found["C"]) == [(LossKind.URL, "The built site has nothing at the former URL /gone/.", None)]
    assert left_in(items) == [
        ("/2024/a/", "page of the built site that no post has", "A & b"),
        ("/", "page of the built site that no post has", "Home"),
    ]


@requirement("import.verify")
def test_redirects_that_no_post_names_are_listed(tmp_path: Path) -> None:
    places = site(tmp_path, {"posts/a/index.html": "x", "old/index.html": REDIRECT.format("/posts/a/")}, a=POST)

    assert left_in(verified(*places)) == [("/old/", "redirect of the built site", "/posts/a/")]


@requirement("import.verify", "import.markdown.urls")
@pytest.mark.parametrize(("page", "guess"), [("posts/a/index.html", ""), ("x/index.html", "uglyurls")])
def test_a_guess_that_the_built_site_has_is_none(tmp_path: Path, page: str, guess: str) -> None:
    places = site(tmp_path, {page: "x"}, config=f"{HUGO}uglyURLs = 'posts'\n", a=POST)

    post = posts_in(verified(*places))["A post"]

    assert post.url_guess.startswith(guess) and bool(post.url_guess) is bool(guess)


@requirement("import.verify")
def test_links_out_of_the_built_site_are_not_followed(tmp_path: Path) -> None:
    secret = write_file(tmp_path / "secret.html", "<title>Secret</title>")
    source, built = site(tmp_path, {"posts/a/index.html": "x"}, a=POST)
    (built / "linked.html").symlink_to(secret)

    assert left_in(verified(source, built)) == []


@requirement("import.verify")
@pytest.mark.parametrize("folder", ["missing", "empty"])
def test_a_folder_without_pages_is_refused(tmp_path: Path, folder: str) -> None:
    source, _ = site(tmp_path, {}, a=POST)
    (tmp_path / "empty").mkdir()

    with pytest.raises(SourceRefused, match="VERIFY"):
        verified(source, tmp_path / folder)


def run(source: Path, folder: Path, *arguments: str) -> dict[str, Any]:
    report = folder / "report.json"
    call_command("import_blog", "FROM=markdown", f"SOURCE={source}", f"REPORT={report}", *arguments)
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return found


@pytest.mark.django_db(transaction=True)
@requirement("import.verify", "import.report.contents")
def test_the_report_counts_and_names_the_differences(tmp_path: Path) -> None:
    source, built = site(tmp_path, {"2024/a/index.html": "x", "posts/b/index.html": "x"}, a=POST, b=POST)

    report = run(source, tmp_path, f"VERIFY={built}", "DRY_RUN=1")

    assert report["summary"]["losses"] == {"url": 1}
    (loss,) = report["posts"][0]["losses"]
    assert loss["message"] == "The built site has no page at /posts/a/; it has /2024/a/."
    assert [row["what"] for row in report["omitted"]] == ["page of the built site that no post has"]
    assert "The built site has no page at /posts/a/" in (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.django_db(transaction=True)
@requirement("import.verify")
def test_a_built_site_that_is_none_ends_the_command(tmp_path: Path) -> None:
    source, _ = site(tmp_path, {}, a=POST)

    with pytest.raises(CommandError, match="No such file"):
        run(source, tmp_path, f"VERIFY={tmp_path / 'missing'}")


@requirement("import.verify", "import.markdown.sections")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("FROM=blog_engine", "SOURCE=x", "VERIFY=y"), "leave VERIFY out"),
        (("FROM=wordpress", "SOURCE=x", "SECTION=y"), "FROM=markdown"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("import_blog", *arguments)


@pytest.mark.django_db(transaction=True)
@requirement("import.markdown.urls", "import.report.contents")
def test_guessed_urls_are_one_kind_of_loss(tmp_path: Path) -> None:
    source, _ = site(tmp_path, {}, config=f"{HUGO}uglyURLs = 'posts'\n", a=POST, b=POST)

    report = run(source, tmp_path, "DRY_RUN=1")

    assert report["summary"]["losses"] == {"url": 2}
    assert {loss["message"] for row in report["posts"] for loss in row["losses"]} == {
        "Its former URL is a guess: uglyurls of the configuration is not understood."
    }
    assert any("VERIFY=<folder of the built site>" in step for step in report["next_steps"])
