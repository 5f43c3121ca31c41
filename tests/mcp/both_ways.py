"""One call as a tool and as a request to the API, from the same state: its answer and what it stores.

Each runs in a savepoint that can be rolled back (``undone``). That does not reset the sequences of PostgreSQL, so each
call first sets them to the last stored ids. Outcomes are compared as they are, except for one message
(``_comparable``).
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.test import Client

from tests.mcp.parity_case import Arguments, corresponding
from tests.mcp.small_blog import align_ids
from tests.support.agents import call_tool
from tests.support.assertions import everything_stored


@contextmanager
def undone() -> Iterator[None]:
    """Roll back the effects of the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


_KEYS = {"id", "kind"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a call, and what is stored afterwards."""

    answer: dict[str, Any]
    is_refusal: bool
    stored: dict[str, Any]


def by_tool(client: Client, tool: str, arguments: Arguments) -> Outcome:
    """Return the outcome of the tool, and check that its text block repeats the answer."""
    align_ids()
    result = call_tool(client, tool, arguments)
    answer = result["structuredContent"]
    assert result == {
        "content": [{"type": "text", "text": json.dumps(answer, ensure_ascii=False, separators=(",", ":"))}],
        "structuredContent": answer,
        "isError": "error" in answer,
    }
    return Outcome(_comparable(answer, tool, arguments), result["isError"], everything_stored())


def by_api(client: Client, tool: str, arguments: Arguments) -> Outcome:
    """Return the outcome of the API call."""
    align_ids()
    response = corresponding(tool, arguments).by(client)
    answer = json.loads(response.content) if response.content else {}
    assert (response.status_code == 204) == (not response.content)
    return Outcome(_comparable(answer, tool, arguments), response.status_code >= 400, everything_stored())


def _comparable(answer: dict[str, Any], tool: str, arguments: Arguments) -> dict[str, Any]:
    """Return the answer without the list of known fields that accompanies an unknown one.

    That list differs where the API has a key in its path, and where the tool sets ``publish``.
    """
    error = answer.get("error", {})
    takes_others = tool in {"blog_save_draft", "blog_publish_post"} or not arguments.keys().isdisjoint(_KEYS)
    if error.get("code") == "unknown_field" and takes_others:
        return {"error": error | {"message": ...}}
    return answer
