"""Real sites of Markdown in a blog here."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from blog_engine.models import Post
from tests.importing.markdown.sites import FOLDER, write_file, write_site
from tests.importing.old_blogs import imported
from tests.requirements import requirement
from tests.support.integrity import rows, rows_beside_findings

pytestmark = pytest.mark.django_db


@requirement("import.markdown.ids", "import.markdown.images", "import.markdown.links")
@pytest.mark.parametrize(
    ("program", "counts", "slug", "texts"),
    [
        (
            "hugo",
            [17, 14, 1, 2, 3, 2],
            "first-row",
            ["See [the bundle](/blog/lake), [the notes](/blog/tide) and [yaml](/blog/with-yaml#top)."],
        ),
        ("jekyll", [10, 7, 1, 2, 2, 1], "first-row", ["See [the second](/blog/second) and ![an oar](/blog/media/"]),
        (
            "pelican",
            [5, 3, 0, 2, 1, 1],
            "first-row",
            ["See [the lake](/blog/the-lake-the-sea) and ![an oar](/blog/media/"],
        ),
        (
            "pelican-rest",
            [5, 3, 0, 2, 0, 1],
            "first-row",
            ["[the lake](/blog/the-lake)", "![An oar](/blog/media/", "```python\ndef row():", "Like water[^1]"],
        ),
        ("nikola", [7, 5, 0, 2, 1, 1], "first-row", ["See [the second](/blog/second)."]),
        ("mkdocs", [3, 2, 0, 1, 2, 1], "own-slug", ["The second."]),
        ("eleventy", [4, 4, 0, 0, 2, 1], "first-row", ["A first row. ![An oar](/blog/media/"]),
        ("astro", [4, 3, 0, 1, 1, 1], "using-mdx", ["In a box.", "Text `<Box>` in code."]),
    ],
)
def test_a_real_site_is_imported_and_then_unchanged(
    program: str, counts: list[int], slug: str, texts: list[str], tmp_path: Path
) -> None:
    first = imported("markdown", FOLDER / program, tmp_path / "first.json")
    before = rows_beside_findings()
    second = imported("markdown", FOLDER / program, tmp_path / "second.json")

    names = ("posts", "published", "scheduled", "draft", "omitted", "images")
    assert [first["summary"][name] for name in names] == counts
    assert first["summary"]["losses"].get("image", 0) == 0
    assert second["summary"]["unchanged"] == counts[0]
    assert rows_beside_findings() == before
    body = Post.objects.get(slug=slug).body
    assert [text for text in texts if text not in body] == []


GOOD = "---\ntitle: A\ndate: 2024-01-02\n---\nText.\n"
BAD = "---\ntitle: [\n---\n"


@requirement("import.markdown.refused", "import.exit")
def test_a_post_that_cannot_be_read_is_left_out_and_counted(tmp_path: Path) -> None:
    write_site(tmp_path / "site", a_md=GOOD, b_md=BAD, c_md=b"\xff")
    out = StringIO()

    call_command(
        "import_blog", "FROM=markdown", f"SOURCE={tmp_path / 'site'}", f"REPORT={tmp_path / 'r.json'}", stdout=out
    )

    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert [post.title for post in Post.objects.all()] == ["A"]
    assert (report["summary"]["unreadable"], report["summary"]["omitted"]) == (2, 2)
    assert {row["where"]: bool(row["unreadable"]) for row in report["omitted"]} == {"b.md": True, "c.md": True}
    assert "1 published, 2 unreadable. The report" in out.getvalue()
    assert out.getvalue().splitlines()[-1] == "2 files could not be read, and were left out."
    assert "2 files cannot be read" in " ".join(report["next_steps"])


@requirement("import.markdown.refused")
@pytest.mark.parametrize("switch", ["STRICT=1", "--strict"])
def test_a_post_that_cannot_be_read_refuses_a_strict_import(tmp_path: Path, switch: str) -> None:
    write_site(tmp_path / "site", a_md=GOOD, **{f"b{number}_md": BAD for number in range(30)})

    with pytest.raises(CommandError) as refused:
        imported("markdown", tmp_path / "site", tmp_path / "report.json", switch)

    assert not Post.objects.exists()
    assert refused.value.returncode == 1
    assert str(refused.value).count(".md: the YAML") == 20
    assert "b7.md" in (tmp_path / "report.json").read_text("utf-8")


@requirement("import.markdown.not-posts")
def test_a_file_that_is_no_post_stops_no_strict_import(tmp_path: Path) -> None:
    site = write_site(
        tmp_path / "site",
        hugo_yaml="x: &a {b: 1}\ny: *a\n",
        content___index_md=BAD,
        content__about_md=BAD,
        content__posts___index_md=BAD,
        content__docs___index_md="---\nx: &a {b: 1}\ny: *a\n---\n",
        content__posts__a_md=GOOD,
    )

    found = imported("markdown", site, tmp_path / "report.json", "STRICT=1")

    assert [(post.slug, post.status) for post in Post.objects.all()] == [("a", "published")]
    assert [row["what"] for row in found["omitted"]] == [
        *("list page", "page", "list page", "list page"),
    ]


@requirement("import.markdown.nothing", "import.exit")
@pytest.mark.parametrize(
    "files",
    [
        {"astro__config_mjs": "export default {}", "content__posts__a_md": GOOD},
        {"hugo_toml": "", "content__about_md": GOOD},
        {"a_md": BAD},
        {"readme_txt": "Nothing."},
    ],
    ids=["elsewhere", "pages", "unreadable", "none"],
)
def test_a_source_without_a_post_is_refused(tmp_path: Path, files: dict[str, str]) -> None:
    site = tmp_path / "site"
    for name, content in files.items():
        stem, _, suffix = name.rpartition("_")
        write_file(site / f"{stem.replace('astro__config', 'astro.config').replace('__', '/')}.{suffix}", content)

    with pytest.raises(CommandError, match="No post was found") as refused:
        imported("markdown", site, tmp_path / "report.json")

    assert refused.value.returncode == 1
    program = "a site of" if {"astro__config_mjs", "hugo_toml"} & files.keys() else "a folder of no known program"
    assert f"It was read as {program}" in str(refused.value)
    assert "Send as SOURCE the folder of the whole site" in str(refused.value)
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["ending"] == "refused"


@requirement("import.markdown.urls", "import.report.contents")
def test_urls_that_were_guessed_are_marked_and_counted(tmp_path: Path) -> None:
    write_site(
        tmp_path / "site",
        hugo_toml="uglyURLs = 'posts'\n",
        content__posts__a_md=GOOD,
        content__posts__b_md=GOOD.replace("title", "url: /b/\ntitle"),
    )

    report = imported("markdown", tmp_path / "site", tmp_path / "report.json")

    reason = "uglyurls of the configuration is not understood"
    assert [row["old_url_guess"] for row in report["posts"]] == [reason, None]
    assert f"1 former URLs were guessed ({reason}): compare some of them with the old blog." in report["next_steps"]
    assert f"guessed: {reason}" in (tmp_path / "report.html").read_text("utf-8")


@requirement("import.markdown.language", "import.repeat", "import.newer")
def test_the_language_of_a_file_is_stored_and_follows_it(tmp_path: Path) -> None:
    def write(name: str, *lines: str) -> None:
        write_file(tmp_path / "blog" / "posts" / f"{name}.md", "\n".join(["---", *lines, "---", "Text.\n"]))

    def languages() -> dict[str, str]:
        return dict(Post.objects.values_list("slug", "language"))

    write("public", "title: Public", "date: 2024-01-02", "lang: de-at")
    write("draft", "title: Draft", "draft: true", "language: fr")
    imported("markdown", tmp_path / "blog", tmp_path / "1.json")
    before, stored = rows(), languages()
    imported("markdown", tmp_path / "blog", tmp_path / "2.json")
    again = rows()
    write("draft", "title: Draft", "draft: true")
    imported("markdown", tmp_path / "blog", tmp_path / "3.json")

    assert again == before
    assert stored == {"public": "de-AT", "draft": "fr"}
    assert languages() == {"public": "de-AT", "draft": ""}


CHANNEL = (
    '<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>B</title>'
    "<link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version></channel></rss>"
)
GHOST = {"db": [{"meta": {"version": "5.0.0"}, "data": {"posts": [], "settings": []}}]}


@requirement("import.exit")
@pytest.mark.parametrize(
    ("system", "name", "content", "message"),
    [
        ("wordpress", "a.xml", CHANNEL, "Tools → Export → All content"),
        ("wordpress", "b.xml", CHANNEL.replace("<wp:wxr_version>1.2</wp:wxr_version>", ""), "version|All content"),
        ("ghost", "a.json", json.dumps(GHOST), "Settings → Import/Export"),
        ("markdown", "a.txt", "", "a folder of Markdown files was expected"),
    ],
)
def test_no_system_ends_well_without_a_post(system: str, name: str, content: str, message: str, tmp_path: Path) -> None:
    write_file(tmp_path / name, content)

    with pytest.raises(CommandError, match=message) as refused:
        imported(system, tmp_path / name, tmp_path / "report.json", "URL=https://old.example")

    assert refused.value.returncode == 1


@requirement("import.exit")
def test_a_typing_error_in_source_ends_with_its_name(tmp_path: Path) -> None:
    for system in ("wordpress", "ghost", "markdown"):
        with pytest.raises(CommandError, match="nowhere: there is no such file or folder") as refused:
            imported(system, tmp_path / "nowhere", tmp_path / f"{system}.json")
        assert refused.value.returncode == 1
