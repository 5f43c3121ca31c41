"""Nikola, MkDocs, Zola, reStructuredText of Pelican, Astro and Eleventy by their own rules.

The first four are sites that the real programs built, see ``scripts/exports/markdown/make``.
"""

import json
import re
import sys
from datetime import date
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from blog_engine.content.html import text_of
from blog_engine.content.rendering import sanitized
from blog_engine.enums import BodyFormat
from blog_engine.importing.markdown.detection import generator_of
from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.source import LossKind, Omitted, SourcePost, SourceStatus, SourceTerm
from tests.content.bodies import render_options
from tests.importing.markdown.sites import (
    FOLDER,
    items_of,
    losses_of,
    posts_of,
    read,
    read_post,
    write_file,
    write_site,
)
from tests.requirements import requirement
from tests.support.programs import environment, output_of

BUILT = {
    "nikola": {"/blog/2024/second/", "/blog/first-row/", "/de/blog/first-row/", "/blog/own-slug/", "/log/knots/"},
    "mkdocs": {"/log/2024/03/own-slug/", "/log/rowing/2024/01/the-first-row--more/"},
    "zola": {"/elsewhere/here/", "/notes/under-way/", "/posts/first/", "/posts/own-slug/", "/posts/second/"},
    "pelican-rest": {"/2024/lakes/the-lake/", "/2024/water/first-row/", "/de/see/"},
}
"""The posts that readers found in lists."""
BASE = {"mkdocs": "/docs", "zola": "/log"}


def path_of(post: SourcePost, program: str) -> str:
    return unquote(urlsplit(post.url or "").path).removeprefix(BASE.get(program, ""))


def public(program: str) -> dict[str, SourcePost]:
    return {path_of(post, program): post for post in posts_of(program).values() if post.url}


def published(item: SourcePost) -> str:
    return f"{item.published_at:%Y-%m-%dT%H:%M}" if item.published_at else "-"


@requirement("import.markdown.urls", "import.markdown.status")
@pytest.mark.parametrize("program", BUILT)
def test_the_former_urls_are_those_of_the_program(program: str) -> None:
    built = json.loads((FOLDER / f"urls-{program}.json").read_text("utf-8"))

    assert public(program).keys() == BUILT[program] <= set(built)


@requirement("import.markdown.lists")
def test_the_lists_are_those_of_the_program() -> None:
    for program in BUILT:
        built = json.loads((FOLDER / f"urls-{program}.json").read_text("utf-8"))
        urls = [item.url for item in items_of(program) if isinstance(item, SourceTerm) and item.url]

        found = {unquote(urlsplit(url).path).removeprefix(BASE.get(program, "")) for url in urls}

        assert found and found <= set(built)


NOTES = {
    # Titles, which the page shows beside the body.
    "/log/2024/03/own-slug/": ("Thesecond", ""),
    "/log/rowing/2024/01/the-first-row--more/": ("Thefirstrow&more", ""),
}


@requirement("import.markdown.rest", "import.markdown.boxes", "import.markdown.shortcodes")
@pytest.mark.parametrize("program", BUILT)
def test_a_post_shows_the_words_of_the_page_of_the_program(program: str) -> None:
    saved = json.loads((FOLDER / f"words-{program}.json").read_text("utf-8"))

    for path, post in public(program).items():
        if path not in saved:
            continue
        old, new = NOTES.get(path, ("", ""))
        theirs = letters(saved[path]).replace(letters(old), new, 1)
        # The labels of tabs come first there, and a note shows its number again.
        theirs = theirs.replace("rowpy", "").replace("1Byhand", "Byhand").replace("Madeofash", "")

        element = sanitized(post.body, body_format=BodyFormat.MARKDOWN, options=render_options(images={}))

        assert sorted(letters(text_of(element))) == sorted(theirs), path


def letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


@requirement("import.markdown.nikola", "import.markdown.translations", "import.markdown.terms")
def test_the_metadata_of_nikola() -> None:
    posts = posts_of("nikola")
    first, german, beside = posts["posts/first-row.md"], posts["posts/first-row.de.md"], posts["posts/beside.md"]

    assert (first.title, first.author, first.category, first.tags) == (
        "The first row",
        "Rita Rower",
        "Rowing, calm",
        ("oars", "boats"),
    )
    assert first.cover is not None and first.cover.url == "/images/oar.png"
    assert (german.title, german.language, german.tags) == ("Die erste Fahrt", "de", first.tags)
    assert german.translation_key == first.translation_key
    assert (german.slug, german.url) == ("first-row-de", "https://boats.example/de/blog/first-row/")
    assert (published(first), published(posts["posts/2024/second.md"])) == ("2024-01-02T09:20", "2024-02-03T04:05")
    assert posts["posts/2024/second.md"].is_featured
    assert (beside.title, beside.slug) == ("Fields beside", "own-slug")
    assert posts["posts/draft.md"].status is SourceStatus.DRAFT
    assert losses_of(posts["posts/private.md"]) == [(LossKind.WITHHELD, "Its status was private: now a draft.", None)]
    assert posts["posts/knots.rst"].tags == ("ropes",)
    assert "[the second](/posts/2024/second.md)" in first.body


