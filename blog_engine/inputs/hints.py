"""Sentences that help a caller to mend its call: our own words, never pydantic's (mcp.md, decision 9)."""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from blog_engine.inputs.structure import fields_as_sent, model_in

_MOST = 3
_LONGEST_NAME = 40

_WORDS = {
    "bool_type": "true or false",
    "greater_than_equal": "a whole number of at least {ge}",
    "int_type": "a whole number",
    "less_than_equal": "a whole number of at most {le}",
    "missing": "sent",
    "model_type": "an object",
    "string_pattern_mismatch": "text that is not blank",
    "string_too_long": "text of at most {max_length} characters",
    "string_too_short": "text that is not empty",
    "string_type": "text",
    "string_unicode": "text without NUL and lone surrogates",
    "tuple_type": "a list",
    "date_type": "a date written YYYY-MM-DD",
    "datetime_type": "a date and time such as 2030-01-31T09:00:00Z",
}
_OURS = frozenset(
    {
        *("expected", "validation_failed", "slug_not_supported", "image_not_permitted"),
        *("body_format_not_permitted", "not_found"),
    }
)


def expectations(faults: Iterable[ErrorDetails]) -> str:
    """What the faulty fields must be, the first three of them; empty when nothing useful can be said."""
    told: dict[str, str] = {}
    for fault in faults:
        name = ".".join(part for part in fault["loc"] if isinstance(part, str))
        if (words := _words(fault)) and len(told) < _MOST:
            told.setdefault(name or "What is sent", words)
    sentences = [f"{name} must be {words}".strip() for name, words in told.items()]
    return "; ".join(sentences) + "." if sentences else ""


def _words(fault: ErrorDetails) -> str:
    if fault["type"] in _OURS:
        return fault["msg"]
    if fault["type"] == "literal_error":
        return str(fault["ctx"]["expected"]).replace("'", "")
    words = _WORDS.get(fault["type"], "").format(**fault.get("ctx", {}))
    return f"{words}, not null" if words and fault["input"] is None else words


def nearest_names(paths: Sequence[Sequence[str]], *, model: type[BaseModel], taken: Collection[str] = ()) -> str:
    """Which known names the first three unknown ones may have meant, or else which names there are.

    ``paths`` are unknown names, at least one, with the fields that lead to them; ``taken`` are fields of ``model`` that
    the caller may not send.
    """
    first = paths[:_MOST]
    near: list[str] = []
    for path in first:
        # A long name is no typo, and comparing it would take time.
        known = _known(path[:-1], model=model, taken=taken) if len(path[-1]) <= _LONGEST_NAME else []
        near += [f"{match} instead of {path[-1]}" for match in get_close_matches(path[-1], known, n=1)]
    if near:
        return f"Did you mean {', '.join(near)}?"
    known = _known(first[0][:-1], model=model, taken=taken)
    place = f"The fields of {'.'.join(first[0][:-1])} are" if len(first[0]) > 1 else "The fields are"
    return f"{place} {', '.join(known)}." if known else "This call takes no fields."


def _known(path: Sequence[str], *, model: type[BaseModel], taken: Collection[str]) -> list[str]:
    here = model
    for name in path:
        fields = fields_as_sent(here)
        inner = model_in(fields[name].annotation) if name in fields else None
        if inner is None:
            return []
        here, taken = inner, ()
    return [name for name in fields_as_sent(here) if name not in taken]
