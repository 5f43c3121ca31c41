"""Former URLs as Hugo and Jekyll make them; where the programs are installed, they decide."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from blog_engine.importing.source import SourcePost
from tests.importing.markdown.sites import read, write_file
from tests.importing.markdown.url_cases import HUGO_CASES, JEKYLL_CASES, UrlCase
from tests.requirements import requirement
from tests.support.programs import environment, hugo_program, jekyll_program, output_of

CASES = (*HUGO_CASES, *JEKYLL_CASES)


def name_of(case: UrlCase) -> str:
    return f"{case.program}: {case.name[:40]}"


def site_of(case: UrlCase, folder: Path) -> Path:
    for place, text in case.files().items():
        write_file(folder / place, text)
    return folder


@requirement("import.markdown.urls", "import.markdown.dates")
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_former_urls_follow_the_rules_of_the_program(tmp_path: Path, case: UrlCase) -> None:
    posts = [item for item in read(site_of(case, tmp_path)) if isinstance(item, SourcePost)]

    found = {post.base + "/" + post.where.rpartition("/")[2]: unquote(urlsplit(post.url or "").path) for post in posts}
    folder = "content/" if case.program == "hugo" else ""
    named = {name if name.startswith("content/") else folder + name: path for name, path in case.paths.items()}
    assert found == named
    assert {post.url_guess for post in posts} == {""}


@requirement("import.markdown.urls")
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=getattr(pytest.mark, case.program), id=name_of(case)) for case in CASES],
)
def test_the_program_makes_these_pages(tmp_path: Path, case: UrlCase) -> None:
    site = site_of(case, tmp_path / "site")
    program = (hugo_program if case.program == "hugo" else jekyll_program)() or ""
    arguments = ["--quiet"] if case.program == "hugo" else ["build", "--quiet"]
    built = site / ("public" if case.program == "hugo" else "_site")

    output_of([program, *arguments], cwd=site, env=environment({"LANG": "C.UTF-8"}))

    pages = {f"/{page.relative_to(built)}" for page in built.rglob("*.html") if page.is_file()}
    shown = {page for page in pages if "<main>" in (built / page[1:]).read_text("utf-8")}
    assert shown == {file_of(path, shown) for path in case.paths.values()}


def file_of(path: str, pages: set[str]) -> str:
    """Return the file that a server sends for a path."""
    forms = (path, f"{path}.html", f"{path.rstrip('/')}/index.html")
    return next((form for form in forms if form in pages), path)