@requirement("import.markdown.mkdocs", "import.markdown.people")
def test_the_fields_of_the_blog_plugin_of_mkdocs() -> None:
    post = posts_of("mkdocs")["log/posts/first-row.md"]

    assert (post.title, post.author, post.category, post.tags) == (
        "The first row & more",
        "Rita Rower",
        "Rowing",
        ("Deep Water", "oars"),
    )
    assert f"{published(post)} {post.modified_at:%Y-%m-%d}" == "2024-01-02T00:00 2024-02-03"
    assert post.is_featured
    assert "> **Mind**\n>\n> The **gap**.\n>\n> - one" in post.body
    assert "<details>\n<summary>Tip</summary>\n\nOpen me.\n\n</details>" in post.body
    assert '**Right**\n\n```python title="row.py"\nrow()\n```' in post.body
    assert "[the second](more/second.md) and" in post.body
    assert posts_of("mkdocs")["log/posts/draft.md"].status is SourceStatus.DRAFT
    assert {item.what for item in items_of("mkdocs") if isinstance(item, Omitted)} == {"page"}


@requirement("import.markdown.mkdocs", "import.markdown.inherited")
def test_meta_files_of_mkdocs_are_inherited_where_their_plugin_is_on(tmp_path: Path) -> None:
    for plugins, status in (("[blog, meta]", SourceStatus.DRAFT), ("[blog]", SourceStatus.PUBLISHED)):
        site = tmp_path / status
        write_file(site / "mkdocs.yml", f"plugins: {plugins}\n")
        write_file(site / "docs/blog/posts/.meta.yml", "draft: true\ntags: [a]\n")
        write_file(site / "docs/blog/posts/a.md", "---\ndate: 2024-01-02\ntags: [b]\n---\n\n# A\n\nText.\n")

        (post,) = [item for item in read(site) if isinstance(item, SourcePost)]

        assert post.status is status
        assert post.tags == (("a", "b") if status is SourceStatus.DRAFT else ("b",))


@requirement("import.markdown.mkdocs", "import.markdown.title")
def test_the_first_heading_is_the_title_in_mkdocs_without_a_loss(tmp_path: Path) -> None:
    write_file(tmp_path / "mkdocs.yml", "plugins: [blog]\n")
    name = "docs/blog/posts/a.md"

    post = read_post(tmp_path, "---\ndate: 2024-01-02\n---\n\n# Use `a_b` in *c* &amp; d\n\nText.\n", name=name)

    assert (post.title, post.losses, post.body.strip()) == ("Use a_b in c & d", (), "Text.")
    assert post.url == "https://old.example/blog/2024/01/02/use-a_b-in-c--d/"


@requirement("import.markdown.mkdocs", "import.links.places")
@pytest.mark.parametrize(
    ("extension", "fragment"),
    [
        ("toc: {permalink: true, baselevel: 2}", "an-ol-oar"),
        ("toc: {separator: _}", "an_ol_oar"),
        ("toc: {slugify: !!python/name:markdown.extensions.toc.slugify_unicode }", "an-öl-oar"),
        ("toc: {slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}}", "an-öl--oar"),
    ],
)
def test_the_configuration_of_mkdocs_decides_on_ids_of_headings(tmp_path: Path, extension: str, fragment: str) -> None:
    write_file(tmp_path / "mkdocs.yml", f"plugins: [blog]\nmarkdown_extensions: [{{{extension}}}]\n")
    body = f"## An Öl & oar\n\n[a](#{fragment}) [b](#other)"

    post = read_post(tmp_path, f"---\ntitle: A\ndate: 2024-01-02\n---\n{body}\n", name="docs/blog/posts/a.md")

    assert "[a](#an-öl-oar) [b](#other)" in unquote(post.body)
    assert [loss.message for loss in post.losses] == ["The link #other to a place of the page leads nowhere now"]


@requirement("import.markdown.mkdocs", "import.markdown.links", "import.links.left")
def test_links_to_files_that_are_no_posts_lead_to_their_pages(tmp_path: Path) -> None:
    write_file(tmp_path / "mkdocs.yml", "plugins: [blog]\n")
    for name in ("index.md", "boats/oar.md", "blog/posts/b.md"):
        write_file(tmp_path / "docs" / name, "---\ndate: 2024-01-02\n---\n\n# B\n")
    links = "[a](../../boats/oar.md#two) [b](../../index.md) [c](b.md) [d](../../none.md)"

    write_file(tmp_path / "docs/blog/posts/a.md", f"---\ndate: 2024-01-02\n---\n\n# A\n\n{links}\n")

    (post, _) = [item for item in read(tmp_path) if isinstance(item, SourcePost)]

    assert post.body.strip() == (
        "[a](https://old.example/boats/oar/#two) [b](https://old.example/) [c](b.md) [d](/blog/2024/01/none.md)"
    )


@requirement("import.markdown.rest", "import.markdown.liquid-tags")
def test_restructuredtext_has_no_liquid_tags(tmp_path: Path) -> None:
    write_file(tmp_path / "pelicanconf.py", "")

    post = read_post(tmp_path, "A\n#\n\n:date: 2024-01-02\n\nThe {% oar %} tag.\n", name="content/a.rst")

    assert (post.body.strip(), post.losses) == ("The {% oar %} tag.", ())


@requirement("import.markdown.rest", "import.markdown.pelican", "import.markdown.people")
def test_restructuredtext_of_pelican() -> None:
    posts = posts_of("pelican-rest")
    first = posts["2024-01-02_first-row.rst"]

    assert (first.title, first.author, first.coauthors, first.tags, first.category, first.description) == (
        "The first row",
        "Rita Rower",
        ("Olga Owner",),
        ("oars", "boats"),
        "Water",
        "A short summary",
    )
    assert published(first) == "2024-01-01T23:00"
    assert '```python\ndef row():\n    return "oar"\n```' in first.body
    assert "[the lake](/lakes/lake.rst)" in first.body
    assert "$a_1 + b$" in first.body
    assert "Like water[^1]" in first.body
    assert "[^1]: By *hand*." in first.body
    assert '![An oar](/images/oar.png "Made of ash")' in first.body
    assert posts["lakes/see.md"].language == "de"
    assert posts["hidden.rst"].status is posts["no-date.md"].status is SourceStatus.DRAFT


