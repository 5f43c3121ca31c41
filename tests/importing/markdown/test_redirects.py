"""Redirects of a site that are in no post, and posts that only led elsewhere."""

from pathlib import Path

import pytest

from blog_engine.importing.source import LossKind, SourcePost, SourceRedirect, SourceStatus
from tests.importing.markdown.sites import losses_of, read, read_post, write_file
from tests.requirements import requirement

OLD = "https://old.example"


def moved(folder: Path) -> list[tuple[str, str]]:
    return [
        (one.url.removeprefix(OLD), one.target)
        for one in read(folder, url=f"{OLD}/log")
        if isinstance(one, SourceRedirect)
    ]


@requirement("import.markdown.redirects")
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "conf.py",
            'BLOG_TITLE = "A"\nPOSTS = []\nREDIRECTIONS = [("a/b.html", "/log/c/")]\n',
            [("/log/a/b.html", "/log/c/")],
        ),
        (
            "mkdocs.yml",
            "plugins: [{redirects: {redirect_maps: {a/b.md: c.md, index.md: d/index.md}}}]\n",
            [("/log/a/b/", "/c.md"), ("/log/", "/d/index.md")],
        ),
        (
            "mkdocs.yml",
            "plugins: {redirects: {redirect_maps: {a.md: 'https://x.example/'}}}\n",
            [("/log/a/", "https://x.example/")],
        ),
        ("mkdocs.yml", "plugins: {redirects: {redirect_maps: [a]}}\n", []),
        (
            "astro.config.mjs",
            "export default { redirects: { '/a': '/b', '/c': { status: 302, destination: '/d' } }, x: {'/e': '/f'} }",
            [("/log/a", "/b"), ("/log/c", "/d")],
        ),
        (
            "static/_redirects",
            "# all\n/a /b\n/c /d 301! # moved\n/e /f 200\n/g /h 404\n/i\n/j id=:id /k 301\n",
            [("/a", "/b"), ("/c", "/d")],
        ),
        (
            "netlify.toml",
            '[[redirects]]\nfrom = "/a"\nto = "/b"\n[[redirects]]\nfrom = "/c"\nto = "/d"\nstatus = 200\n',
            [("/a", "/b")],
        ),
        ("netlify.toml", "[[redirects", []),
    ],
)
def test_redirects_of_hosts_and_programs_are_read(
    tmp_path: Path, name: str, text: str, expected: list[tuple[str, str]]
) -> None:
    write_file(tmp_path / name, text)

    assert moved(tmp_path) == expected


@requirement("import.markdown.redirects", "import.markdown.status")
@pytest.mark.parametrize("name", ["redirect_to", "redirect_url"])
def test_a_post_that_only_led_elsewhere_is_a_draft_and_its_url_a_redirect(tmp_path: Path, name: str) -> None:
    write_file(tmp_path / "_config.yml", "title: A\n")
    write_file(tmp_path / "_posts/2024-01-02-a.md", f"---\ntitle: A\n{name}: /2024/01/03/b.html\n---\nText.\n")

    post, redirect = read(tmp_path)

    assert isinstance(post, SourcePost) and post.status is SourceStatus.DRAFT
    assert losses_of(post) == [(LossKind.WITHHELD, "It only led to /2024/01/03/b.html: now a draft.", None)]
    assert redirect == SourceRedirect(f"{OLD}/2024/01/02/a.html", "/2024/01/03/b.html", "_posts/2024-01-02-a.md")


@requirement("import.markdown.aliases")
def test_aliases_have_every_form_of_hugo(tmp_path: Path) -> None:
    write_file(tmp_path / "hugo.toml", "")
    write_file(tmp_path / "content/posts/a.md", "---\ntitle: A\naliases: /one/\n---\n")
    write_file(tmp_path / "content/posts/b.md", '+++\ntitle = "B"\naliases = ["/two.html", "three", "../four/"]\n+++\n')

    former = {item.title: item.former_urls for item in read(tmp_path) if isinstance(item, SourcePost)}

    assert former == {
        "A": (f"{OLD}/one/",),
        "B": (f"{OLD}/two.html", f"{OLD}/posts/three", f"{OLD}/four/"),
    }


@requirement("import.markdown.scripts")
def test_a_filter_that_only_formats_a_date_is_read(tmp_path: Path) -> None:
    program = "c.addFilter('{0}', date => DateTime.fromJSDate(date).toFormat('{1}'));"
    text = "".join(program.format(*one) for one in (("day", "yyyy/LL/dd"), ("odd", "kkkk-'W'")))
    write_file(tmp_path / "eleventy.config.js", f"module.exports = c => {{ {text} }};")

    link = "{{ page.date | day }}/{{ page.fileSlug }}/index.html"
    post = read_post(tmp_path, f'---\ntitle: A\npermalink: "{link}"\n---\n', name="posts/2024-03-04-a.md")
    other = link.replace("day", "odd")
    odd = read_post(tmp_path, f'---\ntitle: A\npermalink: "{other}"\n---\n', name="posts/2024-03-04-a.md")

    assert (post.url, odd.url) == (f"{OLD}/2024/03/04/a/", None)


@requirement("import.markdown.plugins")
def test_plugins_of_pelican_that_change_posts_are_named(tmp_path: Path) -> None:
    write_file(tmp_path / "pelicanconf.py", "PLUGINS = ['urls', 'gate', 'size']\nPLUGIN_PATHS = ['plugins']\n")
    write_file(tmp_path / "plugins/urls/__init__.py", "def f(a):\n    a.override_url = 'x/' + a.slug\n")
    write_file(tmp_path / "plugins/gate.py", "def f(g):\n    g.articles.remove(g.articles[0])\n")
    write_file(tmp_path / "plugins/size.py", "def f(a):\n    a.words = len(a.content)\n    # a.slug = 'x'\n")
    (tmp_path / "content").mkdir()

    post = read_post(tmp_path, "Title: A\nDate: 2024-01-02\n\nText.\n", name="content/a.md")

    assert (post.status, losses_of(post)) == (
        SourceStatus.DRAFT,
        [(LossKind.WITHHELD, "The plugin gate is not run, and can keep posts from readers: now a draft.", None)],
    )


@requirement("import.markdown.astro")
def test_the_route_that_shows_an_entry_counts(tmp_path: Path) -> None:
    write_file(tmp_path / "astro.config.mjs", "export default {}")
    read_all = "---\nconst all = await getCollection('blog');\n"
    write_file(tmp_path / "src/pages/[...slug].astro", f"{read_all}const {{ Content }} = await render(all[0]);\n---\n")
    write_file(tmp_path / "src/pages/tags/[tag].astro", f"{read_all}---\n")

    post = read_post(tmp_path, "---\ntitle: A\npubDate: 2024-01-02\n---\n", name="src/content/blog/a.md")

    assert post.url == f"{OLD}/a/"
