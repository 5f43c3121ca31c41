"""Operations asked as their faces ask them, answered as JSON."""

from typing import Any

from blog_engine.actor import Call
from blog_engine.operations.base import Operation, execute
from tests.support.factories import EDITOR, NOW

CALL = Call(actor=EDITOR, now=NOW, base_url="https://example.com")


def ask(op: Operation[Any, Any], raw: dict[str, Any] | None = None, *, call: Call = CALL, **fixed: Any) -> Any:
    """The answer to an editor, ``None`` for an empty one; ``fixed`` is what the address says."""
    answer = execute(op, raw or {}, call, fixed=fixed)
    return answer.model_dump(mode="json") if answer else None
