"""The author, category, series and tags that a write names: found, or created when there is none."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from typing import TypeVar

from django.db import IntegrityError
from django.db.models import Q

from blog_engine.conf import get_settings
from blog_engine.content.text import fold, numbered_slugs, slug_from_name
from blog_engine.enums import AuthorType
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.inputs.posts import AuthorFields, AuthorKey
from blog_engine.models import Author, Category, Series, Tag
from blog_engine.queries.compiled import CompiledModels, CompiledValues, Parameter
from blog_engine.services._transaction import savepoint

R = TypeVar("R", Author, Category, Series)
N = TypeVar("N", Category, Tag)

_ID = re.compile("[1-9][0-9]*")


def default_author() -> Author:
    """Return the author of ``BLOG_ENGINE["default_author"]``, created on first use."""
    chosen = get_settings().default_author
    return _author_by_name(chosen.name, type=AuthorType(chosen.type), url=chosen.url)


def resolve_author(sent: AuthorKey | AuthorFields) -> Author:
    """Return the author with the id, slug or exact name that was sent, or a new one.

    Raises ``NotFound`` for an id that does not exist, ``ValidationFailed(["author"])`` when the slug of
    a new author is taken.
    """
    if isinstance(sent, AuthorFields):
        return _author_by_name(sent.name, type=sent.type, url=sent.url)
    key = sent.text
    if _ID.fullmatch(key):
        by_id = Author.objects.filter(pk=int(key)).first()
        if by_id is None:
            raise NotFound(hint="No author has that id: list the authors to find it, or send a name.")
        return by_id
    return _find_by_slug_or_name(Author, key) or _author_by_name(key, type=AuthorType.PERSON, url=None)


def resolve_category(sent: str | None) -> Category | None:
    """Return the category with this slug or exact name, or a new one; ``None`` for ``None``."""
    if sent is None:
        return None
    return _find_by_slug_or_name(Category, sent) or _create_numbered(Category, "category", name=sent)


def resolve_series(sent: str | None) -> Series | None:
    """Return the series with this slug or exact name, or a new one; ``None`` for ``None``.

    Raises ``ValidationFailed(["series"])`` when the slug of a new series is taken.
    """
    if sent is None:
        return None
    found = _find_by_slug_or_name(Series, sent)
    if found:
        return found
    try:
        with savepoint():
            return Series.objects.create(name=sent, slug=slug_from_name(sent, kind="series"))
    except IntegrityError as collision:
        return _created_meanwhile(Series.objects.filter(name=sent).first(), "series", collision)


def resolve_tags(names: Iterable[str], *, known: Mapping[str, int]) -> list[int]:
    """Return the ids of the tags with these names, created where missing; case makes no difference.

    ``known`` has the ids of tags by their keys, which are not looked up again.
    """
    spellings: dict[str, str] = {}
    for name in names:
        spellings.setdefault(fold(name), name)
    ids = dict(known)
    if others := spellings.keys() - ids.keys():
        ids |= _tags_with(len(others)).all(**{str(place): key for place, key in enumerate(others)})
    # In a fixed order, so that two writers that create the same tags do not deadlock.
    for key in sorted(spellings.keys() - ids.keys()):
        ids[key] = _create_numbered(Tag, "tag", name=spellings[key], key=key).pk
    return [ids[key] for key in spellings]


@cache
def _tags_with(number: int) -> CompiledValues[tuple[str, int]]:
    """Return the query for the keys and ids of tags with one of so many keys."""
    keys = [Parameter(str(place)) for place in range(number)]
    return CompiledValues(
        lambda: Tag.objects.filter(key__in=keys).order_by().values_list("key", "pk"), lambda key, pk: (key, pk)
    )


def free_slug(model: type[Category | Tag], name: str, *, kind: str) -> str:
    """Return the slug made from ``name``, with the first number from 2 that is free when another row has it."""
    candidates = numbered_slugs(slug_from_name(name, kind=kind))
    while True:
        # One query for the usual case, and few however many names give the same slug.
        batch = list(islice(candidates, 100))
        taken = set(model._default_manager.filter(slug__in=batch).values_list("slug", flat=True))
        free = next((slug for slug in batch if slug not in taken), None)
        if free is not None:
            return free


def _find_by_slug_or_name(model: type[R], sent: str) -> R | None:
    """Return the record with this slug, or else with this name; one query."""
    found = _with_slug_or_name(model).all(sent=sent)
    return next((row for row in found if row.slug == sent), next(iter(found), None))


@cache
def _with_slug_or_name(model: type[R]) -> CompiledModels[R]:
    wanted = Q(slug=Parameter("sent")) | Q(name=Parameter("sent"))
    return CompiledModels(lambda: model._default_manager.filter(wanted).order_by())


def _create_numbered(model: type[N], kind: str, **identity: str) -> N:
    """Create a category or tag; of two writers of one name, the second gets the row of the first."""
    rows = model._default_manager
    while True:
        slug = free_slug(model, identity["name"], kind=kind)
        try:
            with savepoint():
                return rows.create(slug=slug, **identity)
        except IntegrityError:
            unique = "key" if model is Tag else "name"
            found = rows.filter(**{unique: identity[unique]}).first()
            if found:
                return found
            # Another name took the slug meanwhile: with that row visible, the next number is free.
            if not rows.filter(slug=slug).exists():
                raise


def _author_by_name(name: str, *, type: AuthorType, url: str | None) -> Author:
    found = Author.objects.filter(name=name).first()
    if found:
        return found
    try:
        with savepoint():
            return Author.objects.create(name=name, slug=slug_from_name(name, kind="author"), type=type.value, url=url)
    except IntegrityError as collision:
        return _created_meanwhile(Author.objects.filter(name=name).first(), "author", collision)


def _created_meanwhile(found: R | None, field: str, collision: IntegrityError) -> R:
    """Return the row that another writer created meanwhile; without one, the slug belongs to another record."""
    if found is None:
        raise ValidationFailed(
            [field], hint="The slug made from that name belongs to another record: send that slug, or another name."
        ) from collision
    return found
