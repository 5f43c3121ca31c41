"""docs/explanation/security.md names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = sorted(
    set(re.findall(r"`(tests/[a-z_/]+\.py)`", (ROOT / "docs" / "explanation" / "security.md").read_text("utf-8")))
)


def test_every_test_that_the_page_names_is_there() -> None:
    assert [name for name in NAMED if not (ROOT / name).is_file()] == []
    assert len(NAMED) > 30
