"""A restored blog is the exported one: every row, every page, every file."""

from pathlib import Path

import pytest

from benchmarks.speed.seed import seed
from blog_engine.exporting.restore import RestoreProgress, restore_blog
from blog_engine.models.protection import missing_protection
from blog_engine.queries.audit import audit_public_posts, gaps_in_histories, wrongly_listed_posts
from blog_engine.queries.database import engine_connection
from tests.exporting.originals import Original, answers, files_in, make_original, stored_rows, write
from tests.requirements import requirement
from tests.support.factories import save

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("exporting")]


def restore(source: Path, *, dry_run: bool = False) -> RestoreProgress:
    """Restore an export, and return the last progress."""
    *_, last = restore_blog(source, dry_run=dry_run)
    return last


@requirement("restore.rows", "restore.pages", "restore.images", "style.export")
def test_a_restored_blog_has_every_row_page_answer_and_file(original: Original, same_settings: Path) -> None:
    restored = restore(original.folder)

    assert stored_rows() == original.rows
    assert restored.posts == len(original.rows["Post"])
    assert files_in(same_settings) == original.files
    assert answers() == original.answers


@pytest.mark.parametrize("kind", ["zip", "tar"])
@pytest.mark.heavy
def test_an_archive_restores_as_its_folder_does(original: Original, same_settings: Path, kind: str) -> None:
    restore(getattr(original, kind))

    assert stored_rows() == original.rows
    assert files_in(same_settings) == original.files


def test_a_restored_blog_is_sound_and_writable(original: Original, same_settings: Path) -> None:
    restore(original.folder)

    assert audit_public_posts().differing == {}
    assert gaps_in_histories() == {}
    assert list(wrongly_listed_posts()) == []
    assert missing_protection(engine_connection()) == []
    highest = max(row["id"] for row in original.rows["Post"])
    assert save(title="The next post").post.pk > highest


@pytest.mark.heavy
@requirement("restore.rows", "restore.pages", "restore.images")
def test_a_blog_with_a_thousand_posts_is_restored(
    tmp_path_factory: pytest.TempPathFactory, same_settings: Path
) -> None:
    original = make_original(tmp_path_factory.mktemp("thousand"), lambda: seed(1_000))

    restored = restore(original.zip)

    assert restored.posts == 1_000
    assert stored_rows() == original.rows
    assert files_in(same_settings) == original.files
    assert answers() == original.answers


@requirement("export.repeatable", "restore.rows")
def test_the_export_of_a_restored_blog_is_the_same(original: Original, same_settings: Path, tmp_path: Path) -> None:
    restore(original.folder)

    write(tmp_path / "again")

    assert files_in(tmp_path / "again") == files_in(original.folder)


@requirement("restore.dry-run")
def test_a_dry_run_stores_nothing(original: Original, same_settings: Path) -> None:
    empty = stored_rows()

    restored = restore(original.zip, dry_run=True)

    assert restored.posts == len(original.rows["Post"])
    assert stored_rows() == empty
    assert files_in(same_settings) == {}
