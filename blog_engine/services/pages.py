"""Creating and editing policy pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import IntegrityError
from django.utils.timezone import localdate

from blog_engine.actor import Actor, Scope
from blog_engine.conf import get_settings
from blog_engine.enums import BodyFormat, PolicyKind, PolicyStatus
from blog_engine.errors import PreconditionFailed, RevisionMismatch, ValidationFailed
from blog_engine.inputs.records import SavePage
from blog_engine.models import PolicyPage
from blog_engine.rendering.images import digests_named_in
from blog_engine.rendering.options import rendering_key
from blog_engine.rendering.stored import page_footnote_prefix
from blog_engine.services._held_images import held_ids
from blog_engine.services._prepared import Prepared, check_body_size, until_prepared
from blog_engine.services._transaction import savepoint, write_transaction

_AS_SENT = ("title", "body", "approved_by", "approved_on")
_CONTENT = (*_AS_SENT, "status", "slug")
_SLUGS = {
    PolicyKind.RESPONSIBLE_PARTY: "responsible-party",
    PolicyKind.CORRECTIONS: "corrections",
    PolicyKind.EDITORIAL: "editorial-policy",
    PolicyKind.AI_USE: "ai-use",
}
_SLUG_IS_TAKEN = "Another page has that slug: send another one."


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page as a write left it, and whether the write created it."""

    page: PolicyPage
    created: bool


def save_page(
    data: SavePage,
    *,
    actor: Actor,
    now: datetime,
    expected_updated_at: str | None = None,
    creates_only: bool = False,
) -> SavedPage:
    """Write what was sent to the page of a kind, or make that page.

    A write that changes nothing keeps ``updated_at``. Raises ``ScopeRequired`` (``write``; also ``publish`` for a
    page that is or becomes published), or ``ValidationFailed`` naming ``title`` (a new page has none), ``body``
    (blank although published, or larger than ``max_body_bytes``) or ``slug`` (taken by another page).

    ``expected_updated_at`` is the ISO 8601 time at which the page was saved that the caller read, or empty if there was
    none: with it, ``RevisionMismatch`` is raised if another writer was faster. With ``creates_only``,
    ``PreconditionFailed`` is raised if there is a page.
    """
    actor.require(Scope.WRITE)
    expected = "" if creates_only else expected_updated_at
    try:
        return until_prepared(partial(_write, data, expected, actor=actor, now=now))
    except RevisionMismatch as refusal:
        if not creates_only:
            raise
        raise PreconditionFailed(hint="The page exists: leave If-None-Match out to edit it.") from refusal


def _write(data: SavePage, expected: str | None, prepared: Prepared, *, actor: Actor, now: datetime) -> SavedPage:
    if data.body is not None and len(data.body.encode()) <= get_settings().max_body_bytes:
        prepared.render_new(data.body, BodyFormat.MARKDOWN)
    with write_transaction():
        try:
            return _save(data, expected, actor=actor, now=now, prepared=prepared)
        except IntegrityError:
            # Another writer made a page of this kind or took the slug since we looked: now it can be seen.
            return _save_again(data, expected, actor=actor, now=now, prepared=prepared)


def set_page_rendering(page: PolicyPage, *, prepared: Prepared) -> None:
    """Set the columns of a page that follow from its body."""
    body = prepared.body(page.body, BodyFormat.MARKDOWN)
    page.body_html = body.html.replace(prepared.footnote_prefix, page_footnote_prefix(page))
    page.rendered_with = "" if body.has_failed_plugins else body.key


def _save_again(data: SavePage, expected: str | None, *, actor: Actor, now: datetime, prepared: Prepared) -> SavedPage:
    try:
        return _save(data, expected, actor=actor, now=now, prepared=prepared)
    except IntegrityError as collision:
        # The page of this kind is locked by now: only its slug can have been taken by yet another writer.
        raise ValidationFailed(["slug"], hint=_SLUG_IS_TAKEN) from collision


def _save(data: SavePage, expected: str | None, *, actor: Actor, now: datetime, prepared: Prepared) -> SavedPage:
    page = _locked(data.kind) or PolicyPage(kind=data.kind.value, slug=_SLUGS[data.kind])
    if PolicyStatus.PUBLISHED in (page.status, data.status):
        actor.require(Scope.PUBLISH)
    if expected is not None and expected != (page.updated_at.isoformat() if page.pk else ""):
        raise RevisionMismatch(
            ["expected_updated_at"], hint="Another writer was faster: read the page again, and send the change then."
        )
    created, before = page.pk is None, _content_of(page)
    _assign(page, data, now=now)
    _refuse_faults(page)
    if created or _content_of(page) != before:
        if created or page.body != before["body"] or page.rendered_with != rendering_key():
            set_page_rendering(page, prepared=prepared)
        page.updated_at = now
        if held_ids(digests_named_in(page.body)):
            prepared.require_current(page.body, BodyFormat.MARKDOWN)
        with savepoint():
            page.save()
    return SavedPage(page, created)


def _locked(kind: PolicyKind) -> PolicyPage | None:
    return PolicyPage.objects.select_for_update(no_key=True).filter(kind=kind.value).first()


def _content_of(page: PolicyPage) -> dict[str, Any]:
    return {name: getattr(page, name) for name in _CONTENT}


def _assign(page: PolicyPage, data: SavePage, *, now: datetime) -> None:
    sent = data.model_fields_set
    for name in _AS_SENT:
        if name in sent:
            setattr(page, name, getattr(data, name))
    if data.status is not None:
        page.status = data.status.value
    if data.slug:
        page.slug = data.slug
    if data.approved_by is not None and "approved_on" not in sent:
        page.approved_on = localdate(now)


def _refuse_faults(page: PolicyPage) -> None:
    check_body_size(page.body)
    faults = dict(_faults_of(page))
    if faults:
        raise ValidationFailed(faults, hint=" ".join(faults.values()))


def _faults_of(page: PolicyPage) -> Iterator[tuple[str, str]]:
    if not page.title:
        yield "title", "A new page needs a title: send title."
    if page.status == PolicyStatus.PUBLISHED and not page.body.strip():
        yield "body", "A published page needs a text: send body."
    # By kind: another writer may have made the page of this kind meanwhile, which is no fault of the slug.
    if PolicyPage.objects.exclude(kind=page.kind).filter(slug=page.slug).exists():
        yield "slug", _SLUG_IS_TAKEN
