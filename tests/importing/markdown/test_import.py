"""Real sites of Markdown in a blog here."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from blog_engine.models import Post
from tests.importing.markdown.sites import FOLDER, write_file
from tests.requirements import requirement
from tests.support.invariants import rows

pytestmark = pytest.mark.django_db


def imported(folder: Path, report: Path) -> dict[str, Any]:
    """Import a site, and return the report."""
    call_command("import_blog", "FROM=markdown", f"SOURCE={folder}", f"REPORT={report}", stdout=StringIO())
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return found


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
        ("eleventy", [4, 4, 0, 0, 2, 1], "first-row", ["A first row. ![An oar](/blog/media/"]),
        ("astro", [4, 3, 0, 1, 1, 1], "using-mdx", ["In a box.", "Text `<Box>` in code."]),
    ],
)
def test_a_real_site_is_imported_and_then_unchanged(
    program: str, counts: list[int], slug: str, texts: list[str], tmp_path: Path
) -> None:
    first = imported(FOLDER / program, tmp_path / "first.json")
    before = rows()
    second = imported(FOLDER / program, tmp_path / "second.json")

    names = ("posts", "published", "scheduled", "draft", "omitted", "images")
    assert [first["summary"][name] for name in names] == counts
    assert first["summary"]["losses"].get("image", 0) == 0
    assert second["summary"]["unchanged"] == counts[0]
    assert rows() == before
    body = Post.objects.get(slug=slug).body
    assert [text for text in texts if text not in body] == []


@requirement("import.markdown.refused")
def test_nothing_of_a_refused_folder_is_stored(tmp_path: Path) -> None:
    write_file(tmp_path / "site" / "a.md", "---\ntitle: A\ndate: 2024-01-02\n---\nText.\n")
    write_file(tmp_path / "site" / "b.md", "---\ntitle: [\n---\n")

    with pytest.raises((CommandError, SystemExit)):
        imported(tmp_path / "site", tmp_path / "report.json")

    assert not Post.objects.exists()
    assert "b.md" in (tmp_path / "report.json").read_text("utf-8")


@requirement("import.markdown.language", "import.repeat", "import.newer")
def test_the_language_of_a_file_is_stored_and_follows_it(tmp_path: Path) -> None:
    def write(name: str, *lines: str) -> None:
        write_file(tmp_path / "blog" / "posts" / f"{name}.md", "\n".join(["---", *lines, "---", "Text.\n"]))

    def languages() -> dict[str, str]:
        return dict(Post.objects.values_list("slug", "language"))

    write("public", "title: Public", "date: 2024-01-02", "lang: de-at")
    write("draft", "title: Draft", "draft: true", "language: fr")
    imported(tmp_path / "blog", tmp_path / "1.json")
    before, stored = rows(), languages()
    imported(tmp_path / "blog", tmp_path / "2.json")
    again = rows()
    write("draft", "title: Draft", "draft: true")
    imported(tmp_path / "blog", tmp_path / "3.json")

    assert again == before
    assert stored == {"public": "de-AT", "draft": "fr"}
    assert languages() == {"public": "de-AT", "draft": ""}
