"""The example of docs/reference/python-api.md runs, and its inputs raise refusals."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from blog_engine.errors import Refusal, UnknownField, ValidationFailed
from blog_engine.inputs.base import Input
from blog_engine.inputs.posts import SavePost, UpdatePost
from blog_engine.models import Post
from tests.requirements import requirement

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "python-api.md"
SECTION = PAGE.read_text("utf-8").partition("## Services")[2].partition("\n## ")[0]


def example() -> str:
    [code] = re.findall(r"```python\n(.+?)```", SECTION, re.DOTALL)
    return str(code)


def named_inputs() -> list[type[Input]]:
    """Return the inputs of the table.

    ``SavePost`` after ``inputs.posts.UpdatePost`` is a class of the same module.
    """
    found: dict[type[Input], None] = {}
    for row in re.findall(r"^\| `.+", SECTION, re.MULTILINE):
        module = None
        for dotted in re.findall(r"`((?:inputs\.\w+\.)?[A-Z]\w+)", row):
            path, _, name = dotted.rpartition(".")
            module = import_module(f"blog_engine.{path}") if path else module
            kind = getattr(module, name)
            if issubclass(kind, Input):
                found[kind] = None
    return list(found)


@requirement("host.inputs")
@pytest.mark.django_db
def test_the_example_publishes_a_post(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example(), PAGE.name, "exec"), {})  # noqa: S102 - our own page

    assert [(post.title, post.status) for post in Post.objects.all()] == [("Hello", "published")]
    assert capsys.readouterr().out.startswith("published ")


@requirement("host.inputs")
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "code"),
    [('{"title": 5}', "validation_failed"), ('{"titel": "Hello"}', "unknown_field"), ("{}", "validation_failed")],
)
def test_the_example_with_a_fault_prints_the_refusal(capsys: pytest.CaptureFixture[str], sent: str, code: str) -> None:
    faulty = example().replace('{"title": "Hello", "body": "A *first* post."}', sent)

    exec(compile(faulty, PAGE.name, "exec"), {})  # noqa: S102 - our own page

    assert faulty != example()
    assert capsys.readouterr().out.startswith(f"{code} [")
    assert not Post.objects.exists()


@requirement("host.inputs")
@pytest.mark.parametrize("kind", named_inputs(), ids=lambda kind: kind.__name__)
def test_an_input_that_the_page_names_raises_refusals(kind: type[Input]) -> None:
    with pytest.raises(UnknownField) as raised:
        kind.from_data({"no_such_field": 1})

    assert raised.value.details == ["no_such_field"]


def test_the_page_names_the_inputs_of_all_services() -> None:
    assert len(named_inputs()) >= 15


@requirement("host.inputs")
@pytest.mark.parametrize("data", [None, [], "title", 5, {1: "Hello"}, {None: 1}, [("title", "Hello")]])
def test_what_is_no_mapping_of_names_is_refused(data: Any) -> None:
    with pytest.raises(ValidationFailed):
        SavePost.from_data(data)


@requirement("host.inputs")
def test_an_input_has_the_fields_that_were_sent() -> None:
    data = UpdatePost.from_data({"id": 7, "title": "Hello", "tags": ["a"]})

    assert (data.id, data.title, data.tags) == ("7", "Hello", ("a",))
    assert data.model_fields_set == {"id", "title", "tags"}


@requirement("host.inputs")
@pytest.mark.parametrize(
    ("data", "details"), [({"title": "A", "body": 3}, ["body"]), ({"title": "A", "faq": [{"question": 1}]}, ["faq"])]
)
def test_a_refusal_names_the_fields_at_fault(data: dict[str, Any], details: list[str]) -> None:
    with pytest.raises(Refusal) as raised:
        SavePost.from_data(data)

    assert (raised.value.code, raised.value.details) == ("validation_failed", details)
    assert str(raised.value) == raised.value.envelope()["error"]["message"]
