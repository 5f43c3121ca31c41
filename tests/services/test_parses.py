"""How often a write parses its body."""

from collections.abc import Callable
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.support.factories import publish, save, update

pytestmark = pytest.mark.django_db

BODY = "## Frost\n\nIt *froze* at [the quay](https://example.com/quay_side).\n\n- one\n- two\n"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that were parsed as Markdown."""
    texts: list[str] = []
    parse = MarkdownIt.parse

    def counting(parser: MarkdownIt, text: str, *rest: Any) -> Any:
        texts.append(text)
        return parse(parser, text, *rest)

    monkeypatch.setattr(MarkdownIt, "parse", counting)
    return texts


@pytest.mark.parametrize("fields", [{}, {"publish": True}], ids=["draft", "public"])
def test_a_new_post_is_parsed_once(parsed: list[str], fields: dict[str, Any]) -> None:
    save(body=BODY, **fields)

    assert parsed == [BODY]


WRITES: dict[str, Callable[..., Any]] = {"update": update, "publish": publish}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_changed_body_is_parsed_once(parsed: list[str], write: Callable[..., Any]) -> None:
    post = save(body="Before.").post
    parsed.clear()

    write(post, body=BODY)

    assert parsed == [BODY]


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_an_unchanged_body_is_not_parsed(parsed: list[str], write: Callable[..., Any]) -> None:
    post = save(body=BODY).post
    parsed.clear()

    write(post, title="Frost")

    assert parsed == []
