"""``scripts/test --changed`` runs what a change can reach, and what is closest first."""

import ast
from pathlib import Path

import pytest

from tests.changed import Modules, imports_of, select_tests
from tests.support.programs import ROOT

FILES = {
    "blog_engine/slugs.py": "",
    "blog_engine/services/__init__.py": "from blog_engine.services.save import save\n",
    "blog_engine/services/save.py": "from blog_engine import slugs\n",
    "blog_engine/services/remove.py": "",
    "blog_engine/api/views.py": "from blog_engine.services import save\n",
    "blog_engine/reader/views.py": "import blog_engine.services.remove\n",
    "tests/support/posts.py": "from blog_engine.services import save\n",
    "tests/services/test_save.py": "from tests.support.posts import save\n",
    "tests/api/test_views.py": "",
    "tests/reader/test_views.py": "from tests.support.posts import save\n",
    "tests/contract/test_pages.py": "GUIDE = 'docs/guide.md'\n",
    "tests/test_slugs.py": "",
}


@pytest.fixture
def modules(tmp_path: Path) -> Modules:
    for name, source in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return Modules(tmp_path)


@pytest.mark.parametrize(
    ("changed", "near", "far"),
    [
        ("blog_engine/slugs.py", ["test_slugs"], ["api/test_views", "contract/test_pages", "services/test_save"]),
        ("blog_engine/services/save.py", ["services/test_save"], ["api/test_views", "contract/test_pages"]),
        ("blog_engine/services/remove.py", ["services/test_save"], ["contract/test_pages", "reader/test_views"]),
        ("blog_engine/templates/post.html", ["reader/test_views"], ["contract/test_pages"]),
        ("tests/support/posts.py", [], ["reader/test_views", "services/test_save"]),
        ("tests/api/test_views.py", ["api/test_views"], []),
        ("docs/guide.md", [], ["contract/test_pages"]),
        ("docs/other.md", [], []),
    ],
)
def test_a_change_selects_its_own_tests_and_those_it_reaches(
    modules: Modules, changed: str, near: list[str], far: list[str]
) -> None:
    selected = select_tests([Path(changed)], modules)

    assert selected == ([f"tests/{name}.py" for name in near], [f"tests/{name}.py" for name in far])


@pytest.mark.heavy
def test_every_import_of_the_repository_is_found() -> None:
    missing = {
        f"{path.relative_to(ROOT)}: {module} {name}"
        for top in ("blog_engine", "tests")
        for path in (ROOT / top).rglob("*.py")
        for module, name in imported_by(path.read_text("utf-8")) - set(imports_of(path.read_text("utf-8")))
    }

    assert missing == set()


def imported_by(source: str) -> set[tuple[str, str]]:
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    return {
        (node.module or "", alias.name) if isinstance(node, ast.ImportFrom) else (alias.name, "")
        for node in imports
        for alias in node.names
    }
