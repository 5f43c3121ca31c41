"""The author, category, series and tags that a write names: found, or created when there is none."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from typing import TypeVar

from django.db import IntegrityError
from django.db.models import Q

from blog_engine.conf import get_settings
from blog_engine.content.text import fold, numbered_slugs
from blog_engine.enums import AuthorType
from blog_engine.errors import NotFound
from blog_engine.findings import MadeKind
from blog_engine.inputs.posts import AuthorFields, AuthorKey
from blog_engine.models import Author, Category, Series, Tag
from blog_engine.queries.compiled import CompiledModels, CompiledValues, Parameter
from blog_engine.queries.records import same_named
from blog_engine.rules.slugs import slug_for_record
from blog_engine.services._transaction import savepoint

R = TypeVar("R", Author, Category, Series)
N = TypeVar("N", Author, Category, Series, Tag)

_DIGITS = re.compile("[0-9]+")
_LONGEST_ID = 18


def default_author() -> Author:
    """Return the author of ``BLOG_ENGINE["default_author"]``, created on first use."""
    chosen = get_settings().default_author
    return _author_by_name(chosen.name, type=AuthorType(chosen.type), url=chosen.url, made=MadeRecords())


class MadeRecords(dict[MadeKind, list[str]]):
    """The names of the records that a write made, by model."""

    def note(self, model: MadeKind, name: str) -> None:
        """Note a new record."""
        self.setdefault(model, []).append(name)


def resolve_author(sent: AuthorKey | AuthorFields, *, made: MadeRecords) -> Author:
    """Return the author with the slug, name or id that was sent, or a new one, which is noted in ``made``.

    Raises ``NotFound`` for digits that are neither a name nor an id.
    """
    if isinstance(sent, AuthorFields):
        return _author_by_name(sent.name, type=sent.type, url=sent.url, made=made)
    return _find(Author, sent.text) or _author_by_name(sent.text, type=AuthorType.PERSON, url=None, made=made)


def resolve_category(sent: str | None, *, made: MadeRecords) -> Category | None:
    """Return the category with this slug, name or id, or a new one, which is noted in ``made``; ``None`` for ``None``.

    Raises ``NotFound`` for digits that are neither a name nor an id.
    """
    if sent is None:
        return None
    return _find(Category, sent) or _create_numbered(Category, "category", name=sent, made=made)


def resolve_series(sent: str | None, *, made: MadeRecords) -> Series | None:
    """Return the series with this slug, name or id, or a new one, as ``resolve_category`` does."""
    if sent is None:
        return None
    return _find(Series, sent) or _create_numbered(Series, "series", name=sent, made=made)


def resolve_tags(names: Iterable[str], *, known: Mapping[str, int], made: MadeRecords) -> list[int]:
    """Return the ids of the tags with these names, created where missing (taxonomy.names.same).

    ``known`` has the ids of tags by their keys, which are not looked up again. New tags are noted in ``made``.
    """
    spellings: dict[str, str] = {}
    for name in names:
        spellings.setdefault(fold(name), name)
    ids = dict(known)
    if others := spellings.keys() - ids.keys():
        ids |= _tags_with(len(others)).all(**{str(place): key for place, key in enumerate(others)})
    if missing := [spellings[key] for key in spellings.keys() - ids.keys()]:
        # Until 0.2, the key of a name was its case-folded form, full-width characters and all.
        ids |= {fold(tag.name): tag.pk for tag in Tag.objects.filter(name__in=missing)}
    # In a fixed order, so that two writers that create the same tags do not deadlock.
    for key in sorted(spellings.keys() - ids.keys()):
        ids[key] = _create_numbered(Tag, "tag", name=spellings[key], made=made, key=key).pk
    return [ids[key] for key in spellings]


@cache
def _tags_with(number: int) -> CompiledValues[tuple[str, int]]:
    """Return the query for the keys and ids of tags with one of so many keys."""
    keys = [Parameter(str(place)) for place in range(number)]
    return CompiledValues(
        lambda: Tag.objects.filter(key__in=keys).order_by().values_list("key", "pk"), lambda key, pk: (key, pk)
    )


def free_slug(model: type[Author | Category | Series | Tag], name: str, *, kind: str) -> str:
    """Return the slug made from ``name``, with the first number from 2 that is free when another row has it."""
    candidates = numbered_slugs(slug_for_record(name, kind=kind))
    while True:
        # One query for the usual case, and few however many names give the same slug.
        batch = list(islice(candidates, 100))
        taken = set(model._default_manager.filter(slug__in=batch).values_list("slug", flat=True))
        free = next((slug for slug in batch if slug not in taken), None)
        if free is not None:
            return free


def _find(model: type[R], sent: str) -> R | None:
    """Return the record with this slug, or else with this name, or else of digits with this id; one query as a rule.

    Raises ``NotFound`` for digits that no record has: they never name a new one.
    """
    found = _with_slug_or_name(model).all(sent=sent)
    stored: R | None = next((row for row in found if row.slug == sent), next(iter(found), None))
    if stored is not None:
        return stored
    named: R | None = same_named(model, sent)
    digits = fold(sent)
    if named is not None or not _DIGITS.fullmatch(digits):
        return named
    row: R | None = None
    if len(digits) <= _LONGEST_ID:
        row = model._default_manager.filter(pk=int(digits)).first()
    if row is None:
        kind = model._meta.model_name
        raise NotFound(hint=f"No {kind} has that name or id: list them to find it, or save a new one of that name.")
    return row


@cache
def _with_slug_or_name(model: type[R]) -> CompiledModels[R]:
    wanted = Q(slug=Parameter("sent")) | Q(name=Parameter("sent"))
    return CompiledModels(lambda: model._default_manager.filter(wanted).order_by())


def _create_numbered(model: type[N], kind: str, *, name: str, made: MadeRecords, **others: str | None) -> N:
    """Create a record, and note it in ``made``; of two writers of one name, the second gets the row of the first."""
    rows = model._default_manager
    while True:
        slug = free_slug(model, name, kind=kind)
        # A numbered slug can mean that a writer of the same name has committed since the name was looked up.
        if slug != slug_for_record(name, kind=kind) and (found := _written_meanwhile(model, name)):
            return found
        try:
            with savepoint():
                created = rows.create(slug=slug, name=name, **others)
            made.note(model, name)
            return created
        except IntegrityError:
            found = _written_meanwhile(model, name)
            if found:
                return found
            # Another name took the slug meanwhile: with that row visible, the next number is free.
            if not rows.filter(slug=slug).exists():
                raise


def _written_meanwhile(model: type[N], name: str) -> N | None:
    rows = model._default_manager.all()
    return rows.filter(**{"key": fold(name)}).first() if model is Tag else same_named(model, name)


def _author_by_name(name: str, *, type: AuthorType, url: str | None, made: MadeRecords) -> Author:
    found = same_named(Author, name)
    return found or _create_numbered(Author, "author", name=name, made=made, type=type.value, url=url)
