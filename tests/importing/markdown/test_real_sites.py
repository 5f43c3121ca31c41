"""Sites that real programs built, see ``scripts/exports/markdown/make``."""

import json
import re
from pathlib import Path
from shutil import copytree
from urllib.parse import unquote, urlsplit

import pytest

from blog_engine.content.html import text_of
from blog_engine.content.rendering import sanitized
from blog_engine.enums import BodyFormat
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.source import ImageUse, Losses, LossKind, Omitted, SourcePost, SourceStatus, SourceTerm
from tests.content.bodies import render_options
from tests.importing.markdown.sites import FOLDER, PROGRAMS, built_by, items_of, losses_of, posts_of
from tests.requirements import requirement

each_program = pytest.mark.parametrize("program", PROGRAMS)

BASE = {"jekyll": "/blog"}
LISTS = {
    "hugo": {
        *("/", "/about/", "/posts/", "/notes/", "/categories/", "/categories/lakes/", "/categories/rowing/", "/tags/"),
        *("/tags/oars/", "/tags/c++/", "/tags/oars-boats/", "/series/", "/series/learning-to-row/"),
    },
    "jekyll": {"/", "/about.html"},
    "pelican": {
        *("/", "/archives.html", "/authors.html", "/author/olga-owner.html", "/author/rita-rower.html", "/tags.html"),
        *("/categories.html", "/category/deep-water.html", "/category/lakes.html", "/category/rowing.html"),
        *("/tag/boats.html", "/tag/oars.html", "/pages/about.html", "/drafts/a-draft.html", "/hidden.html"),
    },
    "eleventy": {"/", "/about/"},
    "astro": {"/", "/about/"},
}
"""The pages that are no public posts."""


def path_of(url: str, program: str) -> str:
    return unquote(urlsplit(url).path).removeprefix(BASE.get(program, ""))


@requirement("import.markdown.urls", "import.markdown.aliases")
@each_program
def test_the_former_urls_are_those_that_the_program_made(program: str) -> None:
    urls = [url for post in posts_of(program).values() for url in (post.url, *post.former_urls) if url]

    paths = {path_of(url, program).removesuffix("/") for url in urls}

    assert paths == {path.removesuffix("/") for path in set(built_by(program)) - LISTS[program]}
    assert set(built_by(program)) > LISTS[program]


@requirement("import.markdown.lists")
def test_lists_are_those_that_the_program_made() -> None:
    for program in ("hugo", "pelican"):
        urls = {item.url for item in items_of(program) if isinstance(item, SourceTerm) and item.url}
        paths = {path_of(url, program) for url in urls}

        # Hugo made one tag of "oars, boats", which are two here.
        assert paths - {"/tags/boats/"} <= LISTS[program]
        assert len(paths) >= 4


