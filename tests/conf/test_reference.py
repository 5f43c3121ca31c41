import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "reference"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_the_reference_pages_are_those_of_the_code() -> None:
    done = _run("--check")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.heavy
def test_a_page_that_differs_is_named_and_rewritten(tmp_path: Path) -> None:
    _run("--docs", str(tmp_path))
    page = tmp_path / "reference" / "settings.md"
    made = page.read_text("utf-8")
    page.write_text(made.replace("`feed_size`", "`feed_length`"), "utf-8")

    compared = _run("--docs", str(tmp_path), "--check")
    written = _run("--docs", str(tmp_path))

    assert (compared.returncode, written.returncode) == (1, 0)
    assert str(page) in compared.stderr
    assert page.read_text("utf-8") == made