@requirement("import.markdown.rest")
def test_directives_that_are_not_known_are_named_with_their_source(tmp_path: Path) -> None:
    write_file(tmp_path / "pelicanconf.py", "")
    secret = write_file(tmp_path.parent / "secret.txt", "secret words")
    lines = [
        "A\n#\n\n:date: 2024-01-02\n",
        ".. chart:: Bar\n\n   'Lakes': [1]\n",
        f".. include:: {secret}\n",
        f".. csv-table::\n   :file: {secret}\n",
        ".. raw:: html\n\n   <b>raw</b>\n",
        ".. youtube:: aqz-KE-bpKQ\n",
        ".. code-block:: python\n   :linenos: inline\n\n   row()\n",
        "See :doc:`the lake <lake>` and *open.\n",
    ]
    write_file(tmp_path / "content" / "a.rst", "\n".join(lines))

    (post,) = read(tmp_path)

    assert isinstance(post, SourcePost)
    assert "secret" not in post.body
    assert "raw" not in post.body
    assert "<https://www.youtube.com/watch?v=aqz-KE-bpKQ>" in post.body
    assert "```python\nrow()\n```" in post.body
    assert "See the lake and \\*open." in post.body
    messages = [message for _, message, _ in losses_of(post)]
    assert "The directive .. chart:: Bar\n\n   'Lakes': [1] is left out." in messages
    assert sum("is left out" in message for message in messages) == 4
    assert "The directive youtube: a link to it remains." in messages


@requirement("import.markdown.rest", "import.markdown.bounds")
@pytest.mark.parametrize(
    "text",
    [
        "a " * 6_000,
        "word\n" * 60_000,
        "*a\n\n" * 600,
        "".join(f"{'  ' * depth}- a\n\n" for depth in range(300)),
        "".join(f".. |{n}| replace:: {f'|{n - 1}| ' * 10}\n" for n in range(12)) + "\n|11|\n",
        ".. |a| replace:: " + "x " * 4_000 + "\n\n" + "|a| " * 2_000 + "\n",
    ],
    ids=["line", "length", "faults", "depth", "nested", "expanded"],
)
def test_restructuredtext_is_read_within_bounds(tmp_path: Path, text: str) -> None:
    write_file(tmp_path / "pelicanconf.py", "")
    write_file(tmp_path / "content" / "a.rst", f"A\n#\n\n:date: 2024-01-02\n\n{text}\n")

    (item,) = read(tmp_path)

    assert isinstance(item, Omitted) and item.unreadable


ZOLA = 'base_url = "https://old.example/"\ntitle = "Z"\n'


def zola_site(folder: Path, config: str = ZOLA, **files: str) -> list[SourcePost]:
    write_file(folder / "config.toml", config)
    for name, content in files.items():
        stem, _, suffix = name.rpartition("_")
        path = stem.replace("__", "/").replace("DOT", ".")
        write_file(folder / "content" / f"{path}.{suffix}", content)
    return [item for item in read(folder) if isinstance(item, SourcePost)]


def front(*lines: str, body: str = "Text.") -> str:
    return "\n".join(["+++", 'title = "T"', *lines, "+++", "", body, ""])


@requirement("import.markdown.zola", "import.markdown.urls")
@pytest.mark.parametrize(
    ("name", "lines", "config", "url"),
    [
        ("a_md", ["date = 2024-01-02"], "", "/a/"),
        ("blog__A Lake_md", ["date = 2024-01-02"], "", "/blog/a-lake/"),
        ("blog__A Lake_md", ["date = 2024-01-02"], '[slugify]\npaths = "safe"\n', "/blog/A%20Lake/"),
        ("blog__2024-01-02-lake_md", [], "", "/blog/lake/"),
        ("blog__2024-01-02_lake_md", [], "[slugify]\npaths_keep_dates = true\n", "/blog/2024-01-02-lake/"),
        ("blog__lake__index_md", ["date = 2024-01-02"], "", "/blog/lake/"),
        ("blog__a_md", ["date = 2024-01-02", 'slug = "Own Slug"'], "", "/blog/own-slug/"),
        ("blog__a_md", ["date = 2024-01-02", 'path = "old/way"'], "", "/old/way/"),
        ("blog__日本_md", ["date = 2024-01-02"], "", "/blog/ri-ben/"),
        ("blog__aDOTfr_md", ["date = 2024-01-02"], "[languages.fr]\n", "/fr/blog/a/"),
        ("blog__aDOTzh-CN_md", ["date = 2024-01-02"], "[languages.zh-CN]\n", "/zh-CN/blog/a/"),
    ],
)
def test_the_urls_of_zola(tmp_path: Path, name: str, lines: list[str], config: str, url: str) -> None:
    (post,) = zola_site(tmp_path, ZOLA + config, **{name: front(*lines)})

    assert (post.url, post.url_guess) == (f"https://old.example{url}", "")
    assert post.published_at and f"{post.published_at:%Y-%m-%d}" == "2024-01-02"