@requirement("import.markdown.status", "import.markdown.dates", "import.markdown.terms", "import.markdown.ids")
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (
            "hugo",
            """
            notes/ebb.md published 2023-02-01T11:00:00 - -
            notes/tide.md published 2022-12-31T23:30:00 - -
            posts/My Second Post.md published 2024-05-31T22:00:00 - -
            posts/draft.md draft 2024-06-05T22:00:00 - -
            posts/expired.md draft 2019-12-31T23:00:00 - -
            posts/first-row.md published 2024-05-06T05:08:09 Rowing Lakes,Oars,C++
            posts/future.md scheduled 2099-12-31T10:00:00 - -
            posts/html.md published 2024-06-08T22:00:00 - -
            posts/page.html published 2024-06-06T22:00:00 - -
            posts/shortcodes.md published 2024-06-07T22:00:00 - -
            posts/v1.2-released.md published 2024-06-02T22:00:00 - -
            posts/with-json.md published 2024-03-04T05:06:07 - -
            posts/with-yaml.md published 2024-01-01T23:00:00 - oars,boats
            posts/überfahrt-北京.md published 2024-06-01T22:00:00 - -
            posts/2024/deep/thing.md published 2024-06-03T22:00:00 - -
            posts/lake/index.md published 2024-04-05T06:07:08 - -
            posts/nested/plain.md published 2024-06-04T22:00:00 - -
            """,
        ),
        (
            "jekyll",
            """
            _drafts/idea.md draft - - -
            _posts/2024-01-02-first-row.md published 2024-01-01T23:00:00 Rowing Lakes,oars,boats
            _posts/2024-02-03-second.md published 2024-02-02T23:30:00 - -
            _posts/2024-03-04-Own_Permalink.md published 2024-03-03T23:00:00 - -
            _posts/2024-03-05-unpublished.md draft 2024-03-04T23:00:00 - -
            _posts/2024-03-06-untitled.md published 2024-03-05T23:00:00 - -
            _posts/2024-03-07-slugged.markdown published 2024-03-06T23:00:00 Deep_Water -
            _posts/2024-03-08-Upper-Case.md published 2024-03-07T23:00:00 - -
            _posts/2099-01-01-future.md scheduled 2098-12-31T23:00:00 - -
            travel/_posts/2024-04-05-by-train.md published 2024-04-04T22:00:00 travel Trains
            """,
        ),
        (
            "pelican",
            """
            draft.md draft 2024-03-05T23:00:00 - -
            first-row.md published 2024-01-02T09:20:00 Rowing oars,boats
            hidden.md draft 2024-03-06T23:00:00 - -
            yaml.md published 2024-03-04T23:00:00 Deep_Water -
            lakes/lake.md published 2024-03-03T23:00:00 lakes -
            """,
        ),
        (
            "eleventy",
            """
            blog/2024-02-03-dated.md published 2024-02-03T00:00:00 - -
            blog/first-row.md published 2024-01-02T00:00:00 - oars
            blog/own.md published 2024-02-05T00:00:00 - -
            blog/Upper Case/index.md published 2024-02-04T00:00:00 - -
            """,
        ),
        (
            "astro",
            """
            blog/Using MDX.mdx published 2024-02-03T04:05:06 - -
            blog/draft.md draft 2024-03-05T00:00:00 - -
            blog/first-row.md published 2022-07-08T00:00:00 - -
            blog/deep/index.md published 2024-03-04T00:00:00 - -
            """,
        ),
    ],
)
def test_every_post_is_read(program: str, expected: str) -> None:
    assert [described(post) for post in posts_of(program).values()] == [
        line.strip() for line in expected.splitlines() if line.strip()
    ]


def described(post: SourcePost) -> str:
    """Return a post as id, status, time in UTC, category and tags."""
    time = f"{post.published_at:%Y-%m-%dT%H:%M:%S}" if post.published_at else "-"
    category = (post.category or "-").replace(" ", "_")
    return f"{post.source_id} {post.status} {time} {category} {','.join(post.tags) or '-'}"


