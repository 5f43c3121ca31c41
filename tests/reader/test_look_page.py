"""docs/how-to/change-the-look.md names only properties that the theme has."""

import re
from pathlib import Path

import blog_engine

PACKAGE = Path(blog_engine.__file__).parent
GUIDE = (PACKAGE.parent / "docs" / "how-to" / "change-the-look.md").read_text("utf-8")


def test_the_properties_are_those_of_the_theme() -> None:
    theme = (PACKAGE / "static" / "blog_engine" / "theme.css").read_text("utf-8")
    defined = set(re.findall(r"^\s*(--blog-[a-z0-9-]+):", theme, re.MULTILINE))
    named = set(re.findall(r"--blog-[a-z0-9-]+", GUIDE))

    assert named
    assert named - defined == set()
