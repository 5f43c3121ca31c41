"""Upload tickets: opened by a caller, and filled once at their URL."""

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F

from blog_engine.actor import Actor, Scope
from blog_engine.conf import get_settings
from blog_engine.errors import ImageNotPermitted, NotFound, RateLimited, UploadTicketClosed
from blog_engine.images.inspect import InspectedImage, inspect_image, refuse_size, safe_filename
from blog_engine.inputs.images import FillUploadTicket, UploadTicketFor
from blog_engine.models import Image, UploadTicket
from blog_engine.queries.tokens import MOST_ATTEMPTS, open_upload_tickets, token_digest, upload_ticket_at
from blog_engine.services._transaction import lock_actor, write_transaction
from blog_engine.services.images import ready_to_store, stored_image
from blog_engine.services.writing_images import writing_images

LIFETIME: Final = timedelta(minutes=15)
MOST_OPEN: Final = 20
"""Open tickets of one actor."""
_KEPT: Final = timedelta(hours=1)
"""How long an expired ticket stays, so that its URL still says what became of it."""
_SECRET_BYTES: Final = 32
_AGAIN: Final = "Ask for a new upload ticket."


@dataclass(frozen=True, slots=True)
class NewUploadTicket:
    """A ticket and its secret, which is not stored and can only be shown now."""

    ticket: UploadTicket
    secret: str = field(repr=False)


def open_upload_ticket(data: UploadTicketFor, *, actor: Actor, now: datetime) -> NewUploadTicket:
    """Open a ticket for one image, which expires after 15 minutes; delete those that expired an hour ago.

    Raises ``ScopeRequired``, ``ImageNotPermitted`` for a name, type or size that no image can have here, or
    ``RateLimited`` for an actor with 20 open tickets; then nothing is stored.
    """
    actor.require(Scope.WRITE)
    filename = safe_filename(data.filename)
    content_type = _accepted_type(data.content_type)
    refuse_size(data.byte_size)
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    with write_transaction():
        lock_actor(actor.id)
        UploadTicket.objects.filter(expires_at__lte=now - _KEPT).delete()
        _refuse_many(actor, now=now)
        ticket = UploadTicket.objects.create(
            secret_digest=token_digest(secret),
            filename=filename,
            content_type=content_type,
            byte_size=data.byte_size,
            sha256=data.sha256,
            origin=data.sent_origin,
            actor_name=actor.name,
            actor_id=actor.id,
            created_at=now,
            expires_at=now + LIFETIME,
        )
    return NewUploadTicket(ticket, secret)


def _accepted_type(text: str) -> str:
    content_type, accepted = text.strip().lower(), get_settings().image_content_types
    if content_type not in accepted:
        raise ImageNotPermitted(hint=f"This blog accepts {', '.join(accepted)}.")
    return content_type


def _refuse_many(actor: Actor, *, now: datetime) -> None:
    ends = list(open_upload_tickets(now).filter(actor_id=actor.id).order_by("expires_at").values_list("expires_at"))
    if len(ends) >= MOST_OPEN:
        wait = (ends[0][0] - now).total_seconds()
        raise RateLimited(
            retry_after=int(wait) + 1, reason=f"The actor has {MOST_OPEN} open upload tickets: use one of them."
        )


def admit_upload(ticket: UploadTicket, *, now: datetime) -> None:
    """Count an upload before its file is read; raises ``UploadTicketClosed`` for a ticket that is not open."""
    counted = open_upload_tickets(now).filter(pk=ticket.pk).update(attempts=F("attempts") + 1)
    if not counted:
        raise _closed(UploadTicket.objects.filter(pk=ticket.pk).first(), now=now)


def _closed(ticket: UploadTicket | None, *, now: datetime) -> UploadTicketClosed:
    if ticket is not None and ticket.image_id is not None:
        return UploadTicketClosed(hint=f"It was used already, for the image with the image_id {ticket.image_id}.")
    if ticket is None or ticket.expires_at <= now:
        return UploadTicketClosed(hint=f"It has expired. {_AGAIN}")
    return UploadTicketClosed(hint=f"{MOST_ATTEMPTS} uploads to it have failed. {_AGAIN}")


def fill_upload_ticket(data: FillUploadTicket, *, actor: Actor, now: datetime) -> Image:
    """Store the image of a ticket, and close the ticket; known bytes give the stored image.

    Of two uploads at the same time one is stored. Raises ``NotFound`` for another number or secret,
    ``UploadTicketClosed`` for a ticket that was filled or has expired, ``ImageNotPermitted`` for another file than the
    ticket is for, or ``Unavailable`` when the storage fails; then nothing is stored, and the ticket stays as it is.
    """
    actor.require(Scope.WRITE)
    ticket = upload_ticket_at(data.id, data.secret)
    if ticket is None:
        raise NotFound(hint=_AGAIN)
    image = ready_to_store(_inspected(data, ticket), ticket.origin)
    with writing_images() as files:
        locked = UploadTicket.objects.select_for_update(of=("self",)).filter(pk=ticket.pk).first()
        if locked is None or locked.image_id is not None or locked.expires_at <= now:
            raise _closed(locked, now=now)
        stored = stored_image(image, files=files, actor_name=ticket.actor_name, now=now, sent=ticket.origin)
        UploadTicket.objects.filter(pk=ticket.pk).update(image=stored)
    return stored


def _inspected(data: FillUploadTicket, ticket: UploadTicket) -> InspectedImage:
    size = len(data.file.data)
    if size != ticket.byte_size:
        raise ImageNotPermitted(
            hint=f"The upload URL is for a file of {ticket.byte_size} bytes, and {size} were sent: send the whole "
            "file, or ask for a ticket with its size."
        )
    image = inspect_image(data.file.data, filename=ticket.filename)
    if image.content_type != ticket.content_type:
        raise ImageNotPermitted(
            hint=f"The upload URL is for {ticket.content_type}, and the bytes are {image.content_type}: ask for a "
            "ticket for that type."
        )
    if ticket.sha256 is not None and image.sha256 != ticket.sha256:
        raise ImageNotPermitted(hint="The SHA-256 of the bytes is another one than the ticket has: send that file.")
    return image