LEFT_OUT = "left out, the text in it remains"
YOUTUBE = " Its source: {{< youtube aqz-KE-bpKQ >}}"
COLLECTION = (LossKind.FIELD, "The tag posts is a collection of Eleventy, and left out.", None)
LOSSES = {
    "hugo": {
        "posts/expired.md": [(LossKind.WITHHELD, "It has expired: now a draft.", None)],
        "posts/first-row.md": [(LossKind.CATEGORY, "Lakes is a further category: now a tag.", None)],
        "posts/html.md": [
            (LossKind.EMBED, "<iframe> is a link now: https://example.org/frame", 15),
        ],
        "posts/shortcodes.md": [
            (LossKind.EMBED, f"The shortcode youtube: a link to it remains.{YOUTUBE}", 3),
            (LossKind.SHORTCODE, f"The shortcode note: {LEFT_OUT}. Its source: {{{{< note >}}}}", 10),
            (LossKind.SHORTCODE, f"The shortcode note: {LEFT_OUT}. Its source: {{{{% note %}}}}", 21),
        ],
        "posts/with-json.md": [(LossKind.FIELD, "These fields have no place here: nested.", None)],
        "posts/with-yaml.md": [
            (LossKind.FIELD, "These fields have no place here: keywords, mood.", None),
        ],
    },
    "jekyll": {
        "_posts/2024-01-02-first-row.md": [
            (LossKind.CATEGORY, "Lakes is a further category: now a tag.", None),
            (LossKind.SHORTCODE, "The output {{ site.time }} is left out.", 19),
            (LossKind.BLOCK, "A generated table of contents is left out: * TOC {:toc}", 8),
            (LossKind.HTML, "Attributes in braces are left out: {: .wide}", 6),
        ],
        "_posts/2024-03-06-untitled.md": [(LossKind.FIELD, "It has no title: the first heading is it now.", None)],
        "travel/_posts/2024-04-05-by-train.md": [(LossKind.CATEGORY, "Trains is a further category: now a tag.", None)],
    },
    "pelican": {
        "hidden.md": [(LossKind.WITHHELD, "Its status was hidden: now a draft.", None)],
    },
    "eleventy": {
        f"blog/{name}.md": [COLLECTION] for name in ("2024-02-03-dated", "first-row", "own", "Upper Case/index")
    },
    "astro": {
        "blog/Using MDX.mdx": [
            (
                LossKind.SHORTCODE,
                "Lines of JavaScript are left out: import Box from '../../components/Box.astro';",
                1,
            ),
            (LossKind.SHORTCODE, "Lines of JavaScript are left out: export const oars = 2;", 3),
            (LossKind.SHORTCODE, "The component Box is left out; text in it remains: <Box>", 5),
        ],
    },
}


@requirement("import.markdown.attributes", "import.markdown.mdx", "import.markdown.people")
@each_program
def test_every_loss_is_named_with_its_line(program: str) -> None:
    assert {name: losses_of(post) for name, post in posts_of(program).items() if post.losses} == LOSSES[program]


@requirement("import.markdown.others")
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("hugo", {"_index.md": "list page", "about.md": "page", "posts/_index.md": "list page"}),
        ("jekyll", {"about.md": "page", "index.html": "page"}),
        ("pelican", {"pages/about.md": "page"}),
        ("eleventy", {"about.md": "page", "index.md": "page"}),
        ("astro", {"src/pages/about.md": "page"}),
    ],
)
def test_what_is_no_post_is_listed(program: str, expected: dict[str, str]) -> None:
    assert {item.source_id: item.what for item in items_of(program) if isinstance(item, Omitted)} == expected


@requirement("import.markdown.images", "import.markdown.series", "import.markdown.people")
def test_the_fields_of_posts_come_along() -> None:
    hugo = posts_of("hugo")
    yaml, first = hugo["posts/with-yaml.md"], hugo["posts/first-row.md"]

    assert (yaml.title, yaml.author, yaml.description) == ("With YAML: a title", "Olga Owner", "A short description.")
    assert (yaml.is_featured, yaml.canonical_url) == (True, "https://canonical.example/yaml/")
    assert yaml.cover == ImageUse(url="/images/oar.png", alt="An oar")
    assert f"{yaml.modified_at:%Y-%m-%d %H:%M}" == "2024-02-03 04:05"
    assert yaml.modified_evidence == "posts/with-yaml.md: lastmod"
    assert yaml.published_evidence == "posts/with-yaml.md: date, without offset, in Europe/Berlin"
    assert (first.series, first.series_position) == ("Learning to row", 2)
    assert hugo["posts/lake/index.md"].cover == ImageUse(url="/content/posts/lake/lake.png")
    assert posts_of("astro")["blog/first-row.md"].cover == ImageUse(url="/src/assets/oar.png")
    assert posts_of("pelican")["yaml.md"].author == "Olga Owner"
    assert posts_of("pelican")["first-row.md"].description == "A short summary over two lines"


