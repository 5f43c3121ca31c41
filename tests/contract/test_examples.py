"""The examples in the OpenAPI document are the real answers of the API."""

import json
import os
from importlib.resources import files
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.blogs import STORY, tell
from tests.support.clients import OPERATIONS

EXAMPLES = Path(str(files("blog_engine.api.openapi") / "examples.json"))


@requirement("openapi.examples")
def test_the_story_has_every_operation() -> None:
    assert sorted(step.operation for step in STORY) == sorted(OPERATIONS)


@requirement("openapi.examples")
@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_the_examples_are_recorded_from_real_calls() -> None:
    """Compare the examples; with ``RECORD_EXAMPLES=1`` write them instead (``scripts/record-examples``)."""
    told = tell()

    if os.environ.get("RECORD_EXAMPLES") == "1":
        EXAMPLES.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")
    assert json.loads(EXAMPLES.read_text("utf-8")) == told