@requirement("import.markdown.zola", "import.markdown.terms", "import.markdown.aliases")
def test_the_fields_of_zola(tmp_path: Path) -> None:
    config = ZOLA + 'author = "Olga"\n[[taxonomies]]\nname = "tags"\n'
    lines = ["date = 2024-01-02T03:04:05Z", "updated = 2024-02-03", 'aliases = ["old/a"]', "[taxonomies]"]
    extra = [
        'tags = ["Oars"]',
        'categories = ["Rowing"]',
        "[extra]",
        'cover = "/i.png"',
        'url = "/no/"',
        "draft = true",
    ]

    (post,) = zola_site(tmp_path, config, blog__a_md=front(*lines, *extra))

    assert (post.author, post.category, post.tags) == ("Olga", "Rowing", ("Oars",))
    assert post.url == "https://old.example/blog/a/"
    assert post.former_urls == ("https://old.example/old/a",)
    assert post.cover is not None and post.cover.url == "/i.png"
    assert post.status is SourceStatus.PUBLISHED
    terms = [item for item in open_markdown(tmp_path, url=None, media=None).items() if isinstance(item, SourceTerm)]
    assert {(term.kind, term.url) for term in terms if term.url} == {("tag", "https://old.example/tags/oars/")}


@requirement("import.markdown.zola", "import.markdown.status", "import.markdown.inherited")
@pytest.mark.parametrize(
    ("section", "lines", "reason"),
    [
        ("draft = true", [], "Its section content/blog is a draft: now a draft."),
        ("", ["render = false"], "It had no page (render = false): now a draft."),
    ],
)
def test_what_zola_does_not_show_is_a_draft(tmp_path: Path, section: str, lines: list[str], reason: str) -> None:
    page = front("date = 2024-01-02", *lines)

    (post,) = zola_site(tmp_path, blog___index_md=f"+++\n{section}\n+++\n", blog__deep__a_md=page)

    assert post.status is SourceStatus.DRAFT
    assert [message for _, message, _ in losses_of(post)] == [reason]


@requirement("import.markdown.zola")
def test_links_and_shortcodes_of_zola(tmp_path: Path) -> None:
    body = (
        "See [b](@/blog/b.md#top), [all](@/blog/_index.md) and [c].\n\n[c]: @/c.md\n\n"
        '{{ youtube(id="aqz-KE-bpKQ") }}\n\n{% quote(author="Ada") %}\nWords.\n{% end %}\n\n'
        '{{ box(a="}}") }}\n\n`{{ code() }}` and {{/* shown() */}} and {{ plain }}.\n'
    )

    (post,) = zola_site(tmp_path, blog__a_md=front("date = 2024-01-02", body=body))

    assert "[b](/blog/b.md#top), [all](/blog/) and [c]." in post.body
    assert "[c]: /c.md" in post.body
    assert "Words." in post.body
    assert "`{{ code() }}` and {{ shown() }} and {{ plain }}." in post.body
    assert [(kind, message) for kind, message, _ in losses_of(post)] == [
        (LossKind.EMBED, 'The shortcode {{ youtube(id="aqz-KE-bpKQ") }}: a link to it remains.'),
        (LossKind.SHORTCODE, 'The shortcode {% quote(author="Ada") %}: left out, the text in it remains.'),
        (LossKind.SHORTCODE, 'The shortcode {{ box(a="}}") }}: left out.'),
    ]


@requirement("import.markdown.zola")
@pytest.mark.parametrize(
    ("name", "config", "program"),
    [
        ("config.toml", 'base_url = "https://a.example"\n', "Zola"),
        ("zola.toml", 'base_url = "https://a.example"\n', "Zola"),
        ("config.toml", 'base_url = "https://a.example"\n[broken\n', "Zola"),
        ("config.toml", 'baseURL = "https://a.example"\n', "Hugo"),
        ("config.toml", 'baseURL = "https://a.example"\nbase_url = "x"\n', "Hugo"),
        ("config.toml", 'title = "A"\n[params]\nbase_url = "x"\n', "Hugo"),
        ("hugo.toml", 'base_url = "https://a.example"\n', "Hugo"),
    ],
)
def test_zola_and_hugo_are_told_apart(tmp_path: Path, name: str, config: str, program: str) -> None:
    write_file(tmp_path / name, config)

    assert type(generator_of(tmp_path)).__name__ == program


ASTRO = "export default { site: 'https://old.example' }\n"


@requirement("import.markdown.astro", "import.markdown.urls")
@pytest.mark.parametrize(
    ("definitions", "route", "name", "url"),
    [
        ("const blog = defineCollection({ loader: glob({ base: './content/posts', pattern: '**/*.md' }) });\n"
         "export const collections = { blog };", None, "content/posts/a.md", "/blog/a/"),
        ("export const PLACE = 'src/data/blog';\nconst blog = defineCollection({ loader: glob({ pattern: '**/[^_]*.md',"
         " base: `./${PLACE}` }) });\nexport const collections = { blog };",
         "posts/[...slug]/index.astro", "src/data/blog/a.md", "/posts/a/"),
        ("const blogCollection = defineCollection({ type: 'content' });\nexport const collections = { 'blog': "
         "blogCollection };", "writing/[slug].astro", "src/content/blog/deep/a.md", "/writing/deep/a/"),
        ("export const collections = {blog: defineCollection({ loader: glob({ base: 'notes', pattern: ['*.md'] }) })}",
         "[...id].astro", "notes/a.md", "/a/"),
    ],
    ids=["beside", "constant", "legacy", "inline"],
)  # fmt: skip
def test_collections_and_routes_of_astro(
    tmp_path: Path, definitions: str, route: str | None, name: str, url: str
) -> None:
    write_file(tmp_path / "astro.config.mjs", ASTRO)
    write_file(tmp_path / "src" / "content.config.ts", definitions)
    if route:
        page = "---\nconst posts = await getCollection('blog');\n---\n"
        write_file(tmp_path / "src" / "pages" / route, page)
    write_file(tmp_path / name, "---\ntitle: A\npublished: 2024-04-01\n---\n\nText.\n")
    write_file(Path(str(tmp_path / name).replace("a.md", "_b.md")), "---\ntitle: B\npubDate: 2024-04-01\n---\n")
    write_file(Path(str(tmp_path / name).replace("a.md", "c.txt.html")), "---\ntitle: C\n---\n")

    posts = {item.source_id: item for item in read(tmp_path) if isinstance(item, SourcePost)}

    post = next(one for one in posts.values() if one.title == "A")
    assert post.url == f"https://old.example{url}"
    assert post.url_guess == "the routes of Astro are programs, which are not run"
    assert published(post) == "2024-04-01T00:00"