@requirement("import.markdown.images", "import.markdown.links")
@pytest.mark.parametrize(
    ("program", "url", "expected"),
    [
        ("hugo", "https://boats.example/images/oar.png", "static/images/oar.png"),
        ("hugo", "content/posts/lake/lake.png", "content/posts/lake/lake.png"),
        ("hugo", "/images/../images/oar.png", None),
        ("hugo", "/images/%2e%2e/%2e%2e/hugo.toml", None),
        ("hugo", "http://[", None),
        ("hugo", "", None),
        ("jekyll", "/blog/assets/oar.png", "assets/oar.png"),
        ("pelican", "/images/oar.png", "content/images/oar.png"),
        ("eleventy", "/img/oar.png", "content/img/oar.png"),
        ("astro", "/src/assets/oar.png", "src/assets/oar.png"),
    ],
)
def test_images_are_found_in_the_site(program: str, url: str, expected: str | None) -> None:
    source = open_markdown(FOLDER / program, url=None, media=None)

    assert source.image_file(url) == (FOLDER / program / expected if expected else None)


HUGO_SHORTCODES = """![An oar](/images/oar.png "Made of ash")

[https://www.youtube.com/watch?v=aqz-KE-bpKQ](https://www.youtube.com/watch?v=aqz-KE-bpKQ)

```python
def row():
    return "{{ oar }}"
```


Mind the *gap*.


Write `{{< figure src="x.png" >}}` for a figure.

```go-html-template
{{< youtube abc >}}
{{ .Title }}
```

Percent
"""
HUGO_HTML = """## A heading

Press <kbd>Esc</kbd>,\\
then **row** and [look](https://example.org/) at H<sub>2</sub>O.

In a box.

> A quotation over two lines.

- An item over two lines

<https://example.org/frame>
"""
HUGO_FIRST = """A first row over two lines.  
A hard break before this one.

See [the bundle](/posts/lake/index.md), [the notes](/2023/01/tide/) and [yaml](with-yaml.md#top).
"""
JEKYLL_FIRST = """A first row over two lines.



See [the second](/_posts/2024-02-03-second.md) and ![an oar](/blog/assets/oar.png).





```ruby
puts "row"
```


Box

{{ not liquid }}

`{% tag %}` in code. First row and .
"""


@requirement("import.markdown.shortcodes", "import.markdown.liquid", "import.markdown.breaks", "import.markdown.html")
@requirement("import.markdown.pelican-links", "import.markdown.mdx")
@pytest.mark.parametrize(
    ("program", "source_id", "expected"),
    [
        ("hugo", "posts/shortcodes.md", HUGO_SHORTCODES),
        ("hugo", "posts/html.md", HUGO_HTML),
        ("hugo", "posts/first-row.md", HUGO_FIRST),
        ("hugo", "posts/lake/index.md", "A ![lake](lake.png) in a bundle, and [the first post](/posts/first-row/).\n"),
        ("jekyll", "_posts/2024-01-02-first-row.md", JEKYLL_FIRST),
        ("jekyll", "_posts/2024-02-03-second.md", "The second. ![An oar](/blog/assets/oar.png)\n"),
        (
            "pelican",
            "first-row.md",
            "A first row. See [the lake](lakes/lake.md) and ![an oar](/images/oar.png).\n\n"
            "By tag: [oars](/tag/oars.html).\n",
        ),
        ("astro", "blog/Using MDX.mdx", "\n\nIn a box.\n\n\n\nText `<Box>` in code.\n"),
        ("eleventy", "blog/first-row.md", "A first row. ![An oar](/img/oar.png)\n\nFirst row\n"),
    ],
)
def test_a_body_is_markdown_of_ours(program: str, source_id: str, expected: str) -> None:
    assert posts_of(program)[source_id].body.lstrip("\n") == expected.lstrip("\n")


@requirement("import.markdown.links")
def test_links_can_name_a_file_from_its_folder_and_from_the_root() -> None:
    post = posts_of("hugo")["posts/lake/index.md"]

    assert post.base == "content/posts/lake"
    assert post.link_names == ("content/posts/lake/index.md", "/posts/lake/index.md")


@requirement("import.markdown.ids")
def test_a_site_in_a_folder_of_its_own_is_the_same(tmp_path: Path) -> None:
    # As zip files of a folder are unpacked.
    copytree(FOLDER / "eleventy", tmp_path / "boats")

    source = open_markdown(tmp_path, url=None, media=None)

    assert source.blog == "boats"
    assert list(source.items()) == items_of("eleventy")


