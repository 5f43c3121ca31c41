"""URLs of the API, below ``<mount>/api/``."""

from django.urls import include, path, re_path

from blog_engine.api.schema import schema_view, unknown_path
from blog_engine.api.viewsets import (
    AdoptionViewSet,
    AuthorViewSet,
    CategoryViewSet,
    DoctorViewSet,
    EngineRouter,
    FaqExtractionViewSet,
    ImageViewSet,
    PageViewSet,
    PostViewSet,
    ProposalViewSet,
    RedirectViewSet,
    ReportViewSet,
    SeriesViewSet,
    TagViewSet,
    UploadTicketViewSet,
    ViewsViewSet,
)

router = EngineRouter()
router.serve("posts", PostViewSet)
router.serve("proposals", ProposalViewSet)
router.serve("adoptions", AdoptionViewSet)
router.serve("images/tickets", UploadTicketViewSet)
router.serve("images", ImageViewSet)
router.serve("categories", CategoryViewSet)
router.serve("tags", TagViewSet)
router.serve("authors", AuthorViewSet)
router.serve("series", SeriesViewSet)
router.serve("redirects", RedirectViewSet)
router.serve("pages", PageViewSet)
router.serve("faq_extractions", FaqExtractionViewSet)
router.serve("views", ViewsViewSet)
router.serve("doctor", DoctorViewSet)
router.serve("report", ReportViewSet)

urlpatterns = [
    re_path("^v1/schema/?$", schema_view(router), name="api-schema"),
    path("v1/", include(router.urls)),
    re_path("", unknown_path),
]
