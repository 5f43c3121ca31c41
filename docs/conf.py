"""Sphinx builds docs/ into a site: scripts/docs."""

import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "example_site.settings")

import django  # noqa: E402

django.setup()

from reference_pages import openapi, tools  # noqa: E402

project = "blog_engine"
copyright = "The blog_engine developers"
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "blog_engine"
html_copy_source = False
myst_heading_anchors = 4
# Rules of the contract are anchors in raw HTML, which MyST does not know. tests/test_documentation.py checks that every
# linked file and anchor exists.
suppress_warnings = ["myst.xref_missing"]

TABLES = {
    "reference/openapi": openapi.write,
    "reference/tools": tools.write,
}


REPLACED = "<!-- scripts/docs replaces what follows"


def add_tables(app: Any, name: str, source: list[str]) -> None:
    """Replace the note for readers of the repository with what is made from code."""
    if name in TABLES:
        source[0] = source[0].partition(REPLACED)[0] + TABLES[name]()


def setup(app: Any) -> None:
    """Connect the function above; Sphinx calls this."""
    app.connect("source-read", add_tables)