@requirement("import.markdown.ids", "import.markdown.urls")
@pytest.mark.parametrize(
    ("program", "url", "blog", "expected"),
    [
        ("hugo", None, "boats.example", "https://boats.example"),
        ("eleventy", None, "eleventy", None),
        ("jekyll", None, "boats.example", "https://boats.example/blog"),
        ("jekyll", "https://x.example", "x.example", "https://x.example/blog"),
        ("jekyll", "https://x.example/y/", "x.example", "https://x.example/y"),
    ],
)
def test_the_blog_is_named_by_its_host(program: str, url: str | None, blog: str, expected: str | None) -> None:
    source = open_markdown(FOLDER / program, url=url, media=None)

    assert (source.blog, source.url) == (blog, expected)
    assert all(
        item.url.startswith(expected or "/") for item in source.items() if isinstance(item, SourcePost) and item.url
    )


def test_only_drafts_and_scheduled_posts_have_no_url() -> None:
    posts = [post for program in PROGRAMS for post in posts_of(program).values()]

    assert {post.source_id for post in posts if (post.url is None) is (post.status is SourceStatus.PUBLISHED)} == set()


@requirement("import.markdown.feed-ids")
@pytest.mark.parametrize(
    ("program", "others"),
    [
        ("hugo", {"https://boats.example/about/"}),
        ("jekyll", {"https://boats.example/blog/feed.xml"}),
        ("pelican", {"https://boats.example/"}),
    ],
)
def test_feed_ids_are_those_of_the_feed(program: str, others: set[str]) -> None:
    shown = json.loads((FOLDER / f"feed-{program}.json").read_text("utf-8"))

    found = {post.feed_id for post in posts_of(program).values() if post.feed_id}

    assert found == set(shown) - others
    assert len(found) >= 3


@requirement("import.markdown.feed-ids")
def test_feed_ids_of_other_programs_are_not_known() -> None:
    posts = [post for program in ("astro", "eleventy") for post in posts_of(program).values()]

    assert {post.feed_id for post in posts} == {None}


DIFFERENCES = {
    # Captions of images are not in the text before they become figures; the film and the frame are links here.
    "/posts/shortcodes/": [
        ("Madeofash12", ""),
        ("def", "https://www.youtube.com/watch?v=aqz-KE-bpKQdef"),
        ("*gap*", "gap"),
    ],
    "/posts/html/": [("overtwolines", "overtwolineshttps://example.org/frame")],
    # The heading is the title here, and the values that only Jekyll knows are left out.
    "/2024/03/06/untitled.html": [("Aheadingastitle", "")],
}
"""Of each page, the words that differ: those of the program, and ours."""


@requirement("import.markdown.breaks", "import.markdown.html", "import.markdown.shortcodes", "import.markdown.liquid")
@each_program
def test_a_post_shows_the_words_of_the_page_of_the_program(program: str) -> None:
    saved = json.loads((FOLDER / f"words-{program}.json").read_text("utf-8"))
    posts = {path_of(post.url, program): post for post in posts_of(program).values() if post.url}

    differing = {}
    for path, post in posts.items():
        theirs = "".join(re.sub(r" and [0-9-]{10} .*", " and .", saved[path]).split())
        for old, new in DIFFERENCES.get(path, []):
            assert old in theirs
            # The last one, because the first is in another place.
            theirs = new.join(theirs.rsplit(old, 1))
        if theirs != (ours := words_of(post)):
            differing[path] = (theirs, ours)

    assert differing == {}
    assert len(posts) >= 3


def words_of(post: SourcePost) -> str:
    body, body_format = post.body, BodyFormat.MARKDOWN
    if post.body_format == "html":
        converted = convert(post.body, losses=Losses(), rich_text_allowed=False)
        body, body_format = converted.body, converted.body_format
    return "".join(text_of(sanitized(body, body_format=body_format, options=render_options(images={}))).split())
