"""Unknown names of fields: what a refusal says of them, and the input without them."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, get_origin

from pydantic import BaseModel

from blog_engine.inputs.hints import fields_as_sent, model_in, others
from blog_engine.inputs.names_elsewhere import LONGEST_NAME, alike, meant_name

Path = tuple[str, ...]
"""A name, with the fields that lead to it."""

_MOST: Final = 3
_LONGEST_OBJECT: Final = 65_536
_OTHER_WORDS_FOR_STATUS: Final = frozenset(
    ["status", "state", "post_status", "published", "is_published", "draft", "is_draft", "visibility"]
)
_OTHER_CALLS: Final = (
    "blog_publish_post or POST /posts/:id/publish publishes or schedules, "
    "blog_unpublish_post or POST /posts/:id/unpublish makes a post a draft again, "
    "and blog_remove_post or DELETE /posts/:id archives it"
)


@dataclass(frozen=True, slots=True)
class Advice:
    """The words of a refusal about unknown names."""

    hint: str
    corrected: dict[str, object]
    """The input of a caller who follows the hint."""
    explained: set[str]
    """Fields whose values the hint explains."""


@dataclass
class _Draft:
    """An ``Advice`` in the making."""

    ways: dict[str, None] = field(default_factory=dict)
    near: list[str] = field(default_factory=list)
    left: list[Path] = field(default_factory=list)
    corrected: dict[str, Any] = field(default_factory=dict)
    explained: set[str] = field(default_factory=set)

    def say(self, way: str) -> None:
        self.ways[way] = None


def advice_on(
    paths: Sequence[Path], *, model: type[BaseModel], sent: Mapping[str, object], taken: Collection[str] = ()
) -> Advice:
    """Return the way out for the first three unknown names.

    The way out is the closest known names, another place for them, or else all known names. ``paths`` are unknown
    names, at least one; ``taken`` are fields of ``model`` that the caller must not send; ``sent`` is the whole input.
    """
    draft = _Draft(corrected=dict(sent))
    if settled := [path[0] for path in paths[:_MOST] if len(path) == 1 and path[0] in taken]:
        draft.say(f"Leave out {' and '.join(settled)}: the call itself decides it.")
    moved = _move_inside(draft, paths, model=model, taken=taken)
    for path in paths[:_MOST]:
        if not moved.isdisjoint(path[:1]) or path[0] in settled:
            _take_out(draft.corrected, path)
            continue
        _advise(draft, path, _known(path[:-1], model=model, taken=taken), sent)
    for path in paths[_MOST:]:
        _take_out(draft.corrected, path)
    hint = _in_words(draft, paths, model=model, taken=taken, is_settled=bool(settled))
    return Advice(hint, draft.corrected, draft.explained)


def _advise(draft: _Draft, path: Path, known: Collection[str], sent: Mapping[str, object]) -> None:
    way, meant = _way(path, known, sent), None
    inner = _object_in(sent.get(path[0])) if len(path) == 1 else None
    if way:
        draft.say(way)
        if len(path) > 1:
            draft.explained.add(path[0])
    elif inner is not None and not {*known}.isdisjoint(inner):
        draft.say(f"Send what is in {path[0]} as fields of the call itself, without {path[0]}.")
        draft.corrected = {**inner, **draft.corrected}
    elif meant := meant_name(path[-1], known):
        draft.near.append(f"{meant} instead of {path[-1]}")
    else:
        draft.left.append(path)
    _take_out(draft.corrected, path, as_name=meant)


def _in_words(
    draft: _Draft, paths: Sequence[Path], *, model: type[BaseModel], taken: Collection[str], is_settled: bool
) -> str:
    more = others(len(paths[_MOST:]), "name is", "names are")
    if draft.near:
        draft.say(f"Did you mean {', '.join(draft.near)}?{more}")
    if is_settled or not draft.left:
        return " ".join(draft.ways)
    names = [path[-1] for path in draft.left if len(path[-1]) <= LONGEST_NAME]
    if draft.ways:
        return " ".join([*draft.ways, *([f"Leave {' and '.join(names)} out."] if names else [])])
    fields = _fields_of(draft.left[0][:-1], model=model, taken=taken)
    is_choice = names and not fields.startswith("This call")
    return f"{fields} Leave {' and '.join(names)} out unless one of them says it." if is_choice else fields


def _move_inside(draft: _Draft, paths: Sequence[Path], *, model: type[BaseModel], taken: Collection[str]) -> set[str]:
    """Advise to send unknown names as parts of the field that has them, and return these names."""
    known = _known((), model=model, taken=taken)
    unknown = [path[0] for path in paths[:_MOST] if len(path) == 1]
    lone = {name for name in unknown if meant_name(name, known) is None}
    places = {
        name: keys
        for name, info in fields_as_sent(model).items()
        if name not in taken
        and (inner := model_in(info.annotation))
        and (keys := [one for one in unknown if one in fields_as_sent(inner)])
        and not lone.isdisjoint(keys)
        and _needs(inner) <= {*keys, *_keys_of(draft.corrected.get(name))}
    }
    most = max(map(len, places.values()), default=0)
    best = [name for name, keys in places.items() if len(keys) == most]
    if len(best) != 1:
        return set()
    [place] = best
    names = places[place]
    is_list = _is_list(fields_as_sent(model)[place].annotation)
    draft.say(f"Send {' and '.join(names)} {'as an entry of' if is_list else 'in'} {place}.")
    entry = {name: draft.corrected[name] for name in names}
    stored = draft.corrected.get(place)
    if is_list:
        draft.corrected[place] = [*(stored if isinstance(stored, list) else []), entry]
    else:
        draft.corrected[place] = {**(stored if isinstance(stored, dict) else {}), **entry}
    return set(names)


def _needs(model: type[BaseModel]) -> set[str]:
    """Return the fields that must be sent: a call is not led to a place that asks for more than it has."""
    return {name for name, info in fields_as_sent(model).items() if info.is_required()}


def _keys_of(value: object) -> Collection[str]:
    return value.keys() if isinstance(value, dict) else ()


def _is_list(annotation: object) -> bool:
    if get_origin(annotation) is tuple:
        return True
    return any(_is_list(part) for part in getattr(annotation, "__args__", ()))


def _take_out(value: Any, path: Path, *, as_name: str | None = None) -> Any:
    """Remove a name, or rename it unless the other one is there; along the way copy what the caller sent."""
    if isinstance(value, list | tuple):
        return [_take_out(entry, path, as_name=as_name) for entry in value]
    if not isinstance(value, dict) or path[0] not in value:
        return value
    copy = value
    if len(path) > 1:
        inner = copy[path[0]]
        copy[path[0]] = _take_out(dict(inner) if isinstance(inner, dict) else _copies(inner), path[1:], as_name=as_name)
        return copy
    taken = copy.pop(path[0])
    if as_name:
        copy.setdefault(as_name, taken)
    return copy


def _copies(value: Any) -> Any:
    return [dict(entry) if isinstance(entry, dict) else entry for entry in value] if isinstance(value, list) else value


def _object_in(value: object) -> Mapping[str, object] | None:
    """Return the object that a value is, or is the JSON text of."""
    if isinstance(value, str) and value.lstrip().startswith("{") and len(value) <= _LONGEST_OBJECT:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _way(path: Path, known: Collection[str], sent: Mapping[str, object]) -> str:
    """Return the way out for a name that no other one replaces; empty if there is none."""
    [*parents, name] = path
    if parents:
        is_edit_of_all = parents[-1] == "edits" and name.lower() in {"replace_all", "replaceall"}
        if "image_id" in known:
            if parents == ["cover_image"] and meant_name(name, ["cover_alt"]):
                return "The text for readers without the cover is cover_alt, beside cover_image."
            return f"Send exactly one of {', '.join(known)} as {'.'.join(parents)}, without what else an answer shows."
        return "Send an edit for each place, with its occurrence, instead of replace_all." if is_edit_of_all else ""
    is_post_write = "change_description" in known
    if is_post_write and name.lower() in _OTHER_WORDS_FOR_STATUS and "publish" not in known:
        return f"Leave {name} out: {_OTHER_CALLS}."
    if is_post_write and name == "id":
        return "blog_update_post or PATCH /posts/:id edits the post with an id: send these fields there."
    return ""


def nearest_keys(unknown: Sequence[str], *, known: Collection[str]) -> str:
    """Return the known keys that are closest to the first three unknown ones, or else all known keys."""
    meant = [(meant_name(name, known) or alike(name, known), name) for name in unknown[:_MOST]]
    near = [f"{name} instead of {sent}" for name, sent in meant if name]
    return f"Did you mean {', '.join(near)}?" if near else f"The keys are {', '.join(known)}."


def _fields_of(path: Path, *, model: type[BaseModel], taken: Collection[str]) -> str:
    known = _known(path, model=model, taken=taken)
    whole = f" of {'.'.join(path)}" if path else ""
    if len(known) == 1:
        return f"The only field{whole} is {known[0]}."
    return f"The fields{whole} are {', '.join(known)}." if known else "This call takes no fields."


def _known(path: Path, *, model: type[BaseModel], taken: Collection[str]) -> list[str]:
    parent = model
    for name in path:
        fields = fields_as_sent(parent)
        inner = model_in(fields[name].annotation) if name in fields else None
        if inner is None:
            return []
        parent, taken = inner, ()
    return [name for name in fields_as_sent(parent) if name not in taken]
