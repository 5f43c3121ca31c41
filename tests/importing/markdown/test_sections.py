"""``SECTION``: the folders whose files are posts."""

from pathlib import Path

import pytest

from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.source import Omitted, SourcePost, SourceRefused, SourceStatus
from tests.importing.markdown.sites import write_file
from tests.requirements import requirement

POST = "---\ntitle: A\ndate: 2024-01-02\n---\nText.\n"


def posts_of(folder: Path, files: dict[str, str], *sections: str) -> dict[str, SourcePost]:
    for name, text in files.items():
        write_file(folder / name, text)
    source = open_markdown(folder, url="https://old.example", media=None, sections=sections)
    return {item.where: item for item in source.items() if isinstance(item, SourcePost)}


HUGO = {"hugo.toml": "mainSections = ['docs']\n", **{f"content/{one}/a.md": POST for one in ("blog", "docs", "news")}}


@requirement("import.markdown.sections")
@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        ((), {"docs/a.md"}),
        (("blog",), {"blog/a.md"}),
        (("blog/", "news"), {"blog/a.md", "news/a.md"}),
        (("content/blog",), {"blog/a.md"}),
        ((".",), {"blog/a.md", "docs/a.md", "news/a.md"}),
    ],
)
def test_the_files_of_the_chosen_sections_are_posts(
    tmp_path: Path, sections: tuple[str, ...], expected: set[str]
) -> None:
    assert posts_of(tmp_path, HUGO, *sections).keys() == expected


@requirement("import.markdown.sections")
def test_the_others_are_listed(tmp_path: Path) -> None:
    posts_of(tmp_path, HUGO)

    items = open_markdown(tmp_path, url=None, media=None, sections=["blog"]).items()

    assert {(item.where, item.what) for item in items if isinstance(item, Omitted)} == {
        ("docs/a.md", "page outside of the chosen sections"),
        ("news/a.md", "page outside of the chosen sections"),
    }


JEKYLL = {
    "_config.yml": "collections: {news: {output: true}, more: {}}\n"
    "defaults: [{scope: {type: news}, values: {author: Ann}}, {scope: {path: _news/x}, values: {published: false}}]\n",
    **{
        f"{place}.md": POST
        for place in ("_posts/2024-01-02-p", "_news/n", "_news/x/y", "_more/m", "travel/_posts/2024-01-02-t")
    },
}


@requirement("import.markdown.sections", "import.markdown.urls", "import.markdown.inherited")
def test_a_collection_of_jekyll_can_be_chosen(tmp_path: Path) -> None:
    found = posts_of(tmp_path, JEKYLL, "news", "more")

    assert {name: (post.status.value, post.author, post.category, post.url) for name, post in found.items()} == {
        "_news/n.md": ("published", "Ann", None, "https://old.example/news/n.html"),
        "_news/x/y.md": ("draft", "Ann", None, None),
        "_more/m.md": ("draft", None, None, None),
    }


@requirement("import.markdown.sections")
@pytest.mark.parametrize(
    ("section", "expected"), [("posts", "_posts/2024-01-02-p.md"), ("travel", "travel/_posts/2024-01-02-t.md")]
)
def test_folders_of_posts_of_jekyll_can_be_chosen(tmp_path: Path, section: str, expected: str) -> None:
    assert list(posts_of(tmp_path, JEKYLL, section)) == [expected]


@requirement("import.markdown.sections")
@pytest.mark.parametrize(
    ("files", "section", "where", "url"),
    [
        ({"astro.config.mjs": "", "content/posts/a.md": POST}, "content/posts", "content/posts/a.md", "/posts/a/"),
        ({"eleventy.config.js": "", "docs/a.md": "---\ntitle: A\n---\n"}, "docs", "docs/a.md", "/docs/a/"),
        (
            {"pelicanconf.py": "PATH = 'content'\n", "content/x/a.md": POST, "content/y/b.md": POST},
            "x",
            "x/a.md",
            "/a.html",
        ),
        ({"public/blog/a.md": POST}, "public/blog", "public/blog/a.md", "/public/blog/a/"),
        ({"pages/a.md": POST, "posts/b.md": POST}, "pages", "pages/a.md", "/pages/a/"),
    ],
)
def test_sections_are_chosen_for_every_program(
    tmp_path: Path, files: dict[str, str], section: str, where: str, url: str
) -> None:
    found = posts_of(tmp_path, files, section)

    assert {name: post.url for name, post in found.items()} == {where: f"https://old.example{url}"}


@requirement("import.markdown.sections", "import.markdown.urls")
def test_the_whole_site_can_be_chosen(tmp_path: Path) -> None:
    files = {
        "hugo.toml": "[permalinks]\n'/' = '/root/:contentbasename/'\n",
        "content/a.md": POST,
        "content/b/c.md": POST,
    }

    found = posts_of(tmp_path, files, ".")

    assert {name: post.url for name, post in found.items()} == {
        "a.md": "https://old.example/root/a/",
        "b/c.md": "https://old.example/b/c/",
    }


@requirement("import.markdown.sections", "import.markdown.status")
def test_a_chosen_section_publishes_nothing_that_the_program_would_not(tmp_path: Path) -> None:
    files = {"hugo.toml": "", "content/blog/_index.md": "---\ncascade: {draft: true}\n---\n", "content/blog/a.md": POST}

    found = posts_of(tmp_path, files, "blog")

    assert {name: post.status for name, post in found.items()} == {"blog/a.md": SourceStatus.DRAFT}


@requirement("import.markdown.sections")
@pytest.mark.parametrize("section", ["nothing", "../x", "content/nothing"])
def test_a_section_that_is_not_there_is_refused(tmp_path: Path, section: str) -> None:
    with pytest.raises(SourceRefused, match=f"SECTION={section}"):
        posts_of(tmp_path, HUGO, section)


@requirement("import.markdown.sections")
def test_the_refusal_names_the_folders(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused, match="The site has: blog, docs, news"):
        posts_of(tmp_path, HUGO, "blogs")
