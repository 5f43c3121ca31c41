"""Every link in the documentation leads to a file and a heading or rule that exists."""

import re
from functools import cache
from pathlib import Path

import pytest

from blog_engine import PROJECT

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("benchmarks/**/*.md"))]
_FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`+)[^`].*?\1")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_ANCHOR = re.compile(r'<a id="([^"]+)">')
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_TEXT_OF_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def prose_of(page: Path) -> str:
    """Return the text of a page without its blocks of code."""
    return _FENCE.sub("", page.read_text("utf-8"))


def slug_of(heading: str) -> str:
    """Return the anchor that GitHub and MyST give a heading."""
    text = _TEXT_OF_LINK.sub(r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@cache
def anchors_of(page: Path) -> frozenset[str]:
    """Return everything that a link to the page can name after ``#``."""
    prose = prose_of(page)
    return frozenset({*_ANCHOR.findall(prose), *map(slug_of, _HEADING.findall(prose))})


def target_of(page: Path, link: str) -> tuple[Path, str] | None:
    """Return the file and the anchor that a link names, or ``None`` for another site."""
    for place in ("blob", "raw"):
        start = f"{PROJECT}/{place}/main/"
        if link.startswith(start):
            path, _, anchor = link.removeprefix(start).partition("#")
            return ROOT / path, anchor
    if re.match(r"[a-z]+:", link):
        return None
    path, _, anchor = link.partition("#")
    return (page.parent / path).resolve() if path else page, anchor


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file_and_an_anchor(page: Path) -> None:
    broken = []
    for link in _LINK.findall(_CODE.sub("", prose_of(page))):
        target = target_of(page, link)
        if target is None:
            continue
        file, anchor = target
        if not file.exists() or (anchor and anchor not in anchors_of(file)):
            broken.append(link)

    assert broken == []


def test_the_pages_of_the_site_do_not_link_out_of_it() -> None:
    outside = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in sorted((ROOT / "docs").rglob("*.md"))
        for link in _LINK.findall(_CODE.sub("", prose_of(page)))
        if not re.match(r"[a-z]+:|#", link) and not (page.parent / link).resolve().is_relative_to(ROOT / "docs")
    ]

    assert outside == []


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("In your own sitemap", "in-your-own-sitemap"),
        ("`blog_engine.public`", "blog_enginepublic"),
        ("[Search](search.md), and *more*", "search-and-more"),
    ],
)
def test_a_heading_has_the_anchor_of_its_words(heading: str, slug: str) -> None:
    assert slug_of(heading) == slug
