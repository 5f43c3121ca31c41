"""A memory, in Django's cache, of what undecided proposals make of posts that were changed since."""

import hashlib
import logging
from typing import Any, Final

from django.core.cache import cache

from blog_engine.conf import get_settings
from blog_engine.conf.caches import cache_errors
from blog_engine.content.text import compact_json
from blog_engine.models import Proposal
from blog_engine.rendering.options import rendering_key
from blog_engine.rules.proposals import RebasedBody, RebasedKind

logger = logging.getLogger("blog_engine")

_KEPT_SECONDS: Final = 7 * 24 * 3600


def kind_of_body(proposal: Proposal, present: str) -> RebasedKind | None:
    """Return how a proposal fits a present body, if it was worked out before."""
    found = _read(_key_of_body(proposal, present))
    return None if found is None else RebasedKind(found)


def note_body(proposal: Proposal, present: str, made: RebasedBody) -> RebasedKind:
    """Keep how a proposal fits a present body, and return it."""
    kind = RebasedKind.CHANGES if made.body is not None else RebasedKind.NOTHING
    kind = RebasedKind.CONFLICT if made.conflicts else kind
    _keep(_key_of_body(proposal, present), kind.value)
    return kind


def proposal_that_made(identifier: str | None) -> int | None:
    """Return the id of the proposal that made a content when it was read last; another one can make it too."""
    return None if identifier is None else _read(_key("content", identifier))


def note_content(proposal: Proposal, identifier: str) -> None:
    """Keep which proposal makes a content, so that an approval of it finds the proposal."""
    _keep(_key("content", identifier), proposal.pk)


def _key_of_body(proposal: Proposal, present: str) -> str:
    revisions = proposal.base_revision.identifier, proposal.revision.identifier
    rules = rendering_key(), str(get_settings().max_body_bytes)
    return _key("body", *revisions, *rules, compact_json(proposal.fields), present)


def _key(*parts: str) -> str:
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f"blog_engine.proposal.{digest}"


def _read(key: str) -> Any:
    try:
        return cache.get(key)
    except cache_errors() as fault:
        logger.info("What a proposal makes was not looked up: %s", type(fault).__name__)
        return None


def _keep(key: str, value: Any) -> None:
    try:
        cache.set(key, value, _KEPT_SECONDS)
    except cache_errors() as fault:
        logger.info("What a proposal makes was not kept: %s", type(fault).__name__)
