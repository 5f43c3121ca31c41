"""The house style, kept in this process while it is the stored one."""

import logging
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.db.models import QuerySet

from blog_engine.content.terms import AvoidedTerm, TermFinder
from blog_engine.enums import PolicyStatus, SitePage
from blog_engine.errors import NotFound, Refusal
from blog_engine.inputs.house_style import SaveHouseStyle
from blog_engine.models import Category, HouseStyle, PolicyPage
from blog_engine.queries.compiled import CompiledValues, among
from blog_engine.rules.house_style import style_in_words

logger = logging.getLogger("blog_engine")


@dataclass(frozen=True)
class StoredStyle:
    """A house style with at least one rule."""

    rules: SaveHouseStyle
    version: str
    updated_at: datetime

    @cached_property
    def finder(self) -> TermFinder:
        """Finds the terms to avoid."""
        return TermFinder([AvoidedTerm(rule.avoid, rule.use) for rule in self.rules.terms])


def house_styles() -> QuerySet[HouseStyle]:
    """Return the one row, if it was written."""
    return HouseStyle.objects.order_by("pk")


def version_of_style() -> QuerySet[HouseStyle, Any]:
    """Return the query for the version of the house style, for another statement."""
    return HouseStyle.objects.order_by().filter(pk=1).values("version")[:1]


_ROW: Final = CompiledValues(
    lambda: house_styles().values_list("rules", "version", "updated_at"),
    lambda rules, version, updated_at: (rules, version, updated_at),
)
_kept: dict[str, StoredStyle] = {}
"""The last one that was read, by its version, which is the digest of its rules."""


def stored_style() -> StoredStyle | None:
    """Return the house style, or ``None`` if it has no rule; one query."""
    row = _ROW.first()
    if row is None or not row[1]:
        return None
    kept = _kept.get(row[1])
    if kept is not None and kept.updated_at == row[2]:
        return kept
    try:
        found = StoredStyle(SaveHouseStyle.from_data(row[0]), *row[1:])
    except Refusal:
        # A row that another release wrote, or that came with an export, must not stop writers.
        logger.exception("The house style cannot be read: save it again at the desk.")
        return None
    _kept.clear()
    _kept[found.version] = found
    return found


def style_of(version: str | None) -> StoredStyle | None:
    """Return the house style of a version that was read just now; one query unless this process knows it."""
    if not version:
        _kept.clear()
        return None
    return _kept.get(version) or stored_style()


def last_seen_style() -> StoredStyle | None:
    """Return the house style that this process read last, which may be outdated; no query."""
    return next(iter(_kept.values()), None)


def house_style_page() -> PolicyPage:
    """Return the house style in words, as a page that readers do not get; it is not stored.

    Two queries at most. Raises ``NotFound`` if there is no rule.
    """
    style = stored_style()
    if style is None:
        raise NotFound(hint="The blog has no house style. A person writes it at the desk.")
    ids = [rule.category for rule in style.rules.sections if rule.category is not None]
    names = dict(Category.objects.filter(among("pk", ids)).values_list("pk", "name")) if ids else {}
    return PolicyPage(
        kind=SitePage.HOUSE_STYLE.value,
        slug="house-style",
        title="House style",
        body=style_in_words(style.rules, categories=names),
        status=PolicyStatus.DRAFT.value,
        updated_at=style.updated_at,
    )
