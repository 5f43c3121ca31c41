"""Only their owner can read files with drafts and names."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.requirements import requirement
from tests.support.factories import save

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("exporting")]


@pytest.fixture(autouse=True)
def everybody_may_read() -> Iterator[None]:
    """The usual umask of a server."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@requirement("export.private")
@pytest.mark.parametrize(
    ("name", "more"),
    [("blog", ()), ("blog.zip", ()), ("blog.tar.gz", ()), ("blog.xml", ("FORMAT=wordpress",))],
)
def test_an_export_is_its_owners(storage: object, tmp_path: Path, name: str, more: tuple[str, ...]) -> None:
    save(title="Stone")

    call_command("export_blog", f"TARGET={tmp_path / name}", *more)

    assert (tmp_path / name).stat().st_mode & 0o077 == 0


@requirement("export.private")
def test_evidence_in_a_file_is_its_owners(tmp_path: Path) -> None:
    post = save(title="Stone", publish=True).post

    call_command("blog_evidence", f"POST={post.pk}", f"OUTPUT={tmp_path / 'evidence.json'}")

    assert (tmp_path / "evidence.json").stat().st_mode & 0o077 == 0


@requirement("export.private")
def test_the_report_of_an_import_is_its_owners(storage: object, tmp_path: Path) -> None:
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog" / "a.md").write_text("---\ntitle: Stone\ndate: 2026-01-02\n---\nGrey.\n")

    call_command("import_blog", "FROM=markdown", f"SOURCE={tmp_path / 'blog'}", f"REPORT={tmp_path / 'report.json'}")

    assert [path.stat().st_mode & 0o077 for path in sorted(tmp_path.glob("report.*"))] == [0, 0]
