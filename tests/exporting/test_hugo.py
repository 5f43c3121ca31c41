"""The real Hugo builds an export, and its output has every public URL of the blog."""

import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from lxml import etree
from pytest_django import Settings

from blog_engine import services
from blog_engine.exporting.hugo_bodies import hugo_info, readable_markdown
from blog_engine.inputs.base import parse as parse_input
from blog_engine.inputs.records import SavePage, SaveRedirect
from tests.exporting.originals import LONG_NAME, Original, page_paths, write
from tests.requirements import requirement
from tests.support.blogs import TODAY
from tests.support.factories import EDITOR, NOW, save, store_image
from tests.support.hosts import at, blog_settings
from tests.support.pages import Element, parse, valid_atom
from tests.support.programs import environment, hugo_program, run

_HUGO = hugo_program()

pytestmark = [pytest.mark.hugo, pytest.mark.xdist_group("exporting")]

POLICY = {"kind": "corrections", "title": "We correct", "slug": "index", "body": "Text.", "status": "published"}

_NOT_BUILT = re.compile(r"/blog/media/[0-9a-f]{64}/w[0-9]+\.(?:avif|webp)|/blog/theme-|/blog/api/|/static/|/about/")
"""Smaller variants of images, and what is not of the blog's pages."""


@pytest.fixture(scope="module")
def site(original: Original, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that Hugo builds from the export."""
    folder = tmp_path_factory.mktemp("hugo") / "blog"
    shutil.copytree(original.folder, folder)
    # At the time of the blog, when a post waits for the next day.
    command = [str(_HUGO), "--printPathWarnings", "--panicOnWarning", "--clock", f"{TODAY:%Y-%m-%dT%H:%M:%SZ}"]
    built = run(command, env=environment(), cwd=folder)
    assert (built.returncode, "WARN" in built.stdout + built.stderr) == (0, False), built.stdout + built.stderr
    return folder / "public"


def file_of(site: Path, path: str) -> Path:
    """Return the file that a web server sends for a path; a later page of a list has a path of its own."""
    parts = urlsplit(path)
    query = parse_qs(parts.query)
    plain = unquote(parts.path)
    if "page" in query:
        plain = f"{plain.rstrip('/')}/page/{query['page'][0]}/"
    file = site / plain.lstrip("/")
    return file / "index.html" if plain.endswith("/") or file.is_dir() else file


def is_too_long(path: str) -> bool:
    """Return whether a path ends with a name that no file can have."""
    return unquote(path).rpartition("/")[2] == LONG_NAME


@requirement("export.hugo", "export.hugo.urls")
def test_every_public_url_is_in_the_site_that_hugo_builds(original: Original, site: Path) -> None:
    urls = [path for path in original.pages if not is_too_long(path)]

    assert len(urls) > 100
    assert [path for path in urls if not file_of(site, path).is_file()] == []


@requirement("export.hugo.urls")
def test_what_pages_of_the_blog_link_to_is_known(original: Original, site: Path) -> None:
    linked = {
        urlsplit(link)._replace(fragment="").geturl()
        for path, body in original.pages.items()
        if body.lstrip().startswith(b"<!DOCTYPE html")
        for link in re.findall(r'(?:href|src)="(/[^"/][^"]*)"', body.decode())
    }
    unknown = {link.replace("&amp;", "&") for link in linked} - set(original.pages)

    assert {link for link in unknown if not _NOT_BUILT.match(link) and not file_of(site, link).is_file()} == set()


@requirement("export.hugo.unpublished")
def test_what_is_not_public_is_not_built(original: Original, site: Path) -> None:
    hidden = [row["slug"] for row in original.rows["Post"] if row["status"] != "published"]
    policies = [row["slug"] for row in original.rows["PolicyPage"] if row["status"] != "published"]

    built = [file for slug in hidden if (file := site / "blog" / slug / "index.html").exists()]

    assert len(hidden) > 5
    # A removed post whose path leads to another one.
    assert [file.parent.name for file in built] == ["wreck"]
    assert 'http-equiv="refresh"' in built[0].read_text("utf-8")
    assert policies and not any((site / "blog" / "policies" / slug).exists() for slug in policies)


@requirement("export.hugo.media", "export.hugo.markdown")
def test_images_and_markdown_versions_are_those_of_the_blog(original: Original, site: Path) -> None:
    unchanged = [path for path in original.pages if path.endswith(".md") or re.search("/media/|/checkpoints/", path)]
    kept = [path for path in unchanged if not is_too_long(path)]

    assert len(kept) > 20
    # The site has no history, to which a Markdown text of the blog ends with a link.
    expected = {path: re.sub(rb"\n\n\[[^\n]+/history\)\n\Z", b"\n", original.pages[path]) for path in kept}
    assert [path for path in kept if file_of(site, path).read_bytes() != expected[path]] == []


def test_an_image_whose_name_is_too_long_for_a_file_has_a_redirect(original: Original, site: Path) -> None:
    wanted = next(path for path in original.pages if is_too_long(path))
    lines = [line.split() for line in (site / "_redirects").read_text("utf-8").splitlines()]

    (target,) = [line[1] for line in lines if line[0] == wanted]

    assert file_of(site, target).read_bytes() == original.pages[wanted]


_SHOWN = ("id", "title", "updated", "published", "author", "category", "link")


def entries_of(document: bytes) -> list[Any]:
    """Return what identifies and describes the entries of an Atom feed."""
    root = valid_atom(document)
    found = []
    for entry in root.findall("{*}entry"):
        parts = [part for part in entry if part.tag.rpartition("}")[2] in _SHOWN]
        found.append(
            sorted(
                (part.tag, sorted(part.attrib.items()), "".join(part.itertext()).replace("\x85", " ")) for part in parts
            )
        )
    return [[root.findtext("{*}id"), root.findtext("{*}title"), root.findtext("{*}updated")], *found]


@requirement("export.hugo.feeds")
def test_atom_feeds_have_the_entries_of_the_blog(original: Original, site: Path) -> None:
    feeds = [path for path in original.pages if path.endswith("/feed.xml")]
    filled = [path for path in feeds if b"<entry>" in original.pages[path]]

    assert len(filled) > 10
    for path in filled:
        assert entries_of(file_of(site, path).read_bytes()) == entries_of(original.pages[path]), path
    for path in set(feeds) - set(filled):
        assert b"<entry>" not in file_of(site, path).read_bytes()


@requirement("export.hugo.feeds")
def test_json_feeds_have_the_items_of_the_blog(original: Original, site: Path) -> None:
    feeds = [path for path in original.pages if path.endswith("/feed.json")]

    def items(document: bytes) -> Any:
        feed = json.loads(document)
        return feed | {"items": [{**item, "content_html": bool(item["content_html"])} for item in feed["items"]]}

    assert len(feeds) > 10
    for path in feeds:
        assert items(file_of(site, path).read_bytes()) == items(original.pages[path]), path


@requirement("export.hugo.feeds")
def test_the_copies_of_covers_are_in_the_site(original: Original, site: Path) -> None:
    feed = json.loads(original.pages["/blog/feed.json"])
    covers = [urlsplit(item["image"]).path for item in feed["items"] if "image" in item]

    assert covers and all(path.endswith("/w1200.jpg") for path in covers)
    assert all(file_of(site, path).read_bytes().startswith(b"\xff\xd8\xff") for path in covers)


def html_of(body: bytes) -> Element:
    """Return a page of the blog or of the site; Hugo writes its declaration in small letters."""
    return parse(body.decode().replace("<!doctype html>", "<!DOCTYPE html>"))


@requirement("export.hugo.languages")
def test_articles_name_their_language_and_versions(original: Original, site: Path) -> None:
    def versions(page: Element) -> list[tuple[str, str]]:
        return sorted((one.attrs["hreflang"], one.attrs["href"]) for one in page.all("link") if "hreflang" in one.attrs)

    built = {slug: html_of(file_of(site, f"/blog/{slug}").read_bytes()) for slug in ("garden", "garten", "hadiqa")}

    assert {slug: len(versions(page)) for slug, page in built.items()} == dict.fromkeys(built, 4)
    for slug, page in built.items():
        assert versions(page) == versions(html_of(original.pages[f"/blog/{slug}"])), slug
    languages = {slug: page.one("article").attrs for slug, page in built.items()}
    assert languages == {
        "garden": {},
        "garten": {"lang": "de-AT", "dir": "ltr"},
        "hadiqa": {"lang": "ar", "dir": "rtl"},
    }


@requirement("export.hugo.languages")
def test_the_sitemap_names_the_versions_of_articles(original: Original, site: Path) -> None:
    def versions(document: bytes) -> dict[str, list[tuple[str, str]]]:
        return {
            entry.findtext("{*}loc"): sorted((link.attrib["hreflang"], link.attrib["href"]) for link in links)
            for entry in etree.fromstring(document).findall("{*}url")
            if (links := entry.findall("{*}link"))
        }

    (path,) = (path for path in original.pages if path.endswith("/sitemap.xml"))

    assert len(versions(original.pages[path])) == 3
    assert versions(file_of(site, path).read_bytes()) == versions(original.pages[path])


@requirement("export.hugo.lists")
def test_lists_have_the_posts_of_the_blog_in_their_order(original: Original, site: Path) -> None:
    lists = [
        path
        for path in original.pages
        if re.fullmatch(r"/blog/(?:\?page=\d+|(?:category|tag|author|series)/[^./]+)?", path)
    ]

    def shown(body: bytes) -> list[str]:
        headings = [heading for card in html_of(body).all("article") for heading in card.all("h2")]
        return [link.text for heading in headings for link in heading.all("a")]

    differing = [path for path in lists if shown(original.pages[path]) != shown(file_of(site, path).read_bytes())]

    assert len(lists) > 15
    assert differing == []


@requirement("export.hugo.text")
def test_what_looks_like_a_shortcode_is_shown_as_text(site: Path) -> None:
    text = html_of(file_of(site, "/blog/tricky-2").read_bytes()).one("article").text

    for part in (
        '{{< figure src="x" >}}',
        "{{% open",
        "{{< in code",
        "{{{<",
        "{{< /closed >}}",
        "{{ .Title }}",
        "{{< in a block",
    ):
        assert part in text, part
    assert "<script>alert" not in (site / "blog" / "tricky-2" / "index.html").read_text("utf-8")


@requirement("export.hugo.text")
def test_a_body_in_html_is_shown_without_what_readers_never_saw(site: Path) -> None:
    page = (site / "blog" / "rich" / "index.html").read_text("utf-8")

    assert '<h2 id="raw">Raw' in page
    assert "{{&lt; x &gt;}}" in page
    assert "onclick" not in page and "<script>" not in page


def prose_of(body: bytes, css_class: str) -> Element:
    """Return the body of an article as a page shows it."""
    page = html_of(body)
    bodies = (*page.all("div"), *page.all("blog-text"))
    (found,) = (one for one in bodies if css_class in one.attrs.get("class", "").split())
    return found


@requirement("export.hugo.bodies")
def test_articles_show_the_bodies_of_the_blog(original: Original, site: Path) -> None:
    articles = [path for path in original.pages if b"blog-prose" in original.pages[path]]
    paths = [path for path in articles if not path.endswith(".html")]
    shown = {path: prose_of(file_of(site, path).read_bytes(), "body") for path in paths}
    written = {path: prose_of(original.pages[path], "blog-prose") for path in paths}

    assert len(paths) > 20
    assert {path: body.text for path, body in shown.items()} == {path: body.text for path, body in written.items()}
    for tag, attribute in (("a", "href"), ("h2", "id"), ("li", "id"), ("sup", "id"), ("span", "class")):
        for path in paths:
            # Originals have no larger picture to lead to.
            others = [one for one in written[path].all(tag) if "blog-zoom" not in one.attrs.get("class", "")]
            found = [one.attrs.get(attribute) for one in shown[path].all(tag)]
            assert found == [one.attrs.get(attribute) for one in others], path


@requirement("export.hugo.bodies")
def test_articles_show_formulas_boxes_keys_and_terms(site: Path) -> None:
    body = prose_of(file_of(site, "/blog/rich-markdown").read_bytes(), "body")

    formulas = [one.text for one in body.all("annotation")]

    assert formulas[:5] == ["x_2*y", "z*w", r"\{x\}", r"a\\b", "p<q>r"]
    assert formulas[5].count("\\\\") == 1 and "d*e*f" in formulas[5]
    assert [one.text for one in body.all("summary")] == ["What is inside"]
    assert [one.text for one in body.all("kbd")] == ["Ctrl"]
    assert [one.text for one in body.all("mark")] == ["read", "this"]
    assert [one.text for one in body.all("dd")] == ["What a river leaves.", "It is fine."]


@requirement("export.hugo.bodies")
def test_feeds_have_the_bodies_of_the_feeds_of_the_blog(original: Original, site: Path) -> None:
    def bodies(document: bytes) -> dict[str, str]:
        # The site has the original images only.
        return {
            item["id"]: re.sub(r"(/media/[0-9a-f]{64}/)[^\"]+", r"\1", item["content_html"])
            for item in json.loads(document)["items"]
        }

    built = bodies(file_of(site, "/blog/feed.json").read_bytes())

    assert len(built) > 5
    for mark in ("<figcaption>", "<h2>Frequently"):
        assert any(mark in body for body in built.values())
    assert built == bodies(original.pages["/blog/feed.json"])


@requirement("export.hugo.markdown-source")
def test_hugo_builds_the_markdown_itself_once_its_html_is_removed(original: Original, tmp_path: Path) -> None:
    shutil.copytree(original.folder, tmp_path / "blog")
    shutil.rmtree(tmp_path / "blog" / "assets")

    built = run([str(_HUGO), "--panicOnWarning"], env=environment(), cwd=tmp_path / "blog")

    assert built.returncode == 0, built.stdout + built.stderr
    page = (tmp_path / "blog/public/blog/rich-markdown/index.html").read_text("utf-8")
    assert "<dt>Silt</dt>" in page and "<mark>read</mark>" in page


@requirement("export.hugo.markdown-source")
@pytest.mark.parametrize(
    ("info", "written"),
    [
        ("python", "python"),
        ("python {2}", 'python {hl_lines=["2"]}'),
        ("python{2,4-6}", 'python {hl_lines=["2","4-6"]}'),
        ("{2, 4 - 6} linenos", '{hl_lines=["2","4-6"] linenos=table}'),
        ('python title="a.py" {2} linenos', 'python {title="a.py" hl_lines=["2"] linenos=table}'),
        ("title='a b' showLineNumbers", '{title="a b" linenos=table}'),
        ("js title=linenos", 'js {title="linenos"}'),
        ("{r, echo=FALSE}", ""),
        ("c++ {.x #y} {", "c++"),
        ("", ""),
    ],
)
def test_options_of_code_blocks_have_the_form_of_hugo(info: str, written: str) -> None:
    assert hugo_info(info) == written


@requirement("export.hugo.markdown-source")
def test_only_the_first_lines_of_code_blocks_are_changed() -> None:
    body = "a\n\n    ```py {1}\n\n````md\n```py {1}\n````\n\n> ~~~py {1}\n> ~~~\n"

    assert readable_markdown(body) == body.replace("> ~~~py {1}", '> ~~~py {hl_lines=["1"]}')


def test_titles_and_authors_survive(original: Original, site: Path) -> None:
    titles = {row["title"] for row in original.rows["Post"] if row["status"] == "published"}

    found = json.loads((site / "blog" / "search.json").read_text("utf-8"))

    assert {one["title"] for one in found} == titles


def test_the_site_is_well_formed(site: Path) -> None:
    pages = [html_of(file.read_bytes()) for file in site.rglob("*.html")]

    assert len(pages) > 50


@pytest.mark.django_db
@requirement("export.hugo.urls")
@pytest.mark.parametrize("origin", ["https://example.com", ...])
def test_an_empty_blog_and_one_with_awkward_slugs_are_built(
    settings: Settings, storage: object, tmp_path: Path, origin: Any
) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=origin, posts_per_page=2)
    write(tmp_path / "empty")
    for slug in ("index", "404", "page", "posts", "categories", "tags"):
        save(title=slug, slug=slug, tags=["index", "page"], category="Index", author="index", publish=True)
    for old in ("/index.html", "/404.html", "/old/page.html", "/old/x/", "/old/y.php"):
        services.add_redirect(parse_input(SaveRedirect, {"old_path": old, "new_path": "posts"}), actor=EDITOR, now=NOW)
    services.save_page(parse_input(SavePage, POLICY), actor=EDITOR, now=NOW)
    write(tmp_path / "awkward")
    paths = page_paths()

    for name in ("empty", "awkward"):
        built = run([str(_HUGO), "--printPathWarnings", "--panicOnWarning"], env=environment(), cwd=tmp_path / name)
        assert built.returncode == 0, built.stdout + built.stderr

    public = tmp_path / "awkward" / "public"
    assert (tmp_path / "empty" / "public" / "blog" / "index.html").is_file()
    assert [path for path in paths if not file_of(public, path).is_file()] == []
    assert "<h1" in file_of(public, "/blog/index").read_text("utf-8")
    assert "<h1" in file_of(public, "/blog/").read_text("utf-8")
    assert 'http-equiv="refresh"' in (public / "old" / "page.html").read_text("utf-8")
    assert 'http-equiv="refresh"' in (public / "old" / "x" / "index.html").read_text("utf-8")
    assert not (public / "old" / "y.php").exists()


@pytest.mark.django_db
@requirement("export.hugo.mount")
@pytest.mark.parametrize("place", ["journal", "root", "proxy", "letters"])
def test_the_site_is_built_for_every_mount(storage: object, tmp_path: Path, place: str) -> None:
    with at(place) as visited:
        save(title="Stone", body="A stone.", tags=["C++"], publish=True)
        store_image(filename="quay 1.png")
        write(tmp_path / "blog")
        pages = {f"{visited.prefix}{path}" for path in ("/", "/stone", "/stone.md", "/feed.xml", "/tag/c-plus-plus")}
        pages.add(f"{visited.prefix}/tag/c-plus-plus/feed.json")
        paths = page_paths()

    built = run([str(_HUGO), "--printPathWarnings", "--panicOnWarning"], env=environment(), cwd=tmp_path / "blog")

    assert built.returncode == 0, built.stdout + built.stderr
    assert pages <= set(paths)
    assert [path for path in paths if not file_of(tmp_path / "blog" / "public", path).is_file()] == []
