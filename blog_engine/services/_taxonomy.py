"""Finding or making the author, category, series and tags that a write names (records.md 4)."""

import re
from collections.abc import Iterable
from typing import TypeVar

from django.db import IntegrityError, transaction

from blog_engine.conf import get_settings
from blog_engine.content.folding import fold
from blog_engine.content.slugs import slug_from_name
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.inputs.parts import AuthorFields, AuthorKey
from blog_engine.models import Author, Category, Series, Tag
from blog_engine.vocabulary import AuthorType

R = TypeVar("R")
G = TypeVar("G", Category, Series)

_ID = re.compile("[1-9][0-9]*")


def default_author() -> Author:
    """The author of ``BLOG_ENGINE["default_author"]``, made on first use."""
    chosen = get_settings().default_author
    return _author_named(chosen.name, type=AuthorType(chosen.type), url=chosen.url)


def resolve_author(sent: AuthorKey | AuthorFields) -> Author:
    """The author a caller named: by id, slug or exact name, else a new one.

    Raises ``NotFound`` for an id that does not exist, ``ValidationFailed(["author"])`` when the slug of
    a new author is taken.
    """
    if isinstance(sent, AuthorFields):
        return _author_named(sent.name, type=sent.type, url=sent.url)
    key = sent.text
    if _ID.fullmatch(key):
        by_id = Author.objects.filter(pk=int(key)).first()
        if by_id is None:
            raise NotFound(hint="No author has that id: list the authors to find it, or send a name.")
        return by_id
    by_slug = Author.objects.filter(slug=key).first()
    return by_slug or _author_named(key, type=AuthorType.PERSON, url=None)


def resolve_category(sent: str | None) -> Category | None:
    """The category with this slug or exact name, else a new one; ``None`` clears."""
    return _found_or_made(Category, sent, field="category")


def resolve_series(sent: str | None) -> Series | None:
    """The series with this slug or exact name, else a new one; ``None`` clears."""
    return _found_or_made(Series, sent, field="series")


def resolve_tags(names: Iterable[str]) -> list[int]:
    """The ids of the tags with these names, made where missing; names that differ only in case are one tag."""
    spellings: dict[str, str] = {}
    for name in names:
        spellings.setdefault(fold(name), name)
    ids = dict(Tag.objects.filter(key__in=spellings).values_list("key", "pk"))
    # In one order for everybody: two writers that make the same tags then wait for each other in one direction only.
    for key in sorted(spellings.keys() - ids.keys()):
        ids[key] = _new_tag(spellings[key], key=key).pk
    return [ids[key] for key in spellings]


def _found_or_made(model: type[G], sent: str | None, *, field: str) -> G | None:
    if sent is None:
        return None
    rows = model._default_manager
    found = rows.filter(slug=sent).first() or rows.filter(name=sent).first()
    if found:
        return found
    try:
        with transaction.atomic():
            return rows.create(name=sent, slug=slug_from_name(sent, kind=field))
    except IntegrityError as collision:
        return _made_meanwhile(rows.filter(name=sent).first(), field, collision)


def _author_named(name: str, *, type: AuthorType, url: str | None) -> Author:
    found = Author.objects.filter(name=name).first()
    if found:
        return found
    try:
        with transaction.atomic():
            return Author.objects.create(name=name, slug=slug_from_name(name, kind="author"), type=type.value, url=url)
    except IntegrityError as collision:
        return _made_meanwhile(Author.objects.filter(name=name).first(), "author", collision)


def _new_tag(name: str, *, key: str) -> Tag:
    try:
        with transaction.atomic():
            return Tag.objects.create(name=name, key=key, slug=slug_from_name(name, kind="tag"))
    except IntegrityError as collision:
        return _made_meanwhile(Tag.objects.filter(key=key).first(), "tags", collision)


def _made_meanwhile(found: R | None, field: str, collision: IntegrityError) -> R:
    """The row another writer made in between; without one, the name's slug belongs to a different record."""
    if found is None:
        raise ValidationFailed(
            [field], hint="The slug made from that name belongs to another record: send that slug, or another name."
        ) from collision
    return found