@requirement("import.markdown.astro", "import.markdown.dates")
@pytest.mark.parametrize(
    "name", ["published", "pubDate", "publishDate", "publishedAt", "date", "pubDatetime", "created"]
)
def test_a_name_that_makes_a_post_is_read_as_its_date(tmp_path: Path, name: str) -> None:
    write_file(tmp_path / "astro.config.mjs", ASTRO)
    write_file(tmp_path / "src/content/things/a.md", f"---\ntitle: A\n{name}: 2024-04-01\n---\n")

    (post,) = read(tmp_path)

    assert isinstance(post, SourcePost) and published(post) == "2024-04-01T00:00"


@requirement("import.markdown.urls")
@pytest.mark.parametrize(
    ("permalink", "path"),
    [
        ("/{{ page.date | date: '%Y/%m' }}/{{ page.fileSlug }}/index.html", "/2024/01/a/"),
        ("/words/{{ title | slugify }}/", "/words/the-lake/"),
        ("{{ page.filePathStem }}.html", "/posts/a.html"),
        ("/{{ own }}/", "/mine/"),
        ("/{{ page.date | readable }}/", None),
        ("/{{ odd | slugify }}/", None),
    ],
)
def test_permalinks_of_eleventy_are_templates(tmp_path: Path, permalink: str, path: str | None) -> None:
    write_file(tmp_path / "eleventy.config.js", "export default {}")
    lines = f'title: The lake\nown: mine\nodd: C++ isFun\ndate: 2024-01-02\npermalink: "{permalink}"\n'

    write_file(tmp_path / "posts/a.md", f"---\n{lines}---\n\nText.\n")
    (post,) = read(tmp_path)

    assert isinstance(post, SourcePost)
    assert post.url == (f"https://old.example{path}" if path else None)


@requirement("import.markdown.pelican", "import.markdown.bounds")
@pytest.mark.parametrize(
    ("expression", "slug", "guess"),
    [
        (r"(?P<date>\d{4}-\d{2}-\d{2})_(?P<slug>.*)", "lake", ""),
        (r"(?P<slug>[^.]*)", "2024-01-02_lake", ""),
        (r"((a+)+)+$", "t", "FILENAME_METADATA of the configuration is not read"),
        (r"(?P<slug>a|b)", "t", "FILENAME_METADATA of the configuration is not read"),
        (r"(.*)(.*)(.*)(.*)(?P<slug>x)", "t", "FILENAME_METADATA of the configuration is not read"),
    ],
)
def test_simple_expressions_over_names_are_read(tmp_path: Path, expression: str, slug: str, guess: str) -> None:
    write_file(tmp_path / "pelicanconf.py", f"FILENAME_METADATA = {expression!r}\n")
    write_file(tmp_path / "content" / "2024-01-02_lake.md", "Title: T\nDate: 2024-01-02\n\nText.\n")

    (post,) = read(tmp_path)

    assert isinstance(post, SourcePost)
    assert (post.url, post.url_guess) == (f"https://old.example/{slug}.html", guess)


@requirement("import.markdown.pelican")
def test_names_and_sums_of_a_configuration_are_read(tmp_path: Path) -> None:
    script = (
        "YEAR = '{date:%Y}'\nARTICLE_URL: str = YEAR + '/' + f'{YEAR}/' + '{slug}'\nTIMEZONE = 'No/Where'\n"
        "DEFAULT_CATEGORY = 'Water'\nUSE_FOLDER_AS_CATEGORY = False\n"
    )
    write_site(tmp_path, pelicanconf_py=script, publishconf_py="SITEURL = 'https://real.example/x'\n")
    write_file(tmp_path / "content/lakes/a.md", "Title: T\nDate: 2024-01-02\n\nText.\n")

    (post,) = [item for item in read(tmp_path, url=None) if isinstance(item, SourcePost)]

    assert (post.url, post.category) == ("https://real.example/x/2024/2024/t", "Water")


@requirement("import.markdown.astro", "import.markdown.status", "import.markdown.inherited")
@pytest.mark.parametrize("rule", ["draft: z.boolean().default(true)", "published: z.boolean().default(false)"])
def test_a_schema_can_make_posts_drafts_by_default(tmp_path: Path, rule: str) -> None:
    write_file(tmp_path / "astro.config.mjs", ASTRO)
    schema = (
        f"const blog = defineCollection({{ schema: z.object({{ {rule} }}) }});\nexport const collections = {{ blog }};"
    )
    write_file(tmp_path / "src/content/config.ts", schema)
    write_file(tmp_path / "src/content/blog/a.md", "---\ntitle: A\ndate: 2024-01-02\n---\n")
    name, _, _ = rule.partition(":")
    shown = "true" if name == "published" else "false"
    write_file(tmp_path / "src/content/blog/b.md", f"---\ntitle: B\ndate: 2024-01-02\n{name}: {shown}\n---\n")

    posts = {item.title: item.status for item in read(tmp_path) if isinstance(item, SourcePost)}

    assert posts == {"A": SourceStatus.DRAFT, "B": SourceStatus.PUBLISHED}


