"""A report as a whole: what comes first where not everything can be fetched (records.md 16)."""

import pytest

from blog_engine.enums import ReportResult, ReportScope
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SaveRedirect
from blog_engine.services import add_redirect
from blog_engine.surface_report import site as sites
from blog_engine.surface_report import web
from blog_engine.surface_report.report import make_report
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, publish, save
from tests.surface_report.looking import BASE, TODAY, StagedWeb

pytestmark = pytest.mark.django_db


class Few(StagedWeb):
    """The blog itself answers."""

    def __init__(self, origin: str | None, *, application: object) -> None:
        super().__init__({}, origin=origin or BASE)


@requirement("surface-report.bounds")
def test_what_was_asked_for_is_looked_at_before_the_thousands_that_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    publish(save(slug="soil", body="Dark.", provenance="human_written").post)
    for number in range(100):
        add_redirect(
            parse(SaveRedirect, {"old_path": f"/blog/old-{number}", "new_path": "soil"}), actor=EDITOR, now=NOW
        )
    monkeypatch.setattr(sites, "Web", Few)
    monkeypatch.setattr(web, "MOST_URLS", 60)

    report = make_report(ReportScope.POST, post="soil", page=1, per_page=50, reach=True, now=TODAY)

    assert len(report.limitations) == 1
    open_questions = [row.predicate for row in report.rows if row.observation.result == ReportResult.NOT_VERIFIED]
    assert "T4" in open_questions
    assert not {"E6", "T1", "T14"} & set(open_questions)
