"""Metadata and README name the same project, with links that work anywhere."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from blog_engine import DOCUMENTATION, PROJECT
from tests.requirements import requirement

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
LINKS = re.findall(r"\]\(([^)]+)\)", README)


def metadata() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return project


@requirement("host.project-urls")
def test_the_metadata_name_the_project() -> None:
    urls = metadata()["urls"]

    assert urls.keys() >= {"Homepage", "Documentation", "Changelog", "Issues", "Source"}
    assert urls["Homepage"] == PROJECT
    assert [url for url in urls.values() if not url.startswith(PROJECT)] == []
    assert urls["Documentation"].startswith(DOCUMENTATION)


@requirement("host.project-urls")
@pytest.mark.parametrize("link", sorted(set(LINKS)))
def test_a_link_of_the_readme_is_absolute_and_leads_to_a_file(link: str) -> None:
    assert link.startswith("https://")
    for place in ("blob", "raw"):
        start = f"{PROJECT}/{place}/main/"
        if link.startswith(start):
            assert (ROOT / link.removeprefix(start).partition("#")[0]).exists()
            return
    assert not link.startswith(PROJECT)


@requirement("host.project-urls")
def test_the_readme_says_how_to_install_from_a_checkout() -> None:
    section = README.partition("## Install it in your site")[2].partition("\n## ")[0]

    assert len(LINKS) > 10
    assert f"git clone {PROJECT}\n" in section
    assert 'pip install "./blog-engine[magic]"' in section
