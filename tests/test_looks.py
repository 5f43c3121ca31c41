"""The page about looks names what it can, and the examples keep to settings, a stylesheet and few templates."""

import re
from pathlib import Path

import pytest

from blog_engine.conf.brand import Brand
from blog_engine.conf.groups import Palette

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "how-to" / "change-the-look.md").read_text("utf-8")
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/settings.py"))

_PROPERTY = re.compile(r"^\s*(--blog-[a-z0-9-]+):", re.MULTILINE)
_OTHER_FILES = {".css", ".woff2", ".svg", ".txt", ".md"}
_MOST_TEMPLATES = 3


def test_the_page_names_every_key_of_the_brand() -> None:
    only_in_the_reference = {"logo_has_name", "icon_url"}

    assert [
        key
        for key in Brand.model_fields.keys() - only_in_the_reference
        if f"`{key}`" not in PAGE and f'"{key}":' not in PAGE
    ] == []


def test_the_page_names_every_colour_and_width() -> None:
    theme = (ROOT / "blog_engine" / "static" / "blog_engine" / "theme.css").read_text("utf-8")
    colors = {f"--blog-{name.replace('_', '-')}" for name in Palette.model_fields}
    widths = {name for name in _PROPERTY.findall(theme) if name.endswith("-width")}

    assert len(widths) > 4
    assert [name for name in sorted(colors | widths) if f"`{name}`" not in PAGE] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_settings_a_stylesheet_and_few_templates(example: Path) -> None:
    files = [path for path in example.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    templates = [path for path in files if path.suffix == ".html"]
    stylesheets = [path for path in files if path.suffix == ".css"]
    code = [path.name for path in files if path.suffix == ".py"]
    others = [path for path in files if path.suffix not in {".html", ".py", *_OTHER_FILES}]

    assert len(templates) <= _MOST_TEMPLATES
    assert len(stylesheets) <= 1
    assert sorted(code) == ["__init__.py", "settings.py"]
    assert others == []
