"""``docs/customising.md`` names what there is."""

import re
from pathlib import Path

import pytest

import blog_engine
from blog_engine.reader.page import PageKind

PACKAGE = Path(blog_engine.__file__).parent
GUIDE = (PACKAGE.parent / "docs" / "customising.md").read_text("utf-8")
TEMPLATES = PACKAGE / "templates" / "blog_engine"
OURS = re.compile(r"\{% block (head|content|blog_\w+) %\}")


def documented_blocks() -> dict[str, set[str]]:
    rows = re.findall(r"^\| `(\w+\.html)`[^|]*\| (`.+`) \|$", GUIDE, re.MULTILINE)
    return {template: set(re.findall(r"`(\w+)`", cell)) for template, cell in rows}


@pytest.mark.parametrize(
    "template", ["layout.html", "index.html", "list.html", "search.html", "post.html", "policy.html", "error.html"]
)
def test_the_blocks_are_those_of_the_template(template: str) -> None:
    blocks = set(OURS.findall((TEMPLATES / template).read_text("utf-8")))
    filled = set() if template == "layout.html" else {"head", "content"}

    assert documented_blocks()[template] == blocks - filled


def test_the_properties_are_those_of_the_theme() -> None:
    theme = (PACKAGE / "static" / "blog_engine" / "theme.css").read_text("utf-8")
    given = set(re.findall(r"^\s*(--blog-[a-z0-9-]+):", theme, re.MULTILINE))
    named = set(re.findall(r"--blog-[a-z0-9-]+", GUIDE))

    assert named
    assert named - given == set()


def test_the_includes_are_all_named() -> None:
    assert set(re.findall(r"`(_\w+\.html)`", GUIDE)) == {path.name for path in TEMPLATES.glob("_*.html")}


def test_the_kinds_of_page_are_all_named() -> None:
    sentence = GUIDE.partition("`page.kind` is ")[2].partition(". ")[0]

    assert set(re.findall(r"`(\w+)`", sentence)) == set(PageKind)
