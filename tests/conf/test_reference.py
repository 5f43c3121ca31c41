import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from reference_pages import settings

from blog_engine.conf.faults import group_of, requirement_of
from blog_engine.conf.model import BlogSettings
from tests.test_documentation import slug_of

ROOT = Path(__file__).resolve().parents[2]


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "reference"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.heavy
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


PAGE = settings.write()
ROWS = {
    row[0]: row
    for line in PAGE.splitlines()
    if (row := re.findall(r"(?<=\| )(?:\\\||[^|])+(?= \|)", line)) and row[0].startswith("`")
}
"""The rows of the tables, by their first cell."""


def settings_in(group: type[BaseModel], path: str = "") -> Iterator[tuple[str, type[BaseModel], FieldInfo]]:
    """Yield every setting at every depth with its dotted name and the class that declares it."""
    for key, field in group.model_fields.items():
        declaring = [kind for kind in group.__mro__ if issubclass(kind, BaseModel) and key in kind.model_fields]
        yield f"{path}{key}", declaring[-1], field
        if nested := group_of(field):
            entry = "[0]" if isinstance(field.default, tuple) else ""
            yield from settings_in(nested, f"{path}{key}{entry}.")


SETTINGS = list(settings_in(BlogSettings))


def default_in_words(field: FieldInfo) -> str:
    if field.is_required():
        return "**required**"
    if isinstance(field.default, BaseModel):
        return "`{}`"
    if isinstance(field.default, tuple):
        entries = (f'"{entry}"' if isinstance(entry, str) else str(entry) for entry in field.default)
        return f"`[{', '.join(entries)}]`"
    return f'`"{field.default}"`' if isinstance(field.default, str) else f"`{field.default}`"


def test_every_key_of_every_dictionary_is_described_with_its_default() -> None:
    places: dict[tuple[type[BaseModel], str], list[str]] = {}
    for name, group, _ in SETTINGS:
        places.setdefault((group, name.rpartition(".")[2]), []).append(name)
    # Equal dictionaries have one table.
    rows = {place: [ROWS[f"`{name}`"] for name in names if f"`{name}`" in ROWS] for place, names in places.items()}

    assert len(SETTINGS) > 150
    assert {place for place, found in rows.items() if len(found) == 0} == set()
    nested = [place for place in rows if place[0] is not BlogSettings]
    assert [
        place for place in nested for row in rows[place] if row[2] != default_in_words(place[0].model_fields[place[1]])
    ] == []


def test_what_a_setting_must_be_is_never_text_for_another_type() -> None:
    wrong = [
        name
        for name, _, field in SETTINGS
        if requirement_of(field).startswith("text") and field.annotation not in (str, str | None)
    ]

    assert wrong == []


def test_the_links_to_the_keys_of_a_dictionary_lead_to_its_table() -> None:
    headings = {slug_of(heading) for heading in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)}
    links = re.findall(r"\]\(#([^)]+)\)", PAGE)

    assert len(links) > 5
    assert set(links) - headings == set()
