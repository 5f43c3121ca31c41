"""What the tests of inputs share."""

from collections.abc import Mapping

import pytest

from blog_engine.errors import Refusal
from blog_engine.inputs.base import Input, parse

NUL = "a\x00b"
LONE_SURROGATE = "a\ud800b"


def refused(
    model: type[Input], raw: Mapping[str, object], *, fixed: Mapping[str, object] | None = None
) -> tuple[str, list[str]]:
    """The code and the details of the refusal that the input must cause."""
    with pytest.raises(Refusal) as caught:
        parse(model, raw, fixed=fixed)
    return caught.value.code, caught.value.details


def shown(value: object) -> str:
    """The id of a parameter: strict pytest wants them different, and 5 is not "5"."""
    text = ascii(value)
    return text if len(text) <= 120 else f"{text[:60]} and {len(text) - 60} more"
