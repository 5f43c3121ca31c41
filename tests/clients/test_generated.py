"""Clients that generators make of the OpenAPI document compile, and work with the served site with the right types."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import DOCUMENT, PROGRAMS, Tools, found_in
from tests.requirements import requirement

pytestmark = [pytest.mark.clients, pytest.mark.xdist_group("served")]

COMPILED = ("--strict", "--skipLibCheck", "--target", "es2022", "--module", "commonjs", "--moduleResolution", "node10")
LIBRARIES = ("--lib", "es2022,dom,dom.iterable", "--types", "node")


def assert_round_trip(printed: str, name: str) -> None:
    found = found_in(printed)
    assert f"Frosts in {name}" in found.pop("titles")
    assert found == {"body": "It froze.\n", "credit": "Mina", "refused": "change_type_required", "same_image": True}


def files_of(folder: Path, suffix: str) -> int:
    return sum(1 for _ in folder.rglob(f"*.{suffix}"))


def compiled(tools: Tools, program: str, folder: Path) -> Path:
    """Compile a program beside the generated client, with the strictest types, and return what Node can run."""
    shutil.copy(PROGRAMS / program, folder)
    (folder / "node_modules").symlink_to(tools.node_modules)
    tools.npm_program("tsc", *COMPILED, *LIBRARIES, "--outDir", "compiled", program, cwd=folder)
    return folder / "compiled" / program.replace(".ts", ".js")


def with_one_of(node: Any) -> Any:
    """Return a document with ``oneOf`` in place of ``anyOf``, which typescript-fetch takes for one kind of answer."""
    if isinstance(node, dict):
        return {"oneOf" if key == "anyOf" else key: with_one_of(part) for key, part in node.items()}
    return [with_one_of(part) for part in node] if isinstance(node, list) else node


@requirement("openapi.clients")
def test_the_client_of_openapi_python_client(tools: Tools, trip: tuple[str, ...], tmp_path: Path) -> None:
    options = ("--path", str(DOCUMENT), "--output-path", "attrs_client", "--meta", "none", "--fail-on-warning")
    tools.generator("openapi-python-client", "generate", *options, cwd=tmp_path)

    assert files_of(tmp_path, "py") < 320
    shutil.copy(PROGRAMS / "attrs_client.py", tmp_path / "round_trip.py")
    # The generated client has faults of its own: it hands untyped tuples on.
    tools.generator("mypy", "--disable-error-code=arg-type", "round_trip.py", cwd=tmp_path)
    assert_round_trip(tools.python("generators", "round_trip.py", *trip, cwd=tmp_path), "attrs")


@requirement("openapi.clients")
def test_the_python_client_of_openapi_generator(tools: Tools, trip: tuple[str, ...], tmp_path: Path) -> None:
    generate(tools, "python", DOCUMENT, tmp_path)

    shutil.copy(PROGRAMS / "pydantic_client.py", tmp_path / "round_trip.py")
    tools.python("generators", "-m", "compileall", "-q", ".", cwd=tmp_path)
    assert_round_trip(tools.python("generators", "round_trip.py", *trip, cwd=tmp_path), "pydantic")


@requirement("openapi.clients")
def test_the_fetch_client_of_openapi_generator(tools: Tools, trip: tuple[str, ...], tmp_path: Path) -> None:
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(with_one_of(json.loads(DOCUMENT.read_text("utf-8")))), "utf-8")
    generate(tools, "typescript-fetch", document, tmp_path / "generated")

    program = compiled(tools, "fetch_client.ts", tmp_path)
    assert_round_trip(tools.node(str(program), *trip, cwd=tmp_path), "fetch")


@requirement("openapi.clients")
def test_the_fetch_client_compiles_from_the_document_as_it_is(tools: Tools, tmp_path: Path) -> None:
    generate(tools, "typescript-fetch", DOCUMENT, tmp_path)

    tools.npm_program("tsc", *COMPILED, *LIBRARIES[:2], "--noEmit", "index.ts", cwd=tmp_path)


@requirement("openapi.clients")
def test_the_client_of_hey_api(tools: Tools, trip: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(tools.node_modules)
    tools.npm_program("openapi-ts", "-i", str(DOCUMENT), "-o", "generated", cwd=tmp_path)
    (tmp_path / "node_modules").unlink()

    program = compiled(tools, "hey_client.ts", tmp_path)
    assert_round_trip(tools.node(str(program), *trip, cwd=tmp_path), "hey")


def generate(tools: Tools, generator: str, document: Path, folder: Path) -> None:
    options = ("-i", str(document), "-g", generator, "-o", str(folder))
    tools.generator("openapi-generator-cli", "generate", *options, cwd=folder.parent)
