"""Disclosure reports: which posts they have, what they say, and files that verify."""

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command

from blog_engine.models import PolicyPage
from tests.support.factories import LATER, NOW, approve, save, unpublish, update

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def name_party() -> None:
    PolicyPage.objects.create(kind="responsible_party", slug="imprint", title="Imprint", status="published")


def test_demo():
    import shutil
    shutil.rmtree("/tmp/w/dossier-out", ignore_errors=True)
    name_party()
    a = save(title="Winter garden", publish=True, provenance="ai_assisted", made_by_ai=True, body="Snow.").post
    approve(a, now=NOW + timedelta(hours=2))
    update(a, now=NOW + DAY, body="Snow and ice.", change="correction", note="An earlier version had no ice.")
    b = save(title="=HYPERLINK(1) <script>alert(1)</script>", publish=True, provenance="human_written", body="Stone.").post
    c = save(title="البحر والميناء", publish=True, body="Sea.").post
    unpublish(c, now=NOW + DAY * 2)
    d = save(title="Checked before", provenance="ai_assisted", made_by_ai=True, body="Checked.").post
    approve(d, now=NOW + timedelta(minutes=5))
    from tests.support.factories import publish
    publish(d, now=NOW + timedelta(minutes=10))
    update(d, now=NOW + DAY * 1, title="Checked twice", change="substantive")
    from blog_engine.queries.posts import read_post
    approve(read_post(d.pk), now=NOW + DAY * 1)
    call_command("make_checkpoint")
    save(title="After the checkpoint", publish=True, provenance="ai_assisted", body="Late.")
    call_command("disclosure_report", "FROM=2026-11-01", "TO=2026-12-31", "OUTPUT=/tmp/w/dossier-out")
