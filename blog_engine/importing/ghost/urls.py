"""URLs of a Ghost blog: the permalinks of ``routes.yaml``, and the redirects of ``redirects.json``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from blog_engine.importing.data import FileRefused, read_data_file
from blog_engine.importing.source import Omitted, SourceRefused

_LARGEST_FILE: Final = 1024 * 1024
_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
_TERM: Final = re.compile(r"(tag|tags|primary_tag|author|authors|primary_author|featured):\[?([\w, -]+)\]?")
_SIGNS: Final = re.compile(r"[*+?()\[\]{}|.$^]")

_DEFAULT_PERMALINK: Final = "/{slug}/"


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that a permalink is made of."""

    slug: str
    id: str
    year: str
    month: str
    day: str
    tags: Sequence[str]
    authors: Sequence[str]
    is_featured: bool


@dataclass(frozen=True, slots=True)
class _Collection:
    permalink: str
    filter: str | None


class Permalinks:
    """The collections of ``routes.yaml``; without the file, all posts are at ``/{slug}/``."""

    def __init__(self, file: Path | None) -> None:
        """Read the file; raises ``SourceRefused`` when it cannot be read."""
        self._collections = _read_collections(file) if file else [_Collection(_DEFAULT_PERMALINK, None)]

    def path_of(self, facts: Facts) -> str | None:
        """Return the path of a post; ``None`` when a filter is not understood or no collection has the post."""
        for collection in self._collections:
            if collection.filter is None:
                return _filled(collection.permalink, facts)
            term = _TERM.fullmatch(collection.filter.strip())
            if term is None:
                return None
            if _matches(term[1], {value.strip() for value in term[2].split(",")}, facts):
                return _filled(collection.permalink, facts)
        return None


def _read_collections(file: Path) -> list[_Collection]:
    routes = _loaded(file)
    collections = routes.get("collections") if isinstance(routes, dict) else None
    if not isinstance(collections, dict):
        return []
    return [
        _Collection(str(one.get("permalink") or _DEFAULT_PERMALINK), str(one["filter"]) if one.get("filter") else None)
        for one in collections.values()
        if isinstance(one, dict)
    ]


def _matches(name: str, values: set[str], facts: Facts) -> bool:
    if name == "featured":
        return values == {str(facts.is_featured).lower()}
    found = facts.tags if "tag" in name else facts.authors
    return not values.isdisjoint(found[:1] if name.startswith("primary") else found)


def _filled(permalink: str, facts: Facts) -> str | None:
    values = {
        **{name: getattr(facts, name) for name in ("slug", "id", "year", "month", "day")},
        # What Ghost writes for a post without a tag.
        "primary_tag": next(iter(facts.tags), "all"),
        "primary_author": next(iter(facts.authors), "all"),
        "author": next(iter(facts.authors), "all"),
    }
    if not values.keys() >= set(_PLACEHOLDER.findall(permalink)):
        return None
    path = _PLACEHOLDER.sub(lambda found: values[found[1]], permalink)
    return f"/{path.strip('/')}/"


def read_redirects(file: Path) -> Iterator[tuple[str, str] | Omitted]:
    """Yield old and new path of each redirect; one with a pattern is no path, and omitted.

    Raises ``SourceRefused`` when the file cannot be read.
    """
    read = _loaded(file)
    for number, (old, new) in enumerate(_pairs(read), start=1):
        plain = old.removeprefix("^").removesuffix("$").replace("\\/", "/").replace("\\.", "\0").replace("\\-", "-")
        if _SIGNS.search(plain) or "\\" in plain or not plain.startswith("/"):
            yield Omitted(
                f"{file.name}:{number}", f"{old} → {new}", "redirect with a pattern", f"{file.name}, {number}"
            )
        else:
            yield plain.replace("\0", "."), new


def _pairs(read: Any) -> Iterator[tuple[str, str]]:
    if isinstance(read, list):
        yield from (
            (str(one["from"]), str(one["to"])) for one in read if isinstance(one, dict) and {"from", "to"} <= one.keys()
        )
    elif isinstance(read, Mapping):
        for pairs in read.values():
            if isinstance(pairs, Mapping):
                yield from ((str(old), str(new)) for old, new in pairs.items())


def _loaded(file: Path) -> Any:
    try:
        return read_data_file(file, most=_LARGEST_FILE)
    except FileRefused as fault:
        raise SourceRefused(f"{file.name}: {fault}.") from fault