@requirement("import.markdown.parts")
@pytest.mark.parametrize(
    ("files", "part"),
    [
        ({"config.toml": ZOLA, "content/_index.md": "+++\ndraft = true\n+++\n"}, "content/blog"),
        ({"mkdocs.yml": "plugins: [blog, meta]\n", "docs/.meta.yml": "draft: true\n"}, "docs/blog/posts"),
        ({"pelicanconf.py": "PATH_METADATA = r'(?P<status>[^/]*)/.*'\n"}, "content/hidden"),
    ],
    ids=["zola", "mkdocs", "pelican"],
)
def test_posts_of_a_part_are_drafts_if_the_site_can_hide_them(tmp_path: Path, files: dict[str, str], part: str) -> None:
    for name, content in files.items():
        write_file(tmp_path / name, content)
    write_file(tmp_path / part / "a.md", "---\ntitle: A\ndate: 2024-01-02\n---\n\nText.\n")

    (post,) = [item for item in read(tmp_path / part) if isinstance(item, SourcePost)]

    assert post.status is SourceStatus.DRAFT


@requirement("import.markdown.pelican", "import.markdown.status")
def test_a_status_in_the_path_is_read(tmp_path: Path) -> None:
    write_file(tmp_path / "pelicanconf.py", "PATH_METADATA = r'(?P<status>draft|published)/.*'\n")
    write_file(tmp_path / "content/draft/a.md", "Title: A\nDate: 2024-01-02\n\nText.\n")

    (post,) = read(tmp_path)

    # Choices are not read, so that it is not known which posts are public.
    assert isinstance(post, SourcePost) and post.status is SourceStatus.DRAFT
    assert "PATH_METADATA of the configuration can keep posts from readers: now a draft." in {
        loss.message for loss in post.losses
    }


@requirement("import.markdown.nikola")
def test_posts_in_other_markup_of_nikola_are_listed(tmp_path: Path) -> None:
    write_file(
        tmp_path / "conf.py", 'BLOG_TITLE = "B"\nPOSTS = (("posts/*.ipynb", "p", "t"), ("posts/*.txt", "p", "t"))\n'
    )
    write_file(tmp_path / "posts/a.ipynb", "{}")
    write_file(tmp_path / "posts/b.txt", ".. title: B\n.. date: 2024-01-02\n\n*Text*.\n")

    found = {item.source_id: item for item in read(tmp_path)}

    listed, post = found["posts/a.ipynb"], found["posts/b.txt"]
    assert isinstance(listed, Omitted) and listed.what == "file of Jupyter"
    assert isinstance(post, SourcePost) and (post.body, post.url) == ("*Text*.\n", "https://old.example/p/b/")


WITHOUT_DOCUTILS = """
import sys
sys.modules["docutils"] = None
import django
django.setup()
from pathlib import Path
from blog_engine.importing.markdown.source import open_markdown
print([item.what for item in open_markdown(Path(sys.argv[1]), url=None, media=None).items()])
"""


@requirement("import.markdown.rest")
def test_without_docutils_its_extra_is_named(tmp_path: Path) -> None:
    write_file(tmp_path / "pelicanconf.py", "")
    write_file(tmp_path / "content/a.rst", "A\n#\n\n:date: 2024-01-02\n\nText.\n")
    variables = environment({"DJANGO_SETTINGS_MODULE": "tests.settings"})

    written = output_of([sys.executable, "-c", WITHOUT_DOCUTILS, str(tmp_path)], env=variables)

    assert written.strip() == """['file of reStructuredText, which pip install "blog_engine[rest]" reads']"""


@requirement("import.markdown.zola", "import.markdown.dates")
def test_a_day_in_the_path_of_a_page_of_zola_is_its_date(tmp_path: Path) -> None:
    lake, about = front('path = "2014/12/12/Lake"'), front('path = "about"')

    (post,) = zola_site(tmp_path, lake_md=lake, about_md=about)

    assert (post.source_id, post.url, published(post)) == (
        "lake.md",
        "https://old.example/2014/12/12/Lake/",
        "2014-12-12T00:00",
    )


@requirement("import.markdown.rest", "import.markdown.formats")
def test_directives_and_lines_above_titles_are_no_front_matter(tmp_path: Path) -> None:
    write_file(tmp_path / "conf.py", 'BLOG_TITLE = "B"\nPOSTS = (("posts/*.rst", "p", "t"),)\n')
    write_file(
        tmp_path / "posts/a.rst", ".. title: A\n.. date: 2024-01-02\n\n.. note:: Mind the gap.\n\n-----\nTop\n-----\n"
    )
    write_file(tmp_path / "posts/b.rst", "-------\nTop one\n-------\n\n:date: 2024-01-02\n\nText.\n")

    posts = {item.source_id: item for item in read(tmp_path) if isinstance(item, SourcePost)}

    assert "Mind the gap." in posts["posts/a.rst"].body
    assert (posts["posts/b.rst"].title, posts["posts/b.rst"].body) == ("Top one", "Text.\n")


