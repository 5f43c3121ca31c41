"""The report of an import, as JSON and as a page."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from blog_engine.importing.loss_groups import KINDS, LossArea, alike_of
from blog_engine.importing.pipeline import ImportRun
from blog_engine.importing.report import RunFacts, write_report
from blog_engine.importing.report_files import Ending, ReportFiles
from blog_engine.importing.source import Item, Loss, LossKind, Omitted, SourcePost, SourceRefused, SourceStatus
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


def losing(number: int, *losses: tuple[LossKind, str, int | None]) -> SourcePost:
    return draft(number, losses=tuple(Loss(*one) for one in losses))


@requirement("import.report.groups")
def test_equal_losses_are_one_group_with_the_most_frequent_words_first(tmp_path: Path) -> None:
    field = "These fields have no place here: author_email."
    posts = [
        losing(
            number,
            (LossKind.FIELD, field, None),
            (
                LossKind.LINK,
                f"The link leads to a part of the old blog that was not imported: {OLD}/{number % 2}",
                number,
            ),
            (LossKind.SHORTCODE, f'[form id="{number}" title="T {number}"] was left out', 7),
        )
        for number in range(1, 31)
    ]

    found, page = report_of(tmp_path, *posts, losing(40, (LossKind.SHORTCODE, "[map] was left out", 1)))

    groups = [(one["kind"], one["count"], one["posts"]) for one in found["loss_groups"]]
    assert groups == [("field", 30, 30), ("link", 30, 30), ("shortcode", 30, 30), ("shortcode", 1, 1)]
    links = found["loss_groups"][1]["examples"]
    assert [(one["count"], one["title"], one["line"]) for one in links] == [(15, "Post 1", 1), (15, "Post 10", 10)]
    assert page.index('id="shortcode"') < page.index('id="link"') < page.index('id="field"')
    assert page.count(field) == 1
    assert "and 27 like these" in page
    assert "line 7 of the text" in page


@requirement("import.report.groups")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The slug 0.2.0-released is 0-2-0-released here: x", "The slug about is about-2 here: x"),
        ('{{< quote name="Ada" >}} was left out', '{{< quote name="B" title="C" >}} was left out'),
        ("{% include a.html b=1 %} was left out", "{% include c.html %} was left out"),
        ("It is called “A b” here", "It is called “C” here"),
        ("<img>: only its text is kept (3 times)", "<img>: only its text is kept (40 times)"),
        ("/i.svg: i.svg is an SVG drawing", "b/logo.svg: logo.svg is an SVG drawing"),
    ],
)
def test_names_and_numbers_do_not_part_a_group(one: str, other: str) -> None:
    assert alike_of(one) == alike_of(other)


@requirement("import.report.groups")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[form a] was left out", "[map a] was left out"),
        ("{{< quote a >}} was left out", "{{< figure a >}} was left out"),
        ("<form>: only its text is kept", "<u>: only its text is kept"),
        ("The further category News is a tag now", "The further category Boats is a tag now"),
    ],
)
def test_different_losses_are_different_groups(one: str, other: str) -> None:
    assert alike_of(one) != alike_of(other)


def test_every_kind_of_loss_has_its_place_in_the_report() -> None:
    assert set(KINDS) == set(LossKind)
    assert [area for area, _ in groupby(known.area for known in KINDS.values())] == list(LossArea)


@requirement("import.report.page")
def test_the_page_of_a_large_import_is_small_and_the_rest_is_in_the_other_file(tmp_path: Path) -> None:
    long = '<&"' * 60
    with Spool() as spool:
        for number in range(2_000):
            kinds = LossKind if number < 100 else ()
            losses = tuple(Loss(kind, f"{chr(number + 0x4E00)} {long}", 3) for kind in kinds)
            post = draft(number, title=long[:200], where=long, url=f"{OLD}/{number}/{'x' * 300}", losses=losses)
            spool.add(post)
            spool.add(Omitted(str(number), long, f"{long} {number}", long))
        spool.arrange()
        for planned in spool.posts():
            spool.add_losses(planned.id, planned.post.losses)
        facts = RunFacts(Ending.INTERRUPTED, "", "wordpress", "blog.xml", None, False, NOW, NOW)
        report = ReportFiles.reserve(tmp_path / "report.json")
        write_report(report, facts, spool)

    page = report.page.read_text("utf-8")
    assert len(page.encode()) < 300_000
    assert "more posts, and each loss of each post, are in report.json" in page
    assert "more kinds are in report.json" in page
    assert len(json.loads(report.path.read_text("utf-8"))["posts"]) == 2_000


@requirement("import.report.page")
def test_posts_that_are_not_here_come_first(tmp_path: Path) -> None:
    _, page = report_of(tmp_path, entry(1), entry(2), entry(3, title="t" * 256))

    posts = page[page.index('<h2 id="posts">') :]
    assert posts.index("skipped") < posts.index("Post 1")


@requirement("import.report.verdict")
@pytest.mark.parametrize(
    ("losses", "is_ready", "words"),
    [
        ([], True, "Ready to publish."),
        ([LossKind.FIELD, LossKind.DATE], True, "Ready to publish."),
        ([LossKind.LINK, LossKind.IMAGE], True, "Ready to publish; 1 post with other links or images."),
        ([LossKind.SHORTCODE], False, "Look at the report before you publish: 1 post not whole"),
    ],
)
def test_the_report_says_whether_to_publish(tmp_path: Path, losses: list[LossKind], is_ready: bool, words: str) -> None:
    found, page = report_of(tmp_path, draft(1, losses=tuple(Loss(kind, "x") for kind in losses)), draft(2))

    assert (found["verdict"]["ready"], found["verdict"]["message"][: len(words)]) == (is_ready, words)
    assert found["verdict"]["message"] in page


@requirement("import.report.verdict")
def test_posts_that_are_missing_are_no_success(tmp_path: Path) -> None:
    skipped, _ = report_of(tmp_path, entry(1), entry(3, title="t" * 256))
    (tmp_path / "b").mkdir()
    stopped, _ = report_of(tmp_path / "b", entry(4), steps=1, ending=Ending.INTERRUPTED)

    assert skipped["verdict"]["message"] == "Look at the report before you publish: 1 post could not be stored."
    assert stopped["verdict"] == {
        "ready": False,
        "message": "Do not publish yet: the import did not come to its end.",
    }


@requirement("import.images.reason")
def test_media_are_asked_for_only_if_an_image_is_nowhere(tmp_path: Path) -> None:
    drawing, _ = report_of(tmp_path, draft(1, body="![a](/i.svg)"))
    (tmp_path / "b").mkdir()
    absent, _ = report_of(tmp_path / "b", draft(2, body="![a](/i.png)"))

    assert ["MEDIA" in " ".join(one["next_steps"]) for one in (drawing, absent)] == [False, True]
