"""The code of the previous release on the tables of this one, as during a roll over several hosts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.upgrade.previous_release import BETWEEN, SEARCHES, Upgraded, previous_release

pytestmark = [pytest.mark.heavy, pytest.mark.xdist_group("previous release")]

COMPLETED = {"feed ids": "lack the permanent feed id", "images": "lack the note of the images in their body"}


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    with previous_release(tmp_path_factory.mktemp("previous")) as site:
        yield site


@requirement("host.upgrade.rolling", "host.upgrade.completed")
def test_the_previous_release_serves_on_the_new_tables_and_what_it_writes_is_completed(upgraded: Upgraded) -> None:
    before = upgraded.traffic("before")
    upgraded.new_manage("migrate", "--verbosity=0")

    after = upgraded.traffic("after")

    assert {what: status for what, status in before.items() if not 200 <= status < 300 and "found" not in what} == {}
    assert _without_names(after) == {
        what: answer * 2 if "found" in what else answer for what, answer in _without_names(before).items()
    }
    assert all(before[f"found {words}"] == 1 for words in SEARCHES)

    warned = _records(upgraded)
    assert {what: sentence in warned for what, sentence in COMPLETED.items()} == dict.fromkeys(COMPLETED, True)
    rendered = upgraded.new_manage("render_posts").splitlines()
    upgraded.new_manage("make_checkpoint")
    # Those of before too, if the tables became the new ones within the time by which clocks may differ.
    assert {f"Completed {number} posts that an earlier version wrote" for number in (3, 6)} & set(rendered)
    assert _records(upgraded).startswith("ok: Records")
    assert "Completed 0 posts that an earlier version wrote" in upgraded.new_manage("render_posts").splitlines()


@requirement("host.upgrade.history", "host.upgrade.rolling")
def test_a_site_between_two_releases_is_upgraded_with_its_history(tmp_path: Path) -> None:
    with previous_release(tmp_path, BETWEEN) as site:
        before = site.traffic("before")
        site.new_manage("migrate", "--verbosity=0")
        after = site.traffic("after")
        site.new_manage("render_posts")
        site.new_manage("make_checkpoint")
        records = _records(site)

    assert {what: status for what, status in before.items() if not 200 <= status < 300 and "found" not in what} == {}
    assert _without_names(after) == {
        what: answer * 2 if "found" in what else answer for what, answer in _without_names(before).items()
    }
    assert records.startswith("ok: Records")


def _without_names(answers: dict[str, int]) -> dict[str, int]:
    return {what.replace("before", "…").replace("after", "…"): answer for what, answer in answers.items()}


def _records(site: Upgraded) -> str:
    """Return what the doctor says of the records."""
    (found,) = (line for line in site.new_manage("blog_doctor").splitlines() if "Records — " in line)
    return found