@requirement("import.markdown.pelican", "import.markdown.formats")
def test_lines_between_hyphens_need_not_be_yaml_for_pelican(tmp_path: Path) -> None:
    write_file(tmp_path / "pelicanconf.py", "PLUGINS = ['reader']\n")
    write_file(tmp_path / "content/a.md", "---\nTitle: Rowing: a start\nDate: 2024-01-02\n---\n\nText.\n")
    write_file(tmp_path / "content/b.md", "---\ndate: 2024-01-02\n---\n\n# By a plugin\n\nText.\n")

    posts = {item.title: item for item in read(tmp_path) if isinstance(item, SourcePost)}

    assert {title: post.status for title, post in posts.items()} == {
        "Rowing: a start": SourceStatus.PUBLISHED,
        "By a plugin": SourceStatus.PUBLISHED,
    }


@requirement("import.markdown.astro", "import.markdown.urls")
def test_docs_of_starlight_are_at_the_root_whatever_lists_them(tmp_path: Path) -> None:
    write_file(tmp_path / "astro.config.mjs", "import starlight from '@astrojs/starlight';\nexport default {};")
    write_file(tmp_path / "src/content.config.ts", "export const collections = { docs: defineCollection({}) };")
    page = "---\nconst docs = await getCollection('docs');\nconst { Content } = await render(docs[0]);\n---\n"
    write_file(tmp_path / "src/pages/changes/[...slug].astro", page)
    content = "---\ntitle: A\ndate: 2024-01-02\n---\n\nText.\n"

    post = read_post(tmp_path, content, name="src/content/docs/blog/a.md")

    assert post.url == "https://old.example/blog/a/"


@requirement("import.markdown.astro", "import.markdown.translations")
def test_folders_of_languages_of_starlight_are_versions(tmp_path: Path) -> None:
    locales = "locales: { root: { label: 'E', lang: 'en' }, fr: { label: 'F' }, 'pt-br': { lang: 'pt-BR' } }"
    write_file(
        tmp_path / "astro.config.mjs",
        f"import x from '@astrojs/starlight';\nexport default defineConfig({{ a: [x({{ {locales} }})] }});",
    )
    write_file(tmp_path / "src/content.config.ts", "export const collections = { docs: defineCollection({}) };")
    for folder in ("", "fr/", "pt-br/", "other/"):
        content = f"---\ntitle: A {folder}\ndate: 2024-01-02\n---\n"
        write_file(tmp_path / f"src/content/docs/{folder}blog/a.md", content)

    posts = [item for item in read(tmp_path) if isinstance(item, SourcePost)]

    assert {(one.url, one.language, one.slug) for one in posts} == {
        ("https://old.example/blog/a/", None, "a"),
        ("https://old.example/fr/blog/a/", "fr", "a-fr"),
        ("https://old.example/pt-br/blog/a/", "pt-BR", "a-pt-br"),
        ("https://old.example/other/blog/a/", None, "a"),
    }
    assert len({one.translation_key for one in posts}) == 2


@requirement("import.markdown.astro", "import.markdown.urls")
@pytest.mark.parametrize(
    ("configuration", "path"),
    [
        ("export default defineConfig({ plugins: [x({ base: '/n' })], base: '/a' })", "/a/blog/a/"),
        ("export default defineConfig(() => { return { base: '/a', y: { base: '/n' } }; })", "/a/blog/a/"),
        ("export default { plugins: [x({ base: '/n', site: 'https://n.example' })] }", "/blog/a/"),
    ],
)
def test_the_base_of_astro_is_not_that_of_a_plugin(tmp_path: Path, configuration: str, path: str) -> None:
    write_file(tmp_path / "astro.config.mjs", configuration)
    write_file(tmp_path / "src/content/blog/a.md", "---\ntitle: A\ndate: 2024-01-02\n---\n")

    (post,) = read(tmp_path, url=None)

    assert isinstance(post, SourcePost)
    assert post.url == path


@requirement("import.markdown.astro", "import.markdown.urls")
def test_routes_of_astro_can_have_the_day_of_a_post(tmp_path: Path) -> None:
    write_file(tmp_path / "astro.config.mjs", ASTRO)
    page = "---\nconst all = await getCollection('posts');\nconst { Content } = await render(all[0]);\n---\n"
    write_file(tmp_path / "src/pages/[year]/[month]/[day]/[slug].astro", page)

    post = read_post(tmp_path, "---\ntitle: A\n---\n", name="src/content/posts/2024-01-02-an-oar.md")

    assert post.url == "https://old.example/2024/01/02/an-oar/"


@requirement("import.markdown.astro")
def test_the_folder_of_a_collection_of_astro_can_be_one_of_posts(tmp_path: Path) -> None:
    write_file(tmp_path / "astro.config.mjs", ASTRO)
    collections = "const x = defineCollection({ loader: glob({ base: './posts', pattern: '*.md' }) });"
    write_file(tmp_path / "src/content.config.ts", f"{collections}\nexport const collections = {{ x }};")
    write_file(tmp_path / "posts/b.md", "---\ntitle: B\nadded: May 01 2024\n---\n")
    write_file(tmp_path / "posts/a.md", "---\ntitle: A\n---\n")

    posts = {item.title: item for item in read(tmp_path) if isinstance(item, SourcePost)}

    assert {name: one.published_at and one.published_at.date() for name, one in posts.items()} == {
        "A": None,
        "B": date(2024, 5, 1),
    }


