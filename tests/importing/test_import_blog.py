"""The command ``import_blog``."""

import json
import shutil
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from blog_engine.management.commands import import_blog
from blog_engine.models import Post
from tests.importing.old_blogs import interrupted
from tests.requirements import requirement
from tests.support.integrity import rows
from tests.support.programs import environment, run

pytestmark = pytest.mark.django_db

PAGE = "---\ntitle: {title}\ndate: 2020-01-02T03:04:05Z\n---\nThe text.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def site(folder: Path) -> Path:
    content = folder / "site" / "content" / "posts"
    content.mkdir(parents=True)
    (folder / "site" / "hugo.toml").write_text('baseURL = "https://old.example/"\n')
    for name in ("one", "two"):
        (content / f"{name}.md").write_text(PAGE.format(title=name.title()))
    return folder / "site"


def import_blog_with(*pairs: str) -> str:
    told = StringIO()
    call_command("import_blog", *pairs, stdout=told)
    return told.getvalue()


def packed(site: Path, name: str) -> Path:
    """Pack a site as a zip or tar.gz."""
    form = {".zip": "zip", ".gz": "gztar"}[Path(name).suffix]
    return Path(shutil.make_archive(str(site.parent / name.partition(".")[0]), form, site))


@requirement("import.exit", "import.report", "import.progress")
def test_a_folder_is_imported_and_its_report_is_named(site: Path, folder: Path) -> None:
    told = import_blog_with("FROM=markdown", "SOURCE=site")

    (report,) = folder.glob("import-report-*.json")
    assert told.splitlines() == [
        "Posts imported: 2 of 2",
        "2 published. The report names 0 things that did not come along as they were.",
        f"Report: {report}",
        f"Page: {report.with_suffix('.html')}",
        "Ready to publish.",
    ]
    assert json.loads(report.read_text())["summary"]["published"] == 2
    assert Post.objects.filter(status="published").count() == 2


@requirement("import.report", "import.exit")
def test_an_interrupted_import_ends_with_130_and_writes_its_report(site: Path, folder: Path) -> None:
    with interrupted(at=2), pytest.raises(CommandError, match="Run the same command again") as raised:
        import_blog_with("FROM=markdown", "SOURCE=site", "REPORT=stopped")

    report = json.loads((folder / "stopped.json").read_text())
    assert (raised.value.returncode, report["ending"]) == (130, "interrupted")
    assert [post["result"] for post in report["posts"]] == ["published", "not_reached"]
    assert "interrupted" in (folder / "stopped.html").read_text()


@requirement("import.repeat", "import.identity")
@pytest.mark.parametrize("name", ["site.zip", "site.tar.gz"])
def test_an_archive_is_the_same_blog_as_its_folder(site: Path, name: str) -> None:
    import_blog_with("FROM=markdown", f"SOURCE={site}", "REPORT=a.json")
    before = rows()

    import_blog_with("--from", "markdown", "--source", str(packed(site, name)), "--report", "b")

    assert rows() == before


@pytest.mark.parametrize("name", ["site.zip", "site.tar.gz"])
def test_an_archive_without_a_url_is_known_by_its_name(site: Path, name: str) -> None:
    (site / "hugo.toml").write_text("title = 'x'\n")
    import_blog_with("FROM=markdown", f"SOURCE={site}", "REPORT=a.json")

    import_blog_with("FROM=markdown", f"SOURCE={packed(site, name)}", "REPORT=b.json")

    assert json.loads(Path("b.json").read_text())["summary"]["unchanged"] == 2


@requirement("import.dry-run")
@pytest.mark.parametrize("switch", [["DRY_RUN=1"], ["DRY_RUN=true"], ["--dry-run"]])
def test_a_dry_run_stores_nothing(site: Path, switch: list[str]) -> None:
    import_blog_with("FROM=markdown", "SOURCE=site", "REPORT=a.json", *switch)

    report = json.loads(Path("a.json").read_text())
    assert (report["dry_run"], report["summary"]["published"], Post.objects.count()) == (True, 2, 0)


