"""No text for callers and hosts names a file that they do not have."""

import ast
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from django.test import Client

import blog_engine
from blog_engine.mcp import instructions
from blog_engine.mcp.workflows import workflows
from tests.requirements import requirement
from tests.support.clients import ask, client_with, document

PACKAGE = Path(blog_engine.__file__).parent
DOCS = PACKAGE.parent / "docs"
PROSE = {"description", "summary", "title", "message", "text"}

_URL = re.compile(r"\b[a-z]+://\S+")
_FILE = re.compile(r"[\w*-]+\.md\b|\b(?:docs|scripts|tests)/|\b(?:README|CONTRIBUTING|CHANGELOG)\b|\bsections? \d")
_SECTION_OF_ITSELF = "section"


def named_files(text: str) -> list[str]:
    """Return the files and sections that a text names, except in URLs."""
    return _FILE.findall(_URL.sub("", text))


def prose_in(node: object) -> Iterator[str]:
    """Yield the texts for people in a JSON document, at any depth."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in PROSE and isinstance(value, str):
                yield value
            else:
                yield from prose_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from prose_in(value)


def sentences_of(source: str) -> Iterator[str]:
    """Yield the sentences in a Python file except docstrings, parts of f-strings separately."""
    tree = ast.parse(source)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
        if is_text and id(node) not in statements:
            yield node.value


@pytest.mark.parametrize(
    "text",
    [
        "The label of a post (notes.md section 14).",
        "docs/reference/settings.md lists every setting.",
        "See section 4.",
        "Read the README first.",
        "Run scripts/messages.",
    ],
)
def test_a_reference_is_noticed(text: str) -> None:
    assert named_files(text)


def test_a_url_is_no_reference() -> None:
    assert named_files("See https://example.com/docs/running.md#a and blog://posts/{slug}.md for it.") == []


@requirement("api.answers.standalone")
def test_the_openapi_document_names_no_file() -> None:
    texts = [text for text in prose_in(document()) if named_files(text)]

    assert texts == []
    assert len(list(prose_in(document()))) > 300


@requirement("api.answers.standalone")
@pytest.mark.django_db
@pytest.mark.parametrize("method", ["tools/list", "prompts/list", "resources/list", "resources/templates/list"])
def test_what_an_agent_is_listed_names_no_file(method: str) -> None:
    listed = ask(client_with("read"), method)

    assert list(prose_in(listed))
    assert [text for text in prose_in(listed) if named_files(text)] == []


@requirement("api.answers.standalone")
@pytest.mark.parametrize("name", workflows())
def test_a_workflow_refers_to_its_own_sections_only(name: str) -> None:
    text = workflows()[name].text
    own = set(re.findall(r"^## (\d)", text, re.MULTILINE))

    found = named_files(text)

    assert {one for one in found if not one.startswith(_SECTION_OF_ITSELF)} == set()
    assert {one.rpartition(" ")[2] for one in found} <= own


@requirement("api.answers.standalone")
def test_the_instructions_name_no_file() -> None:
    assert named_files(instructions.INSTRUCTIONS) == []


@requirement("api.answers.standalone")
def test_no_refusal_and_no_hint_names_a_file_of_the_repository() -> None:
    found = {
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in PACKAGE.rglob("*.py")
        for text in sentences_of(path.read_text("utf-8"))
        if named_files(text)
    }

    assert found == set()


def test_an_enum_is_described_without_its_name_and_docstring() -> None:
    described = document()["components"]["schemas"]

    assert described["PostStatus"] == {"type": "string", "enum": ["draft", "scheduled", "published", "archived"]}


@requirement("api.answers.standalone")
def test_a_hint_with_a_url_leads_to_a_page_and_a_heading_of_the_documentation() -> None:
    linked = {
        found
        for path in PACKAGE.rglob("*.py")
        for found in re.findall(r"\{DOCUMENTATION\}/([a-z/-]+\.md(?:#[a-z-]+)?)", path.read_text("utf-8"))
    }

    assert "reference/settings.md" in linked
    for link in linked:
        page, _, anchor = link.partition("#")
        headings = re.findall(r"^#+ (.+)$", (DOCS / page).read_text("utf-8"), re.MULTILINE)
        assert not anchor or anchor in [heading.lower().replace(" ", "-") for heading in headings]


@requirement("api.answers.new-keys")
@pytest.mark.django_db
def test_clients_are_told_to_ignore_keys_that_they_do_not_know(client: Client) -> None:
    served = json.loads(client.get("/blog/api/v1/schema").content)

    assert "must ignore the keys that they do not know" in served["info"]["description"]
    assert "Ignore the keys that you do not know" in (DOCS / "reference" / "openapi.md").read_text("utf-8")


def test_the_workflows_are_all_read() -> None:
    skills = files("blog_engine").joinpath("skills")

    assert {folder.name for folder in skills.iterdir() if folder.is_dir()} == set(workflows())
