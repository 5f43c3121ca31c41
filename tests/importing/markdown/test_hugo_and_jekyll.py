"""Covers, taxonomies, mounts and times of Hugo and Jekyll."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from blog_engine.importing.markdown.ruby_times import ruby_time
from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.old_blog import OldBlog
from blog_engine.importing.source import LossKind, Omitted, SourcePost, SourceTerm
from tests.importing.markdown.sites import losses_of, read, read_post, write_file
from tests.requirements import requirement

POST = "---\ntitle: A\ndate: 2024-01-02\n{0}\n---\nText.\n"
HUGO = {"hugo.toml": "baseURL = 'https://old.example/'\n"}
HOME = "https://old.example"


@requirement("import.markdown.images")
@pytest.mark.parametrize(
    ("files", "name", "line", "expected"),
    [
        (HUGO, "content/posts/a.md", "image: images/i.png", "static/images/i.png"),
        (HUGO, "content/posts/a.md", "image: images/a b.png", "static/images/a b.png"),
        (HUGO, "content/posts/a.md", "cover: {image: images/i.png}", "assets/images/i.png"),
        (HUGO, "content/posts/a.md", "images: [../../images/i.png]", "static/images/i.png"),
        (HUGO, "content/posts/a/index.md", "image: i.png", "content/posts/a/i.png"),
        (HUGO, "content/posts/a/index.md", "resources: [{src: 'c*', name: cover}]", "content/posts/a/cover.png"),
        (
            {"hugo.toml": "baseURL = 'https://old.example/sub/'\nstaticDir = ['files', 'more']\n"},
            "content/posts/a.md",
            "image: images/i.png",
            "more/images/i.png",
        ),
        ({"hugo.toml": "theme = 'boats'\n"}, "content/posts/a.md", "image: i.png", "themes/boats/static/i.png"),
        ({"_config.yml": "baseurl: /b\n"}, "_posts/2024-01-02-a.md", "image: assets/i.png", "assets/i.png"),
        ({"_config.yml": "baseurl: /b\n"}, "_posts/2024-01-02-a.md", "image: {path: /b/assets/i.png}", "assets/i.png"),
        ({"_config.yml": "source: src\n"}, "src/_posts/2024-01-02-a.md", "image: assets/i.png", "src/assets/i.png"),
    ],
)
def test_a_cover_is_found_from_the_root_of_the_site(
    tmp_path: Path, files: dict[str, str], name: str, line: str, expected: str
) -> None:
    for place, text in {**files, expected: "an image", name: POST.format(line)}.items():
        write_file(tmp_path / place, text)
    source = open_markdown(tmp_path, url=None, media=None)

    (post,) = [item for item in source.items() if isinstance(item, SourcePost)]

    assert post.cover is not None and post.cover.url is not None
    found = source.image_file(OldBlog(source.url or HOME).absolute(post.cover.url, post.base))
    assert found == tmp_path / expected


@requirement("import.markdown.images")
def test_a_file_beside_the_post_comes_before_the_root_of_the_site(tmp_path: Path) -> None:
    for place in ("content/posts/a/i.png", "static/i.png"):
        write_file(tmp_path / place, "an image")
    write_file(tmp_path / "hugo.toml", "")

    post = read_post(tmp_path, POST.format("image: i.png"), name="content/posts/a/index.md")

    assert post.cover is not None
    assert post.cover.url == "/content/posts/a/i.png"


TAXONOMIES = """
[taxonomies]
category = 'sections'
tag = 'tags'
topic = 'topics'
author = 'authors'
"""


@requirement("import.markdown.terms", "import.markdown.lists", "import.markdown.inherited")
def test_the_taxonomies_of_hugo_are_categories_and_tags(tmp_path: Path) -> None:
    write_file(tmp_path / "hugo.toml", HUGO["hugo.toml"] + TAXONOMIES)
    write_file(
        tmp_path / "content" / "posts" / "_index.md",
        "---\ncascade: {topics: [Oars], authors: [Ann Lee], tags: [x], description: Of the section}\n---\n",
    )
    write_file(tmp_path / "content" / "posts" / "a.md", POST.format("sections: [Boats]"))

    items = list(open_markdown(tmp_path, url=None, media=None).items())

    (post,) = [item for item in items if isinstance(item, SourcePost)]
    assert (post.category, post.tags, post.author, post.description) == (
        "Boats",
        ("x", "Oars"),
        "Ann Lee",
        "Of the section",
    )
    assert losses_of(post) == [(LossKind.CATEGORY, "The terms of topics are tags now.", None)]
    assert {item.name: item.url for item in items if isinstance(item, SourceTerm)} == {
        "Boats": f"{HOME}/sections/boats/",
        "x": f"{HOME}/tags/x/",
        "Oars": f"{HOME}/topics/oars/",
        "Ann Lee": f"{HOME}/authors/ann-lee/",
    }


MOUNTS = """
[[module.mounts]]
source = 'content/en'
target = 'content'
excludeFiles = ['drafts/**', '**/secret.md']
[[module.mounts]]
source = 'content/fr'
target = 'content'
lang = 'fr'
includeFiles = 'posts/*'
[[module.mounts]]
source = 'content/en'
target = 'content'
lang = 'fr'
"""


@requirement("import.markdown.urls", "import.markdown.others")
def test_mounts_have_the_files_that_they_name(tmp_path: Path) -> None:
    write_file(tmp_path / "hugo.toml", f"[languages.en]\n[languages.fr]\n{MOUNTS}")
    for name in ("en/posts/a", "en/posts/secret", "en/drafts/b", "fr/posts/a", "fr/notes/c", "other/d"):
        write_file(tmp_path / "content" / f"{name}.md", POST.format(""))

    items = read(tmp_path)

    assert {item.where: item.url for item in items if isinstance(item, SourcePost)} == {
        "posts/a.md": f"{HOME}/posts/a/",
        "content/fr/posts/a.md": f"{HOME}/fr/posts/a/",
    }
    assert {(item.where.removeprefix("content/"), item.what) for item in items if isinstance(item, Omitted)} == {
        (name, "file that the configuration leaves out")
        for name in ("posts/secret.md", "drafts/b.md", "fr/notes/c.md", "other/d.md")
    }


@requirement("import.markdown.urls")
@pytest.mark.parametrize(
    ("text", "guess"),
    [
        (
            "[languages.en]\n[languages.fr]\n",
            "content has a folder for each language, and the configuration does not say so",
        ),
        ("[languages.en]\nbaseURL = 'https://en.example'\n[languages.fr]\n", "languages have hosts of their own"),
        (
            "[permalinks]\nen = '/:slug/'\n'en/posts' = '/x/:slug/'\n",
            "permalinks of the configuration has a section and a folder of it",
        ),
        ("[languages.en]\n", ""),
    ],
)
def test_what_is_not_known_of_urls_is_a_guess(tmp_path: Path, text: str, guess: str) -> None:
    write_file(tmp_path / "hugo.toml", text)
    write_file(tmp_path / "content" / "fr" / "posts" / "_index.md", "---\ntitle: Posts\n---\n")

    post = read_post(tmp_path, POST.format(""), name="content/en/posts/a.md")

    assert post.url_guess.partition("; ")[0] == guess


@requirement("import.markdown.others", "import.markdown.status")
@pytest.mark.parametrize("name", ["posts/#a.md", "#posts/a.md", "posts~/a.md"])
def test_names_that_hugo_does_not_read_are_listed(tmp_path: Path, name: str) -> None:
    write_file(tmp_path / "hugo.toml", "")
    write_file(tmp_path / "content" / name, POST.format(""))

    assert [item.what for item in read(tmp_path) if isinstance(item, Omitted)] == ["file that Hugo does not read"]


@requirement("import.markdown.status")
@pytest.mark.parametrize(
    ("line", "status"),
    [("outputs: [json]", "draft"), ("outputs: [HTML, json]", "published"), ("outputs: []", "published")],
)
def test_a_post_without_a_page_in_html_is_a_draft(tmp_path: Path, line: str, status: str) -> None:
    write_file(tmp_path / "hugo.toml", "")

    assert read_post(tmp_path, POST.format(line), name="content/posts/a.md").status.value == status


@requirement("import.markdown.others")
def test_a_template_that_makes_pages_is_listed(tmp_path: Path) -> None:
    write_file(tmp_path / "hugo.toml", "")
    write_file(tmp_path / "content" / "posts" / "_content.gotmpl", "{{ .AddPage (dict) }}")

    assert [item.what for item in read(tmp_path) if isinstance(item, Omitted)] == ["file of Go, which makes pages"]


@requirement("import.markdown.others")
def test_a_post_in_textile_is_listed(tmp_path: Path) -> None:
    write_file(tmp_path / "_config.yml", "")
    write_file(tmp_path / "_posts" / "2024-01-02-a.textile", "h1. A\n")

    assert [item.what for item in read(tmp_path) if isinstance(item, Omitted)] == ["file of Textile"]


@requirement("import.markdown.inherited")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ("d1", ("d2", "cat"))),
        ("categories: [own, d2]", ("d1", ("d2", "own", "cat"))),
        ("categories: one two", ("d1", ("d2", "one", "two", "cat"))),
        ("categories:", ("d1", ("d2", "cat"))),
        ("category: own", ("d1", ("d2", "own"))),
    ],
)
def test_categories_of_the_defaults_of_jekyll_add_to_those_of_a_post(
    tmp_path: Path, line: str, expected: tuple[str, tuple[str, ...]]
) -> None:
    write_file(tmp_path / "_config.yml", "defaults: [{values: {categories: [d1, d2], category: cat}}]\n")

    post = read_post(tmp_path, POST.format(line), name="_posts/2024-01-02-a.md")

    assert (post.category, post.tags) == expected


@requirement("import.markdown.inherited")
@pytest.mark.parametrize("line", ["author:", "author: ~"])
def test_a_name_without_value_leaves_the_default_of_jekyll(tmp_path: Path, line: str) -> None:
    write_file(tmp_path / "_config.yml", "defaults: [{values: {author: Ann}}]\n")

    assert read_post(tmp_path, POST.format(line), name="_posts/2024-01-02-a.md").author == "Ann"


@requirement("import.markdown.dates")
@pytest.mark.parametrize(
    "text",
    ["", "soon", "31", "2014-13-01", "2014-04-32", "2014-00-10", "12:30", "99/99/9999", "2014-07-16 25:00", "1" * 100],
)
def test_what_ruby_refuses_is_no_time(text: str) -> None:
    assert ruby_time(text, ZoneInfo("UTC"), now=datetime(2024, 1, 2, tzinfo=ZoneInfo("UTC"))) is None


@requirement("import.markdown.dates")
def test_a_day_without_year_is_in_this_year() -> None:
    now = datetime(2024, 1, 2, tzinfo=ZoneInfo("UTC"))

    assert ruby_time("24 July", ZoneInfo("UTC"), now=now) == datetime(2024, 7, 24, tzinfo=ZoneInfo("UTC"))


ALIASES = "aliases: [/abs/, rel, ../up/, /x.html, /With Case/]"


@requirement("import.markdown.aliases")
@pytest.mark.parametrize(
    ("configuration", "name", "expected"),
    [
        ("", "a.md", ["/abs/", "/posts/rel", "/up/", "/x.html", "/With Case/"]),
        ("", "a.fr.md", ["/fr/abs/", "/fr/posts/rel", "/fr/up/", "/fr/x.html", "/fr/With Case/"]),
        (
            "defaultContentLanguageInSubdir = true\n",
            "a.md",
            ["/en/abs/", "/en/posts/rel", "/en/up/", "/en/x.html", "/en/With Case/"],
        ),
        (
            "uglyURLs = true\n",
            "a.md",
            ["/abs.html", "/posts/rel.html", "/up.html", "/x.html", "/With Case.html"],
        ),
        (
            "[uglyURLs]\nposts = true\n",
            "a/index.md",
            ["/abs.html", "/posts/rel.html", "/up.html", "/x.html", "/With Case.html"],
        ),
    ],
)
def test_aliases_of_hugo_are_where_it_puts_them(
    tmp_path: Path, configuration: str, name: str, expected: list[str]
) -> None:
    write_file(tmp_path / "hugo.toml", f"{configuration}[languages.en]\n[languages.fr]\n")

    post = read_post(tmp_path, POST.format(ALIASES), name=f"content/posts/{name}")

    assert list(post.former_urls) == [f"{HOME}{path}" for path in expected]


@requirement("import.markdown.images", "import.markdown.translations")
def test_a_translation_shows_the_images_of_the_other_language(tmp_path: Path) -> None:
    write_file(
        tmp_path / "hugo.toml",
        "baseURL = 'https://old.example/sub/'\n[languages.en]\ncontentDir = 'content/en'\n"
        "[languages.fr]\ncontentDir = 'content/fr'\n",
    )
    image = write_file(tmp_path / "content" / "en" / "posts" / "a" / "i.png", "an image")
    body = f"{POST.format('')}![](i.png)\n"
    write_file(tmp_path / "content" / "en" / "posts" / "a" / "index.md", body)
    write_file(tmp_path / "content" / "fr" / "posts" / "a" / "index.md", body)
    source = open_markdown(tmp_path, url=None, media=None)

    posts = [item for item in source.items() if isinstance(item, SourcePost)]

    urls = [post.body.partition("](")[2].partition(")")[0] for post in posts]
    found = [
        source.image_file(OldBlog(source.url).absolute(url, post.base)) for url, post in zip(urls, posts, strict=True)
    ]
    assert found == [image, image]


@requirement("import.markdown.plugins")
@pytest.mark.parametrize(
    ("text", "status", "guess"),
    [
        ("doc.data['permalink'] = '/x/'", "published", "the plugin a.rb is not run, and changes URLs"),
        ("class Jekyll::Document\n  def url\n", "published", "the plugin a.rb is not run, and changes URLs"),
        ("site.posts.docs.reject! { |one| one.data['wip'] }", "draft", ""),
        ('doc.data["published"] = false', "draft", ""),
        ("# doc.data['permalink'] = 1\nif doc.data['permalink'] == 1\nend", "published", ""),
        ("title = 'Permalink for this'\nprivate\n", "published", ""),
    ],
)
def test_plugins_of_jekyll_that_change_urls_or_hide_posts_are_named(
    tmp_path: Path, text: str, status: str, guess: str
) -> None:
    write_file(tmp_path / "_config.yml", "")
    write_file(tmp_path / "_plugins" / "deep" / "a.rb", text)

    post = read_post(tmp_path, POST.format(""), name="_posts/2024-01-02-a.md")

    assert (post.status.value, post.url_guess) == (status, guess)
    assert [("a.rb" in loss.message) for loss in post.losses] == [True] * (status == "draft")


@requirement("import.markdown.shortcodes")
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('See {{< ref "b.md" >}}.', "See [https://old.example/2024/bb/](/posts/b.md)."),
        ('See {{% relref "b.md#sec" %}}.', "See [/2024/bb/#sec](/posts/b.md#sec)."),
        ('**{{< ref path="/posts/b.md" >}}**', "**[https://old.example/2024/bb/](/posts/b.md)**"),
        ('[l]({{< ref "b.md" >}})', "[l](/posts/b.md)"),
        ('[l](<{{< ref "b.md" >}}> "T")', '[l](</posts/b.md> "T")'),
        ('[l][r]\n\n[r]: {{< relref "b.md" >}}', "[l][r]\n\n[r]: /posts/b.md"),
        ('<a href="{{< ref "b.md" >}}#h">l</a>', "[l](/posts/b.md#h)"),
        ('See {{< ref "gone.md" >}}.', "See gone.md."),
        ('`{{</* ref "b.md" */>}}`', '`{{< ref "b.md" >}}`'),
    ],
)
def test_a_reference_of_hugo_in_a_text_shows_the_url_of_the_page(tmp_path: Path, body: str, expected: str) -> None:
    configuration = "baseURL: https://old.example/\npermalinks: {posts: /:year/:slug/}\n"
    write_file(tmp_path / "hugo.yaml", configuration + "markup: {goldmark: {renderer: {unsafe: true}}}\n")
    write_file(tmp_path / "content/posts/b.md", POST.format("slug: bb"))

    post = read_of(tmp_path, "content/posts/a.md", f"---\ntitle: A\ndate: 2024-01-03\n---\n{body}\n")

    assert post.body.strip() == expected
    assert [loss.kind for loss in post.losses] == ([LossKind.LINK] if "gone" in body else [])


def read_of(folder: Path, name: str, content: str) -> SourcePost:
    """Return the post of a file that is not the only one of its site."""
    write_file(folder / name, content)
    found = [item for item in read(folder, url=None) if isinstance(item, SourcePost)]
    return next(one for one in found if one.where == name.removeprefix("content/"))
