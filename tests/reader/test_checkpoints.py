"""The published checkpoints, ``<mount>/checkpoints/…``."""

import pytest
from django.test import Client

from blog_engine.models import Checkpoint
from blog_engine.services import make_checkpoint
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, save

pytestmark = pytest.mark.django_db


@requirement("proof.published")
def test_checkpoints_are_published_without_a_token() -> None:
    save(publish=True)
    make_checkpoint(now=NOW)
    save(title="Another", publish=True)
    make_checkpoint(now=LATER)
    client = Client()

    first, second, latest = (client.get(f"/blog/checkpoints/{name}") for name in ("1", "2", "latest"))

    stored = Checkpoint.objects.get(number=2)
    assert second.json() == latest.json()
    assert second.json() == {
        "format": "blog_engine.checkpoint/1",
        "number": 2,
        "created_at": "2026-11-21T13:00:00.711000Z",
        "boundary": stored.boundary,
        "size": 2,
        "root": stored.root,
        "previous": first.json()["hash"],
        "hash": stored.hash,
    }
    assert latest["Content-Type"] == "application/json"
    assert (first["Cache-Control"], latest["Cache-Control"]) == (
        "max-age=3600, public",
        "max-age=0, private, must-revalidate",
    )
    again = client.get("/blog/checkpoints/latest", headers={"If-None-Match": latest["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@requirement("proof.published")
@pytest.mark.parametrize("name", ["latest", "1", "2", "0", "01", "x", "9999999999", ""])
def test_there_is_no_page_for_another_checkpoint(name: str) -> None:
    if name == "2":
        save(publish=True)
        make_checkpoint(now=NOW)

    assert Client().get(f"/blog/checkpoints/{name}").status_code == 404
