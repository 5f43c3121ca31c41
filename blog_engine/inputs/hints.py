"""Hints of refusals: what was wrong with an input and what is accepted."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType, UnionType
from typing import Annotated, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails


@dataclass(frozen=True, slots=True)
class Step:
    """One field of the path into an input, with its position among its siblings."""

    name: str
    position: int
    field: FieldInfo


def fields_as_sent(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields by the names that callers send; ``from`` cannot be an attribute."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def steps_along(path: Iterable[str], *, model: type[BaseModel]) -> list[Step]:
    """Return the fields along a path of names, as far as they exist."""
    steps: list[Step] = []
    inner: type[BaseModel] | None = model
    for name in path:
        fields = fields_as_sent(inner) if inner else {}
        if name not in fields:
            break
        steps.append(Step(name, list(fields).index(name), fields[name]))
        inner = model_in(fields[name].annotation)
    return steps


def model_in(annotation: object) -> type[BaseModel] | None:
    """Return the model of the object that a type accepts, directly, in a union or in a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in {Union, UnionType, Annotated, tuple}:
        return next((found for arg in get_args(annotation) if (found := model_in(arg))), None)
    return None


_MOST = 3
_LONGEST_NAME = 40
_LEAST_ALIKE = 0.7
"""With a smaller value, ``status`` would be taken for ``tags``."""

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
_ABOUT_TYPES = frozenset({"bool_type", "model_type", "string_type", "tuple_type"})
"""Not ``int_type``, because a query parameter is always text."""
_TYPES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"),
    (str, "text"),
    ((int, float), "a number"),
    ((list, tuple), "a list"),
    (dict, "an object"),
)
_OURS = frozenset(
    {
        *("expected", "validation_failed", "slug_not_supported", "image_not_permitted"),
        *("body_format_not_permitted", "not_found"),
    }
)
_NAMES_ELSEWHERE = {
    "body": ["content", "markdown", "text", "html"],
    "description": ["excerpt", "summary", "subtitle"],
    "cover_image": ["image", "cover", "thumbnail", "featured_image"],
    "tags": ["keywords", "labels"],
    "search_title": ["meta_title", "seo_title"],
    "search_description": ["meta_description", "seo_description"],
    "publish": ["published", "status"],
    "publish_at": ["published_at", "publish_date", "date", "scheduled_at"],
    "q": ["query", "search", "keyword", "term"],
    "per_page": ["limit", "page_size", "count"],
    "id": ["post", "slug", "post_id"],
    "change_description": ["message", "commit_message"],
    "note": ["reason", "correction_note"],
    "name": ["reviewer", "approved_by", "title"],
    "old": ["find", "search", "old_string", "oldtext", "old_text", "old_str", "target"],
    "new": ["replace", "replacement", "new_string", "newtext", "new_text", "new_str", "content", "text"],
    "append": ["insert", "add", "append_text"],
    "after_heading": ["heading", "after", "section"],
    "occurrence": ["index", "nth", "match_index"],
}
"""Fields, with their names in other blog engines and editors."""
_OTHER_WORDS_FOR_STATUS = frozenset(["status", "state", "published", "is_published", "draft", "is_draft", "visibility"])
_OTHER_CALLS = (
    "blog_publish_post or POST /posts/:id/publish publishes or schedules, "
    "blog_unpublish_post or POST /posts/:id/unpublish makes a post a draft again, "
    "and blog_remove_post or DELETE /posts/:id archives it"
)


def expectations(faults: Iterable[ErrorDetails], *, model: type[BaseModel]) -> str:
    """Return what the first three fields of ``model`` at fault must be; empty if there is nothing useful to say."""
    first_of: dict[str, ErrorDetails] = {}
    for fault in faults:
        if _words(fault):
            first_of.setdefault(".".join(part for part in fault["loc"] if isinstance(part, str)), fault)
    if not first_of:
        return ""
    first = list(first_of.items())[:_MOST]
    can_miss = {name for name, field in fields_as_sent(model).items() if not field.is_required()}
    sentences = [
        f"{_place(name, fault)} must be {_words(fault)}{_nearest_word(fault)}{_or_nothing(fault, name in can_miss)}"
        for name, fault in first
    ]
    return f"{'; '.join(sentences)}.{_others(len(first_of) - len(sentences), 'field is', 'fields are')}"


def nearest_names(
    paths: Sequence[Sequence[str]],
    *,
    model: type[BaseModel],
    taken: Collection[str] = (),
    sent: Mapping[str, object] = MappingProxyType({}),
) -> str:
    """Return the way out for the first three unknown names, such as the closest known ones, or else all known names.

    ``paths`` are unknown names, at least one, with the fields that lead to them; ``taken`` are fields of ``model`` that
    the caller must not send; ``sent`` are the fields that were sent.
    """
    if settled := [path[0] for path in paths[:_MOST] if len(path) == 1 and path[0] in taken]:
        return f"Leave out {' and '.join(settled)}: the call itself decides it."
    ways, near, left = dict[str, None](), list[str](), list[Sequence[str]]()
    for path in paths[:_MOST]:
        known, name = _known(path[:-1], model=model, taken=taken), path[-1]
        if way := _way(path, known, sent):
            ways[way] = None
        elif meant := _nearest_name(name, known):
            near.append(f"{meant} instead of {name}")
        else:
            left.append(path)
    if near:
        number = len(left) + len(paths[_MOST:])
        ways[f"Did you mean {', '.join(near)}?{_others(number, 'name is', 'names are')}"] = None
    return " ".join(ways) or _fields_of(left[0][:-1], model=model, taken=taken)


