"""The viewsets of the JSON API and their routers."""

from collections.abc import Mapping

from django.http import HttpRequest
from rest_framework.routers import SimpleRouter

from blog_engine.api import serving
from blog_engine.api.bodies import read_upload
from blog_engine.api.serving import EngineViewSet, serves, serves_at, serves_text
from blog_engine.inputs.reports import SurfaceReportInForm
from blog_engine.operations import images, posts, proposals, records, reports
from blog_engine.operations.base import with_input
from blog_engine.outputs.reports import SurfaceReportAnswer


class PostViewSet(EngineViewSet):
    """``/posts``: ``:id`` is the numeric id or the slug."""

    list = serves(posts.list_posts)
    create = serves(posts.save_post, success=serving.SAVED)
    retrieve = serves(posts.get_post)
    partial_update = serves(posts.update_post)
    destroy = serves(posts.remove_post)
    publish = serves_at("publish", posts.publish_post, method="post", success=serving.RELEASED)
    unpublish = serves_at("unpublish", posts.unpublish_post, method="post")
    approvals = serves_at("approvals", posts.approve_revision, method="post")
    connections = serves_at("connections", posts.declare_connections, method="post")
    records = serves_at("records", posts.get_post_records, method="get")
    evidence = serves_at("evidence", posts.get_post_evidence, method="get")
    findings = serves_at("findings", posts.check_post, method="get")
    preview = serves_at("preview", posts.get_preview_link, method="get")
    views = serves_at("views", reports.get_post_views, method="get")


class ProposalViewSet(EngineViewSet):
    """``/proposals``: edits that wait for a decision, and those that had one."""

    lookup_field = "proposal"

    list = serves(proposals.list_proposals)
    retrieve = serves(proposals.get_proposal)
    apply = serves_at("apply", proposals.apply_proposal, method="post")
    reject = serves_at("reject", proposals.reject_proposal, method="post")
    withdraw = serves_at("withdraw", proposals.withdraw_proposal, method="post")


class ImageViewSet(EngineViewSet):
    """``/images``: takes JSON, or a form with the file."""

    list = serves(images.list_images)
    create = serves(images.upload_image, success=serving.CREATED)

    def read_input(self, request: HttpRequest) -> Mapping[str, object]:
        """Return what the client sent, as JSON or as a form."""
        return super().read_input(request) if self.action == "list" else read_upload(request)


class AdoptionViewSet(EngineViewSet):
    """``/adoptions``."""

    create = serves(posts.adopt_post, success=serving.MADE_OR_CHANGED)


class CategoryViewSet(EngineViewSet):
    """``/categories``."""

    list = serves(records.list_categories)
    create = serves(records.create_category, success=serving.CREATED)
    partial_update = serves(records.update_category)


class TagViewSet(EngineViewSet):
    """``/tags``."""

    list = serves(records.list_tags)


class AuthorViewSet(EngineViewSet):
    """``/authors``."""

    list = serves(records.list_authors)
    create = serves(records.create_author, success=serving.CREATED)
    partial_update = serves(records.update_author)


class SeriesViewSet(EngineViewSet):
    """``/series``."""

    list = serves(records.list_series)
    create = serves(records.create_series, success=serving.CREATED)
    partial_update = serves(records.update_series)


class RedirectViewSet(EngineViewSet):
    """``/redirects``."""

    list = serves(records.list_redirects)
    create = serves(records.save_redirect, success=serving.MADE_OR_CHANGED)
    destroy = serves(records.delete_redirect)


class FaqExtractionViewSet(EngineViewSet):
    """``/faq_extractions``."""

    create = serves(reports.extract_faq)


class ViewsViewSet(EngineViewSet):
    """``/views``."""

    top = serves_at("top", reports.get_top_views, method="get", detail=False)


class PageViewSet(EngineViewSet):
    """``/pages``: one page for each kind."""

    lookup_field = "kind"

    list = serves(records.list_pages)
    retrieve = serves(records.get_page)
    update = serves(records.save_page, success=serving.MADE_OR_CHANGED)


class ReportViewSet(EngineViewSet):
    """``/report``: as JSON, or as text."""

    list = serves_text(with_input(reports.get_surface_report, SurfaceReportInForm), SurfaceReportAnswer.as_text)


class DoctorViewSet(EngineViewSet):
    """``/doctor``."""

    list = serves(reports.doctor)


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
