"""URLs of the API, below ``<mount>/api/``."""

from django.urls import include, path, re_path

from blog_engine.api import viewsets
from blog_engine.api.schema import schema_view, unknown_path

router = viewsets.EngineRouter()
router.serve("posts", viewsets.PostViewSet)
router.serve("proposals", viewsets.ProposalViewSet)
router.serve("adoptions", viewsets.AdoptionViewSet)
router.serve("images/tickets", viewsets.UploadTicketViewSet)
router.serve("images", viewsets.ImageViewSet)
router.serve("categories", viewsets.CategoryViewSet)
router.serve("tags", viewsets.TagViewSet)
router.serve("authors", viewsets.AuthorViewSet)
router.serve("series", viewsets.SeriesViewSet)
router.serve("redirects", viewsets.RedirectViewSet)
router.serve("pages", viewsets.PageViewSet)
router.serve("faq_extractions", viewsets.FaqExtractionViewSet)
router.serve("views", viewsets.ViewsViewSet)
router.serve("doctor", viewsets.DoctorViewSet)
router.serve("report", viewsets.ReportViewSet)

urlpatterns = [
    re_path("^v1/schema/?$", schema_view(router), name="api-schema"),
    path("v1/", include(router.urls)),
    re_path("", unknown_path),
]
