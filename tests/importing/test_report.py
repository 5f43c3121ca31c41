"""The report of an import, as JSON and as a page."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from blog_engine.importing.pipeline import ImportRun
from blog_engine.importing.report import RunFacts, write_report
from blog_engine.importing.report_files import Ending, ReportFiles
from blog_engine.importing.source import Item, Omitted, SourceRefused, SourceStatus
from blog_engine.importing.spool import Spool
from tests.importing.old_blogs import OLD, OldBlogSource, draft, entry, scheduled
from tests.requirements import requirement
from tests.support.factories import NOW
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

EVIL = "<script>alert(1)</script> & \"quoted\" 'x' \u2028"


def report_of(folder: Path, *entries: Item, steps: int | None = None, **facts: Any) -> tuple[dict[str, Any], str]:
    """The JSON object and the page of an import, that ended after so many posts."""
    with Spool() as spool:
        source = OldBlogSource(entries)
        run = ImportRun(source, spool, now=NOW)
        for _ in run.read():
            pass
        for number, _ in enumerate(run.write(), start=1):
            if number == steps:
                break
        about = RunFacts(
            ending=Ending.FINISHED,
            message="",
            system="wordpress",
            path="blog.xml",
            source=source,
            dry_run=False,
            started_at=NOW,
            ended_at=NOW + timedelta(minutes=2),
        )
        report = ReportFiles.reserve(folder / "report.json")
        write_report(report, replace(about, **facts), spool)
    return json.loads(report.path.read_text("utf-8")), report.page.read_text("utf-8")


@requirement("import.report.contents")
def test_the_report_has_every_post_with_what_became_of_it(tmp_path: Path, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://new.example")

    found, page = report_of(
        tmp_path,
        entry(1, body=f"One\n\n[gone]({OLD}/gone/)", former_urls=(f"{OLD}/?p=1", f"{OLD}/blog/x")),
        draft(2),
        scheduled(3, NOW + timedelta(days=1)),
        entry(4, title="t" * 256),
        Omitted("9", "About", "page", "blog.xml:99", f"{OLD}/about/"),
    )

    assert found["summary"] == {
        **{
            "posts": 4,
            "published": 1,
            "scheduled": 1,
            "draft": 1,
            "updated": 0,
            "unchanged": 0,
            "kept": 0,
            "skipped": 1,
        },
        **{"unreadable": 0, "omitted": 1, "images": 0, "redirects": 3, "losses": {"link": 1, "skipped": 1}},
    }
    assert (found["format"], found["ending"], found["dry_run"]) == (1, "finished", False)
    assert found["source"] == {"system": "wordpress", "path": "blog.xml", "blog": "old.example", "url": OLD}
    first = next(post for post in found["posts"] if post["source_id"] == "1")
    assert first == {
        "source_id": "1",
        "title": "Post 1",
        "where": "blog.xml:1",
        "status": "published",
        "result": "published",
        "old_url": f"{OLD}/2019/post-1/",
        "old_url_guess": None,
        "new_url": "https://new.example/blog/post-1",
        "redirects": ["/2019/post-1/", "/?p=1", "/blog/x"],
        "losses": [
            {
                "kind": "link",
                "message": f"The link leads to a part of the old blog that was not imported: {OLD}/gone/",
                "line": 3,
            }
        ],
    }
    skipped = next(post for post in found["posts"] if post["source_id"] == "4")
    assert (skipped["result"], skipped["new_url"], skipped["redirects"]) == ("skipped", None, [])
    assert found["redirects_outside"] == ["/2019/post-1/", "/?p=1"]
    assert found["omitted"] == [
        {
            **{"source_id": "9", "title": "About", "what": "page", "where": "blog.xml:99"},
            **{"url": f"{OLD}/about/", "unreadable": None},
        }
    ]
    for text in (
        "Post 1",
        "https://new.example/blog/post-1",
        "line 3 of the text",
        "About",
        "Posts that could not be stored",
    ):
        assert text in page


@requirement("import.redirects.advice")
def test_the_report_says_once_what_the_redirects_need(tmp_path: Path, settings: Any) -> None:
    line = "blog_engine.middleware.RedirectMiddleware"
    for number, (middleware, base) in enumerate([([], None), ([line], OLD), ([line], "https://www.old.example")]):
        settings.MIDDLEWARE = [*settings.MIDDLEWARE, *middleware]
        settings.BLOG_ENGINE = blog_settings(public_base_url=base)
        folder = tmp_path / str(number)
        folder.mkdir()

        found, _ = report_of(folder, *(entry(one) for one in range(3)))

        steps = " ".join(found["next_steps"])
        assert steps.count(line) == (0 if middleware else 1)
        assert ("old.example" in steps) == (base is None)


@requirement("import.report.page")
def test_texts_of_the_source_are_text_in_the_page(tmp_path: Path) -> None:
    found, page = report_of(
        tmp_path,
        entry(1, title=EVIL, where=EVIL, url="javascript:alert(1)", body=f"[x](/gone/{EVIL})"),
        Omitted(EVIL, EVIL, EVIL, EVIL),
        path=EVIL,
        message=EVIL,
        ending=Ending.FAILED,
    )

    assert found["posts"][0]["title"] == EVIL
    assert "<script" not in page
    assert 'href="javascript' not in page
    assert re.findall(r"(?:src|href)=\"(?!#|http://|https://|/)", page) == []
    assert ("@import" in page, "url(" in page) == (False, False)


@requirement("import.report")
def test_the_report_of_an_ending_before_the_end_says_so(tmp_path: Path) -> None:
    posts = [entry(1), entry(2), draft(3)]

    found, page = report_of(tmp_path, *posts, steps=1, ending=Ending.INTERRUPTED)

    assert [post["result"] for post in found["posts"]] == ["published", "not_reached", "not_reached"]
    assert (found["ending"], found["next_steps"][0][:26]) == ("interrupted", "Run the same command again")
    assert "The import was interrupted." in page


def test_a_refused_source_has_a_report_without_posts(tmp_path: Path) -> None:
    with Spool() as spool:
        source = OldBlogSource([entry(1)], fault="blog.xml:7: truncated")
        run = ImportRun(source, spool, now=NOW)
        with pytest.raises(SourceRefused):
            list(run.read())
        facts = RunFacts(Ending.REFUSED, "blog.xml:7: truncated", "wordpress", "blog.xml", None, False, NOW, NOW)
        report = ReportFiles.reserve(tmp_path / "report")
        write_report(report, facts, spool)

    found = json.loads((tmp_path / "report.json").read_text())
    assert (found["posts"], found["message"]) == ([], "blog.xml:7: truncated")
    assert found["next_steps"][0].startswith("Nothing was stored.")


def test_a_report_never_overwrites_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("mine")

    with pytest.raises(FileExistsError):
        ReportFiles.reserve(tmp_path / "a.json")
    first = ReportFiles.reserve_unused(tmp_path, now=NOW)
    second = ReportFiles.reserve_unused(tmp_path, now=NOW)

    assert not (tmp_path / "a.json").exists()
    assert (tmp_path / "a.html").read_text() == "mine"
    assert first.path.name == "import-report-20261121T120000Z.json"
    assert second.path.name == "import-report-20261121T120000Z-2.json"


def test_any_character_can_be_reported(tmp_path: Path) -> None:
    path = "a\ud800b.xml"

    found, page = report_of(tmp_path, entry(1), path=path, message=path)

    assert (found["source"]["path"], "a\\ud800b.xml" in page) == (path, True)


@pytest.mark.heavy
def test_a_long_report_is_complete(tmp_path: Path) -> None:
    posts = [draft(number, status=SourceStatus.DRAFT, url=None) for number in range(120)]

    found, page = report_of(tmp_path, *posts)

    assert len(found["posts"]) == 120
    assert page.count("<td>draft</td>") == 120
