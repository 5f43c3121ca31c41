"""The command ``blog_report``."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.requirements import requirement
from tests.support.factories import publish, save

pytestmark = pytest.mark.django_db


def output_of(*args: str) -> str:
    out = StringIO()
    call_command("blog_report", *args, stdout=out)
    return out.getvalue()


@requirement("surface-report.command")
@pytest.mark.parametrize(
    "args",
    [
        ["SCOPE=post", "POST=tide", "PAGE=1", "REACH=false"],
        ["--scope", "post", "--post", "tide", "--page", "1", "--reach", "false"],
    ],
)
def test_a_report_as_text(args: list[str]) -> None:
    post = publish(save(title="Tide", slug="tide").post).post

    text = output_of(*args)

    assert f"Articles: 1 of 1 (ids: {post.pk}). Page 1 of 1." in text.splitlines()
    assert any(line.startswith(f"E19 article {post.pk}: ") for line in text.splitlines())
    assert text.endswith(".\n")


@requirement("surface-report.command")
def test_a_report_as_the_object_of_the_api() -> None:
    text = output_of("JSON=true")

    answer = json.loads(text)
    assert text.endswith("}\n")
    assert answer["scope"] == "site"
    assert answer["post_ids"] == []


@requirement("surface-report.command")
@pytest.mark.parametrize(
    ("args", "refusal"),
    [
        (["SCOPE=post"], "validation_failed: post"),
        (["PAGE=0", "REACH=maybe"], "validation_failed: page, reach"),
        (["SCOPE=post", "POST=nobody"], "not_found"),
    ],
)
def test_a_refusal_is_reported_with_its_code(args: list[str], refusal: str) -> None:
    with pytest.raises(CommandError) as caught:
        output_of(*args)

    assert str(caught.value) == refusal
    assert caught.value.returncode == 1
