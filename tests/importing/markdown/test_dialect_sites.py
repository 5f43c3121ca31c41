"""Sites with all that a dialect of Markdown has, which their programs built; see ``scripts/exports/markdown/make``."""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from blog_engine.content.html import write_html
from blog_engine.content.rendering import sanitized
from blog_engine.enums import BodyFormat
from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.source import SourcePost
from tests.content.bodies import render_options
from tests.importing.markdown.sites import FOLDER, PROGRAMS
from tests.requirements import requirement
from tests.support.programs import eleventy_program, environment, hugo_program, jekyll_program, output_of

MAKE = FOLDER.parents[2] / "scripts" / "exports" / "markdown" / "make"
SITES = FOLDER / "dialects"
SIGNS = str.maketrans({0x201C: '"', 0x201D: '"', 0x2018: "'", 0x2019: "'", 0x2013: "-", 0x2026: "...", 0xFE0E: None})
"""The marks of typography, and plain ones."""


def posts_in(program: str) -> dict[str, SourcePost]:
    """Return the posts of a site by the paths of their pages."""
    items = open_markdown(SITES / program, url="https://boats.example", media=None).items()
    posts = (item for item in items if isinstance(item, SourcePost))
    return {urlsplit(post.url or "").path: post for post in posts}


def words_in(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text.translate(SIGNS))


def shown_words(post: SourcePost) -> list[str]:
    options = render_options(images={}, hard_breaks=True)
    html = write_html(sanitized(post.body, body_format=BodyFormat.MARKDOWN, options=options))
    return words_in(unescape(re.sub(r"<[^>]*>", " ", html)))


DIFFERENCES = {
    "jekyll": {
        # Browsers show the marks of <q>.
        "/2024/01/02/html.html": ("", '" "'),
        # The page here has a table of contents of its own; the formula has the marks of a script there.
        "/2024/01/03/kramdown.html": ("Head Other head Third head [ \\ \\ ]", ""),
    },
    "pelican": {
        "/html.html": ("", '" "'),
        # The number of a line of code, which readers see here as well, and the table of contents.
        "/extensions.html": ("1 Head Other head", ""),
    },
    "eleventy": {"/posts/html/": ("", '" "')},
    # The result of an expression, which is named.
    "astro": {"/blog/jsx/": ("2", "")},
}
"""Of each page, the words that are missing here, and those that are added."""


@requirement("import.markdown.words")
@pytest.mark.parametrize("program", PROGRAMS)
def test_no_word_is_missing_and_none_is_added(program: str) -> None:
    saved = json.loads((SITES / f"words-{program}.json").read_text("utf-8"))
    posts = posts_in(program)

    differing = {}
    for path, text in saved.items():
        theirs, ours = Counter(words_in(text)), Counter(shown_words(posts[path]))
        if theirs != ours:
            differing[path] = (theirs - ours, ours - theirs)

    assert differing == {
        path: (Counter(missing.split()), Counter(added.split()))
        for path, (missing, added) in DIFFERENCES.get(program, {}).items()
    }
    assert posts.keys() == saved.keys()


@requirement("import.markdown.words")
@pytest.mark.parametrize(
    ("name", "program"),
    [
        pytest.param("hugo", hugo_program, marks=pytest.mark.hugo),
        pytest.param("jekyll", jekyll_program, marks=pytest.mark.jekyll),
        pytest.param("eleventy", eleventy_program, marks=pytest.mark.eleventy),
    ],
)
def test_the_words_are_those_of_the_program(name: str, program: Callable[[], str | None]) -> None:
    folder = str(Path(program() or "").parent)

    shown = output_of([sys.executable, str(MAKE), "--print", f"dialects/{name}"], env=environment({"PROGRAMS": folder}))

    assert json.loads(shown) == json.loads((SITES / f"words-{name}.json").read_text("utf-8"))
