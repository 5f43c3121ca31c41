"""Saving the house style."""

import hashlib
from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.content.text import compact_json
from blog_engine.errors import NotFound, RevisionMismatch
from blog_engine.inputs.house_style import SaveHouseStyle
from blog_engine.models import Category, HouseStyle
from blog_engine.services._transaction import write_transaction


def save_house_style(
    data: SaveHouseStyle, *, actor: Actor, now: datetime, expected_version: str | None = None
) -> HouseStyle:
    """Replace the house style; one without a rule turns it off. A save that changes nothing keeps ``updated_at``.

    Raises ``ScopeRequired`` without ``publish``, ``NotFound(["sections"])`` for a category that does not exist, and
    ``RevisionMismatch`` if the stored one has another version than ``expected_version``, which is empty for none.
    """
    actor.require(Scope.PUBLISH)
    rules = data.model_dump(mode="json")
    version = "" if data.is_empty else hashlib.sha256(compact_json(rules).encode()).hexdigest()
    with write_transaction():
        HouseStyle.objects.get_or_create(pk=1, defaults={"updated_at": now})
        style = HouseStyle.objects.select_for_update().get(pk=1)
        if expected_version not in (None, style.version):
            raise RevisionMismatch(
                ["expected_version"], hint="Another writer was faster: read the house style again, then send yours."
            )
        _refuse_missing_categories(data)
        if version != style.version:
            style.rules, style.version, style.updated_at = rules, version, now
            style.save()
        return style


def _refuse_missing_categories(data: SaveHouseStyle) -> None:
    wanted = {rule.category for rule in data.sections if rule.category is not None}
    if wanted and Category.objects.filter(pk__in=wanted).count() < len(wanted):
        raise NotFound(["sections"], hint="A heading names a category that does not exist: choose another one.")
