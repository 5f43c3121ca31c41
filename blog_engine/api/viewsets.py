"""The viewsets of the JSON API, and their router."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.routers import SimpleRouter

from blog_engine.actor import Actor, Call, Scope
from blog_engine.api import serving
from blog_engine.api.bodies import query_of, read_upload
from blog_engine.api.serving import EngineViewSet, ExtraAction, OperationAction
from blog_engine.enums import ActorKind
from blog_engine.errors import ImageNotPermitted, LengthRequired, NotFound
from blog_engine.http.rate_limit import count_failed_attempt
from blog_engine.http.requests import body_length, origin_of, read_exactly, refuse_encoding
from blog_engine.inputs.images import ImageBytes
from blog_engine.inputs.reports import SurfaceReportInForm
from blog_engine.models import UploadTicket
from blog_engine.operations import images, posts, proposals, records, reports
from blog_engine.operations.base import with_input
from blog_engine.outputs.reports import SurfaceReportAnswer
from blog_engine.queries.tokens import upload_ticket_at
from blog_engine.services.upload_tickets import admit_upload


class PostViewSet(EngineViewSet):
    """``/posts``: ``:id`` is the numeric id or the slug."""

    list = OperationAction(posts.list_posts)
    create = OperationAction(posts.save_post, success=serving.SAVED)
    retrieve = OperationAction(posts.get_post, version_of=posts.version_to_read)
    partial_update = OperationAction(posts.update_post)
    destroy = OperationAction(posts.remove_post)
    publish = ExtraAction(posts.publish_post, method="post", success=serving.RELEASED)
    unpublish = ExtraAction(posts.unpublish_post, method="post")
    approvals = ExtraAction(posts.approve_revision, method="post")
    connections = ExtraAction(posts.declare_connections, method="post")
    records = ExtraAction(posts.get_post_records, method="get")
    evidence = ExtraAction(posts.get_post_evidence, method="get")
    findings = ExtraAction(posts.check_post, method="get")
    preview = ExtraAction(posts.get_preview_link, method="get")
    views = ExtraAction(reports.get_post_views, method="get")


class ProposalViewSet(EngineViewSet):
    """``/proposals``: edits that wait for a decision, and those that had one."""

    lookup_field = "proposal"

    list = OperationAction(proposals.list_proposals)
    retrieve = OperationAction(proposals.get_proposal)
    apply = ExtraAction(proposals.apply_proposal, method="post")
    reject = ExtraAction(proposals.reject_proposal, method="post")
    withdraw = ExtraAction(proposals.withdraw_proposal, method="post")


class ImageViewSet(EngineViewSet):
    """``/images``: takes JSON, or a form with the file."""

    list = OperationAction(images.list_images)
    create = OperationAction(images.upload_image, success=serving.CREATED)
    partial_update = OperationAction(images.update_image)

    def read_input(self, request: HttpRequest) -> Mapping[str, object]:
        """Return what the client sent, as JSON or as a form."""
        return read_upload(request) if self.action == "create" else super().read_input(request)


class AdoptionViewSet(EngineViewSet):
    """``/adoptions``."""

    create = OperationAction(posts.adopt_post, success=serving.MADE_OR_CHANGED)


class CategoryViewSet(EngineViewSet):
    """``/categories``."""

    list = OperationAction(records.list_categories)
    create = OperationAction(records.create_category, success=serving.CREATED)
    partial_update = OperationAction(records.update_category)


class TagViewSet(EngineViewSet):
    """``/tags``."""

    list = OperationAction(records.list_tags)


class AuthorViewSet(EngineViewSet):
    """``/authors``."""

    list = OperationAction(records.list_authors)
    create = OperationAction(records.create_author, success=serving.CREATED)
    partial_update = OperationAction(records.update_author)


class SeriesViewSet(EngineViewSet):
    """``/series``."""

    list = OperationAction(records.list_series)
    create = OperationAction(records.create_series, success=serving.CREATED)
    partial_update = OperationAction(records.update_series)


class RedirectViewSet(EngineViewSet):
    """``/redirects``."""

    list = OperationAction(records.list_redirects)
    create = OperationAction(records.save_redirect, success=serving.MADE_OR_CHANGED)
    destroy = OperationAction(records.delete_redirect)


class FaqExtractionViewSet(EngineViewSet):
    """``/faq_extractions``."""

    create = OperationAction(reports.extract_faq)


class ViewsViewSet(EngineViewSet):
    """``/views``."""

    top = ExtraAction(reports.get_top_views, method="get", detail=False)


class PageViewSet(EngineViewSet):
    """``/pages``: one page for each kind."""

    lookup_field = "kind"

    list = OperationAction(records.list_pages)
    retrieve = OperationAction(records.get_page)
    update = OperationAction(records.save_page, success=serving.MADE_OR_CHANGED)


class ReportViewSet(EngineViewSet):
    """``/report``: as JSON, or as text."""

    list = OperationAction(
        with_input(reports.get_surface_report, SurfaceReportInForm), as_text=SurfaceReportAnswer.as_text
    )


class DoctorViewSet(EngineViewSet):
    """``/doctor``."""

    list = OperationAction(reports.doctor)


class UploadTicketViewSet(EngineViewSet):
    """``/images/tickets``: a caller opens a ticket, and any client that has its URL sends the file."""

    create = OperationAction(images.open_upload_ticket, success=serving.CREATED, keeps_answers=False)
    update = OperationAction(images.fill_upload_ticket, success=serving.CREATED, takes_a_file=True)

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
        actor = Actor(ticket.actor_name, [Scope.WRITE], ticket.actor_id, kind=ActorKind.TOKEN)
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


_ANY_BYTES = "application/octet-stream"
"""What clients declare that know no type; the bytes decide anyway."""


def _file_for(ticket: UploadTicket, request: HttpRequest) -> ImageBytes:
    """Return the body of a request as the file that a ticket is for.

    Raises ``UnsupportedMediaType`` for a compressed body, ``ImageNotPermitted`` for another media type or size,
    ``LengthRequired`` and ``PayloadTooLarge``, all before anything is read, and ``ValidationFailed`` (``body``) for a
    body that ends early.
    """
    refuse_encoding(request)
    if request.content_type not in {"", _ANY_BYTES, ticket.content_type}:
        raise ImageNotPermitted(hint=f"The upload URL is for {ticket.content_type}: send that as the Content-Type.")
    if not request.META.get("CONTENT_LENGTH"):
        raise LengthRequired
    length = body_length(
        request,
        limit=ticket.byte_size,
        instead="The upload URL is for a file of this size: send that file, or ask for a ticket with another size.",
    )
    # A shorter body is read, since what a service says of it is the same for every caller.
    return ImageBytes(read_exactly(request, length), ticket.filename, ticket.content_type)


class EngineRouter(SimpleRouter):
    """Routes with and without a trailing slash, so that no redirect drops a body."""

    def __init__(self) -> None:
        super().__init__()
        self.trailing_slash = "/?"
        self.served: list[tuple[str, type[EngineViewSet]]] = []

    def serve(self, name: str, viewset: type[EngineViewSet]) -> None:
        """Route a viewset at ``/<name>``; its URL names start with ``api-<name>``."""
        self.served.append((name, viewset))
        self.register(name, viewset, basename=f"api-{name.replace('/', '-')}")