@requirement("import.command")
@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "FROM is missing"),
        (["FROM=markdown"], "SOURCE is missing"),
        (["FROM=blogger", "SOURCE=site"], "FROM must be one of"),
        (["FROM=markdown", "SOURCE=site", "URL=old.example"], "URL must be"),
        (["FROM=markdown", "SOURCE=site", "REPORT=taken.json"], "exists already"),
        (["FROM=markdown", "SOURCE=site", "REPORT=no/where.json"], "cannot be written"),
        (["FROM=markdown", "SOURCE=site", "DRY_RUN=maybe"], "must be true or false"),
    ],
)
def test_a_faulty_call_ends_before_anything_is_read(site: Path, folder: Path, pairs: list[str], message: str) -> None:
    (folder / "taken.json").write_text("mine")

    with pytest.raises(CommandError, match=message):
        import_blog_with(*pairs)

    assert (Post.objects.count(), (folder / "taken.json").read_text()) == (0, "mine")
    assert list(folder.glob("import-report-*")) == []


@requirement("import.refused", "import.report")
@pytest.mark.parametrize("source", ["gone", "gone.zip,site", "bad.zip", "text.txt", "gone*.xml", ","])
def test_a_refused_source_stores_nothing_and_is_reported(site: Path, folder: Path, source: str) -> None:
    path = packed(site, "bad.zip")
    path.write_bytes(path.read_bytes()[:-40])
    (folder / "text.txt").write_text("neither")

    with pytest.raises(CommandError, match="Nothing was imported"):
        import_blog_with("FROM=markdown", f"SOURCE={source}", "REPORT=a.json")

    assert Post.objects.count() == 0
    assert json.loads(Path("a.json").read_text())["ending"] == "refused"
    assert "refused" in Path("a.html").read_text()


@requirement("import.source.several")
def test_several_paths_are_one_import(site: Path, folder: Path) -> None:
    more = folder / "site-2" / "content" / "posts"
    more.mkdir(parents=True)
    (folder / "site-2" / "hugo.toml").write_text('baseURL = "https://old.example/"\n')
    (more / "three.md").write_text(PAGE.format(title="Three"))

    import_blog_with("FROM=markdown", "SOURCE=site, site-2", "REPORT=a.json")
    import_blog_with("FROM=markdown", f"SOURCE={folder}/sit*", "REPORT=b.json")

    assert sorted(Post.objects.values_list("title", flat=True)) == ["One", "Three", "Two"]
    (folder / "site-2" / "hugo.toml").write_text('baseURL = "https://other.example/"\n')
    with pytest.raises(CommandError, match="different blogs"):
        import_blog_with("FROM=markdown", "SOURCE=site,site-2", "REPORT=c.json")


@requirement("import.packages")
@pytest.mark.heavy
def test_a_missing_package_ends_the_command_with_one_line() -> None:
    code = (
        "import sys; sys.modules['lxml'] = None; sys.modules['markdownify'] = None; sys.modules['frontmatter'] = None\n"
        "import django; django.setup()\n"
        "from django.core.management import call_command, CommandError\n"
        "try: call_command('import_blog', 'FROM=markdown', 'SOURCE=x')\n"
        "except CommandError as fault: print(fault)\n"
    )

    done = run([sys.executable, "-c", code], env=environment({"DJANGO_SETTINGS_MODULE": "tests.settings"}))

    assert done.stdout.splitlines()[-1:] != []
    assert 'pip install "blog_engine[import]"' in done.stdout.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_any_other_missing_module_is_an_error_of_ours() -> None:
    assert import_blog.MISSING is None


@requirement("import.report")
def test_an_unexpected_error_is_raised_after_the_report(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(Post.objects, "filter", fail)

    with pytest.raises(ZeroDivisionError):
        import_blog_with("FROM=markdown", "SOURCE=site", "REPORT=a.json")

    report = json.loads(Path("a.json").read_text())
    assert (report["ending"], report["message"]) == ("failed", "ZeroDivisionError")
