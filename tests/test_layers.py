"""Rules of the architecture that ruff and import-linter cannot express."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "blog_engine"
LONGEST_MODULE = 500
LONGEST_OF_ALONE = {"blog_engine/verify.py": 700}
"""A program that is copied as one file cannot be split; it has the format, the hashes and the arithmetic of P-256."""
LONGEST_MEDIAN = 150
_INDENTED_IMPORT = re.compile(r"^[ \t]+(?:from|import)\b|[;:] *(?:from|import)\b", re.MULTILINE)

FORBIDDEN = {
    "content": ("django.conf", "django.contrib", "django.core", "django.db", "django.http", "django.template"),
    "http": ("rest_framework",),
    "inputs": ("django.contrib", "django.db", "django.http"),
    "reader": ("blog_engine.inputs", "blog_engine.operations", "blog_engine.outputs", "rest_framework"),
}

AT_FIRST_USE = {
    "admin/base.py": {"blog_engine.admin.once"},
    "admin/bulk_actions.py": {"blog_engine.admin.bulk"},
    "admin/list_filters.py": {"blog_engine.queries.desk_lists", "blog_engine.queries.people"},
    "admin/lists.py": {"blog_engine.admin.images", "blog_engine.queries.compiled"},
    "admin/posts.py": {
        "blog_engine.admin.post_list",
        "blog_engine.queries.compiled",
        "blog_engine.queries.desk_lists",
        "blog_engine.queries.search",
    },
    "checks.py": {"blog_engine.content.rendering", "blog_engine.images.files", "blog_engine.queries.posts"},
    "content/faq.py": {"blog_engine.content._markdown"},
    "content/plain_text.py": {"blog_engine.content._markdown", "blog_engine.content._tokens"},
    "content/formulas.py": {"latex2mathml.converter"},
    "content/sanitize.py": {"bleach.sanitizer"},
    "images/fonts.py": {"PIL"},
    "images/social.py": {"blog_engine.images.social_drawing"},
    "reader/post.py": {"blog_engine.services"},
    "reader/urls.py": {"blog_engine.reader.blog"},
    "reader/view.py": {"blog_engine.services.expiry"},
    "rendering/bodies.py": {"blog_engine.content.rendering"},
    "templatetags/blog_desk.py": {
        "blog_engine.queries.desk_lists",
        "blog_engine.queries.people",
        "blog_engine.queries.reviews",
        "blog_engine.queries.start_page",
    },
    "templatetags/blog_engine.py": {"blog_engine.public", "blog_engine.reader.parts"},
}
"""The modules that functions of a module import, because most processes never need them (host.imports)."""


def python_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "migrations" not in path.relative_to(folder).parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imported_names(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            yield from (f"{part.module}.{alias.name}" for alias in part.names)


@pytest.mark.parametrize("package", FORBIDDEN)
def test_a_package_imports_nothing_that_is_forbidden(package: str) -> None:
    files = [*python_files(PACKAGE / package), *PACKAGE.glob(f"{package}.py")]

    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for name in imported_names(tree_of(path))
        if any(f"{name}.".startswith(f"{forbidden}.") for forbidden in FORBIDDEN[package])
    }

    assert found == set()


def test_functions_import_only_what_most_processes_never_need() -> None:
    found = {
        (str(path.relative_to(PACKAGE)), name.rpartition(".")[0])
        for path in python_files(PACKAGE)
        if _INDENTED_IMPORT.search(path.read_text("utf-8"))
        for function in ast.walk(tree_of(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        if (path.name, function.name) != ("apps.py", "ready")
        for name in imported_names(function)
    }

    assert {(path, name) for path, name in found if path not in AT_FIRST_USE or name not in AT_FIRST_USE[path]} == set()
    # Each is still needed.
    assert {(path, name) for path, names in AT_FIRST_USE.items() for name in names} == found


def test_modules_are_short() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in python_files(PACKAGE)}

    assert {
        name: length for name, length in lengths.items() if length > LONGEST_OF_ALONE.get(name, LONGEST_MODULE)
    } == {}
    assert median(lengths.values()) <= LONGEST_MEDIAN


def test_a_class_or_public_function_has_its_name_alone() -> None:
    modules: dict[str, list[str]] = {}
    for path in python_files(PACKAGE):
        for node in tree_of(path).body:
            is_public = isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
            if is_public or isinstance(node, ast.ClassDef):
                modules.setdefault(node.name, []).append(str(path.relative_to(ROOT)))

    # Django looks for classes called Command.
    assert {name for name, of in modules.items() if len(of) > 1} == {"Command"}


def test_every_transaction_names_its_database() -> None:
    unnamed = {
        f"{path.relative_to(ROOT)}: {ast.unparse(call)}"
        for path in python_files(PACKAGE)
        for call in ast.walk(tree_of(path))
        if isinstance(call, ast.Call)
        if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "transaction"
        if "using" not in {keyword.arg for keyword in call.keywords}
    }

    assert unnamed == set()


def test_no_module_imports_what_django_deprecates() -> None:
    # django.utils.deprecation is Django's own; importing MiddlewareMixin from it warns from Django 6.2 on.
    files = [path for folder in ("blog_engine", "example_site", "tests") for path in python_files(ROOT / folder)]

    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        if "django.utils.deprecation" in (source := path.read_text("utf-8"))
        for name in imported_names(ast.parse(source))
        if name.startswith("django.utils.deprecation")
    }

    assert found == set()
