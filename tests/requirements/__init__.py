"""The rules that the project keeps, and the mark that ties a test to the rules it proves (design.md 4).

A new rule is a line in the file of its area; ``tests/test_requirements.py`` then fails until a test carries it.
"""

from itertools import chain

import pytest

from tests.requirements import (
    access,
    adoption,
    api,
    doctor,
    faq,
    faults,
    feeds,
    fetching,
    findings,
    history,
    host,
    images,
    limits,
    load,
    mcp,
    media,
    objects,
    openapi,
    pages,
    posts,
    reader,
    redirects,
    refusals,
    report,
    search,
    states,
    supporting,
    upgrade,
    views,
)
from tests.requirements.rule import R

__all__ = ["RULES", "R", "requirement"]

RULES: tuple[R, ...] = tuple(
    chain(
        api.RULES,
        access.RULES,
        refusals.RULES,
        objects.RULES,
        states.RULES,
        posts.RULES,
        history.RULES,
        images.RULES,
        fetching.RULES,
        media.RULES,
        supporting.RULES,
        redirects.RULES,
        pages.RULES,
        adoption.RULES,
        faq.RULES,
        views.RULES,
        doctor.RULES,
        report.RULES,
        limits.RULES,
        faults.RULES,
        load.RULES,
        upgrade.RULES,
        findings.RULES,
        openapi.RULES,
        mcp.RULES,
        reader.RULES,
        search.RULES,
        feeds.RULES,
        host.RULES,
    )
)
_IDS = frozenset(rule.id for rule in RULES)


def requirement(*ids: str) -> pytest.MarkDecorator:
    """Mark a test as a proof of these rules; an unknown id stops the file from being collected."""
    unknown = [one for one in ids if one not in _IDS]
    if unknown or not ids:
        raise LookupError(f"No such rule in tests/requirements: {', '.join(unknown) or 'none was named'}")
    return pytest.mark.requirement(*ids)
