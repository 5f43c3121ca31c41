"""Uploads at the URL of a ticket, which needs no token."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from rest_framework.request import Request

from blog_engine.actor import Actor, Call, Scope
from blog_engine.api import serving
from blog_engine.api.bodies import query_of
from blog_engine.api.serving import EngineViewSet, serves, serves_url
from blog_engine.errors import ImageNotPermitted, LengthRequired, NotFound
from blog_engine.http.rate_limit import count_failed_attempt
from blog_engine.http.requests import body_length, origin_of, read_exactly, refuse_encoding
from blog_engine.inputs.images import ImageBytes
from blog_engine.models import UploadTicket
from blog_engine.operations import images
from blog_engine.queries.upload_tickets import upload_ticket_at
from blog_engine.services.upload_tickets import admit_upload


class UploadTicketViewSet(EngineViewSet):
    """``/images/tickets``: a caller opens a ticket, and any client that has its URL sends the file."""

    create = serves(images.open_upload_ticket, success=serving.CREATED)
    update = serves_url(images.fill_upload_ticket, success=serving.CREATED)

    _sent: Mapping[str, object]
    _ticket: UploadTicket

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Take the secret of an upload URL from the request before anything can log it."""
        if self.lookup_field in self.kwargs:
            self._sent = _query_kept_out_of_logs(request)
        return super().initialize_request(request, *args, **kwargs)

    def perform_authentication(self, request: Request) -> None:
        """Authenticate the caller, or take the ticket at the URL; raises ``NotFound`` for a wrong secret."""
        if self.action != "update":
            super().perform_authentication(request)
            return
        ticket = upload_ticket_at(self.kwargs["id"], str(self._sent.get("secret", "")))
        if ticket is None:
            count_failed_attempt(request._request)
            raise NotFound(hint="No upload ticket has this URL: copy it whole, or ask for a new ticket.")
        self._ticket = ticket
        actor = Actor(ticket.actor_name, [Scope.WRITE], ticket.actor_id)
        self.call = Call(actor, timezone.now(), base_url=origin_of(request._request))

    def check_throttles(self, request: Request) -> None:
        """Count the request; those at the URL of a ticket are counted by the ticket."""
        if self.action != "update":
            super().check_throttles(request)

    def read_input(self, request: HttpRequest) -> Mapping[str, object]:
        """Return what the client sent: JSON, or the file for a ticket, which counts as an attempt."""
        if self.action != "update":
            return super().read_input(request)
        admit_upload(self._ticket, now=self.call.now)
        return {**self._sent, "file": _file_for(self._ticket, request)}


def _query_kept_out_of_logs(request: HttpRequest) -> Mapping[str, object]:
    """Return the query parameters, and take them from the request, which logs and error reports show."""
    sent, query = query_of(request), request.META.get("QUERY_STRING", "")
    for name, value in list(request.META.items()):
        # Servers keep the URL under names of their own, such as RAW_URI.
        if query and isinstance(value, str) and query in value:
            request.META[name] = value.replace(query, "")
    request.GET = QueryDict()
    return sent


def _file_for(ticket: UploadTicket, request: HttpRequest) -> ImageBytes:
    """Return the body of a request as the file that a ticket is for.

    Raises ``UnsupportedMediaType`` for a compressed body, ``ImageNotPermitted`` for another media type or size,
    ``LengthRequired`` and ``PayloadTooLarge``, all before anything is read, and ``ValidationFailed`` (``body``) for a
    body that ends early.
    """
    refuse_encoding(request)
    if request.content_type not in {"", ticket.content_type}:
        raise ImageNotPermitted(hint=f"The upload URL is for {ticket.content_type}: send that as the Content-Type.")
    declared = request.META.get("CONTENT_LENGTH")
    if not declared:
        raise LengthRequired
    length = body_length(
        content_length=declared,
        transfer_encoding=request.headers.get("Transfer-Encoding"),
        limit=ticket.byte_size,
        instead="The upload URL is for a file of this size: send that file, or ask for a ticket with another size.",
    )
    # A shorter body is read, since what a service says of it is the same for every caller.
    return ImageBytes(read_exactly(request, length), ticket.filename, ticket.content_type)