def _way(path: Sequence[str], known: Collection[str], sent: Mapping[str, object]) -> str:
    """Return the way out for a name that no other one replaces; empty if there is none."""
    [*parents, name] = path
    if parents:
        is_edit_of_all = parents[-1] == "edits" and name.lower() in {"replace_all", "replaceall"}
        if "image_id" in known:
            return f"Send exactly one of {', '.join(known)} as {'.'.join(parents)}, without what else an answer shows."
        return "Send an edit for each place, with its occurrence, instead of replace_all." if is_edit_of_all else ""
    value = sent.get(name)
    if isinstance(value, Mapping) and not {*known}.isdisjoint(value):
        return f"Send what is in {name} as fields of the call itself, without {name}."
    is_post_write = "change_description" in known
    if is_post_write and name.lower() in _OTHER_WORDS_FOR_STATUS and "publish" not in known:
        return f"Leave {name} out: {_OTHER_CALLS}."
    if is_post_write and name == "id":
        return "blog_update_post or PATCH /posts/:id edits the post with an id: send these fields there."
    return ""


def nearest_keys(unknown: Sequence[str], *, known: Collection[str]) -> str:
    """Return the known keys that are closest to the first three unknown ones, or else all known keys."""
    meant = [(_alike(name, known), name) for name in unknown[:_MOST]]
    near = [f"{name} instead of {sent}" for name, sent in meant if name]
    return f"Did you mean {', '.join(near)}?" if near else f"The keys are {', '.join(known)}."


def _words(fault: ErrorDetails) -> str:
    if fault["type"] in _OURS:
        return fault["msg"]
    if fault["type"] == "literal_error":
        words = str(fault["ctx"]["expected"]).replace("'", "")
    else:
        words = _WORDS.get(fault["type"], "").format(**fault.get("ctx", {}))
    unlike = _type_of(fault["input"]) if fault["type"] in _ABOUT_TYPES or fault["input"] is None else ""
    return f"{words}, not {unlike}" if words and unlike else words


def _or_nothing(fault: ErrorDetails, can_miss: bool) -> str:
    """Return the way out for a value that says nothing: another one would be made up."""
    says_nothing = fault["input"] in ([], {}) or (isinstance(fault["input"], str) and not fault["input"].strip())
    return ", or left out" if can_miss and says_nothing else ""


def _type_of(value: object) -> str:
    if value is None:
        return "null"
    return next((words for kind, words in _TYPES if isinstance(value, kind)), "")


def _place(name: str, fault: ErrorDetails) -> str:
    entry = next((part for part in fault["loc"] if isinstance(part, int)), None)
    return (name or "What is sent") + (f" (entry {entry + 1})" if entry is not None else "")


def _nearest_word(fault: ErrorDetails) -> str:
    """Return the allowed word that is closest to the value."""
    sent, context = fault["input"], fault.get("ctx", {})
    allowed = context.get("words") or re.findall("'([^']+)'", str(context.get("expected", "")))
    near = _alike(sent, allowed) if isinstance(sent, str) else None
    return f" (did you mean {near}?)" if near else ""


def _nearest_name(sent: str, known: Collection[str]) -> str | None:
    names = (name for name, others in _NAMES_ELSEWHERE.items() if name in known and sent.lower() in others)
    return next(names, None) or _alike(sent, known)


def _alike(sent: str, known: Iterable[str]) -> str | None:
    # A long text is not a typo, and comparing it takes time.
    if len(sent) > _LONGEST_NAME:
        return None
    return next(iter(get_close_matches(sent.lower(), known, n=1, cutoff=_LEAST_ALIKE)), None)


def _others(count: int, one: str, several: str) -> str:
    if count <= 0:
        return ""
    return f" One more {one} not accepted." if count == 1 else f" {count} more {several} not accepted."


def _fields_of(path: Sequence[str], *, model: type[BaseModel], taken: Collection[str]) -> str:
    known = _known(path, model=model, taken=taken)
    whole = f" of {'.'.join(path)}" if path else ""
    if len(known) == 1:
        return f"The only field{whole} is {known[0]}."
    return f"The fields{whole} are {', '.join(known)}." if known else "This call takes no fields."


def _known(path: Sequence[str], *, model: type[BaseModel], taken: Collection[str]) -> list[str]:
    parent = model
    for name in path:
        fields = fields_as_sent(parent)
        inner = model_in(fields[name].annotation) if name in fields else None
        if inner is None:
            return []
        parent, taken = inner, ()
    return [name for name in fields_as_sent(parent) if name not in taken]
