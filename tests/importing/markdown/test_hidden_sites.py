"""Sites whose programs keep posts from readers, see ``scripts/exports/markdown/make``."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.source import LossKind, SourcePost, SourceStatus
from tests.importing.markdown.sites import FOLDER
from tests.requirements import requirement
from tests.support.programs import eleventy_program, environment, hugo_program, jekyll_program, output_of

SITES = FOLDER / "hidden"
NAMES = ("hugo", "hugo-languages", "jekyll", "jekyll-source", "eleventy", "eleventy-configured", "pelican")
MAKE = Path(__file__).parents[3] / "scripts" / "exports" / "markdown" / "make"
UNLISTED = {
    "hugo": {"/unlisted/inherits/": "unlisted/inherits.md"},
    "eleventy": {
        "/posts/excluded/": "posts/excluded.md",
        "/posts/unlisted-layout/": "posts/unlisted-layout.md",
    },
    "pelican": {
        "/own-hidden.html": "posts/own-hidden.md",
        "/hidden-by-path.html": "posts/hidden-by-path.md",
    },
}
"""The ids of posts that the programs publish for those who know the URL, by path: drafts here."""
WITHHELD = {
    "hugo": "It was in no list (build.list): now a draft.",
    "eleventy": "Its field eleventyexcludefromcollections kept it from readers: now a draft.",
    "pelican": "Its status was hidden: now a draft.",
}
LEFT = {
    # Fields that Jekyll reads in another spelling or not at all; a year of two digits; no front matter.
    "jekyll": {
        *(f"/2024/01/02/{name}.html" for name in ("case", "draft-field", "hidden", "text", "two-digits")),
        "/2024/01/02/no-front-matter.html",
    },
    # A value that JavaScript would have to work out, front matter that Eleventy shows as text, and a day to come.
    "eleventy": {"/module/open/", "/posts/blank-line/", "/posts/future/"},
    "pelican": {"/drafts/inherits.html", "/future.html"},
}
"""What is no public post here although the programs published it, because its own words speak against it."""

each_site = pytest.mark.parametrize("site", NAMES)


def published_by(site: str) -> dict[str, str]:
    """Return the text of each post that the program published, by its path."""
    found: dict[str, str] = json.loads((SITES / f"published-{site}.json").read_text("utf-8"))
    return found


def posts_of(site: str) -> list[SourcePost]:
    items = open_markdown(SITES / site, url=None, media=None).items()
    return [item for item in items if isinstance(item, SourcePost)]


def public(site: str) -> dict[str, SourcePost]:
    return {
        unquote(urlsplit(post.url).path): post
        for post in posts_of(site)
        if post.status is SourceStatus.PUBLISHED and post.url
    }


@requirement("import.markdown.inherited", "import.markdown.status", "import.markdown.urls")
@each_site
def test_only_the_posts_that_the_program_published_are_published(site: str) -> None:
    withheld = UNLISTED.get(site, {}).keys() | LEFT.get(site, set())

    assert withheld <= published_by(site).keys()
    assert sorted(public(site)) == sorted(published_by(site).keys() - withheld)


@requirement("import.markdown.inherited", "import.markdown.people")
@each_site
def test_authors_are_inherited_as_the_program_does(site: str) -> None:
    shown = published_by(site)

    for path, post in public(site).items():
        assert shown[path].partition(",")[2].partition(",")[0].strip() == (post.author or ""), path


@requirement("import.markdown.status")
@pytest.mark.parametrize("site", UNLISTED)
def test_a_post_that_is_in_no_list_is_a_draft_and_named(site: str) -> None:
    unlisted = [post for post in posts_of(site) if post.source_id in UNLISTED[site].values()]

    assert len(unlisted) == len(UNLISTED[site])
    assert {post.status for post in unlisted} == {SourceStatus.DRAFT}
    for post in unlisted:
        assert [loss.message for loss in post.losses if loss.kind is LossKind.WITHHELD] == [WITHHELD[site]]


@requirement("import.markdown.inherited")
@pytest.mark.parametrize(
    ("site", "program"),
    [
        pytest.param("hugo", hugo_program, marks=pytest.mark.hugo),
        pytest.param("hugo-languages", hugo_program, marks=pytest.mark.hugo),
        pytest.param("jekyll", jekyll_program, marks=pytest.mark.jekyll),
        pytest.param("jekyll-source", jekyll_program, marks=pytest.mark.jekyll),
        pytest.param("eleventy", eleventy_program, marks=pytest.mark.eleventy),
        pytest.param("eleventy-configured", eleventy_program, marks=pytest.mark.eleventy),
    ],
)
def test_what_is_recorded_is_what_the_program_publishes(site: str, program: Callable[[], str | None]) -> None:
    folder = str(Path(program() or "").parent)

    shown = output_of([sys.executable, str(MAKE), "--print", f"hidden/{site}"], env=environment({"PROGRAMS": folder}))

    assert json.loads(shown) == published_by(site)
