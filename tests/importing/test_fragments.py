"""Links to headings of other posts, whose ids the old program made."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import pytest

from blog_engine.importing.heading_ids import FormerIds, IdRule, ids_of_markdown
from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.pipeline import ImportRun
from blog_engine.importing.source import LossKind
from blog_engine.importing.spool import Spool
from blog_engine.models import Post
from tests.importing.markdown.sites import FOLDER, write_file
from tests.importing.old_blogs import entry, run_import
from tests.requirements import requirement
from tests.support.factories import NOW

HEADINGS = [
    *("## Foo & Bar", "## Foo Bar", "## Foo Bar", "## Foo Bar 1", "## Über `code_x` & C++", "## 你好 世界"),
    *("## Given {#my-Id}", "## my Id", "## A -- B's", "## The *big* _one_ v1.2", "## 1. Intro", "## Intro", "## !!!"),
    "## See [it](https://x.example/y)",
]
TARGET = "---\ntitle: B\ndate: 2024-01-02\n---\n" + "\n\nText.\n\n".join(HEADINGS) + "\n"
# The ids that Hugo 0.168, kramdown 2.4 and Python-Markdown 3.11 gave to these headings, with ours.
OURS = [
    *("foo-bar", "foo-bar-1", "foo-bar-2", "foo-bar-1-1", "über-code_x-c", "你好-世界", "given", "my-id"),
    *("a-b-s", "the-big-one-v1-2", "1-intro", "intro", "section", "see-it"),
]
GOLDMARK = [
    *("foo--bar", "foo-bar", "foo-bar-1", "foo-bar-1-1", "über-code_x--c", "你好-世界", "my-Id", "my-id"),
    *("a----bs", "the-big-one-v12", "1-intro", "intro", "heading", "see-it"),
]
GOLDMARK_ASCII = [*GOLDMARK[:4], "uber-code_x--c", "-", *GOLDMARK[6:]]
BLACKFRIDAY = [
    *("foo-bar", "foo-bar-1", "foo-bar-2", "foo-bar-1-1", "über-code-x-c", "你好-世界", "my-Id", "my-id"),
    *("a-b-s", "the-big-one-v1-2", "1-intro", "intro", "heading", "see-it"),
]
GITHUB = [
    *("foo--bar", "foo-bar", "foo-bar-1", "foo-bar-1", "über-code_x--c", "你好-世界", "my-Id", "my-id"),
    *("a--bs", "the-big-one-v12", "1-intro", "intro", "", "see-it"),
]
KRAMDOWN = [
    *("foo--bar", "foo-bar", "foo-bar-1", "foo-bar-1", "ber-codex--c", "section", "my-Id", "my-id"),
    *("a----bs", "the-big-one-v12", "intro", "intro-1", "section-1", ""),
]
PYTHON = [
    *("foo-bar", "foo-bar_1", "foo-bar_2", "foo-bar-1", "uber-code_x-c", "_1", "my-Id", "my-id"),
    *("a-bs", "the-big-one-v12", "1-intro", "intro", "_2", "see-it"),
]
JEKYLL = {"_config.yml": "permalink: /:year/:title/\n"}
SITES = {
    "hugo": ({"hugo.toml": "baseURL = 'https://old.example/'\n"}, "content/posts/{0}.md", "/posts/b/", GOLDMARK),
    "hugo-ascii": (
        {"hugo.yaml": "baseURL: /\nmarkup: {goldmark: {parser: {autoHeadingIDType: github-ascii}}}\n"},
        *("content/posts/{0}.md", "/posts/b/", GOLDMARK_ASCII),
    ),
    "hugo-blackfriday": (
        {"hugo.yaml": "baseURL: /\nmarkup: {goldmark: {parser: {autoHeadingIDType: blackfriday}}}\n"},
        *("content/posts/{0}.md", "/posts/b/", BLACKFRIDAY),
    ),
    "jekyll": (JEKYLL, "_posts/2024-01-02-{0}.md", "/2024/b/", GITHUB),
    "kramdown": (
        {"_config.yml": JEKYLL["_config.yml"] + "kramdown: {input: kramdown}\n"},
        *("_posts/2024-01-02-{0}.md", "/2024/b/", KRAMDOWN),
    ),
    "mkdocs": (
        {"mkdocs.yml": "site_name: A\nmarkdown_extensions: [attr_list]\nplugins: [blog]\n"},
        *("docs/blog/posts/{0}.md", "/blog/2024/01/02/b/", PYTHON),
    ),
    "pelican": ({"pelicanconf.py": "PATH = 'content'\n"}, "content/{0}.md", "/b.html", PYTHON),
}


SITE_OF_ZOLA = FOLDER / "zola"


def imported(folder: Path, files: Mapping[str, str]) -> tuple[str, list[tuple[str, int | None]]]:
    """Import a site; return the body of the post A, and its losses of links."""
    for name, text in files.items():
        write_file(folder / name, text)
    with Spool() as spool:
        run = ImportRun(open_markdown(folder, url="https://old.example", media=None), spool, now=NOW)
        for _ in (*run.read(), *run.write()):
            pass
        (losses,) = [found.losses for found in spool.results() if found.post.title == "A"]
    return Post.objects.get(title="A").body, [(one.message, one.line) for one in losses if one.kind is LossKind.LINK]


@pytest.mark.django_db
@requirement("import.links.places")
@pytest.mark.parametrize("program", SITES)
def test_a_link_to_a_heading_of_another_post_leads_to_it_by_the_id_that_its_program_made(
    tmp_path: Path, program: str
) -> None:
    files, name, url, ids = SITES[program]
    known = [(former, ours) for former, ours in zip(ids, OURS, strict=True) if former and ids.count(former) == 1]
    links = "\n\n".join(f"[x]({url}#{former})" for former, _ in known)
    post = f"---\ntitle: A\ndate: 2024-01-03\n---\n{links}\n"

    body, losses = imported(tmp_path, {**files, name.format("a"): post, name.format("b"): TARGET})

    found = [line for line in body.split("\n") if line]
    assert found == [f"[x](/blog/{Post.objects.get(title='B').slug}#{quote(ours)})" for _, ours in known]
    assert losses == []


@pytest.mark.django_db
@requirement("import.links.places")
@pytest.mark.parametrize(
    ("program", "link"),
    [
        ("hugo", '[x]({{< ref "b.md#foo--bar" >}})'),
        ("hugo", "[x](b.md#foo--bar)"),
        ("jekyll", "[x]({% post_url 2024-01-02-b %}#foo--bar)"),
        ("mkdocs", "[x](b.md#foo-bar)"),
        ("pelican", "[x]({filename}b.md#foo-bar)"),
        ("pelican", "[x][y]\n\n[y]: {filename}b.md#foo-bar"),
    ],
)
def test_links_to_files_lead_to_headings_as_well(tmp_path: Path, program: str, link: str) -> None:
    files, name, _, _ = SITES[program]
    post = f"---\ntitle: A\ndate: 2024-01-03\n---\n{link}\n"

    body, losses = imported(tmp_path, {**files, name.format("a"): post, name.format("b"): TARGET})

    assert "/blog/b#foo-bar" in body and "foo--bar" not in body
    assert losses == []


@pytest.mark.django_db
@requirement("import.links.places")
def test_a_place_that_the_other_post_does_not_have_is_named_and_stays(tmp_path: Path) -> None:
    files, name, url, _ = SITES["hugo"]
    text = f"One\n\n[x]({url}#gone) [y]({url}#fn:1) [z]({url}#:~:text=one) [top]({url}#top) [w]({url}#{{{{x}}}})\n"
    post = f"---\ntitle: A\ndate: 2024-01-03\n---\n{text}"

    body, losses = imported(tmp_path, {**files, name.format("a"): post, name.format("b"): TARGET})

    assert "[x](/blog/b#gone) [y](/blog/b#fn:1) [z](/blog/b#:~:text=one) [top](/blog/b#top)" in body
    assert losses[0] == ("The link leads to the post, which has no such place now: /posts/b/#gone", 3)
    assert len(losses) == 2


@pytest.mark.django_db
@requirement("import.links.places")
def test_the_links_of_a_site_that_zola_built() -> None:
    with Spool() as spool:
        run = ImportRun(open_markdown(SITE_OF_ZOLA, url=None, media=None), spool, now=NOW)
        for _ in (*run.read(), *run.write()):
            pass

    first, second = (Post.objects.get(slug=slug).body for slug in ("first", "second"))
    assert "[the second](/blog/second#knots-ropes)" in first
    assert "[its later part](/blog/second#knots-ropes-1)" in first
    there = quote("über-den-fluß-zurück")
    assert f"[back](/blog/first#{there}-1), or [over](/blog/first#{there})" in second


@pytest.mark.django_db
@requirement("import.links.places")
def test_ids_in_html_are_followed_from_other_posts() -> None:
    html = '<p>One</p><h2 id="Soil-1">Soil</h2><p>Dark.</p><h3><a name="w"></a>Water</h3>'
    link = "[a](/2019/post-2/#Soil-1) [b](/2019/post-2/#w) [c](/2019/post-2/#soil) [d](/2019/post-2/#more-2)"

    outcome = run_import(entry(1, body=link), entry(2, body=html, body_format="html"))

    assert Post.objects.get(title="Post 1").body == (
        "[a](/blog/post-2#soil) [b](/blog/post-2#water) [c](/blog/post-2#soil) [d](/blog/post-2#more-2)"
    )
    assert outcome.messages() == ["The link leads to the post, which has no such place now: /2019/post-2/#more-2"]


@requirement("import.links.places")
@pytest.mark.parametrize(
    ("rule", "headings", "ids"),
    [
        # The id of the program comes before ours, which is the same for another heading.
        (IdRule.GOLDMARK, ["A & B", "A B"], {"a--b": "a-b", "a-b": "a-b-1"}),
        (IdRule.UNKNOWN, ["A & B", "A B"], {"a--b": "a-b", "a-b": "a-b"}),
        (IdRule.KRAMDOWN, ["1. Intro", "Intro"], {"intro": "1-intro", "intro-1": "intro"}),
        (IdRule.PYTHON, ["日本", "日本 2"], {"_1": "日本", "2": "日本-2", "日本-2": "日本-2"}),
        (IdRule.ZOLA, ["Über uns!", "über uns"], {"uber-uns": "über-uns", "uber-uns-1": "über-uns-1"}),
        (IdRule.GITHUB, ["It\u2019s \u201cso\u201d \u2013 yes…", "a_b"], {"its-so--yes": "it-s-so-yes", "a_b": "a_b"}),
        (IdRule.DOCUTILS, ["1. Über uns"], {"uber-uns": "1-über-uns"}),
    ],
)
def test_the_rule_of_the_program_decides_which_heading_an_id_means(
    rule: IdRule, headings: list[str], ids: dict[str, str]
) -> None:
    found = ids_of_markdown("\n\n".join(f"## {one}" for one in headings), FormerIds(rule))

    assert {name: found.get(name) for name in ids} == ids


@requirement("import.links.places")
@pytest.mark.parametrize(
    ("former", "headings", "ids"),
    [
        (FormerIds(IdRule.KRAMDOWN, prefix="x-"), ["1. Oar", "Oar"], {"x-oar": "1-oar", "x-oar-1": "oar"}),
        (FormerIds(IdRule.KRAMDOWN_GITHUB, prefix="x-"), ["1. Oar", "Oar"], {"x-1-oar": "1-oar", "x-oar": "oar"}),
        (FormerIds(IdRule.PYTHON, separator="_"), ["An oar", "A - b"], {"an_oar": "an-oar", "a_-_b": "a-b"}),
        (FormerIds(IdRule.PYTHON_UNICODE), ["日本 - 2", "日本 2"], {"日本-2": "日本-2", "日本-2_1": "日本-2-1"}),
        (FormerIds(IdRule.PYMDOWN), ["Oars & Öl", "A b"], {"oars--öl": "oars-öl", "a-b": "a-b"}),
        (FormerIds(IdRule.PYMDOWN, separator="_"), ["An oar"], {"an_oar": "an-oar"}),
    ],
)
def test_the_configuration_of_the_program_decides_what_ids_are_made_of(
    former: FormerIds, headings: list[str], ids: dict[str, str]
) -> None:
    found = ids_of_markdown("\n\n".join(f"## {one}" for one in headings), former)

    assert {name: found.get(name) for name in ids} == ids


def test_ids_that_the_body_gives_come_first() -> None:
    found = ids_of_markdown("## A\n\n## B", FormerIds(IdRule.GOLDMARK, (("b", 0),)))

    assert (found["b"], found["a"], found["b-1"]) == ("a", "a", "b")
