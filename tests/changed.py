"""Run the tests that a change can reach: ``scripts/test --changed [pytest arguments]``.

A change is what the working tree has beyond the branch ``main``. It reaches the modules that import a changed module,
directly or not. A test file runs when it imports a module that was reached, or when the package that its folder mirrors
holds one; a folder that mirrors no package tests the whole site. The tests of the packages that changed run first, in
this process, so that the first result comes soon. When they pass, the others run in parallel, except those that take
long.
"""

import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.support.programs import ROOT

_IMPORT = re.compile(r"^ *from ([\w.]+) import (?:\(([^)]*)\)|(.+))|^ *import ([\w., ]+)", re.MULTILINE)
_COMMENT = re.compile(r"#.*")
_OF_EVERY_TEST = ["tests.conftest", "tests.settings"]
_OWNERS = {"templates": "reader", "static": "reader", "locale": "reader", "skills": "mcp"}
"""The packages that use the folders of files other than Python."""


def imports_of(source: str) -> Iterator[tuple[str, str]]:
    """Yield ``(module, name)`` for each imported name; the name is empty for ``import module``."""
    for module, several, one, plain in _IMPORT.findall(source):
        for part in _COMMENT.sub("", several or one).split(","):
            if words := part.split():
                yield module, words[0]
        for part in plain.split(","):
            if words := part.split():
                yield words[0], ""


class Modules:
    """The modules of the package and of its tests, and which of them depend on which."""

    def __init__(self, root: Path = ROOT) -> None:
        paths = [path for top in ("blog_engine", "tests") for path in (root / top).rglob("*.py")]
        self.paths = {module_of(path.relative_to(root)): path.relative_to(root) for path in paths}
        self.sources = {name: (root / path).read_text("utf-8") for name, path in self.paths.items()}
        self._imports = {name: list(imports_of(source)) for name, source in self.sources.items()}
        self._dependents: dict[str, set[str]] = defaultdict(set)
        for name in self.paths:
            for needed in self._needed_by(name):
                self._dependents[needed].add(name)

    def tests(self) -> list[str]:
        return sorted(filter(_is_test, self.paths))

    def of_package(self, package: str) -> list[str]:
        return [name for name in self.paths if f"{name}.".startswith(f"{package}.")]

    def reached_by(self, changed: Iterable[str]) -> set[str]:
        """Return the changed modules and all that depend on one of them."""
        reached: set[str] = set()
        waiting = list(changed)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += self._dependents[name]
        return reached

    def _needed_by(self, name: str) -> list[str]:
        needed = [self._home_of(module, imported) for module, imported in self._imports[name]]
        if _is_test(name):
            return needed + _OF_EVERY_TEST + self._mirrored_by(name)
        if name.startswith("tests."):
            # What a helper uses to prepare tests is not what they are about.
            return [module for module in needed if module.startswith("tests.")]
        return needed

    def _home_of(self, module: str, imported: str) -> str:
        """Return the module that defines an imported name, behind packages that import it to pass it on."""
        if f"{module}.{imported}" in self.paths:
            return f"{module}.{imported}"
        if module in self.paths and self.paths[module].name == "__init__.py":
            for origin, name in self._imports[module]:
                if name == imported:
                    return self._home_of(origin, name)
        return module

    def _mirrored_by(self, test: str) -> list[str]:
        """Return the conftest module of the test's folder, and the modules of the package that the folder mirrors."""
        folder = test.split(".")[1]
        mirrored = self.of_package(f"blog_engine.{folder.removeprefix('test_')}")
        return [f"tests.{folder}.conftest", *(mirrored or self.of_package("blog_engine"))]


def module_of(path: Path) -> str:
    """Return the name of the module in a file; the path is relative to the repository."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _is_test(module: str) -> bool:
    return module.rpartition(".")[2].startswith("test_")


def select_tests(changed: list[Path], modules: Modules) -> tuple[list[str], list[str]]:
    """Return the test files of the packages that changed, and the other test files that the change reaches."""
    packages = {package for path in changed if (package := _package_of(path))}
    others = [path for path in changed if path.suffix != ".py"]
    changed_modules = [module_of(path) for path in changed if path.suffix == ".py"]
    changed_modules += [name for path in others for name in modules.of_package(f"blog_engine.{_package_of(path)}")]
    reached = modules.reached_by(changed_modules)
    near, far = [], []
    for name in modules.tests():
        path = modules.paths[name]
        if path in changed or name.split(".")[1].removeprefix("test_") in packages:
            near.append(str(path))
        elif name in reached or any(other.name in modules.sources[name] for other in others):
            far.append(str(path))
    return near, far


def _package_of(path: Path) -> str:
    """Return the package, or the module beside the packages, that a file belongs to; empty for files elsewhere."""
    top, *rest = path.parts
    if top != "blog_engine" or not rest:
        return ""
    return _OWNERS.get(rest[0], rest[0].removesuffix(".py"))


def changed_files() -> list[Path]:
    """Return the files that differ from where this branch left ``main``, uncommitted and new files included."""
    base = _git("merge-base", "HEAD", "main") or ["HEAD"]
    names = [*_git("diff", "--name-only", base[0]), *_git("ls-files", "--others", "--exclude-standard")]
    return [Path(name) for name in names]


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def main(arguments: list[str]) -> int:
    """Run the tests that the present change reaches, and return pytest's exit code."""
    near, far = select_tests(changed_files(), Modules())
    sys.stdout.write(f"{len(near)} test files of the changed packages, {len(far)} others that the change reaches\n")
    if near:
        outcome = pytest.main([*near, *arguments])
        if outcome not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) or not far:
            return outcome
    if far:
        command = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "loadgroup", "--quick"]
        sys.stdout.flush()
        os.execv(sys.executable, [*command, *far, *arguments])  # noqa: S606 - our own Python, no shell
    return pytest.ExitCode.OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
