"""The scripts of others that the desk serves."""

import re
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def vendor() -> Any:
    """The script ``scripts/vendor`` as a module."""
    loader = SourceFileLoader("vendor", str(ROOT / "scripts" / "vendor"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def test_each_package_is_pinned_and_has_its_licence() -> None:
    script = vendor()
    names = {f"{package.name}{ending}" for package in script.PACKAGES for ending in (".js", ".LICENSE.txt")}

    assert {path.name for path in script.FOLDER.iterdir()} == names
    for package in script.PACKAGES:
        assert package.integrity.startswith("sha512-")
        assert (script.FOLDER / f"{package.name}.js").read_text().startswith(package.head)
        assert "Permission is hereby granted" in (script.FOLDER / f"{package.name}.LICENSE.txt").read_text()


def test_no_script_of_the_desk_asks_another_site_or_needs_an_exception_from_the_policy() -> None:
    for path in vendor().FOLDER.parent.rglob("*.js"):
        code = path.read_text()
        assert not re.search(r"\beval\(|new Function|sourceMappingURL|setAttribute\(.style", code), path.name
        assert not re.search(r"(fetch|import)\(\s*[\"'`]https?:", code), path.name