@requirement("import.markdown.astro", "import.markdown.urls")
def test_a_route_can_be_called_as_its_collection(tmp_path: Path) -> None:
    write_file(tmp_path / "astro.config.mjs", ASTRO)
    text = "const post = defineCollection({ loader: glob({ base: './content/x', pattern: '*.md' }) });\n"
    write_file(tmp_path / "src/content.config.ts", text + "export const collections = { post };")
    write_file(tmp_path / "src/pages/posts/[...slug].astro", "---\nconst posts = await getAllPosts();\n---\n")
    write_file(tmp_path / "content/x/a.md", "---\ntitle: A\ndate: 2024-04-01\n---\n")

    (post,) = read(tmp_path)

    assert isinstance(post, SourcePost) and post.url == "https://old.example/posts/a/"


NIKOLA = 'BLOG_TITLE = "A"\nPOSTS = [["posts/*.md", "posts", "post.tmpl"]]\n'
STRUCK, MARKED = "~~a~~ \\=\\=b\\=\\=", "\\~\\~a\\~\\~ ==b=="


@requirement("import.markdown.signs")
@pytest.mark.parametrize(
    ("name", "configuration", "place", "expected"),
    [
        ("config.toml", 'base_url = "https://boats.example"\n', "content/blog", STRUCK),
        ("conf.py", NIKOLA, "posts", STRUCK),
        (
            "conf.py",
            f'{NIKOLA}MARKDOWN_EXTENSIONS = ["pymdownx.mark"]\n',
            "posts",
            "~~a~~ ==b==",
        ),
        ("mkdocs.yml", "markdown_extensions: [pymdownx.mark, {toc: {permalink: true}}]\n", "docs/posts", MARKED),
        ("mkdocs.yml", "markdown_extensions: {pymdownx.tilde: {}}\n", "docs/posts", STRUCK),
        ("mkdocs.yml", "markdown_extensions: 5\n", "docs/posts", MARKED.replace("==", "\\=\\=")),
    ],
)
def test_the_configuration_chooses_the_dialect(
    tmp_path: Path, name: str, configuration: str, place: str, expected: str
) -> None:
    write_file(tmp_path / name, configuration)

    post = read_post(tmp_path, "---\ntitle: A\ndate: 2024-01-02\n---\n~~a~~ ==b==\n", name=f"{place}/a.md")

    assert post.body.strip() == expected


@requirement("import.markdown.boxes")
def test_snippets_are_put_in_and_missing_ones_named(tmp_path: Path) -> None:
    write_file(tmp_path / "mkdocs.yml", "markdown_extensions: [{pymdownx.snippets: {base_path: [parts]}}]\n")
    write_file(tmp_path / "parts/boat.md", 'One.\n\n--8<-- "inner.md:2:2"\n')
    write_file(tmp_path / "parts/inner.md", "A\nB\nC\n")
    write_file(tmp_path / "parts/code.py", "x = 0\n# --8<-- [start:f]\ny = 1\n# --8<-- [end:f]\n")
    write_file(tmp_path / "secret.md", "Not for readers.\n")
    text = (
        'Start.\n\n--8<-- "boat.md"\n\n```py\n--8<-- "code.py:f"\n```\n\n--8<--\n; boat.md\nnone.md\n--8<--\n\n'
        '--8<-- "../secret.md"\n\n;--8<-- "boat.md"\n'
    )

    post = read_post(tmp_path, f"---\ntitle: A\ndate: 2024-01-02\n---\n{text}", name="docs/posts/a.md")

    assert re.sub(r"\n{2,}", "\n\n", post.body).strip() == (
        'Start.\n\nOne.\n\nB\n\n```py\ny = 1\n```\n\n--8<-- "boat.md"'
    )
    assert losses_of(post) == [
        (LossKind.SHORTCODE, "The snippet none.md is left out: the source has no such file.", 11),
        (LossKind.SHORTCODE, "The snippet ../secret.md is left out: the source has no such file.", 14),
    ]


@requirement("import.markdown.mkdocs")
@pytest.mark.parametrize(
    ("heading", "expected"), [("The **Lake**!", "Text."), ("Other words", "# Other words\n\nText."), (None, "Text.")]
)
def test_a_title_that_is_also_the_first_heading_is_shown_once(
    tmp_path: Path, heading: str | None, expected: str
) -> None:
    write_file(tmp_path / "mkdocs.yml", "site_name: A\n")
    body = f"# {heading}\n\nText." if heading else "Text."

    post = read_post(tmp_path, f"---\ntitle: The lake\ndate: 2024-01-02\n---\n{body}\n", name="docs/posts/a.md")

    assert (post.title, post.body.strip()) == ("The lake", expected)


@requirement("import.markdown.typography")
@pytest.mark.parametrize(
    ("filters", "shown"),
    [
        ('FILTERS = {".html": ["filters.typogrify"]}', "A “word” — and `a--b`…"),
        ('FILTERS = {\n    ".html": [filters.typogrify_sans_widont],\n}', "A “word” — and `a--b`…"),
        ('FILTERS = {".html": ["filters.typogrify_oldschool"]}', "A “word” \u2013 and `a--b`…"),
        ('# FILTERS = {".html": ["filters.typogrify"]}', 'A "word" -- and `a--b`...'),
    ],
)
def test_the_filter_of_nikola_for_quotation_marks_and_dashes(tmp_path: Path, filters: str, shown: str) -> None:
    write_file(tmp_path / "conf.py", f"BLOG_TITLE = 'A'\nPOSTS = (('posts/*.md', 'posts', 'post.tmpl'),)\n{filters}\n")

    post = read_post(tmp_path, '.. title: A\n.. date: 2024-01-02\n\nA "word" -- and `a--b`...\n')

    assert post.body.strip() == shown
